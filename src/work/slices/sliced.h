/* Slices with their stack and what Cliff-SKP says about them, for the explorer. Recorded tables are cut at once; a
 * process of its own simulates a core. */
#ifndef WORK_SLICES_SLICED_H
#define WORK_SLICES_SLICED_H

#include <stdbool.h>
#include <stddef.h>

#include "work/slices/skp.h"
#include "work/slices/slices.h"

struct err;
struct obs_table;
struct slicing;

#define SLICED_MOST 2000u /* slices that are put into clusters while the screen waits */

struct sliced {
	char *of;            /* "sim:core", "a.hec" */
	struct stack *stack; /* SLICES_STACK */
	struct slices slices;
	struct skp *skp;
};

/* Takes the rows of n tables as slices. NULL and *e: they lack the stack's counters, or are too few or too many. */
struct sliced *sliced_of_tables(const char *of, const struct obs_table *const *, size_t n, struct err *e);
void sliced_free(struct sliced *);

/* Starts a process that simulates the programs of "sim:core" or "sim:core:…" and cuts them into slices. NULL and *e: it
 * could not be started. */
struct slicing *slicing_start(const char *on, struct err *e);
int slicing_fd(const struct slicing *);        /* readable when there is news; -1: it has ended */
const char *slicing_of(const struct slicing *);
size_t slicing_programs(const struct slicing *); /* number of programs simulated so far */

enum slicing_step { SLICING_GOES_ON, SLICING_NEWS, SLICING_ENDED };
/* Takes what has come, without blocking. SLICING_ENDED: *got is the result, which the caller owns; or NULL, and *e. */
enum slicing_step slicing_poll(struct slicing *, struct sliced **got, struct err *e);
void slicing_free(struct slicing *); /* ends the process, too */

#endif
