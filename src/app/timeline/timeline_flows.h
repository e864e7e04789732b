/* Flows of one snapshot of a network: a list, and the network with what one of them alone sends through it (view 5).
 *
 *     snapshot ──▶ flows of its time (flow_sum.h) ──▶ lines in order ──▶ look of one line */
#ifndef APP_TIMELINE_TIMELINE_FLOWS_H
#define APP_TIMELINE_TIMELINE_FLOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/timeline/flow_name.h"

struct flows;
struct obs_table;
struct timeline;
struct timeline_analysis;

struct timeline_flow {
	const struct flow *flow;
	struct flow_name name;     /* what is the same for it at other snapshots, but for the task's name */
	const char *destination;   /* what its module is called; NULL: it has none */
	uint64_t ran_ns, requests; /* flow_order.h */
	bool known;
	double share;              /* of the requests of its task on its CPU to destinations; NAN */
};

struct timeline_flows {
	struct flow_sum *sum;
	struct timeline_flow *line; /* in flow_order.h's order */
	size_t n;
};

/* Those that did something in the snapshot. Where they stand: behind the snapshot's observation in its table; else, of
 * the given tables, which are beside `run`, those whose source has its name (flow_watch.h). NULL when its run has no
 * flows at all. */
struct timeline_flows *timeline_flows_new(const struct timeline *, size_t snapshot, const struct obs_table *run,
	const struct obs_table *const *beside, size_t n_beside);
void timeline_flows_free(struct timeline_flows *);

/* What all of them are. */
const struct flows *timeline_flows_all(const struct timeline_flows *);

/* Which line is the flow of this name; SIZE_MAX: none, it did nothing then. The task may be called otherwise by now. */
size_t timeline_flows_find(const struct timeline_flows *, const struct flow_name *);

/* The snapshot with the counts of one line alone; of none (SIZE_MAX) with zeros. Without destination: all that the task
 * did on its CPU. With one: what counters tell of that, and its share of what tells none, an estimate (flow_map.h).
 * Counters of others, of the whole machine or of a disk, are bounds in formulas; what they tell without the flow is not
 * known of it. Delays are those of all. The caller's; `old`: an analysis that is not needed any more, or NULL. NULL
 * when the snapshot has no network's counters. */
struct timeline_analysis *timeline_flow_analysis(const struct timeline *, const struct timeline_flows *, size_t line,
	size_t snapshot, struct timeline_analysis *old);

#endif
