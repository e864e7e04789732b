/* Control (explorer/control): it carries out requests, and takes what engine, commands and files report. No screen, but
 * a real engine process, simulated machines and small commands. Waiting is polling with a deadline. */
#include "explorer/control/control.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/str.h"
#include "convert/fdl/fdl.h"
#include "core/obs/obs.h"
#include "core/spec/spec.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"
#include "core/udd/model.h"
#include "explorer/engine/engine.h"
#include "explorer/state/state.h"
#include "explorer/state/state_leave.h"
#include "explorer/state/state_timeline.h"
#include "explorer/state/state_views.h"
#include "control_bed.h"
#include "test.h"
#include "text/diag.h"
#include "work/files/data.h"
#include "work/probe/probe_book.h"
#include "work/run/run.h"
#include "work/timeline/timeline.h"

/* --- a control in a folder of its own ---------------------------------------------------------------------------- */

static bool
write_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");
	bool good = f && fputs(text, f) >= 0;

	return CHECK(f && fclose(f) == 0 && good);
}

/* `model` with the observations of programs.csv; NULL: nothing is open. */
static void
bed_open(struct bed *b, const char *model, size_t runs)
{
	struct err e = {0};
	struct engine *engine;

	bed_enter(b);
	fflush(stdout);
	engine = engine_start(&e);
	CHECK(engine);
	state_init(&b->s);
	if (model) {
		struct bundle files = {0};
		struct udd_loader loader = bundle_disk_loader(&files);
		struct analysis_options how = analysis_options_default();
		struct diags d = {0};
		struct fset on;
		char *path = file_find(model, "models", MODEL_ENDINGS, &e);
		char *csv = str_format("%s/screens/expect/programs.csv", getenv("HECATE_TESTS"));
		struct udd_model *m = model_read(path, &loader, &d);

		CHECK(m && udd_choose(m, NULL, NULL, NULL, &on, &e));
		state_set_model(&b->s, &files, m, &how, &on);
		if (str_eq(model, "linux-page-faults")) {
			b->s.data.table = mem_new(sizeof *b->s.data.table);
			b->s.data.table[0] = data_read(csv, true, &e);
			b->s.data.n_tables = 1;
			b->s.data.name = mem_str("programs.csv");
		}
		diags_free(&d);
		free(csv);
		free(path);
	}
	b->s.view.frame.now = clock_seconds();
	control_open(&b->c, &b->s, engine, runs);
	control_look(&b->c, LOOK_ALL);
	b->s.data.machine.may_mount_tracefs = false;
}

static bool
is_quiet(const struct bed *b)
{
	return !control_busy(&b->c) && b->s.requests.n == 0;
}

static bool
has_result(const struct bed *b)
{
	return b->s.answers.result && b->s.answers.neighbours && !state_stale(&b->s) && !b->s.answers.progress.busy;
}

static bool
has_popup(const struct bed *b)
{
	return b->s.view.popup.kind != POPUP_NONE;
}

static bool
is_running(const struct bed *b)
{
	return state_running(&b->s);
}

static bool
says(const struct bed *b, const char *text)
{
	return test_check(strstr(b->s.view.message.text, text) != NULL, __FILE__, __LINE__, "said \"%s\", expected %s",
		b->s.view.message.text, text);
}

static void
open_name(struct bed *b, const char *name, enum open_then then)
{
	requests_add(&b->s.requests, REQUEST_OPEN, (size_t)then, name);
	control_carry_out(&b->c);
}

/* A command as words, separated by blanks. */
static void
set_command(struct bed *b, const char *words, unsigned interval_ms)
{
	str_split_free(b->s.question.subject.argv);
	b->s.question.subject.argv = str_split(words, ' ', NULL);
	b->s.question.sampling.interval_ms = interval_ms;
}

/* --- requests ---------------------------------------------------------------------------------------------------- */

static void
a_result_with_what_the_screen_asks(void)
{
	static const struct layout shown = {.view = VIEW_MODELS, .visible = PANE_BIT(PANE_WITNESS)};
	struct bed b;

	bed_open(&b, "linux-page-faults", 0);
	b.s.layout = &shown;
	CHECK(requests_find(&b.s.requests, REQUEST_LOAD) && requests_find(&b.s.requests, REQUEST_RESULT));
	control_carry_out(&b.c);
	CHECK_INT(b.s.requests.n, 0);
	CHECK(control_busy(&b.c) && b.s.answers.progress.busy);
	if (bed_until(&b, has_result)) {
		CHECK_INT(b.s.answers.result->n_findings, 8);
		CHECK_INT(b.s.answers.result->count[VERDICT_INFEASIBLE], 5);
	}
	bed_turn(&b);
	bed_until(&b, is_quiet); /* with the witness that view 1 shows */
	CHECK(b.s.answers.witness.text != NULL);
	state_act(&b.s, ACTION_geometry);
	bed_turn(&b);
	bed_until(&b, is_quiet);
	CHECK(b.s.answers.geometry != NULL);
	state_act(&b.s, ACTION_constraints);
	bed_turn(&b);
	bed_until(&b, is_quiet);
	CHECK(b.s.answers.touch && b.s.answers.touch[b.s.view.constraint]);
	CHECK(isinf(control_patience(&b.c)));
	bed_close(&b);
}

/* The cursor passes over constraints: only the first one's detail is begun, and that of the one on which it rests. Work
 * on a detail goes on if its view is only left. */
static void
details_wait_until_the_cursor_rests(void)
{
	static const struct layout shown = {.view = VIEW_CONSTRAINTS};
	const struct detail *asked;
	struct bed b;
	double begun;

	bed_open(&b, "linux-page-faults", 0);
	b.s.layout = &shown;
	asked = &b.s.answers.asked;
	control_carry_out(&b.c);
	bed_until(&b, has_result);
	bed_turn(&b);
	bed_until(&b, is_quiet);
	state_act(&b.s, ACTION_constraints);
	control_carry_out(&b.c);
	CHECK(asked->kind == DETAIL_TOUCH && asked->index == b.s.view.constraint);
	begun = b.s.view.frame.now;
	for (int k = 0; k < 6; k++) { /* 0.3 s of keys */
		b.s.view.frame.now += 0.05;
		state_act(&b.s, ACTION_down);
		control_carry_out(&b.c);
		CHECK_INT(asked->kind, DETAIL_NONE);
		CHECK(control_patience(&b.c) > 0 && control_patience(&b.c) < 0.101);
	}
	b.s.view.frame.now += 0.11;
	control_carry_out(&b.c);
	CHECK(asked->kind == DETAIL_TOUCH && asked->index == b.s.view.constraint);
	CHECK(b.s.view.frame.now > begun + 0.4);
	state_show_view(&b.s, VIEW_PROBES);
	control_carry_out(&b.c);
	CHECK_INT(asked->kind, DETAIL_TOUCH);
	bed_until(&b, is_quiet);
	CHECK(b.s.answers.touch[b.s.view.constraint] != NULL);
	bed_close(&b);
}

/* A request without the model or result that it needs is dropped. One that needs an idle engine waits. Answers come
 * in the order of the requests. */
static void
requests_in_order(void)
{
	struct bed b;

	bed_open(&b, NULL, 0);
	state_request(&b.s, REQUEST_LOAD);
	state_request(&b.s, REQUEST_RESULT);
	requests_add(&b.s.requests, REQUEST_FLOW, 0, NULL);
	state_request(&b.s, REQUEST_REDRAW);
	control_carry_out(&b.c);
	CHECK_INT(b.s.requests.n, 1); /* a request to the screen, which is not control's */
	CHECK(requests_find(&b.s.requests, REQUEST_REDRAW));
	CHECK(!control_busy(&b.c));
	bed_close(&b);

	bed_open(&b, "linux-page-faults", 0);
	fset_put(&b.s.question.on, 3, true);
	bed_until(&b, has_result);
	bed_until(&b, is_quiet);
	state_request(&b.s, REQUEST_RESULT);
	requests_add(&b.s.requests, REQUEST_FLOW, 3, NULL);
	requests_add(&b.s.requests, REQUEST_WITNESS, 4, NULL);
	control_carry_out(&b.c);
	CHECK_INT(b.s.requests.n, 2);
	CHECK_INT(b.s.requests.item[0].kind, REQUEST_FLOW);
	bed_until(&b, has_popup);
	if (b.s.view.popup.kind == POPUP_TEXT) { /* else both answers came in one round, and the later popup is shown */
		CHECK_STR(b.s.view.popup.title, "What went through a feature");
		b.s.view.popup.kind = POPUP_NONE;
		bed_until(&b, has_popup);
	}
	CHECK_INT(b.s.view.popup.kind, POPUP_WITNESS);
	CHECK(strstr(str_text(&b.s.view.popup.text), "■ Fu"));
	bed_close(&b);
}

static void
a_search_and_its_late_end(void)
{
	struct bed b;
	const struct search_graph *g;

	bed_open(&b, "linux-page-faults", 0);
	bed_until(&b, has_result);
	bed_until(&b, is_quiet);
	requests_add(&b.s.requests, REQUEST_SEARCH, SEARCH_AUTO, NULL);
	control_carry_out(&b.c);
	CHECK_INT(b.s.answers.search.task, SEARCH_AUTO);
	bed_until(&b, is_quiet);
	g = b.s.answers.search.graph;
	CHECK(g && !g->running && g->n_models >= 2);

	/* A toggle stops the next search. Its last graph still arrives, and ends nothing that was requested since. */
	requests_add(&b.s.requests, REQUEST_SEARCH, SEARCH_AUTO, NULL);
	control_carry_out(&b.c);
	state_act(&b.s, ACTION_toggle);
	control_carry_out(&b.c);
	CHECK_INT(b.s.answers.search.task, SEARCH_NONE);
	CHECK(b.s.answers.progress.busy && state_stale(&b.s));
	bed_until(&b, has_result);
	CHECK(b.s.answers.search.graph && !b.s.answers.search.graph->running);

	/* Esc stops a search, and the message says so. */
	bed_until(&b, is_quiet);
	test_kill(engine_pid(b.c.engine), SIGSTOP); /* so that it cannot end by itself */
	requests_add(&b.s.requests, REQUEST_SEARCH, SEARCH_AUTO, NULL);
	control_carry_out(&b.c);
	state_request(&b.s, REQUEST_STOP);
	control_carry_out(&b.c);
	says(&b, "search stopped; what it has found stands");
	test_kill(engine_pid(b.c.engine), SIGCONT);
	bed_close(&b);
}

static void
stopped_and_reverted(void)
{
	struct bed b;
	struct fset before;

	bed_open(&b, "linux-page-faults", 0);
	bed_until(&b, has_result);
	bed_until(&b, is_quiet);
	before = b.s.question.on;
	test_kill(engine_pid(b.c.engine), SIGSTOP);
	state_act(&b.s, ACTION_toggle);
	control_carry_out(&b.c);
	CHECK(state_stale(&b.s) && !fset_equal(&before, &b.s.question.on));
	state_request(&b.s, REQUEST_STOP);
	control_carry_out(&b.c);
	says(&b, "stopped; what is shown belongs to the features as they stand");
	CHECK(!state_stale(&b.s) && fset_equal(&before, &b.s.question.on));
	CHECK(!b.s.answers.progress.busy);
	test_kill(engine_pid(b.c.engine), SIGCONT);
	bed_until(&b, is_quiet);
	state_request(&b.s, REQUEST_STOP);
	control_carry_out(&b.c);
	says(&b, "stopped");
	bed_close(&b);
}

static bool
is_restarted(const struct bed *b)
{
	return strstr(str_text(&b->s.answers.log), "engine") != NULL;
}

/* A new engine is given everything again, and answers. */
/* Esc stopped the first result, so a search has nothing to start from: the result is computed first. */
static void
a_search_without_a_result(void)
{
	struct bed b;

	bed_open(&b, "linux-page-faults", 0);
	control_carry_out(&b.c); /* this starts the engine */
	test_kill(engine_pid(b.c.engine), SIGSTOP);
	state_request(&b.s, REQUEST_STOP);
	control_carry_out(&b.c);
	CHECK(!b.s.answers.result && !b.s.answers.progress.busy);
	test_kill(engine_pid(b.c.engine), SIGCONT);
	state_act(&b.s, ACTION_auto);
	control_carry_out(&b.c);
	CHECK(b.s.answers.progress.busy && b.s.answers.search.task == SEARCH_NONE);
	bed_until(&b, is_quiet);
	CHECK(b.s.answers.result && b.s.answers.search.graph && b.s.answers.search.graph->complete);
	bed_close(&b);
}

static void
the_engine_dies(void)
{
	struct bed b;
	size_t n;
	int pid;

	bed_open(&b, "linux-page-faults", 0);
	bed_until(&b, has_result);
	bed_until(&b, is_quiet);
	n = b.s.answers.result->n_findings;
	pid = engine_pid(b.c.engine);
	kill(pid, SIGSTOP);
	state_act(&b.s, ACTION_toggle);
	control_carry_out(&b.c);
	kill(pid, SIGKILL);
	bed_until(&b, is_restarted);
	CHECK(b.s.view.message.bad);
	bed_until(&b, has_result);
	CHECK(engine_pid(b.c.engine) != pid);
	CHECK(n > 0);
	CHECK_INT(b.s.answers.result->n_findings, n); /* control has sent the observations again */
	bed_close(&b);
}

/* --- files ------------------------------------------------------------------------------------------------------- */

static void
what_cannot_be_opened(void)
{
	struct bed b;
	const struct udd_model *m;

	bed_open(&b, "linux-page-faults", 0);
	bed_until(&b, has_result);
	m = b.s.question.model;
	open_name(&b, "no-such-model", OPEN_ONLY);
	CHECK(b.s.view.message.bad && b.s.question.model == m);
	says(&b, "no-such-model");
	CHECK(write_file("broken.udd", "model broken; path p { cuont x; }\n"));
	open_name(&b, "broken.udd", OPEN_ONLY);
	CHECK_INT(b.s.view.popup.kind, POPUP_TEXT);
	CHECK_STR(b.s.view.popup.title, "broken.udd does not load");
	CHECK(strstr(str_text(&b.s.view.popup.text), "broken.udd:1") && b.s.question.model == m);
	b.s.view.popup.kind = POPUP_NONE;
	CHECK(write_file("broken.net", "network broken; nothing\n"));
	open_name(&b, "./broken.net", OPEN_ONLY);
	CHECK_STR(b.s.view.popup.title, "./broken.net does not load");
	CHECK(b.s.view.popup.kind == POPUP_TEXT && b.s.question.model == m && !b.s.data.timeline);
	b.s.view.popup.kind = POPUP_NONE;
	open_name(&b, "./none.net", OPEN_ONLY);
	CHECK(b.s.view.message.bad && b.s.question.model == m);
	CHECK(write_file("text.hct", "SQLite format 3, but it is none\n"));
	open_name(&b, "text.hct", OPEN_ONLY);
	CHECK(b.s.view.message.bad && b.s.question.model == m && has_result(&b));
	bed_close(&b);
}

static void
what_is_opened(void)
{
	struct bed b;

	bed_open(&b, NULL, 0);
	CHECK(write_file("one.udd", "model one; path p { count x; }\n"));
	open_name(&b, "one.udd", OPEN_ASK_COMMAND);
	CHECK(b.s.question.model && str_eq(b.s.question.model->name, "one"));
	CHECK_INT(b.s.view.prompt.kind, PROMPT_COMMAND);
	state_prompt_key(&b.s, PROMPT_ESCAPE);
	CHECK(write_file("faults.net", bed_network));
	open_name(&b, "./faults.net", OPEN_ASK_COMMAND);
	CHECK(!b.s.question.model && b.s.data.timeline);
	CHECK_INT(b.s.view.prompt.kind, PROMPT_COMMAND);
	state_prompt_key(&b.s, PROMPT_ESCAPE);
	open_name(&b, "stall-sources", OPEN_ONLY);
	CHECK(b.s.data.timeline != NULL);
	bed_close(&b);
}

/* An answer about a model that is left before it comes is dropped. */
static void
a_late_answer(void)
{
	struct bed b;

	bed_open(&b, "linux-page-faults", 0);
	CHECK(write_file("faults.net", bed_network));
	control_carry_out(&b.c); /* this starts the engine */
	test_kill(engine_pid(b.c.engine), SIGSTOP);
	CHECK(b.s.answers.progress.busy);
	open_name(&b, "./faults.net", OPEN_ONLY);
	CHECK(b.s.data.timeline && !b.s.answers.progress.busy);
	test_kill(engine_pid(b.c.engine), SIGCONT);
	bed_until(&b, is_quiet);
	open_name(&b, "linux-page-faults", OPEN_ONLY); /* its answer comes after those that are dropped */
	bed_until(&b, is_quiet);
	CHECK(b.s.answers.result && b.s.answers.neighbours);
	CHECK_INT(b.s.answers.result->n_findings, 0);
	bed_close(&b);
}

/* A session is saved into a new file, and opened again from there. */
static void
a_session_is_kept(void)
{
	struct bed b;

	bed_open(&b, NULL, 0);
	requests_add(&b.s.requests, REQUEST_KEEP, 0, "new.hct");
	control_carry_out(&b.c);
	says(&b, "nothing is open yet");
	CHECK(access("new.hct", F_OK) != 0);
	bed_close(&b);

	bed_open(&b, "linux-page-faults", 0);
	bed_until(&b, has_result);
	requests_add(&b.s.requests, REQUEST_KEEP, 0, "none/such/new.hct");
	control_carry_out(&b.c);
	CHECK(b.s.view.message.bad && !b.s.data.saved.in);
	requests_add(&b.s.requests, REQUEST_KEEP, 0, "new.hct");
	control_carry_out(&b.c);
	says(&b, "kept from now on in new.hct");
	CHECK_STR(b.s.data.saved.in, "new.hct");
	open_name(&b, "haswell-mmu", OPEN_ONLY);
	CHECK(!b.s.data.saved.in && str_eq(b.s.question.model->name, "haswell_mmu"));
	open_name(&b, "new.hct", OPEN_ONLY);
	CHECK_STR(b.s.data.saved.in, "new.hct");
	CHECK_STR(b.s.question.model->name, "linux_pagefault");
	bed_until(&b, has_result);
	CHECK_INT(b.s.answers.result->n_findings, 8);
	bed_close(&b);
}

/* --- runs -------------------------------------------------------------------------------------------------------- */

static bool
has_history(const struct bed *b)
{
	return b->s.data.history.n >= 2;
}

static bool
runs_no_more(const struct bed *b)
{
	return !state_running(&b->s) && has_result(b) && b->s.requests.n == 0;
}

static bool
has_two(const struct bed *b)
{
	return b->s.data.leader && run_table(b->s.data.leader)->n == 2;
}

/* Samples are added and verdicts follow. The run is ended and another one begins. Before observations that are in no
 * file are lost, the user is asked. */
static void
a_simulated_machine(void)
{
	struct bed b;

	bed_open(&b, NULL, 0);
	b.s.question.sampling.interval_ms = 5;
	open_name(&b, "haswell-mmu", OPEN_WATCH_SIMULATED);
	CHECK(b.s.question.subject.argv && str_starts(b.s.question.subject.argv[0], "sim:"));
	bed_until(&b, is_running);
	CHECK(b.s.data.had_run && control_busy(&b.c));
	bed_until(&b, has_history);
	state_request(&b.s, REQUEST_RERUN);
	bed_until(&b, has_two);
	bed_until(&b, is_running);
	state_request(&b.s, REQUEST_END_RUN);
	bed_until(&b, runs_no_more);
	says(&b, "was stopped after");
	CHECK_INT(run_table(b.s.data.leader)->n, 2);
	open_name(&b, "linux-page-faults", OPEN_ONLY);
	CHECK_INT(b.s.view.popup.kind, POPUP_LEAVE);
	CHECK_STR(b.s.question.model->name, "haswell_mmu");
	CHECK(state_leave_key(&b.s, "x"));
	bed_turn(&b);
	CHECK_STR(b.s.question.model->name, "linux_pagefault");
	CHECK(!b.s.data.leader && !b.s.data.n_runs && !b.s.question.subject.argv);
	bed_close(&b);
}

static bool
has_sample(const struct bed *b)
{
	return run_facts(b->s.data.leader).rows > 0;
}

static bool
is_over(const struct bed *b)
{
	return !state_running(&b->s);
}

/* The stacks of a machine open, and a program is simulated on it. */
static void
stacks_of_a_machine(void)
{
	struct bed b;
	size_t n;

	bed_open(&b, NULL, 0);
	b.s.question.sampling.interval_ms = 5;
	open_name(&b, "core", OPEN_WATCH_MACHINE);
	CHECK(b.s.data.timeline && !b.s.question.model);
	timeline_stacks(b.s.data.timeline, &n);
	CHECK_INT(n, 7);
	CHECK_STR(timeline_stack(b.s.data.timeline)->name, "truth");
	CHECK_INT(b.s.view.current, VIEW_STALLS);
	CHECK(b.s.view.timeline.whole); /* a method is judged by the whole run */
	CHECK(b.s.question.subject.argv && str_starts(b.s.question.subject.argv[0], "sim:core:"));
	bed_until(&b, is_running);
	bed_until(&b, has_sample);
	state_timeline_follow(&b.s);
	for (size_t i = 0; i < n; i++) {
		struct timeline_bars *bars = timeline_bars_by(b.s.data.timeline, i, TIMELINE_WHOLE, false);

		if (CHECK(bars && bars->n == 1))
			CHECK(bars->bar[0].account->figure > 0.2 && bars->bar[0].account->figure < 10); /* CPI */
		timeline_bars_free(bars);
	}
	state_request(&b.s, REQUEST_END_RUN);
	bed_until(&b, is_over);
	bed_close(&b);
}

/* What is open stays if the machine, its stacks, or one of them cannot be read. */
static void
machines_without_stacks(void)
{
	static const char one_bad[] =
		"sed 's/^stacks truth,/stacks truth, \"none-such\",/' "
		"\"$HECATE_TESTS\"/../models/machines/core.machine >own.machine";
	struct bed b;
	const struct udd_model *m;

	bed_open(&b, "haswell-mmu", 0);
	m = b.s.question.model;
	open_name(&b, "no-such-machine", OPEN_WATCH_MACHINE);
	says(&b, "no-such-machine");
	CHECK(b.s.view.message.bad);
	open_name(&b, "haswell", OPEN_WATCH_MACHINE);
	says(&b, "haswell: the file of this machine names no stacks; add a line such as: stacks truth, fmt;");
	CHECK(b.s.view.message.bad);
	CHECK(system(one_bad) == 0);
	open_name(&b, "./own.machine", OPEN_WATCH_MACHINE);
	says(&b, "none-such");
	CHECK(b.s.view.message.bad);
	CHECK(b.s.question.model == m && !b.s.data.timeline && !b.s.question.subject.argv);
	CHECK(!requests_find(&b.s.requests, REQUEST_RUN));
	bed_close(&b);
}

/* With -r 2 the second run begins by itself. */
static void
two_runs(void)
{
	struct bed b;

	bed_open(&b, "haswell-mmu", 2);
	set_command(&b, "sim:haswell::linear:samples=30", 5);
	state_request(&b.s, REQUEST_RUN);
	bed_until(&b, has_two);
	bed_until(&b, runs_no_more);
	CHECK_INT(run_table(b.s.data.leader)->n, 2);
	CHECK_INT(b.c.runs_left, 0);
	bed_close(&b);
}

static void
what_does_not_run(void)
{
	static const struct {
		const char *words, *said;
	} row[] = {
		{"sim:no-such-machine", "no-such-machine"},
		{"sim:haswell argument", "takes no argument"},
		{"/nowhere/hecate-test", "/nowhere/hecate-test"},
	};
	struct bed b;

	bed_open(&b, "linux-page-faults", 3);
	bed_until(&b, has_result);
	state_request(&b.s, REQUEST_RUN); /* no command to run */
	control_carry_out(&b.c);
	CHECK(!state_running(&b.s));
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		test_label("%s", row[i].words);
		b.s.view.message.bad = false;
		set_command(&b, row[i].words, 5);
		state_request(&b.s, REQUEST_RUN);
		control_carry_out(&b.c);
		CHECK(!state_running(&b.s) && b.s.view.message.bad);
		says(&b, row[i].said);
		CHECK(strstr(str_text(&b.s.data.run_notes), row[i].said));
	}
	CHECK_INT(b.c.runs_left, 0);
	state_request(&b.s, REQUEST_END_RUN); /* no run to end */
	control_carry_out(&b.c);
	bed_close(&b);
}

static bool
ended(const struct bed *b)
{
	return b->s.data.had_run && !state_running(&b->s);
}

/* Commands counted for a network, with counters that any user may open. */
static void
commands_and_their_ends(void)
{
	static const struct {
		const char *words, *said;
		bool bad;
	} row[] = {
		{"true", "", false},
		{"./three", "ended with status 3", true},
		{"./killed", "was ended by signal 15", true},
	};
	struct bed b;

	bed_open(&b, NULL, 0);
	CHECK(write_file("faults.net", bed_network));
	CHECK(write_file("three", "#!/bin/sh\necho printed\nexit 3\n") && chmod("three", 0700) == 0);
	CHECK(write_file("killed", "#!/bin/sh\nkill $$\n") && chmod("killed", 0700) == 0);
	open_name(&b, "./faults.net", OPEN_ONLY);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		test_label("%s", row[i].words);
		b.s.data.had_run = false;
		set_command(&b, row[i].words, 0);
		state_request(&b.s, REQUEST_RUN);
		bed_until(&b, ended);
		CHECK_INT(run_table(b.s.data.leader)->n, i + 1);
		says(&b, row[i].said);
		CHECK(!*row[i].said || b.s.view.message.bad == row[i].bad);
	}
	CHECK(strstr(str_text(&b.s.data.output), "printed"));
	test_label("exact totals of a command that is ended");
	set_command(&b, "sleep 1000", 0);
	state_request(&b.s, REQUEST_RUN);
	bed_until(&b, is_running);
	state_request(&b.s, REQUEST_END_RUN);
	bed_until(&b, ended);
	says(&b, "its totals were dropped");
	CHECK_INT(run_table(b.s.data.leader)->n, 3);
	test_label("samples of one");
	set_command(&b, "sleep 1000", 5);
	state_request(&b.s, REQUEST_RUN);
	bed_until(&b, is_running);
	while (run_facts(b.s.data.leader).rows < 3)
		bed_turn(&b);
	state_request(&b.s, REQUEST_END_RUN);
	bed_until(&b, ended);
	says(&b, "its counts until then are kept");
	CHECK_INT(run_table(b.s.data.leader)->n, 4);
	bed_close(&b);
}

static void
the_time_of_tasks(void)
{
	struct bed b;

	bed_open(&b, NULL, 0);
	open_name(&b, "stall-sources", OPEN_ONLY);
	set_command(&b, "sleep 0.05", 0);
	state_request(&b.s, REQUEST_RUN);
	bed_until(&b, ended);
	if (CHECK_INT(b.s.data.n_runs, 1))
		CHECK(!run_running(b.s.data.run[0]));
	set_command(&b, "sleep 1000", 0);
	b.s.data.had_run = false;
	state_request(&b.s, REQUEST_RUN);
	bed_until(&b, is_running);
	CHECK(control_patience(&b.c) < INFINITY || control_busy(&b.c));
	state_request(&b.s, REQUEST_END_RUN);
	bed_until(&b, ended);
	CHECK_INT(b.s.data.n_runs, 2);
	bed_close(&b);
}

static struct profile_spec *
spec_of(const char *text)
{
	struct diags d = {0};
	struct str s = {0};
	size_t n;
	struct profile_spec *spec;

	str_addf(&s, "profile p; %s", text);
	n = s.n;
	spec = spec_parse(mem_str("p.spec"), str_take(&s), n, &d);
	CHECK(spec != NULL);
	diags_free(&d);
	return spec;
}

/* A specification's programs, counted for a network: one that ends, one that fails, one that the user ends. */
static void
the_programs_of_a_specification(void)
{
	static const struct {
		const char *text, *said;
		bool ends;
	} row[] = {
		{"program a { run \"sleep\" \"0.05\"; } network \"./faults.net\"; granularity 5 ms;", "p took ", true},
		{"program a { run \"sh\" \"-c\" \"exit 3\"; } network \"./faults.net\"; granularity 5 ms;",
			"ended with status 3", true},
		{"program a { run \"sleep\" \"1000\"; } network \"./faults.net\"; granularity 5 ms;",
			"p was stopped after", false},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct bed b;

		test_label("%s", row[i].text);
		bed_open(&b, NULL, 0);
		CHECK(write_file("faults.net", bed_network));
		open_name(&b, "./faults.net", OPEN_ONLY);
		b.s.question.subject.spec = spec_of(row[i].text);
		state_request(&b.s, REQUEST_RUN);
		if (!row[i].ends) {
			bed_until(&b, is_running);
			bed_turn(&b);
			state_request(&b.s, REQUEST_END_RUN);
		}
		bed_until(&b, ended);
		CHECK_INT(b.s.data.n_runs, 1);
		says(&b, row[i].said);
		bed_close(&b);
	}
}

/* The machine that was asked for; if it cannot run probes, the message says why, and which one is shown instead. */
static void
where_probes_run(void)
{
	static const struct {
		const char *asked, *machine, *other, *says;
	} row[] = {
		{"sim:core", "sim:core", "sim:cbp2025", ""},
		{"sim:cbp2025", "sim:cbp2025", "sim:core", ""},
		{"sim:haswell", NULL, NULL, "no pipeline"},
	};
	struct bed b;

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		bed_open(&b, NULL, 0);
		state_set_subject(&b.s, &(struct subject){.probed = mem_str(row[i].asked)});
		state_show_view(&b.s, VIEW_PROBES);
		control_carry_out(&b.c);
		if (row[i].machine) {
			CHECK_STR(b.s.data.probes->machine, row[i].machine);
			CHECK_STR(b.s.data.probes->other, row[i].other);
			CHECK_STR(b.s.view.message.text, "");
		} else {
			CHECK(b.s.data.probes->machine != NULL);
			CHECK(strstr(b.s.view.message.text, row[i].says) && b.s.view.message.bad);
		}
		bed_close(&b);
	}
}

/* --- the model's file changes ------------------------------------------------------------------------------------- */

/* Copies the model into the present folder, with another text for its first feature, and renames it over the old. */
static void
change_model(const char *with)
{
	struct err e = {0};
	char *path = file_find("haswell-mmu", "models", MODEL_ENDINGS, &e);
	char *copy = str_format("sed 's/^feature tlb_pf .*/feature tlb_pf \"%s\";/' '%s' >new && mv new mine.udd",
		with, path);

	CHECK(system(copy) == 0);
	free(copy);
	free(path);
}

static bool
has_read_again(const struct bed *b)
{
	return strstr(b->s.view.message.text, "reloaded") && has_result(b);
}

static void
a_model_changes_while_its_run_goes_on(void)
{
	struct bed b;
	size_t rows, on;

	bed_open(&b, NULL, 0);
	change_model("old");
	open_name(&b, "./mine.udd", OPEN_ONLY);
	if (!bed_until(&b, has_result))
		return;
	state_act(&b.s, ACTION_toggle);
	on = fset_count(&b.s.question.on);
	set_command(&b, "sim:haswell::linear:samples=100000", 5);
	state_request(&b.s, REQUEST_RUN);
	bed_until(&b, is_running);
	for (int i = 1; i <= 3; i++) {
		char *text = str_format("edit %d", i);

		while (run_facts(b.s.data.leader).rows < 3 * (size_t)i)
			bed_turn(&b);
		rows = run_facts(b.s.data.leader).rows;
		state_say_nothing(&b.s);
		change_model(text);
		bed_until(&b, has_read_again);
		CHECK_STR(b.s.question.model->feature[0].text, text);
		CHECK_INT(fset_count(&b.s.question.on), on);
		CHECK(state_running(&b.s));
		while (state_running(&b.s) && run_facts(b.s.data.leader).rows <= rows)
			bed_turn(&b);
		CHECK(run_facts(b.s.data.leader).rows > rows);
		free(text);
	}
	state_request(&b.s, REQUEST_END_RUN);
	bed_until(&b, runs_no_more);
	bed_until(&b, has_result);
	CHECK_INT(run_table(b.s.data.leader)->n, 1);
	CHECK_INT(b.s.answers.result->n_findings, 1);
	bed_close(&b);
}

/* The first frame waits for neither the doctor nor the files of Home; the loop looks at them one by one. */
static void
it_looks_after_the_first_frame(void)
{
	struct state s;
	struct control c;
	struct err e = {0};
	struct engine *engine = engine_start(&e);

	if (!CHECK(engine != NULL))
		return;
	state_init(&s);
	control_open(&c, &s, engine, 0);
	CHECK_INT(s.data.machine.n, 0);
	CHECK_INT(s.data.home.of.n, 0);
	CHECK(!doctor_lacks_pmu(&s.data.machine));
	CHECK(control_patience(&c) <= 0);
	CHECK(control_listen(&c));
	CHECK(s.data.home.of.n > 0);
	CHECK_INT(s.data.machine.n, 0);
	CHECK(control_listen(&c));
	CHECK(s.data.machine.n > 0);
	CHECK(control_listen(&c));
	CHECK_INT(c.looked, LOOK_ALL);
	control_close(&c);
	state_free(&s);
}

TEST_MAIN(CASE(it_looks_after_the_first_frame), CASE(a_result_with_what_the_screen_asks),
	CASE(details_wait_until_the_cursor_rests), CASE(requests_in_order), CASE(a_search_and_its_late_end),
	CASE(stopped_and_reverted), CASE(a_search_without_a_result), CASE(the_engine_dies), CASE(what_cannot_be_opened),
	CASE(what_is_opened), CASE(a_late_answer), CASE(a_session_is_kept), CASE(a_simulated_machine),
	CASE(stacks_of_a_machine), CASE(machines_without_stacks), CASE(two_runs), CASE(what_does_not_run),
	CASE(commands_and_their_ends), CASE(the_time_of_tasks), CASE(the_programs_of_a_specification),
	CASE(where_probes_run), CASE(a_model_changes_while_its_run_goes_on))
