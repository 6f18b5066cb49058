#include "CZlib.h"

#include <stdlib.h>

#if defined(__linux__) && defined(__GLIBC__)
#define ERRAND_LOADS_ZLIB 1
#elif __has_include(<zlib.h>)
#define ERRAND_LINKS_ZLIB 1
#if defined(__linux__)
// A program that is linked statically can't load a library.
#pragma comment(lib, "z")
#endif
#include <zlib.h>
#endif

#if ERRAND_LOADS_ZLIB
#include <dlfcn.h>
#include <pthread.h>

// `z_stream` of `zlib.h`, which zlib keeps for as long as its file is called `libz.so.1`.
typedef struct {
    const uint8_t *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *(*zalloc)(void *, unsigned int, unsigned int);
    void (*zfree)(void *, void *);
    void *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
} z_stream;

enum {
    Z_NO_FLUSH = 0,
    Z_FINISH = 4,
    Z_OK = 0,
    Z_STREAM_END = 1,
    Z_BUF_ERROR = -5,
    Z_DEFLATED = 8,
    Z_DEFAULT_STRATEGY = 0,
};

static int (*deflate_init)(z_stream *, int, int, int, int, int, const char *, int);
static int (*deflate)(z_stream *, int);
static int (*deflateEnd)(z_stream *);
static bool is_loaded;

static void load(void) {
    // Never closed.
    void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    *(void **)&deflate_init = dlsym(library, "deflateInit2_");
    *(void **)&deflate = dlsym(library, "deflate");
    *(void **)&deflateEnd = dlsym(library, "deflateEnd");
    is_loaded = deflate_init != NULL && deflate != NULL && deflateEnd != NULL;
}

bool errand_deflate_is_available(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

// zlib compares the first digit of the version, and the size of the structure.
#define begin(stream, level, window, memory, strategy) \
    deflate_init(stream, level, Z_DEFLATED, window, memory, strategy, "1", (int)sizeof(z_stream))
#elif ERRAND_LINKS_ZLIB
bool errand_deflate_is_available(void) { return true; }

#define begin(stream, level, window, memory, strategy) \
    deflateInit2(stream, level, Z_DEFLATED, window, memory, strategy)
#endif

#if ERRAND_LOADS_ZLIB || ERRAND_LINKS_ZLIB
void *errand_deflate_make(int level) {
    if (!errand_deflate_is_available()) return NULL;
    z_stream *stream = calloc(1, sizeof(z_stream));
    if (stream == NULL) return NULL;
    // 15 for the largest window, and 16 for the frame of gzip; 8 for the usual memory.
    if (begin(stream, level, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK) return stream;
    free(stream);
    return NULL;
}

void errand_deflate_free(void *deflater) {
    deflateEnd(deflater);
    free(deflater);
}

int errand_deflate(
    void *deflater, const uint8_t *input, size_t count, size_t *taken, uint8_t *output, size_t capacity, size_t *written,
    bool is_end) {
    z_stream *stream = deflater;
    // zlib does not write there: its type is older than `const`.
    stream->next_in = (uint8_t *)input;
    stream->avail_in = (unsigned int)count;
    stream->next_out = output;
    stream->avail_out = (unsigned int)capacity;
    int result = deflate(stream, is_end ? Z_FINISH : Z_NO_FLUSH);
    *taken = count - stream->avail_in;
    *written = capacity - stream->avail_out;
    stream->next_in = NULL;
    switch (result) {
    case Z_STREAM_END: return errand_deflate_is_done;
    // There was nothing to do: all of it is taken, and nothing waits to be written.
    case Z_BUF_ERROR: return is_end ? errand_deflate_failed : errand_deflate_is_done;
    case Z_OK: return !is_end && stream->avail_out > 0 ? errand_deflate_is_done : errand_deflate_is_full;
    default: return errand_deflate_failed;
    }
}
#else
bool errand_deflate_is_available(void) { return false; }

void *errand_deflate_make(int level) {
    (void)level;
    return NULL;
}

void errand_deflate_free(void *deflater) { (void)deflater; }

int errand_deflate(
    void *deflater, const uint8_t *input, size_t count, size_t *taken, uint8_t *output, size_t capacity, size_t *written,
    bool is_end) {
    (void)deflater, (void)input, (void)count, (void)output, (void)capacity, (void)is_end;
    *taken = *written = 0;
    return errand_deflate_failed;
}
#endif
