/* Adds up the flows in observations (from flow_rows.h, or from a file) over a range of time. The sums are a `struct
 * flows`, as a run in progress has. */
#ifndef WORK_TIMELINE_FLOW_SUM_H
#define WORK_TIMELINE_FLOW_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct flow;
struct flows;
struct network;
struct obs_table;

/* Observations first … end - 1 of a table. Those that are not flows are skipped. */
struct flow_part {
	const struct obs_table *table;
	size_t first, end;
};

struct flow_sum;

/* Adds up the rows with from < time ≤ to. With both infinite, all rows are added, and folded flows count among
 * (others), as at the end of a run; otherwise folded flows stay separate. NULL when no part has a flow. The sum keeps
 * nothing of the tables; the network must outlive it. */
struct flow_sum *flow_sum_new(const struct network *, const struct flow_part *, size_t n, double from, double to);
void flow_sum_free(struct flow_sum *);

const struct flows *flow_sum_flows(const struct flow_sum *);
/* Returns, per counter of the flows, its number in the network; for flow_map.h. */
const size_t *flow_sum_counters(const struct flow_sum *);
const size_t *flow_sum_destinations(const struct flow_sum *); /* per destination: its module */
int flow_sum_cpu(const struct flow_sum *, size_t core);
/* Returns the life in the name of a task's flow (flow_name.h). */
uint64_t flow_sum_life(const struct flow_sum *, const struct flow *);
/* returns the latest name of a flow's task */
const char *flow_sum_task_of(const struct flow_sum *, const struct flow *);
/* Returns the number of observations skipped, because their module is not in the network, or their name is not a
 * flow's. */
size_t flow_sum_foreign(const struct flow_sum *);

/* Returns a task's name in the form that flow_recorder.h uses. It is valid as long as the sum. */
const char *flow_sum_task(const void *flow_sum, int32_t task);
const char *const *flow_sum_cores(const struct flow_sum *);
const char *const *flow_sum_destination_names(const struct flow_sum *);

/* Is the observation a flow? */
bool flow_sum_is(const struct obs_table *, size_t observation);

/* Returns the flows that belong to an observation of a network. They follow it in the table, up to the network's next
 * observation: one that is not a flow and has a column of its own. Observations without such a column in between (tasks
 * and their time, say) are skipped. Returns an empty part where there is none. */
struct flow_part flow_sum_part(const struct obs_table *, size_t observation);
/* The same; if the table has none, the flows in the tables of `others` whose source is the observation, as a run has
 * them (flow_run.h). The caller frees the *n parts. */
struct flow_part *flow_sum_parts(const struct obs_table *, size_t observation, const struct obs_table *const *others,
	size_t n_others, size_t *n);

#endif
