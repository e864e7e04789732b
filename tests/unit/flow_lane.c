/* Switch records as the kernel writes them, and as it leaves some out: to which task the counts belong. Records and
 * answers are written by hand. */
#include "collect/perf/flow_lane.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "collect/perf/flow_tasks.h"
#include "test.h"

enum { FAULTS, CYCLES, CLOCK, COUNTERS };
enum { NEAR, DESTINATIONS };
enum { ME = 11, YOU = 12, CHILD = 13, STRANGER = 99 };

#define ROOM 4096

struct stage {
	unsigned char bytes[2][ROOM]; /* a ring for each CPU */
	uint64_t written[2];
	struct flow_lane lane[2];
	uint64_t delivered_ns[2];
	struct flow_group group;
	struct flow_taker taker;
	struct flow_tasks *tasks;
	struct flows *flows;
	size_t refused;
};

static void
take_event(void *ctx, const struct flow_event *event)
{
	struct stage *s = ctx;
	struct err e;

	s->refused += !flows_take(s->flows, event, &e);
}

static void
begin(struct stage *s)
{
	static const size_t counter[] = {FAULTS, CYCLES};
	static const unsigned char quiet[COUNTERS] = {1, 0, 1}, clock[COUNTERS] = {0, 0, 1};
	static const struct flow_counter kinds[COUNTERS] = {
		[FAULTS] = {.width = 64, .destination = NEAR, .weighs = true},
		[CYCLES] = {.width = 64, .destination = FLOW_NOWHERE},
		[CLOCK] = {.width = 64, .destination = FLOW_NOWHERE}};

	memset(s, 0, sizeof *s);
	s->group = (struct flow_group){
		.n_members = 2, .n_counters = COUNTERS, .counter = counter, .quiet = quiet, .clock = clock};
	s->tasks = flow_tasks_new(false);
	flow_tasks_get(s->tasks, ME, ME)->followed = true;
	flow_tasks_get(s->tasks, YOU, YOU)->followed = true;
	flow_tasks_get(s->tasks, STRANGER, STRANGER);
	s->taker = (struct flow_taker){.take = take_event,
		.ctx = s,
		.delivered_ns = s->delivered_ns,
		.tasks = s->tasks,
		.group = &s->group,
		.begin_ns = 100};
	s->flows = flows_new(&(struct flow_spec){
		.n_cores = 2, .n_destinations = DESTINATIONS, .counter = kinds, .n_counters = COUNTERS, .most = 32});
	for (size_t i = 0; i < 2; i++) {
		s->delivered_ns[i] = 100;
		flow_lane_begin(&s->lane[i], i, &s->taker);
	}
}

static void
end(struct stage *s)
{
	for (size_t i = 0; i < 2; i++) {
		flow_lane_end(&s->lane[i]);
		ring_unmap(&s->lane[i].ring);
	}
	flow_tasks_free(s->tasks);
	flows_free(s->flows);
}

static void
add(struct stage *s, size_t cpu, const void *bytes, size_t n)
{
	memcpy(s->bytes[cpu] + s->written[cpu], bytes, n);
	s->written[cpu] += n;
}

static void
add_header(struct stage *s, size_t cpu, uint32_t type, unsigned misc, size_t body)
{
	struct perf_event_header h = {.type = type, .misc = (uint16_t)misc, .size = (uint16_t)(sizeof h + body)};

	add(s, cpu, &h, sizeof h);
}

static void
add_who(struct stage *s, size_t cpu, int32_t tid, uint64_t ns)
{
	add(s, cpu, (int32_t[]){tid, tid}, 8);
	add(s, cpu, &ns, 8);
}

static void
sample(struct stage *s, size_t cpu, uint64_t n, int32_t tid, uint64_t ns, uint64_t faults, uint64_t cycles)
{
	add_header(s, cpu, PERF_RECORD_SAMPLE, 0, 16 + 40);
	add_who(s, cpu, tid, ns);
	add(s, cpu, (uint64_t[]){3, ns - 100, n, faults, cycles}, 40);
}

static void
switched(struct stage *s, size_t cpu, bool out, bool preempted, int32_t tid, int32_t other, uint64_t ns)
{
	add_header(s, cpu, PERF_RECORD_SWITCH_CPU_WIDE,
		(out ? PERF_RECORD_MISC_SWITCH_OUT : 0u) | (preempted ? PERF_RECORD_MISC_SWITCH_OUT_PREEMPT : 0u),
		8 + 16);
	add(s, cpu, (int32_t[]){other, other}, 8);
	add_who(s, cpu, tid, ns);
}

/* A whole switch from one task to another. */
static void
change(struct stage *s, size_t cpu, uint64_t n, int32_t from, int32_t to, uint64_t ns, uint64_t faults, uint64_t cycles)
{
	sample(s, cpu, n, from, ns, faults, cycles);
	switched(s, cpu, true, false, from, to, ns + 1);
	switched(s, cpu, false, false, to, from, ns + 2);
}

static void
born_or_dead(struct stage *s, size_t cpu, bool born, int32_t tid, int32_t parent, uint64_t ns)
{
	add_header(s, cpu, born ? PERF_RECORD_FORK : PERF_RECORD_EXIT, 0, 24 + 16);
	add(s, cpu, (int32_t[]){tid, parent, tid, parent}, 16);
	add(s, cpu, &ns, 8);
	add_who(s, cpu, born ? parent : tid, ns);
}

static void
lost(struct stage *s, size_t cpu, uint64_t n, uint64_t ns)
{
	add_header(s, cpu, PERF_RECORD_LOST, 0, 16 + 16);
	add(s, cpu, (uint64_t[]){1, n}, 16);
	add_who(s, cpu, STRANGER, ns);
}

/* Reads both CPUs, in order of time. */
static void
read_all(struct stage *s)
{
	for (size_t i = 0; i < 2; i++)
		ring_over(&s->lane[i].ring, s->bytes[i], ROOM, s->written[i]);
	for (;;) {
		uint64_t a = flow_lane_next(&s->lane[0]), b = flow_lane_next(&s->lane[1]);

		if (a == UINT64_MAX && b == UINT64_MAX)
			return;
		flow_lane_take(&s->lane[b < a]);
	}
}

static uint64_t
count(const struct stage *s, int32_t task, size_t core, size_t counter)
{
	uint64_t sum = 0;

	for (size_t i = FLOW_SPECIALS; i < flows_n(s->flows); i++) {
		const struct flow *k = flows_at(s->flows, i);

		sum += k->task == task && k->core == core ? k->count[counter] : 0;
	}
	return sum;
}

static uint64_t
apart(const struct stage *s, enum flow_special which, size_t counter)
{
	return flows_at(s->flows, which)->count[counter];
}

static void
whole_switches(void)
{
	struct stage s;

	begin(&s);
	change(&s, 0, 1, ME, YOU, 200, 10, 1000);
	change(&s, 0, 2, YOU, STRANGER, 250, 13, 1100);
	change(&s, 0, 3, STRANGER, ME, 300, 20, 1200);
	flow_lane_read(&s.lane[0], 320, (uint64_t[]){3, 21, 1230});
	read_all(&s);
	CHECK_INT(count(&s, ME, 0, FAULTS), 11); /* it ran from the beginning, at 100 */
	CHECK_INT(count(&s, ME, 0, CYCLES), 1030);
	CHECK_INT(count(&s, ME, 0, CLOCK), 120);
	CHECK_INT(flows_find(s.flows, ME, 0, FLOW_NOWHERE)->ran_ns, 120);
	CHECK_INT(count(&s, YOU, 0, FAULTS), 3);
	CHECK_INT(apart(&s, FLOW_UNFOLLOWED, FAULTS), 7);
	CHECK_INT(apart(&s, FLOW_MIXED, FAULTS), 0);
	CHECK_INT(s.lane[0].health.switches, 3);
	CHECK_INT(s.lane[0].health.lost + s.lane[0].health.idle + s.lane[0].health.foreign + s.refused, 0);
	end(&s);
}

/* The sample at the idle task's switch-out is missing: faults since then are the next task's, its cycles are unknown,
 * its time is exact. */
static void
idle_without_sample(void)
{
	struct stage s;

	begin(&s);
	change(&s, 0, 1, ME, 0, 200, 10, 1000);
	switched(&s, 0, false, false, YOU, 0, 260); /* sample number 2 is missing */
	change(&s, 0, 3, YOU, ME, 300, 14, 1500);
	change(&s, 0, 4, ME, 0, 350, 15, 1600);
	read_all(&s);
	CHECK_INT(count(&s, YOU, 0, FAULTS), 4);
	CHECK_INT(flows_find(s.flows, YOU, 0, FLOW_NOWHERE)->ran_ns, 40);
	CHECK_INT(count(&s, YOU, 0, CLOCK), 40);
	CHECK_INT(flows_find(s.flows, YOU, 0, FLOW_NOWHERE)->lost[CYCLES], 1);
	CHECK_INT(flows_find(s.flows, YOU, 0, FLOW_NOWHERE)->lost[FAULTS], 0);
	CHECK_INT(count(&s, ME, 0, CYCLES), 1100); /* known again */
	CHECK_INT(s.lane[0].health.idle, 1);
	CHECK_INT(s.lane[0].health.lost, 0);
	CHECK_INT(apart(&s, FLOW_MIXED, FAULTS), 0);
	end(&s);
}

/* The sample at another task's switch-out is missing: the counts of the two tasks are mixed, and their times are
 * not. */
static void
task_without_sample(void)
{
	struct stage s;

	begin(&s);
	change(&s, 0, 1, ME, STRANGER, 200, 10, 1000);
	switched(&s, 0, false, false, YOU, STRANGER, 260);
	change(&s, 0, 3, YOU, ME, 300, 14, 1500);
	change(&s, 0, 4, ME, STRANGER, 320, 15, 1600);
	read_all(&s);
	CHECK_INT(apart(&s, FLOW_MIXED, FAULTS), 4);
	CHECK_INT(apart(&s, FLOW_MIXED, CYCLES), 500);
	CHECK_INT(flows_find(s.flows, YOU, 0, FLOW_NOWHERE)->ran_ns, 40);
	CHECK_INT(count(&s, ME, 0, FAULTS), 11);
	CHECK_INT(s.lane[0].health.lost, 1);
	end(&s);
}

/* The ring is full: counts until the next switch belong to no task. From then on all is known again. */
static void
full_ring(void)
{
	struct stage s;

	begin(&s);
	change(&s, 0, 1, STRANGER, ME, 200, 10, 1000);
	lost(&s, 0, 9, 300);
	change(&s, 0, 5, YOU, ME, 400, 50, 2000);
	change(&s, 0, 6, ME, STRANGER, 450, 52, 2100);
	read_all(&s);
	CHECK_INT(apart(&s, FLOW_MIXED, FAULTS), 40);
	CHECK_INT(count(&s, ME, 0, FAULTS), 2);
	CHECK_INT(count(&s, YOU, 0, FAULTS), 0);
	CHECK_INT(s.lane[0].health.lost, 3);
	CHECK_INT(s.lane[0].health.dropped, 9);
	CHECK_INT(flows_at(s.flows, FLOW_MIXED)->ran_ns, 400 - 200); /* since the last known switch */
	end(&s);
}

/* Records are missing without a lost record: only the switch numbers show it. */
static void
unreported_gap(void)
{
	struct stage s;

	begin(&s);
	change(&s, 0, 1, STRANGER, ME, 200, 10, 1000);
	change(&s, 0, 3, ME, STRANGER, 300, 20, 1500); /* it was switched out and in again meanwhile */
	flow_lane_read(&s.lane[0], 500, (uint64_t[]){5, 30, 1800});
	read_all(&s);
	CHECK_INT(count(&s, ME, 0, FAULTS), 0);
	CHECK_INT(apart(&s, FLOW_MIXED, FAULTS), 20);
	CHECK_INT(s.lane[0].health.lost, 1 + 2);
	end(&s);
}

/* A thread that calls execve(2) takes its leader's number while it runs. */
static void
another_number(void)
{
	struct stage s;

	begin(&s);
	change(&s, 0, 1, STRANGER, ME, 200, 10, 1000);
	sample(&s, 0, 2, YOU, 300, 15, 1500);
	switched(&s, 0, true, false, YOU, STRANGER, 301);
	switched(&s, 0, false, false, STRANGER, YOU, 302);
	read_all(&s);
	CHECK_INT(count(&s, ME, 0, FAULTS), 5);
	CHECK_INT(apart(&s, FLOW_MIXED, FAULTS), 0);
	CHECK_INT(s.lane[0].health.lost, 0);
	end(&s);
}

/* A read is placed after the switches whose counts it includes, and before the next one, whatever its time. */
static void
place_of_a_read(void)
{
	struct stage s;

	begin(&s);
	change(&s, 0, 1, STRANGER, ME, 200, 10, 1000);
	change(&s, 0, 2, ME, STRANGER, 300, 20, 1500);
	flow_lane_read(&s.lane[0], 150, (uint64_t[]){1, 14, 1200});
	read_all(&s);
	CHECK_INT(count(&s, ME, 0, FAULTS), 10);
	CHECK_INT(flows_find(s.flows, ME, 0, FLOW_NOWHERE)->snapshots, 2);
	CHECK_INT(flows_trouble(s.flows)->backwards, 0);
	CHECK_INT(s.refused, 0);
	end(&s);
}

static void
births_moves_and_deaths(void)
{
	struct stage s;

	begin(&s);
	change(&s, 0, 1, STRANGER, ME, 200, 0, 0);
	born_or_dead(&s, 0, true, CHILD, ME, 210);
	change(&s, 1, 1, 0, CHILD, 220, 5, 50);
	sample(&s, 1, 2, CHILD, 250, 9, 90);
	switched(&s, 1, true, true, CHILD, STRANGER, 251);
	switched(&s, 1, false, false, STRANGER, CHILD, 252);
	change(&s, 0, 2, ME, CHILD, 300, 3, 30); /* it moves to CPU 0 and ends there, switched out once in between */
	born_or_dead(&s, 0, false, CHILD, ME, 310);
	sample(&s, 0, 3, CHILD, 320, 5, 50);
	switched(&s, 0, true, true, CHILD, STRANGER, 321);
	switched(&s, 0, false, false, STRANGER, CHILD, 322);
	change(&s, 0, 4, STRANGER, CHILD, 330, 5, 50);
	change(&s, 0, 5, -1, STRANGER, 340, 6, 60); /* it has no id any more */
	read_all(&s);
	CHECK_INT(count(&s, CHILD, 1, FAULTS), 4);
	CHECK_INT(count(&s, CHILD, 0, FAULTS), 3);
	CHECK(!flows_find(s.flows, CHILD, 0, FLOW_NOWHERE)); /* the task has ended */
	for (size_t i = FLOW_SPECIALS; i < flows_n(s.flows); i++) {
		const struct flow *k = flows_at(s.flows, i);

		if (k->task != CHILD)
			continue;
		CHECK(k->ended && flow_is_over(k));
		CHECK(k->core == 1 || k->until_ns == 340);
	}
	CHECK(flow_tasks_find(s.tasks, CHILD)->ended);
	CHECK_INT(flows_trouble(s.flows)->broken, 0);
	CHECK_INT(s.refused, 0);
	end(&s);
}

/* Random bytes in the ring are counted as bad records, and never followed out of bounds. */
/* An exiting task wakes its parent, and is switched out for the last time after that: perhaps when the recording is
 * over, perhaps without a sample, or it is preempted before. Its exit record has said that it ends. */
static void
an_exiting_task_ends(void)
{
	for (int how = 0; how < 4; how++) {
		struct stage s;

		begin(&s);
		change(&s, 0, 1, ME, YOU, 200, 10, 1000);
		born_or_dead(&s, 0, false, YOU, 1, 220);
		if (how == 1) { /* preempted, and the recording ends */
			sample(&s, 0, 2, YOU, 230, 12, 1100);
			switched(&s, 0, true, true, YOU, ME, 231);
			switched(&s, 0, false, false, ME, YOU, 232);
		}
		if (how == 2) { /* the sample of its last switch is lost */
			switched(&s, 0, true, false, YOU, ME, 231);
			switched(&s, 0, false, false, ME, YOU, 232);
			change(&s, 0, 3, ME, 0, 300, 15, 1200);
		}
		if (how == 3) /* all is there */
			change(&s, 0, 2, YOU, ME, 230, 12, 1100);
		else if (how < 2)
			flow_lane_read(&s.lane[0], 320, (uint64_t[]){how ? 2 : 1, 12, 1100});
		read_all(&s);
		if (how < 2)
			CHECK(!flows_find(s.flows, YOU, 0, FLOW_NOWHERE)->ended);
		flow_lanes_finish(s.lane, 320);
		test_label("way %d", how);
		for (size_t i = FLOW_SPECIALS; i < flows_n(s.flows); i++)
			CHECK(flows_at(s.flows, i)->ended == (flows_at(s.flows, i)->task == YOU));
		CHECK_INT(count(&s, YOU, 0, FAULTS), how == 2 ? 0 : 2);
		CHECK_INT(s.refused, 0);
		end(&s);
	}
}

static void
rubbish(void)
{
	unsigned seed = 1;

	for (unsigned round = 0; round < 2000; round++) {
		struct stage s;

		begin(&s);
		change(&s, 0, 1, ME, YOU, 200, 10, 1000);
		born_or_dead(&s, 0, true, CHILD, ME, 210);
		lost(&s, 0, 2, 215);
		change(&s, 0, 4, YOU, 0, 220, 12, 1100);
		for (int i = 0; i < 6; i++) {
			seed = seed * 1103515245u + 12345u;
			s.bytes[0][(seed >> 8) % s.written[0]] = (unsigned char)(seed >> 20);
		}
		read_all(&s);
		for (size_t i = 0; i < flows_n(s.flows); i++)
			CHECK(flows_at(s.flows, i)->core == FLOW_NOWHERE || flows_at(s.flows, i)->core < 2);
		end(&s);
	}
}

/* Names of ended tasks are forgotten when there are many; names of living tasks never. */
static void
many_tasks(void)
{
	struct flow_tasks *t = flow_tasks_new(true);

	flow_tasks_name(t, 7, 7, "stays");
	for (int32_t tid = 1000; tid < 1000 + 6 * FLOW_TASKS_ENDED; tid++) {
		flow_tasks_name(t, tid, tid, "goes");
		flow_tasks_end(t, tid);
	}
	CHECK_STR(flow_tasks_find(t, 7)->name, "stays");
	CHECK(!flow_tasks_find(t, 1000));
	CHECK(flow_tasks_find(t, 1000 + 6 * FLOW_TASKS_ENDED - 1)->ended);
	flow_tasks_free(t);
}

TEST_MAIN(CASE(whole_switches), CASE(idle_without_sample), CASE(task_without_sample), CASE(full_ring),
	CASE(unreported_gap), CASE(another_number), CASE(place_of_a_read), CASE(births_moves_and_deaths),
	CASE(an_exiting_task_ends), CASE(rubbish), CASE(many_tasks))
