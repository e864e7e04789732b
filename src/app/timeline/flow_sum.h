/* Flows out of observations (flow_rows.h, or a file): what they did in some time, as flows that reports and views look
 * at like at those of a run. */
#ifndef APP_TIMELINE_FLOW_SUM_H
#define APP_TIMELINE_FLOW_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct flow;
struct flows;
struct network;
struct obs_table;

/* Observations first … end - 1 of a table; those that are no flows' are passed over. */
struct flow_part {
	const struct obs_table *table;
	size_t first, end;
};

struct flow_sum;

/* Rows with from < time ≤ to. Infinite both: all rows, and then flows that were folded are among the others, as a run
 * has them at its end; else they stand by themselves. NULL when none of the parts has a flow at all. Nothing of the
 * tables is kept; the network must outlive it. */
struct flow_sum *flow_sum_new(const struct network *, const struct flow_part *, size_t n, double from, double to);
void flow_sum_free(struct flow_sum *);

const struct flows *flow_sum_flows(const struct flow_sum *);
/* per counter of the flows: which of the network's; for flow_map.h */
const size_t *flow_sum_counters(const struct flow_sum *);
const size_t *flow_sum_destinations(const struct flow_sum *); /* per destination: its module */
int flow_sum_cpu(const struct flow_sum *, size_t core);
/* of a task's flow: as its observation is called (flow_name.h) */
uint64_t flow_sum_life(const struct flow_sum *, const struct flow *);
const char *flow_sum_task_of(const struct flow_sum *, const struct flow *); /* … and its task, as it was called last */
/* observations of modules that the network does not have, or whose names are no flows' */
size_t flow_sum_foreign(const struct flow_sum *);

/* Names, as flow_run.h has them; valid as long as the sum. */
const char *flow_sum_task(void *flow_sum, int32_t task);
const char *const *flow_sum_cores(const struct flow_sum *);
const char *const *flow_sum_destination_names(const struct flow_sum *);

/* Does the observation tell of a flow? */
bool flow_sum_is(const struct obs_table *, size_t observation);

/* The flows of an observation of a network stand behind it, before the next one of the network: those behind
 * `observation` up to the next that is no flow's and has a column of its own. What stands between them and has none
 * (tasks and their time, say) is passed over. Empty where there is none. */
struct flow_part flow_sum_part(const struct obs_table *, size_t observation);

#endif
