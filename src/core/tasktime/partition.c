/* Takes events of tasks in time order (partition.h has the state machine). Each take_…() function first accounts the
 * time since the task's last event to its class, then changes the class. */
#include "core/tasktime/partition.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/tasktime/partition_state.h"

#define MOST_TASKS 65536

struct tasktime_partition *
tasktime_partition_new(const struct tasktime_options *o, size_t n_cpus, uint64_t start_ns)
{
	struct tasktime_partition *p = mem_new(sizeof *p);

	p->options = *o;
	if (p->options.max_tasks == 0)
		p->options.max_tasks = MOST_TASKS;
	p->cpu = mem_new_array(n_cpus, sizeof *p->cpu);
	p->n_cpus = n_cpus;
	p->from = p->latest = start_ns;
	for (size_t i = 0; i < n_cpus; i++)
		p->cpu[i] = (struct tasktime_cpu){
			.row = {.cpu = (unsigned)i, .from_ns = start_ns}, .since = start_ns,
			.current = TASKTIME_CPU_UNKNOWN};
	return p;
}

void
tasktime_partition_free(struct tasktime_partition *p)
{
	if (!p)
		return;
	tid_table_free(&p->tasks);
	free(p->cpu);
	free(p);
}

size_t
tasktime_alive(const struct tasktime_partition *p)
{
	return p->tasks.n;
}

const struct tasktime_trouble *
tasktime_trouble(const struct tasktime_partition *p)
{
	return &p->trouble;
}

bool
tasktime_is_followed(const struct tasktime_partition *p, int32_t tid)
{
	const struct tasktime_task *t = tid_table_get(&p->tasks, tid);

	return t && !t->dormant;
}

/* --- one task ---------------------------------------------------------------------------------------------------- */

/* A contradiction: the time since the last record becomes unknown. */
void
tasktime_contradict(struct tasktime_partition *p, struct tasktime_task *t, uint64_t ns)
{
	tasktime_task_account(t, ns, TASKTIME_UNKNOWN);
	t->in_fault = false;
	t->row.broken++;
	t->row.doubtful = true;
	p->trouble.broken++;
}

static void
reset(struct tasktime_task *t, uint64_t ns)
{
	struct tasktime_row fresh = {.tid = t->row.tid, .pid = t->row.pid, .from_ns = ns};

	memcpy(fresh.name, t->row.name, sizeof fresh.name);
	t->row = fresh;
}

static void
report_row(struct tasktime_partition *p, struct tasktime_task *t, uint64_t ns)
{
	t->row.to_ns = ns;
	t->row.doubtful |= t->unsure;
	if (p->options.row)
		p->options.row(p->options.to, &t->row);
}

void
tasktime_end_task(struct tasktime_partition *p, struct tasktime_task *t, uint64_t ns)
{
	if (!t->dormant) {
		tasktime_task_account(t, ns, t->class);
		t->row.ended = true;
		report_row(p, t, ns);
	}
	tid_table_remove(&p->tasks, t->row.tid);
}

static void
partition_begin(struct tasktime_task *t, const struct tasktime_event *e, uint64_t ns, enum tasktime_class c)
{
	t->dormant = false;
	t->row.pid = e->pid;
	t->row.from_ns = t->since = ns;
	t->class = c;
	t->cpu = -1;
}

static struct tasktime_task *
add_task(struct tasktime_partition *p, int32_t tid)
{
	struct tasktime_task *t;

	if (p->tasks.n >= p->options.max_tasks) {
		p->trouble.unfollowed++;
		return NULL;
	}
	t = tid_table_add(&p->tasks, tid, sizeof *t);
	t->row.tid = tid;
	t->class = TASKTIME_UNKNOWN;
	t->cpu = -1;
	t->dormant = true;
	return t;
}

void
tasktime_watch(struct tasktime_partition *p, int32_t tid, int32_t pid)
{
	struct tasktime_task *t = tid > 0 && !tid_table_get(&p->tasks, tid) ? add_task(p, tid) : NULL;

	if (t)
		t->row.pid = pid;
}

/* --- events ------------------------------------------------------------------------------------------------------ */

/* Handles an event that only a running task can cause: if the task was not running, it runs from now on. */
static void
must_run(struct tasktime_partition *p, struct tasktime_task *t, const struct tasktime_event *e, uint64_t ns)
{
	if (tasktime_task_runs(t))
		return;
	if (t->class == TASKTIME_UNKNOWN)
		tasktime_task_account(t, ns, TASKTIME_UNKNOWN);
	else
		tasktime_contradict(p, t, ns);
	tasktime_task_enter(t, t->in_fault ? TASKTIME_FAULT_CPU : TASKTIME_ON_CPU, e->cpu);
}

static void
partition_take_in(struct tasktime_partition *p, struct tasktime_task *t, const struct tasktime_event *e, uint64_t ns)
{
	if (tasktime_task_runs(t))
		tasktime_contradict(p, t, ns);
	else if (t->class != TASKTIME_UNKNOWN && !tasktime_task_waits(t))
		t->row.unwoken++;
	tasktime_task_account(t, ns, t->class);
	tasktime_task_enter(t, t->in_fault ? TASKTIME_FAULT_CPU : TASKTIME_ON_CPU, e->cpu);
	t->row.in++;
}

static void
partition_take_out(struct tasktime_partition *p, struct tasktime_task *t, const struct tasktime_event *e, uint64_t ns)
{
	must_run(p, t, e, ns);
	tasktime_task_account(t, ns, t->class);
	if (t->exiting || (!e->preempted && e->state == TASKTIME_DEAD)) {
		tasktime_end_task(p, t, ns);
		return;
	}
	tasktime_task_enter(t, e->preempted ? TASKTIME_PREEMPTED : tasktime_class_asleep(e, t->in_fault), -1);
}

static void
take_fault(struct tasktime_partition *p, struct tasktime_task *t, const struct tasktime_event *e, uint64_t ns)
{
	must_run(p, t, e, ns);
	if (t->in_fault)
		tasktime_task_fail_fault(t, ns);
	tasktime_task_account(t, ns, t->class);
	t->in_fault = true;
	t->fault_ns = 0;
	tasktime_task_enter(t, TASKTIME_FAULT_CPU, e->cpu);
}

static void
take_outcome(struct tasktime_partition *p, struct tasktime_task *t, const struct tasktime_event *e, uint64_t ns)
{
	if (!t->in_fault) {
		/* it may have begun before the first record */
		p->trouble.unpaired += e->kind != TASKTIME_FAILED && t->class != TASKTIME_UNKNOWN;
		if (e->kind == TASKTIME_FAILED)
			return; /* the signal came from elsewhere, not from a fault */
	}
	must_run(p, t, e, ns);
	if (e->kind == TASKTIME_FAILED) {
		tasktime_task_fail_fault(t, ns);
	} else {
		tasktime_task_account(t, ns, t->class);
		t->row.minor += e->kind == TASKTIME_MINOR;
		t->row.major += e->kind == TASKTIME_MAJOR;
	}
	t->in_fault = false;
	tasktime_task_enter(t, TASKTIME_ON_CPU, e->cpu);
}

static void
take_exit(struct tasktime_partition *p, struct tasktime_task *t, const struct tasktime_event *e, uint64_t ns)
{
	must_run(p, t, e, ns);
	if (t->in_fault) {
		tasktime_task_fail_fault(t, ns);
		tasktime_task_enter(t, TASKTIME_ON_CPU, e->cpu);
	}
	t->exiting = true;
	if (p->options.ends_at_exit)
		tasktime_end_task(p, t, ns);
}

/* When a thread executes a program, all other threads of its process are gone. Those that are ending already have an
 * event of their own for that. */
static void
end_siblings(struct tasktime_partition *p, int32_t tid, int32_t pid, uint64_t ns)
{
	for (size_t i = 0; i < p->tasks.cap;) {
		struct tasktime_task *t = p->tasks.slot[i].value;

		if (t && t->row.pid == pid && t->row.tid != tid && !t->exiting && !t->dormant) {
			tasktime_end_task(p, t, ns > t->since ? ns : t->since);
			i = 0; /* removal moves other entries: start again */
		} else {
			i++;
		}
	}
}

static void
take_found(struct tasktime_task *t, const struct tasktime_event *e, uint64_t ns, bool first)
{
	if (!*t->row.name)
		memcpy(t->row.name, e->name, sizeof t->row.name);
	if (!first)
		return; /* records are more reliable */
	tasktime_task_account(t, ns, TASKTIME_UNKNOWN);
	tasktime_task_enter(t, e->state == TASKTIME_RUNNABLE ? TASKTIME_UNKNOWN : tasktime_class_asleep(e, false), -1);
}

/* Take an event of a followed task; `first`: it has just begun to be followed. */
static void
take_task(
	struct tasktime_partition *p, struct tasktime_task *t, const struct tasktime_event *e, uint64_t ns, bool first)
{
	switch ((enum tasktime_kind)e->kind) {
	case TASKTIME_IN:
		partition_take_in(p, t, e, ns);
		return;
	case TASKTIME_OUT:
		partition_take_out(p, t, e, ns);
		return;
	case TASKTIME_WAKE:
		/* A wake-up of a task that runs, or already waits for a CPU, changes nothing. If the class is
		 * unknown, it says nothing either. */
		if (!tasktime_task_runs(t) && !tasktime_task_waits(t) && t->class != TASKTIME_UNKNOWN) {
			tasktime_task_account(t, ns, t->class);
			tasktime_task_enter(t, TASKTIME_WOKEN, -1);
		}
		return;
	case TASKTIME_FAULT:
		take_fault(p, t, e, ns);
		return;
	case TASKTIME_MINOR:
	case TASKTIME_MAJOR:
	case TASKTIME_FAILED:
		take_outcome(p, t, e, ns);
		return;
	case TASKTIME_EXIT:
		take_exit(p, t, e, ns);
		return;
	case TASKTIME_EXEC:
		must_run(p, t, e, ns);
		memcpy(t->row.name, e->name, sizeof t->row.name);
		return;
	case TASKTIME_NAME:
		memcpy(t->row.name, e->name, sizeof t->row.name);
		return;
	case TASKTIME_FOUND:
		take_found(t, e, ns, first);
		return;
	case TASKTIME_FORK:
	case TASKTIME_LOST:
	case TASKTIME_OFFLINE:
	case TASKTIME_KINDS:
		return;
	}
}

/* The event's time, but not before what is already accounted. */
static uint64_t
partition_time_of(struct tasktime_partition *p, struct tasktime_task *t, const struct tasktime_event *e)
{
	uint64_t least = t->dormant ? p->from : t->since;

	if (e->ns >= least)
		return e->ns;
	p->trouble.late++;
	t->row.doubtful = true;
	return least;
}

static void
take_fork(struct tasktime_partition *p, const struct tasktime_event *e)
{
	struct tasktime_task *parent = tid_table_get(&p->tasks, e->other), *child = tid_table_get(&p->tasks, e->tid);
	bool follow = false;
	uint64_t ns = e->ns > p->from ? e->ns : p->from;

	switch (p->options.follow) {
	case TASKTIME_FOLLOW_TREE:
		follow = parent && !(parent->dormant && p->options.from_exec);
		break;
	case TASKTIME_FOLLOW_PROCESS:
		follow = parent && !(parent->dormant && p->options.from_exec) && e->pid == parent->row.pid;
		break;
	case TASKTIME_FOLLOW_ALL:
		follow = true;
		break;
	}
	if (child && !child->dormant) {
		/* the number is reused, so the end of its former task was not reported */
		ns = partition_time_of(p, child, e);
		tasktime_contradict(p, child, ns);
		tasktime_end_task(p, child, ns);
		child = NULL;
	}
	if (!child && follow)
		child = add_task(p, e->tid);
	if (!child)
		return;
	partition_begin(child, e, ns, TASKTIME_WOKEN);
	child->row.born = true;
	child->row.entered[TASKTIME_WOKEN]++;
	if (parent)
		memcpy(child->row.name, parent->row.name, sizeof child->row.name);
}

/* A thread that executes a program takes the number of its process's first thread. Its records then seem to come
 * from another task, which was never switched in on this CPU. */
static void
take_over_number(struct tasktime_partition *p, const struct tasktime_event *e)
{
	struct tasktime_cpu *c = tasktime_cpu_of(p, e);
	bool other = c && c->current > 0 && c->current != e->tid;
	struct tasktime_task *t = other ? tid_table_get(&p->tasks, c->current) : NULL, *heir;
	struct tasktime_row before;
	uint64_t ns;

	if (!t || t->dormant || e->tid != e->pid || t->row.pid != e->pid || !tasktime_task_runs(t) ||
		t->cpu != e->cpu || tid_table_get(&p->tasks, e->tid))
		return;
	ns = partition_time_of(p, t, e);
	before = t->row;
	tasktime_end_task(p, t, ns);
	heir = add_task(p, e->tid);
	if (heir) {
		partition_begin(heir, e, ns, TASKTIME_ON_CPU);
		heir->cpu = e->cpu;
		memcpy(heir->row.name, before.name, sizeof before.name);
	}
	tasktime_cpu_account(p, c, ns);
	c->current = e->tid;
}

/* Records of a CPU were lost: the task that runs there now is unknown, and other tasks may have missed events. */
static void
take_lost(struct tasktime_partition *p, const struct tasktime_event *e)
{
	struct tasktime_cpu *c = tasktime_cpu_of(p, e);

	p->trouble.lost += e->n;
	for (size_t i = 0; i < p->tasks.cap; i++) {
		struct tasktime_task *t = p->tasks.slot[i].value;

		if (!t || t->dormant)
			continue;
		t->unsure = true;
		if (tasktime_task_runs(t) && t->cpu == e->cpu) {
			tasktime_task_account(t, partition_time_of(p, t, e), TASKTIME_UNKNOWN);
			t->in_fault = false;
			tasktime_task_enter(t, TASKTIME_UNKNOWN, -1);
		}
	}
	if (c) {
		if (c->since < e->ns) {
			c->row.unknown_ns += e->ns - c->since;
			c->since = e->ns;
		}
		c->current = TASKTIME_CPU_UNKNOWN;
	}
}

static struct tasktime_task *
partition_task_of(struct tasktime_partition *p, const struct tasktime_event *e)
{
	struct tasktime_task *t;

	if (tasktime_kind_is_of_runner((enum tasktime_kind)e->kind))
		take_over_number(p, e);
	t = tid_table_get(&p->tasks, e->tid);
	if (!t && p->options.follow == TASKTIME_FOLLOW_ALL && e->kind != TASKTIME_NAME && e->kind != TASKTIME_FOUND)
		t = add_task(p, e->tid);
	if (!t && e->kind == TASKTIME_EXEC) /* no CPU numbers to recognise it by */
		for (size_t i = 0; i < p->tasks.cap && !t; i++)
			if (tasktime_task_is_of(p->tasks.slot[i].value, e->pid))
				t = add_task(p, e->tid);
	return t;
}

void
tasktime_take(struct tasktime_partition *p, const struct tasktime_event *e)
{
	struct tasktime_task *t;
	uint64_t ns;
	bool first;

	if (e->ns > p->latest)
		p->latest = e->ns;
	if (e->kind == TASKTIME_LOST) {
		take_lost(p, e);
		return;
	}
	if (e->kind == TASKTIME_OFFLINE) {
		tasktime_cpu_offline(p, e);
		return;
	}
	t = e->tid > 0 && e->kind != TASKTIME_FORK ? partition_task_of(p, e) : NULL;
	if (e->kind == TASKTIME_IN || e->kind == TASKTIME_OUT) {
		tasktime_cpu_take(p, e);
		t = t ? tid_table_get(&p->tasks, e->tid) : NULL; /* it may have ended in tasktime_cpu_take() */
	} else if (tasktime_kind_is_of_runner((enum tasktime_kind)e->kind) && e->tid > 0) {
		tasktime_cpu_see(p, e);
	}
	if (e->tid <= 0)
		return;
	if (e->kind == TASKTIME_FORK) {
		take_fork(p, e);
		return;
	}
	if (!t || (t->dormant && (e->kind == TASKTIME_NAME || (p->options.from_exec && e->kind != TASKTIME_EXEC))))
		return;
	ns = partition_time_of(p, t, e);
	first = t->dormant;
	if (first)
		partition_begin(t, e, ns, TASKTIME_UNKNOWN);
	if (t->unsure && e->kind != TASKTIME_NAME && e->kind != TASKTIME_FOUND) {
		t->unsure = false;
		t->row.doubtful = true;
	}
	if (e->kind == TASKTIME_EXEC)
		end_siblings(p, e->tid, e->pid, ns);
	take_task(p, t, e, ns, first);
}

void
tasktime_close(struct tasktime_partition *p, uint64_t ns, struct tasktime_cpu_row *cpu)
{
	if (ns < p->latest)
		ns = p->latest;
	for (size_t i = 0; i < p->tasks.cap; i++) {
		struct tasktime_task *t = p->tasks.slot[i].value;

		if (!t || t->dormant)
			continue;
		tasktime_task_account(t, ns, t->class);
		report_row(p, t, ns);
		reset(t, ns);
	}
	for (size_t i = 0; i < p->n_cpus; i++) {
		struct tasktime_cpu *c = &p->cpu[i];

		tasktime_cpu_account(p, c, ns);
		c->row.to_ns = ns;
		if (cpu)
			cpu[i] = c->row;
		c->row = (struct tasktime_cpu_row){.cpu = c->row.cpu, .from_ns = ns, .offline = c->row.offline};
	}
	p->from = p->latest = ns;
}
