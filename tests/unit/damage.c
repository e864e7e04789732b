/* Running totals are known, and increments are not taken for them: whatever their noise, and however few rows. */
#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "core/obs/damage.h"
#include "core/obs/gather.h"
#include "core/obs/obs.h"
#include "test.h"

enum noise { WHITE, WALK, DRIFT, STEADY, N_NOISES };

static double
normal(uint64_t *seed)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += (double)(test_random(seed) % 1000000) / 1e6;
	return sum;
}

/* One observation of two columns under a load that both share, the worst case. `totals`: rows are added up. */
static struct obs_table *
draw(enum noise noise, size_t rows, bool totals, uint64_t *seed)
{
	static const char *const column[] = {"a", "b"};
	struct obs_table *t = obs_table_new(column, 2);
	struct obs *o = obs_table_add(t, "x", "test");
	double load = 1000, slow = 0;
	int64_t sum[2] = {0, 0};

	for (size_t i = 0; i < rows; i++) {
		int64_t count[2];

		slow += 20 * normal(seed);
		load = noise == WHITE ? 1000 + 100 * normal(seed) : noise == WALK ? 5000 + slow
			: noise == DRIFT ? 1000 + 10 * (double)i + 3 * normal(seed) : 1000;
		for (int k = 0; k < 2; k++) {
			count[k] = llround(fmax(0, load * (k + 1)));
			sum[k] += count[k];
		}
		obs_add_row(o, totals ? sum : count, NULL, NAN);
	}
	return t;
}

static size_t
count_found(enum noise noise, size_t rows, bool totals, int runs, uint64_t *seed)
{
	size_t found = 0;

	for (int i = 0; i < runs; i++) {
		struct obs_table *t = draw(noise, rows, totals, seed);

		found += obs_is_running_total(t->obs[0]);
		obs_table_free(t);
	}
	return found;
}

static void
increments_are_no_totals(void)
{
	static const size_t rows[] = {2, 5, 7, 8, 10, 14, 20, 31, 60};
	uint64_t seed = 7;

	for (enum noise noise = WHITE; noise < N_NOISES; noise++)
		for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
			if (noise == DRIFT && rows[k] > 30) /* 30 rises are no chance: a ramp is called one */
				continue;
			test_label("noise %d, %zu rows", (int)noise, rows[k]);
			CHECK_INT(count_found(noise, rows[k], false, 4000, &seed), 0);
		}
}

static void
totals_are_known(void)
{
	static const size_t rows[] = {14, 20, 31, 60};
	uint64_t seed = 7;

	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		test_label("%zu rows", rows[k]);
		CHECK_INT(count_found(WHITE, rows[k], true, 1000, &seed), 1000);
		CHECK_INT(count_found(WALK, rows[k], true, 1000, &seed), 1000);
		CHECK_INT(count_found(STEADY, rows[k], true, 1, &seed), 1);
	}
	CHECK_INT(count_found(STEADY, 7, true, 1, &seed), 1);
}

static void
differences_of_totals_are_increments(void)
{
	uint64_t seed = 3, again = 3;
	struct obs_table *t = draw(WHITE, 20, true, &seed), *want = draw(WHITE, 20, false, &again);
	struct err e = {.what = ""};

	t->obs[0]->counted[2 * 5] = 0; /* the differences before and after an empty cell are unknown */
	if (CHECK(obs_table_take_differences(t, "f", &e)) && CHECK_INT(t->obs[0]->n_rows, 19))
		for (size_t cell = 0; cell < 38; cell++) {
			bool empty = cell == 2 * 4 || cell == 2 * 5;

			CHECK_INT(t->obs[0]->counted[cell], !empty);
			CHECK_INT(t->obs[0]->count[cell], empty ? 0 : want->obs[0]->count[cell + 2]);
		}
	obs_table_free(t);
	obs_table_free(want);
}

/* In a large file samples are added up; what they are does not depend on that. */
static void
gathered_totals_are_known(void)
{
	uint64_t seed = 11;

	for (int what = 0; what < 3; what++) {
		static const char *const column[] = {"a", "b"};
		struct obs_table *t = obs_table_new(column, 2);
		struct obs *o = obs_table_add(t, "x", "test");
		struct obs_room room = {.near = 400};
		int64_t sum = 0;
		size_t refused;

		test_label(what == 0 ? "totals" : what == 1 ? "increments" : "increments with a trend");
		for (int i = 0; i < 20000; i++) {
			double trend = what == 2 ? i / 10.0 : 0;
			int64_t x = llround(1000 + 100 * normal(&seed) + trend);

			sum = what == 0 ? sum + x : x;
			CHECK(obs_room_add(
				&room, t, o, (int64_t[]){sum, 2 * sum}, NULL, NAN, NULL, NULL, &refused));
		}
		CHECK(o->per_row > 1);
		CHECK_INT(obs_is_running_total(o), what == 0);
		obs_table_free(t);
	}
}

/* A gathered table of one observation: `block` samples, so many times, of which each `wrapped`-th has a count just
 * below 2^48 in its second column. */
static struct obs_table *
gathered_table(size_t block, size_t times, size_t wrapped)
{
	static const char *const column[] = {"a", "b"};
	struct obs_table *t = obs_table_new(column, 2);
	struct obs *o = obs_table_add(t, "x", "test");
	struct obs_room room = {.near = 400};
	size_t refused;

	for (size_t k = 0; k < times; k++) {
		uint64_t seed = 5;

		for (size_t i = 0; i < block; i++) {
			int64_t a = llround(100000 + 1000 * normal(&seed)),
				b = llround(5000 + 100 * normal(&seed));

			if (wrapped && i % wrapped == wrapped / 2)
				b = ((int64_t)1 << 48) - b;
			CHECK(obs_room_add(&room, t, o, (int64_t[]){a, b}, NULL, NAN, NULL, NULL, &refused));
		}
	}
	CHECK(o->per_row > 1);
	return t;
}

/* However the blocks lie to the rows, one is left, with its sums and squares. */
static void
gathered_repeats_are_counted_once(void)
{
	static const size_t block[] = {1024, 4096, 1000, 3001, 4999};

	for (size_t b = 0; b < sizeof block / sizeof *block; b++)
		for (size_t times = 1; times <= 5; times++) {
			struct obs_table *once = gathered_table(block[b], 1, 0),
					 *t = gathered_table(block[b], times, 0);
			const struct obs *o = t->obs[0];

			test_label("%zu samples, %zu times", block[b], times);
			obs_table_mend(t, "f");
			CHECK_INT(t->n_notes, times > 1);
			CHECK_INT(obs_samples(o), block[b]);
			for (size_t i = 0; i < 2; i++) {
				int64_t sum = 0;

				for (size_t row = 0; row < o->n_rows; row++)
					sum += o->count[2 * row + i];
				CHECK(sum == (int64_t)once->obs[0]->total[i].sum);
				CHECK(o->total[i].sum == once->obs[0]->total[i].sum);
				CHECK(o->total[i].square == once->obs[0]->total[i].square);
			}
			obs_table_free(t);
			obs_table_free(once);
		}
}

static void
gathered_wraps_are_left_out(void)
{
	struct obs_table *t = gathered_table(5000, 1, 1700);
	const struct obs *o = t->obs[0];
	size_t empty = 0;

	obs_table_mend(t, "f");
	CHECK_INT(t->n_notes, 1);
	for (size_t row = 0; row < o->n_rows; row++) {
		empty += !o->counted[2 * row + 1];
		CHECK(o->counted[2 * row] == 1);
		CHECK_INT(o->whole_of[row] > 0, o->counted[2 * row + 1]);
	}
	CHECK_INT(empty, 3);
	CHECK_NEAR((double)o->total[1].sum / (double)o->total[1].counted, 5000, 10);
	CHECK_INT(o->total[1].counted, 5000 - 3 * o->per_row);
	CHECK_INT(o->total[0].counted, 5000);
	obs_table_free(t);
}

TEST_MAIN(CASE(increments_are_no_totals), CASE(totals_are_known), CASE(gathered_totals_are_known),
	CASE(gathered_repeats_are_counted_once), CASE(gathered_wraps_are_left_out),
	CASE(differences_of_totals_are_increments))
