/* Discovery and elimination, to the end and one step at a time. */
#include "core/search/lattice_run.h"

/* Add all features that repair something at once (CounterPoint section 5). If they are unknown or exclude each
 * other, add as many features as possible. */
bool
lattice_discover(struct lattice_run *run, size_t *at)
{
	const struct clauses no = {0};

	if (!lattice_test(run, &run->p->start, GRAPH_START, at))
		return false;
	while (!run->l->model[*at].survives) {
		struct fset on = run->l->model[*at].on, to = on;
		size_t from = *at, have;

		if (run->p->repairs && run->l->model[*at].usable)
			to = fset_or(on, fset_minus(run->p->repairs(run->p->ctx, &on), run->p->fixed));
		if (fset_equal(&to, &on) || !lattice_is_legal(run, &to)) {
			enum clauses_answer answer = lattice_next(run, &no, on, on, &to);

			if (answer == CLAUSES_GAVE_UP || answer == CLAUSES_STOPPED)
				return false;
		}
		if (fset_equal(&to, &on) || (have = search_graph_find(run->l, &to)) < run->l->n_models)
			return true;
		if (!lattice_test(run, &to, GRAPH_DISCOVERY, at))
			return false;
		lattice_add_edge(run, from, *at, GRAPH_DISCOVERY);
	}
	return true;
}

/* Test the set if it is legal and unclassified. *to is its index, or the number of models if it is not tested. Returns
 * false if the search ends. */
static bool
try_less(struct lattice_run *s, size_t from, const struct fset *less, bool even_if_known, size_t *to)
{
	*to = search_graph_find(s->l, less);
	if (*to == s->l->n_models) {
		if (!lattice_is_legal(s, less) || (!even_if_known && !lattice_is_open(s, less)))
			return true;
		if (!lattice_test(s, less, GRAPH_ELIMINATION, to))
			return false;
	}
	lattice_add_edge(s, from, *to, GRAPH_ELIMINATION);
	return true;
}

/* Returns true if the feature may be removed. */
static bool
may_go(const struct lattice_run *s, const struct fset *on, size_t f)
{
	return fset_has(on, f) && !fset_has(&s->p->fixed, f);
}

/* Test each set one feature smaller than a minimal survivor, also if the map knows that it is refuted: the result
 * shows which observations refute it. */
static bool
try_each(struct lattice_run *run, size_t at)
{
	for (size_t f = 0; f < run->p->n_features; f++) {
		struct fset less = run->l->model[at].on;
		size_t to;

		if (!may_go(run, &less, f))
			continue;
		fset_put(&less, f, false);
		if (!try_less(run, at, &less, true, &to))
			return false;
	}
	return true;
}

/* Remove features from a survivor until none can be removed: one at a time, twice as many after a success, half as
 * many after a failure. Other survivors below it are found by the map. */
bool
lattice_eliminate(struct lattice_run *run, size_t at)
{
	size_t f = 0, step = 1;

	while (f < run->p->n_features) {
		struct fset less = run->l->model[at].on;
		size_t end = f, taken = 0, to;

		for (; end < run->p->n_features && taken < step; end++)
			if (may_go(run, &less, end)) {
				fset_put(&less, end, false);
				taken++;
			}
		if (!taken)
			break;
		if (!try_less(run, at, &less, false, &to))
			return false;
		if (to < run->l->n_models && run->l->model[to].survives) {
			at = to;
			f = end;
			step *= 2;
		} else if (taken > 1) {
			step = (taken + 1) / 2;
		} else {
			f = end;
		}
	}
	return try_each(run, at);
}

/* One step of discovery: the start, and the start with everything that repairs something. */
bool
lattice_discover_once(struct lattice_run *run)
{
	struct fset to;
	size_t from, at;

	if (!lattice_test(run, &run->p->start, GRAPH_START, &from))
		return false;
	if (run->l->model[from].survives || !run->l->model[from].usable || !run->p->repairs)
		return true;
	to = fset_or(run->p->start, fset_minus(run->p->repairs(run->p->ctx, &run->p->start), run->p->fixed));
	if (fset_equal(&to, &run->p->start) || !lattice_is_legal(run, &to))
		return true;
	if (!lattice_test(run, &to, GRAPH_DISCOVERY, &at))
		return false;
	lattice_add_edge(run, from, at, GRAPH_DISCOVERY);
	return true;
}

/* Depth first: remove each feature, and continue from there if the set survives. If nothing more can be removed,
 * each smaller set is tested, to show which observations refute it. */
static bool
prune_from(struct lattice_run *run, size_t at, bool top)
{
	bool least = true;

	if (top && !try_each(run, at))
		return false;
	for (size_t f = 0; f < run->p->n_features; f++) {
		struct fset less = run->l->model[at].on;
		size_t before = run->l->n_models, to;

		if (!may_go(run, &less, f))
			continue;
		fset_put(&less, f, false);
		if (!try_less(run, at, &less, false, &to))
			return false;
		if (to == run->l->n_models || !run->l->model[to].survives)
			continue;
		least = false;
		if ((top || to >= before) && !prune_from(run, to, false))
			return false;
	}
	return !least || try_each(run, at);
}

/* Also test unclassified sets below a set: survivors that depth first missed and, if features may remove something,
 * sets below a refuted one. */
bool
lattice_prune(struct lattice_run *run, size_t at)
{
	struct fset top = run->l->model[at].on, fixed = fset_minus(run->all, top), open;

	if (!run->l->model[at].survives)
		return true;
	if (!prune_from(run, at, true))
		return false;
	for (;;) {
		enum clauses_answer answer = lattice_next(run, &run->map, fixed, (struct fset){0}, &open);

		if (answer != CLAUSES_FOUND)
			return answer == CLAUSES_NONE;
		if (!lattice_test(run, &open, GRAPH_ELIMINATION, &at))
			return false;
		lattice_connect(run, at);
		if (run->l->model[at].survives && !prune_from(run, at, false))
			return false;
	}
}

bool
lattice_classify_rest(struct lattice_run *run)
{
	struct fset open, zero = {0};
	size_t at;

	for (;;) {
		enum clauses_answer answer = lattice_next(run, &run->map, zero, zero, &open);

		if (answer != CLAUSES_FOUND)
			return answer == CLAUSES_NONE;
		if (!lattice_test(run, &open, GRAPH_ELIMINATION, &at))
			return false;
		lattice_connect(run, at);
		if (run->l->model[at].survives && !lattice_eliminate(run, at))
			return false;
	}
}
