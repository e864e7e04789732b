#include "work/run/stall_counters.h"

#include "base/err.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/tasktime/amounts.h"
#include "work/run/run.h"
#include "work/run/tasktime_run.h"

int
stall_counters_amount(const struct network *net, size_t counter)
{
	struct event_sum events = counter_events(&net->counter[counter]);

	return events.n == 1 ? tasktime_amount_find(events.event[0].name) : -1;
}

bool
stall_counters_need_faults(const struct network *net)
{
	for (size_t i = 0; i < net->n_counters; i++) {
		const struct tasktime_coverage no_faults = {.classes = true, .states = true, .causes = true,
			.wakeups = true, .exceptions = true, .books = true};
		int amount = stall_counters_amount(net, i);

		if (amount >= 0 && (amount == TASKTIME_BLOCK_IO || !tasktime_covers(&no_faults, amount)))
			return true;
	}
	return false;
}

static struct tasktime_run *
tasks_beside(const struct run *counters)
{
	struct tasktime_run *found = NULL;
	struct run *run;

	for (size_t i = 0; !found && (run = run_beside(counters, i)) != NULL; i++)
		found = run_as_tasktime(run);
	return found;
}

bool
stall_counters_beside(const struct run *counters)
{
	return tasks_beside(counters) != NULL;
}

bool
stall_counters_read(const struct run *counters, int amount, bool settle, int64_t *ns)
{
	struct tasktime_run *tasks = tasks_beside(counters);

	return tasks && tasktime_run_amount(tasks, amount, settle, ns);
}

void
stall_counters_explain(const struct run *counters, bool filled, struct str *out)
{
	struct tasktime_run *tasks = tasks_beside(counters);
	const struct err *refusal = tasks ? runs_refusal(counters->runs, tasktime_as_run(tasks)) : NULL;
	struct tasktime_run_state state;

	if (tasks)
		tasktime_run_state(tasks, &state);
	if (tasks && filled && !refusal) {
		str_addf(out, "waits for I/O: of the tasks, by records%s",
			state.figures.toggles
				? "; not all: above 50 000 switches a second on a CPU the causes of waits are "
				  "not recorded"
				: "");
		return;
	}
	str_add(out, "waits for I/O: the pressure of the whole machine, because the tasks' time is not recorded: ");
	if (refusal) {
		str_add(out, refusal->what);
	} else if (tasks) {
		str_add(out, state.believed ? state.note : state.why);
	} else {
		str_add(out, "only a single run without flows and specification is recorded");
	}
}
