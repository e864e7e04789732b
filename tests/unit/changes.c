/* Phases (core/series/changes.h): known steps are found where they are, and nothing else is. The recordings are
 * generated, so the truth is known. */
#include "core/series/changes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stats/region.h"
#include "test.h"

enum { N = 5 };

/* A recording of N counters: a level for each row, and noise of 3 %, an AR(1) process with coefficient `lag`. */
struct recording {
	size_t rows;
	double (*level)(size_t row, size_t rows, size_t counter);
	double lag;
	double absent;
};

static double
steady(size_t row, size_t rows, size_t counter)
{
	(void)row;
	(void)rows;
	return 1e5 * (double)(counter + 1);
}

static double
step(size_t row, size_t rows, size_t counter)
{
	return steady(row, rows, counter) * (row >= rows / 3 ? 1.5 : 1);
}

/* A step in one counter only. */
static double
lone(size_t row, size_t rows, size_t counter)
{
	return steady(row, rows, counter) * (row >= rows / 2 && counter == 3 ? 0.7 : 1);
}

static double
there_and_back(size_t row, size_t rows, size_t counter)
{
	return steady(row, rows, counter) * (row >= rows / 3 && row < 2 * rows / 3 ? 2 : 1);
}

static double
stairs(size_t row, size_t rows, size_t counter)
{
	return steady(row, rows, counter) * (1 + (double)(row * 5 / rows));
}

static double
tiny_step(size_t row, size_t rows, size_t counter)
{
	return steady(row, rows, counter) * (row >= rows / 2 ? 1.001 : 1);
}

static double
drift(size_t row, size_t rows, size_t counter)
{
	return steady(row, rows, counter) * (1 + 0.3 * (double)row / (double)rows);
}

static double
short_burst(size_t row, size_t rows, size_t counter)
{
	return steady(row, rows, counter) * (row >= rows / 2 && row < rows / 2 + 3 ? 3 : 1);
}

static struct changes *
find(const struct recording *w, uint64_t *seed)
{
	int64_t *count = mem_new_array(w->rows * N, sizeof *count);
	unsigned char *counted = mem_new_array(w->rows * N, 1);
	double z[N] = {0};
	struct samples s = {.n_counters = N, .n_rows = w->rows, .count = count, .counted = counted};
	struct changes *c;
	struct region *r;

	for (size_t m = 0; m < w->rows; m++)
		for (size_t i = 0; i < N; i++) {
			z[i] = m ? w->lag * z[i] + sqrt(1 - w->lag * w->lag) * test_normal(seed) : test_normal(seed);
			counted[m * N + i] = test_uniform(seed) >= w->absent;
			if (counted[m * N + i])
				count[m * N + i] = (int64_t)(w->level(m, w->rows, i) * (1 + 0.03 * z[i]));
		}
	r = region_new(&s, false);
	c = changes_find(&s, r);
	region_free(r);
	free(count);
	free(counted);
	return c;
}

static void
known_steps_are_found(void)
{
	static const struct { const char *name; struct recording w; size_t n, row[4], off; } known[] = {
		{"step", {60, step, 0, 0}, 1, {20}, 0},
		{"step, 21 rows", {30, step, 0, 0}, 1, {10}, 0},
		{"step, correlated", {200, step, 0.5, 0}, 1, {66}, 1},
		{"step, long", {30000, step, 0, 0}, 1, {10000}, 20},
		{"step, half the cells", {120, step, 0, 0.5}, 1, {40}, 2},
		{"one counter", {60, lone, 0, 0}, 1, {30}, 1},
		{"there and back", {60, there_and_back, 0, 0}, 2, {20, 40}, 0},
		{"stairs", {100, stairs, 0, 0}, 4, {20, 40, 60, 80}, 0},
		{"stairs, long", {50000, stairs, 0, 0}, 4, {10000, 20000, 30000, 40000}, 30},
	};

	for (size_t k = 0; k < sizeof known / sizeof *known; k++)
		for (uint64_t round = 0; round < 5; round++) {
			uint64_t seed = 10 * k + round;
			struct changes *c = find(&known[k].w, &seed);

			test_label("%s, round %d", known[k].name, (int)round);
			CHECK_INT(c->n, known[k].n);
			for (size_t i = 0; i < c->n && i < known[k].n; i++) {
				CHECK_NEAR((double)c->change[i].row, (double)known[k].row[i], (double)known[k].off);
				CHECK(known[k].w.level != lone || c->change[i].counter == 3);
				CHECK_NEAR(c->change[i].before /
						known[k].w.level(
							known[k].row[i] - 1, known[k].w.rows, c->change[i].counter),
					1, 0.04);
				CHECK_NEAR(c->change[i].after /
						known[k].w.level(
							known[k].row[i], known[k].w.rows, c->change[i].counter),
					1, 0.04);
			}
			changes_free(c);
		}
}

/* No phases are found in noise, correlated noise, drift, bursts and short recordings. */
static void
nothing_else_is_a_phase(void)
{
	static const struct { const char *name; struct recording w; size_t allowed; } none[] = {
		{"steady", {60, steady, 0, 0}, 0},
		{"steady, half the cells", {60, steady, 0, 0.5}, 1},
		{"steady, long", {9000, steady, 0, 0}, 0},
		{"correlated 0.5", {60, steady, 0.5, 0}, 0},
		{"correlated 0.9", {60, steady, 0.9, 0}, 3},
		{"correlated 0.9", {300, steady, 0.9, 0}, 3},
		{"correlated 0.99, long", {5000, steady, 0.99, 0}, 3},
		{"steps of a thousandth", {60, tiny_step, 0, 0}, 0},
		{"burst", {60, short_burst, 0, 0}, 0},
		{"19 rows", {19, step, 0, 0}, 0},
		{"slow drift", {60, drift, 0.9, 0}, 10},
	};

	for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
		size_t rounds = none[k].w.rows > 1000 ? 10 : 100, found = 0;
		uint64_t seed = 100 + k;

		for (size_t round = 0; round < rounds; round++) {
			struct changes *c = find(&none[k].w, &seed);

			found += c->n > 0;
			changes_free(c);
		}
		test_label("%s, %zu rows: %zu of %zu", none[k].name, none[k].w.rows, found, rounds);
		CHECK(found <= none[k].allowed);
	}
}

static void
odd_data_are_survived(void)
{
	static int64_t count[40 * 2];
	static unsigned char counted[40 * 2];
	struct samples s = {.n_counters = 2, .n_rows = 40, .count = count};
	struct region *r;
	struct changes *c;

	for (size_t m = 0; m < 40; m++) {
		count[2 * m] = 7; /* a counter that does not vary */
		count[2 * m + 1] = m < 20 ? 0 : INT64_MAX;
	}
	r = region_new(&s, false);
	c = changes_find(&s, r);
	if (CHECK_INT(c->n, 1)) {
		CHECK_INT(c->change[0].row, 20);
		CHECK_INT(c->change[0].counter, 1);
	}
	changes_free(c);
	region_free(r);
	memset(counted, 0, sizeof counted);
	counted[0] = counted[2] = counted[1] = counted[3] = 1;
	s.counted = counted;
	r = region_new(&s, false);
	c = changes_find(&s, r);
	CHECK_INT(c->n, 0);
	changes_free(c);
	region_free(r);
	r = region_new(&s, true);
	c = changes_find(&s, r);
	CHECK_INT(c->n, 0); /* a point has no phases */
	changes_free(c);
	region_free(r);
	changes_free(NULL);
}

TEST_MAIN(CASE(known_steps_are_found), CASE(nothing_else_is_a_phase), CASE(odd_data_are_survived))
