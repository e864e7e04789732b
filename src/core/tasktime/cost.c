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

static uint64_t
waits_of(const struct tasktime_costed *c)
{
	return c->ns[TASKTIME_WOKEN] + c->ns[TASKTIME_PREEMPTED];
}

/* Moves at most `most` ns out of the first class, then out of the second. Returns what was moved. */
static uint64_t
move_from_both(struct tasktime_costed *c, enum tasktime_class first, enum tasktime_class second, uint64_t most,
	uint64_t *to)
{
	uint64_t n = move(c, first, most, to);

	return n + move(c, second, most - n, to);
}

static uint64_t
lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Adds to TASKTIME_WOKEN what the scheduler's wait has beyond the records'. */
static void
find_wait(struct tasktime_costed *out, const struct tasktime_row *row, uint64_t wait_ns)
{
	uint64_t lacking = wait_ns > waits_of(out) ? wait_ns - waits_of(out) : 0, left = lacking, taken;

	if (row->unwoken)
		left = move_from_sleeps(out, row, left, &out->ns[TASKTIME_WOKEN]);
	taken = lesser(left, out->taken_ns);
	out->taken_ns -= taken;
	out->ns[TASKTIME_WOKEN] += taken;
	left -= taken;
	if (row->ended)
		left = move_from_sleeps(out, row, left, &out->ns[TASKTIME_WOKEN]);
	out->unwoken_ns = lacking - left;
	out->unwaited_ns = left;
}

void
tasktime_cost(const struct tasktime_row *row, uint64_t run_ns, uint64_t wait_ns, struct tasktime_costed *out)
{
	uint64_t run = row->ns[TASKTIME_ON_CPU] + row->ns[TASKTIME_FAULT_CPU], left, early;

	*out = (struct tasktime_costed){0};
	memcpy(out->ns, row->ns, sizeof out->ns);
	move_from_both(out, TASKTIME_ON_CPU, TASKTIME_FAULT_CPU, run > run_ns ? run - run_ns : 0, &out->taken_ns);
	left = run_ns > run ? run_ns - run : 0;
	early = waits_of(out) > wait_ns ? waits_of(out) - wait_ns : 0;
	left -= move_from_both(out, TASKTIME_WOKEN, TASKTIME_PREEMPTED, lesser(early, left), &out->cost_ns);
	move_from_both(out, TASKTIME_WOKEN, TASKTIME_PREEMPTED, early - out->cost_ns, &out->way_ns);
	out->unplaced_ns = move_from_sleeps(out, row, left, &out->cost_ns);
	find_wait(out, row, wait_ns);
}

uint64_t
tasktime_lag(const struct tasktime_row *row, int64_t run_ns, int64_t wait_ns, uint64_t tick_ns)
{
	int64_t lacking = (int64_t)(row->ns[TASKTIME_ON_CPU] + row->ns[TASKTIME_FAULT_CPU]) - run_ns,
		beyond = wait_ns - (int64_t)(row->ns[TASKTIME_WOKEN] + row->ns[TASKTIME_PREEMPTED]);

	for (int i = 0; i < TASKTIME_CLASSES && row->unwoken; i++) /* sleeps pay for it first */
		beyond -= tasktime_class_sleeps((enum tasktime_class)i) ? (int64_t)row->ns[i] : 0;
	lacking -= beyond > 0 ? beyond : 0;
	return lacking > 0 ? lesser((uint64_t)lacking, lesser(row->turn_ns, tick_ns)) : 0;
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
