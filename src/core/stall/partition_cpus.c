/* The time of CPUs, beside that of tasks: who runs where. */
#include "core/stall/partition_state.h"

void
stall_cpu_account(const struct stall_partition *p, struct stall_cpu *c, uint64_t ns)
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
	else if (stall_is_followed(p, c->current))
		c->row.followed_ns += d;
	else
		c->row.others_ns += d;
}

struct stall_cpu *
stall_cpu_of(struct stall_partition *p, const struct stall_event *e)
{
	return e->cpu < p->n_cpus ? &p->cpu[e->cpu] : NULL;
}

/* Whoever was thought to be on this CPU had left it, and that was not told. */
static void
evict(struct stall_partition *p, struct stall_cpu *c, const struct stall_event *e)
{
	struct stall_task *t = c->current > 0 && c->current != e->tid ? stall_tasks_get(&p->tasks, c->current) : NULL;

	c->current = NOBODY_KNOWS;
	if (!t || t->dormant || !stall_task_runs(t) || t->cpu != e->cpu)
		return;
	stall_contradict(p, t, e->ns > t->since ? e->ns : t->since);
	if (t->exiting)
		stall_end_task(p, t, t->since);
	else
		stall_task_enter(t, STALL_UNKNOWN, -1);
}

/* On some kernels the idle task's own switches are not recorded, now and then: whoever goes tells that it comes, and
 * whoever comes that it went. */
void
stall_cpu_take(struct stall_partition *p, const struct stall_event *e)
{
	struct stall_cpu *c = stall_cpu_of(p, e);
	bool in = e->kind == STALL_IN;
	int32_t who = e->tid < 0 ? NAMELESS : e->tid;

	if (!c)
		return;
	c->row.offline = false;
	if (c->current != NOBODY_KNOWS && c->current != (in ? SWITCHING : who) && !(in && c->current == 0))
		evict(p, c, e);
	stall_cpu_account(p, c, e->ns);
	c->current = in ? who : e->to_idle ? 0 : SWITCHING;
	c->row.switches += in;
}

/* A task that has just done what only a running one does is on this CPU, whatever was thought before. */
void
stall_cpu_see(struct stall_partition *p, const struct stall_event *e)
{
	struct stall_cpu *c = stall_cpu_of(p, e);

	if (!c || c->current == e->tid)
		return;
	if (c->current != NOBODY_KNOWS)
		evict(p, c, e);
	stall_cpu_account(p, c, e->ns);
	c->current = e->tid;
}
