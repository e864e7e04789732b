/* Runs the same piece of work for many items, on the processors that this process may use. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <stdbool.h>
#include <stddef.h>

struct parallel {
	/* called once for each i, on any thread; it may write only what belongs to i */
	void (*each)(void *ctx, size_t i);
	/* NULL, or a function that the calling thread calls regularly; when it returns false, no further item begins */
	bool (*go_on)(void *ctx, size_t done);
	/* NULL, or a function that each started thread calls at its end */
	void (*leave)(void *ctx);
	void *ctx;
	double *helped;                            /* NULL, or what the started threads' processor time is added to */
	size_t least;                              /* the number of items that justify one more thread; 0 counts as 1 */
};

/* Calls each() for all i below n, in any order; the caller's thread takes part. Returns false when go_on() ended the
 * work before each() was called for all items. The threads block all signals: handlers run on the caller's thread. If
 * no thread can be started, the caller does everything. */
bool parallel_each(const struct parallel *, size_t n);

/* Returns the most threads that are used: the number of processors that this process may run on, at most 16, or the
 * value of the environment variable HECATE_THREADS. */
size_t parallel_threads(void);

/* Gives other threads precedence over the calling one, and over those that it starts from now on: for work that takes
 * every processor it gets, so that the screen stays quick. It needs no privilege. */
#define PARALLEL_NICE 10
void parallel_stand_back(void);

#endif
