/* Turns of counters: sets that fit, schedules, and the rotator with a simulated clock and counters. Where
 * perf_event_open(2) is allowed, real software events take turns. */
#include "collect/rotation.h"

#include <linux/perf_event.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "collect/perf/names.h"
#include "collect/perf/open.h"
#include "collect/perf/pacer.h"
#include "collect/perf/rotator.h"
#include "test.h"

#define MS 1000000u

/* At most `*ctx` units together; unit 4 is the only one that fits together with unit 3. */
static bool
few_fit(void *ctx, const size_t *unit, size_t n)
{
	bool three = false, other = false;

	for (size_t i = 0; i < n; i++) {
		three |= unit[i] == 3;
		other |= unit[i] != 3 && unit[i] != 4;
	}
	return n <= *(size_t *)ctx && !(three && other);
}

static void
sets_fit_and_hold_all(void)
{
	static const struct { size_t units, room, sets; } row[] = {
		{0, 2, 0}, {1, 2, 1}, {2, 2, 1}, {3, 2, 2}, {3, 1, 3}, {6, 2, 4}, {6, 1, 6}, {20, 4, 6}, {3, 100, 1},
	};

	for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
		size_t room = row[k].room, whole[32], in[32] = {0};
		struct rotation_sets s = rotation_sets_new(row[k].units, &(const struct rotation_room){few_fit, &room});

		test_label("%zu units, %zu at once", row[k].units, row[k].room);
		CHECK_INT(s.n, row[k].sets);
		for (size_t i = 0; i < s.n; i++) {
			size_t n = 0;

			for (size_t u = 0; u < s.n_units; u++)
				if (s.has[i * s.n_units + u]) {
					whole[n++] = u;
					in[u]++;
				}
			CHECK(few_fit(&room, whole, n));
			for (size_t u = 0; u < s.n_units; u++) { /* nothing more would fit */
				whole[n] = u;
				CHECK(s.has[i * s.n_units + u] || !few_fit(&room, whole, n + 1));
			}
		}
		for (size_t u = 0; u < s.n_units; u++)
			CHECK(in[u] > 0);
		rotation_sets_free(&s);
	}
}

/* Each round has each set once. Turns last from half of the mean to one and a half, and half of them are shorter than
 * the mean. Equal seeds give equal turns, other seeds others. */
static void
rounds_are_whole(void)
{
	struct rotation *r = rotation_new(5, 4 * MS, 9), *same = rotation_new(5, 4 * MS, 9),
		*other = rotation_new(5, 4 * MS, 10);
	double sum = 0, shorter = 0, first[5] = {0};
	size_t differ = 0;

	for (size_t round = 0; round < 4000; round++) {
		unsigned seen = 0;

		for (size_t i = 0; i < 5; i++) {
			struct rotation_turn t = rotation_next(r), u = rotation_next(same), v = rotation_next(other);

			seen |= 1u << t.set;
			first[t.set] += i == 0;
			sum += (double)t.ns;
			shorter += t.ns < 4 * MS;
			CHECK(t.ns >= 2 * MS && t.ns <= 6 * MS);
			CHECK(t.set == u.set && t.ns == u.ns);
			differ += t.ns != v.ns;
		}
		CHECK_INT(seen, 31);
	}
	CHECK_NEAR(sum / 20000, 4 * MS, 0.03 * MS);
	CHECK_NEAR(shorter / 20000, 0.5, 0.02);
	for (size_t i = 0; i < 5; i++)
		CHECK_NEAR(first[i] / 4000, 0.2, 0.03);
	CHECK(differ > 19000);
	rotation_free(r);
	rotation_free(same);
	rotation_free(other);
}

/* A simulated clock and program: it has a period of 12 ms and is busy for the first third. Three events count the
 * same. */
struct fake {
	uint64_t now;
	bool on[3];
	double busy_ns[3], running_ns[3];
	size_t switches;
};

static void
fake_enable(void *ctx, size_t unit, bool on)
{
	struct fake *f = ctx;

	f->on[unit] = on;
	f->switches++;
}

static void
fake_run(struct fake *f, uint64_t until)
{
	for (; f->now < until; f->now += 10000)
		for (size_t i = 0; i < 3; i++)
			if (f->on[i]) {
				f->running_ns[i] += 10000;
				f->busy_ns[i] += f->now % (12 * MS) < 4 * MS ? 10000 : 0;
			}
}

static struct rotation_sets
three_sets(void)
{
	struct rotation_sets s = {.n_units = 3, .n = 3, .has = mem_new_array(9, 1)};

	for (size_t i = 0; i < 3; i++)
		s.has[i * 4] = 1;
	return s;
}

static void
random_turns_see_all_of_a_period(void)
{
	struct fake f = {0};
	struct rotator *r = rotator_new(&(const struct rotator_spec){.sets = three_sets(), .mean_ns = 4 * MS,
		.seed = 3, .enable = fake_enable, .ctx = &f});
	double seen[3];

	CHECK_NEAR(rotator_period_ns(r), 12 * MS, 0);
	for (uint64_t next = 0; f.now < 60000ull * MS;) {
		next = rotator_step(r, f.now);
		CHECK(next > f.now && f.on[0] + f.on[1] + f.on[2] == 1);
		CHECK(rotator_step(r, f.now) == next); /* nothing is due */
		fake_run(&f, next);
	}
	for (size_t i = 0; i < 3; i++) {
		seen[i] = f.busy_ns[i] / f.running_ns[i];
		CHECK_NEAR(seen[i], 1.0 / 3, 0.015);
		CHECK_NEAR(f.running_ns[i] / (double)f.now, 1.0 / 3, 0.01);
	}
	rotator_free(r);
	/* The same program under a rotation of fixed turns: each turn sees the same third of it for ever. */
	memset(&f, 0, sizeof f);
	for (size_t turn = 0; turn < 15000; turn++) {
		for (size_t i = 0; i < 3; i++)
			f.on[i] = i == turn % 3;
		fake_run(&f, f.now + 4 * MS);
	}
	CHECK_NEAR(f.busy_ns[0] / f.running_ns[0], 1, 1e-9);
	CHECK_NEAR(f.busy_ns[1] / f.running_ns[1], 0, 1e-9);
}

/* A change from outside is undone after some turns. A late turn does not shorten the next one. */
static void
turns_settle(void)
{
	struct fake f = {0};
	struct rotator *r = rotator_new(&(const struct rotator_spec){.sets = three_sets(), .mean_ns = 4 * MS,
		.seed = 3, .enable = fake_enable, .ctx = &f});
	uint64_t now = 0, next;

	rotator_step(r, now);
	CHECK_INT(f.switches, 3);
	f.on[0] = f.on[1] = f.on[2] = true; /* as execve(2) enables them all */
	for (size_t turn = 0; turn < ROTATOR_SETTLES; turn++) {
		now += 100 * MS;
		next = rotator_step(r, now);
		CHECK(next >= now + 2 * MS && next <= now + 6 * MS);
	}
	CHECK_INT(f.on[0] + f.on[1] + f.on[2], 1);
	rotator_free(r);
}


struct real {
	int fd[3];
	struct rotator *rotator;
};

static void
real_enable(void *ctx, size_t unit, bool on)
{
	struct real *r = ctx;

	perf_enable(r->fd[unit], on);
}

static uint64_t
real_turn(void *ctx, uint64_t now_ns)
{
	struct real *r = ctx;

	return rotator_step(r->rotator, now_ns);
}

/* Three counters take turns at the processor time of this task: each counts for a third of the time, and scaled for all
 * of it. */
static void
software_events_take_turns(void)
{
	const struct event_code task_clock = {.kind = EVENT_SOFTWARE, .type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_TASK_CLOCK, .no_kernel = true, .no_hv = true};
	struct real r = {.fd = {-1, -1, -1}};
	struct perf_reading got[3], whole;
	int all = perf_open_raw(&task_clock, 0, -1, OPEN_SELF);
	struct pacer *p;
	uint64_t from;
	double shares = 0;

	if (all < 0) {
		test_skip("perf_event_open: counting is for privileged users only here");
		return;
	}
	for (size_t i = 0; i < 3; i++)
		r.fd[i] = perf_open_raw(&task_clock, 0, -1, OPEN_SELF);
	r.rotator = rotator_new(&(const struct rotator_spec){.sets = three_sets(), .mean_ns = MS, .seed = 5,
		.enable = real_enable, .ctx = &r});
	p = pacer_new(real_turn, &r);
	perf_enable(all, true);
	from = clock_ns();
	do
		CHECK(perf_read(all, &whole));
	while (whole.enabled_ns < 300u * MS && clock_ns() - from < 20000ull * MS);
	pacer_free(p);
	perf_enable(all, false);
	CHECK(perf_read(all, &whole));
	for (size_t i = 0; i < 3; i++) {
		double share, scaled;

		CHECK(perf_read(r.fd[i], &got[i]));
		share = (double)got[i].running_ns / (double)whole.enabled_ns;
		scaled = (double)got[i].value * (double)whole.enabled_ns / (double)got[i].running_ns;
		CHECK(share > 0.1 && share < 0.7);
		CHECK_NEAR(scaled / (double)whole.value, 1, 0.02);
		shares += share;
		close(r.fd[i]);
	}
	CHECK_NEAR(shares, 1, 0.1); /* one at a time, without a pause */
	close(all);
	rotator_free(r.rotator);
}

TEST_MAIN(CASE(sets_fit_and_hold_all), CASE(rounds_are_whole), CASE(random_turns_see_all_of_a_period),
	CASE(turns_settle), CASE(software_events_take_turns))
