/* Asking about the counters of a model, a network or stacks. */
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/perf/known_events.h"
#include "collect/perf/names.h"
#include "collect/perf/open.h"
#include "collect/perf/world.h"
#include "collect/proc/names.h"
#include "work/fit/fit.h"
#include "work/run/counter_list.h"

/* Is each event of a choice known here? */
static bool
choice_is_known(const struct event_sum *choice, const struct perf_world *world)
{
	for (size_t i = 0; i < choice->n; i++) {
		struct source_status status = {0};
		struct event_code code;

		if (!proc_name_is(choice->event[i].name) &&
			!event_by_name(choice->event[i].name, world, &code, &status))
			return false;
	}
	return choice->n > 0;
}

/* The choice that a run takes: the first one that is known, else the first. */
static const struct event_sum *
find_choice(const struct counter_list_item *counter, const struct perf_world *world)
{
	for (size_t i = 0; i < counter->n_choices && counter->n_choices > 1; i++)
		if (choice_is_known(&counter->choice[i], world))
			return &counter->choice[i];
	return &counter->choice[0];
}

char **
fit_counter_events(const struct counter_list *list, const bool *asked)
{
	struct known_events known = {0};
	struct perf_world world;
	char **name = NULL;
	size_t n = 0, cap = 0;

	perf_world_probe(&world);
	world.known = &known;
	for (size_t i = 0; i < list->n; i++) {
		const struct counter_list_item *counter = &list->counter[i];
		const struct event_sum *choice;

		if (!counter->n_choices || counter->why || (asked && !asked[i]))
			continue;
		choice = find_choice(counter, &world);
		for (size_t k = 0; k < choice->n && !choice->source; k++)
			if (!proc_name_is(choice->event[k].name)) {
				mem_grow(&name, &cap, n + 2, sizeof *name);
				name[n++] = mem_str(choice->event[k].name);
			}
	}
	if (!name)
		name = mem_new_array(1, sizeof *name);
	name[n] = NULL;
	known_events_free(&known);
	return name;
}

struct fit *
fit_of_counters(const struct counter_list *list, const bool *asked, struct err *e)
{
	char **name = fit_counter_events(list, asked);
	size_t n = 0;
	struct fit *fit;

	while (name[n])
		n++;
	fit = fit_new((const char *const *)name, n, NULL, false, e);
	str_split_free(name);
	return fit;
}
