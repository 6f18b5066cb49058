#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Whether calls of the allocator can be counted here: with the C library of GNU.
bool allocation_count_is_available(void);

/// Starts counting from zero, in all threads.
void allocation_count_start(void);

/// Stops counting.
/// @return how often malloc, calloc, realloc, posix_memalign, aligned_alloc and memalign were called since the start.
uint64_t allocation_count_stop(void);
