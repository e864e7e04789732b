/* The classes' names, which of them are sleep, and sums of rows. */
#include "core/stall/partition.h"

#include <string.h>

static const struct {
	const char *name, *text;
} class_words[STALL_CLASSES] = {
	[STALL_ON_CPU] = {"on-cpu", "running, without the service of page faults"},
	[STALL_FAULT_CPU] = {"fault-service", "running, in the service of a page fault"},
	[STALL_FAULT_IO] = {"fault-io", "blocked for I/O inside a page fault"},
	[STALL_BLOCK_IO] = {"block-io", "blocked for I/O outside page faults"},
	[STALL_BLOCKED] = {"blocked", "in uninterruptible sleep, not for I/O"},
	[STALL_FAULT_UNTOLD] = {"fault-blocked", "in uninterruptible sleep inside a page fault, cause not recorded"},
	[STALL_BLOCKED_UNTOLD] = {"blocked-untold", "in uninterruptible sleep, cause not recorded"},
	[STALL_FUTEX] = {"futex", "waiting at a futex: a lock, a condition, a thread's end"},
	[STALL_SLEEP] = {"sleep", "in interruptible sleep, not at a futex"},
	[STALL_SLEEP_UNTOLD] = {"sleep-untold", "in interruptible sleep, cause not recorded"},
	[STALL_ASLEEP] = {"asleep", "asleep, neither state nor cause recorded"},
	[STALL_STOPPED] = {"stopped", "stopped by job control or a debugger"},
	[STALL_PREEMPTED] = {"preempted", "able to run, put off its CPU"},
	[STALL_WOKEN] = {"woken", "able to run, waiting for a CPU since it was woken or born"},
	[STALL_UNKNOWN] = {"unknown", "no record says, or records contradict each other"},
};

const char *
stall_class_name(enum stall_class c)
{
	return class_words[c].name;
}

const char *
stall_class_text(enum stall_class c)
{
	return class_words[c].text;
}

void
stall_row_add(struct stall_row *sum, const struct stall_row *r)
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
	for (int c = 0; c < STALL_CLASSES; c++) {
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
stall_row_elapsed(const struct stall_row *r)
{
	uint64_t sum = 0;

	for (int c = 0; c < STALL_CLASSES; c++)
		sum += r->ns[c];
	return sum;
}

enum stall_class
stall_row_largest(const struct stall_row *r)
{
	enum stall_class largest = 0;

	for (int c = 1; c < STALL_CLASSES; c++)
		if (r->ns[c] > r->ns[largest])
			largest = (enum stall_class)c;
	return largest;
}

bool
stall_class_sleeps(enum stall_class c)
{
	switch (c) {
	case STALL_FAULT_IO:
	case STALL_BLOCK_IO:
	case STALL_BLOCKED:
	case STALL_FAULT_UNTOLD:
	case STALL_BLOCKED_UNTOLD:
	case STALL_FUTEX:
	case STALL_SLEEP:
	case STALL_SLEEP_UNTOLD:
	case STALL_ASLEEP:
	case STALL_STOPPED:
		return true;
	case STALL_ON_CPU:
	case STALL_FAULT_CPU:
	case STALL_PREEMPTED:
	case STALL_WOKEN:
	case STALL_UNKNOWN:
	case STALL_CLASSES:
		break;
	}
	return false;
}
