/* core/search compared with brute force: random families with a verdict for every set of a few features, and cones that
 * are sets of µpaths. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/cone/signatures.h"
#include "core/search/lattice.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "tests/lib/models.h"
#include "tests/lib/test.h"

#define FEATURES 7
#define OBSERVATIONS 70 /* more than the bits of a word */
#define SETS (1u << FEATURES)

/* The "cone" of a set of features is its set of µpaths. An observation is feasible if the cone holds one of its two
 * groups of µpaths. */
struct family {
	size_t n;
	uint64_t path[FEATURES];     /* µpaths that the feature adds */
	uint64_t taken[FEATURES];    /* µpaths that it takes away */
	uint64_t base;
	uint64_t want[OBSERVATIONS][2]; /* two groups of µpaths */
	uint32_t requires[FEATURES], excludes[FEATURES];
	uint32_t broken;             /* sets with all of these make an error; 0: none */
	size_t tests;
	bool tested[SETS];
	uint64_t cone[SETS];
	size_t n_cones;
	bool stops;
	size_t stop_after;
	uint32_t start, fixed;       /* features that keep their value of start */
	size_t observed, n_observed;         /* calls of the observer, and models at the last one */
};

static uint32_t
bits(const struct fset *s)
{
	return (uint32_t)s->w[0];
}

static struct fset
set_of(uint32_t bits)
{
	return (struct fset){.w = {bits}};
}

static bool
legal_set(const struct family *f, uint32_t on)
{
	for (size_t i = 0; i < f->n; i++)
		if (on >> i & 1 && ((f->requires[i] & ~on) || (f->excludes[i] & on)))
			return false;
	return true;
}

/* True if the search may reach the set. */
static bool
in_scope(const struct family *f, uint32_t on)
{
	return legal_set(f, on) && !((on ^ f->start) & f->fixed);
}

static bool
legal(void *ctx, const struct fset *on, const struct fset *known)
{
	const struct family *f = ctx;
	uint32_t yes = bits(on) & bits(known), no = ~bits(on) & bits(known);

	for (size_t i = 0; i < f->n; i++)
		if (yes >> i & 1 && ((f->requires[i] & no) || (f->excludes[i] & yes)))
			return false;
	return true;
}

static uint64_t
paths_of(const struct family *f, uint32_t on)
{
	uint64_t paths = f->base;

	for (size_t i = 0; i < f->n; i++)
		if (on >> i & 1)
			paths |= f->path[i];
	for (size_t i = 0; i < f->n; i++)
		if (on >> i & 1)
			paths &= ~f->taken[i];
	return paths;
}

static bool
usable_set(const struct family *f, uint32_t on)
{
	return !f->broken || (on & f->broken) != f->broken;
}

static bool
refuted(const struct family *f, uint32_t on, size_t o)
{
	uint64_t paths = paths_of(f, on);

	return (f->want[o][0] & ~paths) && (f->want[o][1] & ~paths);
}

static bool
test(void *ctx, struct search_graph_model *out)
{
	struct family *f = ctx;
	uint64_t paths = paths_of(f, bits(&out->on));

	if (f->stops && f->tests == f->stop_after)
		return false;
	CHECK(in_scope(f, bits(&out->on)));
	CHECK(!f->tested[bits(&out->on)]);
	f->tested[bits(&out->on)] = true;
	f->tests++;
	out->usable = usable_set(f, bits(&out->on));
	while (out->cone_number < f->n_cones && f->cone[out->cone_number] != paths)
		out->cone_number++;
	if (out->cone_number == f->n_cones)
		f->cone[f->n_cones++] = paths;
	for (size_t o = 0; o < OBSERVATIONS && out->usable; o++)
		if (refuted(f, bits(&out->on), o))
			out->refuted[o / 64] |= UINT64_C(1) << (o % 64);
	return true;
}

static struct search_graph *
searched(const struct lattice_problem *p)
{
	struct search_graph *graph = search_graph_new();

	lattice_search(p, graph);
	return graph;
}

static bool
inside(void *ctx, size_t smaller, size_t larger)
{
	const struct family *f = ctx;

	return !(f->cone[smaller] & ~f->cone[larger]);
}

static struct fset
repairs(void *ctx, const struct fset *on)
{
	const struct family *f = ctx;

	return set_of(((1u << f->n) - 1) & ~bits(on) & 0x55);
}

static void
make(struct family *f, uint64_t *seed, bool grows, bool laws)
{
	*f = (struct family){.n = 1 + test_random(seed) % FEATURES, .base = 1};
	for (size_t i = 0; i < f->n; i++) {
		f->path[i] = test_random(seed) & test_random(seed) & test_random(seed) & 0xffff;
		if (!grows && test_random(seed) % 3 == 0)
			f->taken[i] = test_random(seed) & test_random(seed) & test_random(seed) & 0xffff;
		if (laws && i > 0 && test_random(seed) % 3 == 0)
			f->requires[i] = 1u << test_random(seed) % i;
		if (laws && i > 0 && test_random(seed) % 4 == 0)
			f->excludes[i] = 1u << test_random(seed) % i & (test_random(seed) % 8 ? ~f->requires[i] : ~0u);
	}
	for (size_t o = 0; o < OBSERVATIONS; o++)
		for (size_t k = 0; k < 2; k++)
			do
				f->want[o][k] = test_random(seed) & test_random(seed) & test_random(seed) &
					(o % 4 ? 0x7f : 0xffff);
			while (test_random(seed) % 4 && __builtin_popcountll(f->want[o][k]) > 1);
	if (laws && test_random(seed) % 4 == 0)
		f->broken = 1u << test_random(seed) % f->n | 1u << test_random(seed) % f->n;
}

static bool
alive(const struct family *f, uint32_t on)
{
	if (!in_scope(f, on) || !usable_set(f, on))
		return false;
	for (size_t o = 0; o < OBSERVATIONS; o++)
		if (refuted(f, on, o))
			return false;
	return true;
}

static bool
in_minimal(const struct search_graph *l, uint32_t on)
{
	for (size_t i = 0; i < l->needs.n_minimal; i++)
		if (bits(&l->model[l->needs.minimal[i]].on) == on)
			return true;
	return false;
}

static void
compare_sets(const struct family *f, const struct search_graph *l)
{
	uint32_t required = ~0u, some = 0, possible = 0;
	size_t minimal = 0, sets = 0;

	for (uint32_t on = 0; on < 1u << f->n; on++) {
		bool least = alive(f, on);

		sets += in_scope(f, on);
		possible |= in_scope(f, on) ? on : 0;
		if (least) {
			required &= on;
			some |= on;
		}
		for (uint32_t less = 0; less < on && least; less++)
			least = (less & ~on) || !alive(f, less);
		minimal += least;
		if (least)
			CHECK(in_minimal(l, on));
	}
	CHECK_INT(l->needs.n_minimal, minimal);
	CHECK_INT(l->sets, sets);
	CHECK_INT(bits(&l->own.impossible), ((1u << f->n) - 1) & ~possible & ~f->fixed);
	if (minimal)
		CHECK_INT(bits(&l->needs.required), required & ~f->fixed);
	CHECK_INT(bits(&l->needs.optional), minimal ? some & ~required & ~f->fixed : 0);
}

/* An observation needs a feature if some legal set makes it feasible, but none without the feature. */
static void
compare_needs(const struct family *f, const struct search_graph *l)
{
	for (size_t o = 0; o < OBSERVATIONS; o++) {
		uint32_t needs = ~0u;
		bool taken = false;

		for (uint32_t on = 0; on < 1u << f->n; on++)
			if (in_scope(f, on) && usable_set(f, on) && !refuted(f, on, o)) {
				taken = true;
				needs &= on;
			}
		CHECK_INT(l->own.orphan[o], !taken);
		CHECK_INT(bits(&l->own.needed[o]), taken ? needs & ~f->fixed : 0);
	}
}

static void
compare_models(const struct family *f, const struct search_graph *l)
{
	CHECK_INT(l->tested, f->tests);
	for (size_t i = 0; i < l->n_models; i++) {
		const struct search_graph_model *m = &l->model[i];
		size_t n = 0;

		for (size_t o = 0; o < OBSERVATIONS && m->usable; o++) {
			CHECK_INT(graph_model_refuted_by(m, o), refuted(f, bits(&m->on), o));
			n += refuted(f, bits(&m->on), o);
		}
		CHECK_INT(m->infeasible, n);
	}
	for (size_t i = 0; i < l->n_edges; i++) {
		uint32_t from = bits(&l->model[l->edge[i].from].on), to = bits(&l->model[l->edge[i].to].on);
		bool up = l->edge[i].step == GRAPH_DISCOVERY;

		CHECK_INT(up ? from & ~to : to & ~from, 0);
		CHECK_INT(bits(&l->edge[i].changed), up ? to & ~from : from & ~to);
	}
	for (size_t i = 0; i < l->own.n_shrinks; i++) {
		uint32_t from = bits(&l->model[l->own.shrink[i].from].on), to = bits(&l->model[l->own.shrink[i].to].on);

		CHECK_INT(to, from | 1u << l->own.shrink[i].feature);
		CHECK(paths_of(f, from) & ~paths_of(f, to));
	}
}

/* The observer is called for each new model, and may sum up. */
static void
observed(void *ctx, struct search_graph *l)
{
	struct family *f = ctx;

	CHECK(l->n_models == f->n_observed || l->n_models == f->n_observed + 1);
	CHECK_INT(l->n_models, f->tests);
	CHECK(!l->complete);
	f->n_observed = l->n_models;
	f->observed++;
	lattice_sum(l);
	for (size_t i = 0; i < l->needs.n_minimal; i++)
		CHECK(alive(f, bits(&l->model[l->needs.minimal[i]].on)));
}

/* A random legal start, and features that keep their value there. */
static void
choose_start(struct family *f, uint64_t *seed)
{
	do
		f->start = (uint32_t)test_random(seed) & ((1u << f->n) - 1);
	while (!legal_set(f, f->start));
	f->fixed = (uint32_t)(test_random(seed) & test_random(seed)) & ((1u << f->n) - 1);
}

static struct lattice_problem
problem_of(struct family *f, uint64_t *seed, bool grows, bool repairing)
{
	struct lattice_problem p = {.n_features = f->n,
		.n_observations = OBSERVATIONS,
		.start = set_of(f->start),
		.fixed = set_of(f->fixed),
		.legal = legal,
		.test = test,
		.inside = inside,
		.report = observed,
		.ctx = f};

	for (size_t i = 0; i < f->n; i++)
		fset_put(&p.grows, i, grows || ((test_random(seed) & 1) && !f->taken[i]));
	p.repairs = repairing ? repairs : NULL;
	return p;
}

static void
forget(struct family *f)
{
	memset(f->tested, 0, sizeof f->tested);
	f->tests = f->n_cones = f->observed = f->n_observed = 0;
}

static void
against_brute_force(bool grows, bool laws, bool fixed, uint64_t seed, unsigned rounds)
{
	static struct family f;
	size_t tests = 0, sets = 0;

	for (unsigned round = 0; round < rounds; round++) {
		struct lattice_problem p;
		struct search_graph *l;

		make(&f, &seed, grows, laws);
		if (fixed)
			choose_start(&f, &seed);
		p = problem_of(&f, &seed, grows, round % 2);
		test_label("round %u", round);
		l = searched(&p);
		CHECK(l->complete && l->own.whole && !l->reason && !l->own.stopped);
		CHECK_INT(f.observed, l->n_models + l->n_edges);
		compare_sets(&f, l);
		compare_needs(&f, l);
		compare_models(&f, l);
		tests += l->tested;
		sets += (size_t)l->sets;
		search_graph_free(l);
	}
	if (grows)
		CHECK(tests < sets);
}

static void
monotone(void)
{
	against_brute_force(true, false, false, 1, test_rounds(300, 10000));
}

static void
monotone_with_laws(void)
{
	against_brute_force(true, true, false, 2, test_rounds(300, 10000));
}

static void
not_monotone(void)
{
	against_brute_force(false, false, false, 3, test_rounds(300, 10000));
}

static void
not_monotone_with_laws(void)
{
	against_brute_force(false, true, false, 4, test_rounds(300, 10000));
}

static void
with_fixed_features(void)
{
	against_brute_force(true, true, true, 11, test_rounds(300, 10000));
	against_brute_force(false, true, true, 12, test_rounds(300, 10000));
}

/* A partial result is true of its part. */
static void
compare_part(const struct family *f, const struct search_graph *l)
{
	compare_models(f, l);
	for (size_t i = 0; i < l->n_models; i++) {
		uint32_t on = bits(&l->model[i].on);
		bool least = alive(f, on);

		for (size_t k = 0; k < l->n_models; k++)
			least &= k == i || (bits(&l->model[k].on) & ~on) || !alive(f, bits(&l->model[k].on));
		CHECK_INT(in_minimal(l, on), least);
	}
	for (size_t o = 0; o < OBSERVATIONS; o++) {
		bool taken = false;

		for (size_t i = 0; i < l->n_models; i++)
			taken |= l->model[i].usable && !graph_model_refuted_by(&l->model[i], o);
		CHECK_INT(l->own.orphan[o], !taken);
	}
}

/* A search that is stopped at any test gives the models it had, the same ones as a whole search, and claims no more. */
static void
stopped_at_every_test(void)
{
	static struct family f;
	uint64_t seed = 13;

	for (unsigned round = 0; round < test_rounds(40, 1000); round++) {
		struct lattice_problem p;
		struct search_graph *whole;

		make(&f, &seed, round % 2, round % 3);
		choose_start(&f, &seed);
		p = problem_of(&f, &seed, round % 2, round % 4 > 1);
		p.task = round % 5 == 0 ? SEARCH_ELIMINATE : round % 5 == 1 ? SEARCH_DISCOVER : SEARCH_AUTO;
		whole = searched(&p);
		for (size_t k = 0; k <= whole->tested; k++) {
			struct search_graph *l;

			test_label("round %u, stopped at %zu of %zu", round, k, whole->tested);
			forget(&f);
			f.stops = true;
			f.stop_after = k;
			l = searched(&p);
			CHECK_INT(l->tested, k);
			CHECK_INT(l->own.stopped, k < whole->tested);
			CHECK_INT(l->own.whole, k == whole->tested);
			CHECK_INT(l->complete, k == whole->tested && p.task == SEARCH_AUTO);
			CHECK(l->complete == !l->reason);
			compare_part(&f, l);
			for (size_t i = 0; i < l->n_models && i < k; i++)
				CHECK_INT(bits(&l->model[i].on), bits(&whole->model[i].on));
			for (size_t o = 0; o < OBSERVATIONS && !l->complete; o++)
				CHECK_INT(bits(&l->own.needed[o]), 0);
			search_graph_free(l);
		}
		search_graph_free(whole);
		f.stops = false;
	}
}

/* Elimination alone finds every smallest survivor below a surviving start, and nothing else. It needs one test if the
 * start does not survive. */
static void
pruning(bool grows, bool laws, uint64_t seed)
{
	static struct family f;
	size_t tests = 0, sets = 0, alive_starts = 0;

	for (unsigned round = 0; round < test_rounds(600, 10000); round++) {
		struct lattice_problem p;
		struct search_graph *l;
		size_t minimal = 0;

		make(&f, &seed, grows, laws);
		for (size_t o = 0; o < OBSERVATIONS; o++) /* only few refute, else no start would survive */
			if (o % 16)
				f.want[o][0] = 0;
		choose_start(&f, &seed);
		p = problem_of(&f, &seed, grows, false);
		p.task = SEARCH_ELIMINATE;
		test_label("round %u", round);
		l = searched(&p);
		CHECK(!l->complete && l->reason && !l->own.stopped);
		compare_part(&f, l);
		if (!alive(&f, f.start)) {
			CHECK_INT(l->tested, 1);
			search_graph_free(l);
			continue;
		}
		alive_starts++;
		for (uint32_t on = 0; on < 1u << f.n; on++) {
			bool least = !(on & ~f.start) && alive(&f, on);

			sets += !(on & ~f.start) && in_scope(&f, on);
			for (uint32_t less = 0; less < on && least; less++)
				least = (less & ~on) || !alive(&f, less);
			minimal += least;
			if (least)
				CHECK(in_minimal(l, on));
		}
		CHECK_INT(l->needs.n_minimal, minimal);
		for (size_t i = 0; i < l->n_models; i++)
			CHECK_INT(bits(&l->model[i].on) & ~f.start, 0);
		tests += l->tested;
		search_graph_free(l);
	}
	CHECK(alive_starts > 10);
	if (grows)
		CHECK(tests < sets);
}

static void
elimination_alone(void)
{
	pruning(true, false, 14);
	pruning(true, true, 15);
	pruning(false, true, 16);
}

/* One step tests the start and its proposal, if a legal one exists. */
static void
discovery_step(void)
{
	static struct family f;
	uint64_t seed = 17;
	size_t two = 0;

	for (unsigned round = 0; round < test_rounds(300, 10000); round++) {
		struct lattice_problem p;
		struct search_graph *l;
		uint32_t to;
		bool goes;

		make(&f, &seed, round % 2, true);
		choose_start(&f, &seed);
		p = problem_of(&f, &seed, round % 2, true);
		p.task = SEARCH_DISCOVER;
		to = f.start | (((1u << f.n) - 1) & 0x55 & ~f.fixed);
		goes = usable_set(&f, f.start) && !alive(&f, f.start) && to != f.start && legal_set(&f, to);
		test_label("round %u", round);
		l = searched(&p);
		CHECK_INT(l->tested, 1 + goes);
		CHECK_INT(l->n_edges, goes);
		CHECK(!l->complete && l->reason);
		if (goes)
			CHECK_INT(bits(&l->model[1].on), to);
		compare_part(&f, l);
		two += goes;
		search_graph_free(l);
	}
	CHECK(two > 20);
}

/* A feature is claimed to grow the cone and does not: the search notices between neighbours, reports it, and no longer
 * relies on it. */
static void
a_wrong_claim(void)
{
	static struct family f;
	struct lattice_problem p = {.n_features = 2,
		.n_observations = OBSERVATIONS,
		.legal = legal,
		.test = test,
		.inside = inside,
		.ctx = &f};
	struct search_graph *l;

	f = (struct family){.n = 2, .base = 1, .path = {2, 4}, .taken = {1, 0}};
	for (size_t o = 0; o < OBSERVATIONS; o++)
		f.want[o][0] = f.want[o][1] = 4;
	p.grows = p.start = set_of(3);
	l = searched(&p);
	CHECK(l->own.n_shrinks > 0);
	for (size_t i = 0; i < l->own.n_shrinks; i++)
		CHECK_INT(l->own.shrink[i].feature, 0);
	CHECK_INT(bits(&l->own.grows), 2);
	CHECK(l->complete);
	compare_sets(&f, l);
	search_graph_free(l);
}

static void
limits_and_stopping(void)
{
	static struct family f;
	struct lattice_problem p = {.n_features = 6,
		.n_observations = OBSERVATIONS,
		.legal = legal,
		.test = test,
		.inside = inside,
		.ctx = &f};
	struct search_graph *l;

	f = (struct family){.n = 6, .base = 1, .path = {2, 4, 8, 16, 32, 64}};
	for (size_t o = 0; o < OBSERVATIONS; o++)
		f.want[o][0] = f.want[o][1] = 128;
	p.tests_max = 9; /* no feature is known to grow the cone: all 64 sets are needed */
	l = searched(&p);
	CHECK_INT(l->tested, 9);
	CHECK(!l->complete && !l->own.whole && l->reason);
	search_graph_free(l);
	forget(&f);
	f.stops = true;
	f.stop_after = 5;
	l = searched(&p);
	CHECK_INT(f.tests, 5);
	CHECK_INT(l->tested, 5);
	CHECK(!l->complete && l->own.stopped && l->reason);
	search_graph_free(l);
}

/* 256 features, each of which is enough by itself. */
static struct {
	size_t tests;
} wide;

static bool
wide_legal(void *ctx, const struct fset *on, const struct fset *known)
{
	(void)ctx;
	(void)on;
	(void)known;
	return true;
}

static bool
wide_test(void *ctx, struct search_graph_model *out)
{
	(void)ctx;
	out->usable = true;
	out->cone_number = fset_has(&out->on, 3) && fset_has(&out->on, 200);
	out->refuted[0] = !out->cone_number;
	wide.tests++;
	return true;
}

static bool
wide_inside(void *ctx, size_t smaller, size_t larger)
{
	(void)ctx;
	return smaller <= larger;
}

static void
more_sets_than_atoms(void)
{
	struct lattice_problem p = {.n_features = FSET_MAX,
		.n_observations = 1,
		.legal = wide_legal,
		.test = wide_test,
		.inside = wide_inside};
	struct search_graph *l;

	memset(&p.grows, 0xff, sizeof p.grows);
	wide.tests = 0;
	l = searched(&p);
	CHECK(l->complete);
	CHECK_INT(l->needs.n_minimal, 1);
	CHECK_INT(fset_count(&l->needs.required), 2);
	CHECK(fset_has(&l->needs.required, 3) && fset_has(&l->needs.required, 200));
	CHECK_INT(fset_count(&l->needs.optional), FSET_MAX - 2);
	CHECK(isnan(l->sets));
	CHECK(wide.tests < 60);
	search_graph_free(l);
}

/* 64 features that exclude each other, which shows only at the last one: looking for a set takes for ever, and can be
 * stopped. */
static bool
never_legal(void *ctx, const struct fset *on, const struct fset *known)
{
	(void)ctx;
	return fset_count(known) < 64 || fset_count(on) == 0;
}

static bool
refuse_all(void *ctx, struct search_graph_model *out)
{
	(void)ctx;
	out->usable = true;
	out->refuted[0] = 1;
	return true;
}

static bool
a_few_times(void *ctx)
{
	size_t *left = ctx;

	return *left && (*left)--;
}

static void
stopped_while_it_looks_for_a_set(void)
{
	size_t left = 3;
	struct lattice_problem p = {.n_features = 64,
		.n_observations = 1,
		.legal = never_legal,
		.test = refuse_all,
		.inside = wide_inside,
		.go_on = a_few_times,
		.ctx = &left};
	struct search_graph *l = searched(&p);

	CHECK_INT(left, 0);
	CHECK(l->own.stopped && !l->complete);
	CHECK_STR(l->reason, "it was stopped");
	CHECK(isnan(l->sets));
	search_graph_free(l);
}

static struct signatures *
signatures_of(const struct udd_model *m, const struct fset *on)
{
	struct diags d = {0};
	struct udd_diagram *g = udd_expand(m, on, &d);
	struct signatures *sig = g ? signatures_new(g, &d) : NULL;

	udd_diagram_free(g);
	diags_free(&d);
	return sig;
}

static bool
all_in(const struct signatures *a, const struct signatures *b)
{
	for (size_t i = 0; i < a->n; i++) {
		bool there = false;

		for (size_t k = 0; k < b->n && !there; k++)
			there = memcmp(a->coef + i * a->n_counters, b->coef + k * b->n_counters,
					a->n_counters * sizeof *a->coef) == 0;
		if (!there)
			return false;
	}
	return true;
}

/* Features that by the text only add do so in every choice: every signature stays. */
static void
features_that_grow_by_the_text(void)
{
	uint64_t seed = 5;
	size_t said = 0, pairs = 0;

	for (unsigned round = 0; round < test_rounds(60, 2000); round++) {
		struct udd_model *m = model_random(&seed);
		struct fset grows = udd_growing(m);

		said += fset_count(&grows);
		for (uint32_t on = 0; on < 1u << m->n_features; on++)
			for (size_t f = 0; f < m->n_features; f++) {
				struct fset less = set_of(on & ~(1u << f)), more = set_of(on | 1u << f);
				struct signatures *a, *b;

				if (!fset_has(&grows, f) || !(on >> f & 1))
					continue;
				a = signatures_of(m, &less);
				b = signatures_of(m, &more);
				pairs += a && b;
				if (a && b)
					CHECK(all_in(a, b));
				signatures_free(a);
				signatures_free(b);
			}
		udd_free(m);
	}
	CHECK(said > 0);
	CHECK(pairs > 0);
}

TEST_MAIN(CASE(features_that_grow_by_the_text), CASE(monotone), CASE(monotone_with_laws), CASE(not_monotone),
	CASE(not_monotone_with_laws), CASE(with_fixed_features), CASE(stopped_at_every_test), CASE(elimination_alone),
	CASE(discovery_step), CASE(stopped_while_it_looks_for_a_set), CASE(a_wrong_claim), CASE(limits_and_stopping),
	CASE(more_sets_than_atoms))
