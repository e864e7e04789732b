/* gem5's stats.txt: dumps with a reset before them and without, statistics that vanish, values that are no count,
 * and bad input. Expected counts are worked out by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/import/import.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "core/verdict/match.h"
#include "test.h"

#define BEGIN "---------- Begin Simulation Statistics ----------\n"
#define END "\n---------- End Simulation Statistics   ----------\n"

static struct obs_table *
read_fixture(const char *file, bool exact)
{
	struct err e = {0};
	unsigned long n;
	char *path = str_format("data/gem5/%s", file), *text = test_read(path, &n);
	struct obs_table *t = text ? import_read("runs/mcf/stats.txt", text, n, exact, &e) : NULL;

	test_check(t != NULL, __FILE__, __LINE__, "%s: %s", file, e.what);
	free(text);
	free(path);
	return t;
}

static size_t
column(const struct obs_table *t, const char *name)
{
	size_t i = 0;

	while (i < t->n_columns && !str_eq(t->column[i], name))
		i++;
	return i;
}

/* The counts of a column, row by row: "1000 1100 900"; "-" where there is none. */
static char *
counts(const struct obs_table *t, const char *name)
{
	size_t c = column(t, name);
	const struct obs *o = t->obs[0];
	struct str out = {0};

	for (size_t row = 0; row < o->n_rows && c < t->n_columns; row++)
		str_addf(&out, o->counted[row * o->n_columns + c] ? "%s%lld" : "%s(%lld)", row ? " " : "",
			(long long)o->count[row * o->n_columns + c]);
	return c < t->n_columns ? str_take(&out) : mem_str("-");
}

static void
check_counts(const struct obs_table *t, const char *name, const char *want)
{
	char *got = counts(t, name);

	test_label("%s", name);
	CHECK_STR(got, want);
	free(got);
}

/* Whether some note contains this. */
static bool
notes(const struct obs_table *t, const char *part)
{
	for (size_t i = 0; i < t->n_notes; i++)
		if (strstr(t->note[i], part))
			return true;
	return false;
}

/* Each dump is a row, whether gem5 resets its statistics or not. A statistic that a dump lacks is 0. */
static void
dumps_are_rows(void)
{
	static const char *const file[] = {"reset.txt", "goes-on.txt"};

	for (size_t i = 0; i < 2; i++) {
		struct obs_table *t = read_fixture(file[i], false);

		if (!t)
			continue;
		CHECK_INT(t->n, 1);
		CHECK_STR(t->obs[0]->name, "mcf");
		CHECK(!t->obs[0]->exact && t->obs[0]->silent_zeros);
		CHECK_INT(t->obs[0]->n_rows, 3);
		check_counts(t, "system.cpu.numCycles", "1000 1100 900");
		check_counts(t, "system.cpu.fetch.status::running", "700 800 500");
		check_counts(t, "system.cpu.fetch.status::squashing", "100 0 150");
		check_counts(t, "system.cpu.fetch.status::total", "1000 1100 900");
		check_counts(t, "system.cpu.commit.status::running", "300 350 250");
		check_counts(t, "system.cpu.rob::samples", "1000 1100 900");
		check_counts(t, "system.cpu.cpi", "-");
		check_counts(t, "system.cpu.rob::mean", "-");
		check_counts(t, "system.cpu.rob::max_value", "-");
		check_counts(t, "system.cpu.dcache.missRate", "-");
		check_counts(t, "hostMemory", "-");
		CHECK_NEAR(t->obs[0]->time[0], 500000e-12, 1e-15);
		CHECK_NEAR(t->obs[0]->time[2], 1500000e-12, 1e-15);
		CHECK_INT(notes(t, "2 of 3 dumps continue the one before"), i == 1);
		CHECK(notes(t, "statistics left out (not a count"));
		obs_table_free(t);
	}
}

static void
one_dump_is_exact(void)
{
	struct obs_table *t = read_fixture("one.txt", false);

	if (!t)
		return;
	CHECK(t->obs[0]->exact);
	CHECK_INT(t->obs[0]->n_rows, 1);
	check_counts(t, "system.cpu.numCycles", "1000");
	CHECK_NEAR(t->obs[0]->time[0], 500000e-12, 1e-15); /* the older names sim_ticks and final_tick */
	obs_table_free(t);
	t = read_fixture("reset.txt", true);
	CHECK(t && t->obs[0]->exact);
	obs_table_free(t);
}

#define DUMP(sim, final, rest) BEGIN "simTicks " #sim " # t\nfinalTick " #final " # t\n" rest END

/* A text; what a column then holds; what a note or the error says. Rows of errors have no columns (NULL). */
static void
odd_files_give_counts_or_messages(void)
{
	static const struct { const char *name, *text, *column, *counts, *says; } row[] = {
		{"a reset between dumps", DUMP(10, 10, "a.b 5\n") DUMP(4, 30, "a.b 3\n"), "a.b", "5 3", NULL},
		{"a dump at the same tick", DUMP(10, 10, "a.b 5\n") DUMP(10, 10, "a.b 5\n") DUMP(20, 20, "a.b 9\n"),
		"a.b", "5 4", "line 7 was made at the same tick as that at line 1"},
		{"after a checkpoint", DUMP(10, 1000010, "a.b 5\n") DUMP(20, 1000020, "a.b 7\n"), "a.b", "5 2",
		"continue the one before"},
		{"it ends in a dump", DUMP(10, 10, "a.b 5\n") BEGIN "simTicks 20\nfina", NULL, NULL,
		"line of the dump is not"},
		{"it ends between lines", DUMP(10, 10, "a.b 5\n") BEGIN "simTicks 20\n", "a.b", "5",
		"line 7 has no end and is left out"},
		{"its only dump is cut off", BEGIN "simTicks 20\n", NULL, NULL, "has no end: the file is cut off"},
		{"it falls", DUMP(10, 10, "a.b 5\na.c 1\n") DUMP(20, 20, "a.b 4\na.c 2\n"), "a.b", "-",
		"1 statistic left out (smaller, or missing, in a dump that continues the one before): a.b (line 8)"},
		{"it vanishes where nothing was reset", DUMP(10, 10, "a.b 5\na.c 1\n") DUMP(20, 20, "a.c 2\n"), "a.b",
		"-", "smaller, or missing"},
		{"it vanishes after a reset", DUMP(10, 10, "a.b 5\na.c 1\n") DUMP(10, 20, "a.c 2\n"), "a.b", "5 0",
		NULL},
		{"it appears later", DUMP(10, 10, "a.c 1\n") DUMP(20, 20, "a.b 5\na.c 2\n"), "a.b", "0 5", NULL},
		{"it is nan once", DUMP(10, 10, "a.b 5\na.c 1\n") DUMP(10, 20, "a.b nan\na.c 2\n"), "a.b", "-",
		"a.b (line 11)"},
		{"it is a fraction once", DUMP(10, 10, "a.b 5\na.c 1\n") DUMP(10, 20, "a.b 0.5\na.c 2\n"), "a.b", "-",
		"not a count"},
		{"it is negative", DUMP(10, 10, "a.b -5\na.c 1\n"), "a.b", "-", "not a count"},
		{"it is twice there", DUMP(10, 10, "a.b 5\na.c 1\na.b 5\n"), "a.b", "-",
		"twice in one dump): a.b (line 6)"},
		{"it is too large", DUMP(10, 10, "a.b 18446744073709551616\na.c 1\n"), "a.b", "-", "more than 63 bits"},
		{"shares stand after it", DUMP(10, 10, "a.b::x   5  50.00%  50.00% # d\n"), "a.b::x", "5", NULL},
		{"a ratio that is whole", DUMP(10, 10, "a.b 5 # d ((Count/Cycle))\na.c 1\n"), "a.b", "-",
			"not a count"},
		{"a vector on one line", DUMP(10, 10, "a.b |  5 | 6 # d\na.c 1\n"), "a.c", "1",
		"1 line with a whole vector left out, the first at line 4"},
		{"lines between dumps", "\n\n" DUMP(10, 10, "a.b 5\n") "hello\n", "a.b", "5",
		"1 line outside of dumps skipped, the first at line 9"},
		{"carriage returns", BEGIN "a.b 5\r\n" END, "a.b", "5", NULL},
		{"no ticks, two dumps", BEGIN "a.b 5\n" END BEGIN "a.b 6\n" END, NULL, NULL,
		"simTicks or finalTick is missing"},
		{"two simulations", DUMP(100, 100, "a.b 5\n") DUMP(10, 10, "a.b 6\n"), NULL, NULL,
		"at an earlier tick than the one before"},
		{"ticks that fit nothing", DUMP(100, 100, "a.b 5\n") DUMP(150, 110, "a.b 6\n"), NULL, NULL,
		"fit neither a reset"},
		{"a dump in a dump", BEGIN "a.b 5\n" BEGIN "a.b 6\n" END, NULL, NULL, "before the last one has ended"},
		{"no number", DUMP(10, 10, "a.b # nothing\n"), NULL, NULL,
			"is not a statistic: a name and a number are expected"},
		{"no count at all", BEGIN "a.b 0.5\n" END, NULL, NULL, "no statistic of the dumps is a count"},
		{"no text", DUMP(10, 10, "a.b 5\n\xff\n"), NULL, NULL, "this is not text"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct err e = {0};
		struct obs_table *t = import_read("stats.txt", row[i].text, strlen(row[i].text), false, &e);

		test_label("%s", row[i].name);
		if (!CHECK_INT(t != NULL, row[i].counts != NULL))
			test_check(false, __FILE__, __LINE__, "%s", e.what);
		if (t && row[i].counts) {
			check_counts(t, row[i].column, row[i].counts);
			test_label("%s", row[i].name);
			CHECK_STR(t->obs[0]->name, "stats");
			CHECK(!row[i].says || notes(t, row[i].says));
		}
		if (!t) {
			CHECK(strstr(e.what, row[i].says) && e.line > 0);
			CHECK_STR(e.file, "stats.txt");
		}
		obs_table_free(t);
	}
}

/* A counter that no dump lists is 0 if its object is listed. A name of no object is missing. */
static void
a_models_counter_may_be_in_no_dump(void)
{
	static const char text[] = BEGIN "system.cpu.fetch.status::running 5\nsystem.l2.hits 3\n" END;
	static const struct { const char *event; bool silent; } row[] = {
		{"system.cpu.fetch.status::running", false}, {"system.cpu.fetch.status::idle", true},
			{"system.cpu.fetch.stalls", true}, {"system.l2.misses", true},
		{"system.cpu.commit.status::idle", false}, {"system.cpu2.fetch.stalls", false}, {"misses", false},
	};
	struct err e = {0};
	struct obs_table *t = import_read("stats.txt", text, sizeof text - 1, false, &e);
	struct event_item event[sizeof row / sizeof *row];
	struct udd_counter counter[sizeof row / sizeof *row];
	struct udd_model model = {.counter = counter, .n_counters = sizeof row / sizeof *row};
	struct columns_match *m;

	if (!CHECK(t != NULL))
		return;
	for (size_t i = 0; i < model.n_counters; i++) {
		event[i] = (struct event_item){.name = row[i].event};
		counter[i] = (struct udd_counter){.name = "c", .event = &event[i], .n_events = 1};
		counter[i].name = row[i].event;
	}
	m = match_new(&model, t);
	for (size_t i = 0; i < model.n_counters; i++) {
		test_label("%s", row[i].event);
		CHECK_INT(m->silent[i], row[i].silent);
		CHECK_INT(m->first[i + 1] - m->first[i], i == 0);
	}
	columns_match_free(m);
	t->obs[0]->silent_zeros = false; /* in data of other sources a missing counter stays missing */
	m = match_new(&model, t);
	for (size_t i = 0; i < model.n_counters; i++)
		CHECK(!m->silent[i]);
	columns_match_free(m);
	obs_table_free(t);
}

TEST_MAIN(CASE(dumps_are_rows), CASE(one_dump_is_exact), CASE(odd_files_give_counts_or_messages),
	CASE(a_models_counter_may_be_in_no_dump))
