/* Every event of every table of the installed libpfm4, with each of its unit masks, has the attribute that libpfm4
 * gives it, or is one of the listed codes that are known to be wrong. What libpfm4 cannot encode is refused with a
 * reason. With HECATE_SLOW each of its modifiers is added, too. Nothing here is of one version of libpfm4. */
#include <inttypes.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/perf/known_events.h"
#include "collect/perf/names.h"
#include "collect/perf/world.h"
#include "collect/source.h"
#include "test.h"

struct tally {
	struct perf_world world;
	size_t tables, equal, refused, listed, differ;
};

static bool
pfm_encodes(const char *name, struct perf_event_attr *attr)
{
	pfm_perf_encode_arg_t arg = {.attr = attr, .size = sizeof arg};

	*attr = (struct perf_event_attr){.size = sizeof *attr};
	return pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg) == PFM_SUCCESS;
}

/* Is it a listed disagreement? Then the reason has libpfm4's code, without what modifiers add, and the other one. */
static bool
is_listed(const char *why, uint64_t config)
{
	const char *code = strstr(why, ": libpfm4 encodes it as 0x");
	uint64_t wrong = code ? strtoull(strstr(code, "0x"), NULL, 16) : 0;

	return code && strstr(code, "Intel's tables as event=") && (wrong == config || wrong == (config & 0xffff));
}

/* `name`: as the user writes it; `full`: as libpfm4 does. */
static void
compare_name(struct tally *tally, const char *name, const char *full)
{
	struct source_status why = {0};
	struct perf_event_attr attr;
	struct event_code code;
	bool encoded = pfm_encodes(full, &attr), found, good;

	/* To find near names for one that is refused takes 20 ms: this is done for one in a thousand. */
	memset(&code, 0, sizeof code);
	found = encoded || tally->refused % 1000 == 0 ? event_by_name(name, &tally->world, &code, &why)
						      : event_by_libpfm(name, &tally->world, &code, &why) > 0;

	if (encoded && !found && is_listed(why.why, attr.config)) {
		tally->listed++;
		good = true;
	} else if (!encoded) {
		good = !found && (*why.why || tally->refused % 1000);
		tally->refused++;
	} else {
		tally->equal++;
		good = found && code.type == attr.type && code.config == attr.config && code.config1 == attr.config1 &&
			code.config2 == attr.config2 && code.precise == attr.precise_ip && code.pinned == attr.pinned &&
			code.no_user == attr.exclude_user && code.no_kernel == attr.exclude_kernel;
	}
	if (!good && tally->differ++ < 20)
		test_check(false, __FILE__, __LINE__, "%s: libpfm4 %s 0x%" PRIx64 " 0x%" PRIx64 ", hecate %s 0x%" PRIx64
			" 0x%" PRIx64 ": %s", name, encoded ? "encodes" : "refuses", (uint64_t)attr.config,
			(uint64_t)attr.config1, found ? "encodes" : "refuses", code.config, code.config1, why.why);
}

/* The name as users of perf and perfmon write it: "hsw::l2_rqsts.pf_hit". */
static void
compare_dotted(struct tally *tally, const char *full)
{
	char *dotted = mem_str(full), *colons = strstr(dotted, "::"), *colon = colons ? strchr(colons + 2, ':') : NULL;

	if (colon) {
		*colon = '.';
		for (char *s = dotted; *s; s++)
			*s |= *s >= 'A' && *s <= 'Z' ? 0x20 : 0;
		compare_name(tally, dotted, full);
	}
	free(dotted);
}

static void
compare_modifiers(struct tally *tally, int event, int attributes, const char *full)
{
	for (int i = 0; i < attributes; i++) {
		pfm_event_attr_info_t info = {.size = sizeof info};
		char *name;

		if (pfm_get_event_attr_info(event, i, PFM_OS_PERF_EVENT_EXT, &info) != PFM_SUCCESS ||
			info.type == PFM_ATTR_UMASK)
			continue;
		/* 2 is a value of every number; perf's letters u, k, h … are hecate's own: tests/unit/events_perf.c */
		if (strlen(info.name) == 1 && strchr("ukhp", *info.name))
			continue;
		name = str_format("%s:%s%s", full, info.name, info.type == PFM_ATTR_MOD_INTEGER ? "=2" : "=1");
		compare_name(tally, name, name);
		free(name);
	}
}

static void
compare_event(struct tally *tally, const char *table, int event, bool slow)
{
	pfm_event_info_t info = {.size = sizeof info};
	struct perf_event_attr attr;
	size_t masks = 0;
	char *full;

	if (!CHECK(pfm_get_event_info(event, PFM_OS_PERF_EVENT_EXT, &info) == PFM_SUCCESS))
		return;
	for (int i = 0; i < info.nattrs; i++) {
		pfm_event_attr_info_t mask = {.size = sizeof mask};

		if (pfm_get_event_attr_info(event, i, PFM_OS_PERF_EVENT_EXT, &mask) != PFM_SUCCESS ||
			mask.type != PFM_ATTR_UMASK)
			continue;
		full = str_format("%s::%s:%s", table, info.name, mask.name);
		compare_name(tally, full, full);
		compare_dotted(tally, full);
		if (slow && pfm_encodes(full, &attr))
			compare_modifiers(tally, event, info.nattrs, full);
		free(full);
		masks++;
	}
	full = str_format("%s::%s", table, info.name);
	compare_name(tally, full, full);
	if (slow && !masks)
		compare_modifiers(tally, event, info.nattrs, full);
	free(full);
}

static void
every_code_is_libpfms(void)
{
	struct known_events known = {0};
	struct tally tally = {0};
	bool slow = test_rounds(0, 1);
	int id;

	perf_world_probe(&tally.world);
	tally.world.known = &known;
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1); /* encode tables of other machines; read by the first call alone */
	if (!CHECK(pfm_initialize() == PFM_SUCCESS))
		return;
	pfm_for_all_pmus(id) {
		pfm_pmu_info_t info = {.size = sizeof info};

		if (pfm_get_pmu_info((pfm_pmu_t)id, &info) != PFM_SUCCESS ||
			(info.type != PFM_PMU_TYPE_CORE && info.type != PFM_PMU_TYPE_UNCORE))
			continue;
		tally.tables++;
		for (int i = info.first_event; i != -1; i = pfm_get_event_next(i))
			compare_event(&tally, info.name, i, slow);
	}
	printf("# %zu tables, %zu names encoded alike, %zu refused by both, %zu of the listed codes, %zu differ\n",
		tally.tables, tally.equal, tally.refused, tally.listed, tally.differ);
	CHECK_INT(tally.differ, 0);
	CHECK(tally.tables > 0 && tally.equal > 1000 && tally.listed < tally.equal / 100);
	known_events_free(&known);
	unsetenv("LIBPFM_ENCODE_INACTIVE");
}

TEST_MAIN(CASE(every_code_is_libpfms))
