/* Merges two graphs of searches. */
#include "core/search/search_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* A hash table of positions + 1, 0 for a free slot. At most half of it is full. */
struct index {
	size_t *slot;
	size_t n;
};

static struct index
index_new(size_t things)
{
	struct index x = {.n = 16};

	while (x.n < 2 * things + 2)
		x.n *= 2;
	x.slot = mem_new_array(x.n, sizeof *x.slot);
	return x;
}

static size_t
mix_words(uint64_t a, uint64_t b)
{
	uint64_t hash = (a ^ b * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xff51afd7ed558ccd);

	return (size_t)(hash ^ hash >> 32);
}

static size_t
hash_of_set(const struct fset *s)
{
	return mix_words(s->w[0] + 3 * s->w[2], s->w[1] + 5 * s->w[3]);
}

/* Returns the slot of the model with these features, or the free slot for it. */
static size_t *
model_slot(const struct index *x, const struct search_graph *g, const struct fset *on)
{
	size_t i = hash_of_set(on) & (x->n - 1);

	while (x->slot[i] && !fset_equal(&g->model[x->slot[i] - 1].on, on))
		i = (i + 1) & (x->n - 1);
	return &x->slot[i];
}

/* Returns the slot of an edge between two models, in either direction. */
static size_t *
edge_slot(const struct index *index, const struct search_graph *graph, size_t a, size_t b)
{
	size_t i = mix_words(a < b ? a : b, a < b ? b : a) & (index->n - 1);

	while (index->slot[i]) {
		const struct search_graph_edge *edge = &graph->edge[index->slot[i] - 1];

		if ((edge->from == a && edge->to == b) || (edge->from == b && edge->to == a))
			break;
		i = (i + 1) & (index->n - 1);
	}
	return &index->slot[i];
}

/* Moves the models over; at[]: their numbers in `have`. */
static void
merge_models(struct search_graph *have, struct search_graph *more, size_t *at)
{
	struct index x = index_new(have->n_models + more->n_models);

	have->model = mem_resize(have->model, have->n_models + more->n_models, sizeof *have->model);
	for (size_t i = 0; i < have->n_models; i++)
		*model_slot(&x, have, &have->model[i].on) = i + 1;
	for (size_t i = 0; i < more->n_models; i++) {
		size_t *slot = model_slot(&x, have, &more->model[i].on);
		int step = more->model[i].step;

		if (*slot) {
			step = have->model[*slot - 1].step;
			graph_model_clear(&have->model[*slot - 1]);
		} else {
			*slot = ++have->n_models;
		}
		at[i] = *slot - 1;
		have->model[at[i]] = more->model[i];
		have->model[at[i]].step = step;
		more->model[i] = (struct search_graph_model){0};
	}
	free(x.slot);
}

static void
merge_edges(struct search_graph *have, const struct search_graph *more, const size_t *at)
{
	struct index x = index_new(have->n_edges + more->n_edges);

	have->edge = mem_resize(have->edge, have->n_edges + more->n_edges, sizeof *have->edge);
	for (size_t i = 0; i < have->n_edges; i++)
		*edge_slot(&x, have, have->edge[i].from, have->edge[i].to) = i + 1;
	for (size_t i = 0; i < more->n_edges; i++) {
		struct search_graph_edge e = more->edge[i];
		size_t *slot;

		e.from = at[e.from];
		e.to = at[e.to];
		slot = edge_slot(&x, have, e.from, e.to);
		if (*slot)
			continue;
		have->edge[have->n_edges] = e;
		*slot = ++have->n_edges;
	}
	free(x.slot);
}

static void
swap_strings(char **a, char **b)
{
	char *s = *a;

	*a = *b;
	*b = s;
}

static int
compare_sizes(const void *a, const void *b, void *graph)
{
	const struct search_graph *g = graph;
	size_t x = *(const size_t *)a, y = *(const size_t *)b, n = fset_count(&g->model[x].on),
		m = fset_count(&g->model[y].on);

	if (n != m)
		return n < m ? -1 : 1;
	return x < y ? -1 : x > y;
}

void
search_graph_sum(struct search_graph *graph)
{
	size_t *survivor = mem_new_array(graph->n_models, sizeof *survivor), n = 0;

	graph->needs.required = graph->needs.optional = (struct fset){0};
	for (size_t i = 0; i < graph->n_models; i++) {
		if (!graph->model[i].survives)
			continue;
		graph->needs.required = n ? fset_and(graph->needs.required, graph->model[i].on) : graph->model[i].on;
		graph->needs.optional = fset_or(graph->needs.optional, graph->model[i].on);
		survivor[n++] = i;
	}
	graph->needs.optional = fset_minus(
		graph->needs.optional, fset_or(graph->needs.required, fset_or(graph->needs.useless, graph->fixed)));
	graph->needs.required = fset_minus(graph->needs.required, graph->fixed);
	if (n)
		qsort_r(survivor, n, sizeof *survivor, compare_sizes, graph);
	free(graph->needs.minimal);
	graph->needs.n_minimal = 0;
	for (size_t i = 0; i < n; i++) {
		bool least = true;

		for (size_t k = 0; k < graph->needs.n_minimal && least; k++)
			least = !fset_within(&graph->model[survivor[k]].on, &graph->model[survivor[i]].on);
		if (least)
			survivor[graph->needs.n_minimal++] = survivor[i];
	}
	graph->needs.minimal = survivor;
}

static void
take_minimal(struct search_graph *have, const struct search_graph *more, const size_t *at)
{
	free(have->needs.minimal);
	have->needs.minimal = mem_new_array(more->needs.n_minimal, sizeof *have->needs.minimal);
	have->needs.n_minimal = more->needs.n_minimal;
	for (size_t i = 0; i < have->needs.n_minimal; i++)
		have->needs.minimal[i] = at[more->needs.minimal[i]];
	have->needs.required = more->needs.required;
	have->needs.optional = more->needs.optional;
}

/* Relations between cones do not depend on the search, so the findings of both searches are united. */
static void
merge_alike(struct search_graph *have, struct search_graph *more)
{
	size_t n = have->n_alike;

	have->alike = mem_resize(have->alike, n + more->n_alike, sizeof *have->alike);
	for (size_t i = 0; i < more->n_alike; i++) {
		size_t k = 0;

		while (k < n &&
			!(fset_equal(&have->alike[k].one, &more->alike[i].one) &&
				fset_equal(&have->alike[k].other, &more->alike[i].other)))
			k++;
		if (k < n)
			continue;
		have->alike[have->n_alike++] = more->alike[i];
		more->alike[i] = (struct search_graph_alike){0};
	}
}

/* Statements about all sets are kept from the last complete search; without one, they are made about the models in the
 * graph. */
static void
merge_words(struct search_graph *have, struct search_graph *more, const size_t *at)
{
	merge_alike(have, more);
	if (have->complete && !more->complete)
		return;
	have->fixed = more->fixed;
	if (more->task != SEARCH_DISCOVER && more->n_models) {
		have->needs.useless = more->needs.useless;
		swap_strings(&have->needs.useless_in, &more->needs.useless_in);
	}
	have->complete = more->complete;
	if (more->n_models)
		have->sets = more->sets;
	swap_strings(&have->reason, &more->reason);
	if (more->complete)
		take_minimal(have, more, at);
	else
		search_graph_sum(have);
	have->tested = more->complete ? more->tested : have->n_models;
}

static void
merge_proposal(struct search_graph *have, struct search_graph *more)
{
	struct search_graph_repair *repair = have->repair;

	have->proposed = more->proposed;
	have->repair = more->repair;
	have->n_repairs = more->n_repairs;
	more->repair = repair;
}

static bool
same_observations(const struct search_graph *a, const struct search_graph *b)
{
	if (a->n_observations != b->n_observations)
		return false;
	for (size_t i = 0; i < a->n_observations; i++)
		if (!a->observation[i] || !b->observation[i] || strcmp(a->observation[i], b->observation[i]) != 0)
			return false;
	return true;
}

static void
swap_graphs(struct search_graph *a, struct search_graph *b)
{
	struct search_graph c = *a;

	*a = *b;
	*b = c;
}

void
search_graph_merge(struct search_graph *have, struct search_graph *more)
{
	size_t *at = mem_new_array(more->n_models, sizeof *at);

	if (more->n_models && !same_observations(have, more)) {
		swap_graphs(have, more); /* bits of other observations mean nothing here */
	} else {
		merge_models(have, more, at);
		merge_edges(have, more, at);
		merge_words(have, more, at);
		merge_proposal(have, more);
		have->task = more->task;
		have->running = more->running;
		have->seconds = more->seconds;
		have->undecided = more->undecided;
		swap_strings(&have->says, &more->says);
		swap_strings(&have->suspects, &more->suspects);
	}
	free(at);
	search_graph_free(more);
}
