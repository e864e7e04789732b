/* The time of CPUs, next to that of tasks: which task runs where. */
#include "core/tasktime/partition_state.h"

void
tasktime_cpu_account(const struct tasktime_partition *partition, struct tasktime_cpu *cpu, uint64_t ns)
{
	uint64_t d;

	if (ns <= cpu->since)
		return;
	d = ns - cpu->since;
	cpu->since = ns;
	if (cpu->current == TASKTIME_CPU_UNKNOWN)
		cpu->row.unknown_ns += d;
	else if (cpu->current == TASKTIME_CPU_SWITCHING)
		cpu->row.switching_ns += d;
	else if (cpu->current == 0)
		cpu->row.idle_ns += d;
	else if (tasktime_is_followed(partition, cpu->current))
		cpu->row.followed_ns += d;
	else
		cpu->row.others_ns += d;
}

struct tasktime_cpu *
tasktime_cpu_of(struct tasktime_partition *p, const struct tasktime_event *e)
{
	return e->cpu < p->n_cpus ? &p->cpu[e->cpu] : NULL;
}

/* The task that was believed to be on this CPU has left it without a record. */
static void
evict(struct tasktime_partition *partition, struct tasktime_cpu *cpu, const struct tasktime_event *event)
{
	struct tasktime_task *task = cpu->current > 0 && cpu->current != event->tid
		? tid_table_get(&partition->tasks, cpu->current)
		: NULL;

	cpu->current = TASKTIME_CPU_UNKNOWN;
	if (!task || task->dormant || !tasktime_task_runs(task) || task->cpu != event->cpu)
		return;
	tasktime_contradict(partition, task, event->ns > task->since ? event->ns : task->since);
	if (task->exiting)
		tasktime_end_task(partition, task, task->since);
	else
		tasktime_task_enter(task, TASKTIME_UNKNOWN, -1);
}

/* Take TASKTIME_IN or TASKTIME_OUT. Some kernels now and then do not record the idle task's own switches. So a
 * task's OUT says whether the idle task comes next, and the next task's IN ends the idle time. */
void
tasktime_cpu_take(struct tasktime_partition *partition, const struct tasktime_event *event)
{
	struct tasktime_cpu *cpu = tasktime_cpu_of(partition, event);
	bool in = event->kind == TASKTIME_IN;
	int32_t who = event->tid < 0 ? TASKTIME_CPU_NAMELESS : event->tid;

	if (!cpu)
		return;
	cpu->row.offline = false;
	if (cpu->current != TASKTIME_CPU_UNKNOWN && cpu->current != (in ? TASKTIME_CPU_SWITCHING : who) &&
		!(in && cpu->current == 0))
		evict(partition, cpu, event);
	tasktime_cpu_account(partition, cpu, event->ns);
	cpu->current = in ? who : event->to_idle ? 0 : TASKTIME_CPU_SWITCHING;
	cpu->row.switches += in;
}

/* A task did what only a running one does, so it is on this CPU, whatever was believed before. */
void
tasktime_cpu_see(struct tasktime_partition *p, const struct tasktime_event *e)
{
	struct tasktime_cpu *c = tasktime_cpu_of(p, e);

	if (!c || c->current == e->tid)
		return;
	if (c->current != TASKTIME_CPU_UNKNOWN)
		evict(p, c, e);
	tasktime_cpu_account(p, c, e->ns);
	c->current = e->tid;
}

void
tasktime_cpu_offline(struct tasktime_partition *p, const struct tasktime_event *e)
{
	struct tasktime_cpu *c = tasktime_cpu_of(p, e);

	if (!c)
		return;
	tasktime_cpu_account(p, c, e->ns);
	c->current = TASKTIME_CPU_UNKNOWN;
	c->row.offline = true;
}
