/* The map of a search. Each tested set becomes a clause. The sets that satisfy it are exactly those that the test does
 * not classify. */
#include "core/search/lattice_run.h"

bool
lattice_is_legal(const struct lattice_run *s, const struct fset *on)
{
	return s->p->legal(s->p->ctx, on, &s->all);
}

/* The clause of a tested set. A survivor classifies its supersets. A refuted set classifies its subsets, unless it
 * is `alone`. Both hold only for sets that differ in features that only add. */
static struct clause
clause_of(const struct lattice_run *s, const struct search_graph_model *m)
{
	struct fset off = fset_minus(s->all, m->on), may_remove = fset_minus(s->all, s->l->own.grows);

	if (!m->usable || (m->alone && !m->survives))
		return (struct clause){.on = off, .off = m->on};
	if (m->survives)
		return (struct clause){.on = fset_and(off, may_remove), .off = m->on};
	return (struct clause){.on = off, .off = fset_and(m->on, may_remove)};
}

void
lattice_map_model(struct lattice_run *s, const struct search_graph_model *m)
{
	clauses_add(&s->map, clause_of(s, m));
}

static bool
keeps(const struct clause *c, const struct fset *on)
{
	return !fset_is_empty(fset_and(c->on, *on)) || !fset_is_empty(fset_minus(c->off, *on));
}

bool
lattice_is_open(const struct lattice_run *s, const struct fset *on)
{
	for (size_t i = 0; i < s->map.n; i++)
		if (!keeps(&s->map.clause[i], on))
			return false;
	return true;
}

struct clauses_query
lattice_query(struct lattice_run *s, struct fset fixed, struct fset value)
{
	const struct lattice_problem *p = s->p;

	return (struct clauses_query){.n_features = p->n_features, .fixed = fset_or(fixed, p->fixed),
		.value = fset_or(fset_minus(value, p->fixed), fset_and(p->start, p->fixed)), .legal = p->legal,
		.go_on = p->go_on,
		.ctx = p->ctx, .nodes = &s->nodes};
}

enum clauses_answer
lattice_next(struct lattice_run *s, const struct clauses *c, struct fset fixed, struct fset value, struct fset *out)
{
	struct clauses_query q = lattice_query(s, fixed, value);
	enum clauses_answer answer = clauses_next(c, &q, out);

	s->l->own.stopped |= answer == CLAUSES_STOPPED;
	if (answer == CLAUSES_GAVE_UP)
		search_graph_set_reason(s->l,
			"there are too many sets of features to find those that are still open; fix some features");
	return answer;
}
