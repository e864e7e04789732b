/* The beat between counters that take turns at a fixed tick and a program whose period nearly fits: it is found and
 * nothing else is. The counts are generated, so the truth is known. */
#include "core/series/beat.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/stats/region.h"
#include "test.h"

#define COUNTERS 4 /* three take turns of 4 ms, the last one counts all the time */
#define TURN 4.0   /* ms that a counter stays on the PMU */
#define ROW 100.0

struct made {
	int64_t count[2000 * COUNTERS];
	struct samples s;
};

/* Counts of a program that is busy for half of each period (ms; 0: no period). `load` is the period, in rows, of a
 * swing that all counters share (0: none). Each counter has its own noise, an autoregression with coefficient `lag`. */
static struct made *
make(size_t rows, double period, double load, double noise, double lag, uint64_t seed)
{
	struct made *d = mem_new(sizeof *d);
	double slow[COUNTERS] = {0};

	d->s = (struct samples){.n_counters = COUNTERS, .n_rows = rows, .count = d->count};
	for (size_t m = 0; m < rows; m++) {
		double sum[COUNTERS] = {0}, time[COUNTERS] = {0}, level = 1 + (load > 0
			? 0.3 * sin(2 * M_PI * (double)m / load) : 0);

		for (double t = (double)m * ROW; t < (double)(m + 1) * ROW - 1e-9; t += 0.05) {
			double rate = level * (period > 0 ? fmod(t, period) < period / 2 ? 1.5 : 0.5 : 1);
			size_t turn = (size_t)(t / TURN) % 3;

			sum[turn] += rate;
			time[turn]++;
			sum[3] += rate;
			time[3]++;
		}
		for (size_t i = 0; i < COUNTERS; i++) {
			slow[i] = lag * slow[i] + sqrt(1 - lag * lag) * test_normal(&seed);
			d->count[m * COUNTERS + i] = (int64_t)(1e6 * sum[i] / time[i] * (1 + noise * slow[i]));
		}
	}
	return d;
}

static const bool turned[COUNTERS] = {true, true, true, false};

static void
finds_a_beat(void)
{
	static const struct { double ratio; size_t rows; } row[] = {
		{1.01, 100}, {1.01, 60}, {0.985, 200}, {1.004, 200}, {1.01, 2000},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		double rotation = 3 * TURN, beats = fabs(1 / (row[i].ratio * rotation) - 1 / rotation);
		struct made *d = make(row[i].rows, row[i].ratio * rotation, 0, 0.01, 0, i);
		struct beat b = beat_find(&d->s, turned);

		test_label("%g, %zu rows", row[i].ratio, row[i].rows);
		CHECK_NEAR(b.rows * ROW * beats, 1, 0.1);
		CHECK(b.counter[0] < b.counter[1] && b.counter[1] < 3);
		free(d);
	}
}

/* Independent noise, slow noise, a load that swings, and few rows are no beat. */
static void
finds_nothing_else(void)
{
	static const struct { size_t rows; double period, load, lag; } row[] = {
		{60, 0, 0, 0}, {200, 0, 0, 0}, {200, 0, 0, 0.9}, {60, 0, 0, 0.97}, {200, 0, 10, 0}, {60, 0, 15, 0.5},
		{20, 12.12, 0, 0},
	};
	unsigned rounds = test_rounds(40, 500);

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		unsigned found = 0;

		for (unsigned k = 0; k < rounds; k++) {
			struct made *d = make(row[i].rows, row[i].period, row[i].load, 0.02, row[i].lag, 100 * i + k);

			found += beat_find(&d->s, turned).rows > 0;
			free(d);
		}
		test_label("%zu rows, load %g, lag %g", row[i].rows, row[i].load, row[i].lag);
		CHECK(found <= rounds / 100);
	}
}

TEST_MAIN(CASE(finds_a_beat), CASE(finds_nothing_else))
