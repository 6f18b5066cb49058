#pragma once
#include <stdint.h>

/// What the C library's allocator has given out, in bytes; 0 where it does not tell.
uint64_t heap_usage(void);
