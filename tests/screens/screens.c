/* The explorer's screens, cell by cell, compared with the files in expect/: no terminal and no clock. HECATE_UPDATE=1
 * writes what is drawn instead of comparing: look at it before you commit it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/udd/fset.h"
#include "draw/cell.h"
#include "draw/view/view.h"
#include "explorer/state/state_leave.h"
#include "stage.h"
#include "stub_run.h"
#include "test.h"

static void
start_screen(void)
{
	struct state s;

	state_init(&s);
	stage_machine(&s.data.machine);
	s.view.frame.program = "hecate 0.0";
	stage_models(&s);
	stage_every_size(&s, "start");
	state_act(&s, ACTION_help);
	stage_compare(&s, "start-help", 80, 24, false);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_last); /* a line that does not fit scrolls into the pane */
	stage_compare(&s, "start-last", 40, 10, false);
	s.data.machine.example = true; /* the README's example works here: the menu and the line below it say so */
	state_act(&s, ACTION_first);
	stage_compare(&s, "start-example", 80, 24, false);
	stage_close(&s);
}

static void
refuted_and_freed(void)
{
	struct state s;

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	stage_answer(&s); /* what relaxes the constraint, ranked */
	stage_every_size(&s, "refuted");
	state_act(&s, ACTION_down);
	state_act(&s, ACTION_down);
	state_act(&s, ACTION_down);
	state_act(&s, ACTION_toggle);
	CHECK(requests_find(&s.requests, REQUEST_RESULT));
	stage_compare(&s, "toggled", 80, 24, false); /* the old answer, dim, until the new one comes */
	stage_compute(&s);
	stage_compare(&s, "freed", 80, 24, false);
	stage_compare(&s, "freed", 120, 40, false);
	state_act(&s, ACTION_pane_next);
	state_act(&s, ACTION_fold_all);
	stage_compare(&s, "tree-folded", 80, 24, false);
	stage_close(&s);
}

/* Data without PGF: the constraint of the README's example is not tested, and the verdict says so. */
static void
a_verdict_names_what_it_did_not_test(void)
{
	struct state s;

	stage_open(&s, "linux-page-faults", NULL, "part.csv", true);
	stage_compute(&s);
	stage_compare(&s, "untested", 80, 24, false);
	stage_close(&s);
}

static void
popups_lie_over_the_view(void)
{
	struct state s;

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	state_act(&s, ACTION_help);
	stage_compare(&s, "help", 80, 24, false);
	stage_compare(&s, "help", 120, 40, false);
	state_act(&s, ACTION_quit);
	CHECK(!requests_find(&s.requests, REQUEST_QUIT));
	state_act(&s, ACTION_doctor);
	stage_compare(&s, "doctor", 80, 24, false);
	state_act(&s, ACTION_back);
	s.question.subject.argv = str_split("gcc,-O2,-c,my file.c", ',', NULL);
	state_act(&s, ACTION_command);
	stage_fit(&s, "page-faults");
	stage_compare(&s, "prompt", 80, 24, false);
	stage_fit(&s, "qqqqqqqq");
	stage_compare(&s, "prompt-refused", 80, 24, false);
	state_prompt_key(&s, PROMPT_ESCAPE);
	state_act(&s, ACTION_palette); /* the same line, of the palette's command */
	for (const char *p = "!gcc -O2 x.c"; *p; p++)
		state_input(&s, (unsigned)*p);
	stage_compare(&s, "palette-command", 80, 24, false);
	state_prompt_key(&s, PROMPT_ESCAPE);
	s.view.focus = PANE_OBSERVATIONS;
	state_act(&s, ACTION_whence);
	stage_compare(&s, "whence", 120, 40, false);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_write);
	stage_compare(&s, "write", 80, 24, false);
	state_act(&s, ACTION_back);
	stage_close(&s);
}

static void
twelve_seconds(const struct run *run, struct run_facts *facts)
{
	(void)run;
	facts->seconds = 12.3;
	facts->label = "make";
}

static void
name_file(struct state *s)
{
	free(s->view.leaving.file);
	s->view.leaving.file = mem_str("make-20260131-120000.hct");
}

/* The questions of q, of Esc in a live run, and before something else is opened. */
static void
what_would_be_lost(void)
{
	struct run_ops ops = stub_run_ops;
	struct stub_run run;
	struct state s;

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	remarks_put(&s.question.remarks, REMARK_FEATURES, "[]", "where it begins");
	remarks_put(&s.question.remarks, REMARK_SESSION, "", "a note");
	stub_run_begin(&run);
	ops.shown = true;
	ops.facts = twelve_seconds;
	run.run.ops = &ops;
	run.run.running = true;
	s.question.subject.argv = str_split("make", ',', NULL);
	state_add_run(&s, &run.run);
	state_set_leader(&s, &run.run);
	state_act(&s, ACTION_stop);
	stage_compare(&s, "stop", 80, 24, false);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_quit);
	name_file(&s);
	stage_every_size(&s, "leave");
	state_leave_failed(&s, "make-20260131-120000.hct: no space is left on the device");
	name_file(&s);
	stage_compare(&s, "leave-failed", 80, 24, false);
	state_act(&s, ACTION_back);
	run.run.running = false;
	state_may_leave(&s, "../models/haswell-mmu.udd", 0);
	name_file(&s);
	stage_compare(&s, "leave-open", 80, 24, false);
	stage_close(&s);
}

/* Notes: in their list, in the lists of their objects, and in the status line, which also shows the age of the file. */
static void
notes_are_seen(void)
{
	struct state s;

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	remarks_take(&s.question.remarks, "1", REMARK_FEATURES, "[]", "where it begins", "2026-01-31T12:00:00Z");
	remarks_take(&s.question.remarks, "2", REMARK_OBSERVATION, s.answers.result->finding[0].name,
		"an escape \x1b[31m and a µ", "2026-01-31T12:01:00Z");
	remarks_take(&s.question.remarks, "3", REMARK_CONSTRAINT, s.answers.constraints->row[s.view.constraint].c->text,
		"the first to break", "2026-01-31T12:02:00Z");
	s.data.saved.in = mem_str("s.hct");
	s.view.frame.now = 100;
	s.data.saved.at = 88;
	state_act(&s, ACTION_notes);
	stage_compare(&s, "notes", 80, 24, false);
	stage_compare(&s, "notes-ascii", 80, 24, true);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_observations);
	s.view.frame.now = 300;
	stage_compare(&s, "noted", 120, 40, false);
	state_act(&s, ACTION_constraints);
	s.data.saved.failed = true;
	stage_compare(&s, "noted-constraint", 80, 24, false);
	state_act(&s, ACTION_find_next);
	stage_compare(&s, "note-prompt", 80, 24, false);
	stage_close(&s);
}

/* True if row y of the screen has these words. */
static bool
row_holds(struct grid *g, int y, const char *words)
{
	struct str text = {0};
	char **line;
	bool there;

	grid_text(g, &text);
	line = str_split(str_text(&text), '\n', NULL);
	there = strstr(line[y], words) != NULL;
	str_split_free(line);
	str_free(&text);
	return there;
}

/* Help that was scrolled on a small screen: on a large one, keys and legend begin at their top, because all fits. */
static void
help_after_a_resize(void)
{
	static const struct { enum action view; const char *legend; } row[] = {
		{ACTION_models, "some mix of µpaths"}, {ACTION_constraints, "some mix of µpaths"},
			{ACTION_geometry, "what the model allows"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct state s;
		struct grid *small = grid_new(80, 24, false), *large = grid_new(120, 40, false),
			    *huge = grid_new(200, 60, false);
		struct drawn d;
		int after, at;

		stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
		stage_compute(&s);
		state_act(&s, row[i].view);
		state_act(&s, ACTION_help);
		for (int k = 0; k < 100; k++) {
			stage_look(&s, small, &d);
			state_act(&s, ACTION_down);
		}
		test_label("%s", row[i].legend);
		draw_screen(&s, huge, &d);
		CHECK(row_holds(huge, 1, "here"));
		draw_screen(&s, large, &d);
		after = d.layout.popup_rows;
		CHECK(after < s.view.popup.cursor);
		CHECK(row_holds(large, 1, "feasible"));
		for (at = 1; at < 30 && !row_holds(large, at, row[i].legend); at++)
			;
		CHECK(at < 30);
		grid_free(small);
		grid_free(large);
		grid_free(huge);
		stage_close(&s);
	}
}

/* The cursor of a list stays where the keys moved it, whatever is drawn in between. */
static void
lists_keep_their_cursor(void)
{
	static const struct {
		enum action open;
		int rows; /* at least */
	} row[] = {{ACTION_variant, 4}, {ACTION_write, 3}, {ACTION_lose, 4}};
	struct grid *g = grid_new(80, 24, false);

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct state s;
		struct drawn d;

		stage_open(&s, "haswell-mmu", NULL, "walks.csv", false);
		stage_compute(&s);
		if (row[i].open == ACTION_lose)
			state_act(&s, ACTION_constraints);
		state_act(&s, row[i].open);
		for (int k = 1; k < row[i].rows; k++) {
			stage_look(&s, g, &d);
			state_act(&s, ACTION_down);
		}
		stage_look(&s, g, &d);
		test_label("%s", action_row(row[i].open)->id);
		CHECK_INT(s.view.popup.cursor, row[i].rows - 1);
		stage_close(&s);
	}
	grid_free(g);
}

/* Text scrolls until its end is visible, and no further. */
static void
text_scrolls_to_its_end(void)
{
	struct state s;
	struct grid *g = grid_new(80, 24, false);
	struct drawn d;
	int at;

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	state_act(&s, ACTION_help);
	for (int i = 0; i < 200; i++) {
		stage_look(&s, g, &d);
		state_act(&s, ACTION_down);
	}
	at = s.view.popup.cursor;
	draw_screen(&s, g, &d);
	CHECK(at > 0);
	CHECK_INT(d.layout.popup_rows, at + 1);
	CHECK(grid_at(g, 1, 22)->cp != ' '); /* the last row of the screen shows the end */
	stage_compare(&s, "help-end", 80, 24, false);
	state_act(&s, ACTION_page_up);
	CHECK(s.view.popup.cursor < at);
	state_act(&s, ACTION_back);
	s.view.focus = PANE_WHY;
	for (int i = 0; i < 200; i++) {
		stage_look(&s, g, &d);
		state_act(&s, ACTION_down);
	}
	CHECK(s.view.cursor[PANE_WHY] < 20);
	grid_free(g);
	stage_close(&s);
}

static void
a_model_without_data(void)
{
	struct state s;

	stage_open(&s, "haswell-mmu", NULL, NULL, true);
	stage_compute(&s);
	stage_every_size(&s, "haswell");
	state_act(&s, ACTION_variant);
	stage_compare(&s, "variants", 80, 24, false);
	for (int i = 0; i < 4; i++)
		state_act(&s, ACTION_down);
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK_INT(fset_count(&s.question.on), 5);
	stage_compute(&s);
	stage_compare(&s, "haswell-m4", 80, 24, false);
	stage_close(&s);
}

/* The tree has a label if it has the label's place; what m4 left out is not in it. */
static void
a_model_in_fdl(void)
{
	struct state s;

	CHECK(chdir(getenv("HECATE_TESTS")) == 0);
	stage_open(&s, "fdl/good/tlb.fdlm4", NULL, "tlb.csv", true);
	stage_compute(&s);
	stage_compare(&s, "fdl", 80, 24, false);
	stage_compare(&s, "fdl", 80, 24, true);
	s.view.focus = PANE_TREE;
	state_act(&s, ACTION_last);
	stage_compare(&s, "fdl-below", 120, 40, false);
	stage_close(&s);
}

static void
colours_say_what_shapes_say(void)
{
	struct state s;
	struct grid *g = grid_new(80, 24, false);
	struct drawn d;
	const struct cell *c;

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	draw_screen(&s, g, &d);
	c = grid_at(g, 78, 0);
	CHECK_INT(c->fg, ROLE_INFEASIBLE);
	c = grid_at(g, 0, 3);
	CHECK_INT(c->bg, ROLE_SELECT);
	CHECK_INT(c->cp, 0x25b8);
	fset_put(&s.question.on, 0, true); /* toggled, without an answer yet */
	draw_screen(&s, g, &d);
	CHECK_INT(grid_at(g, 78, 0)->fg, ROLE_DIM);
	grid_free(g);
	stage_close(&s);
}

/* A cell that differs only in its role, its attributes or its background changes the file. */
static void
a_role_alone_is_noticed(void)
{
	static const struct {
		int fg, bg;
		unsigned char attr;
	} change[] = {{ROLE_FEASIBLE, ROLE_BACKGROUND, CELL_BOLD}, {ROLE_INFEASIBLE, ROLE_BACKGROUND, 0},
		{ROLE_INFEASIBLE, ROLE_BACKGROUND, CELL_BOLD | CELL_UNDERLINE},
		{ROLE_INFEASIBLE, ROLE_SELECT, CELL_BOLD}};
	struct state s;
	struct grid *g = grid_new(80, 24, false);
	struct cell *c = grid_at(g, 78, 0);
	struct drawn d;
	char *before;

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	draw_screen(&s, g, &d);
	before = stage_text(g);
	CHECK_INT(c->fg, ROLE_INFEASIBLE);
	CHECK_INT(c->attr, CELL_BOLD);
	for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
		const struct cell kept = *c;
		char *after;

		c->fg = (unsigned char)change[i].fg;
		c->bg = (unsigned char)change[i].bg;
		c->attr = change[i].attr;
		after = stage_text(g);
		test_label("change %zu", i);
		CHECK(!str_eq(before, after));
		*c = kept;
		free(after);
	}
	free(before);
	grid_free(g);
	stage_close(&s);
}

TEST_MAIN(CASE(start_screen), CASE(refuted_and_freed), CASE(a_verdict_names_what_it_did_not_test),
	CASE(popups_lie_over_the_view), CASE(what_would_be_lost), CASE(notes_are_seen),
	CASE(help_after_a_resize), CASE(lists_keep_their_cursor), CASE(text_scrolls_to_its_end),
	CASE(a_model_without_data), CASE(a_model_in_fdl), CASE(colours_say_what_shapes_say),
	CASE(a_role_alone_is_noticed))
