/* Suites of workloads: lists and files, and the expansion of braces, which are compared with lists written by hand. */
#include "sim/suite.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "test.h"

static void
braces(void)
{
	static const struct {
		const char *text, *is;
	} row[] = {
		{"chase", "chase"},
		{"linear:stride={8,64}", "linear:stride=8 linear:stride=64"},
		{"a={1,2}b={3,4}", "a=1b=3 a=1b=4 a=2b=3 a=2b=4"},
		{"{a,b{1,2}}x", "ax b1x b2x"},
		{"w{,:page=2M}", "w w:page=2M"},
		{"w{}", "w"},
		{"w:a=1,b=2", "w:a=1,b=2"},
		{"{{{a,b},c},d}", "a b c d"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct sim_suite s = {0};
		struct str all = {0};

		test_label("%s", row[i].text);
		CHECK(sim_suite_add(&s, row[i].text, 7, NULL));
		for (size_t k = 0; k < s.n; k++) {
			str_addf(&all, "%s%s", k ? " " : "", s.workload[k]);
			CHECK_INT(s.line[k], 7);
		}
		CHECK_STR(str_text(&all), row[i].is);
		str_free(&all);
		sim_suite_free(&s);
	}
}

static void
files(void)
{
	static const char text[] =
		"# a comment\n\n  linear:stride={8,64}  # behind a blank\r\nchase#2\n\t# only this\nzipf";
	struct sim_suite s = {0};

	CHECK(sim_suite_parse(&s, "x.suite", text, strlen(text), NULL));
	if (CHECK_INT(s.n, 4)) {
		CHECK_STR(s.workload[1], "linear:stride=64");
		CHECK_STR(s.workload[2], "chase#2");
		CHECK_STR(s.workload[3], "zipf");
		CHECK_INT(s.line[0], 3);
		CHECK_INT(s.line[2], 4);
		CHECK_INT(s.line[3], 6);
	}
	sim_suite_free(&s);
}

static void
bad_files(void)
{
	static const struct {
		const char *text, *says;
		int line, col; /* col 0: anywhere */
	} row[] = {
		{"a\n b={1,2 # x\n", "a { has no }", 2, 4},
		{"a}\n", "a } closes nothing", 1, 2},
		{"a={1,b{2,3}\n", "a { has no }", 1, 3},
		{"a={1,b{2,3\n", "a { has no }", 1, 7},
		{"{{{{{{{{{a}}}}}}}}}", "braces in more than 8 braces", 1, 9},
		{"{1,2,3,4,5,6,7,8,9,0}{1,2,3,4,5,6,7,8,9,0}{1,2,3,4,5,6,7,8,9,0}{1,2,3,4,5,6,7,8,9,0}{1,2,3}",
			"more than 20000 workloads", 1, 0},
		{"{1,2,3,4,5,6,7,8,9,0}{1,2,3,4,5,6,7,8,9,0}{1,2,3,4,5,6,7,8,9,0}{1,2,3,4,5,6,7,8,9,0}\n"
		 "{1,2,3,4,5,6,7,8,9,0}{1,2,3,4,5,6,7,8,9,0}{1,2,3,4,5,6,7,8,9,0}{1,2,3,4,5,6,7,8,9,0}\nx",
			"more than 20000 workloads", 3, 0},
		{"# nothing\n", "names no workload", 0, 0},
		{"", "names no workload", 0, 0},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct sim_suite s = {0};
		struct err e = {0};

		test_label("%s", row[i].text);
		CHECK(!sim_suite_parse(&s, "x.suite", row[i].text, strlen(row[i].text), &e));
		CHECK(strstr(e.what, row[i].says) != NULL);
		CHECK_INT(e.line, row[i].line);
		if (row[i].col)
			CHECK_INT(e.col, row[i].col);
		if (row[i].line) {
			CHECK_STR(e.file, "x.suite");
			CHECK(*e.source);
		}
		if (row[i].col)
			CHECK_INT(e.caret, row[i].col - 1);
		sim_suite_free(&s);
	}
}

/* Any bytes are read or refused, and nothing leaks. */
static void
any_bytes(void)
{
	static const char sign[] = "{},a\n# ";
	uint64_t random = 5;

	for (unsigned round = 0; round < test_rounds(3000, 100000); round++) {
		char text[24];
		struct sim_suite s = {0};
		size_t n = test_random(&random) % sizeof text;
		struct err e = {0};
		bool good;

		for (size_t i = 0; i < n; i++)
			text[i] = sign[test_random(&random) % 7];
		good = sim_suite_parse(&s, "x", text, n, &e);
		CHECK(good ? s.n > 0 : *e.what);
		sim_suite_free(&s);
	}
	CHECK(!sim_suite_parse(&(struct sim_suite){0}, "x", "a\0b", 3, NULL));
}

TEST_MAIN(CASE(braces), CASE(files), CASE(bad_files), CASE(any_bytes))
