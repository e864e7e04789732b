#include "collect/perf/known_events.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "collect/events/ask_perf.h"
#include "collect/perf/world.h"
#include "event/table.h"

bool
events_load(const struct perf_world *world, const char *cpu, struct event_table *table, struct err *e)
{
	const char *given = cpu && *cpu ? cpu : secure_getenv("HECATE_CPUID");
	struct perf_question question = {.sysfs = world->sysfs, .cpu = given && *given ? given : ""};

	question.elsewhere = (cpu && *cpu) || !*world->core_pmu;
	snprintf(table->cpu, sizeof table->cpu, "%s", question.cpu);
	perf_ask(&question, table, e);
	event_table_sort(table);
	return table->n || table->n_metrics;
}
