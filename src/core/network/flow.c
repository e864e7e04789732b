/* Takes events of cores and adds counts to flows (flow.h).
 *
 * For each core `struct flow_core` holds the task that ran since its counters were read last. A read closes a
 * snapshot. Its counts go to the flows of that task, or to FLOW_MIXED if several tasks ran.
 *
 *     event      counters read?  then
 *     ---------  --------------  -------------------------------------------
 *     IN         may be          another task is on the core
 *     MIGRATE    may be          the core is empty, the task's flows here are over
 *     EXIT       may be          the core is empty, all flows of the task end
 *     READ       yes             nothing else changes
 *     GAP        may be          the task on the core is unknown
 *     OFFLINE    no              what was counted since the last read is lost */
#include "core/network/flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "core/network/flow_table.h"
#include "core/obs/rise.h"

struct flows *
flows_new(const struct flow_spec *spec)
{
	struct flows *flows = mem_new(sizeof *flows);

	flows->spec = *spec;
	flows->core = mem_new_array(spec->n_cores, sizeof *flows->core);
	for (size_t i = 0; i < spec->n_cores; i++) {
		flows->core[i].total = mem_new_array(spec->n_counters, sizeof *flows->core[i].total);
		flows->core[i].based = mem_new_array(spec->n_counters, sizeof *flows->core[i].based);
	}
	flows->flow = mem_new_array(spec->most, sizeof *flows->flow);
	for (flows->slots = 16; flows->slots < 2 * spec->most;)
		flows->slots *= 2;
	flows->slot = mem_new_array(flows->slots, sizeof *flows->slot);
	flows->hint = mem_new_array(flows->slots, sizeof *flows->hint);
	flows->order = mem_new_array(spec->most, sizeof *flows->order);
	flows->rise = mem_new_array(spec->n_counters, sizeof *flows->rise);
	flows->part = mem_new_array(spec->n_counters, sizeof *flows->part);
	flows->known = mem_new_array(spec->n_counters, sizeof *flows->known);
	flows->part_known = mem_new_array(spec->n_counters, sizeof *flows->part_known);
	for (; flows->n < FLOW_SPECIALS; flows->n++)
		flow_table_begin(flows, flows->n, 0, FLOW_NOWHERE, FLOW_NOWHERE);
	return flows;
}

void
flows_free(struct flows *flows)
{
	if (!flows)
		return;
	for (size_t i = 0; i < flows->spec.n_cores; i++) {
		free(flows->core[i].total);
		free(flows->core[i].based);
	}
	for (size_t i = 0; i < flows->spec.most; i++) {
		free(flows->flow[i].count);
		free(flows->flow[i].lost);
	}
	free(flows->core);
	free(flows->flow);
	free(flows->slot);
	free(flows->hint);
	free(flows->order);
	free(flows->rise);
	free(flows->part);
	free(flows->known);
	free(flows->part_known);
	free(flows);
}

struct flows *
flows_given(const struct flow_spec *spec, const struct flow *given, size_t n, const struct flow_trouble *trouble)
{
	struct flow_spec room = *spec;
	struct flows *flows;

	if (room.most < n + 1)
		room.most = n + 1;
	flows = flows_new(&room);
	for (size_t i = 0; i < n; i++) {
		struct flow_kept *kept = flow_table_begin(flows, i, given[i].task, given[i].core, given[i].destination);

		memcpy(kept->count, given[i].count, spec->n_counters * sizeof *kept->count);
		memcpy(kept->lost, given[i].lost, spec->n_counters * sizeof *kept->lost);
		kept->flow = given[i];
		kept->flow.count = kept->count;
		kept->flow.lost = kept->lost;
		flows->next_number = given[i].number >= flows->next_number ? given[i].number + 1 : flows->next_number;
		flows->next_life = given[i].life >= flows->next_life ? given[i].life + 1 : flows->next_life;
	}
	flows->n = n;
	flow_table_rebuild_slots(flows);
	flows->trouble = *trouble;
	return flows;
}

/* Add the snapshot's counts for one destination to a flow. */
static void
give(struct flows *flows, struct flow_kept *k, size_t core, uint64_t ns, size_t destination, bool whole,
	enum flow_close why)
{
	struct flow_snapshot s = {.flow = &k->flow,
		.from_ns = flows->core[core].read_ns,
		.to_ns = ns,
		.why = why,
		.count = flows->part,
		.known = flows->part_known};

	for (size_t i = 0; i < flows->spec.n_counters; i++) {
		size_t to = flows->spec.counter[i].destination;
		bool part = whole || to == destination ||
			(destination == FLOW_NOWHERE && !flows->known[i] &&
				!flow_table_find(flows, k->flow.task, core, to));

		flows->part[i] = part ? flows->rise[i] : 0;
		flows->part_known[i] = !part || flows->known[i];
		k->count[i] += flows->part[i];
		k->lost[i] += flows->part_known[i] ? 0 : 1;
	}
	k->flow.snapshots++;
	flow_see(&k->flow, s.from_ns, s.to_ns);
	if (flows->spec.closed)
		flows->spec.closed(flows->spec.ctx, &s);
}

static bool
touched(const struct flows *f, size_t destination)
{
	for (size_t i = 0; i < f->spec.n_counters; i++)
		if (f->spec.counter[i].destination == destination && f->rise[i])
			return true;
	return false;
}

/* A flow to a destination begins with the first count there. From then on it gets each snapshot, zeros included. */
static void
close_snapshot(struct flows *flows, size_t core, uint64_t ns, enum flow_close why)
{
	struct flow_core *flow_core = &flows->core[core];

	if (flow_core->mixed || !flow_core->task) {
		give(flows, &flows->flow[flow_core->mixed ? FLOW_MIXED : FLOW_UNFOLLOWED], core, ns, FLOW_NOWHERE, true,
			why);
		return;
	}
	for (size_t d = 0; d < flows->spec.n_destinations; d++)
		if (touched(flows, d) || flow_table_find(flows, flow_core->task, core, d))
			give(flows, flow_table_get(flows, flow_core->task, core, d), core, ns, d, false, why);
	give(flows, flow_table_get(flows, flow_core->task, core, FLOW_NOWHERE), core, ns, FLOW_NOWHERE, false, why);
}

static bool
read_counts(struct flows *flows, struct flow_core *core, const struct flow_event *event)
{
	bool first = true;

	for (size_t i = 0; i < flows->spec.n_counters; i++) {
		bool there = !event->counted || event->counted[i];

		flows->known[i] = 0;
		flows->rise[i] = 0;
		first &= !core->based[i];
		if (there && core->based[i]) {
			enum rise r = rise_of(
				core->total[i], event->count[i], flows->spec.counter[i].width, &flows->rise[i]);

			flows->known[i] = r != RISE_BACKWARDS;
			flows->trouble.backwards += r == RISE_BACKWARDS;
			flows->trouble.wrapped += r == RISE_WRAPPED;
		}
		core->based[i] = there;
		if (there)
			core->total[i] = event->count[i];
	}
	return !first;
}

/* Add the time since the core's last event to the task that was on it. */
static void
pass_time(struct flows *flows, size_t core, uint64_t ns)
{
	struct flow_core *flow_core = &flows->core[core];
	struct flow_kept *kept;

	if (flow_core->begun && ns > flow_core->at_ns) {
		kept = flow_core->task ? flow_table_get(flows, flow_core->task, core, FLOW_NOWHERE)
			    : &flows->flow[flow_core->unknown ? FLOW_MIXED : FLOW_UNFOLLOWED];
		kept->flow.ran_ns += ns - flow_core->at_ns;
		flow_see(&kept->flow, flow_core->at_ns, ns);
	}
	if (!flow_core->begun)
		flow_core->read_ns = ns;
	flow_core->begun = true;
	flow_core->at_ns = ns;
}

/* The task left its other core at an unknown time: that core's snapshot is mixed. */
static void
take_from_other_core(struct flows *f, int32_t task, size_t core)
{
	for (size_t i = 0; i < f->spec.n_cores; i++)
		if (i != core && f->core[i].task == task) {
			f->core[i].task = 0;
			f->core[i].mixed = true;
			f->trouble.broken++;
		}
}

bool
flow_is_over(const struct flow *k)
{
	return k->left > k->returned;
}

static void
flow_leave(struct flow *k)
{
	k->left += !flow_is_over(k);
}

static void
leave_core(struct flows *f, int32_t task, size_t core)
{
	for (size_t i = 0; i <= f->spec.n_destinations; i++) {
		struct flow_kept *k = flow_table_find(f, task, core, i < f->spec.n_destinations ? i : FLOW_NOWHERE);

		if (k)
			flow_leave(&k->flow);
	}
}

/* The task's number may be reused from now on. */
static void
end_task(struct flows *f, int32_t task)
{
	take_from_other_core(f, task, FLOW_NOWHERE);
	for (size_t i = FLOW_SPECIALS; i < f->n; i++)
		if (f->flow[i].flow.task == task) {
			flow_leave(&f->flow[i].flow);
			f->flow[i].flow.ended = true;
		}
	flow_table_rebuild_slots(f);
}

static void
put_on(struct flows *f, size_t core, int32_t task, bool read)
{
	struct flow_core *c = &f->core[core];

	if (task)
		take_from_other_core(f, task, core);
	c->mixed = read ? false : c->mixed || c->task != task;
	c->unknown = false;
	c->task = task;
}

static void
lose_core(struct flows *flows, size_t core, uint64_t ns)
{
	struct flow_core *flow_core = &flows->core[core];
	bool based = false;

	for (size_t i = 0; i < flows->spec.n_counters; i++) {
		flows->rise[i] = 0;
		flows->known[i] = !flow_core->based[i]; /* a counter that was never read loses nothing */
		based |= flow_core->based[i];
	}
	if (based)
		close_snapshot(flows, core, ns, FLOW_AT_LOSS);
	memset(flow_core->based, 0, flows->spec.n_counters);
	flow_core->begun = flow_core->mixed = flow_core->unknown = false;
	flow_core->task = 0;
}

static bool
is_sound(const struct flows *flows, const struct flow_event *event, struct err *err)
{
	if (event->core >= flows->spec.n_cores)
		return err_set(err, "an event of core %zu: there are %zu", event->core, flows->spec.n_cores);
	if (event->task < 0 || (event->task == 0 && (event->kind == FLOW_EXIT || event->kind == FLOW_MIGRATE)))
		return err_set(
			err, "an event of core %zu is about task %d, which is no task", event->core, (int)event->task);
	if (event->kind == FLOW_READ && !event->count)
		return err_set(err, "a read of core %zu has no counts", event->core);
	if (flows->core[event->core].begun && event->ns < flows->core[event->core].at_ns)
		return err_set(err,
			"events of core %zu are out of order: one at %llu ns is %llu ns before the one that came "
			"before it",
			event->core, (unsigned long long)event->ns,
			(unsigned long long)(flows->core[event->core].at_ns - event->ns));
	return true;
}

/* Close a snapshot if the event has counts. Returns true if it has. */
static bool
read_if_counted(struct flows *f, const struct flow_event *e, enum flow_close why)
{
	struct flow_core *c = &f->core[e->core];

	if (!e->count)
		return false;
	if (read_counts(f, c, e))
		close_snapshot(f, e->core, e->ns, why);
	c->read_ns = e->ns;
	c->mixed = c->unknown;
	return true;
}

bool
flows_take(struct flows *flows, const struct flow_event *event, struct err *err)
{
	struct flow_core *core;
	bool read;

	if (!is_sound(flows, event, err))
		return false;
	core = &flows->core[event->core];
	pass_time(flows, event->core, event->ns);
	switch (event->kind) {
	case FLOW_READ:
		read_if_counted(flows, event, FLOW_AT_INTERVAL);
		break;
	case FLOW_IN:
		read = read_if_counted(flows, event, FLOW_AT_SWITCH);
		put_on(flows, event->core, event->task, read);
		break;
	case FLOW_MIGRATE:
	case FLOW_EXIT:
		read = read_if_counted(flows, event, event->kind == FLOW_EXIT ? FLOW_AT_EXIT : FLOW_AT_MIGRATION);
		if (core->task == event->task)
			put_on(flows, event->core, 0, read);
		if (event->kind == FLOW_EXIT)
			end_task(flows, event->task);
		else
			leave_core(flows, event->task, event->core);
		break;
	case FLOW_GAP:
		read_if_counted(flows, event, FLOW_AT_LOSS);
		core->task = 0;
		core->mixed = core->unknown = true;
		break;
	case FLOW_OFFLINE:
		lose_core(flows, event->core, event->ns);
		break;
	}
	return true;
}

size_t
flows_n(const struct flows *f)
{
	return f->n;
}

const struct flow *
flows_at(const struct flows *f, size_t i)
{
	return &f->flow[i].flow;
}

const struct flow_spec *
flows_spec(const struct flows *f)
{
	return &f->spec;
}

const struct flow_trouble *
flows_trouble(const struct flows *f)
{
	return &f->trouble;
}

const struct flow *
flows_find(const struct flows *f, int32_t task, size_t core, size_t destination)
{
	const struct flow_kept *k = flow_table_find(f, task, core, destination);

	return k ? &k->flow : NULL;
}

static bool
is_sibling(const struct flow *a, const struct flow *b)
{
	return a->task && a->task == b->task && a->life == b->life && a->core == b->core;
}

double
flows_share(const struct flows *flows, const struct flow *flow)
{
	uint64_t part = 0, all = 0;
	bool lost = false;

	for (size_t n = FLOW_SPECIALS; n < flows->n; n++) {
		const struct flow_kept *kept = &flows->flow[n];

		for (size_t i = 0; i < flows->spec.n_counters && is_sibling(&kept->flow, flow); i++) {
			const struct flow_counter *counter = &flows->spec.counter[i];

			if (counter->destination == FLOW_NOWHERE || !counter->weighs)
				continue;
			lost |= kept->lost[i] > 0;
			all += kept->count[i];
			part += &kept->flow == flow ? kept->count[i] : 0;
		}
	}
	return lost || !all || flow->destination == FLOW_NOWHERE ? NAN : (double)part / (double)all;
}
