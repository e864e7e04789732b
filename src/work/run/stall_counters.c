#include "work/run/stall_counters.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/obs/obs.h"
#include "core/tasktime/amounts.h"
#include "work/files/data.h"
#include "work/run/run.h"
#include "work/run/tasktime_run.h"

int
stall_counters_amount(const struct network *net, size_t counter)
{
	struct event_sum events = counter_events(&net->counter[counter]);

	return events.n == 1 ? tasktime_amount_find(events.event[0].name) : -1;
}

bool
stall_counters_wanted(const struct network *net)
{
	for (size_t i = 0; i < net->n_counters; i++)
		if (stall_counters_amount(net, i) >= 0)
			return true;
	return false;
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

/* The row of `o` whose time is nearest to this one. */
static size_t
nearest_row(const struct obs *o, double time)
{
	size_t best = 0;

	for (size_t i = 1; i < o->n_rows; i++)
		if (fabs(o->time[i] - time) < fabs(o->time[best] - time))
			best = i;
	return best;
}

static void
set_cell(struct obs *o, size_t row, size_t column, int64_t value)
{
	o->count[row * o->n_columns + column] = value;
	o->counted[row * o->n_columns + column] = OBS_COUNTED;
}

/* Fills a column of an observation with one amount. The windows of each task are summed into the nearest rows, so that
 * none is counted twice or left out. */
static void
fill_column(struct obs *o, size_t column, struct tasktime_run *run, int amount)
{
	const struct obs_table *windows = run_table(tasktime_as_run(run));
	int64_t *sum = mem_new_array(o->n_rows, sizeof *sum);
	size_t n;
	const struct tasktime_run_task *task = tasktime_run_tasks(run, &n);

	for (size_t i = 0; i < n; i++) {
		const struct obs *own = task[i].observation == TASKTIME_RUN_NONE ? NULL
			: windows->obs[task[i].observation];

		if (o->exact || !o->time || !own || !own->time)
			sum[o->n_rows - 1] += task[i].sum.ns[amount];
		for (size_t k = 0; !o->exact && o->time && own && own->time && k < own->n_rows; k++)
			sum[nearest_row(o, own->time[k])] += own->count[k * own->n_columns + (size_t)amount];
	}
	for (size_t i = 0; i < o->n_rows; i++)
		set_cell(o, i, column, sum[i]);
	o->health[column] = OBS_HONEST;
	free(sum);
}

struct obs_table *
stall_counters_add(
	const struct obs_table *counts, const struct network *net, struct tasktime_run *run, struct str *why)
{
	struct tasktime_run_state state;
	struct obs_table *table;

	tasktime_run_state(run, &state);
	if (!state.believed) {
		str_add(why, state.why);
		return NULL;
	}
	for (size_t i = 0; i < net->n_counters; i++) {
		int amount = stall_counters_amount(net, i);

		if (amount >= 0 && !tasktime_covers(&state.coverage, amount)) {
			str_add(why, state.note);
			return NULL;
		}
	}
	table = data_copy(counts);
	for (size_t i = 0; i < net->n_counters; i++) {
		int amount = stall_counters_amount(net, i);

		if (amount < 0)
			continue;
		obs_table_add_column(table, net->counter[i].name);
		for (size_t k = 0; k < table->n; k++)
			if (table->obs[k]->n_rows)
				fill_column(table->obs[k], table->n_columns - 1, run, amount);
	}
	return table;
}
