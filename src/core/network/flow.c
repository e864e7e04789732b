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
	struct flows *f = mem_new(sizeof *f);

	f->spec = *spec;
	f->core = mem_new_array(spec->n_cores, sizeof *f->core);
	for (size_t i = 0; i < spec->n_cores; i++) {
		f->core[i].total = mem_new_array(spec->n_counters, sizeof *f->core[i].total);
		f->core[i].based = mem_new_array(spec->n_counters, sizeof *f->core[i].based);
	}
	f->flow = mem_new_array(spec->most, sizeof *f->flow);
	for (f->slots = 16; f->slots < 2 * spec->most;)
		f->slots *= 2;
	f->slot = mem_new_array(f->slots, sizeof *f->slot);
	f->hint = mem_new_array(f->slots, sizeof *f->hint);
	f->order = mem_new_array(spec->most, sizeof *f->order);
	f->rise = mem_new_array(spec->n_counters, sizeof *f->rise);
	f->part = mem_new_array(spec->n_counters, sizeof *f->part);
	f->known = mem_new_array(spec->n_counters, sizeof *f->known);
	f->part_known = mem_new_array(spec->n_counters, sizeof *f->part_known);
	for (; f->n < FLOW_SPECIALS; f->n++)
		flow_table_begin(f, f->n, 0, FLOW_NOWHERE, FLOW_NOWHERE);
	return f;
}

void
flows_free(struct flows *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->spec.n_cores; i++) {
		free(f->core[i].total);
		free(f->core[i].based);
	}
	for (size_t i = 0; i < f->spec.most; i++) {
		free(f->flow[i].count);
		free(f->flow[i].lost);
	}
	free(f->core);
	free(f->flow);
	free(f->slot);
	free(f->hint);
	free(f->order);
	free(f->rise);
	free(f->part);
	free(f->known);
	free(f->part_known);
	free(f);
}

struct flows *
flows_given(const struct flow_spec *spec, const struct flow *given, size_t n, const struct flow_trouble *trouble)
{
	struct flow_spec room = *spec;
	struct flows *f;

	if (room.most < n + 1)
		room.most = n + 1;
	f = flows_new(&room);
	for (size_t i = 0; i < n; i++) {
		struct flow_kept *k = flow_table_begin(f, i, given[i].task, given[i].core, given[i].destination);

		memcpy(k->count, given[i].count, spec->n_counters * sizeof *k->count);
		memcpy(k->lost, given[i].lost, spec->n_counters * sizeof *k->lost);
		k->flow = given[i];
		k->flow.count = k->count;
		k->flow.lost = k->lost;
		f->next_number = given[i].number >= f->next_number ? given[i].number + 1 : f->next_number;
		f->next_life = given[i].life >= f->next_life ? given[i].life + 1 : f->next_life;
	}
	f->n = n;
	flow_table_rebuild_slots(f);
	f->trouble = *trouble;
	return f;
}

/* Add the snapshot's counts for one destination to a flow. */
static void
give(struct flows *f, struct flow_kept *k, size_t core, uint64_t ns, size_t destination, bool whole,
	enum flow_close why)
{
	struct flow_snapshot s = {.flow = &k->flow,
		.from_ns = f->core[core].read_ns,
		.to_ns = ns,
		.why = why,
		.count = f->part,
		.known = f->part_known};

	for (size_t i = 0; i < f->spec.n_counters; i++) {
		size_t to = f->spec.counter[i].destination;
		bool part = whole || to == destination ||
			(destination == FLOW_NOWHERE && !f->known[i] && !flow_table_find(f, k->flow.task, core, to));

		f->part[i] = part ? f->rise[i] : 0;
		f->part_known[i] = !part || f->known[i];
		k->count[i] += f->part[i];
		k->lost[i] += f->part_known[i] ? 0 : 1;
	}
	k->flow.snapshots++;
	flow_see(&k->flow, s.from_ns, s.to_ns);
	if (f->spec.closed)
		f->spec.closed(f->spec.ctx, &s);
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
close_snapshot(struct flows *f, size_t core, uint64_t ns, enum flow_close why)
{
	struct flow_core *c = &f->core[core];

	if (c->mixed || !c->task) {
		give(f, &f->flow[c->mixed ? FLOW_MIXED : FLOW_UNFOLLOWED], core, ns, FLOW_NOWHERE, true, why);
		return;
	}
	for (size_t d = 0; d < f->spec.n_destinations; d++)
		if (touched(f, d) || flow_table_find(f, c->task, core, d))
			give(f, flow_table_get(f, c->task, core, d), core, ns, d, false, why);
	give(f, flow_table_get(f, c->task, core, FLOW_NOWHERE), core, ns, FLOW_NOWHERE, false, why);
}

static bool
read_counts(struct flows *f, struct flow_core *c, const struct flow_event *e)
{
	bool first = true;

	for (size_t i = 0; i < f->spec.n_counters; i++) {
		bool there = !e->counted || e->counted[i];

		f->known[i] = 0;
		f->rise[i] = 0;
		first &= !c->based[i];
		if (there && c->based[i]) {
			enum rise r = rise_of(c->total[i], e->count[i], f->spec.counter[i].width, &f->rise[i]);

			f->known[i] = r != RISE_BACKWARDS;
			f->trouble.backwards += r == RISE_BACKWARDS;
			f->trouble.wrapped += r == RISE_WRAPPED;
		}
		c->based[i] = there;
		if (there)
			c->total[i] = e->count[i];
	}
	return !first;
}

/* Add the time since the core's last event to the task that was on it. */
static void
pass_time(struct flows *f, size_t core, uint64_t ns)
{
	struct flow_core *c = &f->core[core];
	struct flow_kept *k;

	if (c->begun && ns > c->at_ns) {
		k = c->task ? flow_table_get(f, c->task, core, FLOW_NOWHERE)
			    : &f->flow[c->unknown ? FLOW_MIXED : FLOW_UNFOLLOWED];
		k->flow.ran_ns += ns - c->at_ns;
		flow_see(&k->flow, c->at_ns, ns);
	}
	if (!c->begun)
		c->read_ns = ns;
	c->begun = true;
	c->at_ns = ns;
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
lose_core(struct flows *f, size_t core, uint64_t ns)
{
	struct flow_core *c = &f->core[core];
	bool based = false;

	for (size_t i = 0; i < f->spec.n_counters; i++) {
		f->rise[i] = 0;
		f->known[i] = !c->based[i]; /* a counter that was never read loses nothing */
		based |= c->based[i];
	}
	if (based)
		close_snapshot(f, core, ns, FLOW_AT_LOSS);
	memset(c->based, 0, f->spec.n_counters);
	c->begun = c->mixed = c->unknown = false;
	c->task = 0;
}

static bool
is_sound(const struct flows *f, const struct flow_event *e, struct err *err)
{
	if (e->core >= f->spec.n_cores)
		return err_set(err, "an event of core %zu: there are %zu", e->core, f->spec.n_cores);
	if (e->task < 0 || (e->task == 0 && (e->kind == FLOW_EXIT || e->kind == FLOW_MIGRATE)))
		return err_set(err, "an event of core %zu is about task %d, which is no task", e->core, (int)e->task);
	if (e->kind == FLOW_READ && !e->count)
		return err_set(err, "a read of core %zu has no counts", e->core);
	if (f->core[e->core].begun && e->ns < f->core[e->core].at_ns)
		return err_set(err,
			"events of core %zu are out of order: one at %llu ns is %llu ns before the one that came "
			"before it",
			e->core, (unsigned long long)e->ns, (unsigned long long)(f->core[e->core].at_ns - e->ns));
	return true;
}

/* Close a snapshot if the event has counts. True if it has. */
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
flows_take(struct flows *f, const struct flow_event *e, struct err *err)
{
	struct flow_core *c;
	bool read;

	if (!is_sound(f, e, err))
		return false;
	c = &f->core[e->core];
	pass_time(f, e->core, e->ns);
	switch (e->kind) {
	case FLOW_READ:
		read_if_counted(f, e, FLOW_AT_INTERVAL);
		break;
	case FLOW_IN:
		read = read_if_counted(f, e, FLOW_AT_SWITCH);
		put_on(f, e->core, e->task, read);
		break;
	case FLOW_MIGRATE:
	case FLOW_EXIT:
		read = read_if_counted(f, e, e->kind == FLOW_EXIT ? FLOW_AT_EXIT : FLOW_AT_MIGRATION);
		if (c->task == e->task)
			put_on(f, e->core, 0, read);
		if (e->kind == FLOW_EXIT)
			end_task(f, e->task);
		else
			leave_core(f, e->task, e->core);
		break;
	case FLOW_GAP:
		read_if_counted(f, e, FLOW_AT_LOSS);
		c->task = 0;
		c->mixed = c->unknown = true;
		break;
	case FLOW_OFFLINE:
		lose_core(f, e->core, e->ns);
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
flows_share(const struct flows *f, const struct flow *flow)
{
	uint64_t part = 0, all = 0;
	bool lost = false;

	for (size_t n = FLOW_SPECIALS; n < f->n; n++) {
		const struct flow_kept *k = &f->flow[n];

		for (size_t i = 0; i < f->spec.n_counters && is_sibling(&k->flow, flow); i++) {
			const struct flow_counter *c = &f->spec.counter[i];

			if (c->destination == FLOW_NOWHERE || !c->weighs)
				continue;
			lost |= k->lost[i] > 0;
			all += k->count[i];
			part += &k->flow == flow ? k->count[i] : 0;
		}
	}
	return lost || !all || flow->destination == FLOW_NOWHERE ? NAN : (double)part / (double)all;
}
