/* Names of the classes, which of them are sleep, and sums of rows. */
#include "core/tasktime/partition.h"

#include <string.h>

static const struct {
	const char *name, *text;
} class_words[TASKTIME_CLASSES] = {
	[TASKTIME_ON_CPU] = {"on-cpu", "running, without the service of page faults"},
	[TASKTIME_FAULT_CPU] = {"fault-service", "running, in the service of a page fault"},
	[TASKTIME_FAULT_IO] = {"fault-io", "blocked for I/O inside a page fault"},
	[TASKTIME_BLOCK_IO] = {"block-io", "blocked for I/O outside page faults"},
	[TASKTIME_BLOCKED] = {"blocked", "in uninterruptible sleep, not for I/O"},
	[TASKTIME_FAULT_UNKNOWN] = {"fault-blocked",
		"in uninterruptible sleep inside a page fault, cause not recorded"},
	[TASKTIME_BLOCKED_UNKNOWN] = {"blocked-untold", "in uninterruptible sleep, cause not recorded"},
	[TASKTIME_FUTEX] = {"futex", "waiting at a futex: a lock, a condition, a thread's end"},
	[TASKTIME_SLEEP] = {"sleep", "in interruptible sleep, not at a futex"},
	[TASKTIME_SLEEP_UNKNOWN] = {"sleep-untold", "in interruptible sleep, cause not recorded"},
	[TASKTIME_ASLEEP] = {"asleep", "asleep, neither state nor cause recorded"},
	[TASKTIME_STOPPED] = {"stopped", "stopped by job control or a debugger"},
	[TASKTIME_PREEMPTED] = {"preempted", "able to run, put off its CPU"},
	[TASKTIME_WOKEN] = {"woken", "able to run, waiting for a CPU since it was woken or born"},
	[TASKTIME_UNKNOWN] = {"unknown", "no record says, or records contradict each other"},
};

const char *
tasktime_class_name(enum tasktime_class c)
{
	return class_words[c].name;
}

const char *
tasktime_class_text(enum tasktime_class c)
{
	return class_words[c].text;
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
