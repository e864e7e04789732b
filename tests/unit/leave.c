/* What is in no file asks before it goes (POPUP_LEAVE): q, Esc and opening something else, by control with real
 * commands and a simulated machine. Waiting is polling with a deadline. */
#include "explorer/state/state_leave.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "explorer/control/control.h"
#include "explorer/engine/engine.h"
#include "explorer/state/state.h"
#include "explorer/state/state_cursor.h"
#include "explorer/state/state_diff.h"
#include "control_bed.h"
#include "test.h"
#include "work/diff/contest.h"
#include "work/files/data.h"
#include "work/run/run.h"

static void
write_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0 && chmod(name, 0700) == 0);
}

/* Control in a folder of its own, with nothing open. */
static void
bed_open(struct bed *b)
{
	struct err e = {0};
	struct engine *engine;

	bed_enter(b);
	write_file("faults.net", bed_network);
	fflush(stdout);
	engine = engine_start(&e);
	CHECK(engine);
	state_init(&b->s);
	b->s.view.frame.now = clock_seconds();
	control_open(&b->c, &b->s, engine, 0);
	b->s.data.machine.may_mount_tracefs = false;
}

static bool
is_measured(const struct bed *b)
{
	return state_running(&b->s) && run_facts(b->s.data.leader).rows >= 3;
}

static bool
is_over(const struct bed *b)
{
	return !state_running(&b->s) && b->s.requests.n == 0;
}

static bool
leaves(const struct bed *b)
{
	return requests_find(&b->s.requests, REQUEST_QUIT) != NULL;
}

static bool
asks_again(const struct bed *b)
{
	return b->s.view.leaving.failure != NULL;
}

static bool
has_result(const struct bed *b)
{
	return b->s.answers.result && !b->s.answers.progress.busy && b->s.answers.asked.kind == DETAIL_NONE;
}

static bool
has_searched(const struct bed *b)
{
	return has_result(b) && b->s.requests.n == 0 && b->s.answers.search.task == SEARCH_NONE;
}

static bool
asks_for_command(const struct bed *b)
{
	return b->s.view.popup.kind == POPUP_PROMPT && b->s.view.prompt.kind == PROMPT_COMMAND;
}

static void
open_name(struct bed *b, const char *name, enum open_then then)
{
	requests_add(&b->s.requests, REQUEST_OPEN, (size_t)then, name);
	control_carry_out(&b->c);
}

/* The network is open, and this command runs and has been measured. */
static void
run_command(struct bed *b, const char *words)
{
	open_name(b, "./faults.net", OPEN_ONLY);
	str_split_free(b->s.question.subject.argv);
	b->s.question.subject.argv = str_split(words, ' ', NULL);
	b->s.question.sampling.interval_ms = 5;
	state_request(&b->s, REQUEST_RUN);
	bed_until(b, is_measured);
}

static bool
words_have(const struct bed *b, const char *text)
{
	struct str words = {0};
	bool has;

	state_leave_words(&b->s, &words);
	has = strstr(str_text(&words), text) != NULL;
	if (!has)
		test_check(false, __FILE__, __LINE__, "the question says \"%s\", expected %s", str_text(&words), text);
	str_free(&words);
	return has;
}

/* The answers as their keys: "s x Esc ". */
static char *
keys_of(const struct bed *b)
{
	struct leave_row row[LEAVE_ROWS];
	size_t n = state_leave_rows(&b->s, row);
	struct str keys = {0};

	for (size_t i = 0; i < n; i++)
		str_addf(&keys, "%s ", row[i].key);
	return str_take(&keys);
}

static void
check_keys(const struct bed *b, const char *expected)
{
	char *keys = keys_of(b);

	CHECK_STR(keys, expected);
	free(keys);
}

static size_t
rows_in(const char *file)
{
	struct err e = {0};
	struct obs_table *table = data_read(file, true, &e);
	size_t n = 0;

	CHECK(table && table->n == 1);
	for (size_t i = 0; table && i < table->n; i++)
		n += table->obs[i]->n_rows;
	obs_table_free(table);
	return n;
}

/* What a comparison writes is the caller's: here a text. */
static void
write_runs(const struct contest *c, struct str *out)
{
	str_addf(out, "%zu runs\n", c->of.measured.table.n_runs);
}

/* Two ways A and B are open, with 40 runs in no file. */
static void
compare(struct bed *b)
{
	struct recorded_diff recorded;
	const struct diff_rule rule = {.confidence = 0.99, .threshold = 0.01};
	struct err e = {0};
	struct str text = {0};
	char file[] = "ab.csv", first[] = "a", second[] = "b", *path[] = {file}, *column[] = {first, second};

	str_add(&text, "a,b\n");
	for (int i = 0; i < 20; i++)
		str_addf(&text, "%d,%d\n", 100 + i * 7 % 19, 130 + i * 3 % 20);
	write_file("ab.csv", str_text(&text));
	str_free(&text);
	CHECK(recorded_diff_read(path, 1, column, &recorded, &e));
	b->s.data.contest = contest_of_recorded(&recorded, &rule);
	b->s.data.contest->write = write_runs;
	b->s.data.contest->unsaved = true;
}

static bool
file_is(const char *name, const char *expected)
{
	char text[64] = "";
	FILE *f = fopen(name, "r");
	bool same = f && fgets(text, sizeof text, f) && strcmp(text, expected) == 0;

	if (f)
		fclose(f);
	return same;
}

/* --- q ------------------------------------------------------------------------------------------------------------ */

/* Nothing was measured, searched or written: q leaves at once. */
static void
what_is_only_looked_at(void)
{
	struct bed b;

	bed_open(&b);
	state_act(&b.s, ACTION_quit);
	CHECK(leaves(&b));
	requests_clear(&b.s.requests);
	open_name(&b, "haswell-mmu", OPEN_ONLY);
	b.s.view.cursor[PANE_FEATURES] = 3;
	state_act(&b.s, ACTION_toggle);
	bed_until(&b, has_result);
	state_act(&b.s, ACTION_quit);
	CHECK(leaves(&b));
	CHECK_INT(b.s.view.popup.kind, POPUP_NONE);
	bed_close(&b);
}

/* q in a live run: s ends the command, saves what was measured, and leaves; the file has every sample. */
static void
a_live_run_is_saved(void)
{
	struct bed b;
	char *file;
	size_t rows;

	bed_open(&b);
	run_command(&b, "sleep 1000");
	state_act(&b.s, ACTION_quit);
	CHECK(!leaves(&b));
	CHECK_INT(b.s.view.popup.kind, POPUP_LEAVE);
	CHECK(words_have(&b, "sleep runs. In no file:\n  a run of sleep, ") && words_have(&b, "s so far\n"));
	file = mem_str(b.s.view.leaving.file);
	CHECK(str_starts(file, "sleep-20") && str_ends(file, ".hct"));
	CHECK_INT(strlen(file), strlen("sleep-20260131-120000.hct"));
	state_act(&b.s, ACTION_back); /* stay */
	CHECK(state_running(&b.s) && b.s.view.popup.kind == POPUP_NONE && !b.s.view.leaving.file);
	state_act(&b.s, ACTION_quit);
	CHECK(!state_leave_key(&b.s, "Enter")); /* Enter is for the answer under the cursor */
	CHECK(!state_leave_key(&b.s, "y"));
	free(file);
	file = mem_str(b.s.view.leaving.file);
	CHECK(state_leave_key(&b.s, "s"));
	control_carry_out(&b.c);
	CHECK(words_have(&b, "Stopping sleep"));
	bed_until(&b, leaves);
	CHECK(!state_running(&b.s));
	CHECK_INT(b.s.view.popup.kind, POPUP_NONE);
	rows = run_table(b.s.data.leader)->obs[0]->n_rows;
	CHECK(rows >= 3);
	CHECK_INT(rows_in(file), rows);
	free(file);
	bed_close(&b);
}

static void
a_live_run_is_not_saved(void)
{
	struct bed b;

	bed_open(&b);
	run_command(&b, "sleep 1000");
	state_act(&b.s, ACTION_quit);
	CHECK(state_leave_key(&b.s, "x"));
	CHECK(leaves(&b));
	CHECK(!b.s.data.saved.in);
	bed_close(&b);
}

/* Runs of A and B go into a file of their own: by w, or when q asks. */
static void
runs_of_two_ways_are_kept(void)
{
	struct bed b;
	char *file;

	bed_open(&b);
	compare(&b);
	state_act(&b.s, ACTION_quit);
	CHECK_INT(b.s.view.popup.kind, POPUP_LEAVE);
	CHECK(words_have(&b, "40 runs of A and B"));
	check_keys(&b, "s x Esc ");
	CHECK(b.s.view.leaving.file && str_ends(b.s.view.leaving.file, ".json"));
	file = mem_str(b.s.view.leaving.file);
	CHECK(state_leave_key(&b.s, "s"));
	control_carry_out(&b.c);
	CHECK(leaves(&b));
	CHECK(file_is(file, "40 runs\n"));
	CHECK_INT(state_unsaved_runs(&b.s), 0);
	free(file);
	requests_clear(&b.s.requests);
	state_act(&b.s, ACTION_quit); /* nothing is lost now */
	CHECK(leaves(&b));
	requests_clear(&b.s.requests);

	b.s.data.contest->unsaved = true;
	requests_add(&b.s.requests, REQUEST_KEEP_CONTEST, 0, "kept.hct");
	control_carry_out(&b.c);
	CHECK(file_is("kept.json", "40 runs\n"));
	b.s.data.contest->unsaved = true;
	requests_add(&b.s.requests, REQUEST_KEEP_CONTEST, 0, "missing/kept.json");
	control_carry_out(&b.c);
	CHECK_INT(state_unsaved_runs(&b.s), 40); /* a folder that is missing: they stay */
	CHECK(strstr(b.s.view.message.text, "missing/kept.json") != NULL);
	bed_close(&b);
}

/* In a file already: a run that goes on still asks, one that is over does not. */
static void
what_is_in_a_file(void)
{
	struct bed b;

	bed_open(&b);
	run_command(&b, "sleep 1000");
	requests_add(&b.s.requests, REQUEST_KEEP, 0, "kept.hct");
	control_carry_out(&b.c);
	state_act(&b.s, ACTION_quit);
	CHECK_INT(b.s.view.popup.kind, POPUP_LEAVE);
	CHECK(words_have(&b, "What was measured is in kept.hct."));
	check_keys(&b, "s l Esc ");
	state_act(&b.s, ACTION_back);
	state_request(&b.s, REQUEST_END_RUN);
	bed_until(&b, is_over);
	state_act(&b.s, ACTION_quit);
	CHECK_INT(b.s.view.popup.kind, POPUP_NONE);
	control_carry_out(&b.c);
	CHECK(leaves(&b));
	CHECK_INT(rows_in("kept.hct"), run_table(b.s.data.leader)->obs[0]->n_rows);
	bed_close(&b);
}

/* The file is moved away: nothing is lost without a word, and a new file takes it all. */
static void
a_file_that_has_gone(void)
{
	struct bed b;
	char *file;
	size_t rows;

	bed_open(&b);
	run_command(&b, "sleep 1000");
	requests_add(&b.s.requests, REQUEST_KEEP, 0, "kept.hct");
	control_carry_out(&b.c);
	state_request(&b.s, REQUEST_END_RUN);
	bed_until(&b, is_over);
	bed_turn(&b);
	CHECK(b.s.data.saved.at > 0 && !b.s.data.saved.failed);
	CHECK(rename("kept.hct", "elsewhere.hct") == 0);
	state_act(&b.s, ACTION_note_session);
	for (const char *p = "typed"; *p; p++)
		state_input(&b.s, (unsigned char)*p);
	state_prompt_key(&b.s, PROMPT_ENTER);
	state_act(&b.s, ACTION_quit);
	control_carry_out(&b.c);
	CHECK(!leaves(&b));
	CHECK_INT(b.s.view.popup.kind, POPUP_LEAVE);
	CHECK(words_have(&b, "Not saved: kept.hct was moved, removed or replaced") && words_have(&b, "  1 note"));
	file = mem_str(b.s.view.leaving.file);
	rows = run_table(b.s.data.leader)->obs[0]->n_rows;
	CHECK(state_leave_key(&b.s, "s"));
	bed_until(&b, leaves);
	CHECK_INT(rows_in(file), rows);
	free(file);
	bed_close(&b);
}

/* Another program has locked the file: no key waits for long, and q says so and stays until it is saved. */
static void
a_file_that_is_locked(void)
{
	struct bed b;
	char *lock = str_format("python3 -c \"import os, sqlite3, time\n"
		"c = sqlite3.connect('kept.hct', isolation_level=None)\nc.execute('BEGIN IMMEDIATE')\n"
		"open('locked', 'w').close()\n"
		"while not os.path.exists('free'): time.sleep(0.01)\" &");

	bed_open(&b);
	open_name(&b, "linux-page-faults", OPEN_RECORDED);
	bed_until(&b, has_result);
	requests_add(&b.s.requests, REQUEST_KEEP, 0, "kept.hct");
	control_carry_out(&b.c);
	CHECK(b.s.data.saved.in && system(lock) == 0);
	while (access("locked", F_OK) != 0)
		bed_turn(&b);
	remarks_put(&b.s.question.remarks, REMARK_SESSION, "", "typed");
	state_act(&b.s, ACTION_quit);
	bed_until(&b, asks_again);
	CHECK(words_have(&b, "Not saved: kept.hct is in use by another program") && words_have(&b, "  1 note"));
	state_act(&b.s, ACTION_back);
	write_file("free", "");
	while (b.s.data.saved.failed || b.s.question.remarks.touched)
		bed_turn(&b);
	state_act(&b.s, ACTION_quit);
	control_carry_out(&b.c);
	CHECK(leaves(&b));
	free(lock);
	bed_close(&b);
}

/* A file that cannot be written: the question says why, and stays; another folder takes it. */
static void
a_save_that_fails(void)
{
	struct bed b;

	bed_open(&b);
	run_command(&b, "sleep 1000");
	state_act(&b.s, ACTION_quit);
	free(b.s.view.leaving.file);
	b.s.view.leaving.file = mem_str("missing/new.hct");
	CHECK(state_leave_key(&b.s, "s"));
	bed_until(&b, asks_again);
	CHECK(!leaves(&b));
	CHECK_INT(b.s.view.popup.kind, POPUP_LEAVE);
	CHECK(words_have(&b, "Not saved: ") && words_have(&b, "missing/new.hct"));
	CHECK(words_have(&b, "a run of sleep, "));
	check_keys(&b, "s x f Esc ");
	CHECK(state_leave_key(&b.s, "f"));
	CHECK_INT(b.s.view.popup.kind, POPUP_PROMPT);
	state_prompt_key(&b.s, PROMPT_ESCAPE); /* stay, and do not leave when a file is written later */
	requests_add(&b.s.requests, REQUEST_KEEP, 0, "later.hct");
	control_carry_out(&b.c);
	CHECK(!leaves(&b) && b.s.data.saved.in);
	bed_close(&b);

	bed_open(&b);
	run_command(&b, "sleep 1000");
	state_act(&b.s, ACTION_quit);
	free(b.s.view.leaving.file);
	b.s.view.leaving.file = mem_str("missing/new.hct");
	CHECK(state_leave_key(&b.s, "s"));
	bed_until(&b, asks_again);
	CHECK(mkdir("room", 0700) == 0);
	CHECK(state_leave_key(&b.s, "f"));
	for (const char *p = "room/"; *p; p++) /* before the name that is proposed */
		state_input(&b.s, (unsigned char)*p);
	CHECK(str_starts(str_text(&b.s.view.prompt.input), "room/sleep-20"));
	state_prompt_key(&b.s, PROMPT_ENTER);
	control_carry_out(&b.c);
	CHECK(leaves(&b));
	CHECK(b.s.data.saved.in && str_starts(b.s.data.saved.in, "room/sleep-20"));
	bed_close(&b);
}

/* A search, notes and curves are named, each with its number. */
static void
searches_notes_and_curves(void)
{
	struct bed b;

	bed_open(&b);
	open_name(&b, "linux-page-faults", OPEN_RECORDED);
	bed_until(&b, has_result);
	CHECK(!state_leave_asks(&b.s));
	state_act(&b.s, ACTION_discover);
	bed_until(&b, has_searched);
	state_act(&b.s, ACTION_note_session);
	for (const char *p = "one"; *p; p++)
		state_input(&b.s, (unsigned char)*p);
	state_prompt_key(&b.s, PROMPT_ENTER);
	state_act(&b.s, ACTION_quit);
	CHECK_INT(b.s.view.popup.kind, POPUP_LEAVE);
	CHECK(words_have(&b, "In no file:\n  a search over ") && words_have(&b, "  1 note\n"));
	check_keys(&b, "s x Esc ");
	state_leave_take(&b.s); /* the first answer: save */
	control_carry_out(&b.c);
	CHECK(leaves(&b) && b.s.data.saved.in && access(b.s.data.saved.in, F_OK) == 0);
	requests_clear(&b.s.requests);
	CHECK(!state_leave_asks(&b.s));
	bed_close(&b);
}

/* --- Esc ---------------------------------------------------------------------------------------------------------- */

static void
esc_asks_before_it_stops(void)
{
	struct bed b;

	bed_open(&b);
	run_command(&b, "sleep 1000");
	state_act(&b.s, ACTION_stop);
	CHECK_INT(b.s.view.popup.kind, POPUP_LEAVE);
	CHECK(words_have(&b, "It has run for "));
	check_keys(&b, "Enter Esc ");
	state_act(&b.s, ACTION_back);
	bed_turn(&b);
	CHECK(state_running(&b.s) && b.s.view.popup.kind == POPUP_NONE);
	state_act(&b.s, ACTION_stop);
	state_move(&b.s, 1); /* on "go on": Enter does what its row says */
	state_prompt_key(&b.s, PROMPT_ENTER);
	bed_turn(&b);
	CHECK(state_running(&b.s) && b.s.view.popup.kind == POPUP_NONE);
	state_act(&b.s, ACTION_stop);
	state_prompt_key(&b.s, PROMPT_ENTER);
	bed_until(&b, is_over);
	CHECK(strstr(b.s.view.message.text, "was stopped after"));
	state_act(&b.s, ACTION_quit); /* the question is q's own again */
	CHECK_INT(b.s.view.leaving.to, LEAVE_HECATE);
	bed_close(&b);

	test_label("the command ends while the question is open");
	bed_open(&b);
	run_command(&b, "sleep 0.5");
	state_act(&b.s, ACTION_stop);
	bed_until(&b, is_over);
	bed_turn(&b);
	CHECK_INT(b.s.view.popup.kind, POPUP_NONE);
	bed_close(&b);

	test_label("a simulated machine");
	bed_open(&b);
	b.s.question.sampling.interval_ms = 5;
	open_name(&b, "haswell-mmu", OPEN_WATCH_SIMULATED);
	bed_until(&b, is_measured);
	state_act(&b.s, ACTION_stop);
	CHECK_INT(b.s.view.popup.kind, POPUP_NONE);
	bed_until(&b, is_over);
	bed_close(&b);
}

/* --- commands that are hard to end -------------------------------------------------------------------------------- */

static bool
has_pid(const struct bed *b)
{
	struct stat st;

	(void)b;
	return stat("pid", &st) == 0 && st.st_size > 0;
}

static pid_t
pid_in_file(void)
{
	FILE *f = fopen("pid", "r");
	int pid = 0;

	CHECK(f && fscanf(f, "%d", &pid) == 1);
	if (f)
		fclose(f);
	return pid;
}

/* They are asked, then killed, with all that they started; the sentence says so, and the samples stay. */
static void
commands_that_do_not_end(void)
{
	static const struct {
		const char *name, *text, *said;
	} row[] = {
		{"./deaf", "#!/bin/sh\ntrap '' TERM INT\necho $$ >part; mv part pid\nwhile :; do sleep 0.01; done\n",
			"deaf did not end when asked, and was killed after"},
		{"./halted", "#!/bin/sh\necho $$ >part; mv part pid\nsleep 0.1\nkill -STOP $$\n",
			"halted was stopped after"},
		{"./fleeing", "#!/bin/sh\nsetsid sleep 1000 & echo $! >part; mv part pid\nwait\n",
			"fleeing was stopped after"},
		{"./hiding", "#!/bin/sh\nsetsid sh -c \"trap '' TERM; echo \\$\\$ >part; mv part pid; "
			"while :; do sleep 0.01; done\" &\nwait\n", "hiding was stopped after"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct bed b;
		pid_t pid;

		test_label("%s", row[i].name);
		bed_open(&b);
		write_file(row[i].name, row[i].text);
		run_command(&b, row[i].name);
		bed_until(&b, has_pid);
		pid = pid_in_file();
		CHECK(kill(pid, 0) == 0);
		state_act(&b.s, ACTION_stop);
		state_prompt_key(&b.s, PROMPT_ENTER);
		control_carry_out(&b.c);
		CHECK(strstr(b.s.view.message.text, "is asked to end (SIGTERM)"));
		bed_until(&b, is_over);
		if (!strstr(b.s.view.message.text, row[i].said))
			test_check(false, __FILE__, __LINE__, "said \"%s\", expected %s", b.s.view.message.text,
				row[i].said);
		CHECK(kill(pid, 0) != 0);
		CHECK(run_table(b.s.data.leader)->obs[0]->n_rows >= 3);
		bed_close(&b);
	}
}

/* l: hecate ends, and the command goes on; what was measured is saved. */
static void
a_command_that_goes_on(void)
{
	struct bed b;
	char *file;
	pid_t pid;

	bed_open(&b);
	write_file("./long", "#!/bin/sh\necho $$ >part; mv part pid\nexec sleep 1000\n");
	run_command(&b, "./long");
	bed_until(&b, has_pid);
	pid = pid_in_file();
	state_act(&b.s, ACTION_quit);
	file = mem_str(b.s.view.leaving.file);
	CHECK(state_leave_key(&b.s, "l"));
	control_carry_out(&b.c);
	CHECK(leaves(&b) && state_running(&b.s));
	CHECK(rows_in(file) >= 3);
	bed_close(&b); /* as hecate ends */
	CHECK(kill(pid, 0) == 0);
	kill(pid, SIGKILL);
	free(file);

	test_label("x ends it");
	bed_open(&b);
	write_file("./long", "#!/bin/sh\necho $$ >part; mv part pid\nexec sleep 1000\n");
	run_command(&b, "./long");
	bed_until(&b, has_pid);
	pid = pid_in_file();
	state_act(&b.s, ACTION_quit);
	CHECK(state_leave_key(&b.s, "x"));
	control_carry_out(&b.c);
	bed_close(&b);
	CHECK(kill(pid, 0) != 0);
}

/* --- opening something else --------------------------------------------------------------------------------------- */

static void
opening_another_asks(void)
{
	struct bed b;
	char *file;
	size_t rows;

	bed_open(&b);
	run_command(&b, "sleep 1000");
	open_name(&b, "stall-sources", OPEN_ASK_COMMAND);
	CHECK_INT(b.s.view.popup.kind, POPUP_LEAVE);
	CHECK(state_running(&b.s));
	state_act(&b.s, ACTION_back);
	bed_turn(&b);
	CHECK(state_running(&b.s));
	open_name(&b, "stall-sources", OPEN_ASK_COMMAND);
	file = mem_str(b.s.view.leaving.file);
	CHECK(state_leave_key(&b.s, "s"));
	bed_until(&b, asks_for_command);
	CHECK(!b.s.data.saved.in && !b.s.data.n_runs);
	CHECK((rows = rows_in(file)) >= 3);
	free(file);
	state_prompt_key(&b.s, PROMPT_ESCAPE);
	open_name(&b, "linux-page-faults", OPEN_ONLY); /* nothing is lost now */
	CHECK(b.s.question.model != NULL);
	bed_close(&b);

	test_label("runs open beside what is open");
	bed_open(&b);
	run_command(&b, "sleep 1000");
	open_name(&b, "static-benchmark", OPEN_RUNS);
	CHECK_INT(b.s.view.popup.kind, POPUP_NONE);
	CHECK(state_running(&b.s) && b.s.data.repeated);
	bed_close(&b);
}

TEST_MAIN(CASE(what_is_only_looked_at), CASE(a_live_run_is_saved), CASE(a_live_run_is_not_saved),
	CASE(runs_of_two_ways_are_kept), CASE(what_is_in_a_file), CASE(a_file_that_has_gone),
	CASE(a_file_that_is_locked), CASE(a_save_that_fails), CASE(searches_notes_and_curves),
	CASE(esc_asks_before_it_stops), CASE(commands_that_do_not_end),
	CASE(a_command_that_goes_on), CASE(opening_another_asks))
