/* What is said of a run of tasks' time: what was not recorded, what was lost, and whether it is shown at all. */
#include "base/str.h"
#include "collect/host/fault_keep.h"
#include "work/run/run.h"
#include "work/run/tasktime_run.h"

#define DOUBTED_PART 10   /* bars are shown if at most one window in so many is doubted */
#define WAKEUPS_WORTH 100 /* sleeps for each missing wake-up; fewer are worth a line */

static void
add_variant(const struct tasktime_run_state *state, struct str *out)
{
	static const char *const words[] = {
		[TASKTIME_SOURCE_RECORDS] = "",
		[TASKTIME_SOURCE_SWITCHES] =
			("without privilege: the cause of a sleep is unknown, and the wait for a CPU after a wake-up "
			 "is known only as the scheduler's total"),
		[TASKTIME_SOURCE_COUNTERS] = "without records: only running, waiting for a CPU and asleep are known",
	};

	if (state->coverage.io)
		str_add(out,
			"less is known: without records: only running, waiting for a CPU, asleep, and I/O in ticks "
			"of 10 ms\n");
	else if (*words[state->variant])
		str_addf(out, "less is known: %s%s%s\n", words[state->variant], *state->note ? ": " : "", state->note);
	else if (*state->note)
		str_addf(out, "not recorded: %s\n", state->note);
}

/* Says where the row `exception` comes from, or why there is none. */
static void
add_fault_cost(const struct tasktime_run_state *state, struct str *out)
{
	if (!state->coverage.faults || state->variant != TASKTIME_SOURCE_RECORDS)
		return;
	if (state->fault.pages)
		fault_cost_write(&state->fault, out);
	else
		fault_cost_write_missing(!state->no_calibrate, out);
	str_addc(out, '\n');
}

bool
tasktime_run_shows(const struct tasktime_run_state *state)
{
	return state->believed ||
		(state->trouble.broken && !state->trouble.lost && !state->trouble.late &&
			state->doubted * DOUBTED_PART <= state->windows);
}

/* Adds a line for each loss and each doubt. */
static void
add_trouble(const struct tasktime_run_state *state, const struct tasktime_run_task *task, size_t n, struct str *out)
{
	uint64_t sleeps = 0;

	if (!state->believed)
		str_addf(out,
			"not to be believed: %s; in %zu of %zu windows the scheduler's run and wait stand instead of "
			"classes; larger rings (--ring) may help\n",
			state->why, state->doubted, state->windows);
	for (size_t i = 0; i < n; i++)
		sleeps += task[i].row.unwoken;
	if (state->figures.missing_wakeups > WAKEUPS_WORTH)
		str_addf(out,
			"wake-ups missing: the kernel counted %llu more than it recorded; the wait for a CPU after "
			"%llu sleeps is taken from the scheduler's totals\n",
			(unsigned long long)state->figures.missing_wakeups, (unsigned long long)sleeps);
	if (state->figures.toggles)
		str_addf(out,
			"busy: above 50 000 switches a second on a CPU call chains and wake-ups are not recorded "
			"(turned off or on %llu times): the causes of sleeps are unknown then\n",
			(unsigned long long)state->figures.toggles);
	if (state->figures.offline || state->figures.new_cpus)
		str_addf(out, "processors: %zu went offline, %zu came and were not recorded\n", state->figures.offline,
			state->figures.new_cpus);
	if (state->trouble.unfollowed)
		str_addf(out, "not followed: %llu tasks, since too many lived at a time\n",
			(unsigned long long)state->trouble.unfollowed);
}

/* Nothing when all is well. `others`: the task that stands for the others; TASKTIME_RUN_NONE. */
void
tasktime_remarks_add(const struct tasktime_run_state *state, const struct tasktime_run_task *task, size_t n,
	size_t others, struct str *out)
{
	add_variant(state, out);
	add_fault_cost(state, out);
	add_trouble(state, task, n, out);
	if (state->steal_ns)
		str_addf(out,
			"steal: the host took %.0f ms from all CPUs together; what it took from a task is inside taken "
			"and on_the_way\n",
			(double)state->steal_ns / 1e6);
	if (others != TASKTIME_RUN_NONE)
		str_addf(out, "others: %zu tasks beyond the first %zu have one observation together\n",
			task[others].n_tasks, state->tasks_max);
	if (state->quiet)
		str_addf(out, "quiet: %zu tasks did not run, and are not shown\n", state->quiet);
	if (state->missed)
		str_addf(out,
			"late: %zu of %zu ticks were missed, and are part of the windows after them; a longer "
			"interval (-I) helps\n",
			state->missed, state->missed + state->windows);
	if (state->ending == RUN_END_FULL)
		str_addf(out, "ended early: %zu cells are all that is kept; a longer interval (-I) lasts longer\n",
			state->cells);
}
