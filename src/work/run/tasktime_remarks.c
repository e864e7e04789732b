#include "work/run/tasktime_remarks.h"

#include "base/str.h"
#include "work/run/tasktime_run.h"

#define WAKEUPS_WORTH 100 /* sleeps for each missing wake-up; fewer are worth a line */

static void
add_variant(const struct tasktime_run_state *s, struct str *out)
{
	static const char *const words[] = {
		[TASKTIME_SOURCE_RECORDS] = "",
		[TASKTIME_SOURCE_SWITCHES] =
			("without privilege: the cause of a sleep is unknown, and the wait for a CPU after a wake-up "
			 "is known only by the scheduler's books"),
		[TASKTIME_SOURCE_COUNTERS] =
			"without records: only running, waiting for a CPU and asleep are known",
	};

	if (s->coverage.io)
		str_add(out,
			"less is known: without records: only running, waiting for a CPU, asleep, and I/O in ticks "
			"of 10 ms\n");
	else if (*words[s->variant])
		str_addf(out, "less is known: %s%s%s\n", words[s->variant], *s->note ? ": " : "", s->note);
	else if (*s->note)
		str_addf(out, "not recorded: %s\n", s->note);
}

/* Adds a line for each loss and each doubt. */
static void
add_trouble(const struct tasktime_run_state *s, const struct tasktime_run_task *task, size_t n, struct str *out)
{
	uint64_t sleeps = 0;

	if (!s->believed)
		str_addf(out,
			"not to be believed: %s; in %zu of %zu windows the scheduler's run and wait stand instead of "
			"classes; larger rings (--ring) may help\n",
			s->why, s->doubted, s->windows);
	for (size_t i = 0; i < n; i++)
		sleeps += task[i].row.unwoken;
	if (s->figures.missing_wakeups > WAKEUPS_WORTH)
		str_addf(out,
			"wake-ups missing: the kernel counted %llu more than it recorded; the wait for a CPU after "
			"%llu sleeps is taken from the scheduler's books\n",
			(unsigned long long)s->figures.missing_wakeups, (unsigned long long)sleeps);
	if (s->figures.toggles)
		str_addf(out,
			"busy: above 50 000 switches a second on a CPU call chains and wake-ups are not recorded "
			"(turned off or on %llu times): the causes of sleeps are unknown then\n",
			(unsigned long long)s->figures.toggles);
	if (s->figures.offline || s->figures.new_cpus)
		str_addf(out, "processors: %zu went offline, %zu came and were not recorded\n", s->figures.offline,
			s->figures.new_cpus);
	if (s->trouble.unfollowed)
		str_addf(out, "not followed: %llu tasks, since too many lived at a time\n",
			(unsigned long long)s->trouble.unfollowed);
}

void
tasktime_remarks_add(const struct tasktime_run_state *s, const struct tasktime_run_task *task, size_t n, size_t others,
	struct str *out)
{
	add_variant(s, out);
	add_trouble(s, task, n, out);
	if (s->steal_ns)
		str_addf(out,
			"steal: the host took %.0f ms from all CPUs together, of no task in particular; it is inside "
			"the time on a CPU\n",
			(double)s->steal_ns / 1e6);
	if (others != TASKTIME_RUN_NONE)
		str_addf(out, "others: %zu tasks beyond the first %zu have one observation together\n",
			task[others].n_tasks, s->tasks_max);
	if (s->quiet)
		str_addf(out, "quiet: %zu tasks did not run, and are not shown\n", s->quiet);
	if (s->missed)
		str_addf(out,
			"late: %zu of %zu ticks were missed, and are part of the windows after them; a longer "
			"interval (-I) helps\n",
			s->missed, s->missed + s->windows);
	if (s->ending == RUN_END_FULL)
		str_addf(out, "ended early: %zu cells are all that is kept; a longer interval (-I) lasts longer\n",
			s->cells);
}
