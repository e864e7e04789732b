/* Samples that are summed into rows of equal size (core/obs/gather.h): no count is lost, whenever rows are folded.
 * Sums are compared with sums of the samples. */
#include "core/obs/gather.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/obs/obs.h"
#include "table.h"
#include "test.h"

#define COLUMNS 3

static const char *const column[COLUMNS] = {"a", "b", "c"};

struct sample {
	int64_t count[COLUMNS];
	unsigned char counted[COLUMNS];
	double running[COLUMNS], error[COLUMNS];
};

static struct sample
draw(uint64_t *seed, bool gaps)
{
	struct sample s;

	for (size_t i = 0; i < COLUMNS; i++) {
		s.count[i] = (int64_t)(test_random(seed) >> 34);
		s.counted[i] = !gaps || test_random(seed) % 8 > 0;
		s.running[i] = gaps && test_random(seed) % 3 == 0 ? test_uniform(seed) : 1;
		s.error[i] = gaps && test_random(seed) % 5 == 0 ? 100 * test_uniform(seed) : 0;
	}
	return s;
}

/* Adds a cell's extrapolation error V (1 - p)/p to *extra, and the square of its stated error to *square. */
static void
add_errors(double count, double p, double error, double *extra, double *square)
{
	*extra += p > 0 && p < 1 ? fabs(count) * (1 - p) / p : 0;
	*square += error * error;
}

static void
check_sums(const struct obs *o, const struct sample *s, size_t n)
{
	CHECK_INT(obs_samples(o), n);
	for (size_t i = 0; i < COLUMNS; i++) {
		double extra = 0, square = 0, want_extra = 0, want_square = 0, mean, scatter = 0;
		int64_t sum = 0, want = 0;
		size_t counted = 0, want_counted = 0;

		for (size_t m = 0; m < n; m++)
			if (s[m].counted[i]) {
				want += s[m].count[i];
				want_counted++;
				add_errors((double)s[m].count[i], s[m].running[i], s[m].error[i], &want_extra,
					&want_square);
			}
		for (size_t row = 0; row < o->n_rows; row++) {
			size_t cell = row * COLUMNS + i;

			sum += o->count[cell];
			counted += obs_samples_in_cell(o, row, i);
			if (o->counted[cell])
				add_errors((double)o->count[cell], o->running ? o->running[cell] : 1,
					o->error ? o->error[cell] : 0, &extra, &square);
		}
		CHECK_INT(sum, want);
		CHECK_INT(counted, want_counted);
		CHECK_NEAR(extra, want_extra, 1e-9 * want_extra);
		CHECK_NEAR(square, want_square, 1e-9 * want_square);
		if (!o->total)
			continue;
		CHECK_INT((int64_t)o->total[i].sum, want);
		CHECK_INT(o->total[i].counted, want_counted);
		mean = (double)want / (double)want_counted;
		for (size_t m = 0; m < n; m++)
			scatter +=
				s[m].counted[i] ? ((double)s[m].count[i] - mean) * ((double)s[m].count[i] - mean) : 0;
		CHECK_NEAR(obs_total_scatter(&o->total[i]), scatter, 1e-9 * scatter);
	}
}

/* Checks that each row is the sum of its own samples, in their order. */
static void
check_rows(const struct obs *o, const struct sample *s, size_t n)
{
	size_t per = o->per_row ? o->per_row : 1;
	bool good = true;

	for (size_t row = 0; row < o->n_rows; row++)
		for (size_t i = 0; i < COLUMNS; i++) {
			int64_t sum = 0;

			for (size_t m = row * per; m < (row + 1) * per && m < n; m++)
				sum += s[m].counted[i] ? s[m].count[i] : 0;
			good &= o->count[row * COLUMNS + i] == sum;
		}
	CHECK(good);
	CHECK(o->time && fabs(o->time[o->n_rows - 1] - (double)n) < 1e-9);
}

static void
sums_are_exact_whenever_they_are_made(void)
{
	static const size_t number[] = {1, 2, 7, 8, 9, 100, 1000, 5000};
	size_t bad;

	for (size_t k = 0; k < sizeof number / sizeof *number; k++)
		for (int gaps = 0; gaps < 2; gaps++) {
			struct obs_table *t = obs_table_new(column, COLUMNS);
			struct obs *late = obs_table_add(t, "x", "-"), *early = obs_table_add(t, "x", "-");
			struct obs_room room = {.near = 16 * COLUMNS};
			size_t n = number[k];
			struct sample *s = malloc(n * sizeof *s);
			uint64_t seed = 7 + k;

			test_label("%zu samples, gaps %d", n, gaps);
			for (size_t m = 0; m < n; m++) {
				s[m] = draw(&seed, gaps);
				CHECK(obs_add_sample(late, s[m].count, gaps ? s[m].counted : NULL, (double)(m + 1),
					gaps ? s[m].running : NULL, gaps ? s[m].error : NULL, &bad));
				CHECK(obs_room_add(&room, t, early, s[m].count, gaps ? s[m].counted : NULL,
					(double)(m + 1), gaps ? s[m].running : NULL, gaps ? s[m].error : NULL, &bad));
			}
			CHECK(obs_gather(late, 7, &bad));
			CHECK(late->n_rows <= 7);
			CHECK(early->n_rows <= GATHER_LEAST);
			check_sums(late, s, n);
			check_sums(early, s, n);
			check_rows(late, s, n);
			check_rows(early, s, n);
			free(s);
			obs_table_free(t);
		}
}

/* Rows that begin at multiples of a power of two are the same, whatever the steps in which they were folded. */
static void
the_steps_do_not_matter(void)
{
	struct obs_table *a = obs_table_new(column, COLUMNS), *b = obs_table_new(column, COLUMNS);
	struct obs *x = obs_table_add(a, "x", "-"), *y = obs_table_add(b, "x", "-");
	uint64_t seed = 1;
	char *difference;
	size_t bad;

	for (size_t m = 0; m < 1000; m++) {
		struct sample s = draw(&seed, false);

		CHECK(obs_add_sample(x, s.count, NULL, (double)m, NULL, NULL, &bad));
		CHECK(obs_add_sample(y, s.count, NULL, (double)m, NULL, NULL, &bad));
		if (m % 90 == 89)
			CHECK(obs_gather(y, 80, &bad));
	}
	CHECK(obs_gather(x, 80, &bad));
	CHECK_INT(x->per_row, 16);
	difference = table_difference(a, NULL, b, NULL);
	test_check(!difference, __FILE__, __LINE__, "%s", difference ? difference : "");
	free(difference);
	obs_table_free(a);
	obs_table_free(b);
}

static void
what_does_not_fit_is_refused_and_changes_nothing(void)
{
	struct obs_table *t = obs_table_new(column, COLUMNS);
	struct obs *o = obs_table_add(t, "x", "-");
	static const int64_t large[] = {1, INT64_MAX / 2 + 1, 3}, small[] = {1, 2, 3};
	size_t bad = 9;

	CHECK(obs_add_sample(o, large, NULL, 1, NULL, NULL, &bad));
	CHECK(obs_add_sample(o, large, NULL, 2, NULL, NULL, &bad));
	CHECK(!obs_gather(o, 1, &bad));
	CHECK_INT(bad, 1);
	CHECK_INT(o->n_rows, 2);
	CHECK_INT(o->count[4], large[1]);
	CHECK(!obs_scale(o, 1, &bad));
	CHECK_INT(bad, 1);
	CHECK_INT(o->count[0], 1);
	obs_forget_column(o, 1, OBS_ABSENT);
	CHECK(obs_add_sample(o, small, NULL, 3, NULL, NULL, &bad));
	CHECK(obs_gather(o, 2, &bad));
	CHECK_INT(o->n_rows, 2);
	CHECK(!obs_add_sample(o, (int64_t[]){INT64_MAX, 1, 1}, NULL, 4, NULL, NULL, &bad));
	CHECK_INT(bad, 0);
	CHECK_INT(obs_samples(o), 3);
	CHECK(obs_scale(o, 2, &bad));
	CHECK_INT(o->count[0], 200);
	CHECK_INT((int64_t)o->total[0].sum, 300);
	CHECK(obs_scale(o, -2, &bad));
	CHECK_INT(o->count[0], 2);
	CHECK_NEAR(obs_total_scatter(&o->total[0]), 0, 0);
	obs_table_free(t);
}

static void
a_part_keeps_its_samples(void)
{
	struct obs_table *t = obs_table_new(column, COLUMNS);
	struct obs *o = obs_table_add(t, "x", "-"), *part, *whole;
	size_t bad;

	for (int64_t m = 0; m < 21; m++)
		CHECK(obs_add_sample(o, (int64_t[]){m, 1, 2}, m % 5 ? NULL : (unsigned char[]){1, 0, 1}, (double)m,
			NULL, NULL, &bad));
	CHECK(obs_gather(o, 6, &bad));
	CHECK_INT(o->n_rows, 6);
	CHECK_INT(obs_samples_in_row(o, 5), 1);
	part = obs_table_add_part(t, o, "part", 1, 3);
	CHECK_INT(obs_samples(part), 12);
	CHECK_INT(obs_samples_in_row(part, 2), 4);
	CHECK_INT(obs_samples_in_cell(part, 0, 1), 3);
	CHECK_INT((int64_t)part->total[0].sum, 114);
	whole = obs_table_add_part(t, o, "whole", 0, 6);
	CHECK_INT(obs_samples(whole), 21);
	CHECK_NEAR(obs_total_scatter(&whole->total[0]), 770, 0);
	CHECK(isnan(obs_total_scatter(&part->total[0])));
	obs_table_free(t);
}

/* The table stays within its bounds however many observations there are. */
static void
many_observations_share_the_room(void)
{
	struct obs_table *t = obs_table_new(column, COLUMNS);
	struct obs_room room = {.near = 3000 * COLUMNS};
	size_t bad, rows = 0;

	for (size_t k = 0; k < 20; k++)
		obs_table_add(t, "x", "-");
	for (int64_t m = 0; m < 100000; m++)
		CHECK(obs_room_add(&room, t, t->obs[m % 20], (int64_t[]){m, 1, 2}, NULL, NAN, NULL, NULL, &bad));
	for (size_t k = 0; k < 20; k++) {
		rows += t->obs[k]->n_rows;
		CHECK_INT(obs_samples(t->obs[k]), 5000);
		CHECK(t->obs[k]->n_rows >= GATHER_LEAST / 2);
	}
	CHECK(rows <= 3000);
	CHECK_INT(rows * COLUMNS, room.cells);
	obs_table_free(t);
}

TEST_MAIN(CASE(sums_are_exact_whenever_they_are_made), CASE(the_steps_do_not_matter),
	CASE(what_does_not_fit_is_refused_and_changes_nothing), CASE(a_part_keeps_its_samples),
	CASE(many_observations_share_the_room))
