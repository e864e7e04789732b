/* Columns of a table matched to the counters of a model: by name, by events, by sums, by the model's other names. Each
 * row's answer is worked out by hand. */
#include "core/verdict/match.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "event/modifiers.h"
#include "test.h"

/* A counter matches by its name, by its events, or not at all. */
static void
columns_find_their_counters(void)
{
	static const struct event_item sum[] = {
		{.name = "ref.l1"}, {.name = "ref.l2"}}, gone[] = {{.name = "ref.l1"}, {.name = "absent"}
	},
		upper[] = {
			{.name = "Page-Faults"}}, user[] = {{.name = "cycles:u"}},
			filtered[] = {{.name = "ref.l2", .filter = "a == 1"}
		};
	static struct udd_counter counter[] = {
		{.name = "named", .event = gone, .n_events = 2},
		{.name = "sum", .event = sum, .n_events = 2},
		{.name = "gone", .event = gone, .n_events = 2},
		{.name = "faults", .event = upper, .n_events = 1},
		{.name = "cycles", .event = user, .n_events = 1},
		{.name = "own"},
		{.name = "filtered", .event = filtered, .n_events = 1},
		{.name = "both"},
	};
	static const char *const columns[] = {
		"ref.l2", "named", "REF.L1", "page-faults:U", "cycles", "OWN:u", "stranger", "both:u", "BOTH", "own2"
	};
	static const struct { size_t n, column[2]; unsigned mode; } want[] = {
		{1, {1, 0}, 0}, {2, {2, 0}, 0}, {0, {0, 0}, 0}, {1, {3, 0}, EVENT_MOD_USER}, {1, {4, 0}, 0},
		{1, {5, 0}, EVENT_MOD_USER}, {0, {0, 0}, 0}, {1, {8, 0}, 0},
	};
	struct udd_model model = {.counter = counter, .n_counters = sizeof counter / sizeof *counter};
	struct obs_table *t = obs_table_new(columns, sizeof columns / sizeof *columns);
	struct columns_match *m = match_new(&model, t);

	CHECK_INT(m->n_counters, model.n_counters);
	for (size_t i = 0; i < model.n_counters; i++) {
		test_label("%s", counter[i].name);
		if (!CHECK_INT(m->first[i + 1] - m->first[i], want[i].n))
			continue;
		for (size_t k = 0; k < want[i].n; k++)
			CHECK_INT(m->column[m->first[i] + k], want[i].column[k]);
		CHECK_INT(m->mode[i], want[i].mode);
	}
	test_label("extra");
	if (CHECK_INT(m->n_extra, 3)) {
		CHECK_INT(m->extra[0], 6);
		CHECK_INT(m->extra[1], 7);
		CHECK_INT(m->extra[2], 9);
	}
	columns_match_free(m);
	obs_table_free(t);
}

/* The columns of a counter with their factors, such as "+a.x -a.y" or "1024*a.b"; "" without columns. The caller
 * frees. */
static char *
terms(const struct columns_match *m, const struct obs_table *t, size_t counter)
{
	struct str out = {0};

	for (size_t k = m->first[counter]; k < m->first[counter + 1]; k++) {
		str_addf(&out, "%s%c", out.n ? " " : "", m->times[k] > 0 ? '+' : '-');
		if (m->times[k] > 1 || m->times[k] < -1)
			str_addf(&out, "%lld*", llabs(m->times[k]));
		str_add(&out, t->column[m->column[k]]);
	}
	return str_take(&out);
}

/* Which columns, parted by commas, count an event; in which mode, if that is not the one that was asked for; and a part
 * of the remark, "" for none. */
static void
events_find_their_columns(void)
{
	static const struct { const char *event, *columns, *want; unsigned mode; const char *remark; } row[] = {
		{"page-faults", "faults", "+faults", 0, ""},
		{"faults", "page-faults", "+page-faults", 0, ""},
		{"page-faults:u", "Faults:U", "+Faults:U", 0, ""},
		{"page-faults", "faults:u", "+faults:u", EVENT_MOD_USER, ""},
		{"page-faults:u", "faults", "", 0, "column faults is not it: every mode"},
		{"context-switches", "cs", "+cs", 0, ""},
		{"cpu-cycles:k", "cycles:k", "+cycles:k", 0, ""},
		{"cycles", "branches", "", 0, ""},
		{"cs", "cs-other", "", 0, ""},
		{"branches", "branch-instructions", "+branch-instructions", 0, ""},
		{"page-faults", "minor-faults", "", 0, ""},
		{"faults", "faultsy", "", 0, "nearest column is faultsy"},
		{"exceptions:page_fault_user", "exceptions:page_fault_user", "+exceptions:page_fault_user", 0, ""},
		/* how an event is measured is not what it counts */
		{"cycles", "cycles:W", "+cycles:W", 0, ""},
		{"cycles:u", "cycles:uP", "+cycles:uP", 0, ""},
		{"page-faults:P", "page-faults", "+page-faults", 0, ""},
		{"cpu-migrations", "migrations:pp", "+migrations:pp", 0, ""},
		{"cycles", "cycles:R", "", 0, "it is a latency"},
		/* an event in every mode: itself, its sides, one of them */
		{"cycles", "cycles:u,cycles:k", "+cycles:u +cycles:k", 0, ""},
		{"cycles", "cycles:k,cycles,cycles:u", "+cycles", 0, ""},
		{"cycles", "cycles:uk", "+cycles:uk", 0, ""},
		{"cycles:uk", "cycles", "+cycles", 0, ""},
		{"cycles", "cycles:k", "+cycles:k", EVENT_MOD_KERNEL, ""},
		{"cycles", "cycles:H", "+cycles:H", EVENT_MOD_HOST, ""},
		{"cycles", "cycles:G,cycles:u", "+cycles:u", EVENT_MOD_USER, ""},
		{"task-clock", "task-clock:u", "+task-clock:u", 0, ""},
		/* said, not mixed */
		{"cycles", "cpu-cycles,cycles", "+cycles", 0,
			"columns cpu-cycles and cycles are two names of one event: cycles"},
		{"cycles", "CYCLES,cpu-cycles", "+CYCLES", 0, "are two names of one event: CYCLES is used"},
		{"cycles", "cycles:u:k", "+cycles:u:k", 0, "two lists of modifiers, which are read as one, :uk"},
		{"cycles:uu", "cycles:u", "+cycles:u", 0, "cycles:uu has a modifier twice; it is read as :u"},
		{"cycles:z", "cycles", "", 0, "no modifiers; those are u (user mode)"},
		{"cycles", "cycles:z", "", 0, "no modifiers; those are u (user mode)"},
		/* PMUs */
		{"slots", "cpu_core/TOPDOWN.SLOTS/", "+cpu_core/TOPDOWN.SLOTS/", 0, ""},
		{"slots", "cpu/slots/", "+cpu/slots/", 0, ""},
		{"cpu/slots/", "slots", "+slots", 0, ""},
		{"instructions", "cpu_core/instructions/u", "+cpu_core/instructions/u", EVENT_MOD_USER, ""},
		{"instructions", "cpu_core/instructions/u,cpu_core/instructions/k",
			"+cpu_core/instructions/u +cpu_core/instructions/k", 0, ""},
		{"instructions", "armv8_pmuv3_0/instructions/", "+armv8_pmuv3_0/instructions/", 0, ""},
		{"instructions", "cpu_atom/instructions/,cpu_core/instructions/", "", 0,
			"never added up: cpu_atom/instructions/, cpu_core/instructions/; name the one that is meant "
			"in the model: counter NAME = \"cpu_atom/instructions/\""},
		{"cpu_core/instructions/", "cpu_atom/instructions/,cpu_core/instructions/", "+cpu_core/instructions/",
			0, ""},
		{"cpu_core/instructions/", "cpu_atom/instructions/", "", 0, "of PMU cpu_atom"},
		{"data_reads", "uncore_imc/data_reads/", "", 0, "of PMU uncore_imc"},
		{"uncore_imc/data_reads/", "uncore_imc_0/data_reads/,data_reads [uncore_imc_1]",
			"+uncore_imc_0/data_reads/ +data_reads [uncore_imc_1]", 0, ""},
		/* owners: together they are the event */
		{"UNC_M_CAS_COUNT.RD", "UNC_M_CAS_COUNT.RD@S0-channel0,unc_m_cas_count.rd@S1,UNC_M_CAS_COUNT.WR@0",
			"+UNC_M_CAS_COUNT.RD@S0-channel0 +unc_m_cas_count.rd@S1", 0, ""},
		{"x.y", "x.y,x.y@0,x.y@1", "+x.y", 0, ""},
		{"x.y", "@x.y,x.y@", "", 0, "nearest column"},
		{"hsw::INST_RETIRED:ANY_P", "inst_retired.any_p", "+inst_retired.any_p", 0, ""},
		{"rc0", "cpu/event=0xc0/", "+cpu/event=0xc0/", 0, ""},
		{"x", "x (MiB)", "+x (MiB)", 0, ""},
		/* the counter's own name, and the mode that hecate added */
		{"cycles", "X:u", "+X:u", EVENT_MOD_USER, ""},
		{"cycles", "X:u,X", "+X", 0, ""},
		{"cycles", "XX:u", "", 0, ""},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char *name = mem_str(row[i].event), **column, *got;
		struct event_item event = {.name = name};
		struct udd_counter counter = {.name = "X", .event = &event, .n_events = 1};
		struct udd_model model = {.counter = &counter, .n_counters = 1};
		struct obs_table *t;
		struct columns_match *m;
		size_t n;

		column = str_split(row[i].columns, ',', &n);
		t = obs_table_new((const char *const *)column, n);
		m = match_new(&model, t);
		test_label("%s and columns %s", row[i].event, row[i].columns);
		got = terms(m, t, 0);
		CHECK_STR(got, row[i].want);
		CHECK_INT(m->mode[0], row[i].mode);
		CHECK_INT(m->n_extra, n - m->first[1]);
		if (CHECK_INT(m->n_remarks, *row[i].remark != '\0') && m->n_remarks)
			test_check(strstr(m->remark[0], row[i].remark) != NULL, __FILE__, __LINE__, "remark: %s",
				m->remark[0]);
		free(got);
		columns_match_free(m);
		obs_table_free(t);
		str_split_free(column);
		free(name);
	}
}

/* Of two kinds of cores, the one that counted something is taken. */
static void
the_kind_of_core_that_ran_is_taken(void)
{
	static const struct { int64_t count[4]; unsigned char counted[4]; size_t column; } row[] = {
		{{5, 7, 1, 1}, {1, 1, 1, 1}, SIZE_MAX}, {{5, 0, 1, 0}, {1, 0, 1, 0}, 0}, {{0, 7, 0, 1}, {1, 1, 1, 1},
			1},
		{{0, 0, 0, 0}, {1, 1, 1, 1}, SIZE_MAX},
	};
	static const char *const columns[] = {"cpu_core/cycles/", "cpu_atom/cycles/", "cpu_core/branches/",
		"cpu_atom/branches/"};
	struct udd_counter counter[] = {{.name = "cycles"}, {.name = "branches"}};
	struct udd_model model = {.counter = counter, .n_counters = 2};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct obs_table *t = obs_table_new(columns, 4);
		struct columns_match *m;

		obs_add_row(obs_table_add(t, "one", "here"), row[i].count, row[i].counted, NAN);
		m = match_new(&model, t);
		test_label("row %zu", i);
		CHECK_INT(m->first[1], row[i].column != SIZE_MAX);
		if (m->first[2] == 2) {
			CHECK_INT(m->column[0], row[i].column);
			CHECK_INT(m->column[1], row[i].column + 2);
			CHECK_INT(m->n_groups, 1);
		}
		columns_match_free(m);
		obs_table_free(t);
	}
}

/* Which counters constraints may relate: the groups of a, b, c, whose events are given, "" for none. */
static void
counters_fall_into_groups(void)
{
	static const struct { const char *events, *columns, *groups, *apart; } row[] = {
		{"cycles,instructions,branches", "cycles,instructions,branches", "111", NULL},
		{"cycles,instructions,branches", "cycles:u,instructions:u,branches:u", "111", NULL},
		{"cycles,instructions,branches", "cycles:u,instructions,branches:u", "121",
			"cycles:u (user mode) and instructions (every mode)"},
		{"cycles,instructions,branches", "cycles:u,cycles:k,instructions,branches", "111", NULL},
		{"cycles,instructions,branches", "cycles:u,instructions:k,branches", "123", "(kernel mode)"},
		{"cycles,instructions,branches", "cycles:k,instructions:k", "110", NULL},
		/* what the model asks for is its author's word */
		{"page-faults:u,page-faults:k,minor-faults", "page-faults:u,page-faults:k,minor-faults", "111", NULL},
		{"page-faults:u,page-faults:k,minor-faults", "page-faults:u,page-faults:k,minor-faults:u", "112",
			"minor-faults:u (user mode)"},
		{"cycles:u,instructions,branches", "cycles:u,instructions:u,branches:u", "111", NULL},
		{"cycles:u,instructions,branches", "cycles:u,instructions,branches", "111", NULL},
		/* clocks and tracepoints and uncore PMUs: a clock is the same in every mode */
		{"task-clock,instructions,uncore_x/y/", "task-clock:u,instructions:u,uncore_x/y/", "111", NULL},
		{"sched:sched_switch,instructions,x", "sched:sched_switch,instructions:u", "120",
			"sched:sched_switch (every mode)"},
		/* columns that have the counters' names */
		{"page-faults,x,minor-faults", "A:u,B,C:u", "121", "A:u (user mode) and B (every mode)"},
		{"page-faults:u,x,minor-faults", "A,C:u", "101", NULL},
		{"page-faults:u,page-faults:k,minor-faults", "A,B,C:u", "112", "C:u (user mode)"},
		{"task-clock,x,minor-faults", "A,C:u", "101", NULL},
		{"page-faults:u,page-faults:k,minor-faults", "A,B,C", "111", NULL},
		/* kinds of cores */
		{"cycles,instructions,page-faults", "cpu_core/cycles/,cpu_core/instructions/,page-faults", "111", NULL},
		{"cycles,instructions,page-faults", "cpu_core/cycles/,cpu_atom/instructions/,page-faults", "121",
			"cpu_core/cycles/ (PMU cpu_core) and cpu_atom/instructions/ (PMU cpu_atom)"},
		{"cycles,cpu_core/instructions/,page-faults", "cpu_core/cycles/,cpu_core/instructions/", "110", NULL},
		/* units */
		{"x,y,z", "x (MiB),y (KiB)", "110", NULL},
		{"x,y,z", "x (MiB),y,z (MB)", "121", "x (MiB) and y (plain counts)"},
		{"x,y,z", "x (furlong),y (furlong),z (chain)", "112", "(chain)"},
		{"x,y,z", "x:u (MiB),y:u,z (MiB)", "123", NULL},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		static const char *const name[] = {"A", "B", "C"};
		struct event_item event[3];
		struct udd_counter counter[3];
		struct udd_model model = {.counter = counter, .n_counters = 3};
		size_t n;
		char **column = str_split(row[i].columns, ',', &n), **asked = str_split(row[i].events, ',', NULL);
		struct obs_table *t = obs_table_new((const char *const *)column, n);
		struct columns_match *m;
		char groups[4] = "";

		for (size_t k = 0; k < 3; k++) {
			event[k] = (struct event_item){.name = asked[k]};
			counter[k] = (struct udd_counter){.name = name[k], .event = &event[k], .n_events = 1};
		}
		m = match_new(&model, t);
		for (size_t k = 0; k < 3; k++)
			groups[k] = (char)('0' + m->group[k]);
		test_label("%s in %s", row[i].events, row[i].columns);
		CHECK_STR(groups, row[i].groups);
		CHECK((m->apart != NULL) == (m->n_groups > 1));
		if (row[i].apart && m->apart)
			test_check(strstr(m->apart, row[i].apart) != NULL, __FILE__, __LINE__, "apart: %s", m->apart);
		columns_match_free(m);
		obs_table_free(t);
		str_split_free(column);
		str_split_free(asked);
	}
}

/* A column that no observation counted keeps no counters apart. */
static void
empty_columns_keep_nothing_apart(void)
{
	static const struct { unsigned char counted[3]; const char *groups; } row[] = {
		{{1, 1, 1}, "121"}, {{1, 0, 1}, "101"}, {{0, 1, 0}, "010"},
	};
	static const char *const columns[] = {"cycles:u", "instructions", "branches:u"};
	struct udd_counter counter[] = {{.name = "cycles"}, {.name = "instructions"}, {.name = "branches"}};
	struct udd_model model = {.counter = counter, .n_counters = 3};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct obs_table *t = obs_table_new(columns, 3);
		struct columns_match *m;
		char groups[4] = "";

		obs_add_row(obs_table_add(t, "one", "here"), (int64_t[]){1, 2, 3}, row[i].counted, NAN);
		m = match_new(&model, t);
		for (size_t k = 0; k < 3; k++)
			groups[k] = (char)('0' + m->group[k]);
		test_label("row %zu", i);
		CHECK_STR(groups, row[i].groups);
		CHECK((m->apart != NULL) == (m->n_groups > 1));
		columns_match_free(m);
		obs_table_free(t);
	}
}

/* Columns of different modes or units are not added up to one counter; those of one family are converted. */
static void
sums_are_of_one_kind(void)
{
	static const struct { const char *events, *columns, *want, *remark; } row[] = {
		{"x,y", "x (MiB),y (KiB)", "+1024*x (MiB) +y (KiB)", ""},
		{"x,y", "x (MB),y (KiB)", "+15625*x (MB) +16*y (KiB)", ""},
		{"x,y", "x (MiB),y (MiB)", "+x (MiB) +y (MiB)", ""},
		{"x,y", "x (MiB),y", "", "cannot be added up: x (MiB) and y (plain counts)"},
		{"x,y", "x:u,y", "", "cannot be added up: x:u (user mode) and y (every mode)"},
		{"x:u,y:k", "x:u,y:k", "+x:u +y:k", ""},
		{"x,y", "x:u,y:u", "+x:u +y:u", ""},
		{"cpu_core/x/,cpu_atom/x/", "cpu_core/x/,cpu_atom/x/", "+cpu_core/x/ +cpu_atom/x/", ""},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		size_t n, n_events;
		char **column = str_split(row[i].columns, ',', &n), **asked = str_split(row[i].events, ',', &n_events),
			*got;
		struct event_item event[] = {{.name = asked[0]}, {.name = asked[1]}};
		struct udd_counter counter = {.name = "C", .event = event, .n_events = 2};
		struct udd_model model = {.counter = &counter, .n_counters = 1};
		struct obs_table *t = obs_table_new((const char *const *)column, n);
		struct columns_match *m = match_new(&model, t);

		test_label("%s in %s", row[i].events, row[i].columns);
		got = terms(m, t, 0);
		CHECK_STR(got, row[i].want);
		if (CHECK_INT(m->n_remarks, *row[i].remark != '\0') && m->n_remarks)
			test_check(strstr(m->remark[0], row[i].remark) != NULL, __FILE__, __LINE__, "remark: %s",
				m->remark[0]);
		free(got);
		columns_match_free(m);
		obs_table_free(t);
		str_split_free(column);
		str_split_free(asked);
	}
}

/* Data name a tracepoint's count without its filter. So an unfiltered column matches neither of two counters with
 * opposite filters. */
static void
filters_are_never_guessed(void)
{
	static struct event_item reads = {.name = "exceptions:page_fault_user", .filter = "!(error_code & 2)"},
				writes = {.name = "exceptions:page_fault_user", .filter = "error_code & 2"};
	struct udd_counter counter[] = {
		{.name = "Xur", .event = &reads, .n_events = 1}, {.name = "Xuw", .event = &writes, .n_events = 1}
	};
	struct udd_model model = {.counter = counter, .n_counters = 2};
	static const char *const columns[] = {"exceptions:page_fault_user", "Xuw"};
	struct obs_table *t = obs_table_new(columns, 2);
	struct columns_match *m = match_new(&model, t);

	CHECK_INT(m->first[1], 0);
	if (CHECK_INT(m->first[2], 1))
		CHECK_INT(m->column[0], 1);
	if (CHECK_INT(m->n_extra, 1))
		CHECK_INT(m->extra[0], 0);
	columns_match_free(m);
	obs_table_free(t);
}

/* all = x + y, and y = p + q, where p and q are no counters of the model. The one missing term of a sum is computed. */
static void
sums_give_what_is_missing(void)
{
	static const char *const all_parts[] = {"x", "y"}, *const y_parts[] = {"p", "q"};
	static struct udd_counter counter[] = {{.name = "all"}, {.name = "x"}, {.name = "y"}};
	static struct udd_sum sum[] = {{.total = "all", .part = all_parts, .n_parts = 2},
		{.total = "y",
		.part = y_parts, .n_parts = 2}};
	static const struct { const char *columns, *want[3]; bool derived[3]; } row[] = {
		{"all x y", {"+all", "+x", "+y"}, {false, false, false}},
		{"x y", {"+x +y", "+x", "+y"}, {true, false, false}},
		{"all x", {"+all", "+x", "+all -x"}, {false, false, true}},
		{"x P q", {"+x +P +q", "+x", "+P +q"}, {true, false, true}},
		{"x P q:u", {"", "+x", ""}, {false, false, false}},
		{"all p q", {"+all", "+all -p -q", "+p +q"}, {false, true, true}},
		{"all", {"+all", "", ""}, {false, false, false}},
		{"x p", {"", "+x", ""}, {false, false, false}},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		for (size_t roots = 1; roots <= 2; roots++) {
			struct udd_model model = {.counter = counter, .n_counters = 3, .sum = sum, .n_sums = 2,
				.n_roots = roots};
			size_t n;
			char **column = str_split(row[i].columns, ' ', &n);
			struct obs_table *t = obs_table_new((const char *const *)column, n);
			struct columns_match *m = match_new(&model, t);

			/* A sum that only one of two roots states does not hold for the model: nothing is computed. */
			for (size_t c = 0; c < 3; c++) {
				char *got = terms(m, t, c);

				test_label("%s: %s, %zu roots", row[i].columns, counter[c].name, roots);
				CHECK_STR(got, roots == 2 && row[i].derived[c] ? "" : row[i].want[c]);
				CHECK_INT(m->derived[c], roots == 1 && row[i].derived[c]);
				free(got);
			}
			columns_match_free(m);
			obs_table_free(t);
			str_split_free(column);
		}
}

/* Data may use the other event names that the model gives. */
static void
an_event_may_have_other_names(void)
{
	static const char *const also[] = {"short", "other", NULL};
	static struct event_item event[] = {{.name = "unit.event", .also = also}, {.name = "unit.second"}};
	static struct udd_counter counter[] = {{.name = "c", .event = event, .n_events = 2}};
	static const struct { const char *columns, *want; } row[] = {
		{"unit.event unit.second", "+unit.event +unit.second"}, {"other unit.second", "+other +unit.second"},
			{"other short unit.second", "+short +unit.second"},
		{"other unit.event unit.second", "+unit.event +unit.second"}, {"short", ""}, {"c short", "+c"},
	};
	struct udd_model model = {.counter = counter, .n_counters = 1};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		size_t n;
		char **column = str_split(row[i].columns, ' ', &n), *got;
		struct obs_table *t = obs_table_new((const char *const *)column, n);
		struct columns_match *m = match_new(&model, t);

		test_label("%s", row[i].columns);
		got = terms(m, t, 0);
		CHECK_STR(got, row[i].want);
		free(got);
		columns_match_free(m);
		obs_table_free(t);
		str_split_free(column);
	}
}

static void
nothing_matches_nothing(void)
{
	struct udd_model model = {0};
	struct obs_table *t = obs_table_new(NULL, 0);
	struct columns_match *m = match_new(&model, t);

	CHECK_INT(m->n_counters, 0);
	CHECK_INT(m->first[0], 0);
	CHECK_INT(m->n_extra, 0);
	columns_match_free(m);
	obs_table_free(t);
}

TEST_MAIN(CASE(columns_find_their_counters), CASE(events_find_their_columns), CASE(the_kind_of_core_that_ran_is_taken),
	CASE(counters_fall_into_groups),
	CASE(empty_columns_keep_nothing_apart), CASE(sums_are_of_one_kind), CASE(filters_are_never_guessed),
	CASE(sums_give_what_is_missing), CASE(an_event_may_have_other_names), CASE(nothing_matches_nothing))
