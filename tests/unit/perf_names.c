/* Event names: the code of each, against the kernel's documentation and libpfm4's tables; refused names with their
 * reason; the states of tracefs with their remedy. sysfs and tracefs are made for the test. */
#include "collect/perf/names.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/host/doctor.h"
#include "collect/perf/filter.h"
#include "collect/perf/known_events.h"
#include "collect/perf/open.h"
#include "collect/perf/world.h"
#include "collect/source.h"
#include "test.h"

/* A machine made of files: a core PMU, two memory controllers, an odd PMU, and a tracefs. */
static void
look_at_fake_machine(struct perf_world *w)
{
	const char *tests = getenv("HECATE_TESTS");
	char path[4096];

	snprintf(path, sizeof path, "%s/data/sysfs", tests ? tests : "tests");
	setenv("HECATE_SYSFS", path, 1);
	perf_world_probe(w);
	unsetenv("HECATE_SYSFS");
}

static void
names_give_codes(void)
{
	static const struct {
		const char *name;
		enum event_kind kind;
		uint32_t type;
		uint64_t config, config1, config2;
		const char *canonical;
	} row[] = {
		{"page-faults", EVENT_SOFTWARE, 1, 2, 0, 0, "page-faults"},
		{"faults", EVENT_SOFTWARE, 1, 2, 0, 0, "page-faults"},
		{"MAJOR-FAULTS", EVENT_SOFTWARE, 1, 6, 0, 0, "major-faults"},
		{"cs", EVENT_SOFTWARE, 1, 3, 0, 0, "context-switches"},
		{"migrations", EVENT_SOFTWARE, 1, 4, 0, 0, "cpu-migrations"},
		{"task-clock:u", EVENT_SOFTWARE, 1, 1, 0, 0, "task-clock:u"},
		{"cgroup-switches", EVENT_SOFTWARE, 1, 11, 0, 0, "cgroup-switches"},
		{"cycles", EVENT_HARDWARE, 0, 0, 0, 0, "cpu-cycles"},
		{"branches:u", EVENT_HARDWARE, 0, 4, 0, 0, "branch-instructions:u"},
		{"dTLB-load-misses", EVENT_HARDWARE, 3, 0x10003, 0, 0, "dTLB-load-misses"},
		{"LLC-stores", EVENT_HARDWARE, 3, 0x102, 0, 0, "LLC-stores"},
		{"r01c2", EVENT_HARDWARE, 4, 0x1c2, 0, 0, "r01c2"},
		{"r5301C4:u", EVENT_HARDWARE, 4, 0x5301c4, 0, 0, "r5301C4:u"},
		{"cpu/event=0x3c,umask=1,edge,cmask=255/", EVENT_HARDWARE, 4, 0xff04013c, 0, 0,
			"cpu/event=0x3c,umask=1,edge,cmask=255/"},
		{"cpu/event=0xb7,umask=1,offcore_rsp=0xffffffffffffffff/u", EVENT_HARDWARE, 4, 0x1b7, UINT64_MAX, 0,
			NULL},
		{"cpu/config=0x1c2,name=mine/", EVENT_HARDWARE, 4, 0x1c2, 0, 0, NULL},
		{"cpu/ref-x/", EVENT_HARDWARE, 4, 0x13c, 0, 0, NULL},
		{"cpu/mem-loads,ldlat=30/", EVENT_HARDWARE, 4, 0x1cd, 30, 0, NULL},
		{"mem-stores:u", EVENT_HARDWARE, 4, 0x82d0, 0, 0, NULL},
		{"odd/split=0xa5,flag/", EVENT_OTHER, 33, 0xa00000005, 0, 0x20, NULL},
		{"odd/top/", EVENT_OTHER, 33, UINT64_C(1) << 63, 0, 0, NULL},
		{"both", EVENT_OTHER, 33, 0x200000001, 0, 0x20, NULL},
		{"odd//", EVENT_OTHER, 33, 0, 0, 0, NULL},
		{"sched:sched_switch", EVENT_TRACEPOINT, 2, 314, 0, 0, "sched:sched_switch"},
		{"exceptions:page_fault_user", EVENT_TRACEPOINT, 2, 190, 0, 0, NULL},
		{"hsw::DTLB_LOAD_MISSES:WALK_COMPLETED", EVENT_HARDWARE, 4, 0x0e08, 0, 0,
			"hsw::DTLB_LOAD_MISSES:WALK_COMPLETED"},
		{"hsw::dtlb_load_misses.walk_completed", EVENT_HARDWARE, 4, 0x0e08, 0, 0,
			"hsw::DTLB_LOAD_MISSES:WALK_COMPLETED"},
		{"hsw::mem_uops_retired.stlb_miss_loads:u", EVENT_HARDWARE, 4, 0x11d0, 0, 0, NULL},
		{"spr::OCR.DEMAND_DATA_RD.L3_HIT", EVENT_HARDWARE, 4, 0x12a, 0x3f803c0001, 0,
			"spr::OCR:DEMAND_DATA_RD_L3_HIT"},
		{"perf::PERF_COUNT_SW_CONTEXT_SWITCHES", EVENT_SOFTWARE, 1, 3, 0, 0, "context-switches"},
	};
	struct perf_world w;

	look_at_fake_machine(&w);
	CHECK_STR(w.core_pmu, "cpu");
	CHECK_INT(w.tracefs_state, TRACEFS_READABLE);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct source_status s = {0};
		struct event_code c;

		test_label("%s", row[i].name);
		if (!test_check(event_by_name(row[i].name, &w, &c, &s), __FILE__, __LINE__, "refused: %s", s.why))
			continue;
		CHECK_INT(c.kind, row[i].kind);
		CHECK_INT(c.type, row[i].type);
		CHECK_INT(c.config, row[i].config);
		CHECK_INT(c.config1, row[i].config1);
		CHECK_INT(c.config2, row[i].config2);
		if (row[i].canonical)
			CHECK_STR(c.name, row[i].canonical);
	}
}

static void
modifiers_choose_sides(void)
{
	static const struct {
		const char *name;
		bool user, kernel, hv, guest, host;
		unsigned precise;
		bool given;
	} row[] = {
		{"cycles", true, true, true, false, true, 0, false},
		{"cycles:u", true, false, false, false, true, 0, true},
		{"cycles:k", false, true, false, true, true, 0, true},
		{"cycles:uk", true, true, false, false, true, 0, true},
		{"cycles:ukh", true, true, true, false, true, 0, true},
		{"cycles:G", true, true, true, true, false, 0, false},
		{"cycles:uH", true, false, false, false, true, 0, true},
		{"cycles:ppp", true, true, true, false, true, 3, false},
		{"cycles:kpG", false, true, false, true, false, 1, true},
		{"cpu/event=1/k", false, true, false, true, true, 0, true},
		{"hsw::INST_RETIRED:u", true, false, false, true, true, 0, true},
		/* as perf means them: how it is measured, not what; guests are left out as perf leaves them out */
		{"page-faults:P", true, true, true, true, true, 0, false},
		{"page-faults:uSDWebXI", true, false, false, false, true, 0, true},
		{"cpu/event=1/uP", true, false, false, false, true, 0, true},
		{"l1d-read-misses:u", true, false, false, false, true, 0, true},
	};
	struct perf_world w;

	look_at_fake_machine(&w);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct source_status s = {0};
		struct event_code c;

		test_label("%s", row[i].name);
		if (!test_check(event_by_name(row[i].name, &w, &c, &s), __FILE__, __LINE__, "refused: %s", s.why))
			continue;
		CHECK_INT(!c.no_user, row[i].user);
		CHECK_INT(!c.no_kernel, row[i].kernel);
		CHECK_INT(!c.no_hv, row[i].hv);
		CHECK_INT(!c.no_guest, row[i].guest);
		CHECK_INT(!c.no_host, row[i].host);
		CHECK_INT(c.precise, row[i].precise);
		CHECK_INT(c.side_given, row[i].given);
	}
}

static void
wrong_names_are_refused_with_reason(void)
{
	static const struct { const char *name, *why; } row[] = {
		{"", "without a name"}, {"nosuch", "no such event: nosuch"}, {"page-faults:z",
			"unknown modifier; there are u (user mode), k (kernel mode)"}, {"cycles:pppp",
				"three times at most"},
		{"cycles:uu", "a modifier was given twice"}, {"cycles:R", "the latency of retirement is no count"},
		{"context-switches:u", "would open and always count 0"}, {"cs:u",
			"would open and always count 0"}, {"migrations:u", "always count 0"},
		{"cgroup-switches:u", "always count 0"}, {"sched:sched_switch:u",
			"would open and always count 0"}, {"page-faults:h", "no hypervisor side"},
		{"sched:nosuch", "system \"sched\" of this kernel has no event \"nosuch\""}, {"nosuch:event",
			"no tracepoint system \"nosuch\""},
		{"broken:id_is_text", "cannot be read"}, {"x/y", "not of the form pmu/terms/"}, {"none/x=1/",
			"no PMU \"none\""},
		{"../cpu/event=1/", "not of the form"}, {"odd/nosuch=1/", "has no term \"nosuch\""},
			{"odd/split=256/", "does not fit its bits config:0-3,32-35"},
		{"odd/flag=2/", "does not fit"}, {"odd/split=zz/", "\"zz\" is no value"}, {"odd/split=-1/",
			"is no value"}, {"odd/,/", "an empty term"},
		{"odd/future/", "format of term future is not understood"}, {"odd/nonsense/", "not understood"},
			{"odd/loop/", "no term \"loop\""},
		{"uncore_imc_0/cas_count_read/", "never for one command"}, {"cas_count_read", "of PMU uncore_imc_"},
		{"spr::TOPDOWN:BACKEND_BOUND_SLOTS", "0x0200, Intel's tables as event=0xa4,umask=0x2"},
			{"spr::TOPDOWN.MEMORY_BOUND_SLOTS", "0x1000, Intel's"},
		{"hsw::L2_RQSTS.DEMAND_DATA_RD_HIT", "0x4124, Intel's tables as event=0x24,umask=0xc1"},
			{"hsw::L2_RQSTS.RFO_HIT", "0x4224"}, {"hsw::NOSUCH", "no such event"},
		{"hsw::DTLB_LOAD_MISSES:NOSUCH", "libpfm4 knows the event, but not so"},
			{"itanium_event_of_no_machine.x", "no such event"},
	};
	struct perf_world w;

	look_at_fake_machine(&w);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct source_status s = {0};
		struct event_code c;

		test_label("%s", row[i].name);
		CHECK(!event_by_name(row[i].name, &w, &c, &s));
		test_check(strstr(s.why, row[i].why) != NULL, __FILE__, __LINE__, "the reason is \"%s\"", s.why);
		CHECK_INT(s.health, OBS_UNSUPPORTED);
		CHECK(s.error != 0);
	}
}

/* Names of each source, and what users write instead. */
static void
refused_names_have_near_ones(void)
{
	static const struct { const char *name, *near; } row[] = {
		{"page-fault", "nearest: page-faults"}, {"page-fault:u", "nearest: page-faults"},
		{"faults-page", "nearest: page-faults"}, {"clock task", "nearest: task-clock"},
		{"L1-dcache-load-mises:u", "nearest: L1-dcache-load-misses"}, {"mem-load", "nearest: mem-loads"},
		{"sched:sched_swich", "nearest: sched:sched_switch"}, {"schd:sched_switch", "sched:sched_switch"},
		{"switch_sched", "nearest: sched:sched_switch"},
		{"hsw::DTLB_LOAD_MISSES:WALK_COMPLETE", "nearest: hsw::DTLB_LOAD_MISSES:WALK_COMPLETED"},
		{"cpu/evnt=3/", "it has: "}, {"cpu/evnt=3/", "nearest: event"}, {"cpu/mem-load/", "nearest: mem-loads"},
		{"cpu/cmsk=1/", "nearest: cmask"}, {"uncore_im_1/event=1/", "nearest: uncore_imc_1, uncore_imc_0"},
	};
	struct perf_world w;
	struct source_status s = {0};
	struct event_code c;

	look_at_fake_machine(&w);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		memset(&s, 0, sizeof s);
		test_label("%s", row[i].name);
		CHECK(!event_by_name(row[i].name, &w, &c, &s));
		test_check(strstr(s.why, row[i].near) != NULL, __FILE__, __LINE__, "the reason is \"%s\"", s.why);
	}
	memset(&s, 0, sizeof s);
	CHECK(!event_by_name("zzzz.qqqq", &w, &c, &s));
	CHECK(strstr(s.why, "nearest") == NULL);
	/* libpfm4's tables, where no PMU says which of them is this machine's: about 20 000 names */
	w.core_pmu[0] = '\0';
	for (size_t i = 0; i < 3; i++) {
		static const char *const name[] = {"dtlb_load_misses.walk_complete", "dtlb_load_misses walk complete",
			"walk_complete.dtlb_load_misses"};

		memset(&s, 0, sizeof s);
		CHECK(!event_by_name(name[i], &w, &c, &s));
		test_check(strstr(s.why, i == 1 ? "dtlb_load_misses:walk_completed" : "dtlb_load_misses.walk_completed")
			!= NULL, __FILE__, __LINE__, "the reason is \"%s\"", s.why);
	}
}

/* A table of events that is loaded has names, too. */
static void
refused_names_have_near_ones_of_tables(void)
{
	struct known_events known = {.loaded = true};
	struct perf_world w;
	struct source_status s = {0};
	struct event_code c;

	look_at_fake_machine(&w);
	CHECK(!event_by_name("made_by_nobody.walk_don", &w, &c, &s));
	CHECK(strstr(s.why, "made_by_nobody.walk_done") == NULL);
	event_table_add(&known.table, &(struct event_row){.name = "MADE_BY_NOBODY.WALK_DONE", .pmu = "cpu",
		.code = "event=0x51", .source = EVENT_FROM_FOLDER});
	event_table_sort(&known.table);
	w.known = &known;
	s = (struct source_status){0};
	CHECK(!event_by_name("made_by_nobody.walk_don", &w, &c, &s));
	test_check(strstr(s.why, "nearest: MADE_BY_NOBODY.WALK_DONE") != NULL, __FILE__, __LINE__,
		"the reason is \"%s\"", s.why);
	known_events_free(&known);
}

static void
tracefs_states_have_remedies(void)
{
	static const struct { enum tracefs_state state; bool admin, perfmon; const char *why, *remedy; } row[] = {
		{TRACEFS_NOT_MOUNTED, true, true, "tracefs is not mounted",
			"mount -t tracefs tracefs /sys/kernel/tracing"},
		{TRACEFS_NOT_MOUNTED, false, false, "no CAP_SYS_ADMIN",
			"sudo mount -t tracefs tracefs /sys/kernel/tracing (or ask who administers this machine)"},
		{TRACEFS_FORBIDDEN, false, false, "no CAP_PERFMON",
			"sudo hecate …, or for one group: man hecate, PRIVILEGES"},
		{TRACEFS_FORBIDDEN, false, true, "may not read",
			"sudo hecate …, or for one group: man hecate, PRIVILEGES"},
		{TRACEFS_MISSING, true, true, "has no tracefs", ""},
	};
	struct perf_world w;

	look_at_fake_machine(&w);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct source_status s = {0};
		struct event_code c;

		test_label("row %zu", i);
		w.tracefs_state = row[i].state;
		w.cap_admin = row[i].admin;
		w.cap_perfmon = row[i].perfmon;
		w.in_userns = false;
		CHECK(!event_by_name("sched:sched_switch", &w, &c, &s));
		test_check(strstr(s.why, row[i].why) != NULL, __FILE__, __LINE__, "the reason is \"%s\"", s.why);
		CHECK_STR(s.remedy, row[i].remedy);
		memset(&s, 0, sizeof s);
		CHECK(event_by_name("hsw::DTLB_LOAD_MISSES:WALK_COMPLETED:u", &w, &c, &s));
	}
}

/* Exit statuses of a child. */
enum { GOOD, DIFFERENT, NOT_READABLE, MOUNTED, NO_NAMESPACE, STILL_MOUNTED };

static bool
is_mount_point(const char *path)
{
	char line[4096], where[1024];
	bool is = false;
	FILE *f = fopen("/proc/self/mounts", "r");

	while (f && !is && fgets(line, sizeof line, f))
		is = sscanf(line, "%*s %1023s", where) == 1 && strcmp(where, path) == 0;
	if (f)
		fclose(f);
	return is;
}

/* In a mount namespace of its own, where no tracefs is mounted, looks up what id a tracepoint has. */
static int
look_up_unmounted(int id)
{
	static const char *const place[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing", "/sys/kernel/debug"};
	struct source_status s = {0};
	struct event_code c;
	struct perf_world w;

	if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
		return NO_NAMESPACE;
	for (size_t i = 0; i < sizeof place / sizeof *place; i++)
		while (umount2(place[i], MNT_DETACH) == 0)
			;
	if (is_mount_point(place[0]))
		return STILL_MOUNTED;
	perf_world_probe(&w);
	if (w.tracefs_state != TRACEFS_READABLE || !w.detached)
		return NOT_READABLE;
	for (int k = 0; k < 2; k++)
		if (!event_by_name("sched:sched_switch", &w, &c, &s) || (int)c.config != id)
			return DIFFERENT;
	return is_mount_point(place[0]) ? MOUNTED : GOOD;
}

static void
tracefs_is_read_where_it_is_not_mounted(void)
{
	struct source_status s = {0};
	struct event_code c;
	struct perf_world w;
	int status = 0;
	pid_t child;

	perf_world_probe(&w);
	if (!w.cap_admin || !event_by_name("sched:sched_switch", &w, &c, &s)) {
		test_skip("%s", w.cap_admin ? s.why : "needs root, to mount tracefs for itself");
		return;
	}
	child = fork();
	if (child == 0)
		_exit(look_up_unmounted((int)c.config));
	CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
	if (WEXITSTATUS(status) == NO_NAMESPACE || WEXITSTATUS(status) == STILL_MOUNTED)
		test_skip("needs root, and a mount namespace without tracefs");
	else
		CHECK_INT(WEXITSTATUS(status), GOOD);
}

/* A tree made for a test is all there is: what is not in it is not mounted. */
static void
a_made_tree_is_never_completed(void)
{
	char root[] = "/tmp/hecate-tree-XXXXXX", path[64];
	struct source_status s = {0};
	struct event_code c;
	struct perf_world w;

	if (!CHECK(mkdtemp(root) != NULL))
		return;
	snprintf(path, sizeof path, "%s/kernel", root);
	CHECK_INT(mkdir(path, 0700), 0);
	snprintf(path, sizeof path, "%s/kernel/tracing", root);
	CHECK_INT(mkdir(path, 0700), 0);
	setenv("HECATE_SYSFS", root, 1);
	perf_world_probe(&w);
	unsetenv("HECATE_SYSFS");
	CHECK_INT(w.tracefs_state, TRACEFS_NOT_MOUNTED);
	CHECK(!w.detached);
	CHECK(!event_by_name("sched:sched_switch", &w, &c, &s));
	CHECK(strstr(s.why, "tracefs is not mounted") != NULL);
	rmdir(path);
	snprintf(path, sizeof path, "%s/kernel", root);
	rmdir(path);
	rmdir(root);
}

static void
constants_in_filters(void)
{
	struct filter_constants known = {.pgfault = {.known = true, .value = 23}},
				not = {.pgfault = {.known = true, .value = -1, .why = "no memcg"}};
	struct source_status s = {0};
	struct perf_world w;
	char out[40];

	look_at_fake_machine(&w);
	CHECK(filter_expand("item == $PGFAULT && x != $PGFAULT", &known, &w, out, sizeof out, &s));
	CHECK_STR(out, "item == 23 && x != 23");
	CHECK(filter_expand("error_code & 2", &known, &w, out, sizeof out, &s));
	CHECK_STR(out, "error_code & 2");
	CHECK(!filter_expand("item == $PGFAULTS", &known, &w, out, sizeof out, &s));
	CHECK_STR(s.why, "unknown constant $PGFAULTS in the filter \"item == $PGFAULTS\"; known: $PGFAULT");
	CHECK(!filter_expand("item == $", &known, &w, out, sizeof out, &s));
	CHECK(!filter_expand("item == $PGFAULT", &not, &w, out, sizeof out, &s));
	CHECK_STR(s.why, "$PGFAULT cannot be probed: no memcg");
	CHECK(!filter_expand("0123456789012345678901234567890123456789", &known, &w, out, sizeof out, &s));
	CHECK(strstr(s.why, "longer than 39 bytes") != NULL);
}

static void
zero_means_what_the_event_allows(void)
{
	static const struct { const char *name; struct perf_reading r; enum obs_health health; } row[] = {
		{"page-faults", {5, 10, 10}, OBS_LIVE}, {"page-faults", {0, 10, 10}, OBS_DEAD}, {"page-faults:k",
			{0, 10, 10}, OBS_LIVE},
		{"major-faults", {0, 10, 10}, OBS_LIVE}, {"sched:sched_switch", {0, 10, 10}, OBS_LIVE}, {"dummy",
			{0, 10, 10}, OBS_DEAD},
		{"instructions", {0, 10, 10}, OBS_DEAD}, {"instructions", {9, 10, 10}, OBS_LIVE}, {"cycles:k",
			{0, 10, 10}, OBS_ZERO_SUSPECT},
		{"cache-misses", {0, 10, 10}, OBS_ZERO_SUSPECT}, {"cache-misses", {0, 10, 0}, OBS_DEAD},
			{"cache-misses", {0, 0, 0}, OBS_ABSENT},
		{"r01c2", {0, 10, 10}, OBS_ZERO_SUSPECT}, {"hsw::L2_RQSTS:MISS", {0, 10, 10}, OBS_ZERO_SUSPECT},
	};
	struct perf_world w;

	look_at_fake_machine(&w);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct source_status s = {0};
		struct event_code c;

		test_label("row %zu: %s", i, row[i].name);
		if (!CHECK(event_by_name(row[i].name, &w, &c, &s)))
			continue;
		CHECK_STR(obs_health_name(perf_health(&c, &row[i].r, OBS_LIVE)), obs_health_name(row[i].health));
		CHECK_INT(perf_health(&c, &row[i].r, OBS_DEAD), OBS_DEAD);
	}
}

static void
explanations_have_cause_and_remedy(void)
{
	struct doctor d;

	doctor_probe(&d);
	CHECK(strstr(d.machine, "kernel ") != NULL);
	CHECK(d.n >= 5 && d.n <= DOCTOR_ITEMS);
	CHECK_STR(d.item[0].what, "software events");
	for (size_t i = 0; i < d.n; i++) {
		test_label("%s", d.item[i].what);
		CHECK(d.item[i].level == DOCTOR_GOOD || *d.item[i].why);
		CHECK(d.item[i].level != DOCTOR_GOOD || !*d.item[i].remedy);
		if (strcmp(d.item[i].what, "tracepoints") == 0)
			CHECK_INT(d.item[i].level == DOCTOR_GOOD, d.tracepoints);
		if (strcmp(d.item[i].what, "core PMU") == 0)
			CHECK_INT(d.item[i].level != DOCTOR_BAD, d.has_pmu);
	}
	CHECK(!d.tracepoints || d.tracefs_mounted);
	CHECK(!(d.tracefs_mounted && d.may_mount_tracefs));
}

TEST_MAIN(CASE(names_give_codes), CASE(modifiers_choose_sides), CASE(wrong_names_are_refused_with_reason),
	CASE(refused_names_have_near_ones), CASE(refused_names_have_near_ones_of_tables),
	CASE(tracefs_states_have_remedies),
	CASE(tracefs_is_read_where_it_is_not_mounted), CASE(a_made_tree_is_never_completed), CASE(constants_in_filters),
	CASE(zero_means_what_the_event_allows), CASE(explanations_have_cause_and_remedy))
