/* The same piece of work for many items, on the processors that may be used. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <stdbool.h>
#include <stddef.h>

struct parallel {
	/* called once for each i, on any thread; must write only what belongs to i */
	void (*each)(void *ctx, size_t i);
	/* NULL, or asked on the calling thread now and then; false: no further item is begun */
	bool (*go_on)(void *ctx, size_t done);
	/* NULL, or called at the end on each thread that was started for this */
	void (*leave)(void *ctx);
	void *ctx;
	size_t least;                              /* items that are worth a thread; 0 is taken as 1 */
};

/* All i below n, in no order; the caller's thread takes part. False when go_on() ended it: then some were not called.
 * Threads block all signals, so that handlers run on the caller's. Where no thread can be started the caller does
 * everything. */
bool parallel_each(const struct parallel *, size_t n);

/* Threads that are used at most: the processors that this process may run on, no more than 16, or the environment's
 * HECATE_THREADS. */
size_t parallel_threads(void);

#endif
