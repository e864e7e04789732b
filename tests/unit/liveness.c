/* The health of counters, from the first rows on: each rule of collect/liveness.h, with increments and states
 * written by hand. */
#include "collect/liveness.h"

#include "collect/source.h"
#include "test.h"

#define N 4
#define SW SOURCE_ZERO_HONEST
#define HW SOURCE_ZERO_SUSPECT
#define SURE SOURCE_ZERO_IMPOSSIBLE
#define NEVER SOURCE_ZERO_ALWAYS

static struct liveness *
begin(const enum source_zero *zero, size_t n, size_t refused)
{
	struct source_status s[N] = {0};

	for (size_t i = 0; i < n; i++)
		s[i] = (struct source_status){.zero = zero[i], .health = i == refused ? OBS_UNSUPPORTED : OBS_LIVE};
	return liveness_new(s, n);
}

/* Feeds `rows` rows of these increments; -1: the counter did not run. */
static void
feed(struct liveness *v, size_t rows, const int64_t *count, size_t n)
{
	int64_t c[N];
	unsigned char counted[N];
	double running[N];

	for (size_t i = 0; i < n; i++) {
		c[i] = count[i] < 0 ? 0 : count[i];
		counted[i] = count[i] >= 0;
		running[i] = 1;
	}
	for (size_t k = 0; k < rows; k++)
		liveness_row(v, &(struct source_row){.count = c, .counted = counted, .running = running});
}

static void
rules(void)
{
	static const struct {
		const char *name;
		enum source_zero zero[N];
		int64_t count[N];
		size_t rows;
		enum obs_health want[N];
	} row[] = {
		{"what rises is live at once", {SW, HW, SURE, HW}, {1, 1, 1, 1}, 1,
			{OBS_LIVE, OBS_LIVE, OBS_LIVE, OBS_LIVE}},
		{"a software 0 is a 0", {SW, SW, SW, SW}, {0, 5, 0, 0}, 100, {OBS_LIVE, OBS_LIVE, OBS_LIVE, OBS_LIVE}},
		{"a hardware 0 is none yet", {SW, HW, HW, HW}, {5, 0, 1, 1}, LIVENESS_ROWS - 1,
			{OBS_LIVE, OBS_LIVE, OBS_LIVE, OBS_LIVE}},
		{"then it is suspect", {SW, HW, HW, HW}, {5, 0, 1, 1}, LIVENESS_ROWS,
			{OBS_LIVE, OBS_ZERO_SUSPECT, OBS_LIVE, OBS_LIVE}},
		{"and stays so while others of the PMU count", {SW, HW, HW, HW}, {5, 0, 1, 0}, 1000,
			{OBS_LIVE, OBS_ZERO_SUSPECT, OBS_LIVE, OBS_ZERO_SUSPECT}},
		{"a sleeping process says nothing", {SW, HW, SURE, HW}, {0, 0, 0, 0}, 1000,
			{OBS_LIVE, OBS_LIVE, OBS_LIVE, OBS_LIVE}},
		{"no cycles: dead", {SW, HW, SURE, HW}, {5, 1, 0, 1}, LIVENESS_ROWS,
			{OBS_LIVE, OBS_LIVE, OBS_DEAD, OBS_LIVE}},
		{"a PMU that never counts: not sure yet", {SW, HW, HW, HW}, {5, 0, 0, 0}, LIVENESS_SURE - 1,
		 {OBS_LIVE, OBS_ZERO_SUSPECT, OBS_ZERO_SUSPECT, OBS_ZERO_SUSPECT}},
		{"a PMU that never counts: dead", {SW, HW, HW, HW}, {5, 0, 0, 0}, LIVENESS_SURE,
			{OBS_LIVE, OBS_DEAD, OBS_DEAD, OBS_DEAD}},
		{"two silent events are too few", {SW, SW, HW, HW}, {5, 0, 0, 0}, 1000,
			{OBS_LIVE, OBS_LIVE, OBS_ZERO_SUSPECT, OBS_ZERO_SUSPECT}},
		{"never on a counter", {SW, HW, HW, HW}, {5, -1, 1, 1}, LIVENESS_ROWS,
			{OBS_LIVE, OBS_DEAD, OBS_LIVE, OBS_LIVE}},
		{"not on a counter yet", {SW, HW, HW, HW}, {5, -1, 1, 1}, LIVENESS_ROWS - 1,
			{OBS_LIVE, OBS_ABSENT, OBS_LIVE, OBS_LIVE}},
		{"an event that never counts", {NEVER, SW, HW, HW}, {0, 5, 1, 1}, 1,
			{OBS_DEAD, OBS_LIVE, OBS_LIVE, OBS_LIVE}},
	};

	for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
		struct liveness *v = begin(row[k].zero, N, N);

		test_label("%s", row[k].name);
		feed(v, row[k].rows, row[k].count, N);
		for (size_t i = 0; i < N; i++)
			CHECK_INT(liveness_health(v, i), row[k].want[i]);
		liveness_free(v);
	}
}

static void
what_rises_late_is_live_again(void)
{
	static const enum source_zero zero[] = {SW, HW, HW, HW};
	static const int64_t silent[] = {5, 0, 0, 0}, one[] = {5, 0, 3, 0};
	struct liveness *v = begin(zero, N, N);

	feed(v, LIVENESS_SURE, silent, N);
	CHECK_INT(liveness_health(v, 1), OBS_DEAD);
	feed(v, 1, one, N);
	CHECK_INT(liveness_health(v, 2), OBS_LIVE);
	CHECK_INT(liveness_health(v, 1), OBS_ZERO_SUSPECT);
	feed(v, 1000, silent, N);
	CHECK_INT(liveness_health(v, 2), OBS_LIVE);
	liveness_free(v);
}

static void
a_refusal_stays_one(void)
{
	static const enum source_zero zero[] = {SW, HW};
	static const int64_t count[] = {5, 5};
	struct liveness *v = begin(zero, 2, 1);

	feed(v, 100, count, 2);
	CHECK_INT(liveness_health(v, 1), OBS_UNSUPPORTED);
	liveness_free(v);
}

TEST_MAIN(CASE(rules), CASE(what_rises_late_is_live_again), CASE(a_refusal_stays_one))
