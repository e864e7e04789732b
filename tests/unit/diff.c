/* Two commands compared, on made runs whose truth is known: the level whatever the noise, also with a look after every
 * block; how soon a difference is found; warm-up, drift, and runs that leave something behind. */
#include "core/diff/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "made_runs.h"
#include "rivals.h"
#include "test.h"

/* The shift that is true is refuted in at most 1 of 100 comparisons, with a look after every block. */
static void
true_shift_is_kept_whatever_the_noise(void)
{
	unsigned rounds = test_rounds(300, 2000);
	uint64_t seed = 1;

	for (enum made_noise kind = 0; kind < MADE_NOISES; kind++) {
		unsigned refuted = 0;

		for (unsigned r = 0; r < rounds; r++) {
			struct made_runs *m = mem_new(sizeof *m);
			struct shift_runs runs;

			while (m->blocks < 40)
				made_block(m, kind, 0.5, &seed);
			runs = made_shift_runs(m);
			refuted += shift_evidence(&runs, 0.5, 0.01) >= log(1 / 0.01);
			free(m);
		}
		test_label("%s", made_noise_name[kind]);
		/* 1 % of 2000 is 20, and chance gives 34 in one of 1000 tries */
		CHECK(refuted <= rounds / 100 + 3.1 * sqrt(rounds / 100.0));
	}
}

/* B's noise is twice as wide, with the same middle: that is no shift. */
static void
larger_spread_is_no_shift(void)
{
	unsigned rounds = test_rounds(200, 1000), refuted = 0;
	uint64_t seed = 16;

	for (unsigned r = 0; r < rounds; r++) {
		struct made_runs *m = mem_new(sizeof *m);
		struct shift_runs runs;

		while (m->blocks < 100)
			made_block(m, MADE_NORMAL, 0, &seed);
		for (size_t i = 0; i < m->blocks * SHIFT_BLOCK; i++)
			m->value[i] *= m->is_b[i] ? 2 : 1;
		runs = made_shift_runs(m);
		refuted += shift_evidence(&runs, 0, 0.01) >= log(1 / 0.01);
		free(m);
	}
	test_label("%u of %u", refuted, rounds);
	CHECK(refuted <= rounds / 100 + 3.1 * sqrt(rounds / 100.0));
}

/* What is refuted stays so: looks after each block refute in the same comparisons as one look at the end. */
static void
looks_agree_with_the_last_one(void)
{
	uint64_t seed = 2;

	for (unsigned r = 0; r < 60; r++) {
		struct made_runs *m = mem_new(sizeof *m);
		bool refuted = false;

		while (m->blocks < 40) {
			struct shift_runs runs;
			bool now;

			made_block(m, (enum made_noise)(r % MADE_NOISES), 1, &seed);
			runs = made_shift_runs(m);
			now = shift_evidence(&runs, 0, 0.05) >= log(1 / 0.05);
			test_label("%s", made_noise_name[r % MADE_NOISES]);
			CHECK(now || !refuted);
			refuted = now;
		}
		free(m);
	}
}

/* The bets are fair: what they win in the mean over the six orders of the next block is nothing, whatever came before.
 * Near 1/α, too. */
static void
bets_are_fair(void)
{
	static const unsigned char order[6][SHIFT_BLOCK] = {
		{0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 0}, {1, 0, 0, 1}, {1, 0, 1, 0}, {1, 1, 0, 0}};
	uint64_t seed = 4;

	for (unsigned r = 0; r < 400; r++) {
		struct made_runs *m = mem_new(sizeof *m);
		size_t blocks = 1 + (size_t)(test_random(&seed) % 30);
		double alpha = r % 2 ? 0.01 : 0.3, before, mean = 0;
		unsigned char *last;
		struct shift_runs runs;

		while (m->blocks < blocks)
			made_block(m, (enum made_noise)(r % MADE_NOISES), r % 3, &seed);
		runs = made_shift_runs(m);
		before = shift_evidence(&runs, 0, alpha);
		made_block(m, (enum made_noise)(r % MADE_NOISES), r % 3, &seed);
		runs = made_shift_runs(m);
		last = m->is_b + SHIFT_BLOCK * blocks;
		for (size_t i = 0; i < 6; i++) {
			memcpy(last, order[i], SHIFT_BLOCK);
			mean += exp(shift_evidence(&runs, 0, alpha) - before) / 6;
		}
		test_label("%s, %zu blocks", made_noise_name[r % MADE_NOISES], blocks);
		CHECK_NEAR(mean, 1, 1e-9);
		free(m);
	}
}

/* The interval contains the shifts whose evidence is low, and no others. */
static void
interval_ends_where_evidence_is(void)
{
	uint64_t seed = 7;

	for (unsigned r = 0; r < 50; r++) {
		struct made_runs *m = mem_new(sizeof *m);
		struct shift_runs runs;
		struct shift s;
		double width;

		for (size_t i = 0; i < 12 + r; i++)
			made_block(m, MADE_NORMAL, 2, &seed);
		runs = made_shift_runs(m);
		s = shift_interval(&runs, 0.01);
		width = s.high - s.low;
		test_label("seed %u", r);
		CHECK(s.low < s.estimate && s.estimate < s.high);
		CHECK(shift_evidence(&runs, s.low, 0.01) >= log(1 / 0.01));
		CHECK(shift_evidence(&runs, s.high, 0.01) >= log(1 / 0.01));
		CHECK(shift_evidence(&runs, s.low + width * 0.05, 0.01) < log(1 / 0.01));
		CHECK(shift_evidence(&runs, s.high - width * 0.05, 0.01) < log(1 / 0.01));
		free(m);
	}
}

/* Intervals contain 0 unless its evidence is high, whatever the noise: the answer has the level of the evidence. */
static void
intervals_say_of_0_what_its_evidence_says(void)
{
	unsigned rounds = test_rounds(20, 200);
	uint64_t seed = 12;

	for (unsigned r = 0; r < rounds * MADE_NOISES; r++) {
		struct made_runs *m = mem_new(sizeof *m);
		struct shift_runs runs;
		struct shift s;

		while (m->blocks < 5 + r % 40)
			made_block(m, (enum made_noise)(r % MADE_NOISES), r % 3, &seed);
		runs = made_shift_runs(m);
		s = shift_interval(&runs, 0.05);
		test_label("%s, round %u", made_noise_name[r % MADE_NOISES], r);
		if (s.low > 0 || s.high < 0)
			CHECK(shift_evidence(&runs, 0, 0.05) >= log(1 / 0.05));
		CHECK(s.low <= s.estimate && s.estimate <= s.high);
		free(m);
	}
}

/* B is 3 % slower in the first half, and as fast as A in the other: each shift is refuted at some time. The interval
 * is then that of the time at the end, or none, but never a point. */
static void
changing_shift_leaves_an_interval(void)
{
	uint64_t seed = 13;

	for (unsigned r = 0; r < 20; r++) {
		struct made_runs *m = mem_new(sizeof *m);
		struct shift_runs runs;
		struct shift s;

		while (m->blocks < 120)
			made_block(m, MADE_NORMAL, m->blocks < 60 ? 4 : 0, &seed);
		runs = made_shift_runs(m);
		s = shift_interval(&runs, 0.01);
		test_label("seed %u", r);
		CHECK(s.high - s.low > 0.5);
		free(m);
	}
}

/* The number of blocks until a shift is found, in the mean. A test of fixed size that knew the deviation would need 13
 * blocks for a shift of 1 deviation, 51 for 0.5 (level 1 %, power 84 %). */
static void
shifts_are_found_soon(void)
{
	static const struct {
		enum made_noise noise;
		double shift, most;
	} row[] = {{MADE_NORMAL, 10, 4.1}, {MADE_NORMAL, 5, 4.3}, {MADE_NORMAL, 2, 6.5}, {MADE_NORMAL, 1, 18},
		{MADE_NORMAL, 0.5, 70}, {MADE_SKEWED, 0.5, 34}, {MADE_BURSTS, 1, 27}, {MADE_WALK, 1, 9},
		{MADE_CAUCHY, 2, 22}};
	uint64_t seed = 3;

	for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
		unsigned rounds = test_rounds(60, 400);
		double sum = 0;

		for (unsigned r = 0; r < rounds; r++) {
			struct made_runs *m = mem_new(sizeof *m);
			struct shift_runs runs;

			do {
				made_block(m, row[k].noise, row[k].shift, &seed);
				runs = made_shift_runs(m);
			} while (m->blocks < MADE_MOST && shift_evidence(&runs, 0, 0.01) < log(1 / 0.01));
			sum += (double)m->blocks;
			free(m);
		}
		test_label("%s, shift %g: %g blocks", made_noise_name[row[k].noise], row[k].shift, sum / rounds);
		CHECK(sum / rounds <= row[k].most);
	}
}

/* Of comparisons that are undecided after 20 pairs, the forecast is in the median what is needed, within a factor of
 * 1.5. make bench-diff has all kinds of noise. */
static void
forecasts_are_as_what_is_needed(void)
{
	static const enum made_noise kinds[] = {MADE_NORMAL, MADE_SLOW, MADE_ONE_SLOW, MADE_BURSTS, MADE_TREND};
	static const double shifts[] = {0, 0.15, 0.5, 1.5};
	unsigned rounds = test_rounds(200, 2000);
	double *ratio = mem_new_array(rounds, sizeof *ratio);
	uint64_t seed = 17;
	size_t n = 0;

	for (unsigned r = 0; r < rounds; r++) {
		struct made_runs *m = mem_new(sizeof *m);
		struct diff_table table = {.n_runs = 10 * SHIFT_BLOCK, .is_b = m->is_b, .n = 1};
		struct diff_quantity quantity = {.name = "wall", .unit = "s", .is_time = true};
		double value[10 * SHIFT_BLOCK], equal;
		struct diff_report report;
		size_t above, below, differs;

		while (m->blocks < 600)
			made_block(m, kinds[r % 5], shifts[r % 4], &seed);
		for (size_t i = 0; i < 10 * SHIFT_BLOCK; i++)
			value[i] = exp(0.02 * m->value[i]);
		quantity.value = value;
		table.quantity = &quantity;
		diff_judge(&table, &(struct diff_rule){.confidence = 0.99, .threshold = 0.01}, &report);
		above = made_refuted(m, 0.5, 0.01);
		below = made_refuted(m, -0.5, 0.01);
		differs = made_refuted(m, 0, 0.01);
		equal = above && below ? fmax((double)above, (double)below) : INFINITY;
		if (report.found[0].answer == DIFF_UNDECIDED && report.found[0].more_blocks)
			ratio[n++] = ((differs ? fmin((double)differs, equal) : equal) - 10) /
				(double)report.found[0].more_blocks;
		diff_report_clear(&report);
		free(m);
	}
	test_label("%zu undecided, %g", n, diff_median(ratio, n));
	CHECK(n > rounds / 2);
	CHECK(diff_median(ratio, n) < 1.5 && diff_median(ratio, n) > 1 / 1.5);
	free(ratio);
}

/* --- rivals ------------------------------------------------------------------------------------------------------- */

/* What scipy 1.10.1 gives, and ministat: "Difference at 80.0% confidence" for the first two, not at 90 %, and at
 * 99.0 %, not at 99.5 %, for the others. */
static void
rivals_are_as_theirs(void)
{
	static const double a[] = {1.1, 1.3, 1.2, 1.5, 1.15, 1.33, 1.21, 1.9},
			    b[] = {1.4, 1.5, 1.45, 1.8, 1.38, 1.52, 1.41, 1.62, 1.25},
			    c[] = {1, 2, 2, 3, 3, 3, 4, 5, 5, 6, 7}, d[] = {3, 4, 4, 5, 6, 6, 7, 7, 8, 9, 9, 10};

	CHECK_NEAR(rival_welch(a, 8, b, 9), 0.1972205642459724, 1e-12);
	CHECK_NEAR(rival_ministat(a, 8, b, 9), 0.1787889186995641, 1e-12);
	CHECK_NEAR(rival_mann_whitney(a, 8, b, 9), 0.06734013422825534, 1e-12);
	CHECK_NEAR(rival_welch(c, 11, d, 12), 0.00385658625815271, 1e-12);
	CHECK_NEAR(rival_ministat(c, 11, d, 12), 0.004076798494024554, 1e-12);
	CHECK_NEAR(rival_mann_whitney(c, 11, d, 12), 0.007699638066814875, 1e-12);
}

/* --- answers ------------------------------------------------------------------------------------------------------ */

struct comparison {
	struct made_runs made;
	double second[MADE_MOST * SHIFT_BLOCK];
	struct diff_quantity quantity[2];
	struct diff_table table;
	struct diff_report report;
};

static const struct diff_rule rule = {.confidence = 0.99, .threshold = 0.01};

/* Judges the values as times around 1 s with this noise, and a count that is `count` in A, and `count_b` in B. */
static struct comparison *
compare(size_t blocks, double noise, double shift, double count, double count_b, uint64_t *seed)
{
	struct comparison *c = mem_new(sizeof *c);

	for (size_t b = 0; b < blocks; b++)
		made_block(&c->made, MADE_NORMAL, 0, seed);
	for (size_t i = 0; i < 4 * blocks; i++) {
		c->made.value[i] = exp(noise * c->made.value[i] + (c->made.is_b[i] ? log1p(shift) : 0));
		c->second[i] = c->made.is_b[i] ? count_b : count;
	}
	c->quantity[0] = (struct diff_quantity){.name = "wall", .unit = "s", .is_time = true, .value = c->made.value};
	c->quantity[1] = (struct diff_quantity){.name = "count", .unit = "", .exact = true, .value = c->second};
	c->table = (struct diff_table){.n_runs = 4 * blocks, .is_b = c->made.is_b, .quantity = c->quantity, .n = 2};
	return c;
}

static void
comparison_free(struct comparison *c)
{
	diff_report_clear(&c->report);
	free(c);
}

static void
answers_are_as_the_interval_says(void)
{
	static const struct {
		double shift, noise;
		size_t blocks;
		enum diff_answer answer;
		bool above;
	} row[] = {
		{0.10, 0.01, 8, DIFF_MORE, true},
		{-0.10, 0.01, 8, DIFF_LESS, true},
		{0, 0.005, 200, DIFF_EQUAL, false},
		{0.005, 0.005, 300, DIFF_MORE, false},
		{0.01, 0.2, 20, DIFF_UNDECIDED, false},
		{0.5, 0.01, 2, DIFF_UNDECIDED, false},
	};
	uint64_t seed = 11;

	for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
		struct comparison *c = compare(row[k].blocks, row[k].noise, row[k].shift, 5, 5, &seed);
		const struct diff_found *f;

		diff_judge(&c->table, &rule, &c->report);
		f = &c->report.found[0];
		test_label("row %zu", k);
		CHECK_INT(f->answer, row[k].answer);
		CHECK_INT(f->above, row[k].above);
		CHECK((f->answer == DIFF_UNDECIDED) == (f->more_blocks > 0));
		if (f->answer == DIFF_EQUAL)
			CHECK(f->within <= rule.threshold && f->within >= fabs(row[k].shift));
		CHECK(f->low <= row[k].shift && row[k].shift <= f->high);
		CHECK_INT(c->report.found[1].answer, DIFF_EQUAL);
		CHECK(c->report.found[1].within == 0);
		comparison_free(c);
	}
}

#define MANY 5

/* Quantities that share their noise, each by a factor of its own: at most 1 comparison in 100 has a false answer. */
static void
false_answers_are_rare_in_all_quantities_together(void)
{
	static const enum made_noise kinds[] = {MADE_NORMAL, MADE_SLOW, MADE_MEMORY, MADE_LOAD, MADE_FEW_VALUES};
	static const double factor[MANY] = {1, 0.5, -1, 2, 0};
	unsigned rounds = test_rounds(120, 2000), wrong = 0;
	uint64_t seed = 14;

	for (unsigned r = 0; r < rounds; r++) {
		struct comparison *c = mem_new(sizeof *c);
		struct diff_quantity quantity[MANY];
		bool any = false;

		while (c->made.blocks < 30)
			made_block(&c->made, kinds[r % 5], 0, &seed);
		for (size_t q = 0; q < MANY; q++) {
			double *v = mem_new_array(120, sizeof *v);

			for (size_t i = 0; i < 120; i++)
				v[i] = 100 + factor[q] * c->made.value[i] + test_normal(&seed) / 2;
			quantity[q] = (struct diff_quantity){.name = "q", .unit = "", .value = v};
		}
		c->table = (struct diff_table){.n_runs = 120, .is_b = c->made.is_b, .quantity = quantity, .n = MANY};
		diff_judge(&c->table, &rule, &c->report);
		for (size_t q = 0; q < MANY; q++) {
			enum diff_answer answer = c->report.found[q].answer;

			any = any || answer == DIFF_MORE || answer == DIFF_LESS;
			free(quantity[q].value);
		}
		wrong += any;
		comparison_free(c);
	}
	test_label("%u of %u", wrong, rounds);
	CHECK(wrong <= rounds / 100 + 3.1 * sqrt(rounds / 100.0));
}

/* "Equal within x" is wrong in at most 1 of 100 comparisons, at whatever look it is said. */
static void
equal_is_right(void)
{
	unsigned rounds = test_rounds(60, 1000), equal = 0, wrong = 0;
	uint64_t seed = 15;

	for (unsigned r = 0; r < rounds; r++) {
		double truth = r % 3 * 0.004;
		enum diff_answer answer = DIFF_UNDECIDED;

		for (size_t blocks = 8; blocks < 200 && answer == DIFF_UNDECIDED; blocks += blocks / 4) {
			uint64_t same = seed + r;
			struct comparison *c = compare(blocks, 0.004, truth, 5, 5, &same);

			diff_judge(&c->table, &rule, &c->report);
			answer = c->report.found[0].answer;
			equal += answer == DIFF_EQUAL;
			wrong += answer == DIFF_EQUAL && c->report.found[0].within < truth;
			comparison_free(c);
		}
	}
	test_label("%u of %u", wrong, equal);
	CHECK(equal > rounds / 4);
	CHECK(wrong <= rounds / 100 + 3.1 * sqrt(rounds / 100.0));
}

/* A count that is exact decides by 1. */
static void
exact_counts_decide_by_one(void)
{
	uint64_t seed = 5;
	struct comparison *c = compare(2, 0.1, 0, 1000000000, 1000000001, &seed);

	diff_judge(&c->table, &rule, &c->report);
	CHECK_INT(c->report.found[1].answer, DIFF_MORE);
	CHECK_NEAR(c->report.found[1].estimate, 1e-9, 1e-15);
	comparison_free(c);
	c = compare(2, 0.1, 0, 1000000000, 1000000001, &seed);
	c->quantity[1].exact = false; /* two blocks of a count that may vary say nothing */
	diff_judge(&c->table, &rule, &c->report);
	CHECK_INT(c->report.found[1].answer, DIFF_UNDECIDED);
	comparison_free(c);
}

/* Counts that are 0 in A are compared as differences. */
static void
zeros_are_differences(void)
{
	uint64_t seed = 5;
	struct comparison *c = compare(12, 0.1, 0, 0, 7, &seed);

	c->quantity[1].exact = false;
	diff_judge(&c->table, &rule, &c->report);
	CHECK(c->report.found[1].absolute);
	CHECK_INT(c->report.found[1].answer, DIFF_MORE);
	CHECK_NEAR(c->report.found[1].estimate, 7, 0.01);
	comparison_free(c);
}

/* What is always the same, 0 or not, is equal to the digit. */
static void
constants_are_equal(void)
{
	uint64_t seed = 8;

	for (double constant = 0; constant < 100; constant += 49) {
		struct comparison *c = compare(12, 0.1, 0, constant, constant, &seed);

		c->quantity[1].exact = false;
		diff_judge(&c->table, &rule, &c->report);
		CHECK_INT(c->report.found[1].answer, DIFF_EQUAL);
		CHECK(c->report.found[1].low == 0);
		CHECK(c->report.found[1].high == 0);
		comparison_free(c);
	}
}

/* Blocks in which a run was not counted are not compared. */
static void
missing_values_leave_their_block_out(void)
{
	uint64_t seed = 6;
	struct comparison *c = compare(12, 0.01, 0.1, 3, 3, &seed);

	c->second[1] = c->second[17] = NAN;
	diff_judge(&c->table, &rule, &c->report);
	CHECK_INT(c->report.found[1].blocks, 10);
	CHECK_INT(c->report.found[0].blocks, 12);
	comparison_free(c);
	c = compare(12, 0.01, 0.1, 3, 3, &seed);
	for (size_t i = 0; i < 48; i++)
		c->second[i] = NAN;
	diff_judge(&c->table, &rule, &c->report);
	CHECK(!c->report.found[1].counted);
	CHECK_INT(c->report.found[1].answer, DIFF_UNDECIDED);
	comparison_free(c);
}

static void
warm_up_drift_and_carry_are_said(void)
{
	uint64_t seed = 9;
	unsigned warm = 0, drifts = 0, carries = 0, false_alarms = 0;

	for (unsigned r = 0; r < 50; r++) {
		struct comparison *c = compare(40, 0.01, 0.05, 3, 3, &seed);

		for (size_t i = 0; i < 8; i++)
			c->made.value[i] *= 1.3;
		diff_judge(&c->table, &rule, &c->report);
		warm += c->report.warm_up == 2 && fabs(c->report.warm_up_by - 0.3) < 0.05;
		CHECK_INT(c->report.found[0].answer, DIFF_MORE);
		comparison_free(c);

		c = compare(40, 0.01, 0, 3, 3, &seed);
		for (size_t i = 0; i < 160; i++)
			c->made.value[i] *= 1 + 0.1 * (double)i / 160;
		diff_judge(&c->table, &rule, &c->report);
		drifts += fabs(c->report.drift - 0.065) < 0.02;
		comparison_free(c);

		c = compare(80, 0.01, 0, 3, 3, &seed);
		for (size_t i = 319; i > 0; i--)
			c->made.value[i] *= c->made.is_b[i - 1] ? 1.03 : 1;
		diff_judge(&c->table, &rule, &c->report);
		carries += fabs(c->report.carry - 0.03) < 0.015;
		comparison_free(c);

		c = compare(40, 0.01, 0.05, 3, 3, &seed);
		diff_judge(&c->table, &rule, &c->report);
		false_alarms += c->report.warm_up || !isnan(c->report.drift) || !isnan(c->report.carry);
		comparison_free(c);
	}
	CHECK(warm >= 49);
	CHECK(drifts >= 48);
	CHECK(carries >= 48);
	CHECK(false_alarms <= 2);
}

TEST_MAIN(CASE(true_shift_is_kept_whatever_the_noise), CASE(larger_spread_is_no_shift),
	CASE(looks_agree_with_the_last_one), CASE(bets_are_fair), CASE(interval_ends_where_evidence_is),
	CASE(intervals_say_of_0_what_its_evidence_says), CASE(changing_shift_leaves_an_interval),
	CASE(shifts_are_found_soon), CASE(forecasts_are_as_what_is_needed), CASE(rivals_are_as_theirs),
	CASE(answers_are_as_the_interval_says), CASE(false_answers_are_rare_in_all_quantities_together),
	CASE(equal_is_right), CASE(exact_counts_decide_by_one), CASE(zeros_are_differences), CASE(constants_are_equal),
	CASE(missing_values_leave_their_block_out), CASE(warm_up_drift_and_carry_are_said))
