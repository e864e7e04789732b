/* Turns running totals into the increments of a row. */
#ifndef COLLECT_PERF_SAMPLER_H
#define COLLECT_PERF_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/perf/open.h"

/* An increment since the previous row. Begin with INCREMENT_NONE, then add places and events. */
struct increment {
	int64_t count;                   /* scaled up if running < enabled */
	uint64_t enabled_ns, running_ns;
	double share;                    /* smallest running / enabled of its events; 1 if nothing was enabled */
	bool blind;                      /* enabled at a place, but never running: the count there is unknown */
	bool overflow;
};

#define INCREMENT_NONE ((struct increment){.share = 1})

/* Adds the count of one descriptor between *last and *now, and sets *last. The increment is scaled by enabled /
 * running, both in this row alone, and rounded to the nearest, in 128 bits so that only the result can overflow. A
 * total that fell (the kernel moves an exiting task's counts) adds nothing and leaves *last unchanged, so the next row
 * has the count. */
void increment_add(struct increment *, const struct perf_reading *now, struct perf_reading *last);

/* Returns the descriptor of a timer that ticks every `ms` milliseconds from now on (CLOCK_MONOTONIC); on failure
 * returns -1 and sets errno. */
int ticker_new(unsigned ms);
uint64_t ticker_take(int fd); /* returns the ticks since the last call; does not block */

#endif
