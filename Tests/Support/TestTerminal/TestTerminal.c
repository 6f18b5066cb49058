// Declares `posix_openpt` and the functions beside it (POSIX.1-2017).
#define _XOPEN_SOURCE 600
#include "TestTerminal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int test_terminal_open(int *device) {
    int controller = posix_openpt(O_RDWR | O_NOCTTY);
    if (controller < 0) return -1;
    const char *name = grantpt(controller) == 0 && unlockpt(controller) == 0 ? ptsname(controller) : NULL;
    *device = name ? open(name, O_RDWR | O_NOCTTY) : -1;
    if (*device >= 0) return controller;
    close(controller);
    return -1;
}
