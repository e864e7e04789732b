/* Changes one task as an event requires. */
#include "core/tasktime/partition_state.h"

bool
tasktime_task_runs(const struct tasktime_task *t)
{
	return t->class == TASKTIME_ON_CPU || t->class == TASKTIME_FAULT_CPU;
}

bool
tasktime_task_waits(const struct tasktime_task *t)
{
	return t->class == TASKTIME_PREEMPTED || t->class == TASKTIME_WOKEN;
}

void
tasktime_task_account(struct tasktime_task *t, uint64_t ns, enum tasktime_class c)
{
	uint64_t d = ns - t->since;

	t->row.ns[c] += d;
	if (t->in_fault && (c == TASKTIME_FAULT_CPU || c == TASKTIME_FAULT_IO || c == TASKTIME_FAULT_UNKNOWN))
		t->fault_ns += d;
	t->since = ns;
}

void
tasktime_task_enter(struct tasktime_task *t, enum tasktime_class c, int cpu)
{
	if (!tasktime_task_runs(t) || (c != TASKTIME_ON_CPU && c != TASKTIME_FAULT_CPU))
		t->turn_since = t->since;
	t->class = c;
	t->cpu = cpu;
	t->row.entered[c]++;
}

void
tasktime_task_fail_fault(struct tasktime_task *t, uint64_t ns)
{
	tasktime_task_account(t, ns, t->class);
	t->row.failed++;
	t->row.failed_ns += t->fault_ns;
	t->in_fault = false;
	t->fault_ns = 0;
}

enum tasktime_class
tasktime_class_asleep(const struct tasktime_event *event, bool in_fault)
{
	switch ((enum tasktime_state)event->state) {
	case TASKTIME_INTERRUPTIBLE:
		switch ((enum tasktime_cause)event->cause) {
		case TASKTIME_CAUSE_UNKNOWN:
			return TASKTIME_SLEEP_UNKNOWN;
		case TASKTIME_CAUSE_FUTEX:
			return TASKTIME_FUTEX;
		case TASKTIME_CAUSE_IO:
		case TASKTIME_CAUSE_OTHER:
			return TASKTIME_SLEEP;
		}
		break;
	case TASKTIME_UNINTERRUPTIBLE:
		switch ((enum tasktime_cause)event->cause) {
		case TASKTIME_CAUSE_UNKNOWN:
			return in_fault ? TASKTIME_FAULT_UNKNOWN : TASKTIME_BLOCKED_UNKNOWN;
		case TASKTIME_CAUSE_IO:
			return in_fault ? TASKTIME_FAULT_IO : TASKTIME_BLOCK_IO;
		case TASKTIME_CAUSE_FUTEX:
		case TASKTIME_CAUSE_OTHER:
			return TASKTIME_BLOCKED;
		}
		break;
	case TASKTIME_HALTED:
		return TASKTIME_STOPPED;
	case TASKTIME_RUNNABLE:
		return TASKTIME_PREEMPTED;
	case TASKTIME_STATE_UNKNOWN:
		return TASKTIME_ASLEEP;
	case TASKTIME_DEAD:
		break;
	}
	return TASKTIME_UNKNOWN;
}

bool
tasktime_kind_is_of_runner(enum tasktime_kind k)
{
	return k == TASKTIME_OUT || k == TASKTIME_FAULT || k == TASKTIME_MINOR || k == TASKTIME_MAJOR ||
		k == TASKTIME_EXEC || k == TASKTIME_EXIT;
}

bool
tasktime_task_is_of(const struct tasktime_task *t, int32_t pid)
{
	return t && t->row.pid == pid && !t->dormant;
}
