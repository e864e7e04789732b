/* Sniper's texts: CPI stacks of one core and of several, statistics of a dump and of two points in time, and bad input.
 * Expected counts are those of the fixtures, differences worked out by hand. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "collect/import/import.h"
#include "core/obs/obs.h"
#include "test.h"

static struct obs_table *
read_sniper(const char *file, enum import_format want)
{
	struct err e = {0};
	unsigned long n;
	char *path = str_format("data/sniper/%s", file), *text = test_read(path, &n);
	struct obs_table *t = text ? import_read(file, text, n, false, &e) : NULL;

	test_check(t != NULL, __FILE__, __LINE__, "%s: %s", file, e.what);
	if (text)
		CHECK_INT(import_format_of(text, n), want);
	free(text);
	free(path);
	return t;
}

/* Checks a cell in units of 10^-decimals; −1: not counted, or no such column. */
static void
check_cell(const struct obs_table *t, size_t observation, const char *column, int64_t want)
{
	const struct obs *o = t->obs[observation];
	int64_t got = -1;

	for (size_t i = 0; i < t->n_columns; i++)
		if (str_eq(t->column[i], column) && o->counted[i])
			got = o->count[i];
	test_label("%s of %s", column, o->name);
	CHECK_INT(got, want);
}

static bool
notes_say(const struct obs_table *t, const char *part)
{
	for (size_t i = 0; i < t->n_notes; i++)
		if (strstr(t->note[i], part))
			return true;
	return false;
}

static void
stacks_of_cores(void)
{
	struct obs_table *t = read_sniper("stack.txt", IMPORT_SNIPER_STACK);

	if (t) {
		CHECK(t->n == 1 && t->obs[0]->n_rows == 1 && !t->obs[0]->exact && t->obs[0]->silent_zeros);
		CHECK_STR(t->obs[0]->name, "stack");
		CHECK_INT(t->obs[0]->decimals, 2);
		check_cell(t, 0, "cpi.mem-dram", 48);
		check_cell(t, 0, "time.mem-dram", 3840);
		check_cell(t, 0, "cpi.total", 125);
		CHECK_INT(t->n_columns, 18);
		CHECK_INT(t->n_notes, 0);
	}
	obs_table_free(t);
	t = read_sniper("table.txt", IMPORT_SNIPER_STACK);
	if (t) {
		CHECK_INT(t->n, 2);
		CHECK_STR(t->obs[1]->name, "table:core1");
		check_cell(t, 0, "cpi.base", 30);
		check_cell(t, 1, "cpi.sync-futex", 139);
		check_cell(t, 0, "cpi.imbalance-end", 0);
		check_cell(t, 1, "cpi.imbalance-end", -1);
		CHECK(notes_say(t, "1 statistic left out (below zero): cpi.imbalance-end (line 6)"));
	}
	obs_table_free(t);
	t = read_sniper("list.txt", IMPORT_SNIPER_STACK);
	if (t) {
		CHECK_INT(t->n, 2);
		CHECK_STR(t->obs[0]->name, "list:core0");
		CHECK_INT(t->obs[0]->decimals, 1); /* no value has more */
		check_cell(t, 0, "cpi.mem-dram", 7);
		check_cell(t, 1, "cpi.mem-dram", 0); /* it is not printed, so it is 0 */
		check_cell(t, 1, "time.sync-futex", 8450);
	}
	obs_table_free(t);
	t = read_sniper("ms.txt", IMPORT_SNIPER_STACK);
	if (t) { /* 100.25 ms are 0.10025 s */
		CHECK_INT(t->obs[0]->decimals, 5);
		check_cell(t, 0, "seconds.base", 10025);
		check_cell(t, 0, "seconds.mem-dram", 2050);
		check_cell(t, 1, "seconds.total", 310);
		CHECK_INT(t->obs[1]->decimals, 3);
	}
	obs_table_free(t);
}

static void
statistics_of_cores(void)
{
	struct obs_table *t = read_sniper("dump.txt", IMPORT_SNIPER_STATS);

	if (t) {
		CHECK(t->n == 2 && t->obs[0]->exact && t->obs[0]->decimals == 0);
		CHECK_STR(t->obs[1]->name, "dump:core1");
		check_cell(t, 0, "rob_timer.cpiDataCachedram", 600000000);
		check_cell(t, 1, "performance_model.cpiSyncFutex", 600000000);
		check_cell(t, 1, "corefreq", 2660000000);
		check_cell(t, 0, "global.time", -1);
		check_cell(t, 0, "ncores", -1);
		check_cell(t, 0, "ipc", -1); /* a fraction on the other core */
		CHECK(notes_say(
			t, "(not a count but a fraction, a text, nan, or beyond 63 bits): fs_to_cycles (line 5)"));
		CHECK(notes_say(t, "(of the whole system, not of a core): global.time (line 7)"));
	}
	obs_table_free(t);
	t = read_sniper("old.txt", IMPORT_SNIPER_STATS);
	if (t) { /* what was there when the region of interest began is taken off */
		CHECK_INT(t->n, 2);
		check_cell(t, 0, "performance_model.elapsed_time", 2000000000);
		check_cell(t, 0, "performance_model.instruction_count", 5320);
		check_cell(t, 1, "performance_model.instruction_count", 1330);
		check_cell(t, 0, "rob_timer.cpiBase", 1500000000);
		check_cell(t, 1, "rob_timer.cpiBase", 300000000);
		check_cell(t, 0, "performance_model.cpiSyncFutex", 0); /* only core 1 has it */
		CHECK(notes_say(t, "(of the whole system, not of a core): barrier.global_time (line 1)"));
	}
	obs_table_free(t);
}

/* A stack in another unit says nothing of the cycles per instruction. A value below zero is no 0. */
static void
cells_that_are_not_zero(void)
{
	static const char text[] =
		"CPI Core 0\nbase 1.00\ntotal 1.00\nTime (%) Core 0\nbase 90.00%\nmem 10.00%\ntotal 100.00%\n",
			  old[] = "roi-begin.a[0].b 7\nroi-end.a[0].b 5\nroi-end.a[1].b 5\nroi-end.a[0].c 1\n";
	struct obs_table *t = import_read("s.txt", text, sizeof text - 1, false, NULL);

	if (CHECK(t && t->n == 2)) {
		CHECK_STR(t->obs[1]->name, "s:core0#2");
		check_cell(t, 0, "cpi.base", 1);
		check_cell(t, 0, "time.mem", -1);
		check_cell(t, 1, "cpi.base", -1);
		check_cell(t, 1, "time.mem", 10);
	}
	obs_table_free(t);
	t = import_read("s.txt", old, sizeof old - 1, false, NULL);
	if (CHECK(t && t->n == 2)) {
		check_cell(t, 0, "a.b", -1);
		check_cell(t, 0, "a.c", 1);
		check_cell(t, 1, "a.b", 5);
		check_cell(t, 1, "a.c", 0);
		CHECK(notes_say(t, "(below zero): a.b (line 2)"));
	}
	obs_table_free(t);
}

#define TITLE "                        CPI       Time\n"
#define TABLE "CPI  Core 0  Core 1\n"
#define DUMP "performance_model.elapsed_time = 10, 20\n"

static void
odd_texts_give_tables_or_places(void)
{
	static const struct {
		const char *name, *text;
		const char *column; /* NULL: an error, at line and col, whose sentence holds `says` */
		int64_t count;
		int line, col;
		const char *says;
	} row[] = {
		{"two stacks in a file",
			TITLE "base 1.00 100.00%\ntotal 1.00 100.00%\n" TITLE
			      "base 2.00 100.00%\n\ntotal 2.00 100.00%\n",
			"cpi.base", 1, 0, 0, NULL},
		{"of one core: no list", "performance_model.cpiRecv = 7\nrob_timer.cpiBase = 12\n", "rob_timer.cpiBase",
			12, 0, 0, NULL},
		{"ends of lines", TITLE "base 1.50 100.00%\r\n\r\ntotal 1.50 100.00%\r\n", "cpi.base", 15, 0, 0, NULL},
		{"nan", TABLE "base nan 1.00\nmem 1.00 1.00\ntotal nan 2.00\n", "cpi.mem", 1, 0, 0, NULL},
		{"a text among the values", DUMP "power.note = in two words\n", "performance_model.elapsed_time", 10, 0,
			0, NULL},
		{"more values than cores", "barrier.global_time = 5, 6, 7\nncores = 2\nrob_timer.cpiBase = 1, 2\n",
			"barrier.global_time", 5, 0, 0, NULL},
		{"only the end of the region", "roi-end.a[0].cpiBase 12\n", "a.cpiBase", 12, 0, 0, NULL},
		{"the whole run", "start.a[0].b 2\nperiodic-1.a[0].b 5\nstop.a[0].b 12\n", "a.b", 10, 0, 0, NULL},
		{"no total", TITLE "base 1.00 100.00%\n", NULL, 0, 1, 0, "no total"},
		{"no total of the second core", TITLE "Core 0\ntotal 1.00 50.00%\nCore 1\nbase 1.00 50.00%\n", NULL, 0,
			4, 0, "no total"},
		{"a value too few", TABLE "base 1.00\n", NULL, 0, 2, 1, "no row of the CPI stack"},
		{"a value too many", TABLE "base 1.00 1.00   1.00\n", NULL, 0, 2, 18, "no row of the CPI stack"},
		{"no number", TITLE "base 1.00 100.00%\nmem one 1.00%\n", NULL, 0, 3, 5, "a number is expected"},
		{"no percentage", TITLE "base 1.00 100.00\n", NULL, 0, 2, 11, "a number with %"},
		{"a component twice", TITLE "base 1.00 50.00%\nbase 1.00 50.00%\n", NULL, 0, 3, 1, "twice"},
		{"a core twice", TITLE "Core 0\ntotal 1.00 50.00%\nCore 0\ntotal 1.00 50.00%\n", NULL, 0, 4, 6,
			"listed twice"},
		{"a core twice in a title", "CPI Core 0 Core 0\n", NULL, 0, 1, 17, "twice"},
		{"a title that is no list", "CPI Core 0 Cores 1\n", NULL, 0, 1, 12, "no list of cores"},
		{"values for too few cores", "a.cpiX = 1, 2, 3\nrob_timer.cpiBase = 1, 2\n", NULL, 0, 2, 21,
			"2 values, and there "
			"are 3 cores"},
		{"a statistic twice", DUMP DUMP, NULL, 0, 2, 1, "twice"},
		{"no statistic", DUMP "oops\n", NULL, 0, 2, 1, "no statistic"},
		{"nothing but fractions", "rob_timer.cpiBase = 0.5, 0.25\n", NULL, 0, 0, 0, "no value of a core"},
		{"a value cut off", "roi-end.a[0].b 5\nroi-end.a[0].c\n", NULL, 0, 2, 1, "no statistic"},
		{"twice in a snapshot", "roi-end.a[0].b 5\nroi-end.a[0].b 6\n", NULL, 0, 2, 0, "twice in one snapshot"},
		{"no end", "roi-begin.a[0].b 5\nroi-begin.a[1].b 6\n", NULL, 0, 0, 0,
			"neither the snapshot roi-end nor stop"},
		{"no text", DUMP "\xff\n", NULL, 0, 2, 0, "not UTF-8"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct err e = {0};
		struct obs_table *t = import_read("s.txt", row[i].text, strlen(row[i].text), false, &e);

		test_label("%s", row[i].name);
		if (!CHECK_INT(t != NULL, row[i].column != NULL))
			test_check(false, __FILE__, __LINE__, "%s: %s", row[i].name, e.what);
		if (t && row[i].column)
			check_cell(t, 0, row[i].column, row[i].count);
		if (!t && !row[i].column) {
			CHECK_INT(e.line, row[i].line);
			CHECK_INT(e.col, row[i].col);
			CHECK_STR(e.file, "s.txt");
			test_check(
				strstr(e.what, row[i].says) != NULL, __FILE__, __LINE__, "%s: %s", row[i].name, e.what);
		}
		obs_table_free(t);
	}
}

/* Texts of other formats that look a little like Sniper's. */
static void
others_are_not_taken_for_it(void)
{
	static const struct { const char *text; enum import_format want; } row[] = {
		{"CPI,Time\n1,2\n", IMPORT_WIDE_CSV}, {"CPI\n1\n", IMPORT_WIDE_CSV}, {"Time (ms)\n1\n",
			IMPORT_WIDE_CSV},
		{"a = 1\nb = 2\n", IMPORT_WIDE_CSV}, {"a.b = 1\nc.d = 2\n", IMPORT_WIDE_CSV}, {"a.b 1\nc.d 2\n",
			IMPORT_WIDE_CSV},
		{"a.b[0].c,d\n1,2\n", IMPORT_WIDE_CSV}, {" 1,234 rob_timer.cpiBase:u\n", IMPORT_WIDE_CSV}, {"",
			IMPORT_WIDE_CSV},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		test_label("%s", row[i].text);
		CHECK_INT(import_format_of(row[i].text, strlen(row[i].text)), row[i].want);
	}
}

TEST_MAIN(CASE(stacks_of_cores), CASE(statistics_of_cores), CASE(cells_that_are_not_zero),
	CASE(odd_texts_give_tables_or_places),
	CASE(others_are_not_taken_for_it))
