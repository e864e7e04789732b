/* The time of CPUs, next to that of tasks: which task runs where. */
#include "core/tasktime/partition_state.h"

void
tasktime_cpu_account(const struct tasktime_partition *p, struct tasktime_cpu *c, uint64_t ns)
{
	uint64_t d;

	if (ns <= c->since)
		return;
	d = ns - c->since;
	c->since = ns;
	if (c->current == TASKTIME_CPU_UNKNOWN)
		c->row.unknown_ns += d;
	else if (c->current == TASKTIME_CPU_SWITCHING)
		c->row.switching_ns += d;
	else if (c->current == 0)
		c->row.idle_ns += d;
	else if (tasktime_is_followed(p, c->current))
		c->row.followed_ns += d;
	else
		c->row.others_ns += d;
}

struct tasktime_cpu *
tasktime_cpu_of(struct tasktime_partition *p, const struct tasktime_event *e)
{
	return e->cpu < p->n_cpus ? &p->cpu[e->cpu] : NULL;
}

/* The task that was believed to be on this CPU has left it without a record. */
static void
evict(struct tasktime_partition *p, struct tasktime_cpu *c, const struct tasktime_event *e)
{
	struct tasktime_task *t = c->current > 0 && c->current != e->tid ? tid_table_get(&p->tasks, c->current) : NULL;

	c->current = TASKTIME_CPU_UNKNOWN;
	if (!t || t->dormant || !tasktime_task_runs(t) || t->cpu != e->cpu)
		return;
	tasktime_contradict(p, t, e->ns > t->since ? e->ns : t->since);
	if (t->exiting)
		tasktime_end_task(p, t, t->since);
	else
		tasktime_task_enter(t, TASKTIME_UNKNOWN, -1);
}

/* Take TASKTIME_IN or TASKTIME_OUT. Some kernels now and then do not record the idle task's own switches. So a
 * task's OUT says whether the idle task comes next, and the next task's IN ends the idle time. */
void
tasktime_cpu_take(struct tasktime_partition *p, const struct tasktime_event *e)
{
	struct tasktime_cpu *c = tasktime_cpu_of(p, e);
	bool in = e->kind == TASKTIME_IN;
	int32_t who = e->tid < 0 ? TASKTIME_CPU_NAMELESS : e->tid;

	if (!c)
		return;
	c->row.offline = false;
	if (c->current != TASKTIME_CPU_UNKNOWN && c->current != (in ? TASKTIME_CPU_SWITCHING : who) &&
		!(in && c->current == 0))
		evict(p, c, e);
	tasktime_cpu_account(p, c, e->ns);
	c->current = in ? who : e->to_idle ? 0 : TASKTIME_CPU_SWITCHING;
	c->row.switches += in;
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
