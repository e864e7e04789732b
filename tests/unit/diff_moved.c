/* What moves with the time between runs of one command: found where it is made so, and not invented. */
#include "core/diff/diff.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "test.h"

enum { BLOCKS = 20, RUNS = BLOCKS * 4 };

/* Times of which each fault costs `cost`; B has `more` faults more; faults vary by `spread` between runs. */
static struct diff_moved
moved_of(double cost, double more, double spread, uint64_t *seed)
{
	double time[RUNS], fault[RUNS];
	unsigned char is_b[RUNS];
	struct diff_quantity quantity[] = {{.name = "time", .unit = "s", .is_time = true, .value = time},
		{.name = "faults", .unit = "", .value = fault}};
	struct diff_table table = {.n_runs = RUNS, .is_b = is_b, .quantity = quantity, .n = 2};
	const struct diff_rule rule = {.confidence = 0.99, .threshold = 0.01};
	struct diff_report report;
	struct diff_moved moved[2];

	for (size_t i = 0; i < RUNS; i++) {
		size_t other = i / 4 * 4 + (size_t)(test_random(seed) % (i % 4 + 1));

		is_b[i] = is_b[other]; /* shuffled in each block */
		is_b[other] = i % 2;
	}
	for (size_t i = 0; i < RUNS; i++) {
		fault[i] = 1000 + (is_b[i] ? more : 0) + spread * test_normal(seed);
		time[i] = 10 + cost * fault[i] + test_normal(seed) / 10 + 0.01 * (double)i; /* it drifts */
	}
	diff_judge(&table, &rule, &report);
	diff_find_moved(&table, &report, &rule, 1, moved);
	CHECK(!moved[0].known);
	CHECK(!moved[0].still);
	diff_report_clear(&report);
	return moved[1];
}

static void
the_part_is_found_and_not_invented(void)
{
	unsigned rounds = test_rounds(200, 2000), found = 0, right = 0, invented = 0;
	uint64_t seed = 21;

	for (unsigned r = 0; r < rounds; r++) {
		struct diff_moved m = moved_of(0.01, 200, 30, &seed);

		found += m.known;
		/* `part` is of the difference that was measured, about 200 faults */
		right += m.slope_low <= 0.01 && 0.01 <= m.slope_high;
		CHECK(fabs(m.part / m.slope - 200) < 60 && m.part_low <= m.part && m.part <= m.part_high);
		invented += moved_of(0, 200, 30, &seed).known;
	}
	CHECK(found >= rounds * 0.99);
	CHECK(right >= rounds * 0.99 - 3 * sqrt(rounds / 100.0));
	CHECK(invented <= rounds / 100 + 3 * sqrt(rounds / 100.0));
}

static void
what_stands_still_is_said(void)
{
	uint64_t seed = 4;
	struct diff_moved m = moved_of(0.01, 200, 0, &seed);

	CHECK(!m.known);
	CHECK(m.still);
	m = moved_of(0.01, 0, 30, &seed); /* no difference: nothing to explain */
	CHECK(!m.known);
	CHECK(!m.still);
}

TEST_MAIN(CASE(the_part_is_found_and_not_invented), CASE(what_stands_still_is_said))
