#include "CHeapUsage.h"

#if defined(__GLIBC__)
#include <malloc.h>

uint64_t heap_usage(void) {
    struct mallinfo2 usage = mallinfo2();
    return usage.uordblks + usage.hblkhd;
}
#else
uint64_t heap_usage(void) { return 0; }
#endif
