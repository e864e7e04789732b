/* The answer first, on cells: what a run answers in header and status line, tasks that only slept, and what is old. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "draw/cell.h"
#include "draw/view/view.h"
#include "explorer/state/state_answers.h"
#include "explorer/state/state_stalls.h"
#include "explorer/state/state_timeline.h"
#include "parsed.h"
#include "stage.h"
#include "test.h"
#include "text/diag.h"
#include "work/files/texts.h"
#include "work/timeline/timeline.h"

/* Three windows of a second: two compilers that wait for CPUs, make, and three tasks that only slept. In the last
 * window only make runs. */
static struct obs_table *
made_run(void)
{
	static const char *const column[] = {"stall:elapsed", "stall:run", "stall:wait", "stall:off"};
	static const char *const name[] = {"sh-1", "cc1-2", "cc1-3", "make-4", "gcc-5", "gcc-6"};
	struct obs_table *table = obs_table_new(column, 4);

	for (size_t i = 0; i < 6; i++) {
		struct obs *obs = obs_table_add(table, name[i], "make");

		for (int w = 1; w <= 3; w++) {
			bool compiles = (i == 1 || i == 2) && w < 3;
			int64_t ms = 1000000, run = compiles ? 300 : i == 3 ? (w == 3 ? 900 : 20) : 1,
				wait = compiles ? 700 : 0;

			obs_add_row(obs,
				(const int64_t[]){1000 * ms, run * ms, wait * ms, (1000 - run - wait) * ms}, NULL, w);
		}
	}
	return table;
}

static void
open_run_of(struct state *s, struct stack *stack, struct obs_table *table)
{
	struct text none = {0}, text = {0};
	struct err e = {0};

	CHECK(text_load("stall-sources", TEXT_STACK, &text, &e));
	state_init(s);
	stage_machine(&s->data.machine);
	s->view.frame.program = "hecate 0.0";
	state_open_timeline(s, NULL, &none, stack, &text);
	s->data.table = mem_new_array(1, sizeof *s->data.table);
	s->data.table[s->data.n_tables++] = table;
	s->data.name = mem_str("make");
	state_timeline_follow(s);
}

static void
open_run(struct state *s, struct obs_table *table)
{
	struct text text = {0};
	struct diags d = {0};
	struct err e = {0};

	CHECK(text_load("stall-sources", TEXT_STACK, &text, &e));
	open_run_of(s, text_stack(&text, &d), table);
	text_free(&text);
	diags_free(&d);
}

/* A row of the screen as text; -2: the status line. The caller frees. */
static char *
row_of(struct state *s, int w, int h, int row)
{
	struct grid *g = grid_new(w, h, false);
	struct drawn d;
	char *text, *at, *end;

	draw_screen(s, g, &d);
	text = stage_text(g);
	at = text;
	for (int i = 0; i < (row < 0 ? h + row : row); i++)
		at = strchr(at, '\n') + 1;
	end = strchr(at, '\n');
	at = mem_strn(at, (size_t)(end - at));
	free(text);
	grid_free(g);
	return at;
}

static void
shows_anywhere(struct state *s, const char *words, bool wanted)
{
	bool there = false;

	for (int i = 0; i < 40; i++) {
		char *text = row_of(s, 120, 40, i);

		there |= strstr(text, words) != NULL;
		free(text);
	}
	test_check(there == wanted, __FILE__, __LINE__, "'%s' %s", words, wanted ? "is missing" : "is there");
}

static void
shows(struct state *s, int row, const char *words, bool wanted)
{
	char *text = row_of(s, 120, 40, row);

	test_check((strstr(text, words) != NULL) == wanted, __FILE__, __LINE__, "'%s' %s: %s", words,
		wanted ? "is missing" : "is there", text);
	free(text);
}

/* Parts that are 0 in the whole run have one row together; one that is not 0 in another snapshot has its own. */
static void
zeros_fold(void)
{
	static const char *const column[] = {"all", "a", "b", "c", "d", "e"};
	static const int64_t row[2][6] = {{100, 60, 0, 0, 0, 0}, {100, 50, 7, 0, 0, 0}};
	struct obs_table *table = obs_table_new(column, 6);
	struct obs *obs = obs_table_add(table, "cc1", "test");
	struct state s;
	size_t n;

	obs_add_row(obs, row[0], NULL, 1);
	obs_add_row(obs, row[1], NULL, 2);
	open_run_of(&s,
		parsed_stack("z.stack",
			"stack z per task; counter w = source \"all\" per task unit ns; "
			"counter a = source \"a\" per task unit ns; counter b = source \"b\" per task unit ns; "
			"counter c = source \"c\" per task unit ns; "
			"counter d = source \"d\" per task unit ns; counter e = source \"e\" per task unit ns; "
			"whole all = w; part first key \"1\" = a; part second key \"2\" = b; part third key \"3\" = c; "
			"part fourth key \"4\" = d; part fifth key \"5\" = e; rest other key \"o\";"),
		table);
	state_act(&s, ACTION_stalls);
	state_act(&s, ACTION_snapshot_back);
	stage_show(&s, 120, 40);
	CHECK_INT(state_zero_parts(&s), 3);
	free(state_part_rows(&s, &n));
	CHECK_INT(n, 3); /* first, second, which is 0 in this snapshot, and other */
	shows_anywhere(&s, "3 others: 0", true);
	shows_anywhere(&s, "fourth", false);
	s.view.focus = PANE_COMPONENTS;
	state_act(&s, ACTION_fold_all);
	free(state_part_rows(&s, &n));
	CHECK_INT(n, 6);
	shows_anywhere(&s, "others: 0", false);
	shows_anywhere(&s, "fourth", true);
	state_act(&s, ACTION_fold_all);
	free(state_part_rows(&s, &n));
	CHECK_INT(n, 3);
	stage_close(&s);
}

static void
whole_run_after_its_end(void)
{
	struct state s;

	open_run(&s, made_run());
	shows(&s, 0, "snapshot 3 of 3", true);
	shows(&s, -2, "make ran 100.0 % of the time", true);
	state_timeline_ended(&s);
	CHECK(s.view.timeline.whole);
	shows(&s, 0, "cc1 waits for a CPU 70.0 %", true);
	shows(&s, -2, "make, 3.0 s: cc1 (2 of them) waited 70.0 % of the time for a CPU", true);
	shows(&s, 2, "whole run", true);
	state_timeline_began(&s);
	CHECK(!s.view.timeline.whole);
	/* a snapshot that the user froze stays */
	s.view.timeline.frozen = true;
	state_timeline_ended(&s);
	CHECK(!s.view.timeline.whole);
	s.view.timeline.frozen = false;
	/* z chose the whole run: the next run does not take that back */
	stage_press(&s, ACTION_whole_run, 1);
	state_timeline_ended(&s);
	state_timeline_began(&s);
	CHECK(s.view.timeline.whole);
	state_free(&s);
}

/* Neither line names sleep in any window, and at any size. */
static void
header_never_names_sleep(void)
{
	struct state s;

	open_run(&s, made_run());
	for (size_t i = 0; i < 4; i++) {
		state_timeline_show_snapshots(&s, i < 3 ? i : 2, (size_t)-1);
		s.view.timeline.whole = i == 3;
		for (int w = 40; w <= 200; w += 40) {
			char *head = row_of(&s, w, 24, 0), *status = row_of(&s, w, 24, -2);

			CHECK(!strstr(head, "sle") && !strstr(status, "sle"));
			free(head);
			free(status);
		}
	}
	state_free(&s);
}

static void
sleepers_are_folded(void)
{
	struct state s;
	const size_t *order;
	size_t n;

	open_run(&s, made_run());
	state_timeline_ended(&s);
	order = state_bars(&s, &n);
	CHECK_INT(n, 4);
	CHECK_STR(s.answers.timeline.bars->bar[order[2]].name, "make-4"); /* the busiest are first */
	CHECK_INT(order[3], BAR_SLEEPERS);
	CHECK_INT(state_sleepers(&s), 3);
	CHECK(!state_on_sleepers(&s) && state_bar(&s));
	stage_show(&s, 120, 40);
	stage_press(&s, ACTION_down, 3);
	CHECK(state_on_sleepers(&s) && !state_bar(&s));
	stage_press(&s, ACTION_component, 1);
	state_bars(&s, &n);
	CHECK_INT(n, 7);
	CHECK(s.view.popup.kind == POPUP_NONE);
	stage_press(&s, ACTION_down, 1);
	CHECK(state_bar(&s) != NULL);
	stage_press(&s, ACTION_up, 1);
	stage_press(&s, ACTION_component, 1);
	state_bars(&s, &n);
	CHECK_INT(n, 4);
	/* a filter looks at all of them */
	s.view.filter[VIEW_STALLS] = mem_str("gcc");
	state_bars(&s, &n);
	CHECK_INT(n, 2);
	state_free(&s);
}

/* Counts the cells below a pane's title that look new: neither dim nor frame, or bold. */
static int
count_new(struct grid *g, struct rect r)
{
	int n = 0;

	for (int y = r.y + 1; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++) {
			const struct cell *c = grid_at(g, x, y);

			n += c && c->cp != ' ' && (c->attr & CELL_BOLD || (c->fg != ROLE_DIM && c->fg != ROLE_FRAME));
		}
	return n;
}

/* In each pane that answers by a result, something looks new while that is current, and nothing when it is old. */
static void
old_panes_are_dim(void)
{
	static const enum action view[] = {ACTION_models, ACTION_constraints, ACTION_observations, ACTION_geometry};
	struct state s;
	struct drawn d;
	struct grid *g = grid_new(200, 60, false);
	int seen = 0;

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	stage_search(&s, SEARCH_AUTO);
	for (size_t v = 0; v < 4; v++) {
		struct fset on = s.question.on;

		state_act(&s, view[v]);
		stage_show(&s, 200, 60);
		stage_answer(&s);
		for (int old = 0; old < 2; old++) {
			if (old) {
				fset_put(&s.question.on, 0, !fset_has(&s.question.on, 0));
				s.answers.stamp.data++;
			}
			draw_screen(&s, g, &d);
			for (int i = 0; i < d.n_hits; i++) {
				enum pane_id pane = (enum pane_id)d.hit[i].pane;

				if (d.hit[i].kind != HIT_PANE || pane == PANE_FEATURES || pane == PANE_TREE ||
					pane == PANE_SAMPLES)
					continue;
				test_label("pane %d, old %d", (int)pane, old);
				CHECK_INT(state_pane_is_old(&s, pane), old);
				CHECK((count_new(g, d.hit[i].r) == 0) == (old == 1));
				seen += old;
			}
		}
		s.question.on = on;
		s.answers.stamp.data--;
	}
	test_label(" ");
	CHECK(seen >= 10);
	grid_free(g);
	stage_close(&s);
}

TEST_MAIN(CASE(zeros_fold), CASE(whole_run_after_its_end), CASE(header_never_names_sleep), CASE(sleepers_are_folded),
	CASE(old_panes_are_dim))
