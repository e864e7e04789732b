/* `pmu/terms/`, rNNN, and names in a PMU's events/ folder, by what sysfs says about the PMU:
 *
 *     type            the number that perf_event_attr.type takes
 *     format/event    "config:0-7,32-35": see collect/events/format.h
 *     events/tsc      "event=0x00": a name for some terms
 *     cpumask which CPUs to ask; only PMUs outside the cores have it
 *
 * (Documentation/ABI/testing/sysfs-bus-event_source-devices-*, perf-list(1)) */
#include "collect/perf/names.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/names.h"
#include "base/near.h"
#include "base/number_list.h"
#include "base/str.h"
#include "collect/events/format.h"
#include "collect/perf/world.h"
#include "collect/proc/files.h"
#include "collect/source.h"
#include "text/notation.h"

struct pmu {
	const struct perf_world *world;
	char name[64];
	const char *text; /* the event as the user wrote it, for messages */
};

static bool
pmu_terms_is_word(const char *s)
{
	for (const char *p = s; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("_-.", *p))
			return false;
	return *s && *s != '.';
}

static bool
pmu_path(const struct pmu *p, const char *leaf, char *path, size_t size)
{
	int n = snprintf(path, size, "%s/bus/event_source/devices/%s/%s", p->world->sysfs, p->name, leaf);

	return n > 0 && (size_t)n < size;
}

static bool
pmu_file(const struct pmu *p, const char *leaf, char *text, size_t size)
{
	char path[1024];

	return pmu_path(p, leaf, path, sizeof path) && proc_text_read(path, text, size);
}

static void
list_folder(const struct pmu *pmu, const char *leaf, char *out, size_t size)
{
	char path[1024];
	struct dirent *dirent;
	size_t n = 0;
	DIR *dir = pmu_path(pmu, leaf, path, sizeof path) ? opendir(path) : NULL;

	out[0] = '\0';
	while (dir && (dirent = readdir(dir)) != NULL) {
		size_t m = strlen(dirent->d_name);

		if (dirent->d_name[0] == '.' || n + m + 2 > size)
			continue;
		n += (size_t)snprintf(out + n, size - n, "%s%s", n ? " " : "", dirent->d_name);
	}
	if (dir)
		closedir(dir);
}

/* Returns "nearest: A, B" of the names in two folders (NULL: one); NULL: none. The caller frees. */
static char *
nearest_in(const struct pmu *pmu, const char *word, const char *leaf, const char *other)
{
	char path[1024];
	struct names names = {0};
	char *hint;

	for (; leaf; leaf = other, other = NULL) {
		struct dirent *dirent;
		DIR *dir = pmu_path(pmu, leaf, path, sizeof path) ? opendir(path) : NULL;

		while (dir && (dirent = readdir(dir)) != NULL)
			if (dirent->d_name[0] != '.' && names.n < EVENT_NEAR_NAMES)
				names_add(&names, dirent->d_name, strlen(dirent->d_name));
		if (dir)
			closedir(dir);
	}
	hint = near_text(word, (const char *const *)names.name, names.n);
	names_free(&names);
	return hint;
}

static bool
set_term(const struct pmu *pmu, const char *term, uint64_t value, struct event_code *code, struct source_status *why)
{
	uint64_t field[FORMAT_FIELDS] = {code->config, code->config1, code->config2, code->config3};
	char text[FORMAT_TEXT], known[160];
	struct format format;
	int found = pmu_terms_is_word(term) ? format_find(pmu->world->sysfs, pmu->name, term, &format, text) : 0;

	if (!found) {
		list_folder(pmu, "format", known, sizeof known);
		source_status_refuse(why, EINVAL, NULL, "%s: PMU %s has no term \"%s\"; it has: %s", pmu->text,
			pmu->name, term, *known ? known : "none");
		return source_status_hint(why, nearest_in(pmu, term, "format", "events"));
	}
	if (found < 0)
		return source_status_refuse(
			why, EINVAL, NULL, "%s: the format of term %s is not understood: %s", pmu->text, term, text);
	if (!format_place(&format, value, field))
		return source_status_refuse(why, EINVAL, NULL, "%s: %s=0x%llx does not fit its bits %s", pmu->text,
			term, (unsigned long long)value, text);
	code->config = field[0];
	code->config1 = field[1];
	code->config2 = field[2];
	code->config3 = field[3];
	return true;
}

static int
by_raw_number(const char *name, struct event_code *code)
{
	char *end;

	if (name[0] != 'r' || !isxdigit((unsigned char)name[1]) || strlen(name) > 17)
		return 0;
	code->config = strtoull(name + 1, &end, 16);
	if (*end)
		return 0;
	code->kind = EVENT_HARDWARE;
	code->type = 4; /* PERF_TYPE_RAW */
	snprintf(code->name, sizeof code->name, "%s", name);
	return 1;
}

static bool
pmu_has_term(const struct pmu *pmu, const char *term)
{
	char text[FORMAT_TEXT];
	struct format format;

	return format_find(pmu->world->sysfs, pmu->name, term, &format, text) != 0;
}

static bool pmu_terms_add_terms(
	const struct pmu *p, const char *terms, bool from_alias, struct event_code *c, struct source_status *why);

/* Adds a term: "event=0x3c", "inv", "config1=7", or a name in events/. */
static bool
pmu_terms_add_term(
	const struct pmu *pmu, char *term, bool from_alias, struct event_code *code, struct source_status *why)
{
	char leaf[128], alias[512], *equals = strchr(term, '=');
	struct event_code raw;
	uint64_t value = 1;

	if (!*term)
		return source_status_refuse(why, EINVAL, NULL, "%s: an empty term", pmu->text);
	snprintf(leaf, sizeof leaf, "events/%.100s", term);
	if (!equals && !from_alias && pmu_terms_is_word(term) && pmu_file(pmu, leaf, alias, sizeof alias))
		return pmu_terms_add_terms(pmu, alias, true, code, why);
	if (!equals && *term == 'r' && !pmu_has_term(pmu, term) && by_raw_number(term, &raw)) { /* cpu/r1c2/ */
		code->config |= raw.config;
		return true;
	}
	/* a name of a table, alone: "cpu/l1d.replacement/" */
	if (!equals && !from_alias && pmu_terms_is_word(term) && !pmu_has_term(pmu, term)) {
		struct event_code found = *code;
		int is = event_by_table(term, pmu->name, pmu->world, &found, why);

		if (is < 0)
			return false;
		if (is > 0) {
			code->config |= found.config;
			code->config1 |= found.config1;
			code->config2 |= found.config2;
			code->config3 |= found.config3;
			return true;
		}
	}
	if (equals)
		*equals = '\0';
	if (str_eq(term, "name")) /* perf's label for the result is not needed */
		return true;
	if (equals && !notation_read_code(equals + 1, &value))
		return source_status_refuse(why, EINVAL, NULL, "%s: \"%s\" is no value for term %s (decimal, or "
			"hexadecimal with 0x)", pmu->text, equals + 1, term);
	return set_term(pmu, term, value, code, why);
}

static bool
pmu_terms_add_terms(
	const struct pmu *p, const char *terms, bool from_alias, struct event_code *c, struct source_status *why)
{
	char **piece = str_split(terms, ',', NULL);
	bool good = true;

	for (size_t i = 0; good && piece[i] && *terms; i++)
		good = pmu_terms_add_term(p, piece[i], from_alias, c, why);
	str_split_free(piece);
	return good;
}

static bool
pmu_exists(const struct pmu *pmu, struct event_code *code)
{
	char text[64];
	int64_t type;

	if (!pmu_file(pmu, "type", text, sizeof text) || !str_to_i64(text, &type) || type < 0 || type > UINT32_MAX)
		return false;
	code->type = (uint32_t)type;
	code->per_cpu = pmu_file(pmu, "cpumask", text, sizeof text);
	code->kind = type == 4 || str_eq(pmu->name, pmu->world->core_pmu) || str_starts(pmu->name, "cpu") ||
		str_starts(pmu->name, "armv") ? EVENT_HARDWARE : EVENT_OTHER;
	memcpy(code->pmu, pmu->name, sizeof code->pmu);
	return true;
}

static int
refuse_pmu(const struct pmu *pmu, const struct perf_world *world, struct source_status *why)
{
	const struct pmu all = {.world = world, .name = ".."};
	char known[160];

	if (!*world->core_pmu &&
		(str_eq(pmu->name, "cpu") || str_starts(pmu->name, "cpu_") || str_starts(pmu->name, "uncore"))) {
		source_status_refuse(
			why, ENOENT, perf_world_no_pmu_remedy(world), "%s: %s", pmu->text, perf_world_no_pmu(world));
		return -1;
	}
	list_folder(&all, "devices", known, sizeof known);
	source_status_refuse(why, ENOENT, NULL, "%s: this machine has no PMU \"%s\"; it has: %s", pmu->text,
		pmu->name, known);
	source_status_hint(why, nearest_in(&all, pmu->name, "devices", NULL));
	return -1;
}

int
event_by_pmu_terms(const char *name, const struct perf_world *world, struct event_code *code, struct source_status *why)
{
	const char *slash = strchr(name, '/'), *end = slash ? strchr(slash + 1, '/') : NULL;
	struct pmu p = {.world = world, .text = name};
	char terms[256];

	if (!slash)
		return by_raw_number(name, code);
	if (!end || end[1] || slash == name || slash - name >= (int)sizeof p.name || end - slash > (int)sizeof terms) {
		source_status_refuse(why, EINVAL, "write it as pmu/term=value,…/",
			"%s is not of the form pmu/terms/", name);
		return -1;
	}
	memcpy(p.name, name, (size_t)(slash - name));
	memcpy(terms, slash + 1, (size_t)(end - slash - 1));
	terms[end - slash - 1] = '\0';
	if (!pmu_terms_is_word(p.name) || !pmu_exists(&p, code))
		return refuse_pmu(&p, world, why);
	snprintf(code->name, sizeof code->name, "%s", name);
	if (!pmu_terms_add_terms(&p, terms, false, code, why))
		return -1;
	if (!code->per_cpu || world->machine)
		return 1;
	source_status_refuse(why, EINVAL, "watch the whole machine (-a)",
		"%s: PMU %s counts for a socket or a CPU, never for one command", name, p.name);
	return -1;
}

int
event_by_sysfs_alias(
	const char *name, const struct perf_world *world, struct event_code *code, struct source_status *why)
{
	char path[640], leaf[256], terms[512], found[64] = "";
	struct dirent *dirent;
	DIR *dir;

	if (!pmu_terms_is_word(name) || str_ends(name, ".scale") || str_ends(name, ".unit") || strlen(name) > 150)
		return 0;
	snprintf(path, sizeof path, "%s/bus/event_source/devices", world->sysfs);
	snprintf(leaf, sizeof leaf, "events/%.150s", name);
	dir = opendir(path);
	while (dir && (dirent = readdir(dir)) != NULL) {
		struct pmu p = {.world = world, .text = name};

		if (dirent->d_name[0] == '.' || strlen(dirent->d_name) >= sizeof p.name)
			continue;
		memcpy(p.name, dirent->d_name, strlen(dirent->d_name));
		if (!pmu_file(&p, leaf, terms, sizeof terms))
			continue;
		if (*found) {
			source_status_refuse(why, EINVAL, NULL, "%s is an event of PMU %s and of PMU %s: write %s/%s/",
				name, found, p.name, p.name, name);
			closedir(dir);
			return -1;
		}
		memcpy(found, p.name, sizeof found);
	}
	if (dir)
		closedir(dir);
	if (!*found)
		return 0;
	snprintf(terms, sizeof terms, "%s/%.150s/", found, name);
	return event_by_pmu_terms(terms, world, code, why);
}

bool
pmu_cpus(const struct event_code *c, const struct perf_world *w, int **cpu, size_t *n)
{
	struct pmu p = {.world = w};
	char text[4096];

	memcpy(p.name, c->pmu, sizeof p.name);
	return pmu_file(&p, "cpumask", text, sizeof text) &&
		number_list_parse(text, true, 0, NUMBER_LIST_MOST, cpu, n, NULL);
}
