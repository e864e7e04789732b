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

/* --- which observations are flows --------------------------------------------------------------------------------- */

struct parts {
	struct flow_part *part;
	size_t n, cap;
};

static void
timeline_flows_add_part(struct parts *p, struct flow_part part)
{
	mem_grow(&p->part, &p->cap, p->n + 1, sizeof *p->part);
	p->part[p->n++] = part;
}

static void
add_of_run(struct parts *p, const struct obs_table *t, const char *run)
{
	for (size_t i = 0, end; i < t->n; i = end + 1) {
		for (end = i; end < t->n && str_eq(t->obs[end]->source, run); end++)
			;
		if (end > i)
			timeline_flows_add_part(p, (struct flow_part){t, i, end});
	}
}

static struct parts
parts_of(const struct obs_table *t, size_t observation, const struct obs_table *const *others, size_t n)
{
	struct flow_part own = flow_sum_part(t, observation);
	struct parts p = {0};

	if (own.first < own.end)
		timeline_flows_add_part(&p, own);
	for (size_t i = 0; i < n && own.first >= own.end; i++)
		add_of_run(&p, others[i], t->obs[observation]->name);
	return p;
}

/* --- the list of flows -------------------------------------------------------------------------------------------- */

static void
set_line(const struct timeline_flows *f, const struct network *net, const struct flow_line *from,
	struct timeline_flow *to)
{
	const struct flow *k = from->flow;
	const struct flows *flows = flow_sum_flows(f->sum);
	size_t module = k->destination == FLOW_NOWHERE ? SIZE_MAX : flow_sum_destinations(f->sum)[k->destination];

	*to = (struct timeline_flow){.flow = k, .ran_ns = from->ran_ns, .requests = from->requests,
		.known = from->known, .share = flows_share(flows, k)};
	to->name = (struct flow_name){.special = FLOW_SPECIALS, .tid = k->task, .life = flow_sum_life(f->sum, k),
		.cpu = flow_sum_cpu(f->sum, k->core)};
	to->name.task = mem_str(flow_sum_task_of(f->sum, k));
	if (module == SIZE_MAX)
		return;
	to->name.module = mem_str(net->module[module].name);
	to->destination = flow_sum_destination_names(f->sum)[k->destination];
}

struct timeline_flows *
timeline_flows_new(const struct timeline *p, size_t snapshot, const struct obs_table *run,
	const struct obs_table *const *others, size_t n_others)
{
	const struct timeline_entry *m = snapshot < p->n ? &p->entry[snapshot] : NULL;
	bool first, alone;
	struct timeline_flows *f;
	struct flow_line *line;
	struct flow_sum *sum;
	struct parts parts;

	if (!m || m->data_snapshot == SIZE_MAX)
		return NULL;
	first = m->number == 1;
	alone = first && (snapshot + 1 == p->n || !timeline_same_run(p, snapshot, snapshot + 1));
	parts = parts_of(p->table[m->table].table, p->table[m->table].data->snapshot[m->data_snapshot].obs, others,
		p->table[m->table].table == run ? n_others : 0);
	sum = flow_sum_new(p->net, parts.part, parts.n, first ? -INFINITY : p->entry[snapshot - 1].end,
		alone || isnan(m->end) ? INFINITY : m->end);
	free(parts.part);
	if (!sum)
		return NULL;
	f = mem_new(sizeof *f);
	f->sum = sum;
	line = flow_lines(flow_sum_flows(sum), &f->n);
	f->line = mem_new_array(f->n, sizeof *f->line);
	for (size_t i = 0; i < f->n; i++)
		set_line(f, p->net, &line[i], &f->line[i]);
	free(line);
	return f;
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
thread_of(const struct timeline *p, const struct net_shape *shape, int cpu)
{
	if (shape->n[SCOPE_THREAD] == 1 && shape->n[SCOPE_CORE] == 1)
		return 0;
	for (size_t i = 0; i < shape->n[SCOPE_THREAD]; i++) {
		const char *name = strrchr(timeline_owner(p, SCOPE_THREAD, i), '-');
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
timeline_flows_set_count(struct timeline_analysis *l, size_t counter, enum scope per, size_t thread, double v)
{
	size_t owner = timeline_flows_owner_of(net_state_shape(l->state), per, thread);
	struct network_data_counter *c = &l->counter[counter];

	for (size_t i = l->first[counter]; i < l->first[counter + 1]; i++)
		l->count[i] = owner == SIZE_MAX ? NAN : i - l->first[counter] == owner ? v : 0;
	*c = (struct network_data_counter){.value = owner == SIZE_MAX ? NAN : v, .counted = 1};
	if (isnan(c->value)) {
		c->unknown = 1;
		c->why = owner == SIZE_MAX ? "no column counts its CPU" : "some of it was lost";
	}
}

/* Sets all counters. A counter of tasks or cores is the flow's, or unknown; wider counters keep the count of all
 * tasks. */
static void
set_counts(const struct timeline *p, const struct timeline_flows *f, const struct timeline_flow *line,
	struct timeline_analysis *l)
{
	const struct network *net = p->net;
	bool *recorded = mem_new_array(net->n_counters, sizeof *recorded);
	double *count = line ? flow_counts(timeline_flows_all(f), line->flow) : NULL; /* without a line all are 0 */
	size_t thread = line ? thread_of(p, net_state_shape(l->state), line->name.cpu) : 0,
		n = f ? flows_spec(timeline_flows_all(f))->n_counters : 0;

	for (size_t i = 0; i < n; i++) {
		size_t c = flow_sum_counters(f->sum)[i];

		recorded[c] = true;
		timeline_flows_set_count(l, c, net->counter[c].scope, thread, count ? count[i] : 0);
	}
	for (size_t c = 0; c < net->n_counters; c++) {
		bool own = net->counter[c].scope == SCOPE_TASK || scope_within(net->counter[c].scope, SCOPE_CORE);

		if (recorded[c])
			continue;
		for (size_t i = l->first[c]; i < l->first[c + 1] && own; i++)
			l->count[i] = NAN;
		l->counter[c].why = l->counter[c].why ? l->counter[c].why
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
timeline_flow_analysis(const struct timeline *p, const struct timeline_flows *f, size_t line, size_t snapshot,
	struct timeline_analysis *old)
{
	struct timeline_analysis *l = timeline_analysis(p, snapshot, old);
	struct net_state *nobody;

	if (!l)
		return NULL;
	nobody = net_state_new(p->net, net_state_shape(l->state));
	set_counts(p, f, NULL, l);
	take_counts(l, p->net, net_state_seconds(l->state), nobody);
	set_counts(p, f, f && line < f->n ? &f->line[line] : NULL, l);
	take_counts(l, p->net, net_state_seconds(l->state), l->state);
	net_state_leave_out(l->state, nobody);
	net_state_free(nobody);
	net_path_map_update(l->map, l->state);
	net_queues_update(l->queues, l->state);
	l->culprit = l->queues->awaited && l->queues->queue[0].length >= TIMELINE_CULPRIT_LEAST ? &l->queues->queue[0]
												: NULL;
	l->broken_laws = 0; /* the laws were checked for all tasks together */
	return l;
}
