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
chase_fill(struct sim_generator *g, struct sim_uop *out, size_t n)
{
	struct chase *c = (struct chase *)g;
	struct sim_uop u = c->uop;
	size_t k = 0;

	while (k + 2 <= n) {
		u.at = c->at;
		out[k++] = u;
		c->i = c->i + 1 == c->order.n ? 0 : c->i + 1;
		c->at = c->base + sim_order_at(&c->order, c->i) * c->node;
		if (c->stores && (uint32_t)random_next(&c->random) < c->stores) {
			out[k] = u;
			out[k].at = c->at;
			out[k++].kind = SIM_STORE;
		}
	}
	return k;
}

struct sim_generator *
sim_chase_new(const struct sim_plan *p, struct err *e)
{
	int64_t loads = p->set->value[SIM_SET_LOADS];
	uint64_t node = (uint64_t)p->set->value[SIM_SET_NODE];
	struct chase *c;

	if (!sim_plan_aligned(p, "chase", SIM_SET_NODE, e) || !sim_plan_holds(p, "chase, by its node,", node, e))
		return NULL;
	if (loads * 2 < SHARE_ONE) {
		err_set(e, "chase: loads must be at least 0.5");
		err_hint(e, "each load gives the address of at most one store; random and linear can consist of "
			"stores only");
		return NULL;
	}
	c = mem_new(sizeof *c);
	c->g.fill = chase_fill;
	c->base = p->base;
	c->node = node;
	c->order = sim_order_of(footprint_of(p) / node, p->seed);
	c->at = p->base + sim_order_at(&c->order, 0) * node;
	c->random = random_scatter(p->seed);
	c->uop = sim_plan_uop(p, WORD);
	c->uop.flags = SIM_DEPENDS;
	/* probability that a store follows a load */
	c->stores = sim_share_of_bits((SHARE_ONE - loads) * SHARE_ONE / loads);
	return &c->g;
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
zipf_fill(struct sim_generator *g, struct sim_uop *out, size_t n)
{
	struct zipf_store *z = (struct zipf_store *)g;
	size_t lines = (z->value + 63) / 64, k = 0;

	while (k + 1 + lines <= n) {
		uint64_t key = sim_zipf_draw(&z->zipf, &z->random);
		struct sim_uop u = z->uop;

		u.at = z->index + sim_order_at(&z->slot, key) * INDEX_ENTRY;
		out[k++] = u;
		u.at = z->values + sim_order_at(&z->place, key) * z->value;
		u.flags = SIM_DEPENDS;
		u.kind = z->puts && (uint32_t)random_next(&z->random) < z->puts ? SIM_STORE : SIM_LOAD;
		for (size_t i = 0; i < lines; i++) {
			out[k++] = u;
			u.at += 64;
			u.flags = 0;
		}
	}
	return k;
}

struct sim_generator *
sim_zipf_new(const struct sim_plan *p, struct err *e)
{
	uint64_t value = (uint64_t)p->set->value[SIM_SET_VALUE], keys;
	struct zipf_store *z;

	if (!sim_plan_aligned(p, "zipf", SIM_SET_VALUE, e) ||
		!sim_plan_holds(p, "zipf, by its value,", INDEX_ENTRY + value, e))
		return NULL;
	z = mem_new(sizeof *z);
	z->g.fill = zipf_fill;
	keys = footprint_of(p) / (INDEX_ENTRY + value);
	z->index = p->base;
	z->values = p->base + keys * INDEX_ENTRY;
	z->value = value;
	z->puts = sim_share_of_bits(SHARE_ONE - p->set->value[SIM_SET_LOADS]);
	z->random = random_scatter(p->seed);
	z->slot = sim_order_of(keys, p->seed + 1);
	z->place = sim_order_of(keys, p->seed + 2);
	z->uop = sim_plan_uop(p, WORD);
	sim_zipf_init(&z->zipf, keys, (double)p->set->value[SIM_SET_SKEW] / SHARE_ONE);
	return &z->g;
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
graph_vertex(struct graph *g, struct sim_uop *out)
{
	uint64_t first = g->vertex * g->degree;
	size_t k = 0;

	out[k] = g->uop;
	out[k++].at = g->row + g->vertex * WORD;
	for (uint64_t i = 0; i < g->degree; i++) {
		uint64_t draw = g->seed ^ random_scatter(first + i);

		out[k] = g->uop;
		out[k].at = g->edge + (first + i) * EDGE;
		out[k].size = EDGE;
		out[k++].flags = i ? 0 : SIM_DEPENDS;
		out[k] = g->uop;
		out[k].at = g->property + sim_order_at(&g->order, sim_zipf_draw(&g->ends, &draw)) * WORD;
		out[k++].flags = SIM_DEPENDS;
	}
	out[k] = g->uop;
	out[k].at = g->property + g->vertex * WORD;
	out[k++].kind = SIM_STORE;
	return k;
}

static size_t
graph_fill(struct sim_generator *base, struct sim_uop *out, size_t n)
{
	struct graph *g = (struct graph *)base;
	size_t k = 0;

	while (k + 2 * g->degree + 2 <= n) {
		k += graph_vertex(g, out + k);
		if (g->random_frontier)
			g->vertex = random_below(&g->random, g->vertices);
		else
			g->vertex = g->vertex + 1 == g->vertices ? 0 : g->vertex + 1;
	}
	return k;
}

struct sim_generator *
sim_graph_new(const struct sim_plan *p, struct err *e)
{
	uint64_t degree = (uint64_t)p->set->value[SIM_SET_DEGREE], each = 2 * WORD + degree * EDGE;
	struct graph *g;

	if (!sim_plan_holds(p, "graph, by its degree,", each, e))
		return NULL;
	g = mem_new(sizeof *g);
	g->g.fill = graph_fill;
	g->vertices = footprint_of(p) / each;
	g->row = p->base;
	g->property = g->row + g->vertices * WORD;
	g->edge = g->property + g->vertices * WORD;
	g->degree = degree;
	g->seed = random_scatter(p->seed);
	g->random = random_scatter(p->seed + 1);
	g->random_frontier = p->set->value[SIM_SET_FRONTIER] == 1;
	g->order = sim_order_of(g->vertices, p->seed + 2);
	g->uop = sim_plan_uop(p, WORD);
	sim_zipf_init(&g->ends, g->vertices, (double)p->set->value[SIM_SET_SKEW] / SHARE_ONE);
	return &g->g;
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
wrong_half(struct branchy *b, uint64_t low, uint64_t high, struct sim_uop *out)
{
	size_t k = 0;

	while (k < b->wrong_length && low < high) {
		uint64_t middle = low + (high - low) / 2;

		out[k] = b->uop;
		out[k].at = b->base + middle * WORD;
		out[k++].flags = SIM_WRONG;
		halve(&low, &high, middle, random_next(&b->random) >> 63);
	}
	return k;
}

static size_t
branchy_fill(struct sim_generator *g, struct sim_uop *out, size_t n)
{
	struct branchy *b = (struct branchy *)g;
	size_t k = 0;

	while (k + 1 + b->wrong_length <= n) {
		uint64_t middle = b->low + (b->high - b->low) / 2, low = b->low, high = b->high,
			r = random_next(&b->random);
		bool up = r >> 63, wrong = (uint32_t)r < b->wrong;

		out[k] = b->uop;
		out[k++].at = b->base + middle * WORD;
		halve(&b->low, &b->high, middle, up);
		halve(&low, &high, middle, !up);
		if (wrong && low < high) {
			out[k - 1].flags = SIM_MISPREDICT;
			k += wrong_half(b, low, high, out + k);
		}
		if (b->low >= b->high) {
			b->low = 0;
			b->high = b->words;
		}
	}
	return k;
}

struct sim_generator *
sim_branchy_new(const struct sim_plan *p, struct err *e)
{
	struct branchy *b;

	(void)e; /* even the smallest footprint holds a word */
	b = mem_new(sizeof *b);
	b->g.fill = branchy_fill;
	b->base = p->base;
	b->high = b->words = footprint_of(p) / WORD;
	b->wrong = sim_share_of_bits(p->set->value[SIM_SET_WRONG]);
	b->wrong_length = (unsigned)p->set->value[SIM_SET_WRONG_LENGTH];
	b->random = random_scatter(p->seed);
	b->uop = sim_plan_uop(p, WORD);
	return &b->g;
}
