/* Adds models and edges of a search as they are tested, and checks that features that should only add really do. */
#include <stdlib.h>

#include "base/mem.h"
#include "core/search/lattice_run.h"

static int
lattice_test_order(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return x < y ? -1 : x > y;
}

/* Lists the minimal models in the order in which they were tested. */
void
lattice_sum(struct search_graph *graph)
{
	search_graph_sum(graph);
	if (graph->needs.n_minimal)
		qsort(graph->needs.minimal, graph->needs.n_minimal, sizeof *graph->needs.minimal, lattice_test_order);
	for (size_t o = 0; o < graph->n_observations; o++) {
		graph->own.orphan[o] = true;
		for (size_t i = 0; i < graph->n_models && graph->own.orphan[o]; i++)
			graph->own.orphan[o] = !graph->model[i].usable || graph_model_refuted_by(&graph->model[i], o);
	}
	graph->tested = graph->n_models;
}

static void
lattice_test_report(const struct lattice_run *s)
{
	s->l->tested = s->l->n_models;
	if (s->p->report)
		s->p->report(s->p->ctx, s->l);
}

void
lattice_add_edge(struct lattice_run *run, size_t from, size_t to, enum graph_step step)
{
	struct search_graph *lattice = run->l;
	const struct fset *a = &lattice->model[from].on, *b = &lattice->model[to].on;
	struct fset changed = step == GRAPH_ELIMINATION ? fset_minus(*a, *b) : fset_minus(*b, *a);

	for (size_t i = 0; i < lattice->n_edges; i++)
		if ((lattice->edge[i].from == from && lattice->edge[i].to == to) ||
			(lattice->edge[i].from == to && lattice->edge[i].to == from))
			return;
	mem_grow(&lattice->edge, &lattice->own.cap_edges, lattice->n_edges + 1, sizeof *lattice->edge);
	lattice->edge[lattice->n_edges++] = (struct search_graph_edge){
		.from = from, .to = to, .changed = changed, .step = (int)step};
	lattice_test_report(run);
}

/* A feature that was believed to only add does not: conclusions from it are void. */
static void
distrust(struct lattice_run *s, size_t feature)
{
	if (!fset_has(&s->l->own.grows, feature))
		return;
	fset_put(&s->l->own.grows, feature, false);
	s->map.n = 0;
	for (size_t i = 0; i < s->l->n_models; i++)
		lattice_map_model(s, &s->l->model[i]);
}

/* The cone of a set must be inside the cone of the set with one feature more. */
static void
check_pair(struct lattice_run *run, size_t small, size_t large)
{
	const struct search_graph *lattice = run->l;
	struct search_graph_own *own = &run->l->own;
	const struct search_graph_model *a = &lattice->model[small], *b = &lattice->model[large];
	struct fset more = fset_minus(b->on, a->on);
	size_t feature = 0;

	if (!a->usable || !b->usable || a->cone_number == b->cone_number ||
		run->p->inside(run->p->ctx, a->cone_number, b->cone_number))
		return;
	while (!fset_has(&more, feature))
		feature++;
	mem_grow(&own->shrink, &own->cap_shrinks, own->n_shrinks + 1, sizeof *own->shrink);
	own->shrink[own->n_shrinks++] = (struct search_graph_shrink){.feature = feature, .from = small, .to = large};
	distrust(run, feature);
}

static void
check_neighbours(struct lattice_run *s, size_t at)
{
	for (size_t i = 0; i < at; i++) {
		struct fset more = fset_minus(s->l->model[i].on, s->l->model[at].on),
			    less = fset_minus(s->l->model[at].on, s->l->model[i].on);

		if (fset_count(&more) == 1 && fset_is_empty(less))
			check_pair(s, at, i);
		else if (fset_count(&less) == 1 && fset_is_empty(more))
			check_pair(s, i, at);
	}
}

bool
lattice_test(struct lattice_run *run, const struct fset *on, enum graph_step step, size_t *at)
{
	struct search_graph *graph = run->l;
	struct search_graph_model m = {.on = *on, .step = (int)step, .n_words = (graph->n_observations + 63) / 64};

	if (graph->n_models == run->tests_max) {
		search_graph_set_reason(
			graph, "as many models were tested as one search may; fix some features, or use fewer");
		return false;
	}
	m.refuted = mem_new_array(m.n_words, sizeof *m.refuted);
	if (!run->p->test(run->p->ctx, &m)) {
		graph_model_clear(&m);
		graph->own.stopped = true;
		return false;
	}
	for (size_t i = 0; i < m.n_words; i++)
		m.infeasible += (size_t)__builtin_popcountll(m.refuted[i]);
	m.survives = m.usable && !m.infeasible;
	mem_grow(&graph->model, &graph->own.cap_models, graph->n_models + 1, sizeof *graph->model);
	*at = graph->n_models;
	graph->model[graph->n_models++] = m;
	lattice_map_model(run, &m);
	check_neighbours(run, *at);
	lattice_test_report(run);
	return true;
}

void
lattice_connect(struct lattice_run *run, size_t at)
{
	struct search_graph *lattice = run->l;
	size_t best = at, least = SIZE_MAX;
	enum graph_step step = GRAPH_ELIMINATION;

	for (int up = 1; up >= 0 && best == at; up--)
		for (size_t i = 0; i < at; i++) {
			struct fset more = fset_minus(lattice->model[i].on, lattice->model[at].on),
				    less = fset_minus(lattice->model[at].on, lattice->model[i].on);
			size_t far = fset_count(&more) + fset_count(&less);

			if (fset_is_empty(up ? less : more) && far < least) {
				best = i;
				least = far;
				step = up ? GRAPH_ELIMINATION : GRAPH_DISCOVERY;
			}
		}
	lattice->model[at].step = (int)step;
	if (best != at)
		lattice_add_edge(run, best, at, step);
}
