/* What a run opens: the events of each wanted counter, and its column of the table. */
#ifndef WORK_RUN_COUNTER_PLAN_H
#define WORK_RUN_COUNTER_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/source.h"

struct counter_list;
struct counters_run_options;
struct obs_table;
struct owners;
struct source_status;
struct str;

struct counter_plan {
	struct source_counter *counter; /* counters that are opened */
	size_t *column;                 /* column of each counter */
	size_t n;
	/* names of columns: all counters that can be tried, those of one counter in sequence */
	char **name;
	size_t *of;                     /* counter of each column */
	int *amount;                    /* amount of tasks' time that each column is; -1: a counter */
	size_t n_columns;
	size_t *choice;                 /* per counter of the list: the choice that is counted */
	struct owners *owners;          /* owns the lists that the counters use; may be NULL */
	char **simulated;               /* NAME@OWNER of a simulated server that has owners; else NULL */
};

/* True when the plan is the same for every target and machine. */
bool counter_plan_is_fixed(const struct counter_list *);

/* If a counter has several choices, tries them: the first whose events all open is taken. If whole CPUs are watched,
 * each owner of a count has a column, NAME@OWNER (collect/host/owners.h); likewise those of a simulated server with
 * `owners`. `amounts`: classes of tasks' time have columns. */
struct counter_plan *counter_plan_new(const struct counter_list *, const struct counters_run_options *, bool amounts);
void counter_plan_free(struct counter_plan *);
/* Appends the note on counters that are not counted by their first choice (NETWORK_DATA_TAKEN); nothing if all are. */
void counter_plan_note(const struct counter_plan *, const struct counter_list *, struct str *out);

/* Names the column of a counter "NAME:u" if opening left out the kernel side that NAME does not exclude, so that nobody
 * relates it to counts of every mode; else NAME. `status`: the status of each counter of the plan. True when a name
 * changed: call counter_plan_fit() again. */
bool counter_plan_name_modes(struct counter_plan *, const struct counter_list *, const struct source_status *status);

/* Gives the plan's columns their places in the table. If the table lacks columns, or has other columns and no
 * observation, replaces and frees it. The new table has the same observations, and the columns of both. */
void counter_plan_fit(struct counter_plan *, struct obs_table **);

#endif
