/* The partition of tasks' time, compared with the truth: random histories of tasks on CPUs give events, and the truth
 * is kept as segments of time. Streams with lost, doubled and reordered events; and small histories worked out by
 * hand. */

#include "core/tasktime/partition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "test.h"

#define CPUS 3
#define MOST_TIDS 400
#define STRANGER 300 /* tids from here on are not followed */

/* --- a machine whose truth is known ------------------------------------------------------------------------------ */

enum where { NOT_BORN, RUNNING, QUEUED, ASLEEP, GONE };

struct segment {
	int32_t who; /* a tid, or -1 - cpu */
	uint64_t from, to;
	int class;   /* enum tasktime_class; of CPUs enum cpu_class */
};

enum cpu_class { CPU_IDLE, CPU_FOLLOWED, CPU_OTHERS, CPU_SWITCHING, CPU_UNKNOWN };

struct sim_task {
	enum where where;
	bool in_fault, exiting, sleeping_in_fault;
	int class;
	uint64_t since;
};

struct machine {
	uint64_t seed, now;
	struct sim_task task[MOST_TIDS];
	int32_t next_tid, next_stranger;
	int32_t on[CPUS]; /* 0: idle, -1: not known yet */
	int cpu_class[CPUS];
	uint64_t cpu_since[CPUS];
	struct segment *truth;
	size_t n_truth, truth_cap;
	struct tasktime_event *event;
	size_t n, cap;
};

static uint64_t
draw(struct machine *m, uint64_t n)
{
	return test_random(&m->seed) % n;
}

static void
segment(struct machine *m, int32_t who, uint64_t from, uint64_t to, int class)
{
	mem_grow(&m->truth, &m->truth_cap, m->n_truth + 1, sizeof *m->truth);
	m->truth[m->n_truth++] = (struct segment){who, from, to, class};
}

static void
becomes(struct machine *m, int32_t tid, enum where where, int class)
{
	struct sim_task *t = &m->task[tid];

	if (t->where != NOT_BORN)
		segment(m, tid, t->since, m->now, t->class);
	t->since = m->now;
	t->where = where;
	t->class = class;
}

static void
cpu_becomes(struct machine *m, int cpu, int class)
{
	segment(m, -1 - cpu, m->cpu_since[cpu], m->now, m->cpu_class[cpu]);
	m->cpu_since[cpu] = m->now;
	m->cpu_class[cpu] = class;
}

static struct tasktime_event *
add_event(struct machine *m, enum tasktime_kind kind, int32_t tid, int cpu)
{
	struct tasktime_event *e;

	mem_grow(&m->event, &m->cap, m->n + 1, sizeof *m->event);
	e = &m->event[m->n++];
	*e = (struct tasktime_event){.ns = m->now, .kind = (uint8_t)kind, .tid = tid, .pid = tid, .cpu = (uint16_t)cpu};
	return e;
}

static int32_t
pick(struct machine *m, enum where where)
{
	int32_t start = (int32_t)draw(m, MOST_TIDS);

	for (int32_t i = 0; i < MOST_TIDS; i++)
		if (m->task[(start + i) % MOST_TIDS].where == where)
			return (start + i) % MOST_TIDS;
	return 0;
}

static void
put_on(struct machine *m, int cpu)
{
	int32_t tid = pick(m, QUEUED);

	m->on[cpu] = tid;
	cpu_becomes(m, cpu, tid == 0 ? CPU_IDLE : tid < STRANGER ? CPU_FOLLOWED : CPU_OTHERS);
	if (tid)
		becomes(m, tid, RUNNING, m->task[tid].in_fault ? TASKTIME_FAULT_CPU : TASKTIME_ON_CPU);
	add_event(m, TASKTIME_IN, tid, cpu);
}

static int
asleep_in(struct machine *m, struct sim_task *t, struct tasktime_event *e)
{
	static const struct {
		enum tasktime_state state;
		enum tasktime_cause cause;
		int class, class_in_fault;
	} way[] = {
		{TASKTIME_INTERRUPTIBLE, TASKTIME_CAUSE_UNKNOWN, TASKTIME_SLEEP_UNKNOWN, TASKTIME_SLEEP_UNKNOWN},
		{TASKTIME_INTERRUPTIBLE, TASKTIME_CAUSE_FUTEX, TASKTIME_FUTEX, TASKTIME_FUTEX},
		{TASKTIME_INTERRUPTIBLE, TASKTIME_CAUSE_OTHER, TASKTIME_SLEEP, TASKTIME_SLEEP},
		{TASKTIME_UNINTERRUPTIBLE, TASKTIME_CAUSE_UNKNOWN, TASKTIME_BLOCKED_UNKNOWN, TASKTIME_FAULT_UNKNOWN},
		{TASKTIME_UNINTERRUPTIBLE, TASKTIME_CAUSE_IO, TASKTIME_BLOCK_IO, TASKTIME_FAULT_IO},
		{TASKTIME_UNINTERRUPTIBLE, TASKTIME_CAUSE_OTHER, TASKTIME_BLOCKED, TASKTIME_BLOCKED},
		{TASKTIME_HALTED, TASKTIME_CAUSE_OTHER, TASKTIME_STOPPED, TASKTIME_STOPPED},
		{TASKTIME_STATE_UNKNOWN, TASKTIME_CAUSE_UNKNOWN, TASKTIME_ASLEEP, TASKTIME_ASLEEP},
	};
	size_t i = draw(m, sizeof way / sizeof *way);

	e->state = (uint8_t)way[i].state;
	e->cause = (uint8_t)way[i].cause;
	return t->in_fault ? way[i].class_in_fault : way[i].class;
}

static void
take_off(struct machine *m, int cpu, bool preempted)
{
	int32_t tid = m->on[cpu];
	struct tasktime_event *e = add_event(m, TASKTIME_OUT, tid, cpu);
	struct sim_task *t = &m->task[tid];

	e->preempted = preempted;
	if (tid && t->exiting) {
		e->state = TASKTIME_DEAD;
		becomes(m, tid, GONE, -1);
	} else if (tid && preempted)
		becomes(m, tid, QUEUED, TASKTIME_PREEMPTED);
	else if (tid)
		becomes(m, tid, ASLEEP, asleep_in(m, t, e));
	cpu_becomes(m, cpu, CPU_SWITCHING);
	m->now += draw(m, 3);
	put_on(m, cpu);
}

static void
make_child(struct machine *m, int32_t parent, int cpu)
{
	int32_t *next = parent < STRANGER ? &m->next_tid : &m->next_stranger,
		limit = parent < STRANGER ? STRANGER : MOST_TIDS;

	if (*next >= limit)
		return;
	add_event(m, TASKTIME_FORK, *next, cpu)->other = parent;
	becomes(m, *next, QUEUED, TASKTIME_WOKEN);
	++*next;
}

static void
act_on_cpu(struct machine *m, int cpu)
{
	int32_t tid = m->on[cpu];
	struct sim_task *t = &m->task[tid];

	if (tid == 0) {
		if (pick(m, QUEUED))
			take_off(m, cpu, false);
		return;
	}
	switch (draw(m, 12)) {
	case 0:
	case 1:
		take_off(m, cpu, true);
		return;
	case 2:
	case 3:
	case 4:
		take_off(m, cpu, false);
		return;
	case 5:
		if (!t->exiting && !t->in_fault)
			make_child(m, tid, cpu);
		return;
	case 6:
		if (draw(m, 8) == 0 && !t->in_fault && !t->exiting && tid > 1 && tid != STRANGER) {
			add_event(m, TASKTIME_EXIT, tid, cpu);
			t->exiting = true;
		}
		return;
	default:
		if (t->exiting)
			return;
		t->in_fault = !t->in_fault;
		add_event(m, t->in_fault ? TASKTIME_FAULT : draw(m, 2) ? TASKTIME_MINOR : TASKTIME_MAJOR, tid, cpu);
		becomes(m, tid, RUNNING, t->in_fault ? TASKTIME_FAULT_CPU : TASKTIME_ON_CPU);
	}
}

static void
run_machine(struct machine *m, uint64_t seed, size_t steps)
{
	*m = (struct machine){.seed = seed, .now = 1000, .next_tid = 2, .next_stranger = STRANGER + 1};
	for (int c = 0; c < CPUS; c++) {
		m->on[c] = 0;
		m->cpu_class[c] = CPU_UNKNOWN;
		m->cpu_since[c] = m->now;
	}
	becomes(m, 1, ASLEEP, TASKTIME_SLEEP_UNKNOWN);
	becomes(m, STRANGER, ASLEEP, TASKTIME_SLEEP_UNKNOWN);
	add_event(m, TASKTIME_FOUND, 1, 0)->state = TASKTIME_INTERRUPTIBLE;
	for (int c = 0; c < CPUS; c++) {
		add_event(m, TASKTIME_OUT, 0, c);
		cpu_becomes(m, c, CPU_SWITCHING);
		m->now += draw(m, 5);
		put_on(m, c);
	}
	for (size_t i = 0; i < steps; i++) {
		int32_t sleeper = draw(m, 3) ? 0 : pick(m, ASLEEP);

		m->now += draw(m, 40);
		if (!sleeper) {
			act_on_cpu(m, (int)draw(m, CPUS));
			continue;
		}
		add_event(m, TASKTIME_WAKE, sleeper, (int)draw(m, CPUS));
		becomes(m, sleeper, QUEUED, TASKTIME_WOKEN);
	}
	m->now += 10;
	for (int32_t i = 0; i < MOST_TIDS; i++)
		if (m->task[i].where != NOT_BORN && m->task[i].where != GONE)
			becomes(m, i, m->task[i].where, m->task[i].class);
	for (int c = 0; c < CPUS; c++)
		cpu_becomes(m, c, m->cpu_class[c]);
}

static void
free_machine(struct machine *m)
{
	free(m->truth);
	free(m->event);
}

/* Nanoseconds that `who` spends in `class` between two times, by going through all segments. */
static uint64_t
truth_of(const struct machine *m, int32_t who, int class, uint64_t from, uint64_t to)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < m->n_truth; i++) {
		const struct segment *s = &m->truth[i];
		uint64_t a = s->from > from ? s->from : from, b = s->to < to ? s->to : to;

		if (s->who == who && s->class == class && a < b)
			sum += b - a;
	}
	return sum;
}

/* --- what is reported -------------------------------------------------------------------------------------------- */

struct reported {
	const struct machine *truth; /* NULL: the stream was damaged */
	struct tasktime_row total[MOST_TIDS];
	uint64_t reached[MOST_TIDS]; /* end of the last row */
	size_t rows, wrong;
};

static void
take_row(void *to, const struct tasktime_row *r)
{
	struct reported *reported = to;

	reported->rows++;
	reported->wrong += tasktime_row_elapsed(r) != r->to_ns - r->from_ns || r->to_ns < r->from_ns;
	if (r->tid < 0 || r->tid >= MOST_TIDS) {
		reported->wrong++;
		return;
	}
	if (!r->born || !reported->truth)
		reported->wrong += reported->reached[r->tid] && !r->born && reported->reached[r->tid] != r->from_ns &&
			reported->truth;
	reported->reached[r->tid] = r->to_ns;
	for (int c = 0; c < TASKTIME_CLASSES && reported->truth; c++)
		reported->wrong += r->ns[c] != truth_of(reported->truth, r->tid, c, r->from_ns, r->to_ns);
	tasktime_row_add(&reported->total[r->tid], r);
}

static struct tasktime_partition *
new_partition(struct reported *reported)
{
	struct tasktime_options o = {.follow = TASKTIME_FOLLOW_TREE, .row = take_row, .to = reported};
	struct tasktime_partition *p = tasktime_partition_new(&o, CPUS, 1000);

	tasktime_watch(p, 1, 1);
	return p;
}

static size_t
wrong_cpus(const struct machine *m, const struct tasktime_cpu_row *cpu)
{
	size_t wrong = 0;

	for (int i = 0; i < CPUS; i++) {
		const struct tasktime_cpu_row *r = &cpu[i];

		wrong += r->idle_ns != truth_of(m, -1 - i, CPU_IDLE, r->from_ns, r->to_ns) ||
			 r->followed_ns != truth_of(m, -1 - i, CPU_FOLLOWED, r->from_ns, r->to_ns) ||
			 r->others_ns != truth_of(m, -1 - i, CPU_OTHERS, r->from_ns, r->to_ns) ||
			 r->switching_ns != truth_of(m, -1 - i, CPU_SWITCHING, r->from_ns, r->to_ns) ||
			 r->unknown_ns != truth_of(m, -1 - i, CPU_UNKNOWN, r->from_ns, r->to_ns);
	}
	return wrong;
}

/* Plays a stream, with a window after about `every` events (0: one window). */
static void
play(const struct machine *m, const struct tasktime_event *event, size_t n, size_t every, struct reported *reported,
	struct tasktime_trouble *trouble, size_t *cpus_wrong)
{
	struct tasktime_partition *p = new_partition(reported);
	struct tasktime_cpu_row cpu[CPUS];
	uint64_t seed = every, closed = 1000;

	*cpus_wrong = 0;
	for (size_t i = 0; i < n; i++) {
		tasktime_take(p, &event[i]);
		if (every && test_random(&seed) % every == 0) {
			uint64_t next = i + 1 < n ? event[i + 1].ns : m->now, at = event[i].ns;

			if (next > at)
				at += test_random(&seed) % (next - at + 1);
			tasktime_close(p, at, cpu);
			*cpus_wrong += wrong_cpus(m, cpu);
			for (int c = 0; c < CPUS; c++) {
				reported->wrong += cpu[c].from_ns != closed;
				reported->wrong += cpu[c].idle_ns + cpu[c].followed_ns + cpu[c].others_ns +
						cpu[c].switching_ns + cpu[c].unknown_ns !=
					cpu[c].to_ns - cpu[c].from_ns;
			}
			closed = cpu[0].to_ns;
		}
	}
	tasktime_close(p, m->now, cpu);
	*cpus_wrong += wrong_cpus(m, cpu);
	*trouble = *tasktime_trouble(p);
	tasktime_partition_free(p);
}

static bool
same_totals(const struct reported *a, const struct reported *b)
{
	for (int t = 0; t < MOST_TIDS; t++) {
		struct tasktime_row x = a->total[t], y = b->total[t];

		if (memcmp(x.ns, y.ns, sizeof x.ns) != 0 || memcmp(x.entered, y.entered, sizeof x.entered) != 0 ||
			x.in != y.in || x.minor != y.minor || x.major != y.major || x.from_ns != y.from_ns ||
			x.to_ns != y.to_ns || x.unwoken != y.unwoken)
			return false;
	}
	return true;
}

static void
random_histories_are_partitioned_exactly(void)
{
	for (unsigned round = 0; round < test_rounds(60, 2000); round++) {
		struct machine m;
		struct reported *whole = mem_new(sizeof *whole), *parts = mem_new(sizeof *parts);
		struct tasktime_trouble trouble;
		size_t cpus_wrong;

		test_label("seed %u", round);
		run_machine(&m, round, 400);
		whole->truth = parts->truth = &m;
		play(&m, m.event, m.n, 0, whole, &trouble, &cpus_wrong);
		CHECK_INT(whole->wrong, 0);
		CHECK_INT(cpus_wrong, 0);
		CHECK_INT(trouble.broken + trouble.late + trouble.unpaired + trouble.lost, 0);
		CHECK(whole->rows > 0);
		for (size_t every = 1; every < 100; every *= 7) {
			play(&m, m.event, m.n, every, parts, &trouble, &cpus_wrong);
			CHECK_INT(parts->wrong, 0);
			CHECK_INT(cpus_wrong, 0);
			CHECK(same_totals(whole, parts));
			memset(parts, 0, sizeof *parts);
			parts->truth = &m;
		}
		free_machine(&m);
		free(whole);
		free(parts);
	}
}

/* --- damage ------------------------------------------------------------------------------------------------------ */

static void
damage(struct machine *m, unsigned how, uint64_t *seed)
{
	for (unsigned i = 0; i < 1 + how / 4 % 8; i++) {
		size_t at = test_random(seed) % m->n, other = at + 1 + test_random(seed) % 6;

		switch (how % 4) {
		case 0: /* one is missing */
			memmove(&m->event[at], &m->event[at + 1], (m->n - at - 1) * sizeof *m->event);
			m->n--;
			break;
		case 1: /* two are swapped */
			if (other < m->n) {
				struct tasktime_event e = m->event[at];

				m->event[at] = m->event[other];
				m->event[other] = e;
			}
			break;
		case 2: /* one has another task */
			m->event[at].tid = (int32_t)(test_random(seed) % 40);
			break;
		case 3: /* one has another kind */
			m->event[at].kind = (uint8_t)(test_random(seed) % TASKTIME_KINDS);
			m->event[at].n = 1;
			break;
		}
	}
}

static void
damaged_streams_add_up(void)
{
	size_t noticed = 0, rounds = test_rounds(200, 8000);

	for (unsigned round = 0; round < rounds; round++) {
		struct machine m;
		struct reported *reported = mem_new(sizeof *reported);
		struct tasktime_trouble trouble;
		uint64_t seed = round;
		size_t cpus_wrong;

		test_label("seed %u", round);
		run_machine(&m, round % 37, 400);
		damage(&m, round, &seed);
		play(&m, m.event, m.n, 1 + round % 50, reported, &trouble, &cpus_wrong);
		CHECK_INT(reported->wrong, 0);
		noticed += trouble.broken + trouble.late + trouble.unpaired + trouble.lost > 0;
		free_machine(&m);
		free(reported);
	}
	test_label("noticed");
	CHECK(noticed > rounds / 2);
}

/* Leaves each event of a short history out, one at a time: if that changes a task's classes, a mark or a count reports
 * it. */
static void
missing_events_are_noticed(void)
{
	size_t changed = 0, reported_so = 0, quiet[TASKTIME_KINDS] = {0};

	for (unsigned round = 0; round < test_rounds(4, 60); round++) {
		struct machine m;
		struct reported *whole = mem_new(sizeof *whole), *part = mem_new(sizeof *part);
		struct tasktime_trouble trouble;
		size_t cpus_wrong;

		run_machine(&m, 1000 + round, 400);
		play(&m, m.event, m.n, 0, whole, &trouble, &cpus_wrong);
		for (size_t i = 1; i < m.n; i++) {
			struct tasktime_event *e = mem_copy(m.event, m.n * sizeof *e);
			uint64_t unwoken = 0, failed = 0;

			memmove(&e[i], &e[i + 1], (m.n - i - 1) * sizeof *e);
			memset(part, 0, sizeof *part);
			play(&m, e, m.n - 1, 0, part, &trouble, &cpus_wrong);
			for (int t = 0; t < MOST_TIDS; t++) {
				unwoken += part->total[t].unwoken;
				failed += part->total[t].failed;
			}
			if (!same_totals(whole, part)) {
				changed++;
				if (trouble.broken + trouble.unpaired + unwoken + failed > 0)
					reported_so++;
				else
					quiet[m.event[i].kind]++;
			}
			free(e);
		}
		free_machine(&m);
		free(whole);
		free(part);
	}
	CHECK(changed > 400);
	/* Only two kinds of losses go unreported: births, because an unborn task is not followed, and the last event of
	 * a task. */
	CHECK_INT(quiet[TASKTIME_FAULT] + quiet[TASKTIME_MINOR] + quiet[TASKTIME_MAJOR] > changed / 20, 0);
	test_label("%zu of %zu noticed; quiet: in %zu, out %zu, wake %zu", reported_so, changed, quiet[TASKTIME_IN],
		quiet[TASKTIME_OUT], quiet[TASKTIME_WAKE]);
	CHECK(reported_so * 10 > changed * 9);
}

/* --- by hand ----------------------------------------------------------------------------------------------------- */

static struct tasktime_row last_row;
static size_t rows_reported;

static void
keep_row(void *unused, const struct tasktime_row *r)
{
	(void)unused;
	last_row = *r;
	rows_reported++;
}

static struct tasktime_partition *
by_hand(enum tasktime_follow follow, bool from_exec)
{
	struct tasktime_options o = {.follow = follow, .row = keep_row, .from_exec = from_exec, .max_tasks = 3};

	rows_reported = 0;
	return tasktime_partition_new(&o, 2, 100);
}

static void
feed(struct tasktime_partition *p, enum tasktime_kind kind, uint64_t ns, int32_t tid, struct tasktime_event e)
{
	e.kind = (uint8_t)kind;
	e.ns = ns;
	e.tid = tid;
	e.pid = e.pid ? e.pid : tid;
	tasktime_take(p, &e);
}

#define E(...) ((struct tasktime_event){__VA_ARGS__})

static void
a_command_counts_from_its_exec(void)
{
	struct tasktime_partition *p = by_hand(TASKTIME_FOLLOW_TREE, true);

	tasktime_watch(p, 7, 7);
	feed(p, TASKTIME_IN, 110, 7, E(0));
	feed(p, TASKTIME_FAULT, 115, 7, E(0));
	feed(p, TASKTIME_MINOR, 118, 7, E(0));
	CHECK(!tasktime_is_followed(p, 7));
	feed(p, TASKTIME_EXEC, 120, 7, E(.name = "sort"));
	feed(p, TASKTIME_OUT, 150, 7, E(.state = TASKTIME_UNINTERRUPTIBLE, .cause = TASKTIME_CAUSE_IO));
	feed(p, TASKTIME_WAKE, 190, 7, E(0));
	feed(p, TASKTIME_IN, 193, 7, E(.cpu = 1));
	feed(p, TASKTIME_EXIT, 200, 7, E(.cpu = 1));
	feed(p, TASKTIME_OUT, 202, 7, E(.cpu = 1, .state = TASKTIME_DEAD));
	CHECK_INT(rows_reported, 1);
	CHECK_STR(last_row.name, "sort");
	CHECK_INT(last_row.from_ns, 120);
	CHECK_INT(last_row.to_ns, 202);
	CHECK_INT(last_row.ns[TASKTIME_ON_CPU], 30 + 9);
	CHECK_INT(last_row.ns[TASKTIME_BLOCK_IO], 40);
	CHECK_INT(last_row.ns[TASKTIME_WOKEN], 3);
	CHECK_INT(last_row.minor, 0);
	CHECK(last_row.ended && !last_row.doubtful);
	CHECK_INT(tasktime_row_largest(&last_row), TASKTIME_BLOCK_IO);
	CHECK_INT(tasktime_alive(p), 0);
	tasktime_partition_free(p);
}

/* The idle task's own switches may be recorded or not: the time is idle, and no event counts as wrong. */
static void
an_idle_task_that_is_not_recorded(void)
{
	struct tasktime_partition *p = by_hand(TASKTIME_FOLLOW_TREE, false);
	struct tasktime_cpu_row cpu[2];

	tasktime_watch(p, 7, 7);
	feed(p, TASKTIME_IN, 110, 7, E(0));
	feed(p, TASKTIME_OUT, 120, 7, E(.state = TASKTIME_INTERRUPTIBLE, .to_idle = true));
	feed(p, TASKTIME_IN, 140, 7, E(0)); /* neither its switch-in nor its switch-out */
	feed(p, TASKTIME_OUT, 150, 7, E(.state = TASKTIME_INTERRUPTIBLE, .to_idle = true));
	feed(p, TASKTIME_IN, 151, 0, E(0)); /* both */
	feed(p, TASKTIME_OUT, 170, 0, E(0));
	feed(p, TASKTIME_IN, 172, 7, E(0));
	feed(p, TASKTIME_OUT, 180, 7, E(.state = TASKTIME_INTERRUPTIBLE, .to_idle = true));
	feed(p, TASKTIME_OUT, 190, 0, E(0)); /* its switch-out only */
	feed(p, TASKTIME_IN, 193, 7, E(0));
	tasktime_close(p, 200, cpu);
	CHECK_INT(cpu[0].unknown_ns, 10);
	CHECK_INT(cpu[0].idle_ns, 20 + 20 + 10);
	CHECK_INT(cpu[0].followed_ns, 10 + 10 + 8 + 7);
	CHECK_INT(cpu[0].switching_ns, 2 + 3);
	CHECK_INT(cpu[1].unknown_ns, 100);
	CHECK_INT(tasktime_trouble(p)->broken, 0);
	tasktime_partition_free(p);
}

/* Thread 9 of process 7 calls execve(2). From then on it is 7, without a switch-in under that number. */
static void
a_thread_that_executes_takes_its_process_number(void)
{
	struct tasktime_partition *p = by_hand(TASKTIME_FOLLOW_TREE, false);

	tasktime_watch(p, 7, 7);
	feed(p, TASKTIME_IN, 110, 7, E(0));
	feed(p, TASKTIME_FORK, 120, 9, E(.pid = 7, .other = 7));
	feed(p, TASKTIME_OUT, 121, 7, E(.preempted = true));
	feed(p, TASKTIME_IN, 121, 9, E(.pid = 7));
	feed(p, TASKTIME_IN, 125, 7, E(.cpu = 1));
	feed(p, TASKTIME_EXIT, 130, 7, E(.cpu = 1));
	feed(p, TASKTIME_OUT, 131, 7, E(.cpu = 1, .state = TASKTIME_DEAD));
	CHECK_INT(rows_reported, 1);
	feed(p, TASKTIME_FAULT, 140, 7, E(0)); /* on the CPU of 9 */
	CHECK_INT(rows_reported, 2);
	CHECK_INT(last_row.tid, 9);
	CHECK_INT(last_row.ns[TASKTIME_ON_CPU], 19);
	feed(p, TASKTIME_MINOR, 142, 7, E(0));
	feed(p, TASKTIME_EXEC, 150, 7, E(.name = "new"));
	tasktime_close(p, 160, NULL);
	CHECK_INT(rows_reported, 3);
	CHECK_INT(last_row.tid, 7);
	CHECK_INT(last_row.from_ns, 140);
	CHECK_INT(last_row.ns[TASKTIME_ON_CPU], 18);
	CHECK_INT(last_row.ns[TASKTIME_FAULT_CPU], 2);
	CHECK_INT(tasktime_trouble(p)->broken, 0);
	tasktime_partition_free(p);
}

static void
a_fault_without_an_outcome_is_reported(void)
{
	struct tasktime_partition *p = by_hand(TASKTIME_FOLLOW_ALL, false);

	feed(p, TASKTIME_IN, 110, 7, E(0));
	feed(p, TASKTIME_FAULT, 120, 7, E(0));
	feed(p, TASKTIME_FAILED, 123, 7, E(0)); /* the signal */
	feed(p, TASKTIME_FAULT, 130, 7, E(0));  /* no event reports its end */
	feed(p, TASKTIME_OUT, 137, 7, E(.preempted = true));
	feed(p, TASKTIME_IN, 140, 7, E(0));
	feed(p, TASKTIME_FAULT, 145, 7, E(0));  /* except the next one's beginning */
	feed(p, TASKTIME_MINOR, 146, 7, E(0));
	feed(p, TASKTIME_FAILED, 147, 7, E(0)); /* a task's own signal is not part of a fault */
	tasktime_close(p, 150, NULL);
	CHECK_INT(last_row.failed, 2);
	CHECK_INT(last_row.failed_ns, 3 + 7 + 5);
	CHECK_INT(last_row.ns[TASKTIME_FAULT_CPU], 3 + 7 + 5 + 1);
	CHECK_INT(last_row.ns[TASKTIME_PREEMPTED], 3);
	CHECK_INT(last_row.minor, 1);
	CHECK_INT(last_row.broken, 0);
	CHECK_INT(tasktime_trouble(p)->unpaired, 0);
	feed(p, TASKTIME_MAJOR, 160, 7, E(0));
	CHECK_INT(tasktime_trouble(p)->unpaired, 1);
	tasktime_partition_free(p);
}

static void
contradictions_cost_the_time_in_doubt(void)
{
	struct tasktime_partition *p = by_hand(TASKTIME_FOLLOW_ALL, false);
	struct tasktime_cpu_row cpu[2];

	feed(p, TASKTIME_IN, 110, 7, E(0));
	feed(p, TASKTIME_OUT, 120, 7, E(.state = TASKTIME_INTERRUPTIBLE, .cause = TASKTIME_CAUSE_FUTEX));
	feed(p, TASKTIME_FAULT, 150, 7, E(0)); /* then it runs: its switch-in is unknown */
	feed(p, TASKTIME_MINOR, 151, 7, E(0));
	feed(p, TASKTIME_IN, 170, 8, E(0));    /* and now another one does */
	feed(p, TASKTIME_WAKE, 165, 7, E(0));  /* late */
	tasktime_close(p, 180, cpu);
	CHECK_INT(tasktime_trouble(p)->broken, 2);
	CHECK_INT(tasktime_trouble(p)->late, 1);
	CHECK_INT(cpu[0].unknown_ns, 10 + 30 + 20);
	CHECK_INT(cpu[0].switching_ns, 0);
	CHECK_INT(cpu[0].followed_ns, 10 + 10);
	CHECK_INT(cpu[1].unknown_ns, 80);
	feed(p, TASKTIME_OUT, 190, 8, E(.preempted = true));
	feed(p, TASKTIME_IN, 191, 7, E(0));
	feed(p, TASKTIME_FORK, 195, 8, E(.other = 7)); /* a number that is in use */
	CHECK_INT(tasktime_trouble(p)->broken, 3);
	CHECK(last_row.ended && last_row.doubtful);
	CHECK_INT(last_row.tid, 8);
	CHECK_INT(last_row.ns[TASKTIME_UNKNOWN], 5);
	tasktime_partition_free(p);
}

/* What a command did before its execve(2): only what came after the first reading of its accounts is subtracted from
 * these, and the whole of a wait that was not over then. */
static void
the_time_before_exec_begins_with_the_first_reading(void)
{
	for (int waits = 0; waits < 2; waits++) {
		struct tasktime_partition *p = by_hand(TASKTIME_FOLLOW_TREE, true);

		tasktime_watch(p, 7, 7);
		feed(p, TASKTIME_IN, 110, 7, E(0)); /* of its first wait the begin is not known */
		feed(p, TASKTIME_OUT, 120, 7, E(.preempted = true));
		feed(p, TASKTIME_IN, 127, 7, E(0));
		feed(p, TASKTIME_OUT, 130, 7, E(.state = TASKTIME_INTERRUPTIBLE, .preempted = waits));
		feed(p, TASKTIME_FOUND, 140, 7, E(.state = waits ? TASKTIME_RUNNABLE : TASKTIME_INTERRUPTIBLE));
		feed(p, TASKTIME_WAKE, 150, 7, E(0));
		feed(p, TASKTIME_IN, 155, 7, E(0));
		feed(p, TASKTIME_EXEC, 158, 7, E(0));
		tasktime_close(p, 200, NULL);
		CHECK_INT(last_row.before_wait_ns, waits ? 25 : 5);
		CHECK_INT(last_row.before_run_ns, 3);
		CHECK(!last_row.before_unsure);
		CHECK_INT(last_row.ns[TASKTIME_ON_CPU], 42);
		tasktime_partition_free(p);
	}
}

/* The sum of an open window is what closing it would report, without threads of the kernel and their children. */
static void
open_windows_have_sums(void)
{
	struct tasktime_partition *p = by_hand(TASKTIME_FOLLOW_ALL, false);
	struct tasktime_row sum = {0};

	tasktime_watch(p, 2, 2);
	feed(p, TASKTIME_FOUND, 100, 2, E(.kernel = true, .state = TASKTIME_INTERRUPTIBLE));
	feed(p, TASKTIME_FORK, 105, 3, E(.other = 2));
	feed(p, TASKTIME_IN, 110, 7, E(0));
	feed(p, TASKTIME_OUT, 120, 7, E(.state = TASKTIME_UNINTERRUPTIBLE, .cause = TASKTIME_CAUSE_IO));
	feed(p, TASKTIME_IN, 121, 3, E(0));
	feed(p, TASKTIME_OUT, 122, 3, E(.state = TASKTIME_UNINTERRUPTIBLE, .cause = TASKTIME_CAUSE_IO));
	tasktime_sum_open(p, &sum);
	CHECK_INT(sum.ns[TASKTIME_ON_CPU], 10);
	CHECK_INT(sum.ns[TASKTIME_BLOCK_IO], 2); /* up to the last event */
	feed(p, TASKTIME_WAKE, 150, 7, E(0));
	tasktime_close(p, 160, NULL);
	sum = (struct tasktime_row){0};
	feed(p, TASKTIME_IN, 170, 3, E(0));
	feed(p, TASKTIME_EXEC, 180, 3, E(0)); /* a program that the kernel starts is none of its threads */
	feed(p, TASKTIME_OUT, 190, 3, E(.preempted = true));
	tasktime_sum_open(p, &sum);
	CHECK_INT(sum.ns[TASKTIME_WOKEN], 30);
	CHECK_INT(sum.ns[TASKTIME_ON_CPU], 20);
	CHECK_INT(sum.ns[TASKTIME_BLOCK_IO], 10);
	tasktime_partition_free(p);
}

static void
lost_records_leave_a_mark_until_the_next(void)
{
	struct tasktime_partition *p = by_hand(TASKTIME_FOLLOW_ALL, false);
	struct tasktime_cpu_row cpu[2];

	feed(p, TASKTIME_IN, 110, 7, E(0));
	feed(p, TASKTIME_LOST, 140, 0, E(.n = 5));
	tasktime_close(p, 150, cpu);
	CHECK(last_row.doubtful);
	CHECK_INT(last_row.ns[TASKTIME_UNKNOWN], 40);
	CHECK_INT(cpu[0].unknown_ns, 50);
	tasktime_close(p, 160, cpu);
	CHECK(last_row.doubtful); /* still no event */
	feed(p, TASKTIME_OUT, 170, 7, E(.state = TASKTIME_INTERRUPTIBLE, .cause = TASKTIME_CAUSE_OTHER));
	tasktime_close(p, 180, NULL);
	CHECK(last_row.doubtful);
	tasktime_close(p, 190, NULL);
	CHECK(!last_row.doubtful);
	CHECK_INT(last_row.ns[TASKTIME_SLEEP], 10);
	CHECK_INT(tasktime_trouble(p)->lost, 5);
	feed(p, TASKTIME_OFFLINE, 195, 0, E(.cpu = 1));
	tasktime_close(p, 200, cpu);
	CHECK(cpu[1].offline && !cpu[0].offline);
	tasktime_partition_free(p);
}

static void
who_is_followed(void)
{
	struct tasktime_partition *p = by_hand(TASKTIME_FOLLOW_PROCESS, false);

	tasktime_watch(p, 7, 7);
	feed(p, TASKTIME_FOUND, 105, 7, E(.state = TASKTIME_RUNNABLE, .name = "x"));
	feed(p, TASKTIME_FOUND, 105, 50, E(.state = TASKTIME_RUNNABLE)); /* not followed */
	feed(p, TASKTIME_FORK, 110, 8, E(.pid = 7, .other = 7));
	feed(p, TASKTIME_FORK, 111, 9, E(.pid = 9, .other = 7)); /* a process */
	feed(p, TASKTIME_FORK, 112, 10, E(.pid = 7, .other = 8));
	CHECK(tasktime_is_followed(p, 8) && tasktime_is_followed(p, 10) && !tasktime_is_followed(p, 9) &&
		!tasktime_is_followed(p, 50));
	feed(p, TASKTIME_FORK, 113, 11, E(.pid = 7, .other = 8)); /* one more than the limit */
	CHECK(!tasktime_is_followed(p, 11));
	CHECK_INT(tasktime_trouble(p)->unfollowed, 1);
	tasktime_close(p, 120, NULL);
	CHECK_INT(rows_reported, 3);
	tasktime_partition_free(p);
}

/* --- recorded here once (tests/data/stalls/README) --------------------------------------------------------------- */

struct recording {
	struct tasktime_event *event;
	size_t n, cap, n_cpus;
	int32_t root;
	uint64_t end;
};

static bool
take_line(struct recording *r, const char *line)
{
	unsigned kind, cpu, state, cause, preempted;
	unsigned long long ns;
	struct tasktime_event *e;

	if (sscanf(line, "end %llu", &ns) == 1) {
		r->end = ns;
		return true;
	}
	if (sscanf(line, "cpus %zu root %d", &r->n_cpus, &r->root) == 2)
		return true;
	mem_grow(&r->event, &r->cap, r->n + 1, sizeof *r->event);
	e = &r->event[r->n++];
	*e = (struct tasktime_event){0};
	if (sscanf(line, "%u %llu %u %d %d %d %u %u %u %15s", &kind, &ns, &cpu, &e->tid, &e->pid, &e->other, &state,
		    &cause, &preempted, e->name) != 10)
		return false;
	e->kind = (uint8_t)kind;
	e->ns = ns;
	e->cpu = (uint16_t)cpu;
	e->state = (uint8_t)state;
	e->cause = (uint8_t)cause;
	e->preempted = preempted;
	return kind < TASKTIME_KINDS && state <= TASKTIME_STATE_UNKNOWN && cause <= TASKTIME_CAUSE_OTHER;
}

static bool
read_recording(struct recording *r, const char *name)
{
	char path[128], *text, *line, *rest;
	bool good = true;

	*r = (struct recording){0};
	snprintf(path, sizeof path, "data/stalls/%s.events", name);
	text = test_read(path, NULL);
	for (line = text ? strtok_r(text, "\n", &rest) : NULL; line && good; line = strtok_r(NULL, "\n", &rest))
		good = CHECK(take_line(r, line));
	free(text);
	return CHECK(good && r->n > 20 && r->end > 0);
}

/* Sums over all rows of a recording. */
static void
add_row(void *to, const struct tasktime_row *r)
{
	CHECK_INT(tasktime_row_elapsed(r), r->to_ns - r->from_ns);
	CHECK(!r->doubtful);
	tasktime_row_add(to, r);
}

static struct tasktime_row
replay(const struct recording *r, size_t every)
{
	struct tasktime_row sum = {0};
	struct tasktime_options o = {.follow = TASKTIME_FOLLOW_TREE, .from_exec = true, .row = add_row, .to = &sum};
	struct tasktime_partition *p = tasktime_partition_new(&o, r->n_cpus, 0);
	const struct tasktime_trouble *t = tasktime_trouble(p);

	tasktime_watch(p, r->root, r->root);
	for (size_t i = 0; i < r->n; i++) {
		tasktime_take(p, &r->event[i]);
		if (every && i % every == 0)
			tasktime_close(p, r->event[i].ns, NULL);
	}
	tasktime_close(p, r->end, NULL);
	CHECK_INT(tasktime_alive(p), 0);
	CHECK_INT(t->broken + t->late + t->unpaired + t->lost + t->unfollowed, 0);
	tasktime_partition_free(p);
	return sum;
}

/* Time of the program's tasks on CPUs, from their switches alone: a second way to the same number. */
static uint64_t
time_on_cpus(const struct recording *r)
{
	uint64_t in[2] = {0}, sum = 0, born = 0;
	bool ours[2] = {false}, over[2] = {false};
	int32_t gone[16] = {0};
	size_t n_gone = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct tasktime_event *e = &r->event[i];
		bool mine = e->pid == r->root && e->cpu < 2;

		for (size_t j = 0; j < n_gone; j++)
			mine &= e->tid != gone[j];
		if (e->kind == TASKTIME_EXIT && mine)
			over[e->cpu] = true; /* with its next switch-out */
		if (e->kind == TASKTIME_EXEC && mine) {
			born = in[e->cpu] = e->ns;
			ours[e->cpu] = true;
		} else if (e->kind == TASKTIME_IN && mine && born) {
			in[e->cpu] = e->ns;
			ours[e->cpu] = true;
		} else if (e->kind == TASKTIME_OUT && e->cpu < 2 && ours[e->cpu]) {
			sum += e->ns - in[e->cpu];
			ours[e->cpu] = false;
			if (over[e->cpu] && n_gone < 16)
				gone[n_gone++] = e->tid;
			over[e->cpu] = false;
		}
	}
	return sum;
}

static void
recorded_programs(void)
{
	static const struct {
		const char *name;
		enum tasktime_class largest; /* waits for a CPU left out */
	} row[] = {
		{"cpu", TASKTIME_ON_CPU}, {"faults", TASKTIME_FAULT_CPU}, {"lock", TASKTIME_FUTEX}, {"io",
			TASKTIME_BLOCK_IO}, {"sleep", TASKTIME_SLEEP}, {"signal", TASKTIME_ON_CPU},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct recording r;
		struct tasktime_row whole, parts;

		test_label("%s", row[i].name);
		if (!read_recording(&r, row[i].name))
			continue;
		whole = replay(&r, 0);
		CHECK_INT(whole.ns[TASKTIME_ON_CPU] + whole.ns[TASKTIME_FAULT_CPU], time_on_cpus(&r));
		CHECK_INT(whole.ns[TASKTIME_UNKNOWN], 0);
		for (size_t every = 1; every < 100; every *= 5) {
			parts = replay(&r, every);
			CHECK(memcmp(parts.ns, whole.ns, sizeof whole.ns) == 0);
			CHECK_INT(parts.minor + parts.major + parts.failed, whole.minor + whole.major + whole.failed);
		}
		whole.ns[TASKTIME_PREEMPTED] = whole.ns[TASKTIME_WOKEN] = 0;
		CHECK_STR(tasktime_class_name(tasktime_row_largest(&whole)), tasktime_class_name(row[i].largest));
		CHECK_INT(whole.failed > 0, strcmp(row[i].name, "signal") == 0);
		free(r.event);
	}
}

static void
classes_have_names(void)
{
	for (int a = 0; a < TASKTIME_CLASSES; a++)
		for (int b = 0; b < a; b++)
			CHECK(strcmp(tasktime_class_name((enum tasktime_class)a),
				      tasktime_class_name((enum tasktime_class)b)) != 0);
}

TEST_MAIN(CASE(random_histories_are_partitioned_exactly), CASE(damaged_streams_add_up),
	CASE(missing_events_are_noticed), CASE(a_command_counts_from_its_exec), CASE(an_idle_task_that_is_not_recorded),
	CASE(a_thread_that_executes_takes_its_process_number), CASE(a_fault_without_an_outcome_is_reported),
	CASE(contradictions_cost_the_time_in_doubt), CASE(the_time_before_exec_begins_with_the_first_reading),
	CASE(open_windows_have_sums), CASE(lost_records_leave_a_mark_until_the_next),
	CASE(who_is_followed), CASE(recorded_programs), CASE(classes_have_names))
