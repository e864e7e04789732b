/* Names of events: reading, printing, comparing; modifiers, aliases, units and lists. */
#include "event/name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "event/list.h"
#include "event/unit.h"
#include "test.h"

/* Every letter of perf-list(1), "EVENT MODIFIERS" (Linux 6.14), with the mode that it leaves. */
static void
every_modifier_is_known(void)
{
	static const struct { const char *letters; unsigned mode; } row[] = {
		{"u", EVENT_MOD_USER}, {"k", EVENT_MOD_KERNEL}, {"h", EVENT_MOD_HYPERVISOR}, {"I", EVENT_MOD_NO_IDLE},
		{"G", EVENT_MOD_GUEST}, {"H", EVENT_MOD_HOST}, {"p", 0}, {"pp", 0}, {"ppp", 0}, {"P", 0}, {"S", 0},
		{"D", 0}, {"W", 0}, {"e", 0}, {"b", 0}, {"R", 0}, {"X", 0}, {"uP", EVENT_MOD_USER},
		{"uk", 0}, {"ukh", 0}, {"GH", 0}, {"uG", EVENT_MOD_USER | EVENT_MOD_GUEST}, {"U", EVENT_MOD_USER},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct event_modifiers m = {0}, again = {0};
		struct str out = {0};

		test_label("%s", row[i].letters);
		CHECK(event_modifiers_read(row[i].letters, strlen(row[i].letters), &m));
		CHECK_INT(event_mode(&m), row[i].mode);
		CHECK_INT(m.twice, 0);
		event_modifiers_print(&m, &out);
		CHECK(event_modifiers_read(str_text(&out), out.n, &again));
		CHECK(again.set == m.set && again.precise == m.precise);
		str_free(&out);
	}
	for (const char *bad = "acdfgijlmnoqrstvwxyzABCEFJLMNOQTVYZ0_-"; *bad; bad++) {
		struct event_modifiers m = {0};

		test_label("%c", *bad);
		CHECK(!event_modifiers_read(bad, 1, &m));
	}
	for (const char *const *twice = (const char *const[]){"uu", "pppp", "kuk", NULL}; *twice; twice++) {
		struct event_modifiers m = {0};

		test_label("%s", *twice);
		CHECK(event_modifiers_read(*twice, strlen(*twice), &m) && m.twice);
	}
}

static void
names_are_taken_apart(void)
{
	static const struct {
		const char *text;
		enum event_form form;
		const char *pmu, *base, *key, *unit;
		unsigned mode;
		bool two_lists, odd;
	} row[] = {
		{"cycles", EVENT_FORM_PLAIN, "", "cycles", "cpu_cycles", "", 0, false, false},
		{" Cycles:uP ", EVENT_FORM_PLAIN, "", "Cycles", "cpu_cycles", "", EVENT_MOD_USER, false, false},
		{"cycles:u:k", EVENT_FORM_PLAIN, "", "cycles", "cpu_cycles", "", 0, true, false},
		{"page-faults:z", EVENT_FORM_PLAIN, "", "page-faults:z", "page_faults.z", "", 0, false, true},
		{"faults:uz", EVENT_FORM_PLAIN, "", "faults:uz", "page_faults.uz", "", 0, false, true},
		{"sched:sched_switch:u", EVENT_FORM_PLAIN, "", "sched:sched_switch", "sched.sched_switch", "",
			EVENT_MOD_USER, false, false},
		{"cpu_core/topdown-retiring/u", EVENT_FORM_TERMS, "cpu_core", "topdown-retiring", "topdown_retiring",
			"",
			EVENT_MOD_USER, false, false},
		{"cpu_core/cycles:u/", EVENT_FORM_TERMS, "cpu_core", "cycles", "cpu_cycles", "", EVENT_MOD_USER, false,
			false},
		{"cpu_core/TOPDOWN.SLOTS/", EVENT_FORM_TERMS, "cpu_core", "TOPDOWN.SLOTS", "slots", "", 0, false,
			false},
		{"cpu/event=0xc0,umask=0x1,name=x/k", EVENT_FORM_TERMS, "cpu", "event=0xc0,umask=0x1,name=x", "r1c0",
			"",
			EVENT_MOD_KERNEL, false, false},
		{"r5301c0:u", EVENT_FORM_PLAIN, "", "r5301c0", "r1c0", "", EVENT_MOD_USER, false, false},
		{"hsw::INST_RETIRED:ANY_P:u", EVENT_FORM_TABLE, "hsw", "INST_RETIRED:ANY_P", "inst_retired.any_p", "",
			EVENT_MOD_USER, false, false},
		{"data_reads [uncore_imc_0]", EVENT_FORM_BRACKET, "uncore_imc_0", "data_reads", "data_reads", "", 0,
			false, false},
		{"uncore_imc/data_reads/ (MiB)", EVENT_FORM_TERMS, "uncore_imc", "data_reads", "data_reads", "MiB", 0,
			false, false},
		{"task-clock:u (msec)", EVENT_FORM_PLAIN, "", "task-clock", "task_clock", "msec", 0, false, false},
		{"L1-dcache-load-misses", EVENT_FORM_PLAIN, "", "L1-dcache-load-misses", "l1_dcache_load_misses", "", 0,
			false, false},
		{"l1d-read-miss:u", EVENT_FORM_PLAIN, "", "l1d-read-miss", "l1_dcache_load_misses", "", EVENT_MOD_USER,
			false, false},
		{"LLC-loads", EVENT_FORM_PLAIN, "", "LLC-loads", "llc_loads", "", 0, false, false},
		{"system.cpu.fetch.status::running", EVENT_FORM_PLAIN, "", "system.cpu.fetch.status::running",
			"system.cpu.fetch.status..running", "", 0, false, false},
		{"disk:vda/reads", EVENT_FORM_PLAIN, "", "disk:vda/reads", "disk.vda/reads", "", 0, false, false},
		{"load.ret (all of them)", EVENT_FORM_PLAIN, "", "load.ret (all of them)", "load.ret (all of them)", "",
			0,
			false, false},
		{"", EVENT_FORM_PLAIN, "", "", "", "", 0, false, false},
		{":u", EVENT_FORM_PLAIN, "", ":u", ".u", "", 0, false, false},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct event_name e;

		test_label("%s", row[i].text);
		event_name_read(row[i].text, &e);
		CHECK_INT(e.form, row[i].form);
		CHECK_STR(e.pmu, row[i].pmu);
		CHECK_STR(e.base, row[i].base);
		CHECK_STR(e.key, row[i].key);
		CHECK_STR(e.unit, row[i].unit);
		CHECK_INT(e.mode, row[i].mode);
		CHECK_INT(e.two_lists, row[i].two_lists);
		CHECK_INT(e.odd, row[i].odd);
		event_name_free(&e);
	}
}

static void
differences_have_reasons(void)
{
	static const struct { const char *a, *b; unsigned difference; const char *words; } row[] = {
		{"cycles:W", "cycles", 0, ""},
		{"cycles:uP", "cpu-cycles:u", 0, ""},
		{"cycles:uk", "cycles", 0, ""},
		{"cpu/cycles/", "CYCLES", 0, ""},
		{"task-clock:u", "task-clock", 0, ""},
		{"slots", "TOPDOWN.SLOTS", 0, ""},
		{"br_inst_retired:all_branches", "BR_INST_RETIRED.ALL_BRANCHES", 0, ""},
		{"cycles:u", "cycles", EVENT_OTHER_MODE, "user mode"},
		{"cycles:k", "cycles:u", EVENT_OTHER_MODE, "kernel mode"},
		{"cpu_core/cycles/", "cycles", EVENT_OTHER_PMU, "of PMU cpu_core"},
		{"cpu_atom/cycles/k", "cpu_core/cycles/", EVENT_OTHER_PMU | EVENT_OTHER_MODE,
			"of PMU cpu_atom, kernel mode"},
		{"loads:R", "loads", EVENT_OTHER_QUANTITY, "it is a latency, not a count"},
		{"x (MiB)", "x", 0, ""},
		{"x (MiB)", "x (KB)", 0, ""},
		{"x (MiB)", "x (Joules)", EVENT_OTHER_UNIT, "in MiB"},
		{"cycles", "branches", EVENT_OTHER_EVENT, "another event"},
		{"cycles:z", "cycles:y", EVENT_OTHER_EVENT | EVENT_OTHER_LETTERS, NULL},
		{"minor-faults", "page-faults", EVENT_OTHER_EVENT, "another event"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct event_name a, b;
		struct str words = {0};

		test_label("%s and %s", row[i].a, row[i].b);
		event_name_read(row[i].a, &a);
		event_name_read(row[i].b, &b);
		CHECK_INT(event_difference(&a, &b), row[i].difference);
		event_difference_words(&a, &b, &words);
		if (row[i].words)
			CHECK_STR(str_text(&words), row[i].words);
		else
			CHECK(strstr(str_text(&words), "u (user mode), k (kernel mode)") != NULL);
		str_free(&words);
		event_name_free(&a);
		event_name_free(&b);
	}
}

/* A name of random pieces, most of which fit together. */
static void
random_name(uint64_t *seed, struct str *out)
{
	static const char *const words[] = {"cycles", "cpu-cycles", "faults", "INST_RETIRED.ANY", "mem:load", "r1c0",
		"x_y",
		"sched:sched_switch", "LLC-loads", "event=0x3c,umask=1", "a::b", "e", "u", "k:u", "task-clock",
			"system.l2::total"};
	static const char *const pmus[] = {"cpu", "cpu_core", "cpu_atom", "uncore_imc_1", "hsw", "e"};
	static const char *const mods[] = {"", "u", "k", "uk", "ukhIGHpppPSDWebRX", "z", "uu", "u:k"};
	static const char *const units[] = {"", " (MiB)", " (furlong)", " ()", " (a b)", " [cpu_core]",
		" [uncore_imc_0] (KiB)"};
	const char *word = words[test_random(seed) % 16], *pmu = pmus[test_random(seed) % 6],
		   *mod = mods[test_random(seed) % 8];

	switch (test_random(seed) % 4) {
	case 0:
		str_addf(out, "%s/%s/%s", pmu, word, mod);
		break;
	case 1:
		str_addf(out, "%s::%s%s%s", pmu, word, *mod ? ":" : "", mod);
		break;
	default:
		str_addf(out, "%s%s%s", word, *mod ? ":" : "", mod);
	}
	str_add(out, units[test_random(seed) % 7]);
	if (test_random(seed) % 8 == 0 && out->n)
		out->s[test_random(seed) % out->n] = "/:( )[],a"[test_random(seed) % 9];
}

static void
a_printed_name_is_read_again(void)
{
	uint64_t seed = 20261128;

	for (unsigned i = 0; i < test_rounds(20000, 1000000); i++) {
		struct str text = {0}, once = {0}, twice = {0};
		struct event_name a, b;

		random_name(&seed, &text);
		test_label("%s", str_text(&text));
		event_name_read(str_text(&text), &a);
		event_name_print(&a, &once);
		event_name_read(str_text(&once), &b);
		event_name_print(&b, &twice);
		CHECK_STR(str_text(&twice), str_text(&once));
		CHECK_STR(b.key, a.key);
		CHECK_INT(b.modifiers.set, a.modifiers.set);
		CHECK_INT(event_difference(&a, &b), 0);
		str_free(&text);
		str_free(&once);
		str_free(&twice);
		event_name_free(&a);
		event_name_free(&b);
	}
}

/* What a name differs by does not depend on the order, and two names that are each the same as a third are the same,
 * unless a name without a unit stands between two units. */
static void
comparing_is_even(void)
{
	uint64_t seed = 7;

	for (unsigned i = 0; i < test_rounds(20000, 1000000); i++) {
		struct event_name e[3];
		bool units = false;

		for (int k = 0; k < 3; k++) {
			struct str text = {0};

			random_name(&seed, &text);
			event_name_read(str_text(&text), &e[k]);
			units |= *e[k].unit != '\0';
			str_free(&text);
		}
		test_label("%s, %s, %s", e[0].key, e[1].key, e[2].key);
		CHECK_INT(event_difference(&e[0], &e[1]), event_difference(&e[1], &e[0]));
		if (!units && !event_difference(&e[0], &e[1]) && !event_difference(&e[1], &e[2]))
			CHECK_INT(event_difference(&e[0], &e[2]), 0);
		for (int k = 0; k < 3; k++)
			event_name_free(&e[k]);
	}
}

static void
units_convert_within_families(void)
{
	static const struct { const char *a, *b; bool alike; } row[] = {
		{"MiB", "KiB", true}, {"MB", "MiB", true}, {"Bytes", "GiB", true}, {"bytes", "KB", true}, {"msec", "ns",
			true},
		{"Joules", "uJ", true}, {"MiB", "msec", false}, {"MiB", "", false}, {"", "", true}, {"furlong",
			"furlong", true},
		{"furlong", "Furlong", true}, {"furlong", "chain", false}, {"furlong", "", false}, {"mb", "MB", false},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		test_label("%s and %s", row[i].a, row[i].b);
		CHECK_INT(event_unit_alike(row[i].a, row[i].b), row[i].alike);
		CHECK_INT(event_unit_alike(row[i].b, row[i].a), row[i].alike);
	}
	CHECK_INT(event_unit_size("MiB"), 1048576);
	CHECK_INT(event_unit_size("MB"), 1000000);
	CHECK_INT(event_unit_size("msec"), 1000000);
	CHECK_INT(event_unit_size("furlong"), 1);
	CHECK(!event_unit_holds("MiB", 18446744073693.63) && event_unit_holds("MiB", 8796093022207.0));
	CHECK(!event_unit_holds("", 9.3e18) && event_unit_holds("", 9.2e18));
}

static void
lists_are_split(void)
{
	static const struct { const char *list, *pieces; } row[] = {
		{"a,b", "a|b"}, {"cpu/event=1,umask=2/u,b", "cpu/event=1,umask=2/u|b"}, {"{a,b}:W,c", "a:W|b:W|c"},
		{"{a:u,cpu/x/}:k", "a:uk|cpu/x/k"}, {"{sched:sched_switch,b}:u", "sched:sched_switch:u|b:u"}, {"{a,b}",
			"a|b"},
		{"a,,b", "a||b"}, {"", ""}, {"{a}:u,{b,c}:k,d", "a:u|b:k|c:k|d"}, {"{a,b", "a|b"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		size_t n;
		char **name = event_list_split(row[i].list, &n);
		struct str got = {0};

		test_label("%s", row[i].list);
		for (size_t k = 0; k < n; k++)
			str_addf(&got, "%s%s", k ? "|" : "", name[k]);
		CHECK_STR(str_text(&got), row[i].pieces);
		str_free(&got);
		str_split_free(name);
	}
}

static void
kinds_are_told_from_names(void)
{
	static const struct { const char *name; bool hardware, tracepoint; } row[] = {
		{"cycles:u", true, false}, {"cpu_core/x/", true, false}, {"r1c0", true, false}, {"page-faults", false,
			false},
		{"sched:sched_switch", false, true}, {"hsw::INST_RETIRED:ANY", true, false}, {"INST_RETIRED:ANY", true,
			false},
		{"inst_retired.any", true, false}, {"topdown-fe-bound", true, false}, {"exceptions:page_fault_user:u",
			false, true},
		{"page-faults:P", false, false}, {"cycles:z", true, false}, {"x", false, false},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		test_label("%s", row[i].name);
		CHECK_INT(event_is_hardware(row[i].name), row[i].hardware);
		CHECK_INT(event_is_tracepoint(row[i].name), row[i].tracepoint);
	}
	CHECK(event_pmu_is_box("uncore_imc_3", "uncore_imc") && !event_pmu_is_box("uncore_imc_free", "uncore_imc"));
	CHECK(!event_pmu_is_box("uncore_imc", "uncore_imc") && !event_pmu_is_box("cpu_0", ""));
}

TEST_MAIN(CASE(every_modifier_is_known), CASE(names_are_taken_apart), CASE(differences_have_reasons),
	CASE(a_printed_name_is_read_again), CASE(comparing_is_even), CASE(units_convert_within_families),
		CASE(lists_are_split),
	CASE(kinds_are_told_from_names))
