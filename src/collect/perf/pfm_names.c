/* Names through libpfm4: `EVENT:UMASK`, `pmu::EVENT:UMASK`, perfmon's `EVENT.UMASK`, in any case.
 *
 * Version 4.13 has three faults. It says that a PMU is present where none opens; here the kernel decides. It takes no
 * second dot; such names are rewritten here. It encodes a few events wrongly and reports success; these are refused
 * here, with both codes. This file sees libpfm4's own copy of perf_event.h, so nothing else may. */
#include "collect/perf/names.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/library.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "collect/events/sysfs_events.h"
#include "collect/perf/known_events.h"
#include "collect/perf/world.h"
#include "collect/source.h"
#include "event/table.h"

/* Codes of version 4.13 that are not those of Intel's tables: found by encoding every event of libpfm4 and comparing
 * names with perf 6.1's tables and with perfmon's (SPR V1.39, HSW). `wrong` is compared whole where it is above 16
 * bits: modifiers that the user gives stand there. */
static const struct differing {
	const char *tables, *name;
	uint64_t wrong;
	const char *right; /* terms of the core PMU */
} differing[] = {
	{"nhm wsm wsm_dp", "BR_INST_RETIRED:ALL_BRANCHES", 0xc4, "event=0xc4,umask=0x4"},
	{"wsm wsm_dp", "BR_MISP_RETIRED:ALL_BRANCHES", 0xc5, "event=0xc5,umask=0x4"},
	{"nhm", "MACRO_INSTS:FUSIONS_DECODED", 0x1d0, "event=0xa6,umask=0x1"},
	{"snb snb_ep", "BR_INST_RETIRED:ALL_BRANCHES", 0x4c4, "event=0xc4"},
	{"snb snb_ep", "BR_MISP_RETIRED:ALL_BRANCHES", 0x4c5, "event=0xc5"},
	{"ivb ivb_ep", "MOVE_ELIMINATION:INT_ELIMINATED", 0x458, "event=0x58,umask=0x1"},
	{"ivb ivb_ep", "MOVE_ELIMINATION:INT_NOT_ELIMINATED", 0x158, "event=0x58,umask=0x4"},
	{"ivb_ep", "MEM_LOAD_UOPS_LLC_MISS_RETIRED:LOCAL_DRAM", 0x1d3, "event=0xd3,umask=0x3"},
	{"hsw hsw_ep bdw bdw_ep", "L2_RQSTS:CODE_RD_HIT", 0x4424, "event=0x24,umask=0xc4"},
	{"hsw hsw_ep bdw bdw_ep", "L2_RQSTS:DEMAND_DATA_RD_HIT", 0x4124, "event=0x24,umask=0xc1"},
	{"hsw hsw_ep bdw bdw_ep", "L2_RQSTS:PF_HIT", 0xd824, "event=0x24,umask=0xd0"},
	{"hsw hsw_ep bdw bdw_ep", "L2_RQSTS:PF_MISS", 0x3824, "event=0x24,umask=0x30"},
	{"hsw hsw_ep bdw bdw_ep", "L2_RQSTS:DEMAND_RFO_HIT", 0x4224, "event=0x24,umask=0xc2"},
	{"hsw hsw_ep bdw_ep", "UOPS_RETIRED:TOTAL_CYCLES", 0xa8001c2, "event=0xc2,umask=0x1,inv=0x1,cmask=0x10"},
	{"skl skx clx", "UOPS_RETIRED:TOTAL_CYCLES", 0xa8001c2, "event=0xc2,umask=0x2,inv=0x1,cmask=0x10"},
	{"skl skx clx", "UOPS_RETIRED:STALL_CYCLES", 0x18001c2, "event=0xc2,umask=0x2,inv=0x1,cmask=0x1"},
	{"icl icx spr", "TOPDOWN:BACKEND_BOUND_SLOTS", 0x200, "event=0xa4,umask=0x2"},
	{"icl icx spr", "TOPDOWN:BR_MISPREDICT_SLOTS", 0x800, "event=0xa4,umask=0x8"},
	{"icx", "MEM_LOAD_MISC_RETIRED:UC", 0x4c4, "event=0xd4,umask=0x4"},
	{"spr", "TOPDOWN:BAD_SPEC_SLOTS", 0x400, "event=0xa4,umask=0x4"},
	{"spr", "TOPDOWN:MEMORY_BOUND_SLOTS", 0x1000, "event=0xa4,umask=0x10"},
	{"spr", "INST_RETIRED:ANY", 0x1c0, "event=0xc0"},
	{"spr", "ARITH:IDIV_ACTIVE", 0x8b0, "event=0xb0,umask=0x8,cmask=0x1"},
	{"spr", "EXE:AMX_BUSY", 0x2b7, "event=0xb7,umask=0x2"},
	{"spr", "INT_MISC:UNKNOWN_BRANCH_CYCLES", 0x7ad, "event=0xad,umask=0x40,frontend=0x7"},
	{"spr", "MEM_TRANS_RETIRED:STORE_SAMPLE", 0x3cd, "event=0xcd,umask=0x2"},
	{"spr", "UOPS_RETIRED:MS", 0x8c2, "event=0xc2,umask=0x4,frontend=0x8"},
	{"glm", "CPU_CLK_UNHALTED:CORE_P", 0x0, "event=0x3c"},
	{"glm", "CPU_CLK_UNHALTED:REF", 0x100, "event=0x0,umask=0x3"},
	{"knl knm", "PAGE_WALKS:D_SIDE_WALKS", 0x1040105, "event=0x5,umask=0x1,edge=0x1"},
	{"knl knm", "PAGE_WALKS:I_SIDE_WALKS", 0x1040205, "event=0x5,umask=0x2,edge=0x1"},
	{"knl knm", "PAGE_WALKS:WALKS", 0x1040305, "event=0x5,umask=0x3,edge=0x1"},
};

/* The library is loaded for the first name that is asked for. Its tables are full of addresses that the dynamic linker
 * writes: 1 MB of memory in each process, and a part of each start. */
struct pfm {
	__typeof__(pfm_initialize) *initialize;
	__typeof__(pfm_get_os_event_encoding) *get_os_event_encoding;
	__typeof__(pfm_get_event_info) *get_event_info;
	__typeof__(pfm_get_event_next) *get_event_next;
	__typeof__(pfm_get_event_attr_info) *get_event_attr_info;
	__typeof__(pfm_get_pmu_info) *get_pmu_info;
	__typeof__(pfm_strerror) *strerror;
};

#ifdef PFM_LINKED /* tests/emulated: static programs load nothing */
static bool
load_library(struct pfm *pfm)
{
	*pfm = (struct pfm){pfm_initialize, pfm_get_os_event_encoding, pfm_get_event_info, pfm_get_event_next,
		pfm_get_event_attr_info, pfm_get_pmu_info, pfm_strerror};
	return true;
}
#else
/* False if the library is missing, or lacks a function. */
static bool
load_library(struct pfm *pfm)
{
	void *library = dlopen("libpfm.so.4", RTLD_LAZY | RTLD_LOCAL);

	return library && library_find(library, "pfm_initialize", &pfm->initialize) &&
		library_find(library, "pfm_get_os_event_encoding", &pfm->get_os_event_encoding) &&
		library_find(library, "pfm_get_event_info", &pfm->get_event_info) &&
		library_find(library, "pfm_get_event_next", &pfm->get_event_next) &&
		library_find(library, "pfm_get_event_attr_info", &pfm->get_event_attr_info) &&
		library_find(library, "pfm_get_pmu_info", &pfm->get_pmu_info) &&
		library_find(library, "pfm_strerror", &pfm->strerror);
}
#endif

/* Initialises the library so that names encode without their machine, for tests and for importing elsewhere. It reads
 * this from the environment once; the command that is counted must not inherit it. */
static bool
start_library(struct pfm *pfm)
{
	char *saved = getenv("LIBPFM_ENCODE_INACTIVE");
	bool good;

	if (!load_library(pfm))
		return false;
	saved = saved ? mem_str(saved) : NULL;
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	good = pfm->initialize() == PFM_SUCCESS;
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

/* `event`: libpfm4's number of the event; NULL: not wanted. */
static int
encode(const struct pfm *pfm, const char *name, struct perf_event_attr *a, char **full, int *event)
{
	pfm_perf_encode_arg_t arg;
	int error;

	memset(a, 0, sizeof *a);
	a->size = sizeof *a;
	memset(&arg, 0, sizeof arg);
	arg.attr = a;
	arg.fstr = full;
	arg.size = sizeof arg;
	error = pfm->get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg);
	if (event)
		*event = arg.idx;
	return error;
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
has_word(const char *words, const char *word, size_t n)
{
	for (const char *at = words; at; at = strchr(at, ' ')) {
		at += *at == ' ';
		if (strcspn(at, " ") == n && strncmp(at, word, n) == 0)
			return true;
	}
	return false;
}

/* Is a name of an event with its unit mask, perhaps with modifiers, the one of a row? */
static bool
is_row_name(const char *name, const char *row)
{
	const char *colons = strstr(name, "::");
	size_t n = strlen(row);

	name = colons ? colons + 2 : name;
	return strncasecmp(name, row, n) == 0 && (!name[n] || name[n] == ':');
}

/* Returns the row of an event that this version of the library encodes wrongly; NULL: none. `name`: as asked for, with
 * colons; `first`: as shorten() returns it. */
static const struct differing *
find_differing(const char *name, const char *first, uint64_t config)
{
	size_t n = strcspn(first, ":");

	for (size_t i = 0; i < sizeof differing / sizeof *differing; i++) {
		const struct differing *row = &differing[i];
		bool whole = row->wrong > 0xffff;

		if ((whole ? config : config & 0xffff) == row->wrong &&
			has_word(row->tables, first, n) &&
			(is_row_name(name, row->name) || (!whole && is_row_name(first, row->name))))
			return row;
	}
	return NULL;
}

static void
refuse_differing(const struct differing *row, const char *asked, struct source_status *why)
{
	char *use = str_format("cpu/%s/", row->right), wrong[32];

	snprintf(wrong, sizeof wrong, "0x%04" PRIx64, row->wrong);
	event_refuse_codes(asked, "libpfm4", wrong, "Intel's tables", row->right, use, why);
	free(use);
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
is_of_another_machine(const struct pfm *pfm, const char *name, struct source_status *why)
{
	char full[300], first[160] = "";
	size_t more = 0;
	int id;

	if (strstr(name, "::"))
		return false; /* it names its machine */
	pfm_for_all_pmus(id) {
		pfm_pmu_info_t info;
		struct perf_event_attr a;
		char *f = NULL;

		memset(&info, 0, sizeof info);
		info.size = sizeof info;
		if (pfm->get_pmu_info((pfm_pmu_t)id, &info) != PFM_SUCCESS || info.type != PFM_PMU_TYPE_CORE)
			continue;
		snprintf(full, sizeof full, "%s::%s", info.name, name);
		if (encode(pfm, full, &a, &f, NULL) == PFM_SUCCESS) {
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

/* Is the table of an event one for the processor here? */
static bool
is_present(const struct pfm *pfm, int event)
{
	pfm_event_info_t info = {.size = sizeof info};
	pfm_pmu_info_t pmu = {.size = sizeof pmu};

	return pfm->get_event_info(event, PFM_OS_NONE, &info) == PFM_SUCCESS &&
		pfm->get_pmu_info(info.pmu, &pmu) == PFM_SUCCESS && pmu.is_present && pmu.type == PFM_PMU_TYPE_CORE;
}

/* Compares an event of this processor with other sources. `name`: as shorten() returns it. */
static int
pfm_names_check(const char *name, const struct perf_world *world, struct source_status *why)
{
	const char *colons = strstr(name, "::");
	char *plain = mem_str(colons ? colons + 2 : name), *colon = strchr(plain, ':');
	int found;

	if (colon)
		*colon = '.';
	found = event_check_libpfm(plain, world, why);
	free(plain);
	return found;
}

int
event_by_libpfm(const char *name, const struct perf_world *world, struct event_code *code, struct source_status *why)
{
	char rewritten[200], *full = NULL;
	const struct differing *wrong;
	struct perf_event_attr a;
	struct pfm pfm;
	int error, event = -1, found = 0;
	bool dots = rewrite_dots(name, rewritten, sizeof rewritten);

	if (!start_library(&pfm))
		return 0;
	error = encode(&pfm, name, &a, &full, &event);
	if (error != PFM_SUCCESS && dots) {
		free(full);
		full = NULL;
		error = encode(&pfm, rewritten, &a, &full, &event);
	}
	if (error == PFM_SUCCESS && !strstr(name, "::") && is_present(&pfm, event) && !events_libpfm_is_here(world)) {
		found = is_of_another_machine(&pfm, dots ? rewritten : name, why) ? -1 : 0;
	} else if (error == PFM_SUCCESS) {
		pfm_names_take(&a, code);
		if (code->kind != EVENT_SOFTWARE)
			shorten(full ? full : name, code->name, sizeof code->name);
		wrong = find_differing(dots ? rewritten : name, code->name, a.config);
		found = wrong ? -1 : is_present(&pfm, event) ? pfm_names_check(code->name, world, why) : 1;
		if (wrong)
			refuse_differing(wrong, name, why);
	} else if (error == PFM_ERR_NOTFOUND) {
		found = is_of_another_machine(&pfm, dots ? rewritten : name, why) ? -1 : 0;
	} else if (error == PFM_ERR_NOTSUPP) {
		source_status_refuse(why, ENODEV, NULL, "%s: libpfm4 knows it, but this machine has no such PMU", name);
		found = -1;
	} else {
		/* Another machine's event of the same name may have the unit mask that this one's lacks. */
		if (!is_of_another_machine(&pfm, dots ? rewritten : name, why))
			source_status_refuse(why, ENOENT, NULL, "%s: libpfm4 knows the event, but not so: %s", name,
				pfm.strerror(error));
		found = -1;
	}
	free(full);
	return found;
}

/* --- the names it knows ------------------------------------------------------------------------------------------ */

struct spelling {
	const struct pfm *pfm;
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

	for (int i = table->first_event; i != -1; i = as->pfm->get_event_next(i)) {
		pfm_event_info_t event = {.size = sizeof event};
		size_t masks = 0;

		if (as->pfm->get_event_info(i, PFM_OS_NONE, &event) != PFM_SUCCESS)
			continue;
		snprintf(text, sizeof text, "%s %d", event.name, event.nattrs);
		if (names_add(seen, text, strlen(text)) + 1 < seen->n)
			continue;
		for (int k = 0; k < event.nattrs; k++) {
			pfm_event_attr_info_t mask = {.size = sizeof mask};

			if (as->pfm->get_event_attr_info(i, k, PFM_OS_NONE, &mask) != PFM_SUCCESS ||
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
	struct pfm pfm;
	struct spelling as = {.pfm = &pfm,
		.lower = true,
		.dots = strchr(like, '.') && !strchr(like, ':'),
		.table = colons ? like : NULL,
		.length = colons ? (size_t)(colons - like) : 0};
	bool outside = colons || strncasecmp(like, "unc", 3) == 0; /* tables of other units name their events UNC_… */
	struct names seen = {0};
	int id;

	for (const char *p = like; *p; p++)
		as.lower = as.lower && !isupper((unsigned char)*p);
	if (!start_library(&pfm))
		return;
	pfm_for_all_pmus(id) {
		pfm_pmu_info_t info = {.size = sizeof info};

		if (pfm.get_pmu_info((pfm_pmu_t)id, &info) != PFM_SUCCESS ||
			(info.type != PFM_PMU_TYPE_CORE && !(info.type == PFM_PMU_TYPE_UNCORE && outside)))
			continue;
		if (as.table ? strlen(info.name) == as.length && strncmp(info.name, as.table, as.length) == 0
			     : info.is_present || !here)
			pfm_names_add_table(names, &seen, &as, &info);
	}
	names_free(&seen);
}

/* --- its tables as rows ------------------------------------------------------------------------------------------ */

/* Where rows of a table go. */
struct pfm_rows {
	const struct pfm *pfm;
	struct event_table *table;
	const struct perf_world *world;
	const char *core; /* the PMU of PERF_TYPE_RAW */
	uint32_t type;    /* of `pmu` */
	char *pmu;        /* the last one that was looked for by its type; NULL: there is none */
};

/* Finds the PMU that an encoding is for: the number in its type is that of a PMU of sysfs. */
static const char *
pfm_rows_pmu(struct pfm_rows *rows, uint32_t type)
{
	if (type == PERF_TYPE_RAW)
		return rows->core;
	if (rows->type != type) {
		free(rows->pmu);
		rows->pmu = sysfs_pmu_of_type(rows->world->sysfs, type);
		rows->type = type;
	}
	return rows->pmu;
}

static void
pfm_row_add(struct pfm_rows *rows, const pfm_pmu_info_t *of, const pfm_event_info_t *event,
	const pfm_event_attr_info_t *mask)
{
	char *full = str_format("%s::%s%s%s", of->name, event->name, mask ? ":" : "", mask ? mask->name : "");
	char *name = str_format("%s%s%s", event->name, mask ? "." : "", mask ? mask->name : "");
	char *text = str_format("%s%s%s", event->desc ? event->desc : "", mask && mask->desc ? ": " : "",
		mask && mask->desc ? mask->desc : "");
	char *first = NULL, shown[EVENT_NAME_SIZE];
	struct perf_event_attr a;
	struct str code = {0};
	bool encoded = encode(rows->pfm, full, &a, &first, NULL) == PFM_SUCCESS;
	const char *pmu = encoded ? pfm_rows_pmu(rows, a.type) : of->type == PFM_PMU_TYPE_CORE ? rows->core : NULL;

	for (char *p = name; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	shorten(first ? first : full, shown, sizeof shown);
	if (encoded && !find_differing(full, shown, a.config)) {
		str_addf(&code, "config=0x%llx", (unsigned long long)a.config);
		if (a.config1)
			str_addf(&code, ",config1=0x%llx", (unsigned long long)a.config1);
		if (a.config2)
			str_addf(&code, ",config2=0x%llx", (unsigned long long)a.config2);
	}
	if (pmu)
		event_table_add(rows->table, &(struct event_row){.name = name, .pmu = pmu, .text = text,
			.code = str_text(&code), .source = EVENT_FROM_LIBPFM});
	str_free(&code);
	free(first);
	free(full);
	free(name);
	free(text);
}

static void
pfm_rows_add(struct pfm_rows *rows, const pfm_pmu_info_t *of)
{
	for (int i = of->first_event; i != -1; i = rows->pfm->get_event_next(i)) {
		pfm_event_info_t event = {.size = sizeof event};
		bool masks = false;

		if (rows->pfm->get_event_info(i, PFM_OS_NONE, &event) != PFM_SUCCESS)
			continue;
		for (int k = 0; k < event.nattrs; k++) {
			pfm_event_attr_info_t mask = {.size = sizeof mask};

			if (rows->pfm->get_event_attr_info(i, k, PFM_OS_NONE, &mask) != PFM_SUCCESS ||
				mask.type != PFM_ATTR_UMASK)
				continue;
			pfm_row_add(rows, of, &event, &mask);
			masks = true;
		}
		if (!masks)
			pfm_row_add(rows, of, &event, NULL);
	}
}

void
event_libpfm_rows(const struct perf_world *world, const char *core, struct event_table *table)
{
	struct pfm pfm;
	struct pfm_rows rows = {.pfm = &pfm, .table = table, .world = world, .core = core, .type = PERF_TYPE_RAW};
	int id;

	if (!start_library(&pfm))
		return;
	pfm_for_all_pmus(id) {
		pfm_pmu_info_t info = {.size = sizeof info};

		if (pfm.get_pmu_info((pfm_pmu_t)id, &info) == PFM_SUCCESS && info.is_present &&
			(info.type == PFM_PMU_TYPE_CORE || info.type == PFM_PMU_TYPE_UNCORE))
			pfm_rows_add(&rows, &info);
	}
	free(rows.pmu);
}
