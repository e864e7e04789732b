/* The points of a curve are measured in rounds, each in a new random order, so that a disturbance that lasts falls on
 * all of them. A probe ends when its answer is tight and has not moved for some rounds, or when its time is over. */
#include "collect/native/native.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/str.h"
#include "collect/native/counters.h"
#include "collect/native/points.h"
#include "collect/native/workbench.h"
#include "core/curve/curve.h"
#include "core/curve/knee.h"
#include "core/probe/probe.h"

#define SECONDS_MOST 1.6   /* of a probe … */
#define SECONDS_MORE 4     /* … and where most times were disturbed so many more … */
#define SECONDS_SPARE 8    /* … but not more than this of all probes, so that they take less than a minute */
#define SECONDS_FEWEST 0.3 /* so that rounds are spread … */
#define SECONDS_BLOCK 0.8  /* … and more where another thread of the core can take half of a queue for a while */
#define ROUNDS_FEWEST 8
#define ROUNDS_DISTURBED 16 /* of times that were not disturbed, where most were */
#define CALM 3             /* looks at the answer that agree */
#define LOOK_SECONDS 0.05  /* between two looks */
#define TIGHT 0.03         /* of the value: width of an interval that is tight */
#define AGREE 0.005        /* of the value: two answers are the same */
#define HEAR_SECONDS 0.02
#define STOLEN 0.01        /* of the time, from which it is worth a note */
#define WANDERED 0.05      /* of the frequency, likewise */
#define DISTURBED 0.5      /* of the times, likewise */

struct native {
	struct native_bench bench;
	struct native_counters counters; /* of native_count_events() */
	cpu_set_t before; /* CPUs that were allowed */
	bool pinned;
	int cpu;
	double spare; /* seconds that are left of SECONDS_SPARE */
};

/* --- The machine ------------------------------------------------------------------------------------------------- */

/* Pins the thread to the CPU that it is on: the kernel has put it where least runs. Where that is refused, each move to
 * another CPU still shows as a switch. */
static void
pin(struct native *m)
{
	cpu_set_t one;

	m->cpu = sched_getcpu();
	CPU_ZERO(&one);
	if (m->cpu >= 0 && m->cpu < CPU_SETSIZE && sched_getaffinity(0, sizeof m->before, &m->before) == 0) {
		CPU_SET((unsigned)m->cpu, &one);
		m->pinned = sched_setaffinity(0, sizeof one, &one) == 0;
	}
}

static bool
is_x86_64(struct err *e)
{
#ifdef __x86_64__
	(void)e;
	return true;
#else
	err_set(e, "native probes are machine code of x86-64, and this is another processor");
	return err_hint(e, "hecate probe --export DIR writes probes as assembly for other processors");
#endif
}

struct native *
native_new(struct err *e)
{
	struct native *native = mem_new(sizeof *native);

	native->spare = SECONDS_SPARE;
	if (is_x86_64(e)) {
		pin(native);
		if (native_bench_open(&native->bench, e))
			return native;
	}
	native_free(native);
	return NULL;
}

void
native_free(struct native *m)
{
	if (!m)
		return;
	native_bench_close(&m->bench);
	native_counters_close(&m->counters);
	if (m->pinned)
		sched_setaffinity(0, sizeof m->before, &m->before);
	free(m);
}

/* --- Interference ------------------------------------------------------------------------------------------------ */

/* Seconds that the hypervisor ran something else on this CPU, from /proc/stat. */
static double
stolen_seconds(int cpu)
{
	FILE *f = fopen("/proc/stat", "r");
	char row[512];
	unsigned long long v[8] = {0};
	double seconds = 0;

	while (f && fgets(row, sizeof row, f)) {
		int number, n;

		if (sscanf(row, "cpu%d %llu %llu %llu %llu %llu %llu %llu %llu%n", &number, &v[0], &v[1], &v[2], &v[3],
			&v[4], &v[5], &v[6], &v[7], &n) == 9 && number == cpu)
			seconds = (double)v[7] / 100; /* USER_HZ */
	}
	if (f)
		fclose(f);
	return seconds;
}

/* A run of one probe. */
struct run {
	struct native *m;
	const struct probe *probe;
	struct native_points *points;
	size_t *order;      /* of the points in a round */
	uint64_t seed;
	size_t times, lost; /* measured, and given up because they were disturbed again and again */
	size_t rounds;
	double begin, heard, looked, stolen;
	struct probe_answer answer;
	int calm;
	bool tight;
	bool (*hear)(void *ctx, const struct curve *);
	void *ctx;
};

static bool
mostly_disturbed(size_t times, size_t lost)
{
	return (double)lost > DISTURBED * (double)(times + lost);
}

static void
write_notes(const struct run *run, struct curve *curve)
{
	const struct native_timer *timer = &run->m->bench.timer;
	double seconds = clock_seconds() - run->begin, stolen = stolen_seconds(run->m->cpu) - run->stolen;

	if (!run->tight && run->answer.found)
		curve_note(curve,
			str_format("after %.1f s the interval is still wide or moving: the machine is busy, or "
				   "the change is gradual",
				seconds));
	if (!run->m->pinned)
		curve_note(curve,
			str_format("the system does not let hecate stay on one CPU (sched_setaffinity): times "
				   "of several CPUs can be mixed"));
	if (mostly_disturbed(run->times, run->lost))
		curve_note(curve, str_format("%.0f %% of the times were disturbed by other programs, another thread of "
			"the core or a change of frequency, and left out",
			100 * (double)run->lost / (double)(run->times + run->lost)));
	if (native_points_disturbed(run->points))
		curve_note(curve,
			str_format("%zu of %zu points were disturbed each time, and can be wrong: measure again "
				   "when less else runs",
				native_points_disturbed(run->points), native_points_n(run->points)));
	if (stolen > STOLEN * seconds)
		curve_note(curve, str_format("the hypervisor took this CPU away for %.0f %% of the time",
			100 * stolen / seconds));
	if (timer->slowest > (1 + WANDERED) * timer->fastest)
		curve_note(curve, str_format("the frequency of the core changed by %.0f %%; cycles are counted with it",
			100 * (timer->slowest / timer->fastest - 1)));
	if (native_points_small(run->points))
		curve_note(curve, str_format("the system gave no huge pages: translations take part of the time, and a "
			"footprint beyond the reach of the DTLB shows that, too"));
	else if (run->probe->block && !run->m->bench.data.huge)
		curve_note(
			curve, str_format("the system gave no huge pages: the loads that miss are kept within 1 MiB"));
}

/* --- Rounds ------------------------------------------------------------------------------------------------------ */

static bool
tell(struct run *r)
{
	struct curve c = {.name = mem_str(r->probe->name)};
	bool more;

	native_points_curve(r->points, &c);
	more = !r->hear || r->hear(r->ctx, &c);
	curve_free(&c);
	r->heard = clock_seconds();
	return more;
}

static void
native_shuffle(struct run *r, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t k = random_below(&r->seed, i + 1);

		r->order[i] = r->order[k];
		r->order[k] = i;
	}
}

/* Every point once. False: enough was heard. */
static bool
measure_round(struct run *run)
{
	size_t n = native_points_n(run->points);

	native_shuffle(run, n);
	for (size_t i = 0; i < n; i++) {
		if (native_points_measure(run->points, run->order[i]))
			run->times++;
		else
			run->lost++;
		if (clock_seconds() - run->heard > HEAR_SECONDS && !tell(run))
			return false;
	}
	run->rounds++;
	return true;
}

/* The distance of a point to the second one after it. */
static double
two_steps(const struct probe *p, double x)
{
	uint64_t at = x > (double)p->first ? (uint64_t)x : p->first;

	return (double)(probe_next_x(p, probe_next_x(p, at)) - at);
}

/* Returns whether the answer is tight, and the same as the last ones. */
static bool
is_tight(struct run *run)
{
	struct curve c = {.name = mem_str("")};
	struct probe_answer a;
	struct knees *knees;
	double scale, steps;

	native_points_curve(run->points, &c);
	knees = knees_find(&c);
	scale = (double)run->probe->times / run->probe->over;
	a = probe_answer_of(run->probe, knees);
	knees_free(knees);
	curve_free(&c);
	steps = scale * two_steps(run->probe, a.value / scale);
	if (a.found == run->answer.found && fabs(a.value - run->answer.value) <= AGREE * fabs(a.value) &&
		(!a.found || probe_answer_at_least(&a) || a.high - a.low <= fmax(TIGHT * a.value, steps)))
		run->calm++;
	else
		run->calm = 0;
	run->answer = a;
	run->looked = clock_seconds();
	return run->calm >= CALM;
}

/* Another thread of the core may take half of a queue for seconds. The few times that are left then agree about a wrong
 * answer, so more are needed before one is looked for. */
enum native_next
native_effort_next(const struct native_effort *f)
{
	bool few = mostly_disturbed(f->times, f->lost) && f->times < ROUNDS_DISTURBED * f->points;

	if (f->seconds > SECONDS_MOST + (few ? fmin(SECONDS_MORE, f->spare) : 0))
		return NATIVE_END;
	return few || f->rounds < ROUNDS_FEWEST || f->seconds <= (f->block ? SECONDS_BLOCK : SECONDS_FEWEST) ?
		NATIVE_MEASURE : NATIVE_LOOK;
}

static void
native_measure(struct run *run)
{
	enum native_next next = NATIVE_MEASURE;
	double seconds;

	run->begin = run->heard = run->looked = clock_seconds();
	run->stolen = stolen_seconds(run->m->cpu);
	native_timer_begin(&run->m->bench.timer);
	while (!run->tight && next != NATIVE_END && measure_round(run)) {
		double now = clock_seconds();

		next = native_effort_next(&(struct native_effort){.points = native_points_n(run->points),
			.rounds = run->rounds, .times = run->times, .lost = run->lost, .block = run->probe->block,
			.seconds = now - run->begin, .spare = run->m->spare});
		if (next == NATIVE_LOOK && now - run->looked > LOOK_SECONDS)
			run->tight = is_tight(run);
	}
	seconds = clock_seconds() - run->begin;
	run->m->spare = fmax(0, run->m->spare - fmax(0, seconds - SECONDS_MOST));
}

bool
native_run(struct native *native, const struct probe *probe, bool (*hear)(void *ctx, const struct curve *), void *ctx,
	struct curve *curve, struct err *e)
{
	struct run r = {.m = native, .probe = probe, .hear = hear, .ctx = ctx, .seed = 1};

	r.points = native_points_new(&native->bench, probe, e);
	if (!r.points)
		return false;
	r.order = mem_new_array(native_points_n(r.points), sizeof *r.order);
	native_measure(&r);
	native_points_curve(r.points, curve);
	write_notes(&r, curve);
	free(r.order);
	native_points_free(r.points);
	return true;
}

/* --- Counts ------------------------------------------------------------------------------------------------------ */

bool
native_count_events(struct native *m, char *const *event, size_t n, struct err *e)
{
	native_counters_close(&m->counters);
	return native_counters_open(&m->counters, event, n, e);
}

bool
native_count(struct native *native, const struct probe *probe, const struct curve *at, bool (*go_on)(void *ctx),
	void *ctx, struct curve *curve, struct err *e)
{
	struct native_points *points = native_points_new(&native->bench, probe, e);
	double *count = mem_new_array(native->counters.n, sizeof *count);
	size_t n = points ? native_points_n(points) : 0;
	uint64_t x = probe->first;

	for (size_t i = 0; i < n && (!go_on || go_on(ctx)); i++, x = probe_next_x(probe, x)) {
		bool wanted = false;

		for (size_t k = 0; k < at->n && !wanted; k++)
			wanted = at->point[k].x == (double)x;
		if (!wanted)
			continue;
		native_points_count(points, i, &native->counters, count);
		for (size_t k = 0; k < native->counters.n; k++)
			curve_add(&curve[k], &(struct curve_point){(double)x, count[k], count[k], count[k]});
	}
	native_counters_note(&native->counters, curve);
	free(count);
	native_points_free(points);
	return n > 0;
}
