#include "collect/perf/pmu_family.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/number_list.h"
#include "base/str.h"
#include "collect/perf/known_events.h"
#include "collect/perf/names.h"
#include "collect/perf/world.h"
#include "collect/proc/files.h"
#include "event/name.h"

/* Splits "uncore_imc_12" into its stem "uncore_imc" and 12. Without a number the stem is all of it. Returns the stem's
 * length. */
static size_t
split_name(const char *name, int *number)
{
	size_t n = strlen(name), at = n;
	int64_t v;

	*number = 0;
	while (at > 0 && isdigit((unsigned char)name[at - 1]))
		at--;
	if (at == n || at < 2 || name[at - 1] != '_' || !str_to_i64(name + at, &v) || v > 100000)
		return n;
	*number = (int)v;
	return at - 1;
}

static bool
same_stem(const char *a, const char *b)
{
	int number;
	size_t n = split_name(a, &number), m = split_name(b, &number);

	return n == m && strncmp(a, b, n) == 0;
}

static bool
leaf_path(const struct perf_world *w, const char *pmu, const char *leaf, char *path, size_t size)
{
	int n = snprintf(path, size, "%s/bus/event_source/devices/%s/%s", w->sysfs, pmu, leaf);

	return n > 0 && (size_t)n < size;
}

static bool
has_leaf(const struct perf_world *w, const char *pmu, const char *leaf)
{
	char path[1024];

	return leaf_path(w, pmu, leaf, path, sizeof path) && access(path, F_OK) == 0;
}

/* Adds a PMU to the family, and takes the event's text over. False: the PMU counts in the cores, so it has no cpumask.
 */
static bool
add_member(const struct perf_world *world, const char *pmu, char *event, struct pmu_family *family)
{
	struct pmu_member m = {.event = event};
	char path[1024], text[4096];

	split_name(pmu, &m.number);
	if (!leaf_path(world, pmu, "cpumask", path, sizeof path) || !proc_text_read(path, text, sizeof text) ||
		!number_list_parse(text, true, 0, NUMBER_LIST_MOST, &m.cpu, &m.n_cpus, NULL)) {
		free(event);
		return false;
	}
	family->member = mem_resize(family->member, family->n + 1, sizeof *family->member);
	family->member[family->n++] = m;
	return true;
}

static int
compare_members(const void *a, const void *b)
{
	const struct pmu_member *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

/* Reads the folder of PMUs. For "uncore_imc/…" it adds those of that stem; for a word, those that have it in events/,
 * which must be one family. */
static bool
find_members(const struct perf_world *world, const char *stem, const char *word, const char *terms,
	struct pmu_family *family)
{
	char path[640], first[256] = "", *leaf = word ? str_format("events/%s", word) : NULL;
	struct dirent *dirent;
	bool good = true;
	DIR *dir;

	snprintf(path, sizeof path, "%s/bus/event_source/devices", world->sysfs);
	dir = opendir(path);
	while (dir && good && (dirent = readdir(dir))) {
		int number;

		if (dirent->d_name[0] == '.')
			continue;
		if (stem &&
			(split_name(dirent->d_name, &number) != strlen(stem) ||
				strncmp(dirent->d_name, stem, strlen(stem)) != 0))
			continue;
		if (leaf && !has_leaf(world, dirent->d_name, leaf))
			continue;
		if (*first && !same_stem(first, dirent->d_name))
			good = false;
		snprintf(first, sizeof first, "%s", dirent->d_name);
		good = good &&
			add_member(world, dirent->d_name,
				word ? str_format("%s/%s/", dirent->d_name, word)
				     : str_format("%s%s", dirent->d_name, terms),
				family);
	}
	if (dir)
		closedir(dir);
	free(leaf);
	return good && family->n > 0;
}

static bool
pmu_family_is_word(const char *s)
{
	for (const char *p = s; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("_-.", *p))
			return false;
	return *s && *s != '.' && !str_ends(s, ".scale") && !str_ends(s, ".unit");
}

/* Finds the boxes of an event that a table has. */
static bool
find_of_table(const struct perf_world *world, const char *event, struct pmu_family *family)
{
	struct known_events own = {0}, *known = world->known ? world->known : &own;
	const struct event_row *row = known_events_find(known, world, event);
	char *terms = str_format("/%s/", event);
	bool good;

	pmu_family_free(family);
	/* one of sysfs is found in the folders, or is of several families */
	good = row && row->source != EVENT_FROM_SYSFS && !event_pmu_is_core(row->pmu) &&
		find_members(world, row->pmu, NULL, terms, family);
	free(terms);
	known_events_free(&own);
	return good;
}

bool
pmu_family_of(const char *event, const struct perf_world *world, struct pmu_family *family)
{
	const char *slash = strchr(event, '/');
	struct event_code perfs_own;
	char *pmu;
	bool good;

	*family = (struct pmu_family){0};
	if (!slash) {
		good = pmu_family_is_word(event) && event_by_perf_word(event, &perfs_own) == 0 &&
			(find_members(world, NULL, event, NULL, family) || find_of_table(world, event, family));
	} else {
		pmu = mem_strn(event, (size_t)(slash - event));
		family->named = pmu_family_is_word(pmu) && has_leaf(world, pmu, "type");
		good = pmu_family_is_word(pmu) &&
			(family->named ? add_member(world, pmu, mem_str(event), family)
				       : find_members(world, pmu, NULL, slash, family));
		free(pmu);
	}
	if (!good)
		pmu_family_free(family);
	else
		qsort(family->member, family->n, sizeof *family->member, compare_members);
	return good;
}

void
pmu_family_free(struct pmu_family *f)
{
	for (size_t i = 0; i < f->n; i++) {
		free(f->member[i].event);
		free(f->member[i].cpu);
	}
	free(f->member);
	*f = (struct pmu_family){0};
}
