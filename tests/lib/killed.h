/* A child that writes for ever and reports each piece that is done, until it is killed: what is in its file then. */
#ifndef TESTS_LIB_KILLED_H
#define TESTS_LIB_KILLED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct killed {
	pid_t pid;    /* it had */
	int64_t reported; /* last number that it reported; 0: none */
};

/* Runs work(ctx, out) in a child, whose return is its end, and kills it (SIGKILL) when it has reported so many numbers,
 * or it ended. A failed check when it was not killed. */
struct killed killed_run(void (*work)(void *ctx, int out), void *ctx, size_t numbers);

/* In the child: k > 0 is done. False when nobody listens. */
bool killed_tell(int out, int64_t k);

#endif
