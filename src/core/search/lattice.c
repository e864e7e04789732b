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
find_impossible(struct lattice_run *run)
{
	const struct clauses no = {0};

	for (size_t f = 0; f < run->p->n_features; f++) {
		size_t nodes = IMPOSSIBLE_NODES_MAX;
		struct clauses_query q;
		struct fset one = {0}, any;

		if (fset_has(&run->p->start, f) || fset_has(&run->p->fixed, f))
			continue;
		fset_put(&one, f, true);
		q = lattice_query(run, one, one);
		q.nodes = &nodes;
		fset_put(&run->l->own.impossible, f, clauses_next(&no, &q, &any) == CLAUSES_NONE);
	}
}

static void
search_all(struct lattice_run *s)
{
	struct search_graph *l = s->l;
	size_t at = 0;

	l->complete = lattice_discover(s, &at) && (!l->model[at].survives || lattice_eliminate(s, at)) &&
		lattice_classify_rest(s) && lattice_find_needs(s);
	l->own.whole = l->complete;
}

/* Does one step only, which classifies no set but those that it tests. */
static void
search_one_step(struct lattice_run *run)
{
	struct search_graph *lattice = run->l;
	size_t at;

	if (run->p->task == SEARCH_DISCOVER) {
		lattice->own.whole = lattice_discover_once(run);
		if (lattice->own.whole)
			search_graph_set_reason(lattice, "one step of discovery tests only what it proposes");
	} else {
		lattice->own.whole = lattice_test(run, &run->p->start, GRAPH_START, &at) && lattice_prune(run, at);
		if (lattice->own.whole)
			search_graph_set_reason(
				lattice, "elimination tests only sets below the one that it begins with");
	}
}

void
lattice_search(const struct lattice_problem *problem, struct search_graph *graph)
{
	struct lattice_run s = {.p = problem, .l = graph,
		.tests_max = problem->tests_max ? problem->tests_max : LATTICE_TESTS_MAX,
		.nodes = LATTICE_NODES_MAX};

	for (size_t i = 0; i < problem->n_features; i++)
		fset_put(&s.all, i, true);
	graph->n_observations = problem->n_observations;
	if (!graph->observation)
		graph->observation = mem_new_array(problem->n_observations, sizeof *graph->observation);
	graph->fixed = fset_and(problem->fixed, s.all);
	graph->own.grows = fset_and(problem->grows, s.all);
	graph->own.needed = mem_new_array(problem->n_observations, sizeof *graph->own.needed);
	graph->own.orphan = mem_new_array(problem->n_observations, sizeof *graph->own.orphan);
	count_sets(&s);
	find_impossible(&s);
	switch (problem->task) {
	case SEARCH_NONE:
	case SEARCH_AUTO:
		search_all(&s);
		break;
	case SEARCH_DISCOVER:
	case SEARCH_ELIMINATE:
		search_one_step(&s);
		break;
	}
	if (graph->own.stopped)
		search_graph_set_reason(graph, "it was stopped");
	lattice_sum(graph);
	clauses_free(&s.map);
}
