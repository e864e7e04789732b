/* Programs of a specification on the real machine: where they run, what they find, when they begin, how they end. */
#include "collect/process/programs.h"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/spec/spec.h"
#include "test.h"
#include "text/diag.h"

#define PATIENCE_NS (UINT64_C(20) * 1000000000)

static char folder[32]; /* folder of the current case */

static void
have_folder(void)
{
	strcpy(folder, "/tmp/hecate-programs-XXXXXX");
	CHECK(mkdtemp(folder));
}

static void
drop_folder(void)
{
	static const char *const name[] = {"out", "err", "a", "b", "maps"};

	for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
		char *path = str_format("%s/%s", folder, name[i]);

		unlink(path);
		free(path);
	}
	CHECK(rmdir(folder) == 0);
}

static struct profile_spec *
spec_of(const char *text)
{
	char *all = str_format("profile p; network n; %s", text);
	struct diags d = {0};
	struct profile_spec *s = spec_parse(mem_str("t"), mem_str(all), strlen(all), &d);

	if (!s)
		test_check(false, __FILE__, __LINE__, "%s\n%s", d.n ? d.item[0].text : "?", all);
	diags_free(&d);
	free(all);
	return s;
}

/* Waits until the profile is over; 20 s at most. */
static bool
run_on(struct programs *p, struct err *e)
{
	uint64_t until = clock_ns() + PATIENCE_NS;

	while (!programs_over(p)) {
		struct pollfd fd[16];
		size_t n = 0;
		int wait = programs_wait_ms(p);

		for (size_t i = 0; i < programs_n(p) && n < 16; i++)
			if (programs_at(p, i)->state != PROGRAM_ENDED)
				fd[n++] = (struct pollfd){.fd = programs_fd(p, i), .events = POLLIN};
		poll(fd, n, wait < 0 || wait > 50 ? 50 : wait);
		if (!programs_tend(p, e))
			return false;
		if (clock_ns() > until)
			return err_set(e, "the programs did not end");
	}
	return true;
}

static char *
content(const char *name)
{
	char *path = str_format("%s/%s", folder, name), *text = NULL;
	FILE *f = fopen(path, "r");

	if (CHECK(f)) {
		text = mem_new(4096);
		text[fread(text, 1, 4095, f)] = '\0';
		fclose(f);
	}
	free(path);
	return text ? text : mem_str("");
}

static bool
run_whole(const char *text, struct err *e)
{
	struct profile_spec *s = spec_of(text);
	struct programs *p = s ? programs_new(s, -1, -1, e) : NULL;
	bool good = p && programs_begin(p, e) && run_on(p, e);

	programs_free(p);
	spec_free(s);
	return good;
}

static void
what_a_program_finds(void)
{
	cpu_set_t mine;
	struct err e = {0};
	char *text, *out, *wanted;
	size_t core = 0;

	have_folder();
	CHECK(sched_getaffinity(0, sizeof mine, &mine) == 0);
	while (core < CPU_SETSIZE && !CPU_ISSET(core, &mine))
		core++;
	text = str_format("program a { run \"sh\" \"-c\" \"pwd; echo \\\"$ONE-$TWO-$#-$1\\\"; grep Cpus_allowed_list "
			  "/proc/self/status; cat; echo bad >&2\" \"sh\" \"x  y\";\n"
			  "set ONE = \"1 \"; set TWO = \"\"; cores %zu; folder \"%s\"; output \"%s/out\"; errors "
			  "\"%s/err\"; input \"/dev/null\"; }",
		core, folder, folder, folder);
	if (!run_whole(text, &e))
		test_check(false, __FILE__, __LINE__, "%s; %s", e.what, e.hint);
	free(text);
	out = content("out");
	wanted = str_format("%s\n1 --1-x  y\nCpus_allowed_list:\t%zu\n", folder, core);
	CHECK_STR(out, wanted);
	free(wanted);
	free(out);
	out = content("err");
	CHECK_STR(out, "bad\n");
	free(out);
	drop_folder();
}

/* Two programs, each on its own core; the second one begins later and does not run before that. */
static void
two_programs(void)
{
	struct err e = {0};
	char *text, *out;
	struct profile_spec *s;
	struct programs *p;
	uint64_t begun;

	have_folder();
	text = str_format("program a { run \"sh\" \"-c\" \"echo $$ >>%s/a\"; times 3; }\nprogram b { run \"sh\" \"-c\" "
			  "\"wc -l <%s/a\"; output \"%s/b\"; begin after 100 ms; }",
		folder, folder, folder);
	s = spec_of(text);
	p = s ? programs_new(s, -1, -1, &e) : NULL;
	if (CHECK(p) && CHECK_INT(programs_n(p), 4)) {
		for (size_t i = 0; i < 4; i++) {
			CHECK_INT(programs_at(p, i)->state, PROGRAM_READY);
			/* it is held ready */
			CHECK(programs_at(p, i)->pid > 0 && kill(programs_at(p, i)->pid, 0) == 0);
			CHECK_INT(programs_at(p, i)->which, i < 3 ? i : 0);
		}
		begun = clock_ns();
		CHECK(programs_begin(p, &e));
		CHECK(programs_wait_ms(p) <= 100); /* -1 if this machine is so slow that it runs already */
		if (!run_on(p, &e))
			test_check(false, __FILE__, __LINE__, "%s", e.what);
		CHECK(programs_at(p, 3)->begun_ns - begun >= 100000000);
		for (size_t i = 0; i < 4; i++)
			CHECK(programs_at(p, i)->end.known && programs_at(p, i)->end.status == 0);
	}
	programs_free(p);
	spec_free(s);
	free(text);
	out = content("a");
	CHECK(strlen(out) > 3);
	free(out);
	drop_folder();
}

/* The end of the profile ends background programs, also one that never began. */
static void
background_programs_are_ended(void)
{
	struct err e = {0};
	struct profile_spec *s = spec_of("program a { run \"true\"; } program b { run \"sleep\" \"1000\"; background; "
					 "} program c { run \"sleep\" \"1000\"; begin after 500 s; background; }");
	struct programs *p = s ? programs_new(s, -1, -1, &e) : NULL;
	pid_t pid[3] = {0};

	if (CHECK(p)) {
		for (size_t i = 0; i < 3; i++)
			pid[i] = programs_at(p, i)->pid;
		CHECK(programs_begin(p, &e));
		if (!run_on(p, &e))
			test_check(false, __FILE__, __LINE__, "%s", e.what);
		CHECK_INT(programs_at(p, 0)->state, PROGRAM_ENDED);
		CHECK_INT(programs_at(p, 1)->state, PROGRAM_RUNNING);
		CHECK_INT(programs_at(p, 2)->state, PROGRAM_READY);
		programs_free(p);
		for (size_t i = 0; i < 3; i++)
			CHECK(kill(pid[i], 0) != 0);
	}
	spec_free(s);
	s = spec_of("program b { run \"sleep\" \"1000\"; background; } duration 10 ms;");
	p = s ? programs_new(s, -1, -1, &e) : NULL;
	if (CHECK(p)) {
		CHECK(!programs_over(p)); /* it never began */
		CHECK(programs_begin(p, &e) && run_on(p, &e));
		CHECK_INT(programs_at(p, 0)->state, PROGRAM_RUNNING);
	}
	programs_free(p);
	spec_free(s);
}

static void
what_cannot_run_is_refused(void)
{
	static const struct { const char *text, *says; } row[] = {
		{"program a { run \"/no/such/command\"; }", "/no/such/command: command not found"},
		{"program a { run \"true\"; folder \"/no/such/folder\"; }",
			"program a: its folder /no/such/folder: No such file"},
		{"program a { run \"true\"; input \"/no/such/file\"; }", "its input /no/such/file"},
		{"program a { run \"true\"; output \"/no/such/file\"; }", "its output /no/such/file"},
		{"program a { run \"true\"; errors \"/no/such/file\"; }", "its errors /no/such/file"},
		{"program a { run \"true\"; cores 65535; }",
			"program a asks for core 65535, and this machine has none"},
		{"program a { run \"true\"; memory bind 65535; }", "program a asks for memory node 65535"},
		{"program a { run \"sleep\" \"1000\"; } program b { run \"/no/such/command\"; }", "command not found"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct err e = {0};

		test_label("%s", row[i].text);
		CHECK(!run_whole(row[i].text, &e));
		if (!strstr(e.what, row[i].says))
			test_check(false, __FILE__, __LINE__, "%s", e.what);
	}
}

/* A memory node that this process may use works for a program too. */
static void
memory_nodes(void)
{
	struct err e = {0};
	struct stat st;
	char *text, *out;

	if (stat("/sys/devices/system/node/node0", &st) != 0 || stat("/proc/self/numa_maps", &st) != 0) {
		test_skip("no memory nodes here");
		return;
	}
	have_folder();
	text = str_format("program a { run \"sh\" \"-c\" \"exec head -n 1 /proc/self/numa_maps\"; memory bind 0; "
			  "output \"%s/maps\"; }",
		folder);
	if (!run_whole(text, &e) &&
		(strstr(e.what, "asks for memory node 0") || strstr(e.what, "cannot have its memory"))) {
		test_skip("no memory nodes here: %s", e.what);
	} else {
		CHECK_STR(e.what, "");
		out = content("maps");
		CHECK(strstr(out, "bind:0"));
		free(out);
	}
	free(text);
	drop_folder();
}

TEST_MAIN(CASE(what_a_program_finds), CASE(two_programs), CASE(background_programs_are_ended),
	CASE(what_cannot_run_is_refused), CASE(memory_nodes))
