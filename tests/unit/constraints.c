/* Views 2 and 3 without a screen: the table of constraints, orders and filters, sentences, what touches a
 * constraint, what a counter is worth, and certificates that combine several constraints. Expected texts and numbers
 * are worked out by hand. */
#include "work/analysis/constraints.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "shape/wire.h"
#include "parsed.h"
#include "test.h"
#include "work/analysis/analysis.h"
#include "work/analysis/describe.h"
#include "work/analysis/loss.h"
#include "work/analysis/observations.h"
#include "work/analysis/relax.h"
#include "work/analysis/touch.h"
#include "work/analysis/words.h"

static const char four[] = "model four; path p { count a; count b; count c; count d; }";

/* a ≤ b: f alone breaks it, g and h only together, i never; j requires g. */
static const char features[] =
	"model m; counter a; counter b; feature f; feature g; feature h; feature i; feature j requires g;\n"
	"path p { switch (K) { case One: count a; count b; case Two: count b; } }\n"
	"path q { count b; count b; }\n"
	"path r when f { switch (r_L) { case Lone: count a; } }\n"
	"path s when g && h { count a * 2; count b; }\n"
	"path t when i { count b; }\n";

static void
rules_become_sentences(void)
{
	static const struct {
		int64_t coef[4];
		bool equality;
		const char *want;
	} row[] = {
		{{-1, 1, 0, 0}, false, "every µpath that counts a counts b at least as often"},
		{{-1, 1, 1, 0}, false, "every µpath that counts a counts b and c together at least as often"},
		{{-1, 1, 2, 1}, false, "every µpath that counts a counts b, 2 × c and d together at least as often"},
		{{-1, 3, 0, 0}, false, "every µpath counts a at most 3 times for each b"},
		{{-2, 1, 0, 0}, false, "every µpath that counts a counts b at least 2 times as often"},
		{{-2, 3, 0, 0}, false, "on every µpath 2 × a is at most 3 × b"},
		{{-1, -1, 1, 1}, false,
			"on every µpath a and b together are counted at most as often as c and d together"},
		{{1, 0, 0, 0}, false, "a is a count: never below 0"},
		{{0, 1, 0, 1}, false, "b and d together are counts: never below 0"},
		{{0, 0, -1, 0}, false, "no µpath counts c"},
		{{1, -1, 0, 0}, true, "every µpath counts a exactly as often as b"},
		{{-1, 1, 1, 0}, true, "every µpath counts a exactly as often as b and c together"},
		{{1, -1, -2, 0}, true, "every µpath counts a exactly as often as b and 2 × c together"},
		{{0, 0, 0, 1}, true, "no µpath counts d"},
	};
	struct udd_model *m = parsed_model(four);

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct constraint c = {
			.equality = row[i].equality, .coef = mem_copy(row[i].coef, sizeof row[i].coef), .n = 4};
		struct str out = {0};

		test_label("%s", row[i].want);
		words_rule(m, &c, &out);
		CHECK_STR(str_text(&out), row[i].want);
		str_free(&out);
		free(c.coef);
	}
	udd_free(m);
}

static void
data_become_sentences(void)
{
	static const struct {
		int64_t coef[4];
		bool equality;
		double value[4];
		const char *want;
	} row[] = {
		{{-1, 1, 0, 0}, false, {121, 100, 0, 0}, "in o a exceeds b by 21.0 % (121 against 100)"},
		{{-1, 1, 0, 0}, false, {90, 100, 0, 0}, "in o a stays below b by 11.1 % (90 against 100)"},
		{{-1, 1, 0, 0}, false, {5, 0, 0, 0}, "in o a exceeds b by 5 (5 against 0)"},
		{{-1, 1, 0, 0}, false, {460, 100, 0, 0}, "in o a exceeds b 4.6 times (460 against 100)"},
		{{-1, -1, 1, 0}, false, {70, 50, 100, 0}, "in o a and b together exceed c by 20.0 % (120 against 100)"},
		{{-1, 1, 1, 0}, true, {10653, 10648, 3, 0},
			"in o a exceeds b and c together by 2 (10\u2009653 against 10\u2009651)"},
		{{-1, 1, 1, 0}, true, {10, 8, 3, 0}, "in o a stays below b and c together by 10.0 % (10 against 11)"},
		{{-1, 1, 0, 0}, false, {7, 7, 0, 0}, "in o a and b are both 7"},
		{{0, 0, 0, -1}, false, {0, 0, 0, 12}, "in o d is 12"},
		{{-1, 1, 0, 0}, false, {NAN, 7, 0, 0}, ""},
	};
	struct udd_model *m = parsed_model(four);

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct constraint c = {
			.equality = row[i].equality, .coef = mem_copy(row[i].coef, sizeof row[i].coef), .n = 4};
		double value[4];
		struct finding f = {.name = (char[]){"o"}, .counter.value = value, .counter.n_values = 4};
		struct str out = {0};

		memcpy(value, row[i].value, sizeof value);
		test_label("%s", row[i].want);
		words_data(m, &c, &f, &out);
		CHECK_STR(str_text(&out), row[i].want);
		str_free(&out);
		free(c.coef);
	}
	udd_free(m);
}

/* Only the certificate itself, from either side of an equality, is called checked. */
static void
only_the_proof_is_called_checked(void)
{
	int64_t ab[] = {-1, 1, 0, 0}, ba[] = {1, -1, 0, 0}, ac[] = {-1, 0, 1, 0};
	struct constraint proof = {.coef = ab, .n = 4, .text = (char[]){"a <= b"}};
	struct finding f = {
		.name = (char[]){"o"}, .proof.certificate = &proof, .proof.n_certificates = 1, .own.verified = true};
	struct constraint equality = {.coef = ba, .n = 4, .equality = true}, other = {.coef = ac, .n = 4},
			  turned = {.coef = ba, .n = 4};
	double value[] = {3, 2, 1, 0};
	struct udd_model *m = parsed_model(four);
	struct str out = {0};

	f.counter.value = value;
	f.counter.n_values = 4;
	CHECK(words_is_proof(&proof, &f));
	CHECK(words_is_proof(&equality, &f));
	CHECK(!words_is_proof(&turned, &f));
	CHECK(!words_is_proof(&other, &f));
	words_refutation(m, &proof, &f, 0.99, &out);
	CHECK(strstr(str_text(&out), "Both were verified in exact arithmetic") &&
		strstr(str_text(&out), "99 % region"));
	str_clear(&out);
	words_refutation(m, &other, &f, 0.99, &out);
	CHECK(!strstr(str_text(&out), "Both were verified") && strstr(str_text(&out), "a <= b"));
	f.own.verified = false;
	CHECK(!words_is_proof(&proof, &f));
	str_free(&out);
	udd_free(m);
}

/* The analysis of n observations, each a row of counts of a and b. */
static struct analysis *
analyse(const struct udd_model *m, const int64_t *count, size_t n, bool exact)
{
	static const char *const column[] = {"a", "b"};
	struct analysis_options how = {.confidence = 0.99};
	struct analysis *a = analysis_new(m, &how);
	struct obs_table *t = obs_table_new(column, 2);

	for (size_t i = 0; i < n; i++) {
		struct obs *o = obs_table_add(t, (char[]){(char)('p' + i), '\0'}, "test");

		o->exact = exact;
		obs_add_row(o, count + 2 * i, NULL, NAN);
	}
	analysis_set_table(a, 0, t);
	return a;
}

static size_t
row_of(const struct constraint_table *t, const char *text)
{
	for (size_t i = 0; i < t->n; i++)
		if (str_eq(t->row[i].c->text, text))
			return i;
	return t->n;
}

static void
the_table_counts_breaches(void)
{
	static const int64_t count[] = {5, 4, 9, 4, 2, 8, 3, 3}; /* p and q break a ≤ b; r keeps it with room, s just */
	struct udd_model *m = parsed_model(features);
	struct analysis *a = analyse(m, count, 4, true);
	struct fset on = {0};
	struct result *r = analysis_run(a, &on, NULL);
	struct constraint_table *t = constraints_new(r, NULL);
	const struct constraint_row *row;
	size_t at = row_of(t, "a <= b");
	bool marked[] = {true, false, true, false};

	CHECK_INT(t->n, r->n_constraints);
	CHECK_INT(t->violated, 1);
	if (CHECK(at < t->n)) {
		row = &t->row[at];
		CHECK_INT(row->n_breaches, 2);
		CHECK_INT(row->breach[0].finding, 1);
		CHECK_INT(row->breach[1].finding, 0);
		CHECK_NEAR(row->off, 5, 1e-12);
		CHECK_NEAR(row->worst, 5.0 / 13, 1e-12);
		CHECK_INT(row->verdict, VERDICT_INFEASIBLE);
		CHECK_NEAR(row->slack[0], -1.0 / 9, 1e-12);
		CHECK_NEAR(row->slack[2], 6.0 / 10, 1e-12);
		CHECK_NEAR(row->tightest, 0, 1e-12);
		CHECK_INT(row->tightest_finding, 3);
		CHECK(constraint_breach(row, 0) && !constraint_breach(row, 2));
		CHECK_INT(row->index, at);
	}
	constraints_table_free(t);
	t = constraints_new(r, marked);
	at = row_of(t, "a <= b");
	if (CHECK(at < t->n)) {
		CHECK_INT(t->row[at].n_breaches, 1);
		CHECK(isnan(t->row[at].slack[1]));
		CHECK_INT(t->row[at].tightest_finding, 2);
	}
	constraints_table_free(t);
	result_free(r);
	analysis_free(a);
	udd_free(m);
}

/* Rows made by hand: each order puts the expected row first, and ties keep the cone's order. */
static void
constraints_are_sorted_and_filtered(void)
{
	int64_t zero[1] = {0};
	struct constraint c[] = {{.coef = zero, .text = (char[]){"x = y"}, .equality = true},
		{.coef = zero, .text = (char[]){"x <= z"}}, {.coef = zero, .text = (char[]){"0 <= x"}},
		{.coef = zero, .text = (char[]){"y <= Zeta"}}};
	struct constraint_row row[] = {
		{.c = &c[0], .n_counters = 2, .tightest = 0, .verdict = VERDICT_FEASIBLE},
		{.c = &c[1], .n_counters = 2, .tightest = 0.5, .n_breaches = 2, .worst = 0.1,
			.verdict = VERDICT_INFEASIBLE},
		{.c = &c[2], .n_counters = 1, .tightest = 0.25, .verdict = VERDICT_FEASIBLE},
		{.c = &c[3], .n_counters = 3, .tightest = NAN, .n_breaches = 2, .worst = 0.4,
			.verdict = VERDICT_INFEASIBLE},
	};
	static const struct {
		enum constraint_sort by;
		const char *words;
		size_t n, want[4];
	} test[] = {
		{CONSTRAINTS_BY_VIOLATION, NULL, 4, {3, 1, 0, 2}}, {CONSTRAINTS_BY_TIGHTNESS, NULL, 4, {0, 2, 1, 3}},
		{CONSTRAINTS_BY_COUNTERS, NULL, 4, {2, 0, 1, 3}},  {CONSTRAINTS_BY_FORM, NULL, 4, {0, 1, 3, 2}},
		{CONSTRAINTS_BY_VIOLATION, "z", 2, {3, 1}},        {CONSTRAINTS_BY_FORM, "infeasible", 2, {1, 3}},
		{CONSTRAINTS_BY_FORM, "nowhere", 0, {0}},
	};
	struct constraint_table t = {.row = row, .n = 4};

	for (size_t i = 0; i < sizeof test / sizeof *test; i++) {
		size_t n, *order = constraints_order(&t, test[i].by, test[i].words, &n);

		test_label("%s %s", constraint_sort_name(test[i].by), test[i].words ? test[i].words : "");
		if (CHECK_INT(n, test[i].n))
			for (size_t k = 0; k < n; k++)
				CHECK_INT(order[k], test[i].want[k]);
		free(order);
	}
}

static void
observations_are_sorted_and_filtered(void)
{
	struct constraint broken = {.text = (char[]){"a <= b"}, .off = -7};
	struct finding f[] = {
		{.name = (char[]){"mcf"},
			.source = (char[]){"x.csv"},
			.verdict = VERDICT_FEASIBLE,
			.measure = {.distance2 = 20, .threshold2 = 40},
			.data.samples = 9,
			.correlation.mean = 0.2},
		{.name = (char[]){"Gups"},
			.source = (char[]){"y.csv"},
			.verdict = VERDICT_INFEASIBLE,
			.measure = {.distance2 = 90, .threshold2 = 40},
			.data.samples = 30,
			.correlation.mean = 0.9,
			.proof.violated = &broken,
			.proof.n_violated = 1},
		{.name = (char[]){"exact"},
			.source = (char[]){"x.csv"},
			.verdict = VERDICT_INFEASIBLE,
			.data.exact = true,
			.measure = {.distance2 = NAN, .threshold2 = 0},
			.data.samples = 1,
			.correlation.mean = NAN,
			.proof.violated = &broken,
			.proof.n_violated = 1},
		{.name = (char[]){"edge"},
			.source = (char[]){"x.csv"},
			.verdict = VERDICT_BORDERLINE,
			.measure = {.distance2 = 40, .threshold2 = 40},
			.data.samples = 9,
			.correlation.mean = 0.5},
		{.name = (char[]){"none"},
			.source = (char[]){"x.csv"},
			.verdict = VERDICT_UNDECIDED,
			.measure = {.distance2 = NAN, .threshold2 = NAN},
			.correlation.mean = NAN},
	};
	static const bool marked[] = {true, false, false, false, true};
	static const struct {
		enum observation_sort by;
		const char *words;
		size_t n, want[5];
	} test[] = {
		{OBSERVATIONS_BY_DISTANCE, NULL, 5, {2, 1, 3, 0, 4}}, {OBSERVATIONS_BY_NAME, NULL, 5, {3, 2, 1, 0, 4}},
		{OBSERVATIONS_BY_SAMPLES, NULL, 5, {1, 0, 3, 2, 4}}, {OBSERVATIONS_BY_CORRELATION, NULL, 5,
			{1, 3, 0, 2, 4}},
		{OBSERVATIONS_AS_GIVEN, "*", 2, {0, 4}},              {OBSERVATIONS_AS_GIVEN, "A <=", 2, {1, 2}},
		{OBSERVATIONS_AS_GIVEN, "feasible", 1, {0}},          {OBSERVATIONS_AS_GIVEN, "y.csv", 1, {1}},
	};
	struct result r = {.finding = f, .n_findings = 5};

	for (size_t i = 0; i < sizeof test / sizeof *test; i++) {
		size_t n, *order = observations_order(&r, test[i].by, test[i].words, marked, &n);

		test_label("%s %s", observation_sort_name(test[i].by), test[i].words ? test[i].words : "");
		if (CHECK_INT(n, test[i].n))
			for (size_t k = 0; k < n; k++)
				CHECK_INT(order[k], test[i].want[k]);
		free(order);
	}
}

/* The relaxer that consists of exactly these features (as bits); NULL: none is listed. */
static const struct relaxer *
relaxer_of(const struct constraint_detail *t, uint64_t bits)
{
	for (size_t i = 0; i < t->relax->n; i++)
		if (t->relax->one[i].added.w[0] == bits)
			return &t->relax->one[i];
	return NULL;
}

static void
what_touches_a_constraint(void)
{
	static const int64_t coef[] = {-1, 1}, count[] = {5, 4};
	struct udd_model *m = parsed_model(features);
	struct analysis *a = analyse(m, count, 1, true);
	struct fset on = {0};
	struct constraint_detail *t = analysis_touch(a, &on, 7, coef, false, NULL);
	const struct relaxer *f;

	if (!CHECK(t))
		return;
	CHECK_INT(t->constraint, 7);
	CHECK_INT(t->raising, 3); /* (1,1) (0,1) (0,2) */
	CHECK_INT(t->tight, 1);
	if (CHECK_INT(t->n_paths, 3)) {
		CHECK_INT(t->path[0].slack, 0);
		CHECK_STR(t->path[0].words, "p · K One · ■ a · ■ b");
		CHECK_INT(t->path[1].slack, 1);
		CHECK_INT(t->path[2].slack, 2);
	}
	f = relaxer_of(t, 1);
	if (CHECK(f)) {
		CHECK(f == t->relax->one); /* the one that relaxes comes first */
		CHECK_INT(f->signatures, 1);
		CHECK_STR(f->words, "r · L Lone · ■ a");
		CHECK(strstr(f->steps, "path r\n") && strstr(f->steps, "■ a\n") && strstr(f->steps, "it raises\n"));
		CHECK_INT(t->relax->asked, 1);
		CHECK_INT(f->alone, 1);
		CHECK_INT(f->together, 1);
	}
	for (size_t i = 1; i <= 3; i++)
		CHECK((f = relaxer_of(t, 1u << i)) && f->legal && f->signatures == 0);
	CHECK(!relaxer_of(t, 1u << 4)); /* j is listed with g, which it requires */
	CHECK((f = relaxer_of(t, 1u << 4 | 1u << 1)) && f->legal && f->signatures == 0);
	CHECK((f = relaxer_of(t, 1u << 1 | 1u << 2)) && f->signatures == 1);
	CHECK(!relaxer_of(t, 1u << 0 | 1u << 1)); /* f relaxes it alone and needs no partner */
	CHECK(!relaxer_of(t, 1u << 1 | 1u << 3));
	touch_free(t);
	fset_put(&on, 0, true); /* µops can skip b, and with f also a: the equality is broken on either side */
	t = analysis_touch(a, &on, 0, coef, true, NULL);
	if (CHECK(t))
		CHECK_INT(t->tight, 1);
	touch_free(t);
	analysis_free(a);
	udd_free(m);
}

static bool
never(void *ctx, const char *stage, size_t done, size_t of)
{
	(void)ctx;
	(void)stage;
	(void)done;
	(void)of;
	return false;
}

static void
what_a_counter_is_worth(void)
{
	static const int64_t count[] = {5, 4, 2, 8};
	static const bool refuted[] = {true, false};
	struct udd_model *m = parsed_model(features);
	struct analysis *a = analyse(m, count, 2, true);
	struct analysis_watch stop = {.go_on = never};
	struct fset on = {0};
	struct counter_loss *l = analysis_loss(a, &on, 1, refuted, 2, NULL);

	if (CHECK(l)) {
		CHECK(l->complete);
		CHECK_INT(l->n_gone, 1);
		CHECK_STR(l->n_gone ? l->gone[0].text : "", "a <= b");
		CHECK_INT(l->n_come, 0);
		CHECK_INT(l->equalities + l->inequalities, 1); /* 0 ≤ a */
		CHECK_INT(l->asked, 1);
		if (CHECK_INT(l->n_lost, 1))
			CHECK_INT(l->lost[0], 0);
	}
	loss_free(l);
	CHECK(!analysis_loss(a, &on, 1, refuted, 2, &stop));
	CHECK(!analysis_touch(a, &on, 0, (const int64_t[]){-1, 1}, false, &stop));
	CHECK(!analysis_loss(a, &on, 99, refuted, 2, NULL));
	analysis_free(a);
	udd_free(m);
}

/* x is in equalities, so part of what its constraints say is still known when it is not counted. */
static void
the_rest_is_reported_without_the_counter(void)
{
	/* x = z, y ≤ x */
	static const char text[] = "model e; path p { count x; count y; count z; } path q { count x; count z; }";
	struct udd_model *m = parsed_model(text);
	struct analysis_options how = {.confidence = 0.99};
	struct analysis *a = analysis_new(m, &how);
	struct fset on = {0};
	struct counter_loss *l = analysis_loss(a, &on, 0, NULL, 0, NULL);

	if (CHECK(l)) {
		CHECK_INT(l->asked, 0);
		CHECK_INT(l->equalities, 0);
		CHECK(l->n_gone >= 1);
		CHECK_INT(l->inequalities, 2);
		for (size_t i = 0; i < l->n_come; i++)
			CHECK_INT(l->come[i].coef[0], 0);
	}
	loss_free(l);
	analysis_free(a);
	udd_free(m);
}

/* Signatures (1,1) and (3,1): y ≤ x ≤ 3y. */
static void
certificates_are_taken_apart(void)
{
	static const int64_t signature[] = {1, 1, 3, 1};
	static const struct {
		int64_t coef[2];
		bool found;
		int64_t times;
	} row[] = {
		{{1, -1}, true, 1}, {{-1, 3}, true, 1}, {{0, 1}, true, 2}, {{1, 0}, true, 2}, {{5, -3}, true, 1},
			{{-1, 1}, false, 0}, {{1, -2}, false, 0},
	};
	struct cone *c = cone_new(2, 2, signature, NULL);

	CHECK_INT(c->n_inequalities, 2);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		int64_t weight[2] = {0}, times = 0;
		bool found = combine_rows(c, row[i].coef, weight, &times);

		test_label("%lld %lld", (long long)row[i].coef[0], (long long)row[i].coef[1]);
		CHECK_INT(found, row[i].found);
		if (!found)
			continue;
		CHECK_INT(times, row[i].times);
		for (size_t k = 0; k < 2; k++)
			CHECK_INT(weight[0] * c->inequality[k] + weight[1] * c->inequality[2 + k],
				times * row[i].coef[k]);
	}
	cone_free(c);
}

/* Quality of the data: deviations of the means, shares of time that counters ran, where the region lies. It is the
 * same after a message carried it. */
static void
quality_travels(void)
{
	static const char *const column[] = {"a", "b"};
	static const int64_t count[6][2] = {{10, 20}, {12, 26}, {14, 24}, {10, 22}, {13, 21}, {13, 25}};
	struct analysis_options how = {.confidence = 0.99};
	struct udd_model *m = parsed_model(features);
	struct analysis *a = analysis_new(m, &how);
	struct obs_table *t = obs_table_new(column, 2);
	struct obs *o = obs_table_add(t, "o", "test");
	struct wire w = {0};
	struct fset on = {0};
	struct result *r, *back = mem_new(sizeof *back);
	const struct finding *f;
	double mean[2] = {0}, variance = 0;

	for (size_t i = 0; i < 6; i++) {
		obs_add_row(o, count[i], NULL, 0.1 * (double)i);
		obs_set_quality(o, 0, i % 2 ? 0.5 : 1, 0);
		obs_set_quality(o, 1, 1, 0);
		mean[0] += (double)count[i][0] / 6;
		mean[1] += (double)count[i][1] / 6;
	}
	for (size_t i = 0; i < 6; i++)
		variance += ((double)count[i][0] - mean[0]) * ((double)count[i][0] - mean[0]) / 5 / 6;
	analysis_set_table(a, 0, t);
	r = analysis_run(a, &on, NULL);
	result_wire(&w, r);
	w.reading = true;
	w.at = 0;
	result_wire(&w, back);
	CHECK(!w.bad);
	wire_free(&w);
	f = back->finding;
	if (CHECK_INT(back->n_findings, 1)) {
		CHECK_NEAR(f->counter.running[0], 0.75, 1e-12);
		CHECK_NEAR(f->counter.running[1], 1, 1e-12);
		/* noise floors only widen */
		CHECK(f->counter.deviation[0] >= sqrt(variance) * 0.999 &&
			f->counter.deviation[0] < 3 * sqrt(variance));
		CHECK_INT(f->n_slacks, back->n_constraints);
		CHECK_INT(f->time.n_series, 6);
		CHECK_NEAR(f->time.series[0], (10 / mean[0] + 20 / mean[1]) / 2, 1e-12);
		CHECK(f->correlation.mean >= 0 && f->correlation.mean <= 1);
		CHECK_NEAR(fabs(f->correlation.most), f->correlation.mean, 1e-12); /* there is one pair of counters */
		CHECK(f->correlation.of[0] + f->correlation.of[1] == 1);
		for (size_t i = 0; i < back->n_constraints; i++)
			if (str_eq(back->constraint[i].text, "a <= b")) {
				CHECK_NEAR(f->slack[i].at, mean[1] - mean[0], 1e-9);
				CHECK_NEAR(f->slack[i].size, mean[1] + mean[0], 1e-9);
				CHECK(f->slack[i].reach > 0);
			}
	}
	result_free(r);
	result_free(back);
	analysis_free(a);
	udd_free(m);
}

TEST_MAIN(CASE(rules_become_sentences), CASE(data_become_sentences), CASE(only_the_proof_is_called_checked),
	CASE(the_table_counts_breaches), CASE(constraints_are_sorted_and_filtered),
	CASE(observations_are_sorted_and_filtered), CASE(what_touches_a_constraint), CASE(what_a_counter_is_worth),
	CASE(the_rest_is_reported_without_the_counter), CASE(certificates_are_taken_apart), CASE(quality_travels))
