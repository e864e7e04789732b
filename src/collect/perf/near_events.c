/* The events that a user may have meant by a name that no source of names knows.
 *
 * All names of this machine that can be listed without counting are compared: perf's words, the PMUs' folders in sysfs,
 * tracefs, the tables of perf and of $HECATE_EVENTS where they were loaded, and libpfm4's. They are about 20 000, which
 * takes about 15 ms; the name is refused all the same. */
#include "collect/perf/names.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/near.h"
#include "base/str.h"
#include "collect/perf/known_events.h"
#include "collect/perf/world.h"
#include "event/words.h"

enum { TRACEPOINTS_MOST = 1 << 20 };

static void
add_name(struct names *names, const char *name)
{
	if (names->n < EVENT_NEAR_NAMES)
		names_add(names, name, strlen(name));
}

/* Adds names such as "tsc" and "msr/tsc/", whichever form the user wrote. */
static void
add_sysfs(struct names *names, const struct perf_world *world, bool slash)
{
	char path[1024];
	struct dirent *pmu, *event;
	DIR *pmus, *events;

	snprintf(path, sizeof path, "%s/bus/event_source/devices", world->sysfs);
	pmus = opendir(path);
	while (pmus && (pmu = readdir(pmus)) != NULL) {
		if (pmu->d_name[0] == '.')
			continue;
		snprintf(path, sizeof path, "%s/bus/event_source/devices/%.64s/events", world->sysfs, pmu->d_name);
		events = opendir(path);
		while (events && (event = readdir(events)) != NULL) {
			const char *name = event->d_name;

			if (*name == '.' || str_ends(name, ".scale") || str_ends(name, ".unit") ||
				str_ends(name, ".snapshot") || str_ends(name, ".per-pkg"))
				continue;
			snprintf(path, sizeof path, slash ? "%.64s/%.200s/" : "%.0s%.200s", pmu->d_name, name);
			add_name(names, path);
		}
		if (events)
			closedir(events);
	}
	if (pmus)
		closedir(pmus);
}

static void
add_tracepoints(struct names *names, const struct perf_world *world)
{
	char *text = mem_new_array(TRACEPOINTS_MOST, 1);

	if (world->tracefs_state == TRACEFS_READABLE &&
		perf_tracefs_read(world, "available_events", text, TRACEPOINTS_MOST)) {
		char **line = str_split(text, '\n', NULL);

		for (size_t i = 0; line[i]; i++)
			if (*line[i])
				add_name(names, line[i]);
		str_split_free(line);
	}
	free(text);
}

static void
add_tables(struct names *names, const struct perf_world *world)
{
	const struct event_table *table = world->known ? &world->known->table : NULL;

	for (size_t i = 0; table && i < table->n; i++)
		if (table->row[i].source != EVENT_FROM_SYSFS)
			add_name(names, table->row[i].name);
}

char *
event_near(const char *name, const struct perf_world *world)
{
	struct names names = {0};
	char word[EVENT_WORD_MAX], *hint = NULL;

	for (size_t i = 0; event_word_listed(i, word); i++)
		add_name(&names, word);
	add_sysfs(&names, world, strchr(name, '/') != NULL);
	add_tracepoints(&names, world);
	add_tables(&names, world);
	if (*world->core_pmu) {
		event_libpfm_names(name, true, &names);
		hint = near_text(name, (const char *const *)names.name, names.n);
	}
	if (!hint) { /* processors of a family share most names */
		event_libpfm_names(name, false, &names);
		hint = near_text(name, (const char *const *)names.name, names.n);
	}
	names_free(&names);
	return hint;
}
