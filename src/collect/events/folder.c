#include "collect/events/folder.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "collect/events/cpu_id.h"
#include "collect/events/perf_json.h"
#include "collect/events/sysfs_events.h"
#include "collect/proc/files.h"
#include "event/table.h"

#define FILE_MOST ((off_t)16 << 20)
#define ALL_MOST ((off_t)64 << 20)
#define DEPTH_MOST 6

struct folder {
	const char *cpu;
	const char *sysfs; /* NULL: none of this processor */
	const char *core;  /* the kind of cores that the next file is of; "": there is one */
	struct event_table *table;
	off_t read;
	bool full; /* a limit was met */
};

static bool
is_number(const char *text, uint64_t *value)
{
	char *end;

	while (isspace((unsigned char)*text))
		text++;
	if (!isdigit((unsigned char)*text))
		return false;
	*value = strtoull(text, &end, 0);
	return *end == '\0' || *end == ','; /* the first of "0xB7,0xBB" */
}

static void
add_term(struct str *code, const struct json *event, const char *key, const char *term)
{
	uint64_t value;

	if (is_number(perf_json_text(event, key), &value) && (value || str_eq(term, "event")))
		str_addf(code, "%s%s=0x%" PRIx64, code->n ? "," : "", term, value);
}

/* The name of a unit's PMU in Linux (tools/perf/pmu-events/jevents.py). The caller frees. */
static char *
pmu_of_unit(const char *unit)
{
	static const struct { const char *unit, *pmu; } other[] = {
		{"", "cpu"}, {"cpu_core", "cpu_core"}, {"cpu_atom", "cpu_atom"}, {"CBO", "uncore_cbox"},
		{"QPI LL", "uncore_qpi"}, {"SBO", "uncore_sbox"}, {"iMPH-U", "uncore_arb"}, {"UPI LL", "uncore_upi"},
		{"L3PMC", "amd_l3"}, {"DFPMC", "amd_df"}, {"UMCPMC", "amd_umc"},
	};
	char *pmu;

	for (size_t i = 0; i < sizeof other / sizeof *other; i++)
		if (str_eq(unit, other[i].unit))
			return str_format("%s", other[i].pmu);
	pmu = str_format("uncore_%s", unit);
	for (char *s = pmu; *s; s++)
		*s = *s == ' ' ? '_' : (char)tolower((unsigned char)*s);
	return pmu;
}

/* An event of perfmon (github.com/intel/perfmon, README). */
static void
add_perfmon(const struct folder *folder, const struct json *event)
{
	static const struct { const char *key, *term; } term[] = {
		{"EventCode", "event"}, {"CounterMask", "cmask"}, {"Invert", "inv"}, {"EdgeDetect", "edge"},
		{"AnyThread", "any"},
	};
	const char *unit = perf_json_text(event, "Unit");
	char *pmu = pmu_of_unit(*unit ? unit : folder->core);
	bool core = str_starts(pmu, "cpu");
	const char *text = perf_json_text(event, "PublicDescription");
	uint64_t mask = 0, more = 0, msr = 0;
	struct str code = {0};

	for (size_t i = 0; i < sizeof term / sizeof *term; i++)
		add_term(&code, event, term[i].key, term[i].term);
	is_number(perf_json_text(event, "UMask"), &mask);
	is_number(perf_json_text(event, "UMaskExt"), &more);
	if (mask | more)
		str_addf(&code, ",umask=0x%" PRIx64, more << 8 | mask);
	if (core && is_number(perf_json_text(event, "MSRIndex"), &msr) && msr)
		add_term(&code, event, "MSRValue",
			msr == 0x1a6 || msr == 0x1a7 ? "offcore_rsp"
				: msr == 0x3f7       ? "frontend"
				: msr == 0x3f6       ? "ldlat"
						     : "config1");
	event_table_add(folder->table, &(struct event_row){.name = perf_json_text(event, "EventName"), .pmu = pmu,
		.text = *text ? text : perf_json_text(event, "BriefDescription"), .code = str_text(&code),
		.counters = perf_json_text(event, "Counter"),
		.errata = str_eq(perf_json_text(event, "Errata"), "null") ? "" : perf_json_text(event, "Errata"),
		.taken_alone = str_eq(perf_json_text(event, "TakenAlone"), "1"),
		.deprecated = str_eq(perf_json_text(event, "Deprecated"), "1"), .source = EVENT_FROM_FOLDER});
	str_free(&code);
	free(pmu);
}

/* Is it the processor of "0x41d4f", implementer and part, in MIDR_EL1? */
static bool
is_arm_cpu(const char *cpuid, const char *cpu)
{
	uint64_t id, midr;

	return is_number(cpuid, &id) && is_number(cpu, &midr) && str_starts(cpu, "0x") &&
		id == ((midr >> 24 & 0xff) << 12 | (midr >> 4 & 0xfff));
}

/* Reads MIDR_EL1 of the first CPU of a PMU. Without that file, a PMU is one of the processor that is asked about. */
static void
read_midr(const struct folder *folder, const char *pmu, char midr[CPU_ID_SIZE])
{
	char *path = str_format("%s/bus/event_source/devices/%s/cpus", folder->sysfs, pmu), cpus[256] = "";

	if (proc_text_read(path, cpus, sizeof cpus)) {
		free(path);
		path = str_format("%s/devices/system/cpu/cpu%lu/regs/identification/midr_el1", folder->sysfs,
			strtoul(cpus, NULL, 10));
	}
	if (!*cpus || !proc_text_read(path, midr, CPU_ID_SIZE))
		snprintf(midr, CPU_ID_SIZE, "%s", folder->cpu);
	free(path);
}

/* Adds the events of a document of Arm for one PMU. */
static void
add_arm(const struct folder *folder, const struct json *events, const char *pmu)
{
	for (const struct json *event = events->first; event; event = event->next) {
		struct str code = {0};

		add_term(&code, event, "code", "event");
		if (*perf_json_text(event, "name") && code.n)
			event_table_add(folder->table,
				&(struct event_row){.name = perf_json_text(event, "name"), .pmu = pmu,
					.topic = perf_json_text(event, "component"), .code = code.s,
					.text = perf_json_text(event, "description"), .source = EVENT_FROM_FOLDER});
		str_free(&code);
	}
}

/* Adds them for each PMU whose cores they are of; a machine may have several (big.LITTLE). */
static void
add_arm_pmus(const struct folder *folder, const struct json *events, const char *cpuid)
{
	struct str names = {0};
	char **pmu, midr[CPU_ID_SIZE];
	bool any = false;

	if (folder->sysfs)
		sysfs_pmus(folder->sysfs, &names);
	pmu = str_split(str_text(&names), ' ', NULL);
	for (size_t i = 0; pmu[i]; i++) {
		if (!str_starts(pmu[i], "armv"))
			continue;
		any = true;
		read_midr(folder, pmu[i], midr);
		if (is_arm_cpu(cpuid, midr))
			add_arm(folder, events, pmu[i]);
	}
	if (!any && is_arm_cpu(cpuid, folder->cpu))
		add_arm(folder, events, "armv8_pmuv3_0");
	str_split_free(pmu);
	str_free(&names);
}

static void
folder_take_document(const struct folder *folder, const struct json *json, bool chosen)
{
	const struct json *events = json->kind == JSON_ARRAY ? json : json_get(json, "Events"),
			  *metrics = json_get(json, "Metrics");
	const char *cpuid = perf_json_text(json, "cpuid");

	if (*cpuid && (events = json_get(json, "events")))
		add_arm_pmus(folder, events, cpuid);
	else if (chosen && !*cpuid && metrics)
		folder_add_metrics(metrics, folder->core, folder->table);
	else if (!*cpuid && chosen)
		for (const struct json *event = events ? events->first : NULL; event; event = event->next) {
			if (*perf_json_text(event, "EventName"))
				add_perfmon(folder, event);
			else if (*perf_json_text(event, "MetricExpr"))
				perf_json_add_metric(event, EVENT_FROM_FOLDER, folder->table);
		}
}

static void
folder_take_file(struct folder *folder, const char *path, bool chosen)
{
	struct stat st;
	struct str text = {0};
	struct json *json;

	if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return;
	if (st.st_size > FILE_MOST || folder->read + st.st_size > ALL_MOST) {
		folder->full = true;
		return;
	}
	folder->read += st.st_size;
	if (proc_file_read(path, &text) && (json = perf_json_parse(str_text(&text), text.n, NULL))) {
		folder_take_document(folder, json, chosen);
		json_free(json);
	}
	str_free(&text);
}

static void
walk(struct folder *folder, const char *path, int depth)
{
	DIR *dir = depth < DEPTH_MOST ? opendir(path) : NULL;
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		char *inner = str_format("%s/%s", path, entry->d_name);
		struct stat st;

		if (entry->d_name[0] != '.' && lstat(inner, &st) == 0) {
			if (S_ISDIR(st.st_mode))
				walk(folder, inner, depth + 1);
			else if (str_ends(inner, ".json"))
				folder_take_file(folder, inner, true);
		}
		free(inner);
	}
	if (dir)
		closedir(dir);
}

/* Does a processor fit a pattern of a mapfile, "GenuineIntel-6-8F" or "GenuineIntel-6-55-[01234]"? */
static bool
fits_pattern(const char *cpu, const char *pattern)
{
	char *whole = str_format("^%s(-.*)?$", pattern);
	regex_t regex;
	bool fits = false;

	if (strlen(pattern) < 200 && regcomp(&regex, whole, REG_EXTENDED | REG_NOSUB) == 0) {
		fits = regexec(&regex, cpu, 0, NULL, 0) == 0;
		regfree(&regex);
	}
	free(whole);
	return fits;
}

/* Reads the files that perfmon's mapfile.csv names for the processor. False: there is no such file. */
static bool
read_mapped(struct folder *folder, const char *path)
{
	char *map = str_format("%s/mapfile.csv", path), **line;
	struct str text = {0};
	bool there = proc_file_read(map, &text);

	free(map);
	line = str_split(str_text(&text), '\n', NULL);
	for (size_t i = 1; there && line[0] && line[i]; i++) {
		char **field = str_split(line[i], ',', NULL);
		size_t n = 0;

		while (field[n])
			n++;
		if (n >= 4 && fits_pattern(folder->cpu, field[0]) && !strstr(field[2], "..")) {
			char *file = str_format("%s/%s", path, field[2]);

			folder->core = n < 5 || !*field[4] ? "" : str_eq(field[4], "0x20") ? "cpu_atom" : "cpu_core";
			folder_take_file(folder, file, true);
			free(file);
		}
		str_split_free(field);
	}
	str_split_free(line);
	str_free(&text);
	return there;
}

bool
folder_read(const char *path, const char *cpu, const char *sysfs, struct event_table *table, struct err *e)
{
	size_t before = table->n + table->n_metrics;
	struct folder folder = {.cpu = cpu, .sysfs = sysfs, .core = "", .table = table};
	struct stat st;

	if (stat(path, &st) != 0)
		err_set(e, "HECATE_EVENTS: %.200s: %s", path, strerror(errno));
	else if (!S_ISDIR(st.st_mode))
		err_set(e, "HECATE_EVENTS: %.200s is no folder", path);
	else {
		if (!read_mapped(&folder, path))
			walk(&folder, path, 0);
		if (table->n + table->n_metrics > before)
			return true;
		err_set(e, "HECATE_EVENTS: %.200s has no events of %s%s", path, *cpu ? cpu : "an unknown processor",
			folder.full ? " in files of up to 16 MB, 64 MB together" : "");
	}
	return err_hint(e, "name a copy of github.com/intel/perfmon or of github.com/ARM-software/data");
}
