/* The engine's side: reads requests, computes, answers, until the explorer is gone. */
#ifndef APP_ENGINE_SERVE_H
#define APP_ENGINE_SERVE_H

#include <stdatomic.h>
#include <stdint.h>

/* In the child of a fork: keeps only the two descriptors, sends its standard output and error to `log`, serves, exits.
 * generation[0]: the newest request, written by the explorer; generation[1]: the one being worked on, written here. */
_Noreturn void serve_process(int fd, int log, _Atomic uint64_t *generation);

/* Serve on `fd` until it ends; returns then. */
void serve(int fd, _Atomic uint64_t *generation);

#endif
