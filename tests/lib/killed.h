/* A child process that writes without end and reports each piece that is written, until it is killed. Tests then
 * compare the file with what was reported. */
#ifndef TESTS_LIB_KILLED_H
#define TESTS_LIB_KILLED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct killed {
	pid_t pid;    /* the child's process id */
	int64_t reported; /* last number that the child reported; 0: none */
};

/* Runs work(ctx, out) in a child and kills it (SIGKILL) when it has reported `numbers` numbers. The child also ends
 * when `work` returns. Unless it was killed, a check fails. */
struct killed killed_run(void (*work)(void *ctx, int out), void *ctx, size_t numbers);

/* Called by the child: reports that piece k > 0 is written. False: the parent no longer reads. */
bool killed_report(int out, int64_t k);

#endif
