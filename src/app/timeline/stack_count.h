/* Recorded data as the counters of a stack. */
#ifndef APP_TIMELINE_STACK_COUNT_H
#define APP_TIMELINE_STACK_COUNT_H

#include <stdbool.h>
#include <stddef.h>

struct obs_table;
struct stack;

enum stack_lack {
	STACK_COUNTED,
	STACK_UNRESOLVED,  /* no event is known */
	STACK_NO_COLUMN,   /* the data has none for one of its events */
	STACK_NOT_COUNTED, /* no cell of this observation */
	STACK_DEAD,        /* it counts, but never anything */
	STACK_UNSUPPORTED, /* it could not be opened */
};
const char *stack_lack_text(enum stack_lack);

/* Which columns of a table are which counters; the counter's own name first, else the first choice whose events are all
 * there. */
struct stack_columns {
	size_t n_counters;
	size_t *first, *column; /* counter i: column[first[i]] … column[first[i + 1] - 1]; none: the table lacks it */
	bool *user_only;        /* per counter: an event with ":u" added was taken */
};
struct stack_columns *stack_columns_new(const struct stack *, const struct obs_table *);
void stack_columns_free(struct stack_columns *);

/* The totals of one observation. A counter with rows in which it was not counted is taken to have had its mean there
 * too. */
struct stack_counts {
	size_t n_counters;
	double *value;         /* in base units; NAN: `lack` says why */
	enum stack_lack *lack;
	double *running;       /* least share of time that one of its events was on a counter, 0 … 1 */
	double *filled;        /* share of rows that were not counted and taken as the mean */
};
struct stack_counts *stack_counts_new(
	const struct stack *, const struct stack_columns *, const struct obs_table *, size_t observation);
/* … of some of its rows. */
struct stack_counts *stack_counts_of_rows(const struct stack *, const struct stack_columns *, const struct obs_table *,
	size_t observation, size_t first, size_t n);
void stack_counts_add(struct stack_counts *sum, const struct stack_counts *); /* what either lacks, the sum lacks */
void stack_counts_free(struct stack_counts *);

#endif
