/* Tables of runs and of expected counts: what they mean, and that no damage to a table breaks the reader. */
#include "collect/import/run_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/trust/expected.h"
#include "core/trust/judge.h"
#include "core/trust/runs.h"
#include "tests/lib/test.h"

static bool
read_runs(const char *text, size_t n, struct trust_runs *runs, struct err *e)
{
	struct run_table_pairs *pairs = run_table_pairs_new();
	bool good = run_table_read("t.csv", text, n, runs, pairs, e);

	if (good)
		run_table_settle(runs, pairs);
	run_table_pairs_free(pairs);
	return good;
}

static void
kinds(void)
{
	static const struct {
		const char *text;
		enum run_table_kind kind;
	} row[] = {
		{"event,count\n", RUN_TABLE_RUNS},
		{"count,seconds,Event\n", RUN_TABLE_RUNS},
		{"machine,event\n", RUN_TABLE_RUNS},
		{"event,test,expected\n", RUN_TABLE_EXPECTED},
		{"# comment\n\nexpected , event\n", RUN_TABLE_EXPECTED},
		{"\xef\xbb\xbf" "event,expected\n", RUN_TABLE_EXPECTED},
		{"benchmark,run,instructions,branches\n", RUN_TABLE_INSTRUMENTED},
		{"observation,time,load.ret\n", RUN_TABLE_NONE},
		{"1000,,instructions:u,1000,100.00,,\n", RUN_TABLE_NONE},
		{"", RUN_TABLE_NONE},
	};

	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		test_label("%s", row[i].text);
		CHECK_INT(run_table_kind_of(row[i].text, strlen(row[i].text)), row[i].kind);
	}
}

/* The counter that stands beside most events counts interrupts, wherever it stands. */
static void
second_counters(void)
{
	static const char text[] =
		"event,test,run,counter,count,second_counter,second_count,counters\n"
		"a,t,1,A,100,H,7,NA/INT\n"
		"b,t,1,H,8,B,200,INT/NB\n"
		"c,t,1,C,300,D,400,NC/ND\n"
		"d,t,1,E,500,,,NE\n"
		"a,t,2,A,101,H,8,NA/INT\n";
	struct trust_runs runs = {0};
	struct err e = {0};

	if (!CHECK(read_runs(text, strlen(text), &runs, &e)) || !CHECK_INT(runs.n, 4))
		return;
	CHECK_INT(runs.group[0].n, 2);
	CHECK_NEAR(runs.group[0].run[1].beside[TRUST_BESIDE_INTERRUPTS], 8, 0);
	CHECK_STR(runs.group[0].counter, "A NA");
	CHECK_NEAR(runs.group[1].run[0].count, 200, 0);
	CHECK_NEAR(runs.group[1].run[0].beside[TRUST_BESIDE_INTERRUPTS], 8, 0);
	CHECK_STR(runs.group[1].counter, "B NB");
	CHECK(isnan(runs.group[2].run[0].beside[TRUST_BESIDE_INTERRUPTS]));
	CHECK_NEAR(runs.group[3].run[0].count, 500, 0);
	CHECK(isnan(runs.group[3].run[0].beside[TRUST_BESIDE_INTERRUPTS]));
	trust_runs_free(&runs);
}

/* Many events and tests of a machine, each with a second counter: the companion is found in one pass, as comparing all
 * pairs with all would not end. */
static void
many_pairs(void)
{
	struct str s = {0};
	struct trust_runs runs = {0};
	struct err e = {0};

	str_add(&s, "event,test,run,counter,count,second_counter,second_count\n");
	for (int i = 0; i < 40; i++)
		for (int t = 0; t < 50; t++)
			str_addf(&s, "e%d,t%d,1,H,7,c%d,%d\n", i, t, i, 1000 + t);
	if (CHECK(read_runs(str_text(&s), s.n, &runs, &e)) && CHECK_INT(runs.n, 2000))
		for (size_t i = 0; i < runs.n; i++) {
			CHECK_NEAR(runs.group[i].run[0].count, 1000 + (double)(i % 50), 0);
			CHECK_NEAR(runs.group[i].run[0].beside[TRUST_BESIDE_INTERRUPTS], 7, 0);
		}
	trust_runs_free(&runs);
	str_free(&s);
}

static void
numbers(void)
{
	static const char text[] =
		"event,count,page_faults,interrupts\n"
		"a,\"1,234\",1 000,\na,1_235,<not counted>,-\na,1\xe2\x80\xaf" "236,2.5,3\n";
	struct trust_runs runs = {0};
	struct err e = {0};

	if (!CHECK(read_runs(text, strlen(text), &runs, &e)) || !CHECK_INT(runs.group[0].n, 3))
		return;
	for (int i = 0; i < 3; i++)
		CHECK_NEAR(runs.group[0].run[i].count, 1234 + i, 0);
	CHECK_NEAR(runs.group[0].run[0].beside[TRUST_BESIDE_FAULTS], 1000, 0);
	CHECK(isnan(runs.group[0].run[1].beside[TRUST_BESIDE_FAULTS]));
	CHECK_NEAR(runs.group[0].run[2].beside[TRUST_BESIDE_FAULTS], 2.5, 0);
	CHECK_NEAR(runs.group[0].run[2].beside[TRUST_BESIDE_INTERRUPTS], 3, 0);
	trust_runs_free(&runs);
}

/* An entry for a machine or a test comes before one for all. */
static void
expectations(void)
{
	static const char text[] = "event,count,machine,test\ninst_retired,1,m,t\ninst_retired,1,k,t\nbranches,1,k,u\n";
	static const char wanted[] = "event,test,expected,machine\n"
		"instructions,t,5,\ninstructions,t,6,k\nbranches,,7,\n";
	static const double want[] = {5, 6, 7};
	struct trust_runs runs = {0};
	struct trust_expected x = {0};
	struct err e = {0};

	if (!CHECK(read_runs(text, strlen(text), &runs, &e)) ||
		!CHECK(run_table_read_expected("x.csv", wanted, strlen(wanted), &x, &e)))
		return;
	trust_expected_apply(&x, &runs);
	for (int i = 0; i < 3; i++)
		CHECK_NEAR(runs.group[i].expected, want[i], 0);
	CHECK_INT(runs.n_notes, 0);
	trust_expected_free(&x);
	trust_runs_free(&runs);
}

static void
instrumented(void)
{
	static const char text[] = "benchmark,event,count\nb,loads,10\nb,instructions,20\n";
	static const char pin[] = "benchmark,run,instructions,loads,rep_instructions\n"
		"b,1,18,9,4\nb,2,19,9,4\nb,3,22,9,4\n";
	struct trust_runs runs = {0};
	struct trust_expected x = {0};
	struct err e = {0};

	if (!CHECK(read_runs(text, strlen(text), &runs, &e)) ||
		!CHECK(run_table_read_expected("x.csv", pin, strlen(pin), &x, &e)))
		return;
	trust_expected_apply(&x, &runs);
	CHECK_NEAR(runs.group[0].expected, 9, 0);
	CHECK(isnan(runs.group[0].rep));
	CHECK_NEAR(runs.group[1].expected, 19, 0);
	CHECK_NEAR(runs.group[1].expected_range, 3, 0);
	CHECK_NEAR(runs.group[1].rep, 4, 0);
	trust_expected_free(&x);
	trust_runs_free(&runs);
}

/* Cuts, bytes that change, and strange cells: a table is read, or refused with a place. */
static void
damage(void)
{
	static const char *const strange[] = {"", "\"", "1e308", "-0", "99999999999999999999999", "nan", ",", "\n",
		"\r\n", "#", "\xff", "<not supported>"};
	unsigned long n;
	char *text = test_read("data/determinism/pairs.csv", &n);
	uint64_t seed = 1;
	unsigned rounds = test_rounds(300, 20000);

	if (!text)
		return;
	n = n < 3000 ? n : 3000;
	for (unsigned i = 0; i < rounds; i++) {
		struct str s = {0};
		struct trust_runs runs = {0};
		struct err e = {0};
		size_t at = test_random(&seed) % n, to = at + test_random(&seed) % 20;

		str_addn(&s, text, at);
		if (i % 3 == 0)
			str_addc(&s, (char)test_random(&seed));
		else if (i % 3 == 1)
			str_add(&s, strange[test_random(&seed) % (sizeof strange / sizeof strange[0])]);
		if (i % 3 && to < n)
			str_addn(&s, text + to, n - to);
		run_table_kind_of(str_text(&s), s.n);
		if (read_runs(str_text(&s), s.n, &runs, &e))
			trust_judgement_free(trust_judge(&runs, NULL, NULL));
		else
			CHECK(*e.what);
		trust_runs_free(&runs);
		str_free(&s);
	}
	free(text);
}

/* Numbers that could be read as others are refused. */
static void
doubtful_numbers(void)
{
	static const struct { const char *text, *error; } row[] = {
		{"event,count\na,\"1,5\"\n", "'1,5' in the column count"},
		{"event,count\na,\"1.234,567\"\n", "'1.234,567'"},
		{"event,count\na,12 13\n", "'12 13'"},
		{"event,count\na,_123\n", "'_123'"},
		{"event,count\na,9007199254740993\n", "'9007199254740993'"}, /* as a double it is 2^53 */
		{"event,count\na,1e400\n", "'1e400'"},
		{"event,count,interrupts\na,1,1e300\n", "'1e300' in the column"},
		{"event,count,seconds\na,1,inf\n", "'inf' in the column seconds"},
		{"event,count,run\na,1,1.5\n", "'1.5' in the column run is no number of a run"},
		{"event,count\na,\"1,234,567\"\n", NULL},
		{"event,count\na,1\xc2\xa0" "234\xe2\x80\x89" "567\n", NULL},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct trust_runs runs = {0};
		struct err e = {0};
		bool good = read_runs(row[i].text, strlen(row[i].text), &runs, &e);

		test_label("%s", row[i].text);
		if (row[i].error)
			CHECK(!good && strstr(e.what, row[i].error) && e.line == 2 && e.col > 0);
		else if (CHECK(good))
			CHECK_NEAR(runs.group[0].run[0].count, 1234567, 0);
		trust_runs_free(&runs);
	}
}

static void
nul_byte(void)
{
	static const char text[] = "event,count\na,1\0" "2\n";
	struct trust_runs runs = {0};
	struct err e = {0};

	CHECK(!read_runs(text, sizeof text - 1, &runs, &e));
	CHECK_STR(e.what, "a cell has a NUL byte: this is no table");
	CHECK_INT(e.line, 2);
	trust_runs_free(&runs);
}

TEST_MAIN(CASE(kinds), CASE(second_counters), CASE(many_pairs), CASE(numbers), CASE(expectations),
	CASE(instrumented), CASE(damage), CASE(doubtful_numbers), CASE(nul_byte))
