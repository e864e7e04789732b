/* Names of amounts, and the classes that each amount is the sum of. */
#include "core/tasktime/amounts.h"

#include <string.h>

static const char *const sum_name[TASKTIME_AMOUNTS - TASKTIME_CLASSES] = {
	[TASKTIME_ELAPSED - TASKTIME_CLASSES] = "elapsed",
	[TASKTIME_RUN - TASKTIME_CLASSES] = "run",
	[TASKTIME_WAIT - TASKTIME_CLASSES] = "wait",
	[TASKTIME_OFF - TASKTIME_CLASSES] = "off",
	[TASKTIME_IO - TASKTIME_CLASSES] = "io",
	[TASKTIME_SWITCH_COST - TASKTIME_CLASSES] = "switch-cost",
	[TASKTIME_WAY - TASKTIME_CLASSES] = "on-the-way",
	[TASKTIME_TAKEN - TASKTIME_CLASSES] = "taken",
	[TASKTIME_EXCEPTION - TASKTIME_CLASSES] = "exception",
	[TASKTIME_SCHED_RUN - TASKTIME_CLASSES] = "sched-run",
	[TASKTIME_SCHED_WAIT - TASKTIME_CLASSES] = "sched-wait",
};

const char *
tasktime_amount_name(int amount)
{
	if (amount < TASKTIME_CLASSES)
		return tasktime_class_name((enum tasktime_class)amount);
	return sum_name[amount - TASKTIME_CLASSES];
}

int
tasktime_amount_find(const char *source)
{
	size_t n = strlen(TASKTIME_PREFIX);

	if (strncmp(source, TASKTIME_PREFIX, n) != 0)
		return -1;
	for (int i = 0; i < TASKTIME_AMOUNTS; i++)
		if (strcmp(source + n, tasktime_amount_name(i)) == 0)
			return i;
	return -1;
}

/* The sum that the class is part of: TASKTIME_RUN, TASKTIME_WAIT, TASKTIME_OFF, or TASKTIME_UNKNOWN itself. */
static int
sum_of_class(enum tasktime_class c)
{
	if (c == TASKTIME_ON_CPU || c == TASKTIME_FAULT_CPU)
		return TASKTIME_RUN;
	if (c == TASKTIME_PREEMPTED || c == TASKTIME_WOKEN)
		return TASKTIME_WAIT;
	return tasktime_class_sleeps(c) ? TASKTIME_OFF : TASKTIME_UNKNOWN;
}

static bool
covers_class(const struct tasktime_coverage *coverage, enum tasktime_class c)
{
	switch (c) {
	case TASKTIME_ON_CPU:
	case TASKTIME_PREEMPTED:
	case TASKTIME_ASLEEP:
		return coverage->classes;
	case TASKTIME_FAULT_CPU:
		return coverage->classes && coverage->faults;
	case TASKTIME_FAULT_IO:
		return coverage->classes && coverage->faults && coverage->causes;
	case TASKTIME_BLOCK_IO:
	case TASKTIME_BLOCKED:
	case TASKTIME_FUTEX:
	case TASKTIME_SLEEP:
		return coverage->classes && coverage->causes;
	case TASKTIME_FAULT_UNKNOWN:
		return coverage->classes && coverage->faults && coverage->states;
	case TASKTIME_BLOCKED_UNKNOWN:
	case TASKTIME_SLEEP_UNKNOWN:
	case TASKTIME_STOPPED:
		return coverage->classes && coverage->states;
	case TASKTIME_WOKEN:
		return coverage->classes && coverage->wakeups;
	case TASKTIME_UNKNOWN:
	case TASKTIME_CLASSES:
		break;
	}
	return true;
}

bool
tasktime_covers(const struct tasktime_coverage *coverage, int amount)
{
	if (amount < TASKTIME_CLASSES)
		return covers_class(coverage, (enum tasktime_class)amount);
	switch ((enum tasktime_amount)amount) {
	case TASKTIME_IO:
		return coverage->causes || coverage->io;
	case TASKTIME_SWITCH_COST:
	case TASKTIME_WAY:
	case TASKTIME_TAKEN:
		return coverage->classes && coverage->books;
	case TASKTIME_EXCEPTION:
		return coverage->classes && coverage->faults && coverage->exceptions;
	case TASKTIME_SCHED_RUN:
	case TASKTIME_SCHED_WAIT:
		return coverage->books;
	case TASKTIME_ELAPSED:
	case TASKTIME_RUN:
	case TASKTIME_WAIT:
	case TASKTIME_OFF:
	case TASKTIME_AMOUNTS:
		break;
	}
	return true;
}

void
tasktime_amounts_of_row(const struct tasktime_row *row, const struct tasktime_costed *costed, double exception_ns,
	struct tasktime_amounts *amounts)
{
	double exceptions = (double)(row->minor + row->major + row->failed) * exception_ns;

	*amounts = (struct tasktime_amounts){
		.ns[TASKTIME_SWITCH_COST] = costed ? (int64_t)costed->cost_ns : 0,
		.ns[TASKTIME_WAY] = costed ? (int64_t)costed->way_ns : 0,
		.ns[TASKTIME_TAKEN] = costed ? (int64_t)costed->taken_ns : 0,
	};
	for (int i = 0; i < TASKTIME_CLASSES; i++) {
		int sum = sum_of_class((enum tasktime_class)i);

		amounts->ns[i] = (int64_t)(costed ? costed->ns[i] : row->ns[i]);
		if (sum != TASKTIME_UNKNOWN)
			amounts->ns[sum] += amounts->ns[i];
	}
	amounts->ns[TASKTIME_RUN] += amounts->ns[TASKTIME_SWITCH_COST];
	amounts->ns[TASKTIME_EXCEPTION] = exceptions < (double)amounts->ns[TASKTIME_ON_CPU]
		? (int64_t)exceptions : amounts->ns[TASKTIME_ON_CPU];
	amounts->ns[TASKTIME_ON_CPU] -= amounts->ns[TASKTIME_EXCEPTION];
	amounts->ns[TASKTIME_IO] = amounts->ns[TASKTIME_FAULT_IO] + amounts->ns[TASKTIME_BLOCK_IO];
	amounts->ns[TASKTIME_ELAPSED] = amounts->ns[TASKTIME_RUN] + amounts->ns[TASKTIME_WAIT] +
		amounts->ns[TASKTIME_WAY] + amounts->ns[TASKTIME_TAKEN] + amounts->ns[TASKTIME_OFF] +
		amounts->ns[TASKTIME_UNKNOWN];
}

void
tasktime_amounts_coarse(uint64_t elapsed_ns, const struct tasktime_coarse *c, struct tasktime_amounts *a)
{
	*a = (struct tasktime_amounts){.ns[TASKTIME_ELAPSED] = (int64_t)elapsed_ns};
	if (!c) {
		a->ns[TASKTIME_UNKNOWN] = (int64_t)elapsed_ns;
		return;
	}
	a->ns[TASKTIME_RUN] = (int64_t)c->run_ns;
	a->ns[TASKTIME_WAIT] = (int64_t)c->wait_ns;
	a->ns[TASKTIME_OFF] = (int64_t)(c->io_ns + c->sleep_ns);
	a->ns[TASKTIME_IO] = (int64_t)c->io_ns;
}

void
tasktime_amounts_add(struct tasktime_amounts *sum, const struct tasktime_amounts *a)
{
	for (int i = 0; i < TASKTIME_AMOUNTS; i++)
		sum->ns[i] += a->ns[i];
}

bool
tasktime_amounts_hold(const struct tasktime_amounts *amounts)
{
	int64_t parts[TASKTIME_AMOUNTS] = {0};

	for (int i = 0; i < TASKTIME_CLASSES; i++)
		parts[sum_of_class((enum tasktime_class)i)] += amounts->ns[i];
	return amounts->ns[TASKTIME_RUN] + amounts->ns[TASKTIME_WAIT] + amounts->ns[TASKTIME_WAY] +
			amounts->ns[TASKTIME_TAKEN] + amounts->ns[TASKTIME_OFF] + amounts->ns[TASKTIME_UNKNOWN] ==
		amounts->ns[TASKTIME_ELAPSED] &&
		parts[TASKTIME_RUN] + amounts->ns[TASKTIME_SWITCH_COST] + amounts->ns[TASKTIME_EXCEPTION] <=
			amounts->ns[TASKTIME_RUN] &&
		parts[TASKTIME_WAIT] <= amounts->ns[TASKTIME_WAIT] &&
		parts[TASKTIME_OFF] <= amounts->ns[TASKTIME_OFF] &&
		amounts->ns[TASKTIME_FAULT_IO] + amounts->ns[TASKTIME_BLOCK_IO] <= amounts->ns[TASKTIME_IO] &&
		amounts->ns[TASKTIME_IO] <= amounts->ns[TASKTIME_OFF];
}
