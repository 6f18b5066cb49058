#include "CAllocationCount.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static _Atomic bool is_counting;
static _Atomic uint64_t calls;

void allocation_count_start(void) {
    atomic_store(&calls, 0);
    atomic_store(&is_counting, true);
}

uint64_t allocation_count_stop(void) {
    atomic_store(&is_counting, false);
    return atomic_load(&calls);
}

#if defined(__linux__) && defined(__GLIBC__)

// A function of this name in the executable replaces the library's function, also for all libraries ("Replacing malloc" in the
// manual of glibc). Without counting, this costs one load and one branch that always goes the same way.

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static inline void note(void) {
    if (atomic_load_explicit(&is_counting, memory_order_relaxed)) {
        atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    }
}

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    note();
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    note();
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    note();
    void *memory = __libc_memalign(alignment, size);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}

void free(void *memory) { __libc_free(memory); }

bool allocation_count_is_available(void) { return true; }

#else

bool allocation_count_is_available(void) { return false; }

#endif
