/* Slices: pieces of programs, each with the shares of its slots or cycles that the parts of a stack take.
 *
 * A slice is a row of an observation. Slices of a simulated core are made here: each program is cut into pieces with a
 * given number of µops. */
#ifndef WORK_SLICES_SLICES_H
#define WORK_SLICES_SLICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"

struct err;
struct obs_table;
struct stack;

#define SLICES_MOST 20000u /* distances between all pairs are computed */
#define SLICES_STACK "slots" /* for data that come without a stack */

struct slices {
	const struct stack *stack; /* not owned */
	size_t n, cap;
	double *share;             /* n × n_parts of the stack: shares of the whole; 0 for a part below zero */
	struct names names;        /* "mcf-like_1": unique */
	size_t *origin;            /* number of its observation, over all tables */
	size_t *row;               /* its row there */
	size_t n_origins, cap_origins, cap_rows;
	size_t left_out;           /* rows without a share of some part */
	char *missing;             /* counters that were missing there: "cycles, uops.retired"; NULL: none is known */
	double least, most;        /* sums of the shares of the top parts: 1 unless the stack or the data are wrong */
	bool cut;                  /* a simulation was stopped: slices are missing */
};

void slices_init(struct slices *, const struct stack *);
void slices_free(struct slices *);

/* Adds the rows of the observations that match the pattern (NULL: all) as slices. False and *e: there are too many. */
bool slices_add(struct slices *, const struct obs_table *, const char *pattern, struct err *e);
/* The share of the whole that a part of the stack takes in a slice. */
double slices_share(const struct slices *, size_t slice, size_t part);

/* Returns how many of n ascending slices, from the first one on, follow each other in one observation: 1 or more. */
size_t slices_run(const struct slices *, const size_t *slice, size_t n);
/* "mcf-like_1", or for several "mcf-like_1 to 8". The caller frees. */
char *slices_run_name(const struct slices *, const size_t *slice, size_t n);

/* What is simulated. */
struct slices_simulation {
	const char *on;          /* "sim:core", "sim:core:mcf-like:seed=7" */
	const char *changes;     /* items that replace those of the machine's file; NULL */
	char *const *program;    /* n_programs texts with {…}; none: what `on` names, or else all that end in -like */
	size_t n_programs;
	size_t uops, each;       /* µops of a slice, and slices of a program; 0: by default */
	const char *seed;        /* NULL: by default */
	bool ends;               /* a simulation without an end gives `each` slices; false: it is an error */
	void (*progress)(void *ctx, size_t done); /* as in struct simulate */
	bool (*stop)(void *ctx);                  /* as in struct simulate */
	void *ctx;
};
/* Returns the table, with an observation for each program; *cut: stop() ended it. NULL and *e: the machine has no
 * pipeline, or something that is named is unknown, or no slice was complete when it was stopped. */
struct obs_table *slices_simulate(const struct slices_simulation *, bool *cut, struct err *e);

#endif
