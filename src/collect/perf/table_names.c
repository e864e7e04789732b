/* Names that stand in a table: what perf lists for this processor, and the folder $HECATE_EVENTS (known_events.h).
 *
 * Rows of sysfs and libpfm4 are left to the steps of event_by_name() that look there. If two sources give different
 * codes for an event, both are shown and the event is refused. There is one exception: an event on a fixed counter has
 * a made-up code (event 0x00) in tables of vendors and of libpfm4, and a real one in perf's. */
#include "collect/perf/names.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/perf/known_events.h"
#include "collect/perf/world.h"
#include "collect/source.h"
#include "event/name.h"
#include "event/table.h"

/* The first PMU of sysfs that counts a row's event: of its name, or the box with the lowest number. The caller frees;
 * NULL: none. */
static char *
first_box(const struct perf_world *world, const char *pmu)
{
	char *devices = str_format("%s/bus/event_source/devices", world->sysfs), *found = NULL;

	for (int number = -1; number < 64 && !found; number++) {
		char *name = number < 0 ? str_format("%s", pmu) : str_format("%s_%d", pmu, number);
		char *path = str_format("%s/%s/type", devices, name);

		if (*pmu && !strchr(pmu, '/') && access(path, F_OK) == 0) {
			found = name;
			name = NULL;
		}
		free(path);
		free(name);
	}
	free(devices);
	return found;
}

/* Places a row's code by the formats of a PMU. */
static int
place_row(const struct event_row *row, const char *pmu, const struct perf_world *world, struct event_code *code,
	struct source_status *why)
{
	char *terms = str_format("%s/%s/", pmu, row->code);
	int found;

	*code = (struct event_code){0};
	found = event_by_pmu_terms(terms, world, code, why);
	free(terms);
	return found;
}

static bool
same_code(const struct event_code *a, const struct event_code *b)
{
	return (a->config == b->config || event_codes_are_fixed(a->config, b->config)) && a->config1 == b->config1 &&
		a->config2 == b->config2 && a->config3 == b->config3;
}

int
event_refuse_codes(const char *name, const char *source, const char *code, const char *other_source,
	const char *other_code, const char *use, struct source_status *why)
{
	source_status_refuse(why, EINVAL, NULL, "%.100s: %s encodes it as %.150s, %s as %.150s; hecate does not guess",
		name, source, code, other_source, other_code);
	snprintf(why->remedy, sizeof why->remedy, "write the code that is meant, for that of %s: %.180s", other_source,
		use);
	return -1;
}

/* Compares the chosen row with those of other sources for the same PMU. */
static int
compare_sources(const struct event_table *table, const struct event_row *row, const char *pmu,
	const struct perf_world *world, const struct event_code *code, struct source_status *why)
{
	for (const struct event_row *other = row + 1;
		other < table->row + table->n && strcasecmp(other->name, row->name) == 0; other++) {
		struct source_status ignored = {0};
		struct event_code its;
		char *use;

		if (!str_eq(other->pmu, row->pmu) || other->source == row->source ||
			!*other->code || place_row(other, pmu, world, &its, &ignored) <= 0 || same_code(code, &its))
			continue;
		use = str_format("%s/%s/", pmu, other->code);
		event_refuse_codes(row->name, event_source_name(row->source), row->code,
			event_source_name(other->source), other->code, use, why);
		free(use);
		return -1;
	}
	return 1;
}

static int
take_table_row(const struct event_table *table, const struct event_row *row, const char *pmu,
	const struct perf_world *world, struct event_code *code, struct source_status *why)
{
	int found;

	if (!*row->code)
		return source_status_refuse(why, ENOENT,
			       "a newer perf lists it in full; or write its code as pmu/terms/",
			       "%.100s: %s knows the event, but not its whole code", row->name,
			       event_source_name(row->source)) -
			1;
	found = place_row(row, pmu, world, code, why);
	if (found > 0)
		snprintf(code->name, sizeof code->name, "%s", row->name);
	return found > 0 ? compare_sources(table, row, pmu, world, code, why) : found;
}

int
event_by_table(const char *name, const char *pmu, const struct perf_world *world, struct event_code *code,
	struct source_status *why)
{
	struct known_events own = {0}, *known = world->known ? world->known : &own;
	const struct event_row *first = known_events_find(known, world, name), *row = first, *taken = NULL;
	const struct event_table *table = &known->table;
	char *box = NULL;
	int found = 0;

	for (; first && row < table->row + table->n && strcasecmp(row->name, first->name) == 0 && !found; row++) {
		char *here;

		if (row->source == EVENT_FROM_SYSFS || row->source == EVENT_FROM_LIBPFM ||
			(pmu && !str_eq(pmu, row->pmu) && !event_pmu_is_box(pmu, row->pmu)) ||
			(taken && str_eq(taken->pmu, row->pmu)))
			continue;
		here = pmu ? mem_str(pmu) : first_box(world, row->pmu);
		if (here && taken) {
			source_status_refuse(why, EINVAL, NULL,
				"%.100s is an event of PMU %s and of PMU %s: write %s/%.80s/", name, taken->pmu,
				row->pmu, box, name);
			found = -1;
			free(here);
		} else if (here) {
			taken = row;
			box = here;
		}
	}
	if (taken && !found)
		found = take_table_row(table, taken, box, world, code, why);
	free(box);
	known_events_free(&own);
	return found;
}

int
event_check_libpfm(const char *name, const struct perf_world *world, struct source_status *why)
{
	struct known_events own = {0}, *known = world->known ? world->known : &own;
	const struct event_row *row = known_events_find(known, world, name), *first = NULL;
	int found = 1;

	for (; row && row < known->table.row + known->table.n && strcasecmp(row->name, name) == 0 && found > 0; row++) {
		struct event_code code;

		first = first && str_eq(first->pmu, row->pmu) ? first : row;
		if (row->source == EVENT_FROM_LIBPFM && first != row && event_pmu_is_core(row->pmu) && *first->code &&
			place_row(first, row->pmu, world, &code, why) > 0)
			found = compare_sources(&known->table, first, row->pmu, world, &code, why);
	}
	known_events_free(&own);
	return found;
}
