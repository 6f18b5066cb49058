// The server of the flow benchmark. It must cost less than the contenders. It sends from buffers that are made once, and reads
// uploads into a buffer that it never examines. Each connection has a thread. The server prints its port, and ends when its
// standard input ends.
//
//   GET /bytes?count=N      N bytes
//   PUT /bytes              how many bytes came, as JSON
//   GET /items?page=M&pages=N  a page of 100 items; odd pages have them from first to last, even pages from last to first
//   GET /ticks?count=N      N server-sent events, a multiple of 1,000
//   GET /lines?count=N      the same as JSON lines
//   POST /items             one item
//   GET /frames             a connection of WebSocket, which sends events
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "WebSocket.h"

enum { block_size = 1 << 20, head_size = 16 << 10, items_of_page = 100, ticks_of_block = 1000 };

static char block[block_size];
static char *items[2];
static size_t items_size[2];
static char *ticks;
static size_t ticks_size;
static char *lines;
static size_t lines_size;

typedef struct {
    int socket;
    char head[head_size];
    /// The number of bytes in `head`, and how many of them are the header of the request.
    size_t filled, used;
    /// The length of the request's body, and how the request sends it.
    int64_t length;
    bool is_chunked, expects;
} connection;

static bool send_all(int socket, struct iovec *parts, int count) {
    while (count > 0) {
        ssize_t sent = writev(socket, parts, count);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        while (count > 0 && (size_t)sent >= parts->iov_len) {
            sent -= (ssize_t)parts->iov_len;
            parts++;
            count--;
        }
        if (count > 0) {
            parts->iov_base = (char *)parts->iov_base + sent;
            parts->iov_len -= (size_t)sent;
        }
    }
    return true;
}

/// Sends a head and one body.
static bool answer(int socket, const char *type, const char *start, const char *body, size_t size) {
    char head[512];
    int length = snprintf(
        head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %zu\r\n\r\n%s", type,
        strlen(start) + size, start);
    struct iovec parts[] = {{head, (size_t)length}, {(void *)body, size}};
    return send_all(socket, parts, 2);
}

/// Sends a head, then the same bytes repeatedly.
static bool repeat(int socket, const char *type, const char *bytes, size_t size, int64_t total) {
    char head[512];
    int length = snprintf(
        head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %lld\r\n\r\n", type,
        (long long)total);
    struct iovec first = {head, (size_t)length};
    if (!send_all(socket, &first, 1)) return false;
    while (total > 0) {
        struct iovec part = {(void *)bytes, total < (int64_t)size ? (size_t)total : size};
        total -= (int64_t)part.iov_len;
        if (!send_all(socket, &part, 1)) return false;
    }
    return true;
}

/// Reads a header, and any bytes that arrived after it.
static bool read_head(connection *it) {
    memmove(it->head, it->head + it->used, it->filled - it->used);
    it->filled -= it->used;
    it->used = 0;
    while (true) {
        it->head[it->filled] = 0;
        char *end = strstr(it->head, "\r\n\r\n");
        if (end) {
            it->used = (size_t)(end + 4 - it->head);
            end[2] = 0;
            break;
        }
        if (it->filled == head_size - 1) return false;
        ssize_t got = recv(it->socket, it->head + it->filled, head_size - 1 - it->filled, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        it->filled += (size_t)got;
    }
    it->length = 0;
    it->is_chunked = it->expects = false;
    for (char *line = strstr(it->head, "\r\n"); line && line[2]; line = strstr(line + 2, "\r\n")) {
        const char *field = line + 2;
        if (strncasecmp(field, "content-length:", 15) == 0) it->length = strtoll(field + 15, NULL, 10);
        if (strncasecmp(field, "transfer-encoding:", 18) == 0) it->is_chunked = true;
        if (strncasecmp(field, "expect:", 7) == 0) it->expects = true;
    }
    return true;
}

/// Reads a body to its end, and discards it.
static bool read_body(connection *it) {
    size_t there = it->filled - it->used;
    size_t mine = (int64_t)there < it->length ? there : (size_t)it->length;
    it->used += mine;
    int64_t left = it->length - (int64_t)mine;
    static _Thread_local char sink[256 << 10];
    while (left > 0) {
        ssize_t got = recv(it->socket, sink, left < (int64_t)sizeof sink ? (size_t)left : sizeof sink, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        left -= got;
    }
    return true;
}

static int64_t number(const char *head, const char *name) {
    const char *end = strchr(head, '\r');
    const char *found = strstr(head, name);
    return found && end && found < end ? strtoll(found + strlen(name), NULL, 10) : 0;
}

static bool serve(connection *it) {
    const char *head = it->head;
    char text[128];
    if (strncmp(head, "GET /bytes", 10) == 0) {
        return repeat(it->socket, "application/octet-stream", block, block_size, number(head, "count="));
    }
    if (strncmp(head, "GET /items", 10) == 0) {
        snprintf(text, sizeof text, "{\"pages\":%lld,\"items\":", (long long)number(head, "pages="));
        int64_t page = number(head, "page=");
        return answer(it->socket, "application/json", text, items[page & 1], items_size[page & 1]);
    }
    if (strncmp(head, "GET /ticks", 10) == 0) {
        int64_t blocks = number(head, "count=") / ticks_of_block;
        return repeat(it->socket, "text/event-stream", ticks, ticks_size, blocks * (int64_t)ticks_size);
    }
    if (strncmp(head, "GET /lines", 10) == 0) {
        int64_t blocks = number(head, "count=") / ticks_of_block;
        return repeat(it->socket, "application/x-ndjson", lines, lines_size, blocks * (int64_t)lines_size);
    }
    if (strncmp(head, "PUT /bytes", 10) == 0) {
        // An upload without a length is refused.
        if (it->is_chunked) return false;
        const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
        struct iovec part = {(void *)go_on, sizeof go_on - 1};
        if (it->expects && !send_all(it->socket, &part, 1)) return false;
        if (!read_body(it)) return false;
        snprintf(text, sizeof text, "{\"count\":%lld}", (long long)it->length);
        return answer(it->socket, "application/json", text, "", 0);
    }
    if (strncmp(head, "GET /frames", 11) == 0) {
        serve_frames(it->socket, head);
        return false;
    }
    if (strncmp(head, "POST /items", 11) == 0) {
        const char item[] =
            "{\"id\":7,\"name\":\"Item number 7\",\"price\":12.5,\"isAvailable\":true,\"tags\":[\"new\",\"small\"]}";
        return read_body(it) && answer(it->socket, "application/json", "", item, sizeof item - 1);
    }
    return false;
}

static void *run(void *argument) {
    connection *it = argument;
    while (read_head(it) && serve(it)) {}
    close(it->socket);
    free(it);
    return NULL;
}

static void *end_with_input(void *argument) {
    char byte;
    while (read(STDIN_FILENO, &byte, 1) > 0) {}
    exit(0);
    return argument;
}

/// Makes the items of odd or of even pages. A walk refuses two pages in a row with the same elements.
static bool make_items(int is_odd) {
    FILE *stream = open_memstream(&items[is_odd], &items_size[is_odd]);
    if (!stream) return false;
    for (int index = 1; index <= items_of_page; index++) {
        int id = is_odd ? index : items_of_page + 1 - index;
        fprintf(
            stream, "%s{\"id\":%d,\"name\":\"Item number %d\",\"price\":12.5,\"isAvailable\":true,"
            "\"tags\":[\"new\",\"small\"]}", index == 1 ? "[" : ",", id, id);
    }
    fputs("]}", stream);
    return fclose(stream) == 0;
}

static bool make_ticks(const char *before, const char *after, char **bytes, size_t *size) {
    FILE *stream = open_memstream(bytes, size);
    if (!stream) return false;
    for (int id = 1; id <= ticks_of_block; id++) {
        fprintf(
            stream, "%s{\"id\":%d,\"symbol\":\"ACME\",\"price\":101.25,\"volume\":1200}%s", before, id, after);
    }
    return fclose(stream) == 0;
}

/// Makes the bytes that are sent repeatedly.
static bool make_bodies(void) {
    for (size_t index = 0; index < block_size; index++) block[index] = (char)(index * 31);
    return make_items(0) && make_items(1) && make_ticks("data: ", "\n\n", &ticks, &ticks_size)
        && make_ticks("", "\n", &lines, &lines_size);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {0};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (!make_bodies() || listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0
        || listen(listener, 128) != 0 || getsockname(listener, (struct sockaddr *)&address, &size) != 0) {
        perror("FlowServer");
        return 1;
    }
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    pthread_t thread;
    if (pthread_create(&thread, NULL, end_with_input, NULL) != 0) return 1;
    while (true) {
        int socket = accept(listener, NULL, NULL);
        if (socket < 0) continue;
        int yes = 1;
        setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        connection *it = calloc(1, sizeof *it);
        if (!it) return 1;
        it->socket = socket;
        if (pthread_create(&thread, NULL, run, it) != 0) return 1;
        pthread_detach(thread);
    }
}
