/* What a run opens: of each counter that was asked for the events, and the column of the table that it fills. Private
 * to live*.c. */
#ifndef APP_RUN_COUNTER_PLAN_H
#define APP_RUN_COUNTER_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/source.h"

struct counter_list;
struct counters_run_options;
struct obs_table;
struct owners;
struct str;

struct counter_plan {
	struct source_counter *counter; /* what is opened */
	size_t *column;                 /* … and the number of its column */
	size_t n;
	/* of the columns: counters that can be tried, asked for or not, those of one after each other */
	char **name;
	size_t *of;                     /* … and the number of the counter that each belongs to */
	size_t n_columns;
	struct owners *owners;          /* whose lists the counters use; NULL */
};

/* Is the plan the same for every target, whatever this machine has? */
bool counter_plan_is_fixed(const struct counter_list *);

/* Of a counter with several choices of events the first is taken whose events all open: they are tried. Where whole
 * CPUs are watched each owner of a count has a column of his own, NAME@OWNER (collect/host/owners.h). */
struct counter_plan *counter_plan_new(const struct counter_list *, const struct counters_run_options *);
void counter_plan_free(struct counter_plan *);

/* Give the plan's columns the places that they have in the table, and the table those that it lacks: another table
 * then, with the same observations, in the place of the one that is freed. */
void counter_plan_fit(struct counter_plan *, struct obs_table **);

/* Names of columns in words; those of one counter, which were counted apart, together: " a b (8 of 16) and 7 more". */
void counter_plan_add_names(
	const struct counter_plan *, const struct counter_list *, const bool *which, struct str *out);

/* Sentences about counters for which nothing can be opened, one line each. */
void counter_plan_explain(const struct counter_list *, const bool *asked, struct str *out);

#endif
