/* Classes of tasks' time as counters of a network: `counter NAME = "stall:CLASS" per task …`. No event counts them. A
 * run that divides the time of tasks joins the counters, and what it found becomes columns of their table. */
#ifndef WORK_RUN_STALL_COUNTERS_H
#define WORK_RUN_STALL_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>

struct network;
struct obs_table;
struct str;
struct tasktime_run;

/* The amount (core/tasktime/amounts.h) that a counter of the network is; -1: it is an event. */
int stall_counters_amount(const struct network *, size_t counter);
bool stall_counters_wanted(const struct network *);
bool stall_counters_need_faults(const struct network *); /* one of them is about page faults, which must be recorded */

/* Returns a copy of the counters' table with a column for each such counter, which the caller frees. An exact row has
 * the sum of all tasks, the row of an interval the sum of their windows that end nearest to it. NULL, and the reason in
 * *why, if the run does not distinguish the class, or its records cannot be believed. */
struct obs_table *stall_counters_add(
	const struct obs_table *counts, const struct network *, struct tasktime_run *, struct str *why);

#endif
