// What Errand uses of zlib. On Linux the library is found when it is first used, so that neither its headers nor linking is
// needed; libcurl needs it as well. Elsewhere it is linked.
#ifndef ERRAND_CZLIB_H
#define ERRAND_CZLIB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    errand_deflate_failed = -1,
    /// The output is full: call again for the rest.
    errand_deflate_is_full = 0,
    /// The input is taken; at the end, the output is complete.
    errand_deflate_is_done = 1,
};

/// Whether the system has a zlib. It is looked for once.
bool errand_deflate_is_available(void);
/// Begins one member of gzip (RFC 1952), with a level from 1 to 9; NULL without memory or without a zlib.
void *errand_deflate_make(int level);
void errand_deflate_free(void *deflater);
/// Compresses the next bytes of a body, or its end.
///
/// @param taken becomes the number of input bytes that were taken.
/// @param written becomes the number of output bytes.
int errand_deflate(
    void *deflater, const uint8_t *input, size_t count, size_t *taken, uint8_t *output, size_t capacity, size_t *written,
    bool is_end);

#endif
