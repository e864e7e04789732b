#include "collect/events/sysfs_events.h"

#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/proc/files.h"
#include "event/name.h"
#include "event/table.h"

#define TEXT 512

/* The entries of a folder that do not begin with a dot, in alphabetical order; NULL: none. */
static char **
list_entries(const char *path, size_t *n)
{
	struct dirent **entry;
	int found = scandir(path, &entry, NULL, alphasort);
	char **name = mem_new_array(found > 0 ? (size_t)found + 1 : 1, sizeof *name);

	*n = 0;
	for (int i = 0; i < found; i++) {
		if (entry[i]->d_name[0] != '.')
			name[(*n)++] = mem_str(entry[i]->d_name);
		free(entry[i]);
	}
	if (found >= 0)
		free(entry);
	return name;
}

/* What all boxes of a PMU's kind share. The caller frees. */
static char *
family_of(const char *pmu)
{
	size_t n = strlen(pmu), digits = n;

	while (digits && isdigit((unsigned char)pmu[digits - 1]))
		digits--;
	if (digits < n && digits > 1 && pmu[digits - 1] == '_' && !event_pmu_is_core(pmu))
		n = digits - 1;
	return mem_strn(pmu, n);
}

static bool
read_leaf(const char *folder, const char *name, const char *ending, char text[TEXT])
{
	char *path = str_format("%s/%s%s", folder, name, ending);
	bool good = proc_text_read(path, text, TEXT);

	if (!good)
		*text = '\0';
	free(path);
	return good;
}

static void
add_event(const char *folder, const char *pmu, const char *name, struct event_table *table)
{
	char code[TEXT], unit[TEXT], scale[TEXT];
	struct event_row row = {.name = name, .pmu = pmu, .code = code, .unit = unit, .topic = "", .text = "",
		.counters = "", .errata = "", .source = EVENT_FROM_SYSFS};

	if (str_ends(name, ".scale") || str_ends(name, ".unit") || str_ends(name, ".per-pkg") ||
		str_ends(name, ".snapshot") || !read_leaf(folder, name, "", code))
		return;
	read_leaf(folder, name, ".unit", unit);
	if (!read_leaf(folder, name, ".scale", scale) || !str_to_double(scale, &row.scale))
		row.scale = 1;
	event_table_add(table, &row);
}

void
sysfs_events_read(const char *sysfs, struct event_table *table)
{
	char *devices = str_format("%s/bus/event_source/devices", sysfs);
	size_t n_pmus, n;
	char **pmu = list_entries(devices, &n_pmus);

	for (size_t i = 0; i < n_pmus; i++) {
		char *folder = str_format("%s/%s/events", devices, pmu[i]), *family = family_of(pmu[i]);
		char **name = list_entries(folder, &n);

		for (size_t k = 0; k < n; k++)
			add_event(folder, family, name[k], table);
		str_split_free(name);
		free(family);
		free(folder);
	}
	str_split_free(pmu);
	free(devices);
}

void
sysfs_pmus(const char *sysfs, struct str *out)
{
	char *devices = str_format("%s/bus/event_source/devices", sysfs);
	size_t n;
	char **pmu = list_entries(devices, &n);

	for (size_t i = 0; i < n; i++)
		str_addf(out, "%s ", pmu[i]);
	str_split_free(pmu);
	free(devices);
}

char *
sysfs_pmu_of_type(const char *sysfs, uint32_t type)
{
	char *devices = str_format("%s/bus/event_source/devices", sysfs), *found = NULL, text[TEXT];
	size_t n;
	char **pmu = list_entries(devices, &n);

	for (size_t i = 0; i < n && !found; i++) {
		char *folder = str_format("%s/%s", devices, pmu[i]);
		uint64_t number;

		if (read_leaf(folder, "type", "", text) && str_to_u64(text, &number) && number == type)
			found = family_of(pmu[i]);
		free(folder);
	}
	str_split_free(pmu);
	free(devices);
	return found;
}
