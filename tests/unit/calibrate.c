/* Errors of counters by runs of known counts: each planted sum of causes is found with its slopes, clean events are
 * deterministic, and what cannot be a sum of causes is bounded. */
#include "core/trust/calibrate.h"

#include <math.h>
#include <stdlib.h>

#include "base/str.h"
#include "core/trust/book.h"
#include "tests/lib/test.h"

#define RUNS 24

static const double none[3];

/* Programs that differ in counts, faults and interrupts; interrupts are measured to one. */
static void
make_runs(struct calibrate_run *r, const double *slope, double noise, double other, uint64_t *seed)
{
	for (size_t i = 0; i < RUNS; i++) {
		double h = floor(20 + 600 * test_uniform(seed)), f = i % 3 ? floor(1e5 * test_uniform(seed)) : 0;
		double right = floor(1e3 + 2e5 * test_uniform(seed));

		r[i] = (struct calibrate_run){.right = right, .faults = f,
			.interrupts = h + floor(2 * test_uniform(seed)),
			.count = floor(right * (1 + slope[2]) + slope[0] * h + slope[1] * f +
				noise * test_normal(seed) + other * 1e5 * test_uniform(seed))};
	}
}

static double
middle(const struct trust_entry *x, enum trust_cause c)
{
	for (size_t i = 0; i < x->n_terms; i++)
		if (x->term[i].cause == c)
			return (x->term[i].low + x->term[i].high) / 2;
	return 0;
}

static bool
holds(const struct trust_entry *x, enum trust_cause c, double slope)
{
	for (size_t i = 0; i < x->n_terms; i++)
		if (x->term[i].cause == c)
			return x->term[i].low <= slope && slope <= x->term[i].high;
	return slope == 0;
}

static void
planted_errors(void)
{
	static const struct {
		const char *name, *letters;
		double slope[3]; /* interrupts, faults, share */
		double noise;
		bool exact;      /* whole slopes are exact */
	} row[] = {
		{"nothing", "", {0}, 0, true},
		{"interrupts", "h", {1}, 0, true},
		{"interrupts, twice", "h", {2}, 0, true},
		{"faults", "p", {0, 1}, 0, true},
		{"both", "hp", {1, 3}, 0, true},
		{"an overcount", "D", {0, 0, 0.23}, 0, false},
		{"an undercount", "M", {0, 0, -0.02}, 0, false},
		{"faults and an overcount", "pD", {0, 1, 0.1}, 0, false},
		{"all", "hpD", {2, 1, 0.05}, 0, false},
		{"faults, sometimes", "p", {0, 0.5}, 100, false},
		{"faults, sometimes, and an undercount", "pM", {0, 0.5, -0.1}, 100, false},
	};
	uint64_t seed = 5;

	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
		for (unsigned round = 0; round < test_rounds(20, 1000); round++) {
			struct calibrate_run r[RUNS];
			struct trust_entry x = {0};
			struct str letters = {0};

			test_label("%s, round %u", row[i].name, round);
			make_runs(r, row[i].slope, row[i].noise, 0, &seed);
			calibrate_event(r, RUNS, &x);
			trust_letters_print(x.letters, &letters);
			CHECK_STR(str_text(&letters), row[i].letters);
			CHECK_INT(x.verdict, *row[i].letters ? TRUST_CORRECTABLE : TRUST_EXACT);
			CHECK(holds(&x, TRUST_PER_INTERRUPT, row[i].slope[0]));
			CHECK(holds(&x, TRUST_PER_FAULT, row[i].slope[1]));
			CHECK(holds(&x, TRUST_PER_COUNT, row[i].slope[2]));
			CHECK_NEAR(middle(&x, TRUST_PER_FAULT), row[i].slope[1], row[i].exact ? 0 : 0.02);
			CHECK_NEAR(middle(&x, TRUST_PER_COUNT), row[i].slope[2], 0.01);
			str_free(&letters);
			free(x.note);
		}
}

static void
other_errors(void)
{
	struct calibrate_run r[RUNS];
	struct trust_entry x = {0};
	uint64_t seed = 9;

	make_runs(r, none, 0, 1, &seed); /* something else is counted, too */
	calibrate_event(r, RUNS, &x);
	CHECK_INT(x.verdict, TRUST_ELSE);
	CHECK_INT(x.letters, TRUST_BIT(OTHER));
	for (size_t i = 0; i < RUNS; i++)
		CHECK(holds(&x, TRUST_PER_COUNT, r[i].count / r[i].right - 1));
	free(x.note);
	for (size_t i = 0; i < RUNS; i++)
		r[i].count = 0;
	x.note = NULL;
	calibrate_event(r, RUNS, &x);
	CHECK_INT(x.verdict, TRUST_ELSE);
	CHECK_STR(x.note, "The event counts nothing.");
	free(x.note);
	x.note = NULL;
	calibrate_event(r, 1, &x);
	CHECK_INT(x.verdict, TRUST_UNKNOWN);
	free(x.note);
}

TEST_MAIN(CASE(planted_errors), CASE(other_errors))
