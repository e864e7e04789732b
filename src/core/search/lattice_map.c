/* The map of a search: each tested set is a clause that the sets of which it says nothing keep. */
#include "core/search/lattice_work.h"

bool
lattice_is_legal(const struct lattice_work *s, const struct fset *on)
{
	return s->p->legal(s->p->ctx, on, &s->all);
}

/* What a tested set says of others: a survivor of its supersets, a refuted one of its subsets unless it stands alone,
 * as far as they differ in features that only add. The clause is kept by the sets of which it says nothing. */
static struct clause
clause_of(const struct lattice_work *s, const struct lattice_model *m)
{
	struct fset off = minus(s->all, m->on), wild = minus(s->all, s->l->grows);

	if (!m->usable || (m->alone && !survives(m)))
		return (struct clause){.on = off, .off = m->on};
	if (survives(m))
		return (struct clause){.on = both(off, wild), .off = m->on};
	return (struct clause){.on = off, .off = both(m->on, wild)};
}

void
lattice_map_model(struct lattice_work *s, const struct lattice_model *m)
{
	clauses_add(&s->map, clause_of(s, m));
}

static bool
keeps(const struct clause *c, const struct fset *on)
{
	return !none(both(c->on, *on)) || !none(minus(c->off, *on));
}

bool
lattice_is_open(const struct lattice_work *s, const struct fset *on)
{
	for (size_t i = 0; i < s->map.n; i++)
		if (!keeps(&s->map.clause[i], on))
			return false;
	return true;
}

struct clauses_query
lattice_query(struct lattice_work *s, struct fset fixed, struct fset value)
{
	const struct lattice_problem *p = s->p;

	return (struct clauses_query){.n_features = p->n_features, .fixed = either(fixed, p->fixed),
		.value = either(minus(value, p->fixed), both(p->start, p->fixed)), .legal = p->legal, .go_on = p->go_on,
		.ctx = p->ctx, .nodes = &s->nodes};
}

enum clauses_answer
lattice_next(struct lattice_work *s, const struct clauses *c, struct fset fixed, struct fset value, struct fset *out)
{
	struct clauses_query q = lattice_query(s, fixed, value);
	enum clauses_answer answer = clauses_next(c, &q, out);

	s->l->stopped |= answer == CLAUSES_STOPPED;
	if (answer == CLAUSES_GAVE_UP)
		s->l->reason =
			"there are too many sets of features to find those that are still open; fix some features";
	return answer;
}
