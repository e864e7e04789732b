/* The flows of one snapshot of a network: a list, and the network with the traffic of one flow alone (view 5).
 *
 *     snapshot ──▶ flows of its time (flow_sum.h) ──▶ sorted lines ──▶ analysis of one line */
#ifndef WORK_TIMELINE_TIMELINE_FLOWS_H
#define WORK_TIMELINE_TIMELINE_FLOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "work/timeline/flow_name.h"

struct flows;
struct obs_table;
struct timeline;
struct timeline_analysis;

struct timeline_flow {
	const struct flow *flow;
	/* identifies the flow in other snapshots, except for the task's name, which may change */
	struct flow_name name;
	const char *destination;   /* name of the flow's module; NULL: no destination */
	uint64_t ran_ns, requests; /* time on the CPU, and requests, as in flow_order.h */
	bool known;
	/* share of its task's requests on this CPU that go to any destination; NAN: unknown */
	double share;
};

struct timeline_flows {
	struct flow_sum *sum;
	struct timeline_flow *line; /* sorted as flow_order.h does */
	size_t n;
};

/* Returns the flows that were active in the snapshot. They follow the snapshot's observation in its table; otherwise
 * they are in the table of `others` whose source has the name of the flows' source (flow_run.h), which exists for `run`
 * only. NULL when the run has no flows at all. */
struct timeline_flows *timeline_flows_new(const struct timeline *, size_t snapshot, const struct obs_table *run,
	const struct obs_table *const *others, size_t n_others);
void timeline_flows_free(struct timeline_flows *);

/* Returns all flows of the snapshot. */
const struct flows *timeline_flows_all(const struct timeline_flows *);

/* Returns the line of the flow with this name, or SIZE_MAX when it did nothing in this snapshot. The task's name may
 * differ. */
size_t timeline_flows_find(const struct timeline_flows *, const struct flow_name *);

/* Returns the snapshot as if only one flow existed; `line` SIZE_MAX: no flow, all zeros.
 *
 * Without a destination, the flow is all that the task did on its CPU. With one, it is the counts that name the
 * destination, and an estimated share of those that name none (flow_map.h). Counters of other owners, of the whole
 * machine or of a disk, are only bounds in formulas: a value that they show even without the flow is unknown for the
 * flow. Delays are those of all flows.
 *
 * The caller owns the result; NULL when the snapshot has none of the network's counters. `old` is an analysis that is
 * no longer needed, or NULL; it is reused or freed. */
struct timeline_analysis *timeline_flow_analysis(const struct timeline *, const struct timeline_flows *, size_t line,
	size_t snapshot, struct timeline_analysis *old);

#endif
