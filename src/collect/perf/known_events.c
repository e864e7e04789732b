#include "collect/perf/known_events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "collect/events/ask_perf.h"
#include "collect/events/cpu_id.h"
#include "collect/events/folder.h"
#include "collect/events/sysfs_events.h"
#include "collect/perf/names.h"
#include "collect/perf/world.h"
#include "event/name.h"

/* The core PMU that a table's rows are of, where sysfs has none. */
static const char *
core_of_rows(const struct event_table *table)
{
	for (size_t i = 0; i < table->n; i++)
		if (*table->row[i].pmu && event_pmu_is_core(table->row[i].pmu))
			return table->row[i].pmu;
	return "cpu";
}

static bool
libpfm_is_forced(void)
{
	const char *forced = secure_getenv("LIBPFM_FORCE_PMU");

	return forced && *forced;
}

bool
events_libpfm_is_here(const struct perf_world *world)
{
	char own[CPU_ID_SIZE];

	return libpfm_is_forced() || (!cpu_id_find(world->sysfs, own) && str_eq(world->sysfs, "/sys"));
}

bool
events_load(const struct perf_world *world, const char *cpu, struct event_table *table, struct err *e)
{
	struct perf_question question = {.sysfs = world->sysfs, .cpu = table->cpu, .elsewhere = !*world->core_pmu};
	const char *folder;
	char own[CPU_ID_SIZE];
	bool is_own;

	cpu_id_find(world->sysfs, own);
	is_own = !cpu || !*cpu || str_eq(cpu, own);
	if (!is_own) {
		if (!cpu_id_is_plain(cpu))
			return err_set(e, "%.60s is no identity of a processor", cpu) ||
				err_hint(e,
					"write it as perf does, GenuineIntel-6-8F-4 (vendor, family, model, stepping)");
		question.elsewhere = true;
	}
	snprintf(table->cpu, sizeof table->cpu, "%s", cpu && *cpu ? cpu : own);
	/* perf's first: an answer that is kept becomes the table's block */
	if (*table->cpu) {
		perf_cache_ask(&question, table, e);
	} else {
		err_set(e, "the processor is not known, so perf was not asked");
		err_hint(e, "set HECATE_CPUID, for instance to GenuineIntel-6-8F-4");
	}
	if (is_own)
		sysfs_events_read(world->sysfs, table);
	if (is_own ? events_libpfm_is_here(world) : libpfm_is_forced())
		event_libpfm_rows(world, *world->core_pmu ? world->core_pmu : core_of_rows(table), table);
	folder = secure_getenv("HECATE_EVENTS");
	if (folder && *folder)
		folder_read(folder, table->cpu, question.elsewhere ? NULL : world->sysfs, table, e);
	event_table_sort(table);
	return table->n || table->n_metrics;
}

void
known_events_free(struct known_events *known)
{
	event_table_free(&known->table);
	known->loaded = false;
}

const struct event_row *
known_events_find(struct known_events *known, const struct perf_world *world, const char *name)
{
	if (!*world->core_pmu)
		return NULL;
	if (!known->loaded)
		events_load(world, NULL, &known->table, NULL);
	known->loaded = true;
	return event_table_find(&known->table, name, NULL);
}
