/* The engine's side: reads requests, computes and answers, until the explorer ends. */
#ifndef EXPLORER_ENGINE_SERVE_H
#define EXPLORER_ENGINE_SERVE_H

#include <stdatomic.h>
#include <stdint.h>

/* Runs in the child of a fork: closes all descriptors but `fd` and `log`, sends standard output and error to `log`,
 * serves, exits. generation[0] is the newest request, written by the explorer; generation[1] the one that is worked on,
 * written here. */
_Noreturn void serve_process(int fd, int log, _Atomic uint64_t *generation);

#endif
