// macOS and its kin have URLSession.
#if defined(__linux__)
#define _GNU_SOURCE
#include "CCurl.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

// `curl_version_info_data` as far as it is used; later versions add fields behind these.
typedef struct {
    int age;
    const char *version;
    unsigned int version_number;
    const char *host;
    int features;
    const char *tls;
} version_info;

typedef struct {
    int message;
    void *easy;
    union {
        void *whatever;
        int result;
    } data;
} multi_message;

typedef struct {
    void *data;
    size_t length;
    unsigned int flags;
} blob;

// `curl_sockaddr`, up to the address, which is not needed here.
typedef struct {
    int family;
    int type;
    int protocol;
} socket_kind;

enum {
    feature_tls = 1 << 2,
    feature_inflates = 1 << 3,
    feature_resolves_on_threads = 1 << 7,
    feature_http2 = 1 << 16,
    feature_https_proxy = 1 << 21,
    message_done = 1,
    global_default = 3,
    blob_copy = 1,
    option_write_data = 10001,
    option_read_data = 10009,
    option_header_data = 10029,
    option_private = 10103,
    option_prerequest_data = 10313,
    option_resolver_start_data = 10273,
    option_write_function = 20011,
    option_read_function = 20012,
    option_header_function = 20079,
    option_prerequest_function = 20312,
    option_resolver_start_function = 20272,
    option_open_socket_function = 20163,
    option_open_socket_data = 10164,
    option_verbose = 41,
    option_error_buffer = 10010,
    option_debug_data = 10095,
    option_debug_function = 20094,
    info_private = 0x100015,
    pause_nothing = 0,
    pause_receiving = 1,
};

static struct {
    bool is_usable;
    bool has_http2;
    bool has_https_proxy;
    bool has_certificate_blobs;
    unsigned int version_number;
    int (*global_init)(long);
    version_info *(*version)(int);
    void *(*easy_init)(void);
    void (*easy_cleanup)(void *);
    void (*easy_reset)(void *);
    int (*easy_setopt)(void *, int, ...);
    int (*easy_getinfo)(void *, int, ...);
    int (*easy_pause)(void *, int);
    const char *(*easy_strerror)(int);
    void *(*slist_append)(void *, const char *);
    void (*slist_free_all)(void *);
    void *(*multi_init)(void);
    int (*multi_cleanup)(void *);
    // NULL before version 8.3.
    int (*global_trace)(const char *);
    int (*multi_setopt)(void *, int, ...);
    int (*multi_add_handle)(void *, void *);
    int (*multi_remove_handle)(void *, void *);
    int (*multi_perform)(void *, int *);
    int (*multi_poll)(void *, void *, unsigned int, int, int *);
    int (*multi_wakeup)(void *);
    multi_message *(*multi_info_read)(void *, int *);
} curl;

static bool find(void *library, const char *name, void **function) {
    *function = dlsym(library, name);
    return *function != NULL;
}

static bool find_all(void *library) {
    return find(library, "curl_global_init", (void **)&curl.global_init)
        && find(library, "curl_version_info", (void **)&curl.version)
        && find(library, "curl_easy_init", (void **)&curl.easy_init)
        && find(library, "curl_easy_cleanup", (void **)&curl.easy_cleanup)
        && find(library, "curl_easy_reset", (void **)&curl.easy_reset)
        && find(library, "curl_easy_setopt", (void **)&curl.easy_setopt)
        && find(library, "curl_easy_getinfo", (void **)&curl.easy_getinfo)
        && find(library, "curl_easy_pause", (void **)&curl.easy_pause)
        && find(library, "curl_easy_strerror", (void **)&curl.easy_strerror)
        && find(library, "curl_slist_append", (void **)&curl.slist_append)
        && find(library, "curl_slist_free_all", (void **)&curl.slist_free_all)
        && find(library, "curl_multi_init", (void **)&curl.multi_init)
        && find(library, "curl_multi_cleanup", (void **)&curl.multi_cleanup)
        && find(library, "curl_multi_setopt", (void **)&curl.multi_setopt)
        && find(library, "curl_multi_add_handle", (void **)&curl.multi_add_handle)
        && find(library, "curl_multi_remove_handle", (void **)&curl.multi_remove_handle)
        && find(library, "curl_multi_perform", (void **)&curl.multi_perform)
        && find(library, "curl_multi_poll", (void **)&curl.multi_poll)
        && find(library, "curl_multi_wakeup", (void **)&curl.multi_wakeup)
        && find(library, "curl_multi_info_read", (void **)&curl.multi_info_read);
}

// The name of the TLS library in use. libcurl names the others that it could use in parentheses.
static bool takes_certificate_blobs(const char *tls) {
    static const char *const names[] = {"OpenSSL/", "LibreSSL/", "BoringSSL", "AWS-LC", "quictls/"};
    while (tls != NULL && *tls == '(') {
        tls = strchr(tls, ')');
        if (tls != NULL) tls += strspn(tls, ") ");
    }
    for (size_t index = 0; tls != NULL && index < sizeof names / sizeof *names; index++) {
        if (strncmp(tls, names[index], strlen(names[index])) == 0) return true;
    }
    return false;
}

static void load(void) {
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.so"};
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        // Never closed: threads of its own may be at work.
        void *library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
        if (library == NULL || !find_all(library)) continue;
        version_info *version = curl.version(0);
        int wanted = feature_tls | feature_inflates | feature_resolves_on_threads;
        // 7.80: the callback before each request, without which it could not be known what was sent, or be kept from being
        // sent again.
        if (version == NULL || version->version_number < 0x075000 || (version->features & wanted) != wanted) continue;
        if (curl.global_init(global_default) != 0) continue;
        curl.version_number = version->version_number;
        curl.has_http2 = (version->features & feature_http2) != 0;
        curl.has_https_proxy = (version->features & feature_https_proxy) != 0;
        curl.has_certificate_blobs = takes_certificate_blobs(version->tls);
        if (find(library, "curl_global_trace", (void **)&curl.global_trace)) curl.global_trace("http/2");
        curl.is_usable = true;
        return;
    }
}

bool errand_curl_is_available(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return curl.is_usable;
}

unsigned int errand_curl_version(void) { return errand_curl_is_available() ? curl.version_number : 0; }

bool errand_curl_has_http2(void) { return errand_curl_is_available() && curl.has_http2; }

bool errand_curl_has_https_proxy(void) { return errand_curl_is_available() && curl.has_https_proxy; }

bool errand_curl_has_certificate_blobs(void) { return errand_curl_is_available() && curl.has_certificate_blobs; }

const char *errand_curl_name(int result) { return curl.easy_strerror(result); }

void errand_curl_block_pipe_signal(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

bool errand_curl_start_thread(void *(*work)(void *), void *context) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    int result = pthread_create(&thread, &attributes, work, context);
    pthread_attr_destroy(&attributes);
    return result == 0;
}

// A process that this one starts must not hold a connection, which would outlive its request.
int errand_curl_open_socket(const void *address) {
    const socket_kind *kind = address;
    return socket(kind->family, kind->type | SOCK_CLOEXEC, kind->protocol);
}

void *errand_curl_easy_make(void) { return curl.easy_init(); }

void errand_curl_easy_free(void *easy) { curl.easy_cleanup(easy); }

void errand_curl_easy_reset(void *easy) { curl.easy_reset(easy); }

int errand_curl_set_number(void *easy, int option, long value) { return curl.easy_setopt(easy, option, value); }

int errand_curl_set_size(void *easy, int option, int64_t value) { return curl.easy_setopt(easy, option, value); }

int errand_curl_set_text(void *easy, int option, const char *text) { return curl.easy_setopt(easy, option, text); }

int errand_curl_set_bytes(void *easy, int option, const void *bytes, size_t count) {
    if (option == errand_curlopt_copy_post_fields) {
        // It copies as many as it was told before.
        int result = curl.easy_setopt(easy, errand_curlopt_post_field_size, (int64_t)count);
        return result != 0 ? result : curl.easy_setopt(easy, option, bytes);
    }
    blob lent = {(void *)bytes, count, blob_copy};
    return curl.easy_setopt(easy, option, &lent);
}

int errand_curl_set_list(void *easy, int option, void *list) { return curl.easy_setopt(easy, option, list); }

void errand_curl_set_callbacks(void *easy, void *context, const errand_curl_callbacks *callbacks) {
    curl.easy_setopt(easy, option_private, context);
    curl.easy_setopt(easy, option_header_function, callbacks->header);
    curl.easy_setopt(easy, option_header_data, context);
    curl.easy_setopt(easy, option_write_function, callbacks->write);
    curl.easy_setopt(easy, option_write_data, context);
    curl.easy_setopt(easy, option_read_function, callbacks->read);
    curl.easy_setopt(easy, option_read_data, context);
    curl.easy_setopt(easy, option_prerequest_function, callbacks->prerequest);
    curl.easy_setopt(easy, option_prerequest_data, context);
    curl.easy_setopt(easy, option_resolver_start_function, callbacks->resolver_start);
    curl.easy_setopt(easy, option_resolver_start_data, context);
    curl.easy_setopt(easy, option_open_socket_function, callbacks->open_socket);
    curl.easy_setopt(easy, option_open_socket_data, context);
}

void errand_curl_set_reports(void *easy, void *context, errand_curl_text_callback callback) {
    curl.easy_setopt(easy, option_debug_function, callback);
    curl.easy_setopt(easy, option_debug_data, context);
    curl.easy_setopt(easy, option_verbose, 1L);
}

void errand_curl_set_error_buffer(void *easy, char *buffer) { curl.easy_setopt(easy, option_error_buffer, buffer); }

void *errand_curl_context(void *easy) {
    void *context = NULL;
    curl.easy_getinfo(easy, info_private, &context);
    return context;
}

long errand_curl_number(void *easy, int fact) {
    long number = 0;
    curl.easy_getinfo(easy, fact, &number);
    return number;
}

int errand_curl_pause_receiving(void *easy) { return curl.easy_pause(easy, pause_receiving); }

int errand_curl_resume(void *easy) { return curl.easy_pause(easy, pause_nothing); }

void *errand_curl_list_append(void *list, const char *text) { return curl.slist_append(list, text); }

void errand_curl_list_free(void *list) { curl.slist_free_all(list); }

// MARK: The descriptors that wake a waiting thread

// Whether bytes wait to be read from a descriptor, or in a socket's other end.
static bool holds_bytes(int descriptor) {
    int readable = 0, unread = 0;
    if (ioctl(descriptor, FIONREAD, &readable) == 0 && readable > 0) return true;
    return ioctl(descriptor, TIOCOUTQ, &unread) == 0 && unread > 0;
}

// Whether a started process would inherit this pipe, or this socket without a network.
static bool is_inherited_channel(int descriptor) {
    struct stat status;
    int flags = fcntl(descriptor, F_GETFD);
    if (flags < 0 || (flags & FD_CLOEXEC) != 0 || fstat(descriptor, &status) != 0) return false;
    if (S_ISFIFO(status.st_mode)) return true;
    int domain = 0;
    socklen_t size = sizeof domain;
    return S_ISSOCK(status.st_mode) && getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0
        && domain == AF_UNIX;
}

// Keeps those of the descriptors that hold bytes, or that hold none.
static size_t keep(int *descriptors, size_t count, bool holding) {
    size_t kept = 0;
    for (size_t index = 0; index < count; index++) {
        if (holds_bytes(descriptors[index]) == holding) descriptors[kept++] = descriptors[index];
    }
    return kept;
}

static size_t inherited_channels(int **descriptors) {
    size_t count = 0, capacity = 0;
    DIR *folder = opendir("/proc/self/fd");
    if (folder == NULL) return 0;
    struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        char *end;
        long number = strtol(entry->d_name, &end, 10);
        if (end == entry->d_name || *end != 0 || !is_inherited_channel((int)number)) continue;
        if (count == capacity) {
            capacity = capacity == 0 ? 64 : 2 * capacity;
            int *longer = realloc(*descriptors, capacity * sizeof **descriptors);
            if (longer == NULL) break;
            *descriptors = longer;
        }
        (*descriptors)[count++] = (int)number;
    }
    closedir(folder);
    return count;
}

// A handle for many requests has a pair of descriptors that end its wait. Until libcurl 8.9, processes inherit them, and no
// option changes that or names them. They are the ones that hold bytes after each wakeup, and none after each wait.
static void close_wakeup_on_exec(void *multi) {
    int *descriptors = NULL;
    size_t count = inherited_channels(&descriptors);
    for (int round = 0; round < 3 && count > 0; round++) {
        count = keep(descriptors, count, false);
        curl.multi_wakeup(multi);
        count = keep(descriptors, count, true);
        curl.multi_poll(multi, NULL, 0, 0, NULL);
    }
    count = keep(descriptors, count, false);
    for (size_t index = 0; index < count; index++) fcntl(descriptors[index], F_SETFD, FD_CLOEXEC);
    free(descriptors);
}

void *errand_curl_multi_make(void) {
    void *multi = curl.multi_init();
    if (multi != NULL) close_wakeup_on_exec(multi);
    return multi;
}

void errand_curl_multi_free(void *multi) { curl.multi_cleanup(multi); }

void errand_curl_multi_set(void *multi, int option, long value) { curl.multi_setopt(multi, option, value); }

int errand_curl_multi_add(void *multi, void *easy) { return curl.multi_add_handle(multi, easy); }

int errand_curl_multi_remove(void *multi, void *easy) { return curl.multi_remove_handle(multi, easy); }

int errand_curl_multi_perform(void *multi) {
    int running = 0;
    return curl.multi_perform(multi, &running);
}

int errand_curl_multi_poll(void *multi, int milliseconds) {
    return curl.multi_poll(multi, NULL, 0, milliseconds, NULL);
}

void errand_curl_multi_wake(void *multi) { curl.multi_wakeup(multi); }

void *errand_curl_multi_next(void *multi, int *result) {
    int left = 0;
    multi_message *message;
    while ((message = curl.multi_info_read(multi, &left)) != NULL) {
        if (message->message != message_done) continue;
        *result = message->data.result;
        return message->easy;
    }
    return NULL;
}
#endif
