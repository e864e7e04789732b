/* What happens to one task, whatever tells it. */
#include "core/stall/tasks.h"

bool
stall_task_runs(const struct stall_task *t)
{
	return t->class == STALL_ON_CPU || t->class == STALL_FAULT_CPU;
}

bool
stall_task_waits(const struct stall_task *t)
{
	return t->class == STALL_PREEMPTED || t->class == STALL_WOKEN;
}

void
stall_task_account(struct stall_task *t, uint64_t ns, enum stall_class c)
{
	uint64_t d = ns - t->since;

	t->row.ns[c] += d;
	if (t->in_fault && (c == STALL_FAULT_CPU || c == STALL_FAULT_IO || c == STALL_FAULT_UNTOLD))
		t->fault_ns += d;
	t->since = ns;
}

void
stall_task_enter(struct stall_task *t, enum stall_class c, int cpu)
{
	t->class = c;
	t->cpu = cpu;
	t->row.entered[c]++;
}

void
stall_task_fail_fault(struct stall_task *t, uint64_t ns)
{
	stall_task_account(t, ns, t->class);
	t->row.failed++;
	t->row.failed_ns += t->fault_ns;
	t->in_fault = false;
	t->fault_ns = 0;
}

enum stall_class
stall_class_asleep(const struct stall_event *e, bool in_fault)
{
	switch ((enum stall_state)e->state) {
	case STALL_INTERRUPTIBLE:
		switch ((enum stall_cause)e->cause) {
		case STALL_CAUSE_UNTOLD:
			return STALL_SLEEP_UNTOLD;
		case STALL_CAUSE_FUTEX:
			return STALL_FUTEX;
		case STALL_CAUSE_IO:
		case STALL_CAUSE_OTHER:
			return STALL_SLEEP;
		}
		break;
	case STALL_UNINTERRUPTIBLE:
		switch ((enum stall_cause)e->cause) {
		case STALL_CAUSE_UNTOLD:
			return in_fault ? STALL_FAULT_UNTOLD : STALL_BLOCKED_UNTOLD;
		case STALL_CAUSE_IO:
			return in_fault ? STALL_FAULT_IO : STALL_BLOCK_IO;
		case STALL_CAUSE_FUTEX:
		case STALL_CAUSE_OTHER:
			return STALL_BLOCKED;
		}
		break;
	case STALL_HALTED:
		return STALL_STOPPED;
	case STALL_RUNNABLE:
		return STALL_PREEMPTED;
	case STALL_STATE_UNTOLD:
		return STALL_ASLEEP;
	case STALL_DEAD:
		break;
	}
	return STALL_UNKNOWN;
}
