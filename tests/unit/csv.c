/* CSV files as observations (collect/import/csv.h): rows, times, exact decimals, bad and damaged files, and which
 * format a text is recognised as. Expected tables and messages are worked out by hand. */
#include "collect/import/csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "collect/import/decimal.h"
#include "collect/import/import.h"
#include "core/obs/obs.h"
#include "test.h"

static struct obs_table *
read_text(const char *text, struct err *e)
{
	memset(e, 0, sizeof *e);
	return csv_read("data/runs.v2.csv", text, strlen(text), false, e);
}

static void
rows_are_grouped_and_ordered(void)
{
	struct err e;
	struct obs_table *t = read_text("\xef\xbb\xbf"
					"observation, time,\"a,\"\"b\"\"\",load.pde$_miss\r\n"
					"one,2,7,8\r\n"
					"two,,5,\r\n"
					"\r\n"
					"one,1,3,4.25\r\n"
					"\"two\",9,6,0",
					&e);

	if (!CHECK(t))
		return;
	CHECK_INT(t->n_columns, 2);
	CHECK_STR(t->column[0], "a,\"b\"");
	CHECK_STR(t->column[1], "load.pde$_miss");
	CHECK_INT(t->n, 2);
	CHECK_STR(t->obs[0]->name, "one");
	CHECK_STR(t->obs[0]->source, "data/runs.v2.csv");
	CHECK_INT(t->obs[0]->decimals, 2);
	CHECK_INT(t->obs[0]->n_rows, 2);
	CHECK_INT(t->obs[0]->count[0], 300);
	CHECK_INT(t->obs[0]->count[1], 425);
	CHECK_INT(t->obs[0]->count[2], 700);
	CHECK_NEAR(t->obs[0]->time[0], 1, 0);
	CHECK_NEAR(t->obs[0]->time[1], 2, 0);
	CHECK_INT(t->obs[1]->decimals, 0);
	CHECK(t->obs[1]->time == NULL);
	CHECK_INT(t->obs[1]->count[0], 5);
	CHECK_INT(t->obs[1]->counted[1], 0);
	CHECK_INT(t->obs[1]->counted[3], 1);
	CHECK_INT(t->obs[1]->health[1], OBS_LIVE);
	obs_table_free(t);
}

static void
a_file_names_its_only_observation(void)
{
	struct err e;
	struct obs_table *t = read_text("a\n1\n2\n", &e);

	if (CHECK(t)) {
		CHECK_INT(t->n, 1);
		CHECK_STR(t->obs[0]->name, "runs.v2");
		CHECK_INT(t->obs[0]->n_rows, 2);
	}
	obs_table_free(t);
	t = csv_read("-", "a\n1", 3, true, &e);
	if (CHECK(t)) {
		CHECK_STR(t->obs[0]->name, "stdin");
		CHECK(t->obs[0]->exact);
	}
	obs_table_free(t);
}

static void
decimals_are_exact(void)
{
	static const struct { const char *s; enum decimal_fault fault; int64_t digits; int decimals; } row[] = {
		{"0", DECIMAL_GOOD, 0, 0}, {"-0.00", DECIMAL_GOOD, 0, 0}, {"0e99999", DECIMAL_GOOD, 0, 0},
			{"007", DECIMAL_GOOD, 7, 0},
		{"9223372036854775807", DECIMAL_GOOD, INT64_MAX, 0}, {"9223372036854775808", DECIMAL_TOO_LARGE, 0, 0},
		{"9007199254740993", DECIMAL_GOOD, 9007199254740993, 0}, {"2.50", DECIMAL_GOOD, 25, 1}, {".5",
			DECIMAL_GOOD, 5, 1}, {"5.", DECIMAL_GOOD, 5, 0},
		{"1e6", DECIMAL_GOOD, 1000000, 0}, {"1.25E+1", DECIMAL_GOOD, 125, 1}, {"1000000e-6",
			DECIMAL_GOOD, 1, 0}, {"1e-3", DECIMAL_GOOD, 1, 3},
		{"9223372036854775807000e-3", DECIMAL_GOOD, INT64_MAX, 0}, {"100.000000000000000000000000",
			DECIMAL_GOOD, 100, 0},
		{"1e19", DECIMAL_TOO_LARGE, 0, 0}, {"1e999999999999", DECIMAL_TOO_LARGE, 0, 0}, {"1e-19",
			DECIMAL_TOO_LARGE, 0, 0},
		{"0.1234567890123456789", DECIMAL_TOO_LARGE, 0, 0}, {"-1", DECIMAL_NEGATIVE, 0, 0},
			{"-99999999999999999999", DECIMAL_NEGATIVE, 0, 0},
		{"nan", DECIMAL_NAN, 0, 0}, {"-INF", DECIMAL_NAN, 0, 0}, {"N/A", DECIMAL_NAN, 0, 0},
		{"", DECIMAL_NOT_A_NUMBER, 0, 0}, {".", DECIMAL_NOT_A_NUMBER, 0, 0}, {"1.2.3",
			DECIMAL_NOT_A_NUMBER, 0, 0}, {"0x10", DECIMAL_NOT_A_NUMBER, 0, 0},
		{"1 000", DECIMAL_NOT_A_NUMBER, 0, 0}, {"1,5", DECIMAL_NOT_A_NUMBER, 0, 0}, {"1e",
			DECIMAL_NOT_A_NUMBER, 0, 0}, {"--1", DECIMAL_NOT_A_NUMBER, 0, 0},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct decimal d = {0, 0};

		test_label("%s", row[i].s);
		CHECK_INT(decimal_parse(row[i].s, &d), row[i].fault);
		CHECK_INT(d.digits, row[i].digits);
		CHECK_INT(d.decimals, row[i].decimals);
	}
}

static void
bad_files_are_refused_where_they_are_bad(void)
{
	static const struct { const char *text; int line, col; const char *what; } row[] = {
		{"", 0, 0, "empty"}, {"\n\r\n", 0, 0, "empty"}, {"a,b\n", 0, 0, "no row"},
			{"observation,time\nx,1\n", 1, 13, "no counter"},
		{"a,b,a\n1,2,3\n", 1, 5, "two columns of the header are called a: column 1 and column 3"},
		{"time,time,a\n", 1, 6, "two columns of the header are called time"}, {"a,,b\n1,2,3\n", 1, 3,
			"column 2 has no name"},
		{"a,b\n1,2\n3\n", 3, 1, "ends after 1 of 2 cells: b is missing"}, {"a,b\n1,2,3\n", 2, 5,
			"the row has too many cells: the header has 2 columns"},
		{"a,b\n1,inf\n", 2, 3, "b is \"inf\""}, {"a,b\n1,2\n-4,1\n", 3, 1, "a is negative: -4"},
		{"a,b\n1,x y\n", 2, 3, "b is not a number: \"x y\""}, {"a\n9223372036854775808\n", 2, 1,
			"a is beyond 64 bits: 9223372036854775808"},
		{"a,b\n9223372036854775807,0.5\n", 2, 1, "a does not fit into 64 bits with the 1 decimals"},
		{"a\n<counted>\n", 2, 1, "a is not a number: \"<counted>\""}, {"a\n\"1,5\"\n", 2, 1,
			"not a number: \"1,5\""},
		{"a,b\n1,\"2\n3,4\n", 2, 3, "not closed"}, {"a,b\n\"1\"2,3\n", 2, 4, "after the closing quote"},
		{"observation,a\n,1\n", 2, 1, "observation has no name"}, {"time,a\nsoon,1\n", 2, 1,
			"time is not a number of seconds: \"soon\""},
		{"\"a\nb\",c\n1,q\n", 3, 3, "c is not a number"}, {"a\n1\xff\n", 2, 0, "not UTF-8: byte 4 is 0xff"},
		{"a,b\n1,2\nc,d\n3,4\n", 3, 1, "the columns change here"}, {"time,a,b\n1,1,2\ntime,b,a\n3,4,4\n",
			3, 1, "the columns change here"},
		{"a,b\n1,2\nc,d,e\n3,4,5\n", 3, 1, "the columns change here"},
			{"observation,a\nx,1\nobservation,b\n", 3, 13, "the columns change here"},
		{"a,b\n9223372036854775808,1\n", 2, 1, "a is beyond 64 bits"}, {"a,b\n1,18446744073709551615\n",
			2, 3, "b is beyond 64 bits"},
		{"a,b\n1", 0, 0, "no whole row"}, {"a;b\n1;2,5\n", 2, 3, "b is not a number: \"2,5\""},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct err e;
		struct obs_table *t = read_text(row[i].text, &e);

		test_label("row %zu: %s", i, row[i].what);
		CHECK(!t);
		test_check(strstr(e.what, row[i].what) != NULL, __FILE__, __LINE__, "the message is \"%s\"", e.what);
		CHECK_STR(e.file, "data/runs.v2.csv");
		CHECK_INT(e.line, row[i].line);
		CHECK_INT(e.col, row[i].col);
		obs_table_free(t);
	}
}

static void
binary_and_enormous_input_is_survived(void)
{
	struct str big = {0};
	struct obs_table *t;
	struct err e;

	CHECK(!csv_read("x", "a,b\n1\0,2\n", 9, false, &e));
	CHECK(strstr(e.what, "byte 6 is NUL") != NULL);
	CHECK_INT(e.line, 2);
	str_add(&big, "a\n");
	for (int i = 0; i < 3000000; i++)
		str_addc(&big, '7');
	CHECK(!csv_read("x", big.s, big.n, false, &e));
	CHECK(str_starts(e.what, "a is beyond 64 bits: 777"));
	str_clear(&big);
	for (int i = 0; i < 20000; i++)
		str_addf(&big, "%sc%d", i ? "," : "", i);
	for (int i = 0; i < 20000; i++)
		str_addf(&big, "%c%d", i ? ',' : '\n', i);
	t = csv_read("x", big.s, big.n, false, &e);
	if (CHECK(t)) {
		CHECK_INT(t->n_columns, 20000);
		CHECK_INT(t->obs[0]->count[19999], 19999);
	}
	obs_table_free(t);
	str_free(&big);
}

static void
check_note(const struct obs_table *t, size_t i, const char *want)
{
	if (CHECK(t->n_notes > i))
		CHECK_STR(t->note[i], want);
}

/* Files that were concatenated: each part has observations of its own. */
static void
a_header_again_begins_others(void)
{
	struct err e;
	struct obs_table *t = read_text("time,a,b\r\n1,2,3\r\n2,3,4\r\ntime,a,b\r\n1,5,6\r\n", &e);

	if (CHECK(t) && CHECK_INT(t->n, 2)) {
		CHECK_STR(t->obs[0]->name, "runs.v2");
		CHECK_STR(t->obs[1]->name, "runs.v2#2");
		CHECK_INT(t->obs[0]->n_rows, 2);
		CHECK_INT(t->obs[1]->n_rows, 1);
		CHECK_INT(t->obs[1]->count[1], 6);
		CHECK_INT(t->n_notes, 1);
		check_note(t, 0,
			"data/runs.v2.csv:4: the header is repeated: the rows after it become observations of their "
			"own");
	}
	obs_table_free(t);
	t = read_text("observation,a\nx,1\ny,2\nobservation,a\nx,3\n", &e);
	if (CHECK(t) && CHECK_INT(t->n, 3))
		CHECK_STR(t->obs[2]->name, "x#2");
	obs_table_free(t);
}

static void
times_that_go_back_are_put_in_order(void)
{
	struct err e;
	struct obs_table *t = read_text("time,a,b\n1,1,2\n3,3,\n2,2,7\n2,9,8\n1.5,15,0.5\n", &e);
	static const int64_t want[] = {10, 150, 20, 90, 30}, second[] = {20, 5, 70, 80, 0};

	if (CHECK(t)) {
		for (size_t i = 0; i < 5; i++) {
			CHECK_INT(t->obs[0]->count[2 * i], want[i]);
			CHECK_INT(t->obs[0]->count[2 * i + 1], second[i]);
			CHECK_INT(t->obs[0]->counted[2 * i + 1], i < 4);
		}
		check_note(t, 0, "data/runs.v2.csv:4: time goes back here: rows are put in the order of their times");
	}
	obs_table_free(t);
}

/* The text after the last newline may be an incomplete row. */
static void
a_file_that_is_still_written_loses_its_last_line(void)
{
	static const struct { const char *text; size_t rows; const char *note; } row[] = {
		{"observation,a,b\nx,1,2\nx,3,4\nx,5", 2, "is incomplete"}, {"observation,a,b\nx,1,2\nx,3,4\n\"x",
			2, "is incomplete"},
		{"observation,a,b\nx,1,2\nx,3,4\nlin", 2, "is incomplete"},
			{"observation,a,b\nx,1,2\nx,3,4\nx,5,1e", 2, "is incomplete"},
		{"observation,a,b\nx,1,2\nx,3,4\nx,5,6", 3, "has no newline"},
			{"observation,a,b\nx,1,2\nx,3,4\nx,5,\"6\"", 3, NULL},
		{"observation,a,b\nx,1,2\nx,3,4\n", 2, NULL},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct err e;
		struct obs_table *t = read_text(row[i].text, &e);

		test_label("row %zu", i);
		if (CHECK(t)) {
			CHECK_INT(t->n, 1);
			CHECK_INT(t->obs[0]->n_rows, row[i].rows);
			CHECK_INT(t->n_notes, row[i].note != NULL);
			CHECK(!row[i].note || (t->n_notes && strstr(t->note[0], row[i].note)));
		}
		CHECK_STR(e.what, "");
		obs_table_free(t);
	}
}

/* --exact adds rows up, and a sum with missing counts is no total. */
static void
partial_totals_are_left_out(void)
{
	struct err e = {.what = ""};
	static const char text[] = "observation,a,b,c\nx,1,2,\nx,3,,\ny,1,1,1\n";
	struct obs_table *t = csv_read("f.csv", text, sizeof text - 1, true, &e);

	if (CHECK(t)) {
		CHECK_INT(t->obs[0]->counted[0], 1);
		CHECK_INT(t->obs[0]->counted[1], 0);
		CHECK_INT(t->obs[0]->health[1], OBS_ABSENT);
		CHECK_INT(t->obs[1]->counted[1], 1);
		CHECK_INT(t->n_notes, 1);
		check_note(t, 0, "f.csv: left out, because exact totals are added up and some rows have no count: b");
	}
	obs_table_free(t);
}

/* Time is linear in rows and observations: a quadratic step would not end here. */
static void
two_million_rows(void)
{
	size_t n = test_rounds(50000, 2000000);
	struct str text = {0};
	struct obs_table *t;
	struct err e;

	str_add(&text, "time,a,b\n");
	for (size_t i = 0; i < n; i++)
		str_addf(&text, "%zu.5,%zu,%zu\n", i, i, 2 * i);
	t = csv_read("f.csv", text.s, text.n, false, &e);
	if (CHECK(t)) {
		CHECK_INT(t->obs[0]->n_rows, n);
		CHECK_INT(t->obs[0]->count[2 * n - 1], 2 * (n - 1));
		CHECK_NEAR(t->obs[0]->time[n - 1], (double)n - 0.5, 0);
	}
	obs_table_free(t);
	/* As many observations: names are made unique without comparing each with each. */
	str_clear(&text);
	str_add(&text, "observation,a\n");
	for (size_t i = 0; i < n / 10; i++)
		str_addf(&text, "run%zu,%zu\n%s", i, i, i % 2 ? "observation,a\n" : "");
	t = csv_read("f.csv", text.s, text.n, false, &e);
	if (CHECK(t))
		CHECK_INT(t->n, n / 10);
	obs_table_free(t);
	str_free(&text);
}

/* Any bytes give either a table or an error, and never a crash. */
static void
any_bytes_give_a_table_or_a_sentence(void)
{
	static const char piece[] = "a,b\n\r\"\"1.e-9 time,observation\n,5\n-";
	uint64_t seed = 42;

	for (int round = 0; round < 20000; round++) {
		char text[64];
		size_t n = test_random(&seed) % sizeof text;
		struct obs_table *t;
		struct err e = {.what = ""};

		for (size_t i = 0; i < n; i++)
			text[i] = test_random(&seed) % 50 ? piece[test_random(&seed) % (sizeof piece - 1)]
							  : (char)test_random(&seed);
		t = import_read("f", text, n, false, &e);
		if (t ? *e.what != '\0' : *e.what == '\0') {
			test_check(false, __FILE__, __LINE__, "round %d: table %d, sentence \"%s\"", round, t != NULL,
				e.what);
			obs_table_free(t);
			return;
		}
		obs_table_free(t);
	}
	CHECK(true);
}

static void
formats_are_recognised(void)
{
	static const struct { const char *text; size_t n; enum import_format format;
	} row[] = {
#define ROW(s, f) {s, sizeof s - 1, f}
		ROW("SQLite format 3\0\20\0", IMPORT_SQLITE),
		ROW("PERFILE2....", IMPORT_TOOL),
		ROW("# started on Fri Nov 20 15:33:06 2026\n\n0.74,msec,task-clock,743092,100.00\n", IMPORT_PERF_STAT),
		ROW("0.74,msec,task-clock,743092,100.00,0.620,CPUs utilized\n", IMPORT_PERF_STAT),
		ROW("<not supported>,,cycles,0,100.00,,\n", IMPORT_PERF_STAT),
		ROW("     0.200570968,<not counted>,,page-faults,0,100.00,,\n", IMPORT_PERF_STAT),
		ROW("     0.100239848,CPU0,3,,page-faults,100471784,100.00,29.861,/sec\n", IMPORT_PERF_STAT),
		ROW("S0,2,204.13,msec,cpu-clock,204129726,100.00,2.000,CPUs utilized\n", IMPORT_PERF_STAT),
		ROW("1.354075473,0,cpu-migrations\n", IMPORT_PERF_STAT),
		ROW("0,68;msec;task-clock;680035;100,00;0,790;CPUs utilized\n", IMPORT_PERF_STAT),
		ROW("\n Performance counter stats for 'ls':\n\n  1.2 msec task-clock\n", IMPORT_PERF_STAT),
		ROW("{\"counter-value\" : \"0.842874\", \"unit\" : \"msec\"}\n", IMPORT_PERF_STAT),
		ROW("// a comment\nmodel m \"M\";\n", IMPORT_MODEL),
		ROW("/* two\nlines */\nmodel m;\n", IMPORT_MODEL),
		ROW("observation,time,a,b\nx,0.1,1,2\n", IMPORT_WIDE_CSV),
		ROW("\xef\xbb\xbfpage-faults,minor-faults\n1,2\n", IMPORT_WIDE_CSV),
		ROW("model,a\nx,1\n", IMPORT_WIDE_CSV),
		ROW("load,time,observation\n5,0.1,linear-4k\n", IMPORT_WIDE_CSV),
		ROW("a,b,observation,c,d\n1,,linear,5,3.25\n", IMPORT_WIDE_CSV),
		ROW("observation,a,b,c\nlinear,5,3,25\n", IMPORT_WIDE_CSV),
		ROW("hello, world\n0.74,msec,task-clock,743092,100.00,0.620,CPUs utilized\n", IMPORT_PERF_STAT),
		ROW("time,passes\nby\n<not counted>,,cycles,0,0.00,,\n", IMPORT_PERF_STAT),
		ROW("[{\"a\": 1}]", IMPORT_PERF_STAT),
		ROW("# 4.8-full on "
		    "machine\nTimestamp,CPUs,Area,Value,Unit,Description,Sample,Stddev,Multiplex,Bottleneck,Idle\n",
			IMPORT_TOOL),
		ROW("0.503247704,C0,Frontend_Bound,1,% Slots <,,,0.0,3.99,,Y\n", IMPORT_TOOL),
		ROW("System,System,System,Socket 0\nDate,Time,EXEC,IPC\n", IMPORT_TOOL),
		ROW("System;;;Socket 0\nDate;Time;EXEC;IPC\n", IMPORT_TOOL),
		ROW("\xff\xfe"
		    "a\0,\0b\0",
			IMPORT_UTF16),
		ROW("", IMPORT_WIDE_CSV),
#undef ROW
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct err e = {.what = ""};
		struct obs_table *t;

		test_label("row %zu: %.30s", i, row[i].text);
		CHECK_INT(import_format_of(row[i].text, row[i].n), row[i].format);
		if (row[i].format == IMPORT_WIDE_CSV || row[i].format == IMPORT_PERF_STAT)
			continue;
		t = import_read("f", row[i].text, row[i].n, false, &e);
		CHECK(!t);
		CHECK(str_starts(e.what, "this "));
		CHECK(*e.hint);
	}
}

TEST_MAIN(CASE(rows_are_grouped_and_ordered), CASE(a_file_names_its_only_observation), CASE(decimals_are_exact),
	CASE(bad_files_are_refused_where_they_are_bad), CASE(binary_and_enormous_input_is_survived),
	CASE(a_header_again_begins_others), CASE(times_that_go_back_are_put_in_order),
	CASE(a_file_that_is_still_written_loses_its_last_line), CASE(partial_totals_are_left_out),
	CASE(two_million_rows), CASE(any_bytes_give_a_table_or_a_sentence), CASE(formats_are_recognised))
