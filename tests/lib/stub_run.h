/* A run that observes nothing, as a kind of its own: what a new kind has to bring. As a leader it holds no process and
 * ends after a number of polls; as a run that joins it notes what the leader announces, and ends with it. */
#ifndef TESTS_LIB_STUB_RUN_H
#define TESTS_LIB_STUB_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "app/run/run.h"

struct stub_run {
	struct run run;
	size_t polls_most;    /* of a leader: it ends then */
	bool refuses;         /* it can neither start nor join: "it is refused" */
	size_t held, starts, rows, intervals, ends, polls, finishes, frees; /* how often each happened */
	int pid[8];           /* that the leader holds */
	bool one_by_one;
	bool in_order;        /* nothing was announced before it joined or after the end, and only processes that are held */
	bool going;
};

extern const struct run_ops stub_run_ops;

/* The caller owns it; run_free() only makes it leave its runs. */
void stub_run_begin(struct stub_run *);

#endif
