/* Owners of counts on a sysfs made for tests: two sockets of two cores of two threads, three slices of cache and two
 * memory channels each. */
#include "collect/host/owners.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "collect/source.h"
#include "test.h"

static struct owners *
look(const int *cpu, size_t n)
{
	const char *tests = getenv("HECATE_TESTS");
	char *path = str_format("%s/data/sysfs-server", tests ? tests : "tests");
	struct owners *o;

	setenv("HECATE_SYSFS", path, 1);
	o = owners_new(&(struct source_target){SOURCE_CPUS, cpu, n});
	unsetenv("HECATE_SYSFS");
	free(path);
	return o;
}

/* "S0-C0{0,4}[cycles] …" */
static void
describe(const struct owner *list, size_t n, struct str *out)
{
	str_clear(out);
	for (size_t i = 0; i < n; i++) {
		str_addf(out, "%s%s{", i ? " " : "", list[i].name);
		for (size_t k = 0; k < list[i].n_cpus; k++)
			str_addf(out, "%s%d", k ? "," : "", list[i].cpu[k]);
		str_add(out, "}");
		for (size_t k = 0; k < list[i].n_events; k++)
			str_addf(out, "%s%s", k ? "+" : "[", list[i].event[k].name);
		str_add(out, "]");
	}
}

static void
counters_have_owners(void)
{
	static const int some[] = {0, 3, 4};
	static const struct { enum scope scope; const char *event[2]; bool part; const char *want;
	} row[] = {
		{SCOPE_THREAD, {"cycles"}, false,
			"S0-C0-T0{0}[cycles] S0-C0-T4{4}[cycles] S0-C4-T1{1}[cycles] S0-C4-T5{5}[cycles] "
			"S1-C0-T2{2}[cycles] S1-C0-T6{6}[cycles] S1-C4-T3{3}[cycles] "
			"S1-C4-T7{7}[cycles]"},
		{SCOPE_CORE, {"a", "b"}, false, "S0-C0{0,4}[a+b] S0-C4{1,5}[a+b] S1-C0{2,6}[a+b] S1-C4{3,7}[a+b]"},
		{SCOPE_SOCKET, {"cycles"}, false, "S0{0,1,4,5}[cycles] S1{2,3,6,7}[cycles]"},
		{SCOPE_CORE, {"cycles"}, true, "S0-C0{0,4}[cycles] S1-C4{3}[cycles]"}, /* limited to what is watched */
		{SCOPE_SLICE, {"cycles"}, false, ""},
		{SCOPE_SYSTEM, {"cycles"}, false, ""},
		{SCOPE_TASK, {"uncore_imc_1/event=4/"}, false, ""},
		{SCOPE_CHANNEL, {"uncore_imc/event=4/"}, false,
			"S0-channel0{0}[uncore_imc_0/event=4/] S0-channel1{0}[uncore_imc_1/event=4/] "
			"S1-channel0{2}[uncore_imc_0/event=4/] S1-channel1{2}[uncore_imc_1/event=4/]"},
		{SCOPE_CHANNEL, {"cas_count_read", "uncore_imc/event=4/"}, false,
			"S0-channel0{0}[uncore_imc_0/cas_count_read/+uncore_imc_0/event=4/] "
			"S0-channel1{0}[uncore_imc_1/cas_count_read/+uncore_imc_1/event=4/] "
			"S1-channel0{2}[uncore_imc_0/cas_count_read/+uncore_imc_0/event=4/] "
			"S1-channel1{2}[uncore_imc_1/cas_count_read/+uncore_imc_1/event=4/]"},
		{SCOPE_SLICE, {"uncore_cha_2/event=1/"}, false,
			"S0-slice2{0}[uncore_cha_2/event=1/] S1-slice2{2}[uncore_cha_2/event=1/]"},
		{SCOPE_SLICE, {"clockticks_cha"}, true, /* the source decides whether its CPU is watched */
			"S0-slice0{0}[uncore_cha_0/clockticks_cha/] S0-slice1{0}[uncore_cha_1/clockticks_cha/] "
			"S0-slice2{0}[uncore_cha_2/clockticks_cha/] "
			"S1-slice0{2}[uncore_cha_0/clockticks_cha/] S1-slice1{2}[uncore_cha_1/clockticks_cha/] "
			"S1-slice2{2}[uncore_cha_2/clockticks_cha/]"},
		{SCOPE_SOCKET, {"cas_count_read"}, false,
			"S0{0}[uncore_imc_0/cas_count_read/+uncore_imc_1/cas_count_read/] "
			"S1{2}[uncore_imc_0/cas_count_read/+uncore_imc_1/cas_count_read/]"},
		{SCOPE_SOCKET, {"energy-pkg"}, false, "S0{0}[power/energy-pkg/] S1{2}[power/energy-pkg/]"},
		{SCOPE_DEVICE, {"uncore_cxlcm/event=2/"}, false, "S0-device0{0}[uncore_cxlcm_0/event=2/]"},
		{SCOPE_SYSTEM, {"cas_count_read"}, false,
			"{}[uncore_imc_0/cas_count_read/+uncore_imc_1/cas_count_read/]"},
		/* no core has any */
		{SCOPE_CORE, {"cas_count_read"}, false,
			"{}[uncore_imc_0/cas_count_read/+uncore_imc_1/cas_count_read/]"},
		{SCOPE_CHANNEL, {"cas_count_read", "cycles"}, false, ""},
		/* a slice 2 exists, a channel 2 does not */
		{SCOPE_CHANNEL, {"cas_count_read", "clockticks_cha"}, false, ""},
		{SCOPE_CHANNEL, {"both"}, false, ""},      /* PMUs of two families */
		{SCOPE_CHANNEL, {"mem-loads"}, false, ""}, /* the PMU of the cores */
		{SCOPE_CHANNEL, {"uncore_nosuch/event=4/"}, false, ""},
		{SCOPE_CHANNEL, {"../power/energy-pkg/"}, false, ""},
		{SCOPE_CHANNEL, {""}, false, ""},
		{SCOPE_CHANNEL, {"uncore_imc_7/event=4/"}, false, ""},
		{SCOPE_CHANNEL, {"uncore_imc_free/event=4/"}, false, ""},
		{SCOPE_CHANNEL, {"uncore_imc_free_running/event=4/"}, false,
			"S0-channel0{0}[uncore_imc_free_running_0/event=4/] "
			"S1-channel0{2}[uncore_imc_free_running_0/event=4/]"},
	};
	struct str got = {0};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct event_item event[2] = {{.name = row[i].event[0]}, {.name = row[i].event[1]}};
		struct owners *o = look(row[i].part ? some : NULL, row[i].part ? 3 : 0);
		const struct owner *list;
		size_t n = owners_of(o, row[i].scope, event, row[i].event[1] ? 2 : 1, &list);

		test_label("%s per %s", row[i].event[0], scope_name(row[i].scope));
		describe(list, n, &got);
		CHECK_STR(str_text(&got), row[i].want);
		owners_free(o);
	}
	str_free(&got);
}

/* Each event keeps its filter. */
static void
filters_are_kept(void)
{
	const struct event_item event = {.name = "uncore_imc/event=4/", .filter = "x == 1"};
	struct owners *o = look(NULL, 0);
	const struct owner *list;

	if (CHECK_INT(owners_of(o, SCOPE_CHANNEL, &event, 1, &list), 4))
		CHECK_STR(list[3].event[0].filter, "x == 1");
	owners_free(o);
}

/* Without a topology in sysfs each CPU is a core of socket 0. */
static void
without_topology(void)
{
	const struct event_item event = {.name = "cycles"};
	const int first[] = {0};
	const char *tests = getenv("HECATE_TESTS");
	char *path = str_format("%s/data/sysfs", tests ? tests : "tests");
	struct str got = {0};
	const struct owner *list;
	struct owners *o;
	size_t n;

	setenv("HECATE_SYSFS", path, 1);
	o = owners_new(&(struct source_target){SOURCE_CPUS, first, 1});
	unsetenv("HECATE_SYSFS");
	n = owners_of(o, SCOPE_THREAD, &event, 1, &list);
	describe(list, n, &got);
	CHECK_STR(str_text(&got), "S0-C0-T0{0}[cycles]");
	owners_free(o);
	str_free(&got);
	free(path);
}

TEST_MAIN(CASE(counters_have_owners), CASE(filters_are_kept), CASE(without_topology))
