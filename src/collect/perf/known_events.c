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

bool
events_load(const struct perf_world *world, const char *cpu, struct event_table *table, struct err *e)
{
	struct perf_question question = {.sysfs = world->sysfs, .cpu = table->cpu, .elsewhere = !*world->core_pmu};
	const char *folder;
	char own[CPU_ID_SIZE];
	bool stated = cpu_id_find(world->sysfs, own), listed = false;

	if (cpu && *cpu && !str_eq(cpu, own)) {
		if (!cpu_id_is_plain(cpu))
			return err_set(e, "%.60s is no identity of a processor", cpu) ||
				err_hint(e,
					"write it as perf does, GenuineIntel-6-8F-4 (vendor, family, model, stepping)");
		question.elsewhere = true;
	}
	snprintf(table->cpu, sizeof table->cpu, "%s", cpu && *cpu ? cpu : own);
	/* perf's first: an answer that is kept becomes the table's block */
	if (*table->cpu) {
		listed = perf_cache_ask(&question, table, e);
	} else {
		err_set(e, "the processor is not known, so perf was not asked");
		err_hint(e, "set HECATE_CPUID, for instance to GenuineIntel-6-8F-4");
	}
	if (!question.elsewhere || !cpu || !*cpu || str_eq(cpu, own))
		sysfs_events_read(world->sysfs, table);
	if (!listed && !stated && !question.elsewhere) /* libpfm4 knows no processor but this one */
		event_libpfm_rows(world->core_pmu, table);
	folder = secure_getenv("HECATE_EVENTS");
	if (folder && *folder)
		folder_read(folder, table->cpu, table, e);
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
