/* The time of CPUs, beside that of tasks: who runs where. */
#include "core/tasktime/partition_state.h"

void
tasktime_cpu_account(const struct tasktime_partition *p, struct tasktime_cpu *c, uint64_t ns)
{
	uint64_t d;

	if (ns <= c->since)
		return;
	d = ns - c->since;
	c->since = ns;
	if (c->current == NOBODY_KNOWS)
		c->row.unknown_ns += d;
	else if (c->current == SWITCHING)
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

/* Whoever was thought to be on this CPU had left it, and that was not told. */
static void
evict(struct tasktime_partition *p, struct tasktime_cpu *c, const struct tasktime_event *e)
{
	struct tasktime_task *t =
		c->current > 0 && c->current != e->tid ? tid_table_get(&p->tasks, c->current) : NULL;

	c->current = NOBODY_KNOWS;
	if (!t || t->dormant || !tasktime_task_runs(t) || t->cpu != e->cpu)
		return;
	tasktime_contradict(p, t, e->ns > t->since ? e->ns : t->since);
	if (t->exiting)
		tasktime_end_task(p, t, t->since);
	else
		tasktime_task_enter(t, TASKTIME_UNKNOWN, -1);
}

/* On some kernels the idle task's own switches are not recorded, now and then: whoever goes tells that it comes, and
 * whoever comes that it went. */
void
tasktime_cpu_take(struct tasktime_partition *p, const struct tasktime_event *e)
{
	struct tasktime_cpu *c = tasktime_cpu_of(p, e);
	bool in = e->kind == TASKTIME_IN;
	int32_t who = e->tid < 0 ? NAMELESS : e->tid;

	if (!c)
		return;
	c->row.offline = false;
	if (c->current != NOBODY_KNOWS && c->current != (in ? SWITCHING : who) && !(in && c->current == 0))
		evict(p, c, e);
	tasktime_cpu_account(p, c, e->ns);
	c->current = in ? who : e->to_idle ? 0 : SWITCHING;
	c->row.switches += in;
}

/* A task that has just done what only a running one does is on this CPU, whatever was thought before. */
void
tasktime_cpu_see(struct tasktime_partition *p, const struct tasktime_event *e)
{
	struct tasktime_cpu *c = tasktime_cpu_of(p, e);

	if (!c || c->current == e->tid)
		return;
	if (c->current != NOBODY_KNOWS)
		evict(p, c, e);
	tasktime_cpu_account(p, c, e->ns);
	c->current = e->tid;
}
