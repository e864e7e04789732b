/* Finds flows by task, core and destination: a hash table with open addressing, whose size never changes. When all
 * places are taken, one in FOLD_AT_ONCE of the flows that may go is folded into FLOW_OTHERS. */
#include "core/network/flow_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define FOLD_AT_ONCE 8

struct flow_kept *
flow_table_begin(struct flows *f, size_t at, int32_t task, size_t core, size_t destination)
{
	struct flow_kept *k = &f->flow[at];

	if (!k->count) {
		k->count = mem_new_array(f->spec.n_counters, sizeof *k->count);
		k->lost = mem_new_array(f->spec.n_counters, sizeof *k->lost);
	}
	memset(k->count, 0, f->spec.n_counters * sizeof *k->count);
	memset(k->lost, 0, f->spec.n_counters * sizeof *k->lost);
	k->flow = (struct flow){.number = f->next_number++,
		.task = task,
		.core = core,
		.destination = destination,
		.since_ns = UINT64_MAX,
		.count = k->count,
		.lost = k->lost};
	return k;
}

/* The slot of the flow, or the free slot where it belongs. */
static size_t
find_slot(const struct flows *f, int32_t task, size_t core, size_t destination)
{
	uint64_t x = ((uint64_t)(uint32_t)task * 0x9e3779b97f4a7c15u) ^ ((uint64_t)core * 0xc2b2ae3d27d4eb4fu) ^
		((uint64_t)(destination + 1) * 0x165667b19e3779f9u);
	size_t i = (size_t)(x >> 29) & (f->slots - 1);

	for (; f->slot[i]; i = (i + 1) & (f->slots - 1)) {
		const struct flow *k = &f->flow[f->slot[i] - 1].flow;

		if (k->task == task && k->core == core && k->destination == destination)
			break;
	}
	return i;
}

struct flow_kept *
flow_table_find(const struct flows *f, int32_t task, size_t core, size_t destination)
{
	size_t at = f->slot[find_slot(f, task, core, destination)];

	return at ? &f->flow[at - 1] : NULL;
}

void
flow_table_rebuild_slots(struct flows *f)
{
	memset(f->slot, 0, f->slots * sizeof *f->slot);
	for (size_t i = FLOW_SPECIALS; i < f->n; i++)
		if (!f->flow[i].flow.ended)
			f->slot[find_slot(f, f->flow[i].flow.task, f->flow[i].flow.core, f->flow[i].flow.destination)] =
				i + 1;
}

/* All flows of a living task have the same `life`, so any of them gives it. */
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
	*hint = f->n; /* the flow that is about to begin */
	return f->next_life++;
}

void
flow_see(struct flow *k, uint64_t from_ns, uint64_t to_ns)
{
	k->since_ns = from_ns < k->since_ns ? from_ns : k->since_ns;
	k->until_ns = to_ns > k->until_ns ? to_ns : k->until_ns;
}

static void
flow_table_fold(struct flows *f, const struct flow_kept *k)
{
	struct flow_kept *others = &f->flow[FLOW_OTHERS];

	for (size_t i = 0; i < f->spec.n_counters; i++) {
		others->count[i] += k->count[i];
		others->lost[i] += k->lost[i];
	}
	others->flow.ran_ns += k->flow.ran_ns;
	others->flow.snapshots += k->flow.snapshots;
	flow_see(&others->flow, k->flow.since_ns, k->flow.until_ns);
	f->trouble.folded++;
}

static int
flow_table_by_number(const void *va, const void *vb)
{
	const size_t *a = va, *b = vb;

	return (*a > *b) - (*a < *b);
}

static int
compare_flows(const void *va, const void *vb, void *ctx)
{
	const struct flows *f = ctx;
	const struct flow *a = &f->flow[*(const size_t *)va].flow, *b = &f->flow[*(const size_t *)vb].flow;

	if (flow_is_over(a) != flow_is_over(b))
		return flow_is_over(a) ? -1 : 1;
	if (a->until_ns != b->until_ns)
		return a->until_ns < b->until_ns ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

static void
drop(struct flows *f, size_t at)
{
	struct flow_kept last = f->flow[--f->n];

	f->flow[f->n] = f->flow[at]; /* the array slot at the end keeps these arrays for reuse */
	f->flow[at] = last;
}

/* Fold several flows at once, so that it is not done for each new flow. Flows that are over go first, then those whose
 * last event is oldest. A flow whose task runs on its core now never goes. */
static bool
flow_table_make_room(struct flows *f)
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
		flow_table_fold(f, &f->flow[f->order[i]]);
	qsort(f->order, folded, sizeof *f->order, flow_table_by_number);
	while (folded > 0)
		drop(f, f->order[--folded]);
	flow_table_rebuild_slots(f);
	return true;
}

struct flow_kept *
flow_table_get(struct flows *f, int32_t task, size_t core, size_t destination)
{
	struct flow_kept *k = flow_table_find(f, task, core, destination);
	uint64_t life;

	if (k) {
		k->flow.returned += flow_is_over(&k->flow);
		return k;
	}
	if (f->n == f->spec.most && !flow_table_make_room(f))
		return &f->flow[FLOW_OTHERS];
	life = life_of(f, task);
	k = flow_table_begin(f, f->n, task, core, destination);
	f->slot[find_slot(f, task, core, destination)] = ++f->n;
	k->flow.life = life;
	return k;
}
