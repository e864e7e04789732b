/* Corrected counts contain the truth; models that are true are never refuted with trust; and a certificate of a wrong
 * model holds for every error that the rules allow, in integers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/int128.h"
#include "base/str.h"
#include "core/cone/signatures.h"
#include "core/obs/obs.h"
#include "core/trust/book.h"
#include "core/trust/correct.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "tests/lib/models.h"
#include "tests/lib/test.h"
#include "text/diag.h"
#include "work/analysis/analysis.h"

#define COUNTERS RANDOM_MODEL_COUNTERS
#define OBSERVATIONS 5
#define FAULTS COUNTERS /* the column of page faults */

static double
uniform(uint64_t *seed)
{
	return (double)(test_random(seed) >> 11) * 0x1p-53;
}

/* --- by hand ----------------------------------------------------------------------------------------------------- */

static struct trust_corrected
correct_one(const struct trust_rules *r, struct obs_table *t, size_t o)
{
	struct trust_plan *p = trust_plan_new(r, t, NULL);
	struct trust_corrected c = {0};

	if (CHECK(p != NULL))
		trust_correct(p, t->obs[o], &c);
	trust_plan_free(p);
	return c;
}

static void
counted_causes_are_subtracted(void)
{
	static const char *const column[] = {"instructions:u", "faults", "interrupts_all_cpus", "branches"};
	struct obs_table *t = obs_table_new(column, 4);
	struct trust_rules r = {0};
	struct trust_corrected c;
	struct str words = {0};

	trust_rules_add(&r, "instructions", (struct trust_term){TRUST_PER_FAULT, 1, 1}, "here");
	obs_table_add(t, "o", "test")->exact = true;
	obs_add_row(t->obs[0], (const int64_t[]){226990000 + 10008, 10008, 2000, 5}, NULL, NAN);
	c = correct_one(&r, t, 0);
	CHECK_INT(c.n, 1);
	CHECK_INT(c.count[0], 226990000);
	CHECK_INT(c.count[3], 5);
	CHECK_NEAR(c.change[0].subtracted, 10008, 0);
	CHECK_NEAR(c.change[0].widened, 0, 0);
	trust_corrected_clear(&c);

	/* All CPUs' interrupts are an upper bound: only so many, and none fewer than none. */
	trust_rules_add(&r, "instructions", (struct trust_term){TRUST_PER_INTERRUPT, 1, 1}, NULL);
	c = correct_one(&r, t, 0);
	CHECK_INT(c.count[0], 226990000 - 1000);
	CHECK_NEAR(c.change[0].widened, 1000, 1e-6);
	CHECK(c.change[0].guessed == 0);
	trust_change_words(&c.change[0], &words);
	CHECK_STR(str_text(&words), "1 per page-faults and 1 per interrupts");
	str_free(&words);
	trust_corrected_clear(&c);

	/* Below 0 nothing is left. */
	obs_table_add(t, "p", "test")->exact = true;
	obs_add_row(t->obs[1], (const int64_t[]){10, 30, 0, 5}, NULL, NAN);
	c = correct_one(&r, t, 1);
	CHECK_INT(c.count[0], 0);
	trust_corrected_clear(&c);
	trust_rules_clear(&r);
	obs_table_free(t);
}

static void
causes_that_are_not_counted_are_bounded(void)
{
	static const char *const column[] = {"a.b", "c.d"};
	struct obs_table *t = obs_table_new(column, 2);
	struct trust_rules r = {0};
	struct trust_corrected c;

	trust_rules_add(&r, "A.B:u", (struct trust_term){TRUST_PER_INTERRUPT, 1, 1}, NULL);
	trust_rules_add(&r, "c.d", (struct trust_term){TRUST_PER_COUNT, 0, 0.25}, NULL);
	trust_rules_add(&r, "c.d", (struct trust_term){TRUST_PER_RUN, 3, 3}, NULL);
	obs_table_add(t, "timed", "test")->exact = true;
	obs_add_row(t->obs[0], (const int64_t[]){1000000, 1003}, NULL, 2);
	c = correct_one(&r, t, 0);
	if (CHECK_INT(c.n, 2)) {
		/* at most 1 + 1000 per second */
		CHECK_NEAR(c.change[0].subtracted + c.change[0].widened, 2001, 1.1);
		CHECK_NEAR(c.change[0].subtracted - c.change[0].widened, 0, 1.1);
		CHECK(c.change[0].guessed == 1u << TRUST_PER_INTERRUPT);
		/* 3 for the run, then 800 to 1000 are true */
		CHECK_NEAR(1003 - c.change[1].subtracted - c.change[1].widened, 800, 1);
		CHECK_NEAR(1003 - c.change[1].subtracted + c.change[1].widened, 1000, 1);
	}
	trust_corrected_clear(&c);
	obs_table_add(t, "untimed", "test")->exact = true;
	obs_add_row(t->obs[1], (const int64_t[]){1000000, 1003}, NULL, NAN);
	c = correct_one(&r, t, 1);
	if (CHECK_INT(c.n, 2)) {
		CHECK_NEAR(c.change[0].subtracted + c.change[0].widened, 1000000, 1);
		CHECK_NEAR(c.change[0].subtracted - c.change[0].widened, 0, 1.1);
	}
	trust_corrected_clear(&c);
	trust_rules_clear(&r);
	obs_table_free(t);
}

static void
pages_of_books_become_rules(void)
{
	char name[][12] = {"branches:u", "r5000c4"}, source[] = "table 6", *event[] = {name[0], name[1]};
	struct trust_entry entry = {.event = event, .n_events = 2, .term = {{TRUST_PER_FAULT, 1, 1}}, .n_terms = 1,
		.source = source};
	struct trust_page page = {.entry = &entry, .n = 1};
	struct trust_rules r = {0}, copy;

	trust_rules_add_page(&r, &page);
	if (CHECK_INT(r.n, 2)) {
		CHECK_STR(r.rule[0].event, "branches:u");
		CHECK_STR(r.rule[1].source, "table 6");
	}
	copy = trust_rules_copy(&r);
	trust_rules_clear(&r);
	CHECK_STR(copy.rule[1].event, "r5000c4");
	trust_rules_clear(&copy);
}

/* --- bounds contain the truth ------------------------------------------------------------------------------------ */

/* Draws an event with errors of several causes, some counted, and compares the bounds with the truth. */
static void
bounds_contain_the_truth(void)
{
	uint64_t seed = 11;

	for (unsigned round = 0; round < test_rounds(500, 20000); round++) {
		static const char *const column[] = {"x.y", "page-faults", "context-switches"};
		struct obs_table *t = obs_table_new(column, test_random(&seed) % 2 ? 3 : 2);
		struct trust_rules r = {0};
		struct trust_corrected c;
		double slope[2], share = 0, sum = 0, counted = 0;
		size_t rows = 1 + test_random(&seed) % 6;

		for (size_t k = 0; k < 2; k++) {
			double low = floor(uniform(&seed) * 5) - 1, wide = test_random(&seed) % 2 ? uniform(&seed) : 0;

			slope[k] = low + wide * uniform(&seed);
			trust_rules_add(&r, "x.y",
				(struct trust_term){k ? TRUST_PER_SWITCH : TRUST_PER_FAULT, low, low + wide}, NULL);
		}
		if (test_random(&seed) % 2) {
			share = 0.3 * uniform(&seed);
			trust_rules_add(&r, "x.y",
				(struct trust_term){TRUST_PER_COUNT, share - 0.1, share + 0.2}, NULL);
		}
		obs_table_add(t, "o", "test")->exact = true;
		t->obs[0]->since_start = true;
		for (size_t row = 0; row < rows; row++) {
			int64_t truth = 100000 + (int64_t)(test_random(&seed) % 1000000),
				cause[] = {(int64_t)(test_random(&seed) % 5000), (int64_t)(test_random(&seed) % 50)};
			int64_t cell[] = {llround((double)truth * (1 + share) + slope[0] * (double)cause[0] +
				slope[1] * (double)cause[1]), cause[0], cause[1]};

			obs_add_row(t->obs[0], cell, NULL, 1e-3 * (double)(row + 1));
			sum += (double)truth;
		}
		test_label("round %u", round);
		c = correct_one(&r, t, 0);
		for (size_t row = 0; row < rows && c.n; row++) {
			CHECK(c.count[row * t->n_columns] >= 0);
			counted += (double)c.count[row * t->n_columns];
		}
		/* The count was rounded once a row. */
		if (c.n)
			CHECK(fabs(counted - sum) <= (c.change[0].widened + 1) * (double)rows);
		trust_corrected_clear(&c);
		trust_rules_clear(&r);
		obs_table_free(t);
	}
}

/* --- verdicts ---------------------------------------------------------------------------------------------------- */

/* Draws exact totals of a model, and adds what leaks into each counter: slope[i] per fault. */
static struct obs_table *
draw_leaking(const struct udd_model *m, const struct fset *on, const int64_t *slope, uint64_t *seed)
{
	const char *name[COUNTERS + 1];
	struct diags d = {0};
	struct udd_diagram *g = udd_expand(m, on, &d);
	struct signatures *s = signatures_new(g, &d);
	struct obs_table *t;

	for (size_t i = 0; i < COUNTERS; i++)
		name[i] = m->counter[i].name;
	name[FAULTS] = "page-faults";
	t = obs_table_new(name, COUNTERS + 1);
	for (size_t o = 0; o < OBSERVATIONS; o++) {
		int64_t row[COUNTERS + 1] = {0};
		char what[] = {'o', (char)('0' + o), '\0'};

		for (size_t k = 0; k < s->n; k++) {
			int64_t uops = (int64_t)(test_random(seed) % 5000);

			for (size_t i = 0; i < COUNTERS; i++)
				row[i] += uops * s->coef[k * COUNTERS + i];
		}
		row[FAULTS] = (int64_t)(test_random(seed) % 3000);
		for (size_t i = 0; i < COUNTERS; i++)
			row[i] += slope[i] * row[FAULTS];
		obs_table_add(t, what, "test")->exact = true;
		obs_add_row(t->obs[o], row, NULL, 0);
	}
	signatures_free(s);
	udd_diagram_free(g);
	diags_free(&d);
	return t;
}

/* Checks a certificate for every slope that the rules allow: a·(count − slope·faults), which is largest where slopes
 * are lowest for positive coefficients. In 128 bits. */
static void
check_certificate(const struct finding *f, const struct obs *o, const int64_t *low, const int64_t *high)
{
	const struct constraint *c = f->proof.certificate;
	i128 most = 0;

	for (size_t i = 0; i < COUNTERS; i++) {
		int64_t slope = c->coef[i] > 0 ? low[i] : high[i],
			v = o->count[i] - slope * o->count[FAULTS];

		most += (i128)c->coef[i] * (v > 0 ? v : 0);
	}
	CHECK(most < 0);
}

struct tally {
	size_t raw, trusted, wrong_raw, wrong_trusted, differ;
};

static void
judge_round(uint64_t *seed, struct tally *tally)
{
	struct udd_model *m = model_random(seed);
	struct fset truth = {.w = {test_random(seed) & ((1u << RANDOM_MODEL_FEATURES) - 1)}}, wrong = {0};
	struct analysis_options how = {.confidence = 0.99, .exact = true};
	int64_t slope[COUNTERS], low[COUNTERS], high[COUNTERS];
	struct obs_table *t;
	struct analysis *a;

	for (size_t i = 0; i < COUNTERS; i++) {
		slope[i] = test_random(seed) % 2 ? 0 : 1 + (int64_t)(test_random(seed) % 2);
		low[i] = slope[i] - (int64_t)(test_random(seed) % 2);
		high[i] = slope[i] + (int64_t)(test_random(seed) % 2);
		trust_rules_add(&how.trust, m->counter[i].name,
			(struct trust_term){TRUST_PER_FAULT, (double)low[i], (double)high[i]}, NULL);
	}
	t = draw_leaking(m, &truth, slope, seed);
	a = analysis_new(m, &how);
	analysis_set_table(a, 0, t);
	for (size_t k = 0; k < 2; k++) {
		struct result *r = analysis_run(a, k ? &wrong : &truth, NULL);

		for (size_t i = 0; i < r->n_findings && !r->error; i++) {
			const struct finding *f = &r->finding[i];
			bool refuted = f->verdict == VERDICT_INFEASIBLE;
			bool raw = f->counter.without_trust == VERDICT_INFEASIBLE;

			*(k ? &tally->wrong_raw : &tally->raw) += raw;
			*(k ? &tally->wrong_trusted : &tally->trusted) += refuted;
			if (!refuted)
				continue;
			CHECK(f->own.verified);
			check_certificate(f, t->obs[i], low, high);
		}
		result_free(r);
	}
	analysis_free(a);
	analysis_options_free(&how);
	udd_free(m);
}

static void
true_models_survive(void)
{
	uint64_t seed = 5;
	struct tally tally = {0};

	for (unsigned round = 0; round < test_rounds(100, 2000); round++) {
		test_label("round %u", round);
		judge_round(&seed, &tally);
	}
	test_label("all rounds");
	printf("# true models refuted: %zu raw, %zu with trust; wrong ones: %zu raw, %zu with trust\n", tally.raw,
		tally.trusted, tally.wrong_raw, tally.wrong_trusted);
	CHECK_INT(tally.trusted, 0);
	CHECK(tally.raw > 100);
	CHECK(tally.wrong_trusted > 50);
}

TEST_MAIN(CASE(counted_causes_are_subtracted), CASE(causes_that_are_not_counted_are_bounded),
	CASE(pages_of_books_become_rules), CASE(bounds_contain_the_truth), CASE(true_models_survive))
