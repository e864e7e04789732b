/* Takes events of tasks in time order (partition.h has the state machine). Each take_…() function first accounts the
 * time since the task's last event to its class, then changes the class. */
#include "core/tasktime/partition.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/tasktime/partition_state.h"

#define MOST_TASKS 65536

struct tasktime_partition *
tasktime_partition_new(const struct tasktime_options *options, size_t n_cpus, uint64_t start_ns)
{
	struct tasktime_partition *partition = mem_new(sizeof *partition);

	partition->options = *options;
	if (partition->options.max_tasks == 0)
		partition->options.max_tasks = MOST_TASKS;
	partition->cpu = mem_new_array(n_cpus, sizeof *partition->cpu);
	partition->n_cpus = n_cpus;
	partition->from = partition->latest = start_ns;
	for (size_t i = 0; i < n_cpus; i++)
		partition->cpu[i] = (struct tasktime_cpu){
			.row = {.cpu = (unsigned)i, .from_ns = start_ns}, .since = start_ns,
			.current = TASKTIME_CPU_UNKNOWN};
	return partition;
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

void
tasktime_each_active(const struct tasktime_partition *p, void (*each)(void *to, int32_t tid, int32_t pid), void *to)
{
	for (size_t i = 0; i < p->tasks.cap; i++) {
		const struct tasktime_task *t = p->tasks.slot[i].value;

		if (t && !t->dormant && (t->row.in || tasktime_task_runs(t) || tasktime_task_waits(t)))
			each(to, t->row.tid, t->row.pid);
	}
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
	struct tasktime_row fresh = {.tid = t->row.tid, .pid = t->row.pid, .from_ns = ns, .kernel = t->row.kernel};

	memcpy(fresh.name, t->row.name, sizeof fresh.name);
	t->row = fresh;
}

static void
report_row(struct tasktime_partition *p, struct tasktime_task *t, uint64_t ns)
{
	t->row.to_ns = ns;
	t->row.pending_ns = tasktime_task_waits(t) ? ns - t->turn_since : 0;
	t->row.turn_ns = tasktime_task_runs(t) ? ns - t->turn_since : 0;
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
add_task(struct tasktime_partition *partition, int32_t tid)
{
	struct tasktime_task *task;

	if (partition->tasks.n >= partition->options.max_tasks) {
		partition->trouble.unfollowed++;
		return NULL;
	}
	task = tid_table_add(&partition->tasks, tid, sizeof *task);
	task->row.tid = tid;
	task->class = TASKTIME_UNKNOWN;
	task->cpu = -1;
	task->dormant = true;
	return task;
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
take_outcome(struct tasktime_partition *partition, struct tasktime_task *task, const struct tasktime_event *event,
	uint64_t ns)
{
	if (!task->in_fault) {
		/* it may have begun before the first record */
		partition->trouble.unpaired += event->kind != TASKTIME_FAILED && task->class != TASKTIME_UNKNOWN;
		if (event->kind == TASKTIME_FAILED)
			return; /* the signal came from elsewhere, not from a fault */
	}
	must_run(partition, task, event, ns);
	if (event->kind == TASKTIME_FAILED) {
		tasktime_task_fail_fault(task, ns);
	} else {
		tasktime_task_account(task, ns, task->class);
		task->row.minor += event->kind == TASKTIME_MINOR;
		task->row.major += event->kind == TASKTIME_MAJOR;
	}
	task->in_fault = false;
	tasktime_task_enter(task, TASKTIME_ON_CPU, event->cpu);
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
end_siblings(struct tasktime_partition *partition, int32_t tid, int32_t pid, uint64_t ns)
{
	for (size_t i = 0; i < partition->tasks.cap;) {
		struct tasktime_task *task = partition->tasks.slot[i].value;

		if (task && task->row.pid == pid && task->row.tid != tid && !task->exiting && !task->dormant) {
			tasktime_end_task(partition, task, ns > task->since ? ns : task->since);
			i = 0; /* removal moves other entries: start again */
		} else {
			i++;
		}
	}
}

static void
take_found(struct tasktime_task *t, const struct tasktime_event *e, uint64_t ns, bool first)
{
	t->row.kernel = e->kernel;
	if (!*t->row.name)
		memcpy(t->row.name, e->name, sizeof t->row.name);
	if (!first)
		return; /* records are more reliable */
	tasktime_task_account(t, ns, TASKTIME_UNKNOWN);
	tasktime_task_enter(t, e->state == TASKTIME_RUNNABLE ? TASKTIME_UNKNOWN : tasktime_class_asleep(e, false), -1);
}

/* Takes an event of a task whose time has not begun: the scheduler's accounts have that time, too. TASKTIME_FOUND says
 * that they were read: what was before it is not in them, except for a wait that was not over. */
static void
take_before(struct tasktime_task *t, const struct tasktime_event *e)
{
	uint64_t d = t->since && e->ns > t->since ? e->ns - t->since : 0;

	if (e->kind == TASKTIME_FOUND) {
		t->row.before_run_ns = t->row.before_wait_ns = 0;
		t->row.before_unsure = false;
		if (t->class == TASKTIME_UNKNOWN && e->state != TASKTIME_RUNNABLE)
			t->class = TASKTIME_ASLEEP;
		t->since = tasktime_task_waits(t) ? t->since : e->ns;
		return;
	}
	t->row.before_unsure |= e->kind == TASKTIME_IN && !tasktime_task_waits(t);
	t->row.before_run_ns += tasktime_task_runs(t) ? d : 0;
	t->row.before_wait_ns += tasktime_task_waits(t) ? d : 0;
	t->since = e->ns;
	if (e->kind == TASKTIME_OUT)
		t->class = e->preempted ? TASKTIME_PREEMPTED : TASKTIME_ASLEEP;
	else if (e->kind == TASKTIME_IN || tasktime_kind_is_of_runner((enum tasktime_kind)e->kind))
		t->class = TASKTIME_ON_CPU;
	else if (e->kind == TASKTIME_WAKE && !tasktime_task_runs(t) && !tasktime_task_waits(t))
		t->class = TASKTIME_WOKEN;
}

/* Take an event of a followed task; `first`: it has just begun to be followed. */
static void
take_task(struct tasktime_partition *partition, struct tasktime_task *task, const struct tasktime_event *event,
	uint64_t ns, bool first)
{
	switch ((enum tasktime_kind)event->kind) {
	case TASKTIME_IN:
		partition_take_in(partition, task, event, ns);
		return;
	case TASKTIME_OUT:
		partition_take_out(partition, task, event, ns);
		return;
	case TASKTIME_WAKE:
		/* A wake-up of a task that runs, or already waits for a CPU, changes nothing. If the class is
		 * unknown, it says nothing either. */
		if (!tasktime_task_runs(task) && !tasktime_task_waits(task) && task->class != TASKTIME_UNKNOWN) {
			tasktime_task_account(task, ns, task->class);
			tasktime_task_enter(task, TASKTIME_WOKEN, -1);
		}
		return;
	case TASKTIME_FAULT:
		take_fault(partition, task, event, ns);
		return;
	case TASKTIME_MINOR:
	case TASKTIME_MAJOR:
	case TASKTIME_FAILED:
		take_outcome(partition, task, event, ns);
		return;
	case TASKTIME_EXIT:
		take_exit(partition, task, event, ns);
		return;
	case TASKTIME_EXEC:
		must_run(partition, task, event, ns);
		task->row.kernel = false;
		task->row.executed = true;
		memcpy(task->row.name, event->name, sizeof task->row.name);
		return;
	case TASKTIME_NAME:
		memcpy(task->row.name, event->name, sizeof task->row.name);
		return;
	case TASKTIME_FOUND:
		take_found(task, event, ns, first);
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
take_fork(struct tasktime_partition *partition, const struct tasktime_event *event)
{
	struct tasktime_task *parent = tid_table_get(&partition->tasks, event->other),
			     *child = tid_table_get(&partition->tasks, event->tid);
	bool follow = false;
	uint64_t ns = event->ns > partition->from ? event->ns : partition->from;

	switch (partition->options.follow) {
	case TASKTIME_FOLLOW_TREE:
		follow = parent && !(parent->dormant && partition->options.from_exec);
		break;
	case TASKTIME_FOLLOW_PROCESS:
		follow = parent && !(parent->dormant && partition->options.from_exec) && event->pid == parent->row.pid;
		break;
	case TASKTIME_FOLLOW_ALL:
		follow = true;
		break;
	}
	if (child && !child->dormant) {
		/* the number is reused, so the end of its former task was not reported */
		ns = partition_time_of(partition, child, event);
		tasktime_contradict(partition, child, ns);
		tasktime_end_task(partition, child, ns);
		child = NULL;
	}
	if (!child && follow)
		child = add_task(partition, event->tid);
	if (!child)
		return;
	partition_begin(child, event, ns, TASKTIME_UNKNOWN);
	tasktime_task_enter(child, TASKTIME_WOKEN, -1);
	child->row.born = true;
	child->row.kernel = parent && parent->row.kernel;
	if (parent)
		memcpy(child->row.name, parent->row.name, sizeof child->row.name);
}

/* A thread that executes a program takes the number of its process's first thread. Its records then seem to come
 * from another task, which was never switched in on this CPU. */
static void
take_over_number(struct tasktime_partition *partition, const struct tasktime_event *event)
{
	struct tasktime_cpu *cpu = tasktime_cpu_of(partition, event);
	bool other = cpu && cpu->current > 0 && cpu->current != event->tid;
	struct tasktime_task *task = other ? tid_table_get(&partition->tasks, cpu->current) : NULL, *heir;
	struct tasktime_row before;
	uint64_t ns;

	if (!task || task->dormant || event->tid != event->pid || task->row.pid != event->pid ||
		!tasktime_task_runs(task) || task->cpu != event->cpu || tid_table_get(&partition->tasks, event->tid))
		return;
	ns = partition_time_of(partition, task, event);
	before = task->row;
	tasktime_end_task(partition, task, ns);
	heir = add_task(partition, event->tid);
	if (heir) {
		partition_begin(heir, event, ns, TASKTIME_ON_CPU);
		heir->cpu = event->cpu;
		memcpy(heir->row.name, before.name, sizeof before.name);
	}
	tasktime_cpu_account(partition, cpu, ns);
	cpu->current = event->tid;
}

/* Records of a CPU were lost: the task that runs there now is unknown, and other tasks may have missed events. */
static void
take_lost(struct tasktime_partition *partition, const struct tasktime_event *event)
{
	struct tasktime_cpu *cpu = tasktime_cpu_of(partition, event);

	partition->trouble.lost += event->n;
	for (size_t i = 0; i < partition->tasks.cap; i++) {
		struct tasktime_task *task = partition->tasks.slot[i].value;

		if (!task || task->dormant)
			continue;
		task->unsure = true;
		if (tasktime_task_runs(task) && task->cpu == event->cpu) {
			tasktime_task_account(task, partition_time_of(partition, task, event), TASKTIME_UNKNOWN);
			task->in_fault = false;
			tasktime_task_enter(task, TASKTIME_UNKNOWN, -1);
		}
	}
	if (cpu) {
		if (cpu->since < event->ns) {
			cpu->row.unknown_ns += event->ns - cpu->since;
			cpu->since = event->ns;
		}
		cpu->current = TASKTIME_CPU_UNKNOWN;
	}
}

static struct tasktime_task *
partition_task_of(struct tasktime_partition *partition, const struct tasktime_event *event)
{
	struct tasktime_task *task;

	if (tasktime_kind_is_of_runner((enum tasktime_kind)event->kind))
		take_over_number(partition, event);
	task = tid_table_get(&partition->tasks, event->tid);
	if (!task && partition->options.follow == TASKTIME_FOLLOW_ALL && event->kind != TASKTIME_NAME &&
		event->kind != TASKTIME_FOUND)
		task = add_task(partition, event->tid);
	if (!task && event->kind == TASKTIME_EXEC) /* no CPU numbers to recognise it by */
		for (size_t i = 0; i < partition->tasks.cap && !task; i++)
			if (tasktime_task_is_of(partition->tasks.slot[i].value, event->pid))
				task = add_task(partition, event->tid);
	return task;
}

void
tasktime_take(struct tasktime_partition *partition, const struct tasktime_event *event)
{
	struct tasktime_task *task;
	uint64_t ns;
	bool first;

	if (event->ns > partition->latest)
		partition->latest = event->ns;
	if (event->kind == TASKTIME_LOST) {
		take_lost(partition, event);
		return;
	}
	if (event->kind == TASKTIME_OFFLINE) {
		tasktime_cpu_offline(partition, event);
		return;
	}
	task = event->tid > 0 && event->kind != TASKTIME_FORK ? partition_task_of(partition, event) : NULL;
	if (event->kind == TASKTIME_IN || event->kind == TASKTIME_OUT) {
		tasktime_cpu_take(partition, event);
		task = task ? tid_table_get(&partition->tasks, event->tid)
			    : NULL; /* it may have ended in tasktime_cpu_take() */
	} else if (tasktime_kind_is_of_runner((enum tasktime_kind)event->kind) && event->tid > 0) {
		tasktime_cpu_see(partition, event);
	}
	if (event->tid <= 0)
		return;
	if (event->kind == TASKTIME_FORK) {
		take_fork(partition, event);
		return;
	}
	if (task && task->dormant && partition->options.from_exec)
		take_before(task, event);
	if (!task ||
		(task->dormant &&
			(event->kind == TASKTIME_NAME ||
				(partition->options.from_exec && event->kind != TASKTIME_EXEC))))
		return;
	ns = partition_time_of(partition, task, event);
	first = task->dormant;
	if (first)
		partition_begin(task, event, ns, TASKTIME_UNKNOWN);
	if (task->unsure && event->kind != TASKTIME_NAME && event->kind != TASKTIME_FOUND) {
		task->unsure = false;
		task->row.doubtful = true;
	}
	if (event->kind == TASKTIME_EXEC)
		end_siblings(partition, event->tid, event->pid, ns);
	take_task(partition, task, event, ns, first);
}

void
tasktime_close(struct tasktime_partition *partition, uint64_t ns, struct tasktime_cpu_row *cpu)
{
	if (ns < partition->latest)
		ns = partition->latest;
	for (size_t i = 0; i < partition->tasks.cap; i++) {
		struct tasktime_task *task = partition->tasks.slot[i].value;

		if (!task || task->dormant)
			continue;
		tasktime_task_account(task, ns, task->class);
		report_row(partition, task, ns);
		reset(task, ns);
	}
	for (size_t i = 0; i < partition->n_cpus; i++) {
		struct tasktime_cpu *tasktime_cpu = &partition->cpu[i];

		tasktime_cpu_account(partition, tasktime_cpu, ns);
		tasktime_cpu->row.to_ns = ns;
		if (cpu)
			cpu[i] = tasktime_cpu->row;
		tasktime_cpu->row = (struct tasktime_cpu_row){
			.cpu = tasktime_cpu->row.cpu, .from_ns = ns, .offline = tasktime_cpu->row.offline};
	}
	partition->from = partition->latest = ns;
}

void
tasktime_sum_open(const struct tasktime_partition *partition, struct tasktime_row *sum)
{
	for (size_t i = 0; i < partition->tasks.cap; i++) {
		const struct tasktime_task *task = partition->tasks.slot[i].value;
		struct tasktime_row row;

		if (!task || task->dormant || task->row.kernel)
			continue;
		row = task->row;
		row.to_ns = partition->latest > task->since ? partition->latest : task->since;
		row.ns[task->class] += row.to_ns - task->since;
		tasktime_row_add(sum, &row);
	}
}
