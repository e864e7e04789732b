/* Workloads whose accesses depend on data: lists, tables, graphs, searches. */
#include "sim/generate.h"

#include "base/err.h"
#include "base/mem.h"
#include "sim/orders.h"

#define WORD 8u
#define INDEX_ENTRY 16u /* bytes: a key's hash and the place of its value */
#define EDGE 4u

static uint64_t
footprint_of(const struct sim_plan *p)
{
	return (uint64_t)p->set->value[SIM_SET_FOOTPRINT];
}

/* Pointer chase: follows a list through all nodes, in random order. A store goes to the node that the load before it
 * points to. */
struct chase {
	struct sim_generator g;
	uint64_t base, node, i, at, stores, random; /* i, at: index and address of the next node */
	struct sim_order order;
	struct sim_uop uop;
};

static size_t
chase_fill(struct sim_generator *generator, struct sim_uop *out, size_t n)
{
	struct chase *chase = (struct chase *)generator;
	struct sim_uop u = chase->uop;
	size_t k = 0;

	while (k + 2 <= n) {
		u.at = chase->at;
		out[k++] = u;
		chase->i = chase->i + 1 == chase->order.n ? 0 : chase->i + 1;
		chase->at = chase->base + sim_order_at(&chase->order, chase->i) * chase->node;
		if (chase->stores && (uint32_t)random_next(&chase->random) < chase->stores) {
			out[k] = u;
			out[k].at = chase->at;
			out[k++].kind = SIM_STORE;
		}
	}
	return k;
}

struct sim_generator *
sim_chase_new(const struct sim_plan *plan, struct err *e)
{
	int64_t loads = plan->set->value[SIM_SET_LOADS];
	uint64_t node = (uint64_t)plan->set->value[SIM_SET_NODE];
	struct chase *chase;

	if (!sim_plan_aligned(plan, "chase", SIM_SET_NODE, e) || !sim_plan_holds(plan, "chase, by its node,", node, e))
		return NULL;
	if (loads * 2 < SHARE_ONE) {
		err_set(e, "chase: loads must be at least 0.5");
		err_hint(e, "each load gives the address of at most one store; random and linear can consist of "
			"stores only");
		return NULL;
	}
	chase = mem_new(sizeof *chase);
	chase->g.fill = chase_fill;
	chase->base = plan->base;
	chase->node = node;
	chase->order = sim_order_of(footprint_of(plan) / node, plan->seed);
	chase->at = plan->base + sim_order_at(&chase->order, 0) * node;
	chase->random = random_scatter(plan->seed);
	chase->uop = sim_plan_uop(plan, WORD);
	chase->uop.flags = SIM_DEPENDS;
	/* probability that a store follows a load */
	chase->stores = sim_share_of_bits((SHARE_ONE - loads) * SHARE_ONE / loads);
	return &chase->g;
}

/* A key-value store: a request loads the key's entry in a hash index, then goes through its value. */
struct zipf_store {
	struct sim_generator g;
	uint64_t index, values, value, puts, random;
	struct sim_order slot, place; /* a key's slot in the index, and its place among the values */
	struct sim_uop uop;
	struct sim_zipf zipf;
};

static size_t
zipf_fill(struct sim_generator *generator, struct sim_uop *out, size_t n)
{
	struct zipf_store *store = (struct zipf_store *)generator;
	size_t lines = (store->value + 63) / 64, k = 0;

	while (k + 1 + lines <= n) {
		uint64_t key = sim_zipf_draw(&store->zipf, &store->random);
		struct sim_uop u = store->uop;

		u.at = store->index + sim_order_at(&store->slot, key) * INDEX_ENTRY;
		out[k++] = u;
		u.at = store->values + sim_order_at(&store->place, key) * store->value;
		u.flags = SIM_DEPENDS;
		u.kind = store->puts && (uint32_t)random_next(&store->random) < store->puts ? SIM_STORE : SIM_LOAD;
		for (size_t i = 0; i < lines; i++) {
			out[k++] = u;
			u.at += 64;
			u.flags = 0;
		}
	}
	return k;
}

struct sim_generator *
sim_zipf_new(const struct sim_plan *plan, struct err *e)
{
	uint64_t value = (uint64_t)plan->set->value[SIM_SET_VALUE], keys;
	struct zipf_store *store;

	if (!sim_plan_aligned(plan, "zipf", SIM_SET_VALUE, e) ||
		!sim_plan_holds(plan, "zipf, by its value,", INDEX_ENTRY + value, e))
		return NULL;
	store = mem_new(sizeof *store);
	store->g.fill = zipf_fill;
	keys = footprint_of(plan) / (INDEX_ENTRY + value);
	store->index = plan->base;
	store->values = plan->base + keys * INDEX_ENTRY;
	store->value = value;
	store->puts = sim_share_of_bits(SHARE_ONE - plan->set->value[SIM_SET_LOADS]);
	store->random = random_scatter(plan->seed);
	store->slot = sim_order_of(keys, plan->seed + 1);
	store->place = sim_order_of(keys, plan->seed + 2);
	store->uop = sim_plan_uop(plan, WORD);
	sim_zipf_init(&store->zipf, keys, (double)plan->set->value[SIM_SET_SKEW] / SHARE_ONE);
	return &store->g;
}

/* A graph as compressed sparse rows: for each vertex the beginning of its edges, the edges' other ends, and a property
 * of each vertex. A vertex gathers the properties of its neighbours and writes its own. Every pass has the same edges,
 * because they are drawn by their number. */
struct graph {
	struct sim_generator g;
	uint64_t row, edge, property; /* addresses of the three arrays */
	uint64_t vertices, vertex, degree, seed, random;
	bool random_frontier;
	struct sim_order order;
	struct sim_uop uop;
	struct sim_zipf ends;
};

static size_t
graph_vertex(struct graph *graph, struct sim_uop *out)
{
	uint64_t first = graph->vertex * graph->degree;
	size_t k = 0;

	out[k] = graph->uop;
	out[k++].at = graph->row + graph->vertex * WORD;
	for (uint64_t i = 0; i < graph->degree; i++) {
		uint64_t draw = graph->seed ^ random_scatter(first + i);

		out[k] = graph->uop;
		out[k].at = graph->edge + (first + i) * EDGE;
		out[k].size = EDGE;
		out[k++].flags = i ? 0 : SIM_DEPENDS;
		out[k] = graph->uop;
		out[k].at = graph->property + sim_order_at(&graph->order, sim_zipf_draw(&graph->ends, &draw)) * WORD;
		out[k++].flags = SIM_DEPENDS;
	}
	out[k] = graph->uop;
	out[k].at = graph->property + graph->vertex * WORD;
	out[k++].kind = SIM_STORE;
	return k;
}

static size_t
graph_fill(struct sim_generator *base, struct sim_uop *out, size_t n)
{
	struct graph *graph = (struct graph *)base;
	size_t k = 0;

	while (k + 2 * graph->degree + 2 <= n) {
		k += graph_vertex(graph, out + k);
		if (graph->random_frontier)
			graph->vertex = random_below(&graph->random, graph->vertices);
		else
			graph->vertex = graph->vertex + 1 == graph->vertices ? 0 : graph->vertex + 1;
	}
	return k;
}

struct sim_generator *
sim_graph_new(const struct sim_plan *plan, struct err *e)
{
	uint64_t degree = (uint64_t)plan->set->value[SIM_SET_DEGREE], each = 2 * WORD + degree * EDGE;
	struct graph *graph;

	if (!sim_plan_holds(plan, "graph, by its degree,", each, e))
		return NULL;
	graph = mem_new(sizeof *graph);
	graph->g.fill = graph_fill;
	graph->vertices = footprint_of(plan) / each;
	graph->row = plan->base;
	graph->property = graph->row + graph->vertices * WORD;
	graph->edge = graph->property + graph->vertices * WORD;
	graph->degree = degree;
	graph->seed = random_scatter(plan->seed);
	graph->random = random_scatter(plan->seed + 1);
	graph->random_frontier = plan->set->value[SIM_SET_FRONTIER] == 1;
	graph->order = sim_order_of(graph->vertices, plan->seed + 2);
	graph->uop = sim_plan_uop(plan, WORD);
	sim_zipf_init(&graph->ends, graph->vertices, (double)plan->set->value[SIM_SET_SKEW] / SHARE_ONE);
	return &graph->g;
}

/* Binary searches in a sorted array. Each comparison is an unpredictable branch. After a misprediction the search
 * continues in the other half until the key has been loaded. */
struct branchy {
	struct sim_generator g;
	uint64_t base, words, low, high; /* the key is in [low, high) */
	uint64_t wrong, random;
	unsigned wrong_length;
	struct sim_uop uop;
};

/* Halves [low, high) after a look at its middle word. */
static void
halve(uint64_t *low, uint64_t *high, uint64_t middle, bool up)
{
	if (up)
		*low = middle + 1;
	else
		*high = middle;
}

static size_t
wrong_half(struct branchy *branchy, uint64_t low, uint64_t high, struct sim_uop *out)
{
	size_t k = 0;

	while (k < branchy->wrong_length && low < high) {
		uint64_t middle = low + (high - low) / 2;

		out[k] = branchy->uop;
		out[k].at = branchy->base + middle * WORD;
		out[k++].flags = SIM_WRONG;
		halve(&low, &high, middle, random_next(&branchy->random) >> 63);
	}
	return k;
}

static size_t
branchy_fill(struct sim_generator *generator, struct sim_uop *out, size_t n)
{
	struct branchy *branchy = (struct branchy *)generator;
	size_t k = 0;

	while (k + 1 + branchy->wrong_length <= n) {
		uint64_t middle = branchy->low + (branchy->high - branchy->low) / 2, low = branchy->low,
			 high = branchy->high, r = random_next(&branchy->random);
		bool up = r >> 63, wrong = (uint32_t)r < branchy->wrong;

		out[k] = branchy->uop;
		out[k++].at = branchy->base + middle * WORD;
		halve(&branchy->low, &branchy->high, middle, up);
		halve(&low, &high, middle, !up);
		if (wrong && low < high) {
			out[k - 1].flags = SIM_MISPREDICT;
			k += wrong_half(branchy, low, high, out + k);
		}
		if (branchy->low >= branchy->high) {
			branchy->low = 0;
			branchy->high = branchy->words;
		}
	}
	return k;
}

struct sim_generator *
sim_branchy_new(const struct sim_plan *plan, struct err *e)
{
	struct branchy *branchy;

	(void)e; /* even the smallest footprint holds a word */
	branchy = mem_new(sizeof *branchy);
	branchy->g.fill = branchy_fill;
	branchy->base = plan->base;
	branchy->high = branchy->words = footprint_of(plan) / WORD;
	branchy->wrong = sim_share_of_bits(plan->set->value[SIM_SET_WRONG]);
	branchy->wrong_length = (unsigned)plan->set->value[SIM_SET_WRONG_LENGTH];
	branchy->random = random_scatter(plan->seed);
	branchy->uop = sim_plan_uop(plan, WORD);
	return &branchy->g;
}
