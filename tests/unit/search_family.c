/* The search for many observations: counted by Holm's procedure, or each by itself, and with what earlier samples of
 * growing observations refuted. */
#include "work/search/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/obs/obs.h"
#include "core/stats/region.h"
#include "core/stats/sequence.h"
#include "core/stats/tails.h"
#include "core/udd/model.h"
#include "parsed.h"
#include "test.h"
#include "work/analysis/describe.h"
#include "work/analysis/past.h"

/* Without features a = b = c. x allows less of b, y more of b, z less of c; w changes nothing. */
static const char text[] = "model m; counter a; counter b; counter c; feature x; feature y; feature z; feature w;"
			   "path p { count a; choose { case C: count c; case M when z: event n; } choose { case B: "
			   "count b; case N when x: event n; } }"
			   "path q when y { count b; } path r when w { event n; }";
#define FEATURES 4

static void
add_rows(struct obs *o, size_t rows, const double off[3], uint64_t *seed)
{
	for (size_t k = 0; k < rows; k++) {
		int64_t count[3];

		for (size_t i = 0; i < 3; i++)
			count[i] = llround((10000 + off[i]) + 100 * test_normal(seed));
		obs_add_row(o, count, NULL, NAN);
	}
}

static struct obs_table *
new_table(void)
{
	static const char *const column[] = {"a", "b", "c"};

	return obs_table_new(column, 3);
}

/* Some observations are exact, others noisy; some have no effect, others one close to the levels of the procedure. */
static struct obs_table *
draw(size_t n, uint64_t *seed)
{
	struct obs_table *t = new_table();

	for (size_t i = 0; i < n; i++) {
		char *name = str_format("o%zu", i);
		struct obs *o = obs_table_add(t, name, "test");
		size_t which = test_random(seed) % 4;
		double size = (double)(test_random(seed) % 2 ? 0 : 60 + test_random(seed) % 60), off[3] = {0};

		if (which)
			off[which % 3] = which == 2 ? -size : size;
		o->exact = test_random(seed) % 8 == 0;
		add_rows(o, o->exact ? 1 : 40, off, seed);
		if (o->exact)
			o->count[1] = o->count[2] = o->count[0];
		free(name);
	}
	return t;
}

static struct fset
set_of(uint32_t bits)
{
	struct fset s = {0};

	for (size_t f = 0; f < FEATURES; f++)
		fset_put(&s, f, bits >> f & 1);
	return s;
}

/* The observations that refute each set, found as hecate check does. */
struct truth {
	size_t each[1 << FEATURES], family_wise[1 << FEATURES];
};

static struct truth
judge_all_sets(struct analysis *a)
{
	struct truth t = {0};

	for (uint32_t bits = 0; bits < 1 << FEATURES; bits++) {
		struct fset on = set_of(bits);
		struct result *r = analysis_run(a, &on, NULL);

		for (size_t i = 0; i < r->n_findings; i++) {
			t.each[bits] += r->finding[i].own.verdict == VERDICT_INFEASIBLE;
			t.family_wise[bits] += r->finding[i].own.family_wise == VERDICT_INFEASIBLE;
		}
		result_free(r);
	}
	return t;
}

static uint32_t
bits_of(const struct fset *s)
{
	return (uint32_t)s->w[0];
}

static void
compare_minimal(const struct search_graph *l, const size_t *count)
{
	size_t n = 0;
	uint32_t required = 15, some = 0;

	for (uint32_t bits = 0; bits < 1 << FEATURES; bits++) {
		bool least = count[bits] == 0;

		if (least) {
			required &= bits;
			some = 1;
		}
		for (uint32_t less = 0; less < bits && least; less++)
			least = (less & bits) != less || count[less] > 0;
		if (!least)
			continue;
		n++;
		bool found = false;

		for (size_t i = 0; i < l->needs.n_minimal && !found; i++)
			found = bits_of(&l->model[l->needs.minimal[i]].on) == bits;
		CHECK(found);
	}
	CHECK_INT(l->needs.n_minimal, n);
	CHECK_INT(bits_of(&l->needs.required), some ? required : 0);
}

static void
both_ways_to_count(void)
{
	struct udd_model *m = parsed_model(text);
	uint64_t seed = 8;
	size_t differ = 0, family_wise_differs = 0;

	for (unsigned round = 0; round < test_rounds(40, 600); round++) {
		struct analysis_options o = {.confidence = 0.99,
			.independent_rows = true,
			.decides = (int)(round % 3),
			.one_by_one = round % 2 == 0};
		struct analysis *a = analysis_new(m, &o);
		struct fset none = {0};
		struct truth t;
		struct search *s;

		analysis_set_table(a, 0, draw(12, &seed));
		t = judge_all_sets(a);
		s = search_run(a, &none, 0, NULL);
		test_label("round %u", round);
		for (size_t i = 0; i < s->graph->n_models; i++) {
			const struct search_graph_model *x = &s->graph->model[i];
			uint32_t bits = bits_of(&x->on);

			CHECK_INT(s->cone[x->cone_number].each, t.each[bits]);
			CHECK_INT(s->cone[x->cone_number].family_wise, t.family_wise[bits]);
			CHECK_INT(x->infeasible, !o.one_by_one ? t.family_wise[bits] : t.each[bits]);
			family_wise_differs += t.each[bits] != t.family_wise[bits];
		}
		compare_minimal(s->graph, !o.one_by_one ? t.family_wise : t.each);
		compare_minimal(s->other ? s->other : s->graph, !o.one_by_one ? t.each : t.family_wise);
		differ += s->other != NULL;
		search_free(s);
		analysis_free(a);
	}
	CHECK(family_wise_differs > 0);
	CHECK(differ > 0);
	udd_free(m);
}

/* A growing observation that breaks a ≥ b at first and later does not. */
static struct obs_table *
turning(size_t first, size_t then, bool peeked, bool another)
{
	static const double more[3] = {0, 300, 0}, less[3] = {0, -20, 0};
	struct obs_table *t = new_table();
	struct obs *o = obs_table_add(t, "grows", "test");
	uint64_t seed = 12;

	o->peeked = peeked;
	add_rows(o, first, more, &seed);
	add_rows(o, then, less, &seed);
	if (another)
		add_rows(obs_table_add(t, "stays", "test"), 40, less, &seed);
	return t;
}

static bool
refuted(const struct search *s, uint32_t bits)
{
	struct fset on = set_of(bits);

	for (size_t i = 0; i < s->graph->n_models; i++)
		if (fset_equal(&s->graph->model[i].on, &on))
			return s->graph->model[i].infeasible > 0;

	const bool tested = false;

	return !CHECK(tested);
}

static void
refuted_for_good(void)
{
	static const struct { bool keep, peeked, one_by_one, another, for_good; } row[] = {
		{true, true, true, false, true}, {false, true, true, false, false},
		{true, false, true, false, false}, {true, true, false, false, true},
		{true, true, true, true, true}, {true, true, false, true, false}, /* the family may grow, too */
	};
	struct udd_model *m = parsed_model(text);
	const struct fset x = set_of(1);

	for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
		struct analysis_options o = {
			.confidence = 0.99, .independent_rows = true, .one_by_one = row[k].one_by_one};
		struct analysis *a = analysis_new(m, &o);
		struct past *past = past_new();
		struct search *s;

		test_label("row %zu", k);
		analysis_keep_past(a, row[k].keep ? past : NULL);
		past_now(past, 4.5);
		analysis_set_table(a, 0, turning(40, 0, row[k].peeked, row[k].another));
		s = search_run(a, &x, 0, NULL);
		CHECK(refuted(s, 1));
		CHECK(fset_has(&s->graph->needs.required, 1)); /* y */
		search_free(s);
		CHECK_INT(past->n > 0, row[k].for_good);
		if (past->n) {
			CHECK_INT(past->item->samples, 40);
			CHECK_NEAR(past->item->seconds, 4.5, 0);
			CHECK_STR(past->item->name, "grows");
			CHECK_STR(past->item->text, "b <= a");
			CHECK_INT(past->item->coef[0], 1);
			CHECK_INT(past->item->coef[1], -1);
		}
		/* Later the mean is on the other side. */
		past_now(past, 60);
		analysis_set_table(a, 0, turning(40, 4000, row[k].peeked, row[k].another));
		s = search_run(a, &x, 0, NULL);
		CHECK_INT(refuted(s, 1), row[k].for_good);
		CHECK_INT(fset_has(&s->graph->needs.required, 1), row[k].for_good);
		search_free(s);
		/* The next table does not have the observation. */
		analysis_set_table(a, 0, new_table());
		s = search_run(a, &x, 0, NULL);
		CHECK_INT(s->graph->needs.n_minimal, 1);
		search_free(s);
		past_free(past);
		analysis_free(a);
	}
	udd_free(m);
}

/* When a counter turns out to be dead, earlier refutations by it no longer hold. */
static void
a_counter_that_is_gone(void)
{
	struct udd_model *m = parsed_model(text);
	struct analysis_options o = {.confidence = 0.99, .independent_rows = true};
	struct analysis *a = analysis_new(m, &o);
	struct past *past = past_new();
	struct obs_table *t = turning(40, 4000, true, false);
	const struct fset x = set_of(1);
	struct search *s;

	analysis_keep_past(a, past);
	analysis_set_table(a, 0, turning(40, 0, true, false));
	search_free(search_run(a, &x, 0, NULL));
	CHECK(past->n > 0);
	t->obs[0]->health[1] = OBS_DEAD;
	analysis_set_table(a, 0, t);
	s = search_run(a, &x, 0, NULL);
	CHECK(!refuted(s, 1));
	search_free(s);
	past_free(past);
	analysis_free(a);
	udd_free(m);
}

/* The same data with verdicts after each sample, or once. */
static void
peeking_at_recorded_data(void)
{
	struct udd_model *m = parsed_model(text);
	const struct fset none = {0};

	for (int peeking = 0; peeking < 2; peeking++) {
		struct analysis_options o = {.confidence = 0.99, .independent_rows = true, .peeking = peeking};
		struct analysis *a = analysis_new(m, &o);
		struct result *r;

		analysis_set_table(a, 0, turning(60, 0, false, false));
		r = analysis_run(a, &none, NULL);
		CHECK_INT(r->finding[0].data.peeked, peeking);
		CHECK(peeking ? r->finding[0].own.threshold2 > 1.2 * chi2_quantile(0.99, 3)
			      : fabs(r->finding[0].own.threshold2 - chi2_quantile(0.99, 3)) < 1e-9);
		result_free(r);
		analysis_set_table(a, 0, turning(SEQUENCE_FIRST - 1, 0, false, false));
		r = analysis_run(a, &none, NULL);
		CHECK_INT(r->finding[0].verdict, peeking ? VERDICT_UNDECIDED : VERDICT_INFEASIBLE);
		CHECK(!peeking || (r->finding[0].reason && strstr(r->finding[0].reason, "25 samples")));
		result_free(r);
		analysis_free(a);
	}
	udd_free(m);
}

TEST_MAIN(
	CASE(both_ways_to_count), CASE(refuted_for_good), CASE(a_counter_that_is_gone), CASE(peeking_at_recorded_data))
