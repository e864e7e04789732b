/* Laws between metrics on made counts that obey them: exact ones, and ones that had a counter for a part of each row.
 * None may be broken; an overcount must be, and its event be among those to blame. */
#include "work/metrics/metric_laws.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "event/table.h"
#include "test.h"
#include "work/metrics/metric_data.h"

enum { LOADS, MISSES, ONE, TWO, SLOTS, ONE_A, ONE_B, EVENTS };
#define ROWS 6
#define SLICES 40 /* of a row: in some of them an event has a counter */

static const char *const names[EVENTS] = {"LOADS", "MISSES", "ONE", "TWO", "SLOTS", "ONE_A", "ONE_B"};

static const struct event_metric rows[] = {
	{.name = "miss_share", .expr = "MISSES / LOADS", .unit = "%", .scale = 100},
	{.name = "of_one", .expr = "ONE / SLOTS", .groups = "TopdownL1", .unit = "%", .scale = 100},
	{.name = "of_two", .expr = "TWO / SLOTS", .groups = "TopdownL1", .unit = "%", .scale = 100},
	{.name = "of_one_a", .expr = "ONE_A / SLOTS", .groups = "TopdownL2;of_one_group", .unit = "%", .scale = 100},
	{.name = "of_one_b", .expr = "ONE_B / SLOTS", .groups = "TopdownL2;of_one_group", .unit = "%", .scale = 100},
};

static double
share_below_1(uint64_t *seed)
{
	return ldexp((double)(random_next(seed) >> 11), -53);
}

/* What happens in a slice: its load varies, and so do the shares. */
static void
make_slice(uint64_t *seed, const double share[4], double slice[EVENTS])
{
	double load = 1e5 * (.5 + share_below_1(seed)), s[4];

	for (int k = 0; k < 4; k++)
		s[k] = share[k] * (.8 + .2 * share_below_1(seed));
	slice[LOADS] = floor(load);
	slice[MISSES] = floor(slice[LOADS] * s[0]);
	slice[SLOTS] = floor(4 * load);
	slice[ONE] = floor(slice[SLOTS] * s[1]);
	slice[TWO] = slice[SLOTS] - slice[ONE];
	slice[ONE_A] = floor(slice[ONE] * s[2]);
	slice[ONE_B] = slice[ONE] - slice[ONE_A];
}

/* An observation of ROWS rows. In each, an event has a counter in about running[e] of the slices, drawn at random. */
static struct obs_table *
make_table(uint64_t *seed, const double running[EVENTS], double overcount)
{
	struct obs_table *table = obs_table_new(names, EVENTS);
	struct obs *obs = obs_table_add(table, "o", "made");
	double share[4];

	for (int k = 0; k < 4; k++)
		share[k] = share_below_1(seed);
	share[0] = overcount > 1 ? .95 : share[0];
	for (int row = 0; row < ROWS; row++) {
		double sum[EVENTS] = {0}, slice[EVENTS];
		int64_t count[EVENTS];
		unsigned char counted[EVENTS];
		int seen[EVENTS] = {0};

		for (int i = 0; i < SLICES; i++) {
			make_slice(seed, share, slice);
			for (int e = 0; e < EVENTS; e++)
				if (running[e] >= 1 || share_below_1(seed) < running[e]) {
					sum[e] += slice[e];
					seen[e]++;
				}
		}
		for (int e = 0; e < EVENTS; e++) {
			counted[e] = seen[e] ? OBS_COUNTED : OBS_EMPTY;
			count[e] = seen[e] ? llround(sum[e] * SLICES / seen[e] * (e == MISSES ? overcount : 1)) : 0;
		}
		obs_add_row(obs, count, counted, row + 1);
		for (size_t e = 0; e < EVENTS; e++)
			if (running[e] < 1) {
				if (!obs->running)
					obs_set_running(obs);
				obs_set_quality(obs, e, (double)seen[e] / SLICES, 0);
			}
	}
	return table;
}

/* Judges many observations; returns in how many a law is broken, and is to be blamed on MISSES. */
static unsigned
broken_of(unsigned rounds, double least_running, double overcount, uint64_t seed, unsigned *strained, unsigned *blamed)
{
	struct event_table events = {0};
	struct table_metrics *metrics;
	struct metric_laws *laws;
	bool chosen[sizeof rows / sizeof *rows];
	unsigned broken = 0;

	memset(chosen, true, sizeof chosen);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		event_table_add_metric(&events, &rows[i]);
	event_table_sort(&events);
	metrics = table_metrics_new(&events);
	laws = metric_laws_new(metrics, NULL, 0);
	CHECK_INT(laws->n, 2 * 5 + 2); /* five shares, two levels */
	*strained = *blamed = 0;
	for (unsigned k = 0; k < rounds; k++) {
		double running[EVENTS];
		struct obs_table *table;
		struct metric_judgement *judgement;

		for (int e = 0; e < EVENTS; e++)
			running[e] = least_running + (1 - least_running) * share_below_1(&seed);
		table = make_table(&seed, running, overcount);
		judgement = metric_laws_judge(laws, chosen, table, 0, &(const struct metric_constants){0}, .99);
		CHECK_INT(judgement->judged, laws->n);
		broken += judgement->n_broken > 0;
		*strained += judgement->n > judgement->n_broken;
		*blamed += judgement->n_broken == 1 && judgement->finding[0].blame &&
			strstr(judgement->finding[0].blame, "MISSES") != NULL;
		metric_judgement_free(judgement);
		obs_table_free(table);
	}
	metric_laws_free(laws);
	table_metrics_free(metrics);
	event_table_free(&events);
	return broken;
}

static void
true_counts_break_nothing(void)
{
	unsigned rounds = test_rounds(300, 3000), strained, blamed,
		 broken = broken_of(rounds, 1, 1, 11, &strained, &blamed);

	CHECK_INT(broken, 0);
	CHECK_INT(strained, 0);
	broken = broken_of(rounds, .3, 1, 12, &strained, &blamed);
	printf("# %u clean records with turns: %u broken, %u strained\n", rounds, broken, strained);
	CHECK(broken <= rounds / 100);
	CHECK(strained > rounds / 2); /* the middles of scaled counts do break levels: the bounds decide */
}

static void
overcounts_are_found(void)
{
	unsigned rounds = test_rounds(200, 2000), strained, blamed,
		 broken = broken_of(rounds, 1, 1.5, 13, &strained, &blamed);

	CHECK_INT(broken, rounds);
	CHECK_INT(blamed, rounds);
	broken = broken_of(rounds, .7, 1.5, 14, &strained, &blamed);
	printf("# %u records with turns whose misses count 1.5 times: %u broken\n", rounds, broken);
	CHECK(broken > rounds * 2 / 3);
	CHECK_INT(blamed, broken);
}

TEST_MAIN(CASE(true_counts_break_nothing), CASE(overcounts_are_found))
