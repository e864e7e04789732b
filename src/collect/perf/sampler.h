/* From running totals to the increments of a row. */
#ifndef COLLECT_PERF_SAMPLER_H
#define COLLECT_PERF_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/perf/open.h"

/* What was counted since the row before; zero-initialise, add places and events. */
struct increment {
	int64_t count;                   /* scaled up where running < enabled */
	uint64_t enabled_ns, running_ns;
	double share;                    /* the smallest of its events; 1 where nothing was enabled */
	bool blind;                      /* somewhere it was enabled and never ran: what happened there is unknown */
	bool overflow;
};

#define INCREMENT_NONE ((struct increment){.share = 1})

/* Add what one descriptor counted between *last and *now, and move *last on. Value times enabled over running, both of
 * this row alone, rounded to the nearest: in 128 bits, so that nothing overflows before the result does. A total that
 * fell (the kernel takes a leaving task's counts from one place to another) adds nothing and leaves *last where it is:
 * the next row has it. */
void increment_add(struct increment *, const struct perf_reading *now, struct perf_reading *last);

/* A timer that ticks every `ms` milliseconds from now on, on CLOCK_MONOTONIC; -1 and errno. */
int ticker_new(unsigned ms);
uint64_t ticker_take(int fd); /* ticks since the last call; 0 when none is due; never blocks */

#endif
