/* Finds flows by task, core and destination: a hash table with open addressing, whose size never changes. When all
 * places are taken, one in FOLD_AT_ONCE of the flows that may go is folded into FLOW_OTHERS. */
#include "core/network/flow_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define FOLD_AT_ONCE 8
#define ENDED_EVERY 64 /* new flows between two counts of the ended ones */

struct flow_kept *
flow_table_begin(struct flows *flows, size_t at, int32_t task, size_t core, size_t destination)
{
	struct flow_kept *kept = &flows->flow[at];

	if (!kept->count) {
		kept->count = mem_new_array(flows->spec.n_counters, sizeof *kept->count);
		kept->lost = mem_new_array(flows->spec.n_counters, sizeof *kept->lost);
	}
	memset(kept->count, 0, flows->spec.n_counters * sizeof *kept->count);
	memset(kept->lost, 0, flows->spec.n_counters * sizeof *kept->lost);
	kept->flow = (struct flow){.number = flows->next_number++,
		.task = task,
		.core = core,
		.destination = destination,
		.since_ns = UINT64_MAX,
		.count = kept->count,
		.lost = kept->lost};
	return kept;
}

/* The slot of the flow, or the free slot where it belongs. */
static size_t
find_slot(const struct flows *flows, int32_t task, size_t core, size_t destination)
{
	uint64_t x = ((uint64_t)(uint32_t)task * 0x9e3779b97f4a7c15u) ^ ((uint64_t)core * 0xc2b2ae3d27d4eb4fu) ^
		((uint64_t)(destination + 1) * 0x165667b19e3779f9u);
	size_t i = (size_t)(x >> 29) & (flows->slots - 1);

	for (; flows->slot[i]; i = (i + 1) & (flows->slots - 1)) {
		const struct flow *flow = &flows->flow[flows->slot[i] - 1].flow;

		if (flow->task == task && flow->core == core && flow->destination == destination)
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
life_of(struct flows *flows, int32_t task)
{
	size_t *hint = &flows->hint[(size_t)(uint32_t)task & (flows->slots - 1)];

	if (*hint < flows->n && flows->flow[*hint].flow.task == task && !flows->flow[*hint].flow.ended)
		return flows->flow[*hint].flow.life;
	for (size_t i = FLOW_SPECIALS; i < flows->n; i++)
		if (flows->flow[i].flow.task == task && !flows->flow[i].flow.ended) {
			*hint = i;
			return flows->flow[i].flow.life;
		}
	*hint = flows->n; /* the flow that is about to begin */
	return flows->next_life++;
}

void
flow_see(struct flow *k, uint64_t from_ns, uint64_t to_ns)
{
	k->since_ns = from_ns < k->since_ns ? from_ns : k->since_ns;
	k->until_ns = to_ns > k->until_ns ? to_ns : k->until_ns;
}

static void
flow_table_fold(struct flows *flows, const struct flow_kept *kept)
{
	struct flow_kept *others = &flows->flow[FLOW_OTHERS];

	for (size_t i = 0; i < flows->spec.n_counters; i++) {
		others->count[i] += kept->count[i];
		others->lost[i] += kept->lost[i];
	}
	others->flow.ran_ns += kept->flow.ran_ns;
	others->flow.snapshots += kept->flow.snapshots;
	flow_see(&others->flow, kept->flow.since_ns, kept->flow.until_ns);
	flows->trouble.folded++;
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

/* Folds the first ones of the n flows in flows->order: those that are over, then those whose last event is oldest. */
static void
fold_first(struct flows *flows, size_t n, size_t folded)
{
	qsort_r(flows->order, n, sizeof *flows->order, compare_flows, flows);
	for (size_t i = 0; i < folded; i++)
		flow_table_fold(flows, &flows->flow[flows->order[i]]);
	qsort(flows->order, folded, sizeof *flows->order, flow_table_by_number);
	while (folded > 0)
		drop(flows, flows->order[--folded]);
	flow_table_rebuild_slots(flows);
}

/* Folds the older half of the flows of ended tasks when there are too many. */
static void
limit_ended(struct flows *flows)
{
	size_t n = 0;

	if (!flows->spec.ended_most || flows->next_number % ENDED_EVERY)
		return;
	for (size_t i = FLOW_SPECIALS; i < flows->n; i++)
		if (flows->flow[i].flow.ended)
			flows->order[n++] = i;
	if (n > flows->spec.ended_most)
		fold_first(flows, n, n - flows->spec.ended_most / 2);
}

/* Fold several flows at once, so that it is not done for each new flow. A flow whose task runs on its core now never
 * goes. */
static bool
flow_table_make_room(struct flows *flows)
{
	size_t n = 0;

	for (size_t i = FLOW_SPECIALS; i < flows->n; i++)
		if (flows->core[flows->flow[i].flow.core].task != flows->flow[i].flow.task || flows->flow[i].flow.ended)
			flows->order[n++] = i;
	if (!n)
		return false;
	fold_first(flows, n, (n + FOLD_AT_ONCE - 1) / FOLD_AT_ONCE);
	return true;
}

struct flow_kept *
flow_table_get(struct flows *flows, int32_t task, size_t core, size_t destination)
{
	struct flow_kept *kept = flow_table_find(flows, task, core, destination);
	uint64_t life;

	if (kept) {
		kept->flow.returned += flow_is_over(&kept->flow);
		return kept;
	}
	limit_ended(flows);
	if (flows->n == flows->spec.most && !flow_table_make_room(flows))
		return &flows->flow[FLOW_OTHERS];
	life = life_of(flows, task);
	kept = flow_table_begin(flows, flows->n, task, core, destination);
	flows->slot[find_slot(flows, task, core, destination)] = ++flows->n;
	kept->flow.life = life;
	return kept;
}
