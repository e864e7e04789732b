/* The sampler: differences of counts, scaled by the times of their counters and added up by place; totals that fall;
 * the ticker; lists of numbers. Values are worked out by hand. */
/* Totals to increments: scaling by this row's own times, and what must not become a count. Lists of numbers. */
#include "collect/perf/sampler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/number_list.h"
#include "test.h"

static void
increments_are_scaled_by_their_own_times(void)
{
	static const struct {
		struct perf_reading last, now;
		int64_t count;
		double share;
		bool blind, overflow;
	} row[] = {
		{{0, 0, 0}, {100, 50, 50}, 100, 1, false, false},
		{{100, 50, 50}, {100, 50, 50}, 0, 1, false, false},                      /* asleep: a true 0 */
		/* the past's share does not matter */
		{{100, 1000, 500}, {200, 2000, 1500}, 100, 1, false, false},
		{{100, 1000, 1000}, {200, 2000, 1500}, 200, 0.5, false, false},
		{{0, 0, 0}, {1, 3, 2}, 2, 2.0 / 3, false, false},                        /* 1.5 is rounded up */
		{{0, 0, 0}, {1, 5, 4}, 1, 0.8, false, false},                            /* 1.25 down */
		/* enabled, and never ran: unknown */
		{{7, 100, 100}, {7, 200, 100}, 0, 1, true, false},
		{{0, 0, 0}, {1ull << 62, 1ull << 40, 1ull << 39}, 0, 0.5, false, true},  /* 2^63 */
		/* only 128 bits hold what lies between */
		{{0, 0, 0}, {1ull << 61, 1ull << 62, 1ull << 61}, 1ll << 62, 0.5, false, false},
		{{0, 0, 0}, {UINT64_MAX, 1, 1}, 0, 1, false, true},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct increment inc = INCREMENT_NONE;
		struct perf_reading last = row[i].last;

		test_label("row %zu", i);
		increment_add(&inc, &row[i].now, &last);
		CHECK_INT(inc.overflow, row[i].overflow);
		CHECK_INT(inc.blind, row[i].blind);
		CHECK_NEAR(inc.share, row[i].share, 1e-12);
		CHECK(memcmp(&last, &row[i].now, sizeof last) == 0);
		if (!inc.overflow)
			CHECK_INT(inc.count, row[i].count);
	}
}

static void
places_add_up_and_one_blind_place_blinds_all(void)
{
	struct perf_reading last[2] = {{0}};
	const struct perf_reading now[2] = {{10, 5, 5}, {20, 10, 5}}, later[2] = {{15, 9, 9}, {20, 14, 5}};
	struct increment inc = INCREMENT_NONE;

	for (int k = 0; k < 2; k++)
		increment_add(&inc, &now[k], &last[k]);
	CHECK_INT(inc.count, 50);
	CHECK_NEAR(inc.share, 0.5, 1e-12);
	CHECK(!inc.blind);
	inc = INCREMENT_NONE;
	for (int k = 0; k < 2; k++)
		increment_add(&inc, &later[k], &last[k]);
	CHECK(inc.blind);
}

/* Whatever a total does between, the rows add up to it at the end. */
static void
a_total_that_falls_is_made_up_for_later(void)
{
	static const uint64_t total[] = {5, 9, 7, 8, 12, 11, 20};
	struct perf_reading last = {0};
	int64_t sum = 0;

	for (size_t i = 0; i < sizeof total / sizeof *total; i++) {
		struct increment inc = INCREMENT_NONE;

		increment_add(&inc, &(struct perf_reading){total[i], 10 * (i + 1), 10 * (i + 1)}, &last);
		CHECK(inc.count >= 0);
		sum += inc.count;
	}
	CHECK_INT(sum, 20);
}

static void
a_ticker_counts_missed_ticks(void)
{
	int fd = ticker_new(1);
	uint64_t ticks = 0, calls = 0;

	if (!CHECK(fd >= 0))
		return;
	while (ticks < 20 && calls < 100000000) {
		ticks += ticker_take(fd);
		calls++;
	}
	CHECK(ticks >= 20);
	CHECK_INT(ticker_take(-1), 0);
}

static void
number_lists(void)
{
	static const struct { const char *text; bool ranges; const char *want; } row[] = {
		{"3", true, "3"}, {"0,2-4", true, "0 2 3 4"}, {"4,1,4,0-1", true, "0 1 4"}, {"7-7", true, "7"},
			{"12,5", false, "5 12"},
		{"", true, "error: a number is missing"}, {"1,", true, "error: a number is missing"}, {"1,,2",
			true, "error: a number is missing"},
		{"x", true, "error: x is not a whole number"}, {"1.5", true, "error: 1.5 is not a whole number"},
		{"-3", true, "error: -3 is not a whole number"}, {"3-1", true, "error: the range 3-1 runs backwards"},
		{"1-2", false, "error: 1-2 is not a whole number"}, {"101", true,
			"error: 101 is not between 0 and 100"},
		{"99999999999999999999", true, "error: 99999999999999999999 is too large"}, {"0-", true,
			"error: a number is missing"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char got[1024] = "";
		struct err e = {0};
		int *list;
		size_t n, at = 0;

		test_label("\"%s\"", row[i].text);
		if (!number_list_parse(row[i].text, row[i].ranges, 0, 100, &list, &n, &e))
			snprintf(got, sizeof got, "error: %s", e.what);
		for (size_t k = 0; k < n; k++)
			at += (size_t)snprintf(got + at, sizeof got - at, "%s%d", k ? " " : "", list[k]);
		CHECK_STR(got, row[i].want);
		free(list);
	}
}

TEST_MAIN(CASE(increments_are_scaled_by_their_own_times), CASE(places_add_up_and_one_blind_place_blinds_all),
	CASE(a_total_that_falls_is_made_up_for_later), CASE(a_ticker_counts_missed_ticks),
	CASE(number_lists))
