#include "WebSocket.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ticks_of_block = 1000, longest = 64 << 10 };

static bool send_bytes(int socket, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t sent = send(socket, bytes, size, 0);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        bytes += sent;
        size -= (size_t)sent;
    }
    return true;
}

static bool receive_bytes(int socket, uint8_t *bytes, size_t size) {
    while (size > 0) {
        ssize_t got = recv(socket, bytes, size, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        bytes += got;
        size -= (size_t)got;
    }
    return true;
}

static uint32_t rotated(uint32_t value, int count) { return value << count | value >> (32 - count); }

/// FIPS 180-4 section 6.1, of at most 119 bytes.
static void sha1(const char *text, uint8_t digest[20]) {
    uint8_t message[128] = {0};
    size_t length = strlen(text), size = length < 56 ? 64 : 128;
    memcpy(message, text, length);
    message[length] = 0x80;
    for (int index = 0; index < 8; index++) message[size - 1 - index] = (uint8_t)((uint64_t)length * 8 >> 8 * index);
    uint32_t state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    for (size_t start = 0; start < size; start += 64) {
        uint32_t words[80];
        for (int index = 0; index < 16; index++) {
            const uint8_t *bytes = message + start + 4 * index;
            words[index] = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
        }
        for (int index = 16; index < 80; index++) {
            words[index] = rotated(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1);
        }
        uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
        for (int step = 0; step < 80; step++) {
            uint32_t mixed, constant;
            switch (step / 20) {
            case 0: mixed = (b & c) | (~b & d); constant = 0x5a827999; break;
            case 1: mixed = b ^ c ^ d; constant = 0x6ed9eba1; break;
            case 2: mixed = (b & c) | (b & d) | (c & d); constant = 0x8f1bbcdc; break;
            default: mixed = b ^ c ^ d; constant = 0xca62c1d6;
            }
            uint32_t next = rotated(a, 5) + mixed + e + words[step] + constant;
            e = d; d = c; c = rotated(b, 30); b = a; a = next;
        }
        state[0] += a; state[1] += b; state[2] += c; state[3] += d; state[4] += e;
    }
    for (int index = 0; index < 20; index++) digest[index] = (uint8_t)(state[index / 4] >> (24 - 8 * (index % 4)));
}

/// The server's proof that it speaks the protocol (RFC 6455 section 4.2.2).
static void make_accept(const char *key, char accept[29]) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[96];
    uint8_t digest[21] = {0};
    snprintf(text, sizeof text, "%.24s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
    sha1(text, digest);
    for (int index = 0; index < 28; index++) {
        int bit = index * 6, byte = bit / 8;
        int pair = digest[byte] << 8 | digest[byte + 1];
        accept[index] = letters[pair >> (10 - bit % 8) & 63];
    }
    accept[27] = '=';
    accept[28] = 0;
}

static const char *header(const char *head, const char *name) {
    size_t length = strlen(name);
    for (const char *line = strstr(head, "\r\n"); line; line = strstr(line + 2, "\r\n")) {
        if (strncasecmp(line + 2, name, length) == 0) return line + 2 + length + strspn(line + 2 + length, " ");
    }
    return NULL;
}

static void add_frame(FILE *stream, const char *text) {
    size_t length = strlen(text);
    fputc(0x81, stream);
    if (length > 125) {
        fputc(126, stream);
        fputc((int)(length >> 8), stream);
    }
    fputc((int)(length & 0xff), stream);
    fputs(text, stream);
}

/// Sends the events that a text has asked for, and their end.
static bool send_events(int socket, const char *text) {
    const char *id = strstr(text, "\"id\":\""), *count = strstr(text, "\"count\":");
    if (!id || !count) return false;
    id += 6;
    int id_size = (int)strcspn(id, "\"");
    char *block = NULL, frame[256];
    size_t size = 0;
    FILE *stream = open_memstream(&block, &size);
    if (!stream) return false;
    for (int number = 1; number <= ticks_of_block; number++) {
        snprintf(
            frame, sizeof frame,
            "{\"type\":\"tick\",\"id\":\"%.*s\",\"data\":{\"id\":%d,\"symbol\":\"ACME\",\"price\":101.25,\"volume\":1200}}",
            id_size, id, number);
        add_frame(stream, frame);
    }
    fclose(stream);
    bool is_open = true;
    for (int64_t left = strtoll(count + 8, NULL, 10) / ticks_of_block; left > 0 && is_open; left--) {
        is_open = send_bytes(socket, block, size);
    }
    free(block);
    char end[128];
    int length = snprintf(end + 2, sizeof end - 2, "{\"type\":\"end\",\"id\":\"%.*s\"}", id_size, id);
    end[0] = (char)0x81;
    end[1] = (char)length;
    return is_open && send_bytes(socket, end, (size_t)length + 2);
}

void serve_frames(int socket, const char *head) {
    const char *key = header(head, "sec-websocket-key:");
    if (!key) return;
    char accept[29], response[256];
    make_accept(key, accept);
    int length = snprintf(
        response, sizeof response,
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
        accept);
    if (!send_bytes(socket, response, (size_t)length)) return;
    uint8_t start[8];
    static _Thread_local uint8_t payload[longest + 1];
    while (receive_bytes(socket, start, 2)) {
        size_t size = start[1] & 0x7f;
        int opcode = start[0] & 0xf;
        if (size == 126) {
            if (!receive_bytes(socket, start + 2, 2)) return;
            size = (size_t)start[2] << 8 | start[3];
        }
        uint8_t mask[4];
        if (size > longest || !receive_bytes(socket, mask, 4) || !receive_bytes(socket, payload, size)) return;
        for (size_t index = 0; index < size; index++) payload[index] ^= mask[index % 4];
        payload[size] = 0;
        if (opcode == 8) {
            const char end[] = {(char)0x88, 0};
            send_bytes(socket, end, sizeof end);
            return;
        }
        if (opcode == 1 && !send_events(socket, (const char *)payload)) return;
    }
}
