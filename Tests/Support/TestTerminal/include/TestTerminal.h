/// Opens a terminal of the system's, and returns the end that a person sits at, or -1. `device` is then the end that a program has.
///
/// The Swift module of the C library lacks the functions for this on Linux.
int test_terminal_open(int *device);
