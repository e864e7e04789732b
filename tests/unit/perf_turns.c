/* Software events that take turns like hardware events: the whole source, from opening to rows, with a PMU that has
 * room for one of them. */
#include "collect/perf/turns.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "collect/perf/names.h"
#include "collect/perf/source_state.h"
#include "collect/source.h"
#include "test.h"

#define EVENTS 3
#define ROWS 6

/* Pinned events (:D) are alone in their group, and the kernel never multiplexes them. So the test marks with :D those
 * that take turns. */
static bool
is_pinned(const struct event_code *c)
{
	return c->pinned;
}

static bool
one_fits(void *ctx, const struct event_code *const *code, size_t n)
{
	(void)ctx;
	(void)code;
	return n <= 1;
}

static const struct event_code faults = {.kind = EVENT_SOFTWARE, .type = 1, .config = 2, .pinned = true,
	.no_kernel = true, .no_hv = true};
static bool
two_fit(void *ctx, const struct event_code *const *code, size_t n)
{
	(void)ctx;
	(void)code;
	return n <= 2;
}

static const struct turns_room room = {is_pinned, one_fits, NULL, &faults}, wide = {is_pinned, two_fit, NULL, &faults};

/* a = c, where c is number 7 in the constraints */
static struct set_constraints
a_is_c(void *ctx)
{
	static const size_t unit[] = {0, 7};
	static const double spread[] = {.5, -.5, -.5, .5};
	struct set_constraints out = {.at = mem_new(sizeof *out.at), .n = 1};

	++*(size_t *)ctx;
	*out.at = (struct set_constraint){
		.n = 2, .unit = mem_copy(unit, sizeof unit), .spread = mem_copy(spread, sizeof spread)};
	return out;
}

/* Uses processor time until then (ns), so that the count is known. */
static void
burn_until(uint64_t ns)
{
	while (clock_ns() < ns)
		;
}

/* Rows of this thread; false, and the case skipped, if it cannot be watched. */
static bool
take_rows(enum rotation_how how, const struct turns_room *in, size_t *asked, struct source_row *row,
	struct source_status *status)
{
	static const struct event_item event[EVENTS + 1] = {{.name = "task-clock:uD"}, {.name = "task-clock:uD"},
		{.name = "task-clock:uD"}, {.name = "task-clock:u"}};
	const struct source_counter counter[EVENTS + 1] = {
		{"a", &event[0], 1, NULL, 0, 0}, {"b", &event[1], 1, NULL, 0, 1}, {"c", &event[2], 1, NULL, 0, 7},
		{"all", &event[3], 1, NULL, 0, 2},
	};
	const int tid = (int)gettid();
	const struct source_target me = {.kind = SOURCE_THREADS, .id = &tid, .n = 1};
	const struct source_spec spec = {.counter = counter, .n_counters = EVENTS + 1, .target = &me,
		.interval_ms = 100, .by_hand = true, .rotation = how, .constraints = {asked ? a_is_c : NULL, asked},
		.out_fd = -1, .err_fd = -1};
	struct err e = {0};
	struct source *s = source_perf.open(&spec, &e);
	int64_t total[EVENTS + 1];
	unsigned char counted[EVENTS + 1];

	if (!s) {
		test_skip("perf_event_open: counting is for privileged users only here");
		return false;
	}
	s->room = in;
	CHECK(source_perf.start(s, &e));
	for (size_t m = 0; m < ROWS; m++) {
		burn_until(clock_ns() + 100000000);
		source_perf.tick(s);
		CHECK_INT(source_perf.row(s, &row[m], &e), SOURCE_ROW);
	}
	CHECK(source_perf.read(s, total, counted, &e));
	for (size_t i = 0; i <= EVENTS; i++) {
		status[i] = source_perf.status(s)[i];
		/* counts of multiplexed events are scaled, and no exact totals */
		CHECK_INT(counted[i], how == ROTATION_KERNEL || i == EVENTS);
	}
	source_perf.close(s);
	return true;
}

static void
turns_are_scaled(void)
{
	int64_t count[ROWS][EVENTS + 1], all = 0;
	unsigned char counted[ROWS][EVENTS + 1];
	double running[ROWS][EVENTS + 1], share[EVENTS] = {0}, sum[EVENTS] = {0};
	struct source_row row[ROWS];
	struct source_status status[EVENTS + 1];

	for (size_t m = 0; m < ROWS; m++)
		row[m] = (struct source_row){.count = count[m], .counted = counted[m], .running = running[m]};
	if (!take_rows(ROTATION_RANDOM, &room, NULL, row, status))
		return;
	for (size_t m = 0; m < ROWS; m++) {
		CHECK_NEAR(row[m].rotation.period, EVENTS * 4e-3, 1e-9);
		CHECK(row[m].rotation.seed != 0 && row[m].rotation.seed == row[0].rotation.seed);
		CHECK_NEAR(row[m].rotation.locked, 0, 0);
		CHECK_NEAR(running[m][EVENTS], 1, 0);
		all += count[m][EVENTS];
		for (size_t i = 0; i < EVENTS; i++) {
			if (!counted[m][i]) /* a busy machine may have no turn of it within a row */
				continue;
			CHECK(running[m][i] > 0 && running[m][i] < 1);
			CHECK_NEAR((double)count[m][i] / (double)count[m][EVENTS], 1, 0.05);
			share[i] += running[m][i] / ROWS;
			sum[i] += (double)count[m][i];
		}
	}
	for (size_t i = 0; i < EVENTS; i++) {
		CHECK(share[i] > 0.1 && share[i] < 0.7);
		CHECK(sum[i] > 0.5 * (double)all);
		CHECK(status[i].running < 1 && *status[i].why);
	}
	CHECK_NEAR(share[0] + share[1] + share[2], 1, 0.1);
}

/* The kernel is asked to rotate the events, but all of them fit: every row has the full time, and the reference event
 * is read. */
static void
kernel_rotation_is_watched(void)
{
	int64_t count[ROWS][EVENTS + 1];
	unsigned char counted[ROWS][EVENTS + 1];
	double running[ROWS][EVENTS + 1];
	struct source_row row[ROWS];
	struct source_status status[EVENTS + 1];
	size_t asked = 0;

	for (size_t m = 0; m < ROWS; m++)
		row[m] = (struct source_row){.count = count[m], .counted = counted[m], .running = running[m]};
	if (!take_rows(ROTATION_KERNEL, &room, &asked, row, status))
		return;
	for (size_t m = 0; m < ROWS; m++) {
		CHECK_NEAR(row[m].rotation.period, EVENTS * 4e-3, 1e-9);
		CHECK(row[m].rotation.seed == 0);
		for (size_t i = 0; i <= EVENTS; i++)
			CHECK_NEAR(running[m][i], 1, 0);
	}
	CHECK_INT(asked, 0);
}

/* In order the sets are a b and c a. With the constraint a and c have the same turns. */
static void
constraints_share_turns(void)
{
	int64_t count[ROWS][EVENTS + 1];
	unsigned char counted[ROWS][EVENTS + 1];
	double running[ROWS][EVENTS + 1];
	struct source_row row[ROWS];
	struct source_status status[EVENTS + 1];
	size_t asked = 0;

	for (size_t m = 0; m < ROWS; m++)
		row[m] = (struct source_row){.count = count[m], .counted = counted[m], .running = running[m]};
	if (!take_rows(ROTATION_RANDOM, &wide, &asked, row, status))
		return;
	CHECK_INT(asked, 1);
	for (size_t m = 0; m < ROWS; m++) {
		CHECK_INT(row[m].rotation.constraints, 1);
		CHECK_INT(row[m].rotation.whole, 1);
		CHECK(counted[m][0] == counted[m][2]);
		CHECK_NEAR(running[m][0], running[m][2], 0.02);
		CHECK(running[m][0] < 1);
	}
}

/* A hybrid processor: the kernel refuses groups of two PMUs, and gives events without a PMU to cpu_core. Or one whose
 * only PMU has a number of its own, as on Arm; or one of type 4. */
struct made_kernel {
	uint32_t choice;     /* the PMU of events without one */
	size_t watchdog, room[16];
};

static uint32_t
made_type(const struct made_kernel *kernel, const struct event_code *code)
{
	return code->type == 0 ? (code->config >> 32 ? (uint32_t)(code->config >> 32) : kernel->choice)
		: code->type == 4 && !*code->pmu ? kernel->choice : code->type;
}

static bool
made_group(void *ctx, const struct event_code *const *code, size_t n)
{
	const struct made_kernel *kernel = ctx;

	for (size_t i = 0; i < n; i++)
		if (made_type(kernel, code[i]) != made_type(kernel, code[0]))
			return false;
	return n <= kernel->room[made_type(kernel, code[0])];
}

static bool
made_holds(void *ctx, const struct event_code *const *code, size_t n, uint32_t type)
{
	struct made_kernel *kernel = ctx;
	bool fits;

	CHECK(!type || type == made_type(kernel, code[0]));
	kernel->room[made_type(kernel, code[0])] -= kernel->watchdog;
	fits = made_group(ctx, code, n);
	kernel->room[made_type(kernel, code[0])] += kernel->watchdog;
	return fits;
}

/* In each row: what is asked, and whether it fits. c: of cpu_core (type 4), a: of cpu_atom (10), y: cycles, r: raw,
 * Y: cycles of cpu_atom. */
static void
kinds_of_cores_do_not_compete(void)
{
	static const struct {
		const char *name;
		struct made_kernel kernel;
		const char *asked;
		bool fits;
	} row[] = {
		{"hybrid", {4, 0, {[4] = 3, [10] = 2}}, "ccc", true},
		{"hybrid", {4, 0, {[4] = 3, [10] = 2}}, "cccc", false},
		{"hybrid", {4, 0, {[4] = 3, [10] = 2}}, "cacac", true},
		{"hybrid", {4, 0, {[4] = 3, [10] = 2}}, "acaca", false},
		{"hybrid", {4, 0, {[4] = 3, [10] = 2}}, "yrcaa", true},
		{"hybrid", {4, 0, {[4] = 3, [10] = 2}}, "yrcca", false},
		{"hybrid", {4, 0, {[4] = 3, [10] = 2}}, "yyyaa", true},
		{"hybrid", {4, 0, {[4] = 3, [10] = 2}}, "yyyya", false},
		{"hybrid", {4, 0, {[4] = 3, [10] = 2}}, "cccYa", true},
		{"hybrid", {4, 0, {[4] = 3, [10] = 2}}, "cccYaa", false},
		{"watchdog", {4, 1, {[4] = 3, [10] = 2}}, "cca", true},
		{"watchdog", {4, 1, {[4] = 3, [10] = 2}}, "ccaa", false},
		{"watchdog", {4, 1, {[4] = 3, [10] = 2}}, "ccca", false},
		{"Arm", {10, 0, {[10] = 3}}, "yra", true},
		{"Arm", {10, 0, {[10] = 3}}, "yraa", false},
		{"one kind", {4, 0, {[4] = 3}}, "yrc", true},
		{"one kind", {4, 0, {[4] = 3}}, "yrcc", false},
	};
	static const struct event_code of[] = {['c'] = {.type = 4, .pmu = "cpu_core"},
		['a'] = {.type = 10, .pmu = "cpu_atom"}, ['y'] = {.type = 0},
		['Y'] = {.type = 0, .config = UINT64_C(10) << 32}, ['r'] = {.type = 4, .config = 0x3c}};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const struct event_code *code[8];
		struct made_kernel kernel = row[i].kernel;
		size_t n = 0;

		for (const char *p = row[i].asked; *p; p++)
			code[n++] = &of[(unsigned char)*p];
		test_label("%s: %s", row[i].name, row[i].asked);
		CHECK_INT(core_kinds_hold(code, n, &of['y'],
				  &(const struct core_kinds_ops){made_group, made_holds, &kernel}),
			row[i].fits);
	}
}

TEST_MAIN(CASE(kinds_of_cores_do_not_compete), CASE(turns_are_scaled), CASE(constraints_share_turns),
	CASE(kernel_rotation_is_watched))
