/* Two more questions of a search: which features does an observation need, and which features does some survivor
 * have? */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/search/lattice_run.h"

/* Observations that are infeasible for every tested set without the feature, and feasible for some tested set. */
static bool
candidates(const struct lattice_run *run, size_t feature, uint64_t *out)
{
	const struct search_graph *lattice = run->l;
	size_t n_words = (lattice->n_observations + 63) / 64;
	uint64_t some = 0;

	for (size_t w = 0; w < n_words; w++) {
		uint64_t always = ~UINT64_C(0), taken = 0;

		for (size_t i = 0; i < lattice->n_models; i++) {
			const struct search_graph_model *model = &lattice->model[i];

			if (model->usable && !fset_has(&model->on, feature))
				always &= model->refuted[w];
			if (model->usable)
				taken |= ~model->refuted[w];
		}
		out[w] = always & taken;
		if (w + 1 == n_words && run->p->n_observations % 64)
			out[w] &= (UINT64_C(1) << run->p->n_observations % 64) - 1;
		some |= out[w];
	}
	return some != 0;
}

/* The clause that the model has if it is refuted: its subsets do not satisfy it. */
static struct clause
refuted_clause(const struct lattice_run *s, const struct search_graph_model *m)
{
	struct fset may_remove = fset_minus(s->all, s->l->own.grows);

	return (struct clause){.on = fset_minus(s->all, m->on), .off = m->usable ? fset_and(m->on, may_remove) : m->on};
}

/* Find the observations that need the feature. The largest sets without it are tested until no observation needs it,
 * or all sets are known. */
static bool
find_needs(struct lattice_run *run, size_t feature)
{
	struct search_graph *lattice = run->l;
	uint64_t *needing = mem_new_array((lattice->n_observations + 63) / 64, sizeof *needing);
	struct fset fixed = {0}, zero = {0}, open;
	enum clauses_answer answer = CLAUSES_FOUND;
	bool good = true;

	fset_put(&fixed, feature, true);
	while (good && candidates(run, feature, needing)) {
		struct clauses c = {0};
		size_t at;

		for (size_t i = 0; i < lattice->n_models; i++)
			if (!fset_has(&lattice->model[i].on, feature))
				clauses_add(&c, refuted_clause(run, &lattice->model[i]));
		answer = lattice_next(run, &c, fixed, zero, &open);
		clauses_free(&c);
		if (answer != CLAUSES_FOUND)
			break;
		good = lattice_test(run, &open, GRAPH_ELIMINATION, &at);
		if (good)
			lattice_connect(run, at);
	}
	good = good && answer != CLAUSES_GAVE_UP && answer != CLAUSES_STOPPED;
	for (size_t i = 0; good && i < run->p->n_observations; i++)
		if (needing[i / 64] >> (i % 64) & 1)
			fset_put(&lattice->own.needed[i], feature, true);
	free(needing);
	return good;
}

/* Look for a survivor with the feature. The largest legal sets that have it and contain a survivor are tested, although
 * the map says that they survive: such a set may make no model at all. Returns false if the search ends. */
static bool
find_survivor_with(struct lattice_run *run, size_t feature)
{
	struct clauses c = {0};
	size_t n = run->l->n_models;
	bool found = false, good = true;

	for (size_t i = 0; i < n && !found && good; i++) {
		struct fset fixed = fset_or(run->l->model[i].on, fset_minus(run->all, run->l->own.grows)),
			    value = run->l->model[i].on, out;
		enum clauses_answer answer;
		size_t at;

		if (!run->l->model[i].survives)
			continue;
		found = fset_has(&value, feature);
		if (fset_has(&fixed, feature))
			continue;
		fset_put(&fixed, feature, true);
		fset_put(&value, feature, true);
		while (!found && good && (answer = lattice_next(run, &c, fixed, value, &out)) != CLAUSES_NONE) {
			at = answer == CLAUSES_FOUND ? search_graph_find(run->l, &out) : 0;
			good = answer == CLAUSES_FOUND &&
				(at < run->l->n_models || lattice_test(run, &out, GRAPH_DISCOVERY, &at));
			if (!good)
				break;
			if (at + 1 == run->l->n_models)
				lattice_connect(run, at);
			found = run->l->model[at].survives;
			clauses_add(&c, (struct clause){.on = fset_minus(run->all, out), .off = out});
		}
	}
	clauses_free(&c);
	return good;
}

/* A test here may show that a feature removes something. Then the conclusions are drawn again. */
bool
lattice_find_needs(struct lattice_run *run)
{
	struct search_graph *lattice = run->l;
	struct fset trusted;
	bool good = true;

	do {
		trusted = lattice->own.grows;
		memset(lattice->own.needed, 0, run->p->n_observations * sizeof *lattice->own.needed);
		for (size_t f = 0; f < run->p->n_features && good; f++)
			good = fset_has(&run->p->fixed, f) || (find_needs(run, f) && lattice_classify_rest(run));
		for (size_t f = 0; f < run->p->n_features && good; f++)
			good = fset_has(&run->p->fixed, f) || find_survivor_with(run, f);
		good = good && lattice_classify_rest(run);
	} while (good && !fset_equal(&trusted, &lattice->own.grows));
	if (!good)
		memset(lattice->own.needed, 0, run->p->n_observations * sizeof *lattice->own.needed);
	return good;
}
