/* Each core has what it ran since its counters were read. A read closes a snapshot: the counts go to the flows of the task that ran, or, when several did, to FLOW_MIXED. Flows
 * are found by task, core and destination in a table with open addressing, whose size never changes. */
#include "core/network/flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "core/obs/rise.h"

#define FOLD_AT_ONCE 8 /* one in so many of those that may be folded */

struct core {
	int32_t task;          /* that is on it; 0: nobody */
	bool mixed;            /* another one was on it since the last read */
	bool begun;            /* an event came */
	uint64_t at_ns;        /* of the last event */
	uint64_t read_ns;      /* of the last read */
	uint64_t *total;       /* n_counters, as read last */
	unsigned char *based;  /* … which there are */
};

/* Its arrays are a flow's own, behind the const ones that callers see. */
struct kept {
	struct flow flow;
	uint64_t *count, *lost;
};

struct flows {
	struct flow_spec spec;
	struct core *core;
	struct kept *flow;
	size_t n;
	size_t *slot, slots;   /* number of a flow + 1; 0: free */
	size_t *hint;          /* `slots`, by task: a flow that may be its */
	size_t *order;         /* `most`: room to sort flows in */
	uint64_t next_number, next_life;
	uint64_t *rise, *part; /* n_counters: of the snapshot at hand; of one destination of it */
	unsigned char *known, *part_known;
	struct flow_trouble trouble;
};

const char *
flow_close_name(enum flow_close why)
{
	switch (why) {
	case FLOW_AT_INTERVAL:
		return "interval";
	case FLOW_AT_SWITCH:
		return "switch";
	case FLOW_AT_MIGRATION:
		return "migration";
	case FLOW_AT_EXIT:
		return "exit";
	case FLOW_AT_LOSS:
		return "loss";
	}
	return "";
}

static struct kept *
begin_flow(struct flows *f, size_t at, int32_t task, size_t core, size_t destination)
{
	struct kept *k = &f->flow[at];

	if (!k->count) {
		k->count = mem_new_array(f->spec.n_counters, sizeof *k->count);
		k->lost = mem_new_array(f->spec.n_counters, sizeof *k->lost);
	}
	memset(k->count, 0, f->spec.n_counters * sizeof *k->count);
	memset(k->lost, 0, f->spec.n_counters * sizeof *k->lost);
	k->flow = (struct flow){.number = f->next_number++, .task = task, .core = core, .destination = destination, .since_ns = UINT64_MAX, .count = k->count, .lost = k->lost};
	return k;
}

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
		begin_flow(f, f->n, 0, FLOW_NOWHERE, FLOW_NOWHERE);
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

/* Where the flow is, or the free slot where it would be. */
static size_t
find_slot(const struct flows *f, int32_t task, size_t core, size_t destination)
{
	uint64_t x = ((uint64_t)(uint32_t)task * 0x9e3779b97f4a7c15u) ^ ((uint64_t)core * 0xc2b2ae3d27d4eb4fu) ^ ((uint64_t)(destination + 1) * 0x165667b19e3779f9u);
	size_t i = (size_t)(x >> 29) & (f->slots - 1);

	for (; f->slot[i]; i = (i + 1) & (f->slots - 1)) {
		const struct flow *k = &f->flow[f->slot[i] - 1].flow;

		if (k->task == task && k->core == core && k->destination == destination)
			break;
	}
	return i;
}

static struct kept *
find(const struct flows *f, int32_t task, size_t core, size_t destination)
{
	size_t at = f->slot[find_slot(f, task, core, destination)];

	return at ? &f->flow[at - 1] : NULL;
}

static void
find_slots_anew(struct flows *f)
{
	memset(f->slot, 0, f->slots * sizeof *f->slot);
	for (size_t i = FLOW_SPECIALS; i < f->n; i++)
		if (!f->flow[i].flow.ended)
			f->slot[find_slot(f, f->flow[i].flow.task, f->flow[i].flow.core, f->flow[i].flow.destination)] = i + 1;
}

/* All flows of a task that lives have one; so one of them tells it. */
static uint64_t
life_of(struct flows *f, int32_t task)
{
	size_t *hint = &f->hint[(size_t)(uint32_t)task & (f->slots - 1)];

	if (*hint < f->n && f->flow[*hint].flow.task == task && !f->flow[*hint].flow.ended)
		return f->flow[*hint].flow.life;
	for (size_t i = FLOW_SPECIALS; i < f->n; i++)
		if (f->flow[i].flow.task == task && !f->flow[i].flow.ended) {
			*hint = i;
			return f->flow[i].flow.life;
		}
	*hint = f->n; /* the one that is about to begin */
	return f->next_life++;
}

static void
see(struct flow *k, uint64_t from_ns, uint64_t to_ns)
{
	k->since_ns = from_ns < k->since_ns ? from_ns : k->since_ns;
	k->until_ns = to_ns > k->until_ns ? to_ns : k->until_ns;
}

static void
fold(struct flows *f, const struct kept *k)
{
	struct kept *others = &f->flow[FLOW_OTHERS];

	for (size_t i = 0; i < f->spec.n_counters; i++) {
		others->count[i] += k->count[i];
		others->lost[i] += k->lost[i];
	}
	others->flow.ran_ns += k->flow.ran_ns;
	others->flow.snapshots += k->flow.snapshots;
	see(&others->flow, k->flow.since_ns, k->flow.until_ns);
	f->trouble.folded++;
}

static int
by_number(const void *va, const void *vb)
{
	const size_t *a = va, *b = vb;

	return (*a > *b) - (*a < *b);
}

static int
compare_flows(const void *va, const void *vb, void *ctx)
{
	const struct flows *f = ctx;
	const struct flow *a = &f->flow[*(const size_t *)va].flow, *b = &f->flow[*(const size_t *)vb].flow;

	if (a->over != b->over)
		return a->over ? -1 : 1;
	if (a->until_ns != b->until_ns)
		return a->until_ns < b->until_ns ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

static void
drop(struct flows *f, size_t at)
{
	struct kept last = f->flow[--f->n];

	f->flow[f->n] = f->flow[at]; /* its arrays are for the next one */
	f->flow[at] = last;
}

/* Some at once, so that it is not done for each new one: those that were seen last longest ago, those that are over before the others; never one whose task runs there
 * now. */
static bool
make_room(struct flows *f)
{
	size_t n = 0, folded;

	for (size_t i = FLOW_SPECIALS; i < f->n; i++)
		if (f->core[f->flow[i].flow.core].task != f->flow[i].flow.task || f->flow[i].flow.ended)
			f->order[n++] = i;
	if (!n)
		return false;
	qsort_r(f->order, n, sizeof *f->order, compare_flows, f);
	folded = (n + FOLD_AT_ONCE - 1) / FOLD_AT_ONCE;
	for (size_t i = 0; i < folded; i++)
		fold(f, &f->flow[f->order[i]]);
	qsort(f->order, folded, sizeof *f->order, by_number);
	while (folded > 0)
		drop(f, f->order[--folded]);
	find_slots_anew(f);
	return true;
}

static struct kept *
get(struct flows *f, int32_t task, size_t core, size_t destination)
{
	struct kept *k = find(f, task, core, destination);
	uint64_t life;

	if (k) {
		k->flow.over = false;
		return k;
	}
	if (f->n == f->spec.most && !make_room(f))
		return &f->flow[FLOW_OTHERS];
	life = life_of(f, task);
	k = begin_flow(f, f->n, task, core, destination);
	f->slot[find_slot(f, task, core, destination)] = ++f->n;
	k->flow.life = life;
	return k;
}

/* What the snapshot has for one destination goes to a flow. */
static void
give(struct flows *f, struct kept *k, size_t core, uint64_t ns, size_t destination, bool whole, enum flow_close why)
{
	struct flow_snapshot s = {.flow = &k->flow, .from_ns = f->core[core].read_ns, .to_ns = ns, .why = why, .count = f->part, .known = f->part_known};

	for (size_t i = 0; i < f->spec.n_counters; i++) {
		size_t to = f->spec.counter[i].destination;
		bool mine = whole || to == destination || (destination == FLOW_NOWHERE && !f->known[i] && !find(f, k->flow.task, core, to));

		f->part[i] = mine ? f->rise[i] : 0;
		f->part_known[i] = !mine || f->known[i];
		k->count[i] += f->part[i];
		k->lost[i] += f->part_known[i] ? 0 : 1;
	}
	k->flow.snapshots++;
	see(&k->flow, s.from_ns, s.to_ns);
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

/* A flow to a destination begins with the first count there; from then on it has each snapshot, with zeros too. */
static void
close_snapshot(struct flows *f, size_t core, uint64_t ns, enum flow_close why)
{
	struct core *c = &f->core[core];

	if (c->mixed || !c->task) {
		give(f, &f->flow[c->mixed ? FLOW_MIXED : FLOW_UNFOLLOWED], core, ns, FLOW_NOWHERE, true, why);
		return;
	}
	for (size_t d = 0; d < f->spec.n_destinations; d++)
		if (touched(f, d) || find(f, c->task, core, d))
			give(f, get(f, c->task, core, d), core, ns, d, false, why);
	give(f, get(f, c->task, core, FLOW_NOWHERE), core, ns, FLOW_NOWHERE, false, why);
}

static bool
read_counts(struct flows *f, struct core *c, const struct flow_event *e)
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

/* The time up to now was that of whoever is on the core; between its first event and now. */
static void
pass_time(struct flows *f, size_t core, uint64_t ns)
{
	struct core *c = &f->core[core];
	struct kept *k;

	if (c->begun && ns > c->at_ns) {
		k = c->task ? get(f, c->task, core, FLOW_NOWHERE) : &f->flow[FLOW_UNFOLLOWED];
		k->flow.ran_ns += ns - c->at_ns;
		see(&k->flow, c->at_ns, ns);
	}
	if (!c->begun)
		c->read_ns = ns;
	c->begun = true;
	c->at_ns = ns;
}

/* Nobody knows since when it was gone from there. */
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

static void
leave_core(struct flows *f, int32_t task, size_t core)
{
	for (size_t i = FLOW_SPECIALS; i < f->n; i++)
		f->flow[i].flow.over |= f->flow[i].flow.task == task && f->flow[i].flow.core == core;
}

/* Its number may be another task's from now on. */
static void
end_task(struct flows *f, int32_t task)
{
	take_from_other_core(f, task, FLOW_NOWHERE);
	for (size_t i = FLOW_SPECIALS; i < f->n; i++)
		if (f->flow[i].flow.task == task)
			f->flow[i].flow.over = f->flow[i].flow.ended = true;
	find_slots_anew(f);
}

static void
put_on(struct flows *f, size_t core, int32_t task, bool read)
{
	struct core *c = &f->core[core];

	if (task)
		take_from_other_core(f, task, core);
	c->mixed = read ? false : c->mixed || c->task != task;
	c->task = task;
}

static void
lose_core(struct flows *f, size_t core, uint64_t ns)
{
	struct core *c = &f->core[core];
	bool based = false;

	for (size_t i = 0; i < f->spec.n_counters; i++) {
		f->rise[i] = 0;
		f->known[i] = !c->based[i]; /* what was never there is not lost */
		based |= c->based[i];
	}
	if (based)
		close_snapshot(f, core, ns, FLOW_AT_LOSS);
	memset(c->based, 0, f->spec.n_counters);
	c->begun = c->mixed = false;
	c->task = 0;
}

static bool
is_sound(const struct flows *f, const struct flow_event *e, struct err *err)
{
	if (e->core >= f->spec.n_cores)
		return err_set(err, "an event of core %zu: there are %zu", e->core, f->spec.n_cores);
	if (e->task < 0 || (e->task == 0 && (e->kind == FLOW_EXIT || e->kind == FLOW_MIGRATE)))
		return err_set(err, "an event of core %zu is about task %d, which can be none", e->core, (int)e->task);
	if (e->kind == FLOW_READ && !e->count)
		return err_set(err, "a read of core %zu has no counts", e->core);
	if (f->core[e->core].begun && e->ns < f->core[e->core].at_ns)
		return err_set(err, "events of core %zu are out of order: one at %llu ns is %llu ns before the one that came before it", e->core, (unsigned long long)e->ns,
		               (unsigned long long)(f->core[e->core].at_ns - e->ns));
	return true;
}

/* What the core ran goes to its flows, if its counters were read. */
static bool
read_if_counted(struct flows *f, const struct flow_event *e, enum flow_close why)
{
	struct core *c = &f->core[e->core];

	if (!e->count)
		return false;
	if (read_counts(f, c, e))
		close_snapshot(f, e->core, e->ns, why);
	c->read_ns = e->ns;
	c->mixed = false;
	return true;
}

bool
flows_take(struct flows *f, const struct flow_event *e, struct err *err)
{
	struct core *c;
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
	const struct kept *k = find(f, task, core, destination);

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
	uint64_t mine = 0, all = 0;
	bool lost = false;

	for (size_t n = FLOW_SPECIALS; n < f->n; n++) {
		const struct kept *k = &f->flow[n];

		for (size_t i = 0; i < f->spec.n_counters && is_sibling(&k->flow, flow); i++) {
			const struct flow_counter *c = &f->spec.counter[i];

			if (c->destination == FLOW_NOWHERE || !c->weighs)
				continue;
			lost |= k->lost[i] > 0;
			all += k->count[i];
			mine += &k->flow == flow ? k->count[i] : 0;
		}
	}
	return lost || !all || flow->destination == FLOW_NOWHERE ? NAN : (double)mine / (double)all;
}
