/* Recorded data as the counters of a stack. */
#ifndef WORK_TIMELINE_STACK_COUNT_H
#define WORK_TIMELINE_STACK_COUNT_H

#include <stdbool.h>
#include <stddef.h>

struct columns_match;
struct obs_table;
struct stack;

enum stack_lack {
	STACK_COUNTED,
	STACK_UNRESOLVED,  /* no event is known */
	STACK_NO_COLUMN,   /* the data has no column for one of its events */
	STACK_NOT_COUNTED, /* no cell of this observation has a count */
	STACK_DEAD,        /* counted, but always 0 */
	STACK_UNSUPPORTED, /* an event could not be opened */
	STACK_OTHER_UNIT,  /* its columns are in another unit than the stack asks for */
};
const char *stack_lack_text(enum stack_lack);

/* Maps a stack's counters to the columns of a table. A counter gets the column of its own name, or else the first
 * choice of events that all have columns. If the table's sources leave out counts of 0, it gets the first choice with a
 * column for some events and known objects for the others; without any column it is 0. A whole never consists of such
 * zeros alone. */
struct stack_columns {
	size_t n_counters;
	struct columns_match *match;
	bool *zero;             /* per counter: is one of its events taken as 0, because its source lists no zeros? */
};
struct stack_columns *stack_columns_new(const struct stack *, const struct obs_table *);
void stack_columns_free(struct stack_columns *);

/* The totals of one observation. Rows that lack a counter are assumed to hold its mean. */
struct stack_counts {
	size_t n_counters;
	double *value;         /* counts in base units; NAN: `lack` is the reason */
	enum stack_lack *lack;
	double *running;       /* share of time, 0 … 1, in which the least counted of its events was counted */
	double *filled;        /* share of rows that lack the counter and were filled with its mean */
	bool *zero;            /* as in struct stack_columns; NULL: none */
};
struct stack_counts *stack_counts_new(
	const struct stack *, const struct stack_columns *, const struct obs_table *, size_t observation);
/* Returns the totals of n rows of an observation, from row `first` on. */
struct stack_counts *stack_counts_of_rows(const struct stack *, const struct stack_columns *, const struct obs_table *,
	size_t observation, size_t first, size_t n);
/* Adds counts to `sum`; a counter that one of them lacks is missing in the sum. */
void stack_counts_add(struct stack_counts *sum, const struct stack_counts *);
void stack_counts_free(struct stack_counts *);

#endif
