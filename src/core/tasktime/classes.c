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
tasktime_row_add(struct tasktime_row *sum, const struct tasktime_row *row)
{
	bool first = sum->to_ns == 0;

	if (first) {
		memcpy(sum->name, row->name, sizeof sum->name);
		sum->tid = row->tid;
		sum->pid = row->pid;
	}
	if (first || row->from_ns < sum->from_ns)
		sum->from_ns = row->from_ns;
	if (row->to_ns > sum->to_ns)
		sum->to_ns = row->to_ns;
	for (int c = 0; c < TASKTIME_CLASSES; c++) {
		sum->ns[c] += row->ns[c];
		sum->entered[c] += row->entered[c];
	}
	sum->in += row->in;
	sum->minor += row->minor;
	sum->major += row->major;
	sum->failed += row->failed;
	sum->failed_ns += row->failed_ns;
	sum->unwoken += row->unwoken;
	sum->broken += row->broken;
	sum->born |= row->born;
	sum->executed |= row->executed;
	sum->ended |= row->ended;
	sum->doubtful |= row->doubtful;
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
