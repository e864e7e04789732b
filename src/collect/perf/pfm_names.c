/* Names through libpfm4: `EVENT:UMASK`, `pmu::EVENT:UMASK`, perfmon's `EVENT.UMASK`, in any case.
 *
 * Version 4.13 has three faults. It says that a PMU is present where none opens; here the kernel decides. It takes no
 * second dot; such names are rewritten here. It encodes a few events wrongly and reports success; these are refused
 * here, with both codes. This file sees libpfm4's own copy of perf_event.h, so nothing else may. */
#include "collect/perf/names.h"

#include <ctype.h>
#include <errno.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "collect/source.h"
#include "event/table.h"

/* Found by encoding every event of libpfm4 and of Intel's perfmon tables (SPR V1.39, HSW). */
static const struct { const char *name; unsigned wrong, perfmon; const char *use; } differing[] = {
	{"spr::TOPDOWN:BACKEND_BOUND_SLOTS", 0x0200, 0x02a4, "cpu/event=0xa4,umask=0x02/"},
	{"spr::TOPDOWN:BAD_SPEC_SLOTS", 0x0400, 0x04a4, "cpu/event=0xa4,umask=0x04/"},
	{"spr::TOPDOWN:BR_MISPREDICT_SLOTS", 0x0800, 0x08a4, "cpu/event=0xa4,umask=0x08/"},
	{"spr::TOPDOWN:MEMORY_BOUND_SLOTS", 0x1000, 0x10a4, "cpu/event=0xa4,umask=0x10/"},
	{"spr::INST_RETIRED:ANY", 0x01c0, 0x0100, "instructions"},
	{"hsw::L2_RQSTS:DEMAND_DATA_RD_HIT", 0x4124, 0xc124, "cpu/event=0x24,umask=0xc1/"},
	{"hsw::L2_RQSTS:DEMAND_RFO_HIT", 0x4224, 0xc224, "cpu/event=0x24,umask=0xc2/"},
	{"hsw::L2_RQSTS:CODE_RD_HIT", 0x4424, 0xc424, "cpu/event=0x24,umask=0xc4/"},
	{"hsw::L2_RQSTS:PF_HIT", 0xd824, 0xd024, "cpu/event=0x24,umask=0xd0/"},
	{"hsw_ep::L2_RQSTS:DEMAND_DATA_RD_HIT", 0x4124, 0xc124, "cpu/event=0x24,umask=0xc1/"},
	{"hsw_ep::L2_RQSTS:DEMAND_RFO_HIT", 0x4224, 0xc224, "cpu/event=0x24,umask=0xc2/"},
	{"hsw_ep::L2_RQSTS:CODE_RD_HIT", 0x4424, 0xc424, "cpu/event=0x24,umask=0xc4/"},
	{"hsw_ep::L2_RQSTS:PF_HIT", 0xd824, 0xd024, "cpu/event=0x24,umask=0xd0/"},
};

/* Initialises the library so that names encode without their machine, for tests and for importing elsewhere. It reads
 * this from the environment once; the command that is counted must not inherit it. */
static bool
start_library(void)
{
	char *saved = getenv("LIBPFM_ENCODE_INACTIVE");
	bool good;

	saved = saved ? mem_str(saved) : NULL;
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	good = pfm_initialize() == PFM_SUCCESS;
	if (saved)
		setenv("LIBPFM_ENCODE_INACTIVE", saved, 1);
	else
		unsetenv("LIBPFM_ENCODE_INACTIVE");
	free(saved);
	return good;
}

/* Rewrites A.B.C as libpfm4 spells it: A:B_C. Returns false when there is nothing to rewrite. */
static bool
rewrite_dots(const char *name, char *out, size_t size)
{
	bool first = true, changed = false;
	size_t n = strlen(name);

	if (n >= size)
		return false;
	for (size_t i = 0; i <= n; i++) {
		out[i] = name[i];
		if (name[i] != '.')
			continue;
		out[i] = first ? ':' : '_';
		changed = true;
		first = false;
	}
	return changed;
}

static int
encode(const char *name, struct perf_event_attr *a, char **full)
{
	pfm_perf_encode_arg_t arg;

	memset(a, 0, sizeof *a);
	a->size = sizeof *a;
	memset(&arg, 0, sizeof arg);
	arg.attr = a;
	arg.fstr = full;
	arg.size = sizeof arg;
	return pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg);
}

/* Cuts "hsw::A:B:e=0:i=0:u=1:k=1" after the unit masks. */
static void
shorten(const char *full, char *out, size_t size)
{
	const char *equals = strchr(full, '=');
	size_t n = strlen(full);

	while (equals && equals > full && *equals != ':')
		equals--;
	if (equals)
		n = (size_t)(equals - full);
	snprintf(out, size, "%.*s", (int)n, full);
}

static bool
is_differing(const char *name, const char *asked, struct source_status *why)
{
	char wrong[16], right[16];

	for (size_t i = 0; i < sizeof differing / sizeof *differing; i++) {
		if (!str_eq(name, differing[i].name))
			continue;
		snprintf(wrong, sizeof wrong, "0x%04x", differing[i].wrong);
		snprintf(right, sizeof right, "0x%04x", differing[i].perfmon);
		event_refuse_codes(asked, "libpfm4", wrong, "Intel's tables", right, differing[i].use, why);
		return true;
	}
	return false;
}

static void
pfm_names_take(const struct perf_event_attr *attr, struct event_code *code)
{
	code->type = attr->type;
	code->config = attr->config;
	code->config1 = attr->config1;
	code->config2 = attr->config2;
	code->kind = attr->type == PERF_TYPE_TRACEPOINT ? EVENT_TRACEPOINT
		: attr->type <= PERF_TYPE_RAW        ? EVENT_HARDWARE
						  : EVENT_OTHER;
	code->nature = attr->type == PERF_TYPE_TRACEPOINT ? EVENT_KERNEL : EVENT_PLAIN;
	if (attr->type == PERF_TYPE_SOFTWARE)
		event_software_by_config(attr->config, code);
	code->no_user = attr->exclude_user;
	code->no_kernel = attr->exclude_kernel;
	code->side_given = code->no_user || code->no_kernel;
	code->no_hv = code->side_given;
	code->precise = attr->precise_ip & 3;
	code->pinned = attr->pinned;
	code->exclusive = attr->exclusive;
}

/* Refuses an event of another machine, with that machine's name. */
static bool
is_of_another_machine(const char *name, struct source_status *why)
{
	char full[300], first[160] = "";
	size_t more = 0;
	int id;

	pfm_for_all_pmus(id) {
		pfm_pmu_info_t info;
		struct perf_event_attr a;
		char *f = NULL;

		memset(&info, 0, sizeof info);
		info.size = sizeof info;
		if (pfm_get_pmu_info((pfm_pmu_t)id, &info) != PFM_SUCCESS || info.type != PFM_PMU_TYPE_CORE)
			continue;
		snprintf(full, sizeof full, "%s::%s", info.name, name);
		if (encode(full, &a, &f) == PFM_SUCCESS) {
			if (!*first)
				snprintf(first, sizeof first, "%s (%s)", info.name, info.desc);
			else
				more++;
		}
		free(f);
	}
	if (!*first)
		return false;
	source_status_refuse(why, ENODEV, NULL, "%.100s is an event of %s%s, not of this machine", name, first,
		more ? " and others" : "");
	return true;
}

int
event_by_libpfm(const char *name, struct event_code *code, struct source_status *why)
{
	char rewritten[200], *full = NULL;
	struct perf_event_attr a;
	int error, found = 0;
	bool dots = rewrite_dots(name, rewritten, sizeof rewritten);

	if (!start_library())
		return 0;
	error = encode(name, &a, &full);
	if (error != PFM_SUCCESS && dots) {
		free(full);
		full = NULL;
		error = encode(rewritten, &a, &full);
	}
	if (error == PFM_SUCCESS) {
		pfm_names_take(&a, code);
		if (code->kind != EVENT_SOFTWARE)
			shorten(full ? full : name, code->name, sizeof code->name);
		found = is_differing(code->name, name, why) ? -1 : 1;
	} else if (error == PFM_ERR_NOTFOUND) {
		found = is_of_another_machine(dots ? rewritten : name, why) ? -1 : 0;
	} else if (error == PFM_ERR_NOTSUPP) {
		source_status_refuse(why, ENODEV, NULL, "%s: libpfm4 knows it, but this machine has no such PMU", name);
		found = -1;
	} else {
		/* Another machine's event of the same name may have the unit mask that this one's lacks. */
		if (!is_of_another_machine(dots ? rewritten : name, why))
			source_status_refuse(why, ENOENT, NULL, "%s: libpfm4 knows the event, but not so: %s", name,
				pfm_strerror(error));
		found = -1;
	}
	free(full);
	return found;
}

/* --- the names it knows ------------------------------------------------------------------------------------------ */

struct spelling {
	bool lower, dots;
	const char *table; /* only its events are asked for; NULL: those of all tables */
	size_t length;
};

static void
pfm_names_add(struct names *names, const struct spelling *as, const char *table, const char *event, const char *mask)
{
	char text[EVENT_NAME_SIZE];
	int n = snprintf(text, sizeof text, "%s%s%s%s%s", as->table ? table : "", as->table ? "::" : "", event,
		mask ? as->dots ? "." : ":" : "", mask ? mask : "");

	if (n < 0 || (size_t)n >= sizeof text || names->n >= EVENT_NEAR_NAMES)
		return;
	for (int i = 0; as->lower && i < n; i++)
		text[i] = (char)tolower((unsigned char)text[i]);
	names_add(names, text, (size_t)n);
}

/* Listing an event's masks takes libpfm4 a time that grows with their square. An event that an earlier table had, with
 * as many attributes, is not listed again. */
static void
pfm_names_add_table(
	struct names *names, struct names *seen, const struct spelling *as, const pfm_pmu_info_t *table)
{
	char text[EVENT_NAME_SIZE];

	for (int i = table->first_event; i != -1; i = pfm_get_event_next(i)) {
		pfm_event_info_t event = {.size = sizeof event};
		size_t masks = 0;

		if (pfm_get_event_info(i, PFM_OS_NONE, &event) != PFM_SUCCESS)
			continue;
		snprintf(text, sizeof text, "%s %d", event.name, event.nattrs);
		if (names_add(seen, text, strlen(text)) + 1 < seen->n)
			continue;
		for (int k = 0; k < event.nattrs; k++) {
			pfm_event_attr_info_t mask = {.size = sizeof mask};

			if (pfm_get_event_attr_info(i, k, PFM_OS_NONE, &mask) != PFM_SUCCESS ||
				mask.type != PFM_ATTR_UMASK)
				continue;
			pfm_names_add(names, as, table->name, event.name, mask.name);
			masks++;
		}
		if (!masks)
			pfm_names_add(names, as, table->name, event.name, NULL);
	}
}

void
event_libpfm_names(const char *like, bool here, struct names *names)
{
	const char *colons = strstr(like, "::");
	struct spelling as = {.lower = true, .dots = strchr(like, '.') && !strchr(like, ':'),
		.table = colons ? like : NULL, .length = colons ? (size_t)(colons - like) : 0};
	bool outside = colons || strncasecmp(like, "unc", 3) == 0; /* tables of other units name their events UNC_… */
	struct names seen = {0};
	int id;

	for (const char *p = like; *p; p++)
		as.lower = as.lower && !isupper((unsigned char)*p);
	if (!start_library())
		return;
	pfm_for_all_pmus(id) {
		pfm_pmu_info_t info = {.size = sizeof info};

		if (pfm_get_pmu_info((pfm_pmu_t)id, &info) != PFM_SUCCESS ||
			(info.type != PFM_PMU_TYPE_CORE && !(info.type == PFM_PMU_TYPE_UNCORE && outside)))
			continue;
		if (as.table ? strlen(info.name) == as.length && strncmp(info.name, as.table, as.length) == 0
			     : info.is_present || !here)
			pfm_names_add_table(names, &seen, &as, &info);
	}
	names_free(&seen);
}

/* --- its tables as rows ------------------------------------------------------------------------------------------ */

static void
pfm_row_add(struct event_table *table, const char *core, const pfm_pmu_info_t *of, const pfm_event_info_t *event,
	const pfm_event_attr_info_t *mask)
{
	char *full = str_format("%s::%s%s%s", of->name, event->name, mask ? ":" : "", mask ? mask->name : "");
	char *name = str_format("%s%s%s", event->name, mask ? "." : "", mask ? mask->name : "");
	char *text = str_format("%s%s%s", event->desc ? event->desc : "", mask && mask->desc ? ": " : "",
		mask && mask->desc ? mask->desc : "");
	struct source_status doubt = {0};
	struct perf_event_attr a;
	struct str code = {0};

	for (char *p = name; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	if (encode(full, &a, NULL) == PFM_SUCCESS && a.type == PERF_TYPE_RAW && !is_differing(full, full, &doubt)) {
		str_addf(&code, "config=0x%llx", (unsigned long long)a.config);
		if (a.config1)
			str_addf(&code, ",config1=0x%llx", (unsigned long long)a.config1);
	}
	event_table_add(table, &(struct event_row){.name = name, .pmu = core, .text = text, .code = str_text(&code),
		.source = EVENT_FROM_LIBPFM});
	str_free(&code);
	free(full);
	free(name);
	free(text);
}

static void
pfm_rows_add(struct event_table *table, const char *core, const pfm_pmu_info_t *of)
{
	for (int i = of->first_event; i != -1; i = pfm_get_event_next(i)) {
		pfm_event_info_t event = {.size = sizeof event};
		bool masks = false;

		if (pfm_get_event_info(i, PFM_OS_NONE, &event) != PFM_SUCCESS)
			continue;
		for (int k = 0; k < event.nattrs; k++) {
			pfm_event_attr_info_t mask = {.size = sizeof mask};

			if (pfm_get_event_attr_info(i, k, PFM_OS_NONE, &mask) != PFM_SUCCESS ||
				mask.type != PFM_ATTR_UMASK)
				continue;
			pfm_row_add(table, core, of, &event, &mask);
			masks = true;
		}
		if (!masks)
			pfm_row_add(table, core, of, &event, NULL);
	}
}

void
event_libpfm_rows(const char *core, struct event_table *table)
{
	int id;

	if (!start_library())
		return;
	pfm_for_all_pmus(id) {
		pfm_pmu_info_t info = {.size = sizeof info};

		if (pfm_get_pmu_info((pfm_pmu_t)id, &info) == PFM_SUCCESS && info.is_present &&
			info.type == PFM_PMU_TYPE_CORE)
			pfm_rows_add(table, core, &info);
	}
}
