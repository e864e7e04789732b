/* Tables of observations: counts, gaps and times of rows, equal names, parts, and rows folded into sums. Sums are
 * compared with those that the test adds up itself. */
#include "core/obs/obs.h"

#include <math.h>

#include "test.h"

static const char *const COLUMNS[] = {"a", "b", "c"};

static void
rows_keep_counts_gaps_and_times(void)
{
	struct obs_table *t = obs_table_new(COLUMNS, 3);
	struct obs *o = obs_table_add(t, "run", "file.csv");

	CHECK_INT(o->n_rows, 0);
	CHECK_INT(o->health[0], OBS_ABSENT);
	for (int64_t i = 0; i < 100; i++) {
		int64_t count[] = {i, INT64_MAX - i, -1};
		unsigned char counted[] = {1, (unsigned char)(i % 2), 0};

		obs_add_row(o, count, i == 50 ? NULL : counted, i < 7 ? NAN : (double)i / 2);
	}
	CHECK_INT(o->n_rows, 100);
	for (size_t i = 0; i < 100; i++) {
		CHECK_INT(o->count[i * 3], i);
		CHECK_INT(o->counted[i * 3], 1);
		CHECK_INT(o->counted[i * 3 + 1], i % 2 || i == 50);
		CHECK_INT(o->count[i * 3 + 1], i % 2 || i == 50 ? INT64_MAX - (int64_t)i : 0);
		CHECK_INT(o->counted[i * 3 + 2], i == 50);
		CHECK(i < 7 ? isnan(o->time[i]) : fabs(o->time[i] - (double)i / 2) < 1e-12);
	}
	CHECK_INT(o->health[0], OBS_LIVE);
	CHECK_INT(o->health[2], OBS_LIVE);
	obs_table_free(t);
}

static void
absent_columns_and_times_stay_absent(void)
{
	struct obs_table *t = obs_table_new(COLUMNS, 3);
	struct obs *o = obs_table_add(t, "run", "-");
	static const unsigned char counted[] = {1, 0, 1};
	static const int64_t count[] = {1, 2, 3};

	for (int i = 0; i < 3; i++)
		obs_add_row(o, count, counted, NAN);
	CHECK(o->time == NULL);
	CHECK_STR(obs_health_name(o->health[0]), "live");
	CHECK_STR(obs_health_name(o->health[1]), "absent");
	obs_table_free(t);
}

static void
equal_names_are_numbered(void)
{
	static const char *const want[] = {"x", "x#2", "x#3", "x#2#2", "y"};
	static const char *const give[] = {"x", "x", "x", "x#2", "y"};
	struct obs_table *t = obs_table_new(COLUMNS, 3);

	for (int i = 0; i < 5; i++)
		CHECK_STR(obs_table_add(t, give[i], "s")->name, want[i]);
	CHECK_INT(t->n, 5);
	obs_table_free(t);
}

static void
parts_keep_everything(void)
{
	struct obs_table *t = obs_table_new(COLUMNS, 3);
	struct obs *o = obs_table_add(t, "run", "here"), *part;
	static const unsigned char counted[] = {1, 0, 1};

	for (int i = 0; i < 9; i++) {
		int64_t count[] = {i, 0, 10 * i};

		obs_add_row(o, count, counted, i / 2.0);
		obs_set_quality(o, 0, i == 5 ? 0.25 : 1, i == 6 ? 3 : 0);
	}
	o->tasks = 4;
	o->decimals = 2;
	o->exact = true;
	o->health[0] = OBS_DEAD;
	part = obs_table_add_part(t, t->obs[0], "run@2", 4, 3);
	CHECK_STR(part->name, "run@2");
	CHECK_STR(part->source, "here");
	CHECK_INT(part->n_rows, 3);
	CHECK_INT(part->count[0], 4);
	CHECK_INT(part->count[3 * 2 + 2], 60);
	CHECK_INT(part->counted[1], 0);
	CHECK_NEAR(part->time[1], 2.5, 0);
	CHECK_NEAR(part->running[0], 1, 0);
	CHECK_NEAR(part->running[3], 0.25, 0);
	CHECK_NEAR(part->error[6], 3, 0);
	CHECK_NEAR(part->tasks, 4, 0);
	CHECK_INT(part->decimals, 2);
	CHECK(part->exact);
	CHECK_INT(part->health[0], OBS_DEAD);
	CHECK_INT(part->health[1], OBS_ABSENT);
	obs_table_free(t);
}

static void
a_forgotten_column_was_never_counted(void)
{
	struct obs_table *t = obs_table_new(COLUMNS, 3);
	struct obs *o = obs_table_add(t, "run", "-");

	obs_add_row(o, (int64_t[]){1, 2, 3}, NULL, NAN);
	obs_add_row(o, (int64_t[]){4, 5, 6}, NULL, NAN);
	obs_forget_column(o, 1, OBS_UNSUPPORTED);
	CHECK_INT(o->counted[1] + o->counted[4], 0);
	CHECK_INT(o->count[1] + o->count[4], 0);
	CHECK_INT(o->health[1], OBS_UNSUPPORTED);
	CHECK_INT(o->count[3] + o->count[5], 10);
	CHECK_INT(o->health[2], OBS_LIVE);
	obs_table_free(t);
}

/* A hundred thousand observations of one name, with another one that already has a number. */
static void
many_equal_names_are_numbered_in_linear_time(void)
{
	struct obs_table *t = obs_table_new(COLUMNS, 1);

	obs_table_add(t, "x#3", "-");
	for (int i = 0; i < 100000; i++)
		obs_table_add(t, "x", "-");
	CHECK_STR(t->obs[1]->name, "x");
	CHECK_STR(t->obs[2]->name, "x#2");
	CHECK_STR(t->obs[3]->name, "x#4");
	CHECK_STR(t->obs[100000]->name, "x#100001");
	obs_table_free(t);
}

/* However often rows are folded: sums stay, times ascend, and the newest rows stay one by one. */
static void
old_rows_are_folded(void)
{
	struct obs_table *t = obs_table_new(COLUMNS, 3);
	struct obs *o = obs_table_add(t, "run", "-");
	int64_t sum[2] = {0, 0}, added[2] = {0, 0};
	uint64_t seed = 3;
	const size_t most = 64, n = 5000;

	for (size_t i = 0; i < n; i++) {
		int64_t count[] = {(int64_t)(test_random(&seed) % 1000), (int64_t)i, 0};

		obs_keep(o, most);
		CHECK(o->n_rows < most);
		obs_add_row(o, count, (unsigned char[]){1, 1, 0}, (double)(i + 1));
		added[0] += count[0];
		added[1] += count[1];
	}
	CHECK_INT(o->n_rows + o->folded, n);
	CHECK(o->sums >= 16 && o->sums <= o->n_rows - most / 2 + 16);
	for (size_t row = 0; row < o->n_rows; row++) {
		double seconds = o->time[row] - (row ? o->time[row - 1] : 0);

		sum[0] += o->count[row * 3];
		sum[1] += o->count[row * 3 + 1];
		CHECK(seconds >= 1 && (row < o->sums ? seconds > 1 : seconds <= 1));
		CHECK_INT(o->counted[row * 3 + 2], 0);
		if (row >= o->sums)
			CHECK_INT(o->count[row * 3 + 1], n - o->n_rows + row);
	}
	CHECK_INT(sum[0], added[0]);
	CHECK_INT(sum[1], added[1]);
	CHECK(!o->running);
	CHECK_NEAR(o->time[o->n_rows - 1], (double)n, 0);
	obs_table_free(t);
}

/* A count of only part of the time is scaled up, for the eye, and marked; the share of the time stands next to it.
 * Stated errors add up as squares. */
static void
folded_gaps_are_reported(void)
{
	struct obs_table *t = obs_table_new(COLUMNS, 3);
	struct obs *o = obs_table_add(t, "run", "-");
	static const double ends[] = {4, 5.5};

	o->since_start = true;
	obs_add_row(o, (int64_t[]){10, 1, 5}, NULL, 1);
	obs_set_quality(o, 2, 1, 3);
	obs_add_row(o, (int64_t[]){30, 0, 5}, (unsigned char[]){1, 0, 1}, 4);
	obs_set_quality(o, 2, 0.5, 4);
	obs_add_row(o, (int64_t[]){7, 7, 7}, NULL, 5);
	obs_add_row(o, (int64_t[]){8, 8, 8}, NULL, 6);
	obs_fold(o, ends, 2);
	CHECK_INT(o->n_rows, 3);
	CHECK_INT(o->folded, 1);
	CHECK_INT(o->sums, 1);
	CHECK_INT(o->count[0], 40);
	CHECK_INT(o->count[1], 4); /* counted in one second of four */
	CHECK_INT(o->counted[1], OBS_PART);
	CHECK_INT(o->counted[0], OBS_COUNTED);
	CHECK_INT(o->counted[4], OBS_COUNTED);
	CHECK_NEAR(o->running[1], 0.25, 1e-12);
	CHECK_NEAR(o->running[0], 1, 0);
	CHECK_NEAR(o->running[2], (1 + 3 * 0.5) / 4, 1e-12);
	CHECK_NEAR(o->error[2], 5, 1e-12);
	CHECK_INT(o->count[3], 7);
	CHECK_INT(o->count[6], 8);
	CHECK_NEAR(o->time[0], 4, 0);
	CHECK_NEAR(o->running[5], 1, 0);
	obs_fold(o, ends, 0);
	CHECK_INT(o->n_rows, 3);
	obs_table_add_part(t, o, "copy", 0, 3);
	CHECK_INT(t->obs[1]->counted[1], OBS_PART);
	obs_fold(o, (double[]){6}, 1); /* what was counted in part stays so */
	CHECK_INT(o->n_rows, 1);
	CHECK_INT(o->counted[1], OBS_PART);
	CHECK_INT(o->count[1], 19);
	CHECK_INT(o->counted[0], OBS_COUNTED);
	obs_table_free(t);
}

TEST_MAIN(CASE(old_rows_are_folded), CASE(folded_gaps_are_reported), CASE(rows_keep_counts_gaps_and_times),
	CASE(absent_columns_and_times_stay_absent), CASE(equal_names_are_numbered), CASE(parts_keep_everything),
	CASE(a_forgotten_column_was_never_counted), CASE(many_equal_names_are_numbered_in_linear_time))
