/* Graphs of searches as values: encoded and decoded, damaged, merged. */
#include "core/search/search_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "shape/wire.h"
#include "test.h"

#define FEATURES 6

static struct fset
set_of(uint64_t bits)
{
	return (struct fset){.w = {bits}};
}

static struct search_graph *
graph_of(size_t n_observations, const char *prefix)
{
	struct search_graph *g = search_graph_new();

	g->n_observations = n_observations;
	g->observation = mem_new_array(n_observations, sizeof *g->observation);
	for (size_t i = 0; i < n_observations; i++)
		g->observation[i] = str_format("%s%zu", prefix, i);
	return g;
}

/* A model that the observations of `refuted` refute. */
static size_t
add_model(struct search_graph *g, uint64_t on, uint64_t refuted, int step)
{
	struct search_graph_model m = {.on = set_of(on),
		.usable = true,
		.cone = on * 77,
		.survives = !refuted,
		.n_words = (g->n_observations + 63) / 64,
		.step = step};

	m.infeasible = (size_t)__builtin_popcountll(refuted);
	m.refuted = mem_new_array(m.n_words, sizeof *m.refuted);
	if (m.n_words)
		m.refuted[0] = refuted;
	m.worst = refuted ? mem_str("a <= b") : NULL;
	m.worst_by = refuted ? mem_str("x0") : NULL;
	g->model = mem_resize(g->model, g->n_models + 1, sizeof *g->model);
	g->model[g->n_models] = m;
	return g->n_models++;
}

static void
add_edge(struct search_graph *g, size_t from, size_t to, int step)
{
	struct search_graph_edge e = {.from = from, .to = to, .step = step};

	for (size_t i = 0; i < FSET_MAX / 64; i++)
		e.changed.w[i] = g->model[from].on.w[i] ^ g->model[to].on.w[i];
	g->edge = mem_resize(g->edge, g->n_edges + 1, sizeof *g->edge);
	g->edge[g->n_edges++] = e;
}

static void
add_minimal(struct search_graph *g, size_t at)
{
	g->needs.minimal = mem_resize(g->needs.minimal, g->needs.n_minimal + 1, sizeof *g->needs.minimal);
	g->needs.minimal[g->needs.n_minimal++] = at;
}

static void
add_alike(struct search_graph *g, uint64_t one, uint64_t other)
{
	g->alike = mem_resize(g->alike, g->n_alike + 1, sizeof *g->alike);
	g->alike[g->n_alike++] =
		(struct search_graph_alike){.one = set_of(one), .other = set_of(other), .why = mem_str("says: why"),
			.says = mem_str("says"), .example = mem_str("why"), .tested = 2, .held = 1};
}

/* Two observations refute model 1; model 3 survives. */
static struct search_graph *
small_graph(void)
{
	struct search_graph *g = graph_of(3, "x");

	g->task = SEARCH_DISCOVER;
	add_model(g, 1, 3, GRAPH_START);
	add_model(g, 3, 0, GRAPH_DISCOVERY);
	add_edge(g, 0, 1, GRAPH_DISCOVERY);
	add_minimal(g, 1);
	add_alike(g, 4, 3);
	g->needs.required = set_of(3);
	g->needs.optional = set_of(8);
	g->needs.useless = set_of(16);
	g->fixed = set_of(32);
	g->proposed = set_of(3);
	g->repair = mem_new_array(2, sizeof *g->repair);
	g->n_repairs = 2;
	g->repair[0] = (struct search_graph_repair){.feature = 1, .frees = 2};
	g->repair[1] = (struct search_graph_repair){.feature = 4, .frees = 0};
	g->reason = mem_str("because");
	g->says = mem_str("it says");
	g->sets = 64;
	g->tested = 2;
	g->seconds = 0.5;
	return g;
}

static void
expect_equal(const struct search_graph *a, const struct search_graph *b)
{
	CHECK_INT(a->task, b->task);
	CHECK_INT(a->running, b->running);
	CHECK_INT(a->complete, b->complete);
	CHECK_STR(a->reason, b->reason);
	CHECK_STR(a->says, b->says);
	CHECK_INT(a->tested, b->tested);
	CHECK(fset_equal(&a->needs.required, &b->needs.required) &&
		fset_equal(&a->needs.optional, &b->needs.optional) && fset_equal(&a->needs.useless, &b->needs.useless));
	CHECK(fset_equal(&a->fixed, &b->fixed) && fset_equal(&a->proposed, &b->proposed));
	CHECK(memcmp(&a->sets, &b->sets, sizeof a->sets) == 0 &&
		memcmp(&a->seconds, &b->seconds, sizeof a->seconds) == 0);
	if (!CHECK_INT(a->n_observations, b->n_observations) || !CHECK_INT(a->n_models, b->n_models) ||
		!CHECK_INT(a->n_edges, b->n_edges) || !CHECK_INT(a->needs.n_minimal, b->needs.n_minimal) ||
		!CHECK_INT(a->n_repairs, b->n_repairs) || !CHECK_INT(a->n_alike, b->n_alike))
		return;
	for (size_t i = 0; i < a->n_observations; i++)
		CHECK_STR(a->observation[i], b->observation[i]);
	for (size_t i = 0; i < a->n_models; i++) {
		const struct search_graph_model *m = &a->model[i], *n = &b->model[i];

		CHECK(fset_equal(&m->on, &n->on) && m->cone == n->cone && m->usable == n->usable &&
			m->survives == n->survives && m->step == n->step);
		CHECK(m->infeasible == n->infeasible && m->n_words == n->n_words &&
			memcmp(m->refuted, n->refuted, m->n_words * sizeof *m->refuted) == 0);
		CHECK(str_eq(m->worst ? m->worst : "-", n->worst ? n->worst : "-"));
		CHECK(str_eq(m->worst_by ? m->worst_by : "-", n->worst_by ? n->worst_by : "-"));
	}
	for (size_t i = 0; i < a->n_edges; i++)
		CHECK(a->edge[i].from == b->edge[i].from && a->edge[i].to == b->edge[i].to &&
			a->edge[i].step == b->edge[i].step && fset_equal(&a->edge[i].changed, &b->edge[i].changed));
	for (size_t i = 0; i < a->needs.n_minimal; i++)
		CHECK_INT(a->needs.minimal[i], b->needs.minimal[i]);
	for (size_t i = 0; i < a->n_repairs; i++)
		CHECK(a->repair[i].feature == b->repair[i].feature && a->repair[i].frees == b->repair[i].frees);
	for (size_t i = 0; i < a->n_alike; i++)
		CHECK(fset_equal(&a->alike[i].one, &b->alike[i].one) &&
			fset_equal(&a->alike[i].other, &b->alike[i].other) &&
			str_eq(a->alike[i].why, b->alike[i].why) &&
			str_eq(a->alike[i].says, b->alike[i].says) &&
			str_eq(a->alike[i].example, b->alike[i].example) &&
			a->alike[i].tested == b->alike[i].tested && a->alike[i].held == b->alike[i].held);
}

static struct search_graph *
read_graph(unsigned char *data, size_t n, bool *bad)
{
	struct wire w = {.reading = true, .data = data, .n = n};
	struct search_graph *g = search_graph_new();

	search_graph_wire(&w, g);
	*bad = w.bad;
	return g;
}

static void
encoded_and_decoded(void)
{
	struct search_graph *whole[] = {small_graph(), search_graph_new(), graph_of(70, "many")};
	bool bad;

	add_model(whole[2], 5, 9, GRAPH_CHOSEN);
	for (size_t i = 0; i < 3; i++) {
		struct wire w = {0};
		struct search_graph *g;

		search_graph_wire(&w, whole[i]);
		g = read_graph(w.data, w.n, &bad);
		CHECK(!bad);
		if (whole[i]->reason)
			expect_equal(g, whole[i]);
		CHECK_INT(g->n_models, whole[i]->n_models);
		CHECK(isnan(g->sets) == isnan(whole[i]->sets));
		search_graph_free(g);
		search_graph_free(whole[i]);
		wire_free(&w);
	}
}

/* A message cut short anywhere is refused. With any byte changed it is refused, or gives a graph whose numbers stay
 * within it. */
static void
damaged(void)
{
	struct search_graph *whole = small_graph();
	struct wire w = {0};
	size_t seen = 0;
	bool bad;

	search_graph_wire(&w, whole);
	for (size_t n = 0; n < w.n; n++) {
		unsigned char *part = mem_copy(w.data, n); /* an exact copy, so that a sanitizer sees reads beyond it */
		struct search_graph *g = read_graph(part, n, &bad);

		test_label("cut at %zu", n);
		CHECK(bad);
		search_graph_free(g);
		free(part);
	}
	for (size_t at = 0; at < w.n; at++)
		for (int with = 1; with < 256; with *= 7) {
			struct search_graph *g;

			w.data[at] ^= (unsigned char)with;
			g = read_graph(w.data, w.n, &bad);
			w.data[at] ^= (unsigned char)with;
			seen += bad;
			test_label("byte %zu", at);
			for (size_t i = 0; i < g->n_edges && !bad; i++)
				CHECK(g->edge[i].from < g->n_models && g->edge[i].to < g->n_models);
			for (size_t i = 0; i < g->needs.n_minimal && !bad; i++)
				CHECK(g->needs.minimal[i] < g->n_models);
			for (size_t i = 0; i < g->n_models && !bad; i++)
				CHECK_INT(g->model[i].n_words, 1);
			search_graph_free(g);
		}
	CHECK(seen > 100);
	wire_free(&w);
	search_graph_free(whole);
}

static bool
has_edge(const struct search_graph *g, uint64_t a, uint64_t b)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n_edges; i++) {
		uint64_t from = g->model[g->edge[i].from].on.w[0], to = g->model[g->edge[i].to].on.w[0];

		n += (from == a && to == b) || (from == b && to == a);
	}
	return n == 1;
}

static void
merging_unites(void)
{
	struct search_graph *have = small_graph(), *more = graph_of(3, "x");

	more->task = SEARCH_ELIMINATE;
	more->running = true;
	add_model(more, 7, 0, GRAPH_START);
	add_model(more, 3, 4, GRAPH_ELIMINATION); /* another observation refutes it now */
	add_model(more, 1, 3, GRAPH_ELIMINATION);
	add_edge(more, 0, 1, GRAPH_ELIMINATION);
	add_edge(more, 1, 2, GRAPH_ELIMINATION); /* a known edge, in the other direction */
	add_minimal(more, 0);
	add_alike(more, 4, 3);
	add_alike(more, 2, 1);
	more->reason = mem_str("newer");
	search_graph_merge(have, more);
	CHECK_INT(have->n_models, 3);
	CHECK_INT(have->model[1].on.w[0], 3);
	CHECK(!have->model[1].survives);
	CHECK_INT(have->model[1].refuted[0], 4);
	CHECK_INT(have->model[1].step, GRAPH_DISCOVERY);
	CHECK_INT(search_graph_find(have, &(struct fset){.w = {7}}), 2);
	CHECK_INT(search_graph_find(have, &(struct fset){.w = {2}}), 3);
	CHECK_INT(have->n_edges, 2);
	CHECK(has_edge(have, 1, 3) && has_edge(have, 3, 7));
	CHECK_INT(have->n_alike, 2);
	CHECK_INT(have->needs.n_minimal, 1);
	CHECK_INT(have->model[have->needs.minimal[0]].on.w[0], 7);
	CHECK_INT(have->needs.required.w[0], 7);
	CHECK_INT(have->tested, 3);
	CHECK_STR(have->reason, "newer");
	CHECK(!have->says && have->running && have->task == SEARCH_ELIMINATE);
	CHECK_INT(have->n_repairs, 0);
	CHECK(fset_count(&have->proposed) == 0);
	search_graph_free(have);
}

/* What a complete search found outlives a step, a stopped search and one that never began, but not another complete
 * search. */
static void
merging_keeps_what_is_complete(void)
{
	struct search_graph *have = small_graph(), *more;

	have->complete = true;
	have->task = SEARCH_AUTO;
	free(have->reason);
	have->reason = NULL;
	more = graph_of(3, "x");
	more->task = SEARCH_AUTO;
	more->running = true;
	more->reason = mem_str("it goes on");
	add_model(more, 9, 1, GRAPH_START);
	search_graph_merge(have, more);
	CHECK(have->complete && !have->reason && have->running);
	CHECK_INT(have->n_models, 3);
	CHECK_INT(have->needs.required.w[0], 3);
	CHECK_INT(have->needs.useless.w[0], 16);
	CHECK_INT(have->tested, 2);
	more = search_graph_new(); /* refused: no names, no models */
	more->task = SEARCH_DISCOVER;
	more->reason = mem_str("stopped");
	search_graph_merge(have, more);
	CHECK(have->complete && !have->reason && !have->running);
	CHECK_INT(have->n_observations, 3);
	CHECK_INT(have->n_models, 3);
	more = graph_of(3, "x");
	more->task = SEARCH_AUTO;
	more->complete = true;
	more->sets = 8;
	more->tested = 1;
	add_model(more, 2, 0, GRAPH_START);
	add_minimal(more, 0);
	more->needs.required = set_of(2);
	search_graph_merge(have, more);
	CHECK_INT(have->needs.n_minimal, 1);
	CHECK_INT(have->needs.minimal[0], 3);
	CHECK_INT(have->needs.required.w[0], 2);
	CHECK_INT(have->sets, 8);
	search_graph_free(have);
}

/* Bits of other observations are not mixed with these. What is merged can always be encoded. */
static void
merging_other_data(void)
{
	struct search_graph *have = small_graph(), *more = graph_of(100, "y");
	struct wire w = {0};
	bool bad;

	add_model(more, 5, 1, GRAPH_CHOSEN);
	search_graph_merge(have, more);
	CHECK_INT(have->n_models, 1);
	CHECK_INT(have->n_observations, 100);
	search_graph_wire(&w, have);
	search_graph_free(read_graph(w.data, w.n, &bad));
	CHECK(!bad);
	wire_free(&w);
	more = search_graph_new();
	search_graph_merge(more, have);
	CHECK_INT(more->n_models, 1);
	search_graph_free(more);
}

/* Many random pieces: the union has each set once with its latest verdict, each edge once, and the smallest
 * survivors. */
static void
merging_at_random(void)
{
	uint64_t seed = 21;

	for (unsigned round = 0; round < test_rounds(100, 3000); round++) {
		struct search_graph *have = graph_of(3, "x");
		uint64_t refuted[1 << FEATURES];
		bool there[1 << FEATURES] = {0};

		test_label("round %u", round);
		for (unsigned piece = 0; piece < 6; piece++) {
			struct search_graph *more = graph_of(3, "x");

			for (size_t i = test_random(&seed) % 12; i > 0; i--) {
				uint64_t on = test_random(&seed) % (1 << FEATURES);

				if (search_graph_find(more, &(struct fset){.w = {on}}) < more->n_models)
					continue;
				refuted[on] = test_random(&seed) % 3 ? test_random(&seed) % 8 : 0;
				there[on] = true;
				add_model(more, on, refuted[on], GRAPH_CHOSEN);
				if (more->n_models > 1)
					add_edge(more, more->n_models - 1, test_random(&seed) % (more->n_models - 1),
						GRAPH_CHOSEN);
			}
			search_graph_merge(have, more);
		}
		for (uint64_t on = 0; on < 1 << FEATURES; on++) {
			size_t at = search_graph_find(have, &(struct fset){.w = {on}}), named = 0;
			bool least = there[on] && !refuted[on];

			CHECK_INT(at < have->n_models, there[on]);
			if (there[on])
				CHECK_INT(have->model[at].refuted[0], refuted[on]);
			for (uint64_t less = 0; less < on; less++)
				least &= (less & ~on) || !there[less] || refuted[less];
			for (size_t i = 0; i < have->needs.n_minimal; i++)
				named += have->needs.minimal[i] == at;
			CHECK_INT(named, least);
		}
		for (size_t i = 0; i < have->n_edges; i++)
			CHECK(has_edge(
				have, have->model[have->edge[i].from].on.w[0], have->model[have->edge[i].to].on.w[0]));
		search_graph_free(have);
	}
}

TEST_MAIN(CASE(encoded_and_decoded), CASE(damaged), CASE(merging_unites), CASE(merging_keeps_what_is_complete),
	CASE(merging_other_data), CASE(merging_at_random))
