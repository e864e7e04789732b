/* Columns of a table matched to the counters of a model: by name, by events, by sums, by the model's other names. Each
 * row's answer is worked out by hand. */
#include "core/verdict/match.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "test.h"

/* A counter matches by its name, by its events, or not at all. */
static void
columns_find_their_counters(void)
{
	static const struct udd_event sum[] = {
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
	static const struct { size_t n, column[2]; bool user_only; } want[] = {
		{1, {1, 0}, false}, {2, {2, 0}, false}, {0, {0, 0}, false}, {1, {3, 0}, true}, {1, {4, 0},
			false}, {1, {5, 0}, true},
		{0, {0, 0}, false}, {1, {8, 0}, false},
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
		CHECK_INT(m->user_only[i], want[i].user_only);
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

/* perf prints an event under the name that the user gave; a model may have its alias. */
static void
aliases_are_one_event(void)
{
	static const struct { const char *event, *column; size_t n; bool user_only; } row[] = {
		{"page-faults", "faults", 1, false}, {"faults", "page-faults", 1, false}, {"page-faults:u",
			"Faults:U", 1, false}, {"page-faults", "faults:u", 1, true},
		{"page-faults:u", "faults", 0, false}, {"context-switches", "cs", 1, false}, {"cpu-cycles:k",
			"cycles:k", 1, false}, {"cycles", "branches", 0, false},
		{"cs", "cs-other", 0, false}, {"cpu-migrations", "migrations:pp", 0, false}, {"branches",
			"branch-instructions", 1, false},
		{"page-faults", "minor-faults", 0, false}, {"faults", "faultsy", 0, false},
			{"exceptions:page_fault_user", "exceptions:page_fault_user", 1, false},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char *name = mem_str(row[i].event);
		struct udd_event event = {.name = name};
		struct udd_counter counter = {.name = "X", .event = &event, .n_events = 1};
		struct udd_model model = {.counter = &counter, .n_counters = 1};
		struct obs_table *t = obs_table_new(&row[i].column, 1);
		struct columns_match *m = match_new(&model, t);

		test_label("%s and column %s", row[i].event, row[i].column);
		CHECK_INT(m->first[1], row[i].n);
		CHECK_INT(m->user_only[0], row[i].user_only);
		CHECK_INT(m->n_extra, 1 - row[i].n);
		columns_match_free(m);
		obs_table_free(t);
		free(name);
	}
}

/* Data name a tracepoint's count without its filter. So an unfiltered column matches neither of two counters with
 * opposite filters. */
static void
filters_are_never_guessed(void)
{
	static struct udd_event reads = {.name = "exceptions:page_fault_user", .filter = "!(error_code & 2)"},
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

/* The columns of a counter with their signs, such as "+a.x -a.y"; "" without columns. The caller frees. */
static char *
terms(const struct columns_match *m, const struct obs_table *t, size_t counter)
{
	struct str out = {0};

	for (size_t k = m->first[counter]; k < m->first[counter + 1]; k++)
		str_addf(&out, "%s%c%s", out.n ? " " : "", m->sign[k] > 0 ? '+' : '-', t->column[m->column[k]]);
	return str_take(&out);
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
		{"x P q:u", {"+x +P +q:u", "+x", "+P +q:u"}, {true, false, true}},
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
	static struct udd_event event[] = {{.name = "unit.event", .also = also}, {.name = "unit.second"}};
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

TEST_MAIN(CASE(columns_find_their_counters), CASE(aliases_are_one_event), CASE(filters_are_never_guessed),
	CASE(sums_give_what_is_missing), CASE(an_event_may_have_other_names), CASE(nothing_matches_nothing))
