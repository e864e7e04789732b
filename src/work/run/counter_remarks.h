/* Remarks on a counters run: a line for each thing that its numbers do not show. */
#ifndef WORK_RUN_COUNTER_REMARKS_H
#define WORK_RUN_COUNTER_REMARKS_H

#include <stdbool.h>

struct counter_list;
struct counter_plan;
struct counter_rows;
struct source_end;
struct str;

/* What is known of the run. */
struct counter_remarks {
	const struct counter_list *list;
	const bool *asked;      /* for each counter of the list; NULL: all */
	const struct counter_plan *plan;
	const struct counter_rows *rows;
	bool sampled;           /* rows were asked for */
	const char *name;       /* name of the subject */
	const struct source_end *end;
	bool full;              /* the run ended because there was no room for more rows */
	const char *trouble;    /* what ended the rows early, or "" */
};

/* Adds the counters that cannot be tried, were refused, or count the user side only, and why. For a run with rows, also
 * adds which counters took turns, and what the samples lack. */
void counter_remarks_add(const struct counter_remarks *, struct str *out);

#endif
