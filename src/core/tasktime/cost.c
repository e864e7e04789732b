/* Moves the cost of switches between classes. All amounts are whole nanoseconds, and what is taken out of one class is
 * added elsewhere, so the sum stays the elapsed time. */
#include "core/tasktime/cost.h"

#include <string.h>

#include "base/int128.h"

/* Move at most `most` ns out of a class. Returns what was moved. */
static uint64_t
move(struct tasktime_costed *c, enum tasktime_class from, uint64_t most, uint64_t *to)
{
	uint64_t n = c->ns[from] < most ? c->ns[from] : most;

	c->ns[from] -= n;
	*to += n;
	return n;
}

/* Move ns out of the sleeping classes, in proportion to how often each was entered. Returns the rest for which they had
 * no room. */
static uint64_t
move_from_sleeps(struct tasktime_costed *costed, const struct tasktime_row *row, uint64_t most, uint64_t *to)
{
	uint64_t entries = 0, left = most;

	for (int i = 0; i < TASKTIME_CLASSES; i++)
		entries += tasktime_class_sleeps((enum tasktime_class)i) ? row->entered[i] : 0;
	for (int i = 0; i < TASKTIME_CLASSES && entries; i++)
		if (tasktime_class_sleeps((enum tasktime_class)i))
			left -= move(
				costed, (enum tasktime_class)i, (uint64_t)((u128)most * row->entered[i] / entries), to);
	/* what is left: rounding, a class that was too small, or a sleep from the window before */
	for (int i = 0; i < TASKTIME_CLASSES && left; i++)
		if (tasktime_class_sleeps((enum tasktime_class)i))
			left -= move(costed, (enum tasktime_class)i, left, to);
	return left;
}

void
tasktime_cost(const struct tasktime_row *row, uint64_t run_ns, uint64_t wait_ns, struct tasktime_costed *out)
{
	uint64_t run = row->ns[TASKTIME_ON_CPU] + row->ns[TASKTIME_FAULT_CPU],
		 wait = row->ns[TASKTIME_WOKEN] + row->ns[TASKTIME_PREEMPTED], left, early;

	*out = (struct tasktime_costed){.excess_ns = run > run_ns ? run - run_ns : 0};
	memcpy(out->ns, row->ns, sizeof out->ns);
	left = run_ns > run ? run_ns - run : 0;
	early = wait > wait_ns ? wait - wait_ns : 0;
	early = early < left ? early : left;
	left -= early;
	early -= move(out, TASKTIME_WOKEN, early, &out->cost_ns);
	early -= move(out, TASKTIME_PREEMPTED, early, &out->cost_ns);
	left = move_from_sleeps(out, row, left + early, &out->cost_ns);
	left -= move(out, TASKTIME_WOKEN, left, &out->cost_ns);
	left -= move(out, TASKTIME_PREEMPTED, left, &out->cost_ns);
	out->unplaced_ns = left;
	wait = out->ns[TASKTIME_WOKEN] + out->ns[TASKTIME_PREEMPTED];
	if (row->unwoken && wait_ns > wait)
		out->unwoken_ns = wait_ns - wait - move_from_sleeps(out, row, wait_ns - wait, &out->ns[TASKTIME_WOKEN]);
}

void
tasktime_coarse(uint64_t elapsed_ns, uint64_t run_ns, uint64_t wait_ns, uint64_t io_ns, struct tasktime_coarse *out)
{
	uint64_t rest;

	*out = (struct tasktime_coarse){.torn = run_ns > elapsed_ns || wait_ns > elapsed_ns - run_ns};
	out->wait_ns = wait_ns < elapsed_ns ? wait_ns : elapsed_ns;
	out->run_ns = run_ns < elapsed_ns - out->wait_ns ? run_ns : elapsed_ns - out->wait_ns;
	rest = elapsed_ns - out->wait_ns - out->run_ns;
	if (io_ns != UINT64_MAX && io_ns > rest)
		out->io_rejected = true;
	else if (io_ns != UINT64_MAX)
		out->io_ns = io_ns;
	out->sleep_ns = rest - out->io_ns;
}
