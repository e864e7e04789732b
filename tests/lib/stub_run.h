/* A kind of run that observes nothing: the smallest that the contract of work/run/run.h allows. As a leader it holds
 * no process and ends after a number of polls. As a run that joins it notes what the leader announces, and ends with
 * it. */
#ifndef TESTS_LIB_STUB_RUN_H
#define TESTS_LIB_STUB_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "work/run/run.h"

struct stub_run {
	struct run run;
	size_t polls_most;    /* as a leader it ends after so many polls */
	bool stays;           /* it does not end when it is asked to */
	bool refuses;         /* both starting and joining fail: "it is refused" */
	/* number of calls, or of announcements */
	size_t held, starts, rows, intervals, ends, polls, finishes, kills, frees;
	int pid[8];           /* processes that the leader holds */
	bool one_by_one;
	/* no announcement came before it joined or after the end, and only processes that are held were announced */
	bool in_order;
};

extern const struct run_ops stub_run_ops;

/* Initialises a run, which the caller owns. run_free() only makes it leave its runs. */
void stub_run_begin(struct stub_run *);

#endif
