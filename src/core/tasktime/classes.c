/* Names of the classes, which of them are sleep, and sums of rows. */
#include "core/tasktime/partition.h"

#include <string.h>

static const char *const class_name[TASKTIME_CLASSES] = {
	[TASKTIME_ON_CPU] = "on-cpu",
	[TASKTIME_FAULT_CPU] = "fault-service",
	[TASKTIME_FAULT_IO] = "fault-io",
	[TASKTIME_BLOCK_IO] = "block-io",
	[TASKTIME_BLOCKED] = "blocked",
	[TASKTIME_FAULT_UNKNOWN] = "fault-blocked",
	[TASKTIME_BLOCKED_UNKNOWN] = "blocked-untold",
	[TASKTIME_FUTEX] = "futex",
	[TASKTIME_SLEEP] = "sleep",
	[TASKTIME_SLEEP_UNKNOWN] = "sleep-untold",
	[TASKTIME_ASLEEP] = "asleep",
	[TASKTIME_STOPPED] = "stopped",
	[TASKTIME_PREEMPTED] = "preempted",
	[TASKTIME_WOKEN] = "woken",
	[TASKTIME_UNKNOWN] = "unknown",
};

const char *
tasktime_class_name(enum tasktime_class c)
{
	return class_name[c];
}

void
tasktime_row_add(struct tasktime_row *sum, const struct tasktime_row *r)
{
	bool first = sum->to_ns == 0;

	if (first) {
		memcpy(sum->name, r->name, sizeof sum->name);
		sum->tid = r->tid;
		sum->pid = r->pid;
	}
	if (first || r->from_ns < sum->from_ns)
		sum->from_ns = r->from_ns;
	if (r->to_ns > sum->to_ns)
		sum->to_ns = r->to_ns;
	for (int c = 0; c < TASKTIME_CLASSES; c++) {
		sum->ns[c] += r->ns[c];
		sum->entered[c] += r->entered[c];
	}
	sum->in += r->in;
	sum->minor += r->minor;
	sum->major += r->major;
	sum->failed += r->failed;
	sum->failed_ns += r->failed_ns;
	sum->unwoken += r->unwoken;
	sum->broken += r->broken;
	sum->born |= r->born;
	sum->ended |= r->ended;
	sum->doubtful |= r->doubtful;
}

uint64_t
tasktime_row_elapsed(const struct tasktime_row *r)
{
	uint64_t sum = 0;

	for (int c = 0; c < TASKTIME_CLASSES; c++)
		sum += r->ns[c];
	return sum;
}

enum tasktime_class
tasktime_row_largest(const struct tasktime_row *r)
{
	enum tasktime_class largest = 0;

	for (int c = 1; c < TASKTIME_CLASSES; c++)
		if (r->ns[c] > r->ns[largest])
			largest = (enum tasktime_class)c;
	return largest;
}

bool
tasktime_class_sleeps(enum tasktime_class c)
{
	switch (c) {
	case TASKTIME_FAULT_IO:
	case TASKTIME_BLOCK_IO:
	case TASKTIME_BLOCKED:
	case TASKTIME_FAULT_UNKNOWN:
	case TASKTIME_BLOCKED_UNKNOWN:
	case TASKTIME_FUTEX:
	case TASKTIME_SLEEP:
	case TASKTIME_SLEEP_UNKNOWN:
	case TASKTIME_ASLEEP:
	case TASKTIME_STOPPED:
		return true;
	case TASKTIME_ON_CPU:
	case TASKTIME_FAULT_CPU:
	case TASKTIME_PREEMPTED:
	case TASKTIME_WOKEN:
	case TASKTIME_UNKNOWN:
	case TASKTIME_CLASSES:
		break;
	}
	return false;
}
