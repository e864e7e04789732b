/* Two commands compared, on made runs whose truth is known: the level whatever the noise, also with a look after every
 * block; how soon a difference is found; warm-up, drift, and runs that leave something behind. */
#include "core/diff/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "test.h"

enum { MOST = 4 * 400 };

enum noise { NORMAL, WALK, CAUCHY, BURSTS, SLOW, STATES, FEW_VALUES, HEAVY_LOAD, NOISES };
static const char *const noise_name[NOISES] = {"normal", "a random walk", "Cauchy", "bursts", "slow (AR 0.97)",
	"two states", "three values", "a load that comes and goes"};

struct made {
	double value[MOST];
	unsigned char is_b[MOST];
	size_t blocks;
	double state;
	int mode;
};

static double
draw(struct made *m, enum noise kind, uint64_t *seed)
{
	switch (kind) {
	case NORMAL:
		return test_normal(seed);
	case WALK:
		m->state += test_normal(seed) / 2;
		return m->state + test_normal(seed) / 3;
	case CAUCHY:
		return tan(M_PI * (test_uniform(seed) - 0.5));
	case BURSTS:
		return test_uniform(seed) < 0.1 ? 20 * test_uniform(seed) : test_normal(seed) / 5;
	case SLOW:
		m->state = 0.97 * m->state + test_normal(seed) / 4;
		return m->state + test_normal(seed) / 2;
	case STATES:
		if (test_uniform(seed) < 0.05)
			m->mode = !m->mode;
		return 5 * m->mode + test_normal(seed) / 2;
	case FEW_VALUES:
		return floor(3 * test_uniform(seed));
	case HEAVY_LOAD:
		if (test_uniform(seed) < 0.03)
			m->mode = !m->mode;
		return m->mode ? exp(test_normal(seed)) : test_normal(seed) / 20;
	case NOISES:
		break;
	}
	return 0;
}

/* A block in random order; runs of B are `shift` larger. */
static void
add_block(struct made *m, enum noise kind, double shift, uint64_t *seed)
{
	unsigned char *is_b = m->is_b + 4 * m->blocks;

	memcpy(is_b, (const unsigned char[]){0, 0, 1, 1}, 4);
	for (size_t i = 3; i > 0; i--) {
		size_t j = (size_t)(test_random(seed) % (i + 1));
		unsigned char t = is_b[i];

		is_b[i] = is_b[j];
		is_b[j] = t;
	}
	for (size_t i = 0; i < 4; i++)
		m->value[4 * m->blocks + i] = draw(m, kind, seed) + (is_b[i] ? shift : 0);
	m->blocks++;
}

static struct shift_runs
runs_of(const struct made *m)
{
	return (struct shift_runs){.value = m->value, .is_b = m->is_b, .blocks = m->blocks};
}

/* The true shift is refuted in at most 1 of 100 comparisons, with a look after every block. */
static void
true_shift_is_kept_whatever_the_noise(void)
{
	unsigned rounds = test_rounds(300, 2000);
	uint64_t seed = 1;

	for (enum noise kind = 0; kind < NOISES; kind++) {
		unsigned refuted = 0;

		for (unsigned r = 0; r < rounds; r++) {
			struct made *m = mem_new(sizeof *m);
			bool once = false;

			while (m->blocks < 40) {
				struct shift_runs runs;

				add_block(m, kind, 0.5, &seed);
				runs = runs_of(m);
				once = once || shift_evidence(&runs, 0.5) >= log(100);
			}
			refuted += once;
			free(m);
		}
		test_label("%s", noise_name[kind]);
		/* 1 % of 2000 is 20, and chance gives 31 in one of 100 tries */
		CHECK(refuted <= rounds / 100 + 3 * sqrt(rounds / 100.0));
	}
}

/* The interval contains the shifts whose evidence is low, and no others. */
static void
interval_ends_where_evidence_is(void)
{
	uint64_t seed = 7;

	for (unsigned r = 0; r < 50; r++) {
		struct made *m = mem_new(sizeof *m);
		struct shift_runs runs;
		struct shift s;
		double width;

		for (size_t i = 0; i < 12 + r; i++)
			add_block(m, NORMAL, 2, &seed);
		runs = runs_of(m);
		s = shift_interval(&runs, 0.01);
		width = s.high - s.low;
		test_label("seed %u", r);
		CHECK(s.low < s.estimate && s.estimate < s.high);
		CHECK(shift_evidence(&runs, s.low) >= log(100) && shift_evidence(&runs, s.high) >= log(100));
		CHECK(shift_evidence(&runs, s.low + width * 0.05) < log(100));
		CHECK(shift_evidence(&runs, s.high - width * 0.05) < log(100));
		free(m);
	}
}

/* The number of blocks until a shift of so many deviations is found, in the mean of 100 comparisons. A test of fixed
 * size that knew the deviation would need 13, 51 (level 1 %, power 84 %). */
static void
shifts_are_found_soon(void)
{
	static const struct {
		double shift, most;
	} row[] = {{10, 5}, {5, 6}, {2, 8}, {1, 24}, {0.5, 85}};
	uint64_t seed = 3;

	for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
		unsigned rounds = test_rounds(40, 100);
		double sum = 0;

		for (unsigned r = 0; r < rounds; r++) {
			struct made *m = mem_new(sizeof *m);
			struct shift_runs runs;

			do {
				add_block(m, NORMAL, row[k].shift, &seed);
				runs = runs_of(m);
			} while (m->blocks < 399 && shift_evidence(&runs, 0) < log(100));
			sum += (double)m->blocks;
			free(m);
		}
		test_label("shift %g", row[k].shift);
		CHECK(sum / rounds <= row[k].most);
	}
}

/* --- answers ------------------------------------------------------------------------------------------------------ */

struct comparison {
	struct made made;
	double second[MOST];
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
		add_block(&c->made, NORMAL, 0, seed);
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

TEST_MAIN(CASE(true_shift_is_kept_whatever_the_noise), CASE(interval_ends_where_evidence_is),
	CASE(shifts_are_found_soon), CASE(answers_are_as_the_interval_says), CASE(exact_counts_decide_by_one),
	CASE(zeros_are_differences), CASE(constants_are_equal), CASE(missing_values_leave_their_block_out),
	CASE(warm_up_drift_and_carry_are_said))
