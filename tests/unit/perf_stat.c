/* Every shape of perf stat's output, cell by cell. tests/data/perf-stat/expect/FILE holds the expected table as text,
 * with the notes. HECATE_WRITE_EXPECT=FOLDER writes the tables there; check each by eye before it becomes the expected
 * one. */
#include "collect/import/perf_stat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "collect/import/import.h"
#include "collect/import/perf_record.h"
#include "core/obs/obs.h"
#include "table.h"
#include "test.h"

static void
real_files_of_perf_6_1(void)
{
	static const char *const file[] = {
		"stat_x_basic.csv",
		"stat_x_I100_notcounted.csv",
		"stat_x_A_I100.csv",
		"stat_x_o_header.csv",
		"stat_x_per-core.csv",
		"stat_x_per-die.csv",
		"stat_x_per-node.csv",
		"stat_x_per-socket.csv",
		"stat_x_r3.csv",
		"stat_x_semicolon.csv",
		"stat_x_summary.csv",
		"stat_j_basic.jsonl",
		"stat_j_I_A.jsonl",
		"stat_j_per-core.jsonl",
		"stat_j_per-die.jsonl",
		"stat_j_per-node.jsonl",
		"stat_j_per-socket.jsonl",
	};

	for (size_t i = 0; i < sizeof file / sizeof *file; i++)
		table_check_file("perf-stat-6.1", "perf-stat", file[i], false);
}

static void
separated_shapes(void)
{
	static const char *const file[] = {
		"x_3.14.csv",
		"x_3.14_A.csv",
		"x_3.14_per-socket.csv",
		"x_4.1.csv",
		"x_4.1_semicolon.csv",
		"x_append.csv",
		"x_asleep-and-zero.csv",
		"x_before-3.14.csv",
		"x_before-3.14_A.csv",
		"x_blank.csv",
		"x_bom.csv",
		"x_cgroup.csv",
		"x_colon.csv",
		"x_crlf_cut-metric.csv",
		"x_cut.csv",
		"x_decimal-comma.csv",
		"x_double-colon.csv",
		"x_duplicates.csv",
		"x_duration-twice-6.5.csv",
		"x_energy.csv",
		"x_events-change.csv",
		"x_hybrid-6.5.csv",
		"x_I50_faults.csv",
		"x_segv.csv",
		"x_letter.csv",
		"x_metric-only.csv",
		"x_multiplexed.csv",
		"x_no-csv-summary.csv",
		"x_own-output.csv",
		"x_per-thread-counts.csv",
		"x_per-thread.csv",
		"x_pmu-terms-uncore.csv",
		"x_pmu-terms.csv",
		"x_slash.csv",
		"x_tab.csv",
		"x_time-back.csv",
		"x_topdown-6.5.csv",
		"x_variance-last.csv",
	};

	for (size_t i = 0; i < sizeof file / sizeof *file; i++)
		table_check_file("perf-stat", "perf-stat", file[i], false);
}

static void
json_shapes(void)
{
	static const char *const file[] = {
		"j_2022-12.jsonl",
		"j_6.13.jsonl",
		"j_6.5.jsonl",
		"j_cgroup.jsonl",
		"j_cut.jsonl",
		"j_faults.jsonl",
		"j_segv.jsonl",
		"j_decimal-comma.jsonl",
		"j_own-output.jsonl",
		"j_per-thread.jsonl",
		"j_pretty.json",
		"j_r3.jsonl",
		"j_summary.jsonl",
	};

	for (size_t i = 0; i < sizeof file / sizeof *file; i++)
		table_check_file("perf-stat", "perf-stat", file[i], false);
}

static void
tables_for_people(void)
{
	static const char *const file[] = {
		"text_3.txt",
		"text_A_I50.txt",
		"text_I100.txt",
		"text_basic.txt",
		"text_cgroup.txt",
		"text_de.txt",
		"text_de_I.txt",
		"text_fr_ch.txt",
		"text_multiplexed.txt",
		"text_own-output.txt",
		"text_per-core_I50.txt",
		"text_per-socket.txt",
		"text_per-thread.txt",
		"text_r3.txt",
		"text_segv.txt",
		"text_summary.txt",
		"text_two-runs.txt", "text_group.txt",
	};

	for (size_t i = 0; i < sizeof file / sizeof *file; i++)
		table_check_file("perf-stat", "perf-stat", file[i], false);
}

/* With --exact, an estimate is not a count. */
static void
exact_totals_hold_no_estimates(void)
{
	static const char *const file[] = {
		"x_multiplexed.csv", "x_duplicates.csv", "x_hybrid-6.5.csv", "text_r3.txt", "x_asleep-and-zero.csv",
		"x_4.1.csv"
	};

	for (size_t i = 0; i < sizeof file / sizeof *file; i++)
		table_check_file("perf-stat", "perf-stat", file[i], true);
}

static struct obs_table *
read_text(const char *text, bool exact, struct err *e)
{
	memset(e, 0, sizeof *e);
	return import_read("f.csv", text, strlen(text), exact, e);
}

static void
different_duplicates_are_no_total(void)
{
	struct err e;
	struct obs_table *t = read_text("5,,a-b,10,100.00,,\n6,,a-b,10,100.00,,\n7,,c-d,10,100.00,,\n", true, &e);

	if (!CHECK(t))
		return;
	CHECK_INT(t->obs[0]->n_rows, 1);
	CHECK_INT(t->obs[0]->counted[0], 0);
	CHECK_INT(t->obs[0]->health[0], OBS_ABSENT);
	CHECK_INT(t->obs[0]->counted[1], 1);
	CHECK_INT(t->obs[0]->count[1], 7);
	obs_table_free(t);
}

static void
bad_files_are_refused_where_they_are_bad(void)
{
	static const struct { const char *text; int line; const char *what; } row[] = {
		{"1,,a-b,10,100.00,,\n9223372036854775808,,a-b,10,100.00,,\n", 2,
			"a-b is beyond 64 bits: 9223372036854775808"},
		{"1,,a-b,10,100.00,,\n18446744073709551615,,a-b,10,100.00,,\n", 2, "beyond 64 bits"},
		{"1,,a-b,10,100.00,,\n-4,,a-b,10,100.00,,\n", 2, "a-b is negative: -4"},
		{"0.5,furlong,a-b,10,100.00,,\n9000000000000000000,furlong,a-b,10,100.00,,\n", 2,
			"a-b (furlong) does not fit into 64 bits with the 1 decimals"},
		{"1,,a-b,10,100.00,,\ninf,,a-b,10,100.00,,\n", 2, "a-b is \"inf\", which is not a count"},
		{" Performance counter stats for 'x':\n\n  12,345 msec task-clock\n", 3,
			"12,345 msec has three digits"},
		{"0,74,msec,task-clock,743092,100,00,0,620,CPUs utilized\n", 1, "decimal commas"},
		{"50,,page-faults,743092,100,00,69,302,K/sec\n", 1, "decimal commas"},
		{"     0,100178470,<not counted>,,page-faults,0,100,00,,\n", 1, "decimal commas"},
		{"{\"counter-value\" : \"9223372036854775808.000000\", \"event\" : \"a\", \"event-runtime\" : 1}\n",
			1, "a is beyond 64 bits"},
		{"\n{\"counter-value\" : \"x\", \"event\" : \"a\", \"event-runtime\" : 1}\n", 2,
			"\"counter-value\" is \"x\""},
		{"{\"counter-value\" : \"1\", \"event\" : \"a\", \"pcnt-running\" : maybe}\n", 1,
			"\"pcnt-running\" is \"maybe\""},
		{" Performance counter stats for 'x':\n\n  9,223,372,036,854,775,808      cycles  \n", 3,
			"cycles is beyond 64 bits"},
		{"# started on Sat Nov 21 02:58:24 2026\n\n", 0, "no line of this is a record"},
		{"# started on Sat Nov 21 02:58:24 2026\n\n     0.020139494,\n", 0, "no line of this is a record"},
		{"# started on Sat Nov 21\n\n,,,,,70.1,%  tma_backend_bound\n", 0, "derived metrics"},
		{"# started on Sat Nov 21\n\n0.74,ms", 0, "the file ends inside its first record"},
		{"{\"a\": 1}\n", 0, "no line of this is a record"},
		{"[", 0, "the file ends inside its first record"},
		{"[\n", 0, "no line of this is a record"},
		{"[]\n{}\n", 0, "no line of this is a record"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct err e;
		struct obs_table *t = read_text(row[i].text, false, &e);

		test_label("row %zu: %s", i, row[i].what);
		CHECK(!t);
		test_check(strstr(e.what, row[i].what) != NULL, __FILE__, __LINE__, "the message is \"%s\"", e.what);
		CHECK_STR(e.file, "f.csv");
		CHECK_INT(e.line, row[i].line);
		CHECK(*e.hint);
		obs_table_free(t);
	}
}

/* Numbers as locales write them. */
static void
numbers_of_any_locale(void)
{
	static const struct { const char *text; bool grouped; const char *plain; } row[] = {
		{"0", true, "0"}, {"12", true, "12"}, {"1,234", true, "1234"}, {"1.234.567", true, "1234567"},
			{"1,234.56", true, "1234.56"}, {"1.234,56", true, "1234.56"},
		{"0.764", true, "0.764"}, {"0,764", true, "0.764"}, {"0.764382", true, "0.764382"}, {"12,34,567",
			true, "1234567"}, {"1'234'567", true, "1234567"},
		{"1\xe2\x80\xaf" "234", true, "1234"}, {"1\xc2\xa0" "234,50", true, "1234.50"}, {"1,23", true,
			"1.23"}, {"1,2,3", true, NULL}, {"1,2345,678", true, NULL},
		{",123", true, NULL}, {"12,", true, NULL}, {"1-2", true, NULL}, {"1e", true, NULL},
			{"2026-11-21", false, NULL}, {"1e+06", false, "1e+06"}, {"-4", false, "-4"},
		{"0,74", false, "0.74"}, {"1.234", false, "1.234"}, {"1.234.567", false, NULL}, {"1'234", false,
			NULL}, {"", false, NULL}, {"x", false, NULL}, {".", false, NULL},
		{"123456789012345678901234567890123456789012345678901234567890123", false, NULL},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char plain[PERF_VALUE_MAX] = "";
		bool good =
			perf_span_plain((struct perf_span){row[i].text, strlen(row[i].text)}, row[i].grouped, plain);

		test_label("%s", row[i].text);
		CHECK_INT(good, row[i].plain != NULL);
		if (good && row[i].plain)
			CHECK_STR(plain, row[i].plain);
	}
}

/* Where decimals and large counts do not fit into 64 bits together, the clock is left out and the counts are kept. */
static void
decimals_give_way_to_large_counts(void)
{
	struct err e;
	struct obs_table *t = read_text("0.5,msec,task-clock,10,100.00,,\n0.125,Joules,power/e/"
					",10,100.00,,\n9223372036854775807,,cycles,10,100.00,,\n",
		true, &e);

	if (!CHECK(t))
		return;
	CHECK_INT(t->obs[0]->decimals, 0);
	CHECK_INT(t->obs[0]->counted[0], 0);
	CHECK_INT(t->obs[0]->counted[1], 0);
	CHECK_INT(t->obs[0]->count[2], INT64_MAX);
	if (CHECK_INT(t->n_notes, 1))
		CHECK_STR(t->note[0],
			"f.csv: left out, because their decimals and the largest counts do not fit into 64 bits "
			"together: power/e/ (Joules), task-clock (msec)");
	obs_table_free(t);
}

/* Every separator that no name or number contains. */
static void
any_separator_is_read(void)
{
	static const char *const sep[] = {
		",", ";", "\t", "|", ":", " ", "#", "!", "@", "&", "~", "^", "=", "_", "X", "q", "::", ", ", "<>", "||",
		" ; "
	};

	for (size_t i = 0; i < sizeof sep / sizeof *sep; i++) {
		const char *s = sep[i];
		char *text = str_format("     0.100000001%sCPU0%s12%s%spage-faults%s743092%s100.00%s0.62%s/sec\n"
					"     0.100000001%sCPU0%s0.74%smsec%scpu-clock%s743092%s50.00%s%s\n",
			s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s);
		struct err e;
		struct obs_table *t = read_text(text, false, &e);

		test_label("separator \"%s\"", s);
		if (CHECK(t) && CHECK_INT(t->n_columns, 2) && CHECK_INT(t->n, 1)) {
			CHECK_STR(t->column[0], "page-faults");
			CHECK_STR(t->column[1], "cpu-clock (msec)");
			CHECK_STR(t->obs[0]->name, "f:CPU0");
			CHECK_INT(t->obs[0]->count[0], 1200);
			CHECK_INT(t->obs[0]->count[1], 74);
			CHECK_NEAR(t->obs[0]->running[1], 0.5, 0);
		}
		obs_table_free(t);
		free(text);
	}
}

/* Control characters in names never reach a terminal. */
static void
names_are_made_visible(void)
{
	struct err e;
	struct obs_table *t = read_text("a\x01" "b-7,1,,page-faults,10,100.00,,\na\xff"
					"b-7,1,,page-faults,10,100.00,,\n",
		false, &e);

	if (CHECK(t) && CHECK_INT(t->n, 2)) {
		CHECK_STR(t->obs[0]->name, "f:a\\x01b-7");
		CHECK_STR(t->obs[1]->name, "f:a\\xffb-7");
	}
	obs_table_free(t);
}

#define HEADING " Performance counter stats for 'x':\n\n"
#define ELAPSED " 1 seconds time elapsed\n"
#define PREFIX "note f.csv:1: each line has the same kind of prefix, as in logs and mails: left out\n"

/* What terminals, logs, mails and broken counters make of perf's output. */
static void
lines_are_not_lost(void)
{
	static const struct { const char *text, *want; } row[] = {
		/* groups of digits with blanks */
		{HEADING " 976 160 248      a  (50,00%)\n 12 345,67 msec b\n" ELAPSED,
			"columns [a] [b (msec)]\nf\n  1.000000000 976160248.00(50%) 12345.67\n"
			"note f.csv:3: counts scaled up from as little as 50.00 % of the time are estimates: a\n"},
		{HEADING " 1\xe2\x80\x89" "234      a\n 12,345      msec b  #    0,998 CPUs utilized\n"
			ELAPSED,
			"columns [a] [b (msec)]\nf\n  1.000000000 1234.000 12.345\n"},
		{HEADING " 12,345 ns duration_time\n" ELAPSED,
			"columns [duration_time (ns)]\nf\n  1.000000000 12345\n"},
		/* a share on the next line */
		{" Performance counter stats for 'x\ny':\n\n 203,672      a     # 3044 GHz\n      (83.40%)\n"
			" 53,694   b   #    0.26  insn per\ncycle\n"
			"       #    2.58  stalled cycles per insn  (83.30%)\n" ELAPSED,
			"columns [a] [b]\nf\n  1.000000000 203672(83.4%) 53694(83.3%)\n"
			"note f.csv:2: this line is the end of the one above it, which was wrapped: both are read "
			"as one (3 of them, this being the first)\n"
			"note f.csv:8: a derived metric is not a count: left out\n"
			"note f.csv:4: counts scaled up from as little as 83.30 % of the time are estimates: a, b"
			" (2 of them, this being the first)\n"},
		/* colours */
		{HEADING "  \x1b[1m 1,234\x1b[0m   a   \x1b[31m # 1.0 GHz \x1b[0m\n" ELAPSED,
			"columns [a]\nf\n  1.000000000 1234\n"},
		/* prefixes */
		{"2024-03-13T10:00:00.000Z  Performance counter stats for 'x':\n2024-03-13T10:00:00.000Z\n"
			"2024-03-13T10:00:01.000Z   1,234   a\n2024-03-13T10:00:01.000Z   " ELAPSED,
			"columns [a]\nf\n  1.000000000 1234\n"
			PREFIX},
		{"[  12.345] 1,,a,10,100.00,,\n[  12.346] 2,,b,10,100.00,,\n",
			"columns [a] [b]\nf\n  0.000000010 1 2\n"
			PREFIX},
		{"> Performance counter stats for 'x':\n>\n>   1,234   a\n>   " ELAPSED,
			"columns [a]\nf\n  1.000000000 1234\n"
			PREFIX},
		{"web_1  | 1,,a,10,100.00,,\nweb_1  | 2,,b,10,100.00,,\n",
			"columns [a] [b]\nf\n  0.000000010 1 2\n"
			PREFIX},
		{"[ci 12:00:01] Performance counter stats for 'x':\n[ci 12:00:01]\n"
			"[ci 12:00:02]   1,234   a\n[ci 12:00:03]  " ELAPSED,
			"columns [a]\nf\n  1.000000000 1234\n"
			PREFIX},
		{"Mar 13 10:00:00 host job[12]: 1,,a,10,100.00,,\nMar 13 10:00:01 host job[12]: 2,,b,10,100.00,,\n",
			"columns [a] [b]\nf\n  0.000000010 1 2\n"
			PREFIX},
		{"  | Performance counter stats for 'x':\n  |\n  |   1,234   a\n  |  " ELAPSED,
			"columns [a]\nf\n  1.000000000 1234\n"
			PREFIX},
		/* broken counters */
		{"1,,a,10,104.17,,\nnan,,b,10,100.00,,\n7,,c,10,100.00,,\n",
			"columns [a] [b] [c]\nf, b absent\n  0.000000010 1 - 7\n"
			"note f.csv:1: a share of time above 100 %: taken as 100 %\n"
			"note f.csv:2: nan is not a count: taken as not counted\n"},
		/* another separator, and a table whose lines cannot be read */
		{"1,,a,10,100.00,,\n2;;b;10;100.00;;\n3,,c,10,100.00,,\n",
			"columns [a] [c]\nf\n  0.000000010 1 3\n"
			"note f.csv:2: 1 of 3 lines that hold a number could not be read: line 2\n"},
		{HEADING " 1,234   a\n 12 34 56 b\n",
			"columns [a]\nf, tasks 1\n  total 1234\n"
			"note f.csv:4: 1 of 2 lines that hold a number could not be read: line 4\n"
			"note f.csv:1: this table has no \"seconds time elapsed\": perf was killed or the text is cut, "
			"so events may be missing\n"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct err e = {.what = ""};
		struct obs_table *t = read_text(row[i].text, false, &e);
		char *got = table_text(t, &e);

		test_label("row %zu", i);
		CHECK_STR(got, row[i].want);
		obs_table_free(t);
		free(got);
	}
}

TEST_MAIN(CASE(lines_are_not_lost), CASE(real_files_of_perf_6_1), CASE(separated_shapes), CASE(json_shapes),
	CASE(tables_for_people),
	CASE(exact_totals_hold_no_estimates), CASE(different_duplicates_are_no_total),
	CASE(bad_files_are_refused_where_they_are_bad), CASE(numbers_of_any_locale),
	CASE(decimals_give_way_to_large_counts), CASE(any_separator_is_read), CASE(names_are_made_visible))
