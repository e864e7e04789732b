#include "work/timeline/timeline_flows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/flow.h"
#include "core/network/flow_map.h"
#include "core/network/flow_order.h"
#include "core/network/path_map.h"
#include "core/network/queues.h"
#include "core/obs/obs.h"
#include "work/timeline/flow_sum.h"
#include "work/timeline/timeline_state.h"

/* --- the list of flows -------------------------------------------------------------------------------------------- */

static void
set_line(const struct timeline_flows *timeline_flows, const struct network *net, const struct flow_line *from,
	struct timeline_flow *to)
{
	const struct flow *flow = from->flow;
	const struct flows *flows = flow_sum_flows(timeline_flows->sum);
	size_t module = flow->destination == FLOW_NOWHERE
		? SIZE_MAX
		: flow_sum_destinations(timeline_flows->sum)[flow->destination];

	*to = (struct timeline_flow){.flow = flow, .ran_ns = from->ran_ns, .requests = from->requests,
		.known = from->known, .share = flows_share(flows, flow)};
	to->name = (struct flow_name){.special = FLOW_SPECIALS,
		.tid = flow->task,
		.life = flow_sum_life(timeline_flows->sum, flow),
		.cpu = flow_sum_cpu(timeline_flows->sum, flow->core)};
	to->name.task = mem_str(flow_sum_task_of(timeline_flows->sum, flow));
	if (module == SIZE_MAX)
		return;
	to->name.module = mem_str(net->module[module].name);
	to->destination = flow_sum_destination_names(timeline_flows->sum)[flow->destination];
}

struct timeline_flows *
timeline_flows_new(const struct timeline *timeline, size_t snapshot, const struct obs_table *run,
	const struct obs_table *const *others, size_t n_others)
{
	const struct timeline_entry *entry = snapshot < timeline->n ? &timeline->entry[snapshot] : NULL;
	bool first, alone;
	struct timeline_flows *flows;
	struct flow_line *line;
	struct flow_part *part;
	struct flow_sum *sum;
	size_t n_parts;

	if (!entry || entry->data_snapshot == SIZE_MAX)
		return NULL;
	first = entry->number == 1;
	alone = first && (snapshot + 1 == timeline->n || !timeline_same_run(timeline, snapshot, snapshot + 1));
	part = flow_sum_parts(timeline->table[entry->table].table,
		network_data_source(timeline->table[entry->table].data, entry->data_snapshot), others,
		timeline->table[entry->table].table == run ? n_others : 0, &n_parts);
	sum = flow_sum_new(timeline->net, part, n_parts, first ? -INFINITY : timeline->entry[snapshot - 1].end,
		alone || isnan(entry->end) ? INFINITY : entry->end);
	free(part);
	if (!sum)
		return NULL;
	flows = mem_new(sizeof *flows);
	flows->sum = sum;
	line = flow_lines(flow_sum_flows(sum), &flows->n);
	flows->line = mem_new_array(flows->n, sizeof *flows->line);
	for (size_t i = 0; i < flows->n; i++)
		set_line(flows, timeline->net, &line[i], &flows->line[i]);
	free(line);
	return flows;
}

void
timeline_flows_free(struct timeline_flows *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->n; i++)
		flow_name_free(&f->line[i].name);
	free(f->line);
	flow_sum_free(f->sum);
	free(f);
}

const struct flows *
timeline_flows_all(const struct timeline_flows *f)
{
	return flow_sum_flows(f->sum);
}

size_t
timeline_flows_find(const struct timeline_flows *f, const struct flow_name *name)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct flow_name *n = &f->line[i].name;

		if (n->tid == name->tid && n->life == name->life && n->cpu == name->cpu &&
			(n->module ? name->module && str_eq(n->module, name->module) : !name->module))
			return i;
	}
	return SIZE_MAX;
}

/* --- one flow alone ----------------------------------------------------------------------------------------------- */

/* Returns the hardware thread that is this CPU: the one named "…-T7" for CPU 7, or the only thread. SIZE_MAX: none. */
static size_t
thread_of(const struct timeline *timeline, const struct net_shape *shape, int cpu)
{
	if (shape->n[SCOPE_THREAD] == 1 && shape->n[SCOPE_CORE] == 1)
		return 0;
	for (size_t i = 0; i < shape->n[SCOPE_THREAD]; i++) {
		const char *name = strrchr(timeline_owner(timeline, SCOPE_THREAD, i), '-');
		uint64_t number;

		if (name && name[1] == 'T' && str_to_u64(name + 2, &number) && number == (uint64_t)cpu)
			return i;
	}
	return SIZE_MAX;
}

static size_t
timeline_flows_owner_of(const struct net_shape *shape, enum scope per, size_t thread)
{
	if (per == SCOPE_TASK)
		return 0;
	return thread == SIZE_MAX ? SIZE_MAX : net_owner_within(shape, SCOPE_THREAD, thread, per);
}

/* Sets one counter to the flow's count. All other owners of its scope get 0. */
static void
timeline_flows_set_count(struct timeline_analysis *analysis, size_t counter, enum scope per, size_t thread, double v)
{
	size_t owner = timeline_flows_owner_of(net_state_shape(analysis->state), per, thread);
	struct network_data_counter *network_data_counter = &analysis->counter[counter];

	for (size_t i = analysis->first[counter]; i < analysis->first[counter + 1]; i++)
		analysis->count[i] = owner == SIZE_MAX ? NAN : i - analysis->first[counter] == owner ? v : 0;
	*network_data_counter = (struct network_data_counter){.value = owner == SIZE_MAX ? NAN : v, .counted = 1};
	if (isnan(network_data_counter->value)) {
		network_data_counter->unknown = 1;
		network_data_counter->why = owner == SIZE_MAX ? "no column counts its CPU" : "some of it was lost";
	}
}

/* Sets all counters. A counter of tasks or cores is the flow's, or unknown; wider counters keep the count of all
 * tasks. */
static void
set_counts(const struct timeline *timeline, const struct timeline_flows *flows, const struct timeline_flow *line,
	struct timeline_analysis *analysis)
{
	const struct network *net = timeline->net;
	bool *recorded = mem_new_array(net->n_counters, sizeof *recorded);
	double *count = line ? flow_counts(timeline_flows_all(flows), line->flow) : NULL; /* without a line all are 0 */
	size_t thread = line ? thread_of(timeline, net_state_shape(analysis->state), line->name.cpu) : 0,
		n = flows ? flows_spec(timeline_flows_all(flows))->n_counters : 0;

	for (size_t i = 0; i < n; i++) {
		size_t c = flow_sum_counters(flows->sum)[i];

		recorded[c] = true;
		timeline_flows_set_count(analysis, c, net->counter[c].scope, thread, count ? count[i] : 0);
	}
	for (size_t c = 0; c < net->n_counters; c++) {
		bool own = net->counter[c].scope == SCOPE_TASK || scope_within(net->counter[c].scope, SCOPE_CORE);

		if (recorded[c])
			continue;
		for (size_t i = analysis->first[c]; i < analysis->first[c + 1] && own; i++)
			analysis->count[i] = NAN;
		analysis->counter[c].why = analysis->counter[c].why ? analysis->counter[c].why
			: own                         ? "not recorded per flow"
						      : "of all tasks together";
	}
	free(count);
	free(recorded);
}

static void
take_counts(const struct timeline_analysis *l, const struct network *net, double seconds, struct net_state *into)
{
	const double **count = mem_new_array(net->n_counters, sizeof *count);

	for (size_t c = 0; c < net->n_counters; c++)
		count[c] = &l->count[l->first[c]];
	net_state_take(into, &(struct net_snapshot){.seconds = seconds, .count = count});
	free(count);
}

struct timeline_analysis *
timeline_flow_analysis(const struct timeline *timeline, const struct timeline_flows *flows, size_t line,
	size_t snapshot, struct timeline_analysis *old)
{
	struct timeline_analysis *analysis = timeline_analysis(timeline, snapshot, old);
	struct net_state *nobody;

	if (!analysis)
		return NULL;
	nobody = net_state_new(timeline->net, net_state_shape(analysis->state));
	set_counts(timeline, flows, NULL, analysis);
	take_counts(analysis, timeline->net, net_state_seconds(analysis->state), nobody);
	set_counts(timeline, flows, flows && line < flows->n ? &flows->line[line] : NULL, analysis);
	take_counts(analysis, timeline->net, net_state_seconds(analysis->state), analysis->state);
	net_state_leave_out(analysis->state, nobody);
	net_state_free(nobody);
	net_path_map_update(analysis->map, analysis->state);
	net_queues_update(analysis->queues, analysis->state);
	analysis->culprit = analysis->queues->awaited && analysis->queues->queue[0].length >= TIMELINE_CULPRIT_LEAST
		? &analysis->queues->queue[0]
		: NULL;
	analysis->broken_laws = 0; /* the laws were checked for all tasks together */
	return analysis;
}
