/* Specifications of profiles: what the parser reads, errors with their words, random damage; machines that lack
 * something; the pace of samples. */
#include "core/spec/spec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "test.h"
#include "text/diag.h"

static const char whole[] =
	"profile tenants \"a store beside a stream\"; // two of them\n"
	"program store \"on CXL\" { run \"redis-server\" \"--port\" \"77 77\" \"\"; folder \"/srv\"; output \"o\"; "
	"errors \"e\"; input \"i\"; cores 3, 0-2, 1; memory bind 2; background; }\n"
	"program stream { set OMP_NUM_THREADS = \"4\"; set \"A B\" = \"\"; run \"stream\"; cores 4-7; memory "
	"interleave 2, 0; begin after 500 ms; times 3; }\n"
	"program third { memory prefer 1; run \"x\"; }\n"
	"network \"spr-cxl\"; stack a, \"dir/b.stack\"; model m;\n"
	"mode continuous; granularity 20 ms and switches; duration 1.5 s; limit processor 2.5 %; limit memory 64 MiB;\n"
	"report paths, queues, accounts, verdict;\n";

static struct profile_spec *
parse(const char *text, size_t n, struct diags *d)
{
	*d = (struct diags){0};
	return spec_parse(mem_str("t.spec"), mem_strn(text, n), n, d);
}

static void
specifications_are_read(void)
{
	struct diags d;
	struct profile_spec *s = parse(whole, strlen(whole), &d);
	const struct spec_program *g;

	if (!s) {
		test_check(false, __FILE__, __LINE__, "%s", d.n ? d.item[0].text : "?");
		diags_free(&d);
		return;
	}
	CHECK_INT(d.n, 0);
	CHECK_STR(s->name, "tenants");
	CHECK_STR(s->text, "a store beside a stream");
	if (CHECK_INT(s->n_programs, 3)) {
		g = &s->program[0];
		CHECK_STR(g->text, "on CXL");
		CHECK_INT(g->n_args, 4);
		CHECK_STR(g->argv[2], "77 77");
		CHECK_STR(g->argv[3], "");
		CHECK(!g->argv[4]);
		CHECK_STR(g->folder, "/srv");
		CHECK_STR(g->input, "i");
		CHECK_STR(g->output, "o");
		CHECK_STR(g->errors, "e");
		if (CHECK_INT(g->cores.n, 4)) /* in order, each once */
			for (int i = 0; i < 4; i++)
				CHECK_INT(g->cores.at[i], i);
		CHECK_INT(g->memory, SPEC_MEMORY_BIND);
		CHECK_INT(g->nodes.at[0], 2);
		CHECK(g->background && g->times == 1 && g->delay == 0 && g->n_set == 0);
		g = &s->program[1];
		CHECK_INT(g->n_set, 2);
		CHECK_STR(g->set[0].name, "OMP_NUM_THREADS");
		CHECK_STR(g->set[1].name, "A B");
		CHECK_STR(g->set[1].value, "");
		CHECK_INT(g->memory, SPEC_MEMORY_INTERLEAVE);
		CHECK_INT(g->nodes.n, 2);
		CHECK_INT(g->times, 3);
		CHECK_NEAR(g->delay, 0.5, 1e-15);
		CHECK(!g->background && !g->folder);
		CHECK_INT(s->program[2].memory, SPEC_MEMORY_PREFER);
		CHECK_INT(s->program[2].cores.n, 0);
	}
	CHECK_STR(s->network, "spr-cxl");
	CHECK_STR(s->model, "m");
	CHECK_INT(s->n_stacks, 2);
	CHECK_STR(s->stack[1], "dir/b.stack");
	CHECK(s->mode == SPEC_CONTINUOUS && s->at_switches);
	CHECK_NEAR(s->granularity, 0.02, 1e-15);
	CHECK_NEAR(s->duration, 1.5, 1e-12);
	CHECK_NEAR(s->processor, 0.025, 1e-15);
	CHECK_NEAR(s->memory, 64 << 20, 0);
	CHECK(s->report[SPEC_PATHS] && s->report[SPEC_VERDICT] && !s->report[SPEC_STALLS]);
	spec_free(s);
	s = parse("profile p; program a { run \"x\"; } stack s;", 42, &d);
	if (CHECK(s)) { /* defaults */
		CHECK(s->mode == SPEC_CONTINUOUS && !s->at_switches && s->duration == 0 && s->processor == 0 &&
			s->memory == 0);
		CHECK_NEAR(s->granularity, 0.1, 0);
		for (int i = 0; i < SPEC_STATISTICS; i++)
			CHECK_INT(s->report[i], i == SPEC_ACCOUNTS);
	}
	spec_free(s);
	diags_free(&d);
}

/* The examples in the documentation and the manual page are valid. */
static void
documented(void)
{
	static const char *const file[][3] = {
		{"../docs/profile-spec.md", "```spec\n", "```"}, {"../man/hecate-specs.5", ".nf\n", ".fi"}
	};

	for (size_t i = 0; i < 2; i++) {
		char *page = test_read(file[i][0], NULL), *from = page ? strstr(page, file[i][1]) : NULL, *end;
		struct profile_spec *s = NULL;
		struct diags d = {0};

		test_label("%s", file[i][0]);
		from = from ? from + strlen(file[i][1]) : NULL;
		end = from ? strstr(from, file[i][2]) : NULL;
		for (char *c = from; end && c < end; c++)
			if (*c == '\\')
				*c = ' '; /* groff's minus: only words in quotes have one */
		if (CHECK(end))
			s = parse(from, (size_t)(end - from), &d);
		CHECK(s && d.n == 0 && s->n_programs == 2 && s->program[0].background && s->report[SPEC_QUEUES] &&
			!s->report[SPEC_LAWS]);
		spec_free(s);
		diags_free(&d);
		free(page);
	}
}

#define HEAD "profile p; network n; "
#define RUN "program a { run \"x\"; } "

static void
errors_are_reported(void)
{
	static const struct { const char *text, *says, *hint;
	} row[] = {
		{"", "the file names no profile", NULL},
		{HEAD, "there is no program", NULL},
		{"profile p; " RUN, "nothing says what is counted", NULL},
		{HEAD RUN "profile q;", "a second 'profile'", NULL},
		{HEAD RUN "network m;", "a second 'network'", NULL},
		{HEAD RUN "mode continuous; mode continuous;", "a second 'mode'", NULL},
		{HEAD RUN "mode steady;", "continuous or aggregated expected after 'mode', not 'steady'", NULL},
		{HEAD RUN "mode aggregated; granularity 1 s;", "has no granularity", NULL},
		{HEAD RUN "granularity 1;", "the granularity is a time", "100 ms"},
		{HEAD RUN "granularity 1 cycles;", "the granularity is a time", NULL},
		{HEAD RUN "granularity 1 us;", "the granularity is from 0.001 s to 3600 s", NULL},
		{HEAD RUN "granularity 2 ms - 2 ms;", "the granularity is from 0.001 s", NULL},
		{HEAD RUN "granularity fast;", "'fast' is not known here", NULL},
		{HEAD RUN "granularity 1 s and so;", "'switches' expected after 'and'", NULL},
		{HEAD RUN "duration 0 s;", "the duration is from", NULL},
		{HEAD RUN "limit processor 2;", "'%' expected after the limit", NULL},
		{HEAD RUN "limit processor 0 %;", "from 0.01 % to 100 %", NULL},
		{HEAD RUN "limit processor 101 %;", "from 0.01 % to 100 %", NULL},
		{HEAD RUN "limit processor 1 s %;", "from 0.01 % to 100 %", NULL},
		{HEAD RUN "limit memory 1 KiB;", "is 1 MiB at least", NULL},
		{HEAD RUN "limit memory 64 ms;", "is 1 MiB at least", NULL},
		{HEAD RUN "limit disk 1;", "processor or memory expected", NULL},
		{HEAD RUN "report paths, pathes;", "what the report has", "nearest: paths"},
		{HEAD RUN "report paths, paths;", "in the report already", NULL},
		{HEAD RUN "report accounts;", "there is no stack to compute them from", NULL},
		{HEAD RUN "report verdict;", "there is no model to compute them from", NULL},
		{"profile p; stack s; " RUN "report queues;", "there is no network to compute them from", NULL},
		{HEAD RUN RUN, "'a' is a program already", NULL},
		{HEAD "program a { }", "'a' does not say what is run", NULL},
		{HEAD "program a { run x; }", "the command, in quotes, expected", NULL},
		{HEAD "program a { run \"\"; }", "a command expected between the quotes", NULL},
		{HEAD "program a { run \"x\"; run \"y\"; }", "a second 'run' of 'a'", NULL},
		{HEAD "program a { run \"x\"; cores 1; cores 2; }", "a second 'cores' of 'a'", NULL},
		{HEAD "program a { run \"x\"; cores 3-1; }", "the range 3-1 runs backwards", NULL},
		{HEAD "program a { run \"x\"; cores 1,; }",
			"a core: a whole number from 0 to 65535 is expected, not ';'", NULL},
		{HEAD "program a { run \"x\"; cores 65536; }",
			"a core: a whole number from 0 to 65535 is expected, not", NULL},
		{HEAD "program a { run \"x\"; cores all; }",
			"a core: a whole number from 0 to 65535 is expected, not", NULL},
		{HEAD "program a { run \"x\"; memory 2; }", "bind, prefer or interleave expected", NULL},
		{HEAD "program a { run \"x\"; memory prefer 1, 2; }", "one memory node can be preferred, not 2", NULL},
		{HEAD "program a { run \"x\"; memory bind 1; memory bind 1; }", "a second 'memory'", NULL},
		{HEAD "program a { run \"x\"; times 0; }", "a whole number from 1 to 256 is expected, not '0'", NULL},
		{HEAD "program a { run \"x\"; begin 1 s; }", "'after' expected after 'begin'", NULL},
		{HEAD "program a { run \"x\"; begin after 2 s; } duration 2 s;", "would begin when the profile is over",
			NULL},
		{HEAD "program a { run \"x\"; set A = \"1\"; set A = \"2\"; }", "'A' is set already", NULL},
		{HEAD "program a { run \"x\"; set \"A=B\" = \"1\"; }", "has no '='", NULL},
		{HEAD "program a { run \"x\"; folder \"\"; }", "a path expected between the quotes", NULL},
		{HEAD "program a { run \"x\"; background; }", "nothing says when the profile ends", "duration"},
		{HEAD "program a { run \"x\"; times 200; } program b { run \"x\"; times 100; }",
			"300 programs: there may be 256", NULL},
		{HEAD "program a { walk \"x\"; }", "run, set, folder, input", NULL},
		{HEAD "program a { run \"x\";", "'}' expected at the end of the program", NULL},
		{HEAD RUN "fun;",
			"profile, program, network, stack, model, mode, granularity, duration, limit or report "
			"expected",
			NULL},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		bool found = false;
		struct diags d;
		struct profile_spec *s;

		test_label("%s", row[i].text);
		s = parse(row[i].text, strlen(row[i].text), &d);
		CHECK(!s);
		for (size_t k = 0; k < d.n; k++)
			found |= strstr(d.item[k].text, row[i].says) &&
				(!row[i].hint || (d.item[k].hint && strstr(d.item[k].hint, row[i].hint)));
		if (!found)
			test_check(false, __FILE__, __LINE__, "%s: %s; %s", row[i].says,
				d.n ? d.item[0].text : "no error is reported",
				d.n && d.item[0].hint ? d.item[0].hint : "");
		spec_free(s);
		diags_free(&d);
	}
}

/* One error does not hide the next. */
static void
all_errors_at_once(void)
{
	static const char text[] = HEAD "program a { run x; cores 3-1; memory 9; times 0; }\nprogram b { run \"y\"; "
					"}\nmode no;\nreport nothing;\nlimit processor 2;\n";
	struct diags d;
	struct profile_spec *s = parse(text, strlen(text), &d);

	CHECK(!s);
	CHECK_INT(d.errors, 8); /* and a does not say what is run */
	diags_free(&d);
}

static void
damage_does_no_harm(void)
{
	unsigned rounds = test_rounds(3000, 200000), good = 0;
	uint64_t seed = 8;
	size_t n = strlen(whole);

	for (unsigned i = 0; i < rounds; i++) {
		char *text = mem_strn(whole, n);
		size_t len = n;
		struct diags d;
		struct profile_spec *s;

		for (unsigned k = 0; k < 1 + test_random(&seed) % 4; k++) {
			size_t at = test_random(&seed) % len;

			switch (test_random(&seed) % 4) {
			case 0:
				text[at] = (char)(test_random(&seed) % 256);
				break;
			case 1:
				text[at] = "{};\",-=%0987 ex"[test_random(&seed) % 15];
				break;
			case 2:
				len = at + 1;
				break;
			case 3:
				memmove(text + at, text + (at + len) / 2, len - (at + len) / 2);
				break;
			}
		}
		s = parse(text, len, &d);
		CHECK(!s == (d.errors > 0));
		good += s != NULL;
		spec_free(s);
		diags_free(&d);
		free(text);
	}
	CHECK(good > 0 && good < rounds);
}

static void
machines(void)
{
	static int four[] = {0, 1, 2, 3}, odd[] = {1, 3, 5, 6, 7}, two[] = {0, 2};
	static const struct { const char *lines; struct spec_numbers cores, nodes; const char *says, *hint; } row[] = {
		{"", {four, 4}, {two, 2}, NULL, NULL},
		{"cores 0-3;", {four, 4}, {two, 2}, NULL, NULL},
		{"cores 2-4;", {four, 4}, {two, 2}, "program a asks for core 4", "there are 0-3"},
		{"cores 1, 5-7; memory bind 2;", {odd, 5}, {two, 2}, NULL, NULL},
		{"cores 5-6, 4;", {odd, 5}, {two, 2}, "asks for core 4", "there are 1,3,5-7"},
		{"memory bind 1;", {four, 4}, {two, 2}, "asks for memory node 1", "there are 0,2"},
		{"memory bind 0;", {four, 4}, {NULL, 0}, "asks for memory node 0", "it reports none"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char *text = str_format(HEAD "program a { run \"x\"; %s }", row[i].lines);
		struct diags d;
		struct profile_spec *s = parse(text, strlen(text), &d);
		struct err e = {0};

		test_label("%s", row[i].lines);
		if (CHECK(s)) {
			CHECK_INT(spec_fits(s, &row[i].cores, &row[i].nodes, &e), !row[i].says);
			if (row[i].says && (!strstr(e.what, row[i].says) || !strstr(e.hint, row[i].hint)))
				test_check(false, __FILE__, __LINE__, "%s; %s", e.what, e.hint);
		}
		spec_free(s);
		diags_free(&d);
		free(text);
	}
}

/* From the second interval on, sampling takes no more than its limit, if some interval allows that. Cheap samples come
 * as often as asked for. */
static void
pace_keeps_the_limit(void)
{
	uint64_t seed = 4;

	for (unsigned round = 0; round < 200; round++) {
		double least = 0.001 + test_uniform(&seed), part = 0.001 + test_uniform(&seed) * 0.1,
		       cost = test_uniform(&seed) * least;
		struct spec_pace p = spec_pace_begin(least, 1000, part);

		test_label("round %u", round);
		CHECK_NEAR(p.interval, least, 0);
		for (unsigned i = 0; i < 100; i++) { /* ever more expensive */
			double wait = spec_pace_next(&p, cost);

			CHECK(wait >= least && wait <= 1000);
			CHECK(!p.kept || cost <= part * wait * (1 + 1e-12));
			CHECK_INT(p.kept, cost / part <= 1000);
			cost *= 1.05;
		}
		for (unsigned i = 0; i < 400; i++)
			spec_pace_next(&p, 0);
		CHECK_NEAR(p.interval, least, 1e-9); /* and free again */
	}
}

static void
pace_without_limit(void)
{
	struct spec_pace p = spec_pace_begin(0.1, 10, 0);

	CHECK_NEAR(spec_pace_next(&p, 5), 0.1, 0);
	p = spec_pace_begin(0.1, 10, 0.01);
	CHECK_NEAR(spec_pace_next(&p, 0.05), 5, 1e-12);
	CHECK_NEAR(spec_pace_next(&p, NAN), 5, 1e-12);
	CHECK_NEAR(spec_pace_next(&p, -1), 5, 1e-12);
	CHECK_NEAR(spec_pace_next(&p, 1), 10, 1e-12);
	CHECK(!p.kept);
	CHECK_NEAR(spec_pace_next(&p, 0), 10, 1e-12); /* a pause does not make it faster */
}

TEST_MAIN(CASE(specifications_are_read), CASE(documented), CASE(errors_are_reported), CASE(all_errors_at_once),
	CASE(damage_does_no_harm), CASE(machines), CASE(pace_keeps_the_limit), CASE(pace_without_limit))
