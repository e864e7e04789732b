/* The explorer's loop, run for each case in a copy of this process with a terminal of its own: keys in a burst,
 * sizes, signals, files that it writes, screens that change by themselves, and every way in which it ends. */
#include "ui/explorer.h"

#include <glob.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "convert/fdl/fdl.h"
#include "core/udd/model.h"
#include "explorer/engine/engine.h"
#include "explorer/state/explore_start.h"
#include "pty.h"
#include "test.h"
#include "text/diag.h"
#include "work/files/data.h"
#include "work/files/recording.h"

#define PATIENCE_SECONDS 60

static const char *const env[] = {"TERM=xterm-256color", "LC_ALL=C.UTF-8", "NO_COLOR=", NULL};
static const char *const env_dumb[] = {"TERM=dumb", "LC_ALL=C.UTF-8", NULL};

/* How a case starts the explorer. */
struct start {
	const char *model, *theme, *kept;
	bool dumb;
	bool no_descriptors; /* it will have none left: it exits without a search for leaks, which opens files */
};

/* --- the explorer in a copy of this process ---------------------------------------------------------------------- */

static void
load_model(struct explore_start *o, const char *name)
{
	struct udd_loader loader = bundle_disk_loader(&o->bundle);
	struct diags d = {0};
	struct err e = {0};
	char *path = file_find(name, "models", MODEL_ENDINGS, &e);
	char *csv = str_format("%s/screens/expect/programs.csv", getenv("HECATE_TESTS"));

	o->model = model_read(path, &loader, &d);
	o->how = analysis_options_default();
	if (!o->model || !udd_choose(o->model, NULL, NULL, NULL, &o->on, &e))
		exit(99);
	o->table = mem_new(sizeof(struct obs_table *));
	o->table[0] = data_read(csv, true, &e);
	o->n_tables = 1;
	o->data_name = mem_str("programs.csv");
	free(csv);
	free(path);
	diags_free(&d);
}

static int
run_explorer(void *ctx)
{
	struct explore_lesson lesson = {0};
	const struct start *how = ctx;
	struct explore_start o = {.look.theme = how->theme, .kept = how->kept, .make = how->kept != NULL};
	struct err e = {0};
	struct engine *engine;

	setlocale(LC_ALL, "");
	signal(SIGHUP, SIG_DFL);
	engine = engine_start(&e);
	if (!engine)
		return 98;
	if (how->model)
		load_model(&o, how->model);
	if (how->no_descriptors)
		_exit(explore(&o, engine, &lesson));
	return explore(&o, engine, &lesson);
}

static bool
start(struct pty *p, const struct start *how, int w, int h)
{
	struct start copy = *how;

	return CHECK(pty_run(p, run_explorer, &copy, how->dumb ? env_dumb : env, w, h, PTY_CONTROLS));
}

/* Waits for the program to exit by itself with this status; its output is in p->out. */
static void
expect_status(struct pty *p, int want)
{
	int status = 0;

	if (CHECK(pty_ended(p, PATIENCE_SECONDS, &status)))
		test_check(WIFEXITED(status) && WEXITSTATUS(status) == want, __FILE__, __LINE__,
			"wait status %#x, expected exit %d; it wrote %s", status, want, str_text(&p->out));
	while (pty_read(p, 0.05))
		;
}

static bool
has(const struct pty *p, const char *text)
{
	return p->out.s && memmem(p->out.s, p->out.n, text, strlen(text));
}

static size_t
count(const struct pty *p, const char *text)
{
	size_t n = 0;

	for (const char *at = str_text(&p->out); (at = strstr(at, text)); at++)
		n++;
	return n;
}

static bool
exists_soon(struct pty *p, const char *name)
{
	for (double until = clock_seconds() + PATIENCE_SECONDS; clock_seconds() < until; pty_read(p, 0.02))
		if (access(name, F_OK) == 0)
			return true;
	return false;
}

/* A folder for what the explorer writes in this case; leave_folder() removes it. */
static char folder[64], came_from[4096];

static void
enter_folder(void)
{
	strcpy(folder, "/tmp/hecate-explorer-XXXXXX");
	CHECK(getcwd(came_from, sizeof came_from) && mkdtemp(folder) && chdir(folder) == 0);
}

static void
leave_folder(void)
{
	char *remove = str_format("rm -rf %s", folder);

	CHECK(chdir(came_from) == 0 && system(remove) == 0);
	free(remove);
}

/* --- keys and sizes ---------------------------------------------------------------------------------------------- */

/* Each step in the list of themes redraws the whole screen. The keys of a burst are drawn together, once or a few
 * times. */
static void
keys_in_a_burst(void)
{
	char keys[301];
	struct pty p;

	for (int i = 0; i < 299; i++)
		keys[i] = i == 0 ? 'T' : i % 2 ? 'j' : 'k';
	keys[299] = '\r';
	keys[300] = 'q';
	if (!start(&p, &(struct start){0}, 80, 24))
		return;
	CHECK(pty_expect(&p, "quit", PATIENCE_SECONDS));
	pty_forget(&p);
	pty_send(&p, keys, sizeof keys);
	expect_status(&p, 0);
	CHECK(count(&p, "\033[2J") < 100);
	CHECK(has(&p, "\033[?1049l")); /* back on the terminal's main screen */
	pty_free(&p);
}

/* The number of rows, and the width of the widest, of a written picture. */
static void
size_of_picture(const char *name, int *w, int *h)
{
	FILE *f = fopen(name, "r");
	int columns = 0;

	*w = *h = 0;
	for (int c; f && (c = getc(f)) != EOF;) {
		if (c == '\n') {
			*w = columns > *w ? columns : *w;
			columns = 0;
			++*h;
		} else {
			columns += (c & 0xc0) != 0x80;
		}
	}
	if (f)
		fclose(f);
}

static void
sizes_are_followed(void)
{
	static const struct {
		int w, h;
	} size[] = {{80, 24}, {120, 40}, {19, 2}, {200, 60}};
	struct pty p;
	int n = 0;

	enter_folder();
	if (!start(&p, &(struct start){.model = "linux-page-faults"}, 80, 24))
		return;
	CHECK(pty_expect(&p, "infeasible", PATIENCE_SECONDS));
	for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
		char *name = str_format("hecate-%d.svg", ++n), *text = str_format("hecate-%d.txt", n);
		int w, h;

		test_label("%dx%d", size[i].w, size[i].h);
		pty_forget(&p);
		pty_size(&p, size[i].w, size[i].h);
		pty_read(&p, 0.1);
		pty_send(&p, "ws", 2);
		CHECK(exists_soon(&p, name)); /* is written after the text */
		size_of_picture(text, &w, &h);
		CHECK_INT(w, size[i].w);
		CHECK_INT(h, size[i].h);
		free(name);
		free(text);
	}
	pty_send(&p, "q", 1);
	expect_status(&p, 0);
	pty_free(&p);
	leave_folder();
}

/* --- files that it writes ---------------------------------------------------------------------------------------- */

static void
reports_and_redrawing(void)
{
	struct pty p;

	enter_folder();
	if (!start(&p, &(struct start){0}, 80, 24))
		return;
	CHECK(pty_expect(&p, "quit", PATIENCE_SECONDS));
	pty_send(&p, "wr", 2); /* no result yet: there is no report */
	pty_forget(&p);
	pty_send(&p, "\f", 1);
	CHECK(pty_expect(&p, "quit", PATIENCE_SECONDS)); /* draws every cell again, though none has changed */
	CHECK(access("hecate-report-1.md", F_OK) != 0);
	pty_send(&p, "q", 1);
	expect_status(&p, 0);
	pty_free(&p);

	if (!start(&p, &(struct start){.model = "linux-page-faults"}, 120, 40))
		return;
	CHECK(pty_expect(&p, "infeasible", PATIENCE_SECONDS));
	pty_send(&p, "wr", 2);
	CHECK(exists_soon(&p, "hecate-report-1.md"));
	pty_send(&p, "wr", 2);
	CHECK(exists_soon(&p, "hecate-report-2.md"));
	pty_send(&p, "wp", 2);
	CHECK(exists_soon(&p, "hecate-report-1.html"));
	pty_send(&p, "q", 1);
	expect_status(&p, 0);
	pty_free(&p);
	leave_folder();
}

static void
the_session_is_kept(void)
{
	struct pty p;

	enter_folder();
	if (!start(&p, &(struct start){.model = "linux-page-faults", .kept = "kept.hct"}, 80, 24))
		return;
	CHECK(pty_expect(&p, "infeasible", PATIENCE_SECONDS));
	CHECK(access("kept.hct", F_OK) == 0);
	pty_send(&p, "q", 1);
	expect_status(&p, 0);
	pty_free(&p);
	if (!start(&p, &(struct start){.model = "linux-page-faults", .kept = "none/kept.hct"}, 80, 24))
		return;
	expect_status(&p, 2);
	CHECK(has(&p, "hecate: ") && !has(&p, "\033[?1049h"));
	pty_free(&p);
	leave_folder();
}

/* --- screens that change by themselves --------------------------------------------------------------------------- */

/* While a simulated machine runs, the screen is drawn again without a key. Esc ends the run. */
static void
a_run_is_drawn_as_it_goes(void)
{
	struct pty p;

	if (!start(&p, &(struct start){0}, 80, 24))
		return;
	CHECK(pty_expect(&p, "quit", PATIENCE_SECONDS));
	pty_send(&p, "s", 1);
	CHECK(pty_expect(&p, "samples at", PATIENCE_SECONDS));
	for (int i = 0; i < 3; i++) {
		pty_forget(&p);
		CHECK(pty_read(&p, PATIENCE_SECONDS));
	}
	pty_send(&p, "\033", 1);
	CHECK(pty_expect(&p, "was stopped after", PATIENCE_SECONDS));
	pty_send(&p, "q", 1);
	CHECK(pty_expect(&p, "In no file", PATIENCE_SECONDS));
	pty_send(&p, "x", 1);
	expect_status(&p, 0);
	pty_free(&p);
}

/* --- ends -------------------------------------------------------------------------------------------------------- */

static void
signals_end_it(void)
{
	static const struct {
		int number;
		const char *said;
	} row[] = {{SIGINT, NULL}, {SIGTERM, "hecate: ended by signal 15"}, {SIGHUP, "hecate: ended by signal 1 "},
		{SIGQUIT, "hecate: ended by signal 3"}};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct rlimit none = {0};
		struct pty p;
		int status = 0;

		if (!start(&p, &(struct start){0}, 80, 24))
			return;
		test_label("signal %d", row[i].number);
		CHECK(pty_expect(&p, "quit", PATIENCE_SECONDS));
		prlimit(p.pid, RLIMIT_CORE, &none, NULL);
		kill(p.pid, row[i].number);
		if (!row[i].said) {
			expect_status(&p, 0);
			CHECK(!has(&p, "ended by signal"));
		} else if (CHECK(pty_ended(&p, PATIENCE_SECONDS, &status))) {
			while (pty_read(&p, 0.05))
				;
			CHECK(WIFSIGNALED(status) && WTERMSIG(status) == row[i].number);
			CHECK(has(&p, row[i].said) && has(&p, "\033[?1049l"));
		}
		pty_free(&p);
	}
}

/* The only file here whose name ends so; NULL: none, or several. The caller frees. */
static char *
session_here(void)
{
	glob_t found;
	char *name;

	name = glob("sim-*-20*.hct", 0, NULL, &found) == 0 && found.gl_pathc == 1 ? mem_str(found.gl_pathv[0]) : NULL;
	globfree(&found);
	return name;
}

/* Ctrl-C asks before a run in no file is lost, and leaves from the question. What ends hecate without a question does
 * not lose the run either. */
static void
signals_lose_nothing(void)
{
	static const int number[] = {SIGINT, SIGTERM, SIGHUP};

	for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
		struct pty p;
		char *name;
		int status;

		test_label("signal %d", number[i]);
		enter_folder();
		if (!start(&p, &(struct start){0}, 80, 24))
			return;
		CHECK(pty_expect(&p, "quit", PATIENCE_SECONDS));
		pty_send(&p, "s", 1);
		CHECK(pty_expect(&p, "samples at", PATIENCE_SECONDS));
		kill(p.pid, number[i]);
		if (number[i] == SIGINT) {
			CHECK(pty_expect(&p, "without saving", PATIENCE_SECONDS));
			kill(p.pid, SIGINT);
			expect_status(&p, 0);
			CHECK((name = session_here()) == NULL);
		} else {
			CHECK(pty_ended(&p, PATIENCE_SECONDS, &status));
			while (pty_read(&p, 0.05))
				;
			CHECK((name = session_here()) && has(&p, "what was in no file is saved in sim-"));
			CHECK(name && recording_is(name));
		}
		if (name)
			unlink(name);
		free(name);
		pty_free(&p);
		leave_folder();
	}
}

static void
what_does_not_start(void)
{
	static const struct {
		struct start how;
		const char *said;
	} row[] = {
		{{.theme = "no-such-theme"}, "no-such-theme"},
		{{.dumb = true}, "too simple to draw on"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct pty p;

		test_label("%s", row[i].said);
		if (!start(&p, &row[i].how, 80, 24))
			return;
		expect_status(&p, 2);
		CHECK(has(&p, "hecate: ") && has(&p, row[i].said) && !has(&p, "\033[?1049h"));
		pty_free(&p);
	}
}

/* ppoll() refuses more descriptors than the process may have open, so the explorer can wait for nothing any more. */
static void
it_ends_when_it_cannot_wait(void)
{
	struct rlimit few = {3, 3};
	struct pty p;

	if (!start(&p, &(struct start){.no_descriptors = true}, 80, 24))
		return;
	CHECK(pty_expect(&p, "quit", PATIENCE_SECONDS));
	CHECK(prlimit(p.pid, RLIMIT_NOFILE, &few, NULL) == 0);
	pty_send(&p, "j", 1);
	expect_status(&p, 2);
	CHECK(has(&p, "waiting for input failed"));
	pty_free(&p);
}

static void
it_ends_with_its_terminal(void)
{
	struct pty p;
	int status = 0;

	if (!start(&p, &(struct start){.model = "linux-page-faults"}, 80, 24))
		return;
	CHECK(pty_expect(&p, "quit", PATIENCE_SECONDS));
	pty_hang_up(&p);
	if (CHECK(pty_ended(&p, PATIENCE_SECONDS, &status)))
		CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 2) ||
			(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP));
	pty_free(&p);
}

TEST_MAIN(CASE(keys_in_a_burst), CASE(sizes_are_followed), CASE(reports_and_redrawing), CASE(the_session_is_kept),
	CASE(a_run_is_drawn_as_it_goes), CASE(signals_end_it), CASE(signals_lose_nothing), CASE(what_does_not_start),
	CASE(it_ends_when_it_cannot_wait), CASE(it_ends_with_its_terminal))
