#include "core/stall/partition.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stall/partition_state.h"

#define MOST_TASKS 65536

struct stall_partition *
stall_partition_new(const struct stall_options *o, size_t n_cpus, uint64_t start_ns)
{
	struct stall_partition *p = mem_new(sizeof *p);

	p->options = *o;
	if (p->options.max_tasks == 0)
		p->options.max_tasks = MOST_TASKS;
	p->cpu = mem_new_array(n_cpus, sizeof *p->cpu);
	p->n_cpus = n_cpus;
	p->from = p->latest = start_ns;
	for (size_t i = 0; i < n_cpus; i++)
		p->cpu[i] = (struct stall_cpu){
			.row = {.cpu = (unsigned)i, .from_ns = start_ns}, .since = start_ns, .current = NOBODY_KNOWS};
	return p;
}

void
stall_partition_free(struct stall_partition *p)
{
	if (!p)
		return;
	stall_tasks_free(&p->tasks);
	free(p->cpu);
	free(p);
}

size_t
stall_alive(const struct stall_partition *p)
{
	return p->tasks.n;
}

const struct stall_trouble *
stall_trouble(const struct stall_partition *p)
{
	return &p->trouble;
}

bool
stall_is_followed(const struct stall_partition *p, int32_t tid)
{
	const struct stall_task *t = stall_tasks_get(&p->tasks, tid);

	return t && !t->dormant;
}

/* --- one task ---------------------------------------------------------------------------------------------------- */

/* Its records contradict each other: since the last one it was in an unknown class. */
void
stall_contradict(struct stall_partition *p, struct stall_task *t, uint64_t ns)
{
	stall_task_account(t, ns, STALL_UNKNOWN);
	t->in_fault = false;
	t->row.broken++;
	t->row.doubtful = true;
	p->trouble.broken++;
}

static void
reset(struct stall_task *t, uint64_t ns)
{
	struct stall_row fresh = {.tid = t->row.tid, .pid = t->row.pid, .from_ns = ns};

	memcpy(fresh.name, t->row.name, sizeof fresh.name);
	t->row = fresh;
}

static void
tell(struct stall_partition *p, struct stall_task *t, uint64_t ns)
{
	t->row.to_ns = ns;
	t->row.doubtful |= t->unsure;
	if (p->options.row)
		p->options.row(p->options.to, &t->row);
}

void
stall_end_task(struct stall_partition *p, struct stall_task *t, uint64_t ns)
{
	if (!t->dormant) {
		stall_task_account(t, ns, t->class);
		t->row.ended = true;
		tell(p, t, ns);
	}
	stall_tasks_remove(&p->tasks, t->row.tid);
}

static void
begin(struct stall_task *t, const struct stall_event *e, uint64_t ns, enum stall_class c)
{
	t->dormant = false;
	t->row.pid = e->pid;
	t->row.from_ns = t->since = ns;
	t->class = c;
	t->cpu = -1;
}

static struct stall_task *
add_task(struct stall_partition *p, int32_t tid)
{
	struct stall_task *t;

	if (p->tasks.n >= p->options.max_tasks) {
		p->trouble.unfollowed++;
		return NULL;
	}
	t = stall_tasks_add(&p->tasks, tid);
	t->class = STALL_UNKNOWN;
	t->cpu = -1;
	t->dormant = true;
	return t;
}

void
stall_watch(struct stall_partition *p, int32_t tid, int32_t pid)
{
	struct stall_task *t = tid > 0 && !stall_tasks_get(&p->tasks, tid) ? add_task(p, tid) : NULL;

	if (t)
		t->row.pid = pid;
}

/* --- events ------------------------------------------------------------------------------------------------------ */

/* What only a running task does was done. */
static void
must_run(struct stall_partition *p, struct stall_task *t, const struct stall_event *e, uint64_t ns)
{
	if (stall_task_runs(t))
		return;
	if (t->class == STALL_UNKNOWN)
		stall_task_account(t, ns, STALL_UNKNOWN);
	else
		stall_contradict(p, t, ns);
	stall_task_enter(t, t->in_fault ? STALL_FAULT_CPU : STALL_ON_CPU, e->cpu);
}

static void
take_in(struct stall_partition *p, struct stall_task *t, const struct stall_event *e, uint64_t ns)
{
	if (stall_task_runs(t))
		stall_contradict(p, t, ns);
	else if (t->class != STALL_UNKNOWN && !stall_task_waits(t))
		t->row.unwoken++;
	stall_task_account(t, ns, t->class);
	stall_task_enter(t, t->in_fault ? STALL_FAULT_CPU : STALL_ON_CPU, e->cpu);
	t->row.in++;
}

static void
take_out(struct stall_partition *p, struct stall_task *t, const struct stall_event *e, uint64_t ns)
{
	must_run(p, t, e, ns);
	stall_task_account(t, ns, t->class);
	if (t->exiting || (!e->preempted && e->state == STALL_DEAD)) {
		stall_end_task(p, t, ns);
		return;
	}
	stall_task_enter(t, e->preempted ? STALL_PREEMPTED : stall_class_asleep(e, t->in_fault), -1);
}

static void
take_fault(struct stall_partition *p, struct stall_task *t, const struct stall_event *e, uint64_t ns)
{
	must_run(p, t, e, ns);
	if (t->in_fault)
		stall_task_fail_fault(t, ns);
	stall_task_account(t, ns, t->class);
	t->in_fault = true;
	t->fault_ns = 0;
	stall_task_enter(t, STALL_FAULT_CPU, e->cpu);
}

static void
take_outcome(struct stall_partition *p, struct stall_task *t, const struct stall_event *e, uint64_t ns)
{
	if (!t->in_fault) {
		/* it may have begun before all records */
		p->trouble.unpaired += e->kind != STALL_FAILED && t->class != STALL_UNKNOWN;
		if (e->kind == STALL_FAILED)
			return; /* a signal that came from elsewhere */
	}
	must_run(p, t, e, ns);
	if (e->kind == STALL_FAILED) {
		stall_task_fail_fault(t, ns);
	} else {
		stall_task_account(t, ns, t->class);
		t->row.minor += e->kind == STALL_MINOR;
		t->row.major += e->kind == STALL_MAJOR;
	}
	t->in_fault = false;
	stall_task_enter(t, STALL_ON_CPU, e->cpu);
}

static void
take_exit(struct stall_partition *p, struct stall_task *t, const struct stall_event *e, uint64_t ns)
{
	must_run(p, t, e, ns);
	if (t->in_fault) {
		stall_task_fail_fault(t, ns);
		stall_task_enter(t, STALL_ON_CPU, e->cpu);
	}
	t->exiting = true;
	if (p->options.ends_at_exit)
		stall_end_task(p, t, ns);
}

/* All other threads of a process are gone when one of them executes a program; those that end by themselves tell so. */
static void
end_siblings(struct stall_partition *p, int32_t tid, int32_t pid, uint64_t ns)
{
	for (size_t i = 0; i < p->tasks.cap;) {
		struct stall_task *t = p->tasks.slot[i];

		if (t && t->row.pid == pid && t->row.tid != tid && !t->exiting && !t->dormant) {
			stall_end_task(p, t, ns > t->since ? ns : t->since);
			i = 0; /* removal moves others */
		} else {
			i++;
		}
	}
}

static void
take_found(struct stall_task *t, const struct stall_event *e, uint64_t ns, bool first)
{
	if (!*t->row.name)
		memcpy(t->row.name, e->name, sizeof t->row.name);
	if (!first)
		return; /* records know better */
	stall_task_account(t, ns, STALL_UNKNOWN);
	stall_task_enter(t, e->state == STALL_RUNNABLE ? STALL_UNKNOWN : stall_class_asleep(e, false), -1);
}

/* The events of a task that is followed; `first`: it has just begun. */
static void
take_task(struct stall_partition *p, struct stall_task *t, const struct stall_event *e, uint64_t ns, bool first)
{
	switch ((enum stall_kind)e->kind) {
	case STALL_IN:
		take_in(p, t, e, ns);
		return;
	case STALL_OUT:
		take_out(p, t, e, ns);
		return;
	case STALL_WAKE:
		/* One that runs, or waits for a CPU already, is woken for nothing. Of one in an unknown class a wake-up
		 * tells nothing. */
		if (!stall_task_runs(t) && !stall_task_waits(t) && t->class != STALL_UNKNOWN) {
			stall_task_account(t, ns, t->class);
			stall_task_enter(t, STALL_WOKEN, -1);
		}
		return;
	case STALL_FAULT:
		take_fault(p, t, e, ns);
		return;
	case STALL_MINOR:
	case STALL_MAJOR:
	case STALL_FAILED:
		take_outcome(p, t, e, ns);
		return;
	case STALL_EXIT:
		take_exit(p, t, e, ns);
		return;
	case STALL_EXEC:
		must_run(p, t, e, ns);
		memcpy(t->row.name, e->name, sizeof t->row.name);
		return;
	case STALL_NAME:
		memcpy(t->row.name, e->name, sizeof t->row.name);
		return;
	case STALL_FOUND:
		take_found(t, e, ns, first);
		return;
	case STALL_FORK:
	case STALL_LOST:
	case STALL_OFFLINE:
	case STALL_KINDS:
		return;
	}
}

/* Not before what was accounted already. */
static uint64_t
time_of(struct stall_partition *p, struct stall_task *t, const struct stall_event *e)
{
	uint64_t least = t->dormant ? p->from : t->since;

	if (e->ns >= least)
		return e->ns;
	p->trouble.late++;
	t->row.doubtful = true;
	return least;
}

static void
take_fork(struct stall_partition *p, const struct stall_event *e)
{
	struct stall_task *parent = stall_tasks_get(&p->tasks, e->other), *child = stall_tasks_get(&p->tasks, e->tid);
	bool follow = false;
	uint64_t ns = e->ns > p->from ? e->ns : p->from;

	switch (p->options.follow) {
	case STALL_FOLLOW_TREE:
		follow = parent && !(parent->dormant && p->options.from_exec);
		break;
	case STALL_FOLLOW_PROCESS:
		follow = parent && !(parent->dormant && p->options.from_exec) && e->pid == parent->row.pid;
		break;
	case STALL_FOLLOW_ALL:
		follow = true;
		break;
	}
	if (child && !child->dormant) {
		/* The number is used again, so that its end was not told. */
		ns = time_of(p, child, e);
		stall_contradict(p, child, ns);
		stall_end_task(p, child, ns);
		child = NULL;
	}
	if (!child && follow)
		child = add_task(p, e->tid);
	if (!child)
		return;
	begin(child, e, ns, STALL_WOKEN);
	child->row.born = true;
	child->row.entered[STALL_WOKEN]++;
	if (parent)
		memcpy(child->row.name, parent->row.name, sizeof child->row.name);
}

/* Who executes a program without being the first of its process takes that one's number. On its CPU it then seems to be
 * another, who never came. */
static void
take_over_number(struct stall_partition *p, const struct stall_event *e)
{
	struct stall_cpu *c = stall_cpu_of(p, e);
	struct stall_task *t = c && c->current > 0 && c->current != e->tid ? stall_tasks_get(&p->tasks, c->current)
									   : NULL,
			  *heir;
	struct stall_row before;
	uint64_t ns;

	if (!t || t->dormant || e->tid != e->pid || t->row.pid != e->pid || !stall_task_runs(t) || t->cpu != e->cpu ||
		stall_tasks_get(&p->tasks, e->tid))
		return;
	ns = time_of(p, t, e);
	before = t->row;
	stall_end_task(p, t, ns);
	heir = add_task(p, e->tid);
	if (heir) {
		begin(heir, e, ns, STALL_ON_CPU);
		heir->cpu = e->cpu;
		memcpy(heir->row.name, before.name, sizeof before.name);
	}
	stall_cpu_account(p, c, ns);
	c->current = e->tid;
}

static bool
is_of_runner(enum stall_kind k)
{
	return k == STALL_OUT || k == STALL_FAULT || k == STALL_MINOR || k == STALL_MAJOR || k == STALL_EXEC ||
		k == STALL_EXIT;
}

/* Records of a CPU are missing: nobody knows who runs there now, nor what the others have done. */
static void
take_lost(struct stall_partition *p, const struct stall_event *e)
{
	struct stall_cpu *c = stall_cpu_of(p, e);

	p->trouble.lost += e->n;
	for (size_t i = 0; i < p->tasks.cap; i++) {
		struct stall_task *t = p->tasks.slot[i];

		if (!t || t->dormant)
			continue;
		t->unsure = true;
		if (stall_task_runs(t) && t->cpu == e->cpu) {
			stall_task_account(t, time_of(p, t, e), STALL_UNKNOWN);
			t->in_fault = false;
			stall_task_enter(t, STALL_UNKNOWN, -1);
		}
	}
	if (c) {
		if (c->since < e->ns) {
			c->row.unknown_ns += e->ns - c->since;
			c->since = e->ns;
		}
		c->current = NOBODY_KNOWS;
	}
}

static void
take_offline(struct stall_partition *p, const struct stall_event *e)
{
	struct stall_cpu *c = stall_cpu_of(p, e);

	if (!c)
		return;
	stall_cpu_account(p, c, e->ns);
	c->current = NOBODY_KNOWS;
	c->row.offline = true;
}

static struct stall_task *
whose(struct stall_partition *p, const struct stall_event *e)
{
	struct stall_task *t;

	if (is_of_runner((enum stall_kind)e->kind))
		take_over_number(p, e);
	t = stall_tasks_get(&p->tasks, e->tid);
	if (!t && p->options.follow == STALL_FOLLOW_ALL && e->kind != STALL_NAME && e->kind != STALL_FOUND)
		t = add_task(p, e->tid);
	if (!t && e->kind == STALL_EXEC) /* … without CPUs to see it on */
		for (size_t i = 0; i < p->tasks.cap && !t; i++)
			if (p->tasks.slot[i] && p->tasks.slot[i]->row.pid == e->pid && !p->tasks.slot[i]->dormant)
				t = add_task(p, e->tid);
	return t;
}

void
stall_take(struct stall_partition *p, const struct stall_event *e)
{
	struct stall_task *t;
	uint64_t ns;
	bool first;

	if (e->ns > p->latest)
		p->latest = e->ns;
	if (e->kind == STALL_LOST) {
		take_lost(p, e);
		return;
	}
	if (e->kind == STALL_OFFLINE) {
		take_offline(p, e);
		return;
	}
	t = e->tid > 0 && e->kind != STALL_FORK ? whose(p, e) : NULL;
	if (e->kind == STALL_IN || e->kind == STALL_OUT) {
		stall_cpu_take(p, e);
		t = t ? stall_tasks_get(&p->tasks, e->tid) : NULL; /* it may have ended there */
	} else if (is_of_runner((enum stall_kind)e->kind) && e->tid > 0) {
		stall_cpu_see(p, e);
	}
	if (e->tid <= 0)
		return;
	if (e->kind == STALL_FORK) {
		take_fork(p, e);
		return;
	}
	if (!t || (t->dormant && (e->kind == STALL_NAME || (p->options.from_exec && e->kind != STALL_EXEC))))
		return;
	ns = time_of(p, t, e);
	first = t->dormant;
	if (first)
		begin(t, e, ns, STALL_UNKNOWN);
	if (t->unsure && e->kind != STALL_NAME && e->kind != STALL_FOUND) {
		t->unsure = false;
		t->row.doubtful = true;
	}
	if (e->kind == STALL_EXEC)
		end_siblings(p, e->tid, e->pid, ns);
	take_task(p, t, e, ns, first);
}

void
stall_close(struct stall_partition *p, uint64_t ns, struct stall_cpu_row *cpu)
{
	if (ns < p->latest)
		ns = p->latest;
	for (size_t i = 0; i < p->tasks.cap; i++) {
		struct stall_task *t = p->tasks.slot[i];

		if (!t || t->dormant)
			continue;
		stall_task_account(t, ns, t->class);
		tell(p, t, ns);
		reset(t, ns);
	}
	for (size_t i = 0; i < p->n_cpus; i++) {
		struct stall_cpu *c = &p->cpu[i];

		stall_cpu_account(p, c, ns);
		c->row.to_ns = ns;
		if (cpu)
			cpu[i] = c->row;
		c->row = (struct stall_cpu_row){.cpu = c->row.cpu, .from_ns = ns, .offline = c->row.offline};
	}
	p->from = p->latest = ns;
}
