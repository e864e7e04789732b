/* Adds models and edges of a search as they are tested, and checks that features that should only add really do. */
#include <stdlib.h>

#include "base/mem.h"
#include "core/search/lattice_run.h"

size_t
lattice_find(const struct lattice *l, const struct fset *on)
{
	size_t i = 0;

	while (i < l->n_models && !fset_equal(&l->model[i].on, on))
		i++;
	return i;
}

static void
lattice_test_report(const struct lattice_run *s)
{
	s->l->tested = s->l->n_models;
	if (s->p->report)
		s->p->report(s->p->ctx, s->l);
}

void
lattice_add_edge(struct lattice_run *run, size_t from, size_t to, enum lattice_step step)
{
	struct lattice *lattice = run->l;
	const struct fset *a = &lattice->model[from].on, *b = &lattice->model[to].on;
	struct fset changed = step == LATTICE_ELIMINATION ? fset_minus(*a, *b) : fset_minus(*b, *a);

	for (size_t i = 0; i < lattice->n_edges; i++)
		if ((lattice->edge[i].from == from && lattice->edge[i].to == to) ||
			(lattice->edge[i].from == to && lattice->edge[i].to == from))
			return;
	mem_grow(&lattice->edge, &lattice->cap_edges, lattice->n_edges + 1, sizeof *lattice->edge);
	lattice->edge[lattice->n_edges++] = (struct lattice_edge){
		.from = from, .to = to, .changed = changed, .step = step};
	lattice_test_report(run);
}

/* A feature that was believed to only add does not: conclusions from it are void. */
static void
distrust(struct lattice_run *s, size_t feature)
{
	if (!fset_has(&s->l->grows, feature))
		return;
	fset_put(&s->l->grows, feature, false);
	s->map.n = 0;
	for (size_t i = 0; i < s->l->n_models; i++)
		lattice_map_model(s, &s->l->model[i]);
}

/* The cone of a set must be inside the cone of the set with one feature more. */
static void
check_pair(struct lattice_run *run, size_t small, size_t large)
{
	struct lattice *lattice = run->l;
	const struct lattice_model *a = &lattice->model[small], *b = &lattice->model[large];
	struct fset more = fset_minus(b->on, a->on);
	size_t feature = 0;

	if (!a->usable || !b->usable || a->cone == b->cone || run->p->inside(run->p->ctx, a->cone, b->cone))
		return;
	while (!fset_has(&more, feature))
		feature++;
	mem_grow(&lattice->shrink, &lattice->cap_shrinks, lattice->n_shrinks + 1, sizeof *lattice->shrink);
	lattice->shrink[lattice->n_shrinks++] = (struct lattice_shrink){.feature = feature, .from = small, .to = large};
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
lattice_test(struct lattice_run *run, const struct fset *on, enum lattice_step step, size_t *at)
{
	struct lattice *lattice = run->l;
	struct lattice_model m = {.on = *on, .step = step};
	struct lattice_tested t = {0};

	if (lattice->n_models == run->tests_max) {
		lattice->reason = "as many models were tested as one search may; fix some features, or use fewer";
		return false;
	}
	t.infeasible = mem_new_array(lattice->n_words, sizeof *t.infeasible);
	if (!run->p->test(run->p->ctx, on, &t)) {
		free(t.infeasible);
		lattice->stopped = true;
		return false;
	}
	m.cone = t.cone;
	m.infeasible = t.infeasible;
	m.usable = t.usable;
	m.alone = t.alone;
	for (size_t i = 0; i < lattice->n_words; i++)
		m.n_infeasible += (size_t)__builtin_popcountll(m.infeasible[i]);
	mem_grow(&lattice->model, &lattice->cap_models, lattice->n_models + 1, sizeof *lattice->model);
	*at = lattice->n_models;
	lattice->model[lattice->n_models++] = m;
	lattice_map_model(run, &m);
	check_neighbours(run, *at);
	lattice_test_report(run);
	return true;
}

void
lattice_connect(struct lattice_run *run, size_t at)
{
	struct lattice *lattice = run->l;
	size_t best = at, least = SIZE_MAX;
	enum lattice_step step = LATTICE_ELIMINATION;

	for (int up = 1; up >= 0 && best == at; up--)
		for (size_t i = 0; i < at; i++) {
			struct fset more = fset_minus(lattice->model[i].on, lattice->model[at].on),
				    less = fset_minus(lattice->model[at].on, lattice->model[i].on);
			size_t far = fset_count(&more) + fset_count(&less);

			if (fset_is_empty(up ? less : more) && far < least) {
				best = i;
				least = far;
				step = up ? LATTICE_ELIMINATION : LATTICE_DISCOVERY;
			}
		}
	lattice->model[at].step = step;
	if (best != at)
		lattice_add_edge(run, best, at, step);
}
