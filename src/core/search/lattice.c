/* The order of a search. Discovery climbs from the start until nothing is refuted. Elimination descends from a
 * survivor until no feature can be removed. Then the map (clauses.h) gives the unclassified sets, the largest first.
 * So a refuted set from the map is a maximal one:
 *
 *          {A B C}  survives, and so does what adds to it
 *         /   | \
 *       AB    AC    BC         AB is refuted: A and B are too, without a test
 *         \  /  \  /
 *          A     C             A C survives: it is minimal once A and C are refuted
 *
 * At the end every legal set is below a tested refuted one or above a tested survivor. */
#include "core/search/lattice.h"

#include <stdlib.h>

#include "base/mem.h"
#include "core/search/lattice_run.h"

#define SETS_COUNTED 100000.0       /* count legal sets up to this number */
#define IMPOSSIBLE_NODES_MAX 100000 /* choices visited for one feature */

static void
count_sets(struct lattice_run *s)
{
	size_t nodes = LATTICE_NODES_MAX;
	struct clauses_query q = lattice_query(s, (struct fset){0}, (struct fset){0});

	q.nodes = &nodes;
	s->l->sets = clauses_count(&q, SETS_COUNTED);
}

/* If the search takes too long, the feature counts as possible. */
static void
find_impossible(struct lattice_run *s)
{
	const struct clauses no = {0};

	for (size_t f = 0; f < s->p->n_features; f++) {
		size_t nodes = IMPOSSIBLE_NODES_MAX;
		struct clauses_query q;
		struct fset one = {0}, any;

		if (fset_has(&s->p->start, f) || fset_has(&s->p->fixed, f))
			continue;
		fset_put(&one, f, true);
		q = lattice_query(s, one, one);
		q.nodes = &nodes;
		fset_put(&s->l->impossible, f, clauses_next(&no, &q, &any) == CLAUSES_NONE);
	}
}

static void
search_all(struct lattice_run *s)
{
	struct lattice *l = s->l;
	size_t at = 0;

	l->complete = lattice_discover(s, &at) && (!lattice_survives(&l->model[at]) || lattice_eliminate(s, at)) &&
		lattice_classify_rest(s) && lattice_find_needs(s);
	l->whole = l->complete;
}

/* Does one step only, which classifies no set but those that it tests. */
static void
search_one_step(struct lattice_run *s)
{
	struct lattice *l = s->l;
	size_t at;

	if (s->p->task == LATTICE_DISCOVER) {
		l->whole = lattice_discover_once(s);
		if (l->whole)
			l->reason = "one step of discovery tests only what it proposes";
	} else {
		l->whole = lattice_test(s, &s->p->start, LATTICE_START, &at) && lattice_prune(s, at);
		if (l->whole)
			l->reason = "elimination tests only sets below the one that it begins with";
	}
}

struct lattice *
lattice_search(const struct lattice_problem *p)
{
	struct lattice_run s = {
		.p = p, .tests_max = p->tests_max ? p->tests_max : LATTICE_TESTS_MAX, .nodes = LATTICE_NODES_MAX};
	struct lattice *l = s.l = mem_new(sizeof *l);

	for (size_t i = 0; i < p->n_features; i++)
		fset_put(&s.all, i, true);
	l->n_features = p->n_features;
	l->n_observations = p->n_observations;
	l->n_words = (p->n_observations + 63) / 64;
	l->fixed = fset_and(p->fixed, s.all);
	l->grows = fset_and(p->grows, s.all);
	l->needs = mem_new_array(p->n_observations, sizeof *l->needs);
	l->orphan = mem_new_array(p->n_observations, sizeof *l->orphan);
	count_sets(&s);
	find_impossible(&s);
	switch (p->task) {
	case LATTICE_ALL:
		search_all(&s);
		break;
	case LATTICE_DISCOVER:
	case LATTICE_PRUNE:
		search_one_step(&s);
		break;
	}
	if (l->stopped)
		l->reason = "it was stopped";
	lattice_sum(l);
	lattice_find_idle(l);
	clauses_free(&s.map);
	return l;
}

void
lattice_free(struct lattice *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->n_models; i++)
		free(l->model[i].infeasible);
	free(l->model);
	free(l->edge);
	free(l->shrink);
	free(l->minimal);
	free(l->needs);
	free(l->orphan);
	free(l);
}
