/* Recorded data as series over the same rows. */
#ifndef WORK_PHASES_SERIES_SET_H
#define WORK_PHASES_SERIES_SET_H

#include <stdbool.h>
#include <stddef.h>

struct network;
struct obs_table;

/* Longer observations are added up in equal steps: to PHASES_ROWS rows, or to so many that all series have PHASES_CELLS
 * values, but not to less than a quarter of the former. */
#define PHASES_ROWS ((size_t)4096)
#define PHASES_CELLS ((size_t)1 << 19)

/* Series of one observation, or of several that have the same times. */
struct series_set {
	char *name;      /* of the observation, or of the first and the number of others */
	size_t n, rows, cap;
	size_t samples_per_row;
	char **series;   /* names: "COUNTER", or "OBSERVATION COUNTER" if there are several observations */
	size_t *flow;    /* per series: the observation that it is from, from 0 */
	size_t n_flows;
	double *v;       /* n × rows, per sample; NAN: not counted */
	double *end;     /* rows: end of a row in seconds; NULL: unknown */
	double step;     /* mean seconds of a row; NAN: unknown */
	bool scaled;     /* counts are per mean row, because the rows differ in length */
};

/* What a set holds besides, or instead of, counters. */
struct series_choice {
	const char *observations;        /* pattern of names; NULL: all */
	const char *const *expression;   /* these instead of the counters; see series_text.h; NULL: counters */
	const char *const *called;       /* their names */
	size_t n_expressions;
	const struct network *network;   /* also its queues and stalls, component by component; NULL: none */
	size_t most_rows;                /* 0: PHASES_ROWS */
};

/* Returns the sets of a table, one for each group of observations with the same times. Cells may be far. An expression
 * that series_text_new() does not read is unknown in all rows. The caller frees each with series_set_free(), and the
 * array. */
#define SERIES_SETS_MAX ((size_t)512) /* further ones are left out */
struct series_set **series_sets(const struct obs_table *, const struct series_choice *, size_t *n);
void series_set_free(struct series_set *);

#endif
