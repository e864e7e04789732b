/* Hands: the cursor follows the thing that it is on while lists change; keys and clicks act on what was drawn; find and
 * filter act with each letter; the wheel, separators, and clicks outside. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/random.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/stack/account.h"
#include "draw/view/view.h"
#include "draw/view/view_table.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_cursor.h"
#include "explorer/state/state_follow.h"
#include "explorer/state/state_rows.h"
#include "explorer/state/state_stalls.h"
#include "explorer/state/state_views.h"
#include "open_session.h"
#include "test.h"
#include "ui/input.h"
#include "ui/term.h"
#include "work/analysis/analysis.h"
#include "work/timeline/timeline.h"

enum { TASKS = 200 };

static const char model_text[] =
	"model m; feature a \"first: of two\"; feature b \"second\";\n"
	"path p { count x; switch (K) { case One: count one; case Two: switch (L) { case Deep: count deep; case "
	"Shallow: } } }\n";

/* --- made data ---------------------------------------------------------------------------------------------------- */

/* The bars of the tasks whose bit is set, largest first, as a snapshot has them. */
static void
set_bars(struct state *s, const bool *there, const double *amount)
{
	struct timeline_answers *t = &s->answers.timeline;
	struct timeline_bars *bars = mem_new(sizeof *bars);

	timeline_bars_free(t->bars);
	free(t->by);
	bars->bar = mem_new_array(TASKS, sizeof *bars->bar);
	for (size_t i = 0; i < TASKS; i++)
		if (there[i]) {
			struct timeline_bar *bar = &bars->bar[bars->n++];

			bar->name = str_format("task-%zu", i);
			bar->account = mem_new(sizeof *bar->account);
			bar->account->whole = amount[i];
		}
	t->by = mem_new(sizeof *t->by);
	t->by[0] = t->bars = bars;
	state_shown_changed(s);
}

static void
random_bars(struct state *s, uint64_t *random, bool *there)
{
	double amount[TASKS];

	for (size_t i = 0; i < TASKS; i++) {
		there[i] = random_below(random, 3) > 0;
		amount[i] = (double)random_below(random, 1000);
	}
	set_bars(s, there, amount);
}

static void
open_bars(struct state *s)
{
	open_session_with(s, model_text);
	s->view.current = VIEW_STALLS;
	s->view.focus = PANE_BARS;
}

static void
close_bars(struct state *s)
{
	timeline_bars_free(s->answers.timeline.bars);
	free(s->answers.timeline.by);
	s->answers.timeline.bars = NULL;
	s->answers.timeline.by = NULL;
	state_free(s);
}

static const char *
under_cursor(const struct state *s)
{
	return state_bar(s) ? state_bar(s)->name : "";
}

/* Three observations, named by `name`, in this order. */
static void
take_result_of(struct state *s, const char *const *name, size_t n)
{
	static const char *const column[] = {"x", "one", "deep"};
	struct obs_table *t = obs_table_new(column, 3);
	struct analysis *a = analysis_new(s->question.model, &s->question.how);

	for (size_t i = 0; i < n; i++) {
		struct obs *o = obs_table_add(t, name[i], "test");
		int64_t k = name[i][0] - 'a' + 1; /* its own counts */

		o->exact = true;
		obs_add_row(o, (int64_t[]){5 * k, k % 2 ? 9 * k : 6 * k, k}, NULL, 0);
	}
	analysis_set_table(a, 0, t);
	state_take_result(s, analysis_run(a, &s->question.on, NULL));
	analysis_free(a);
}

static void
press(struct state *s, const struct drawn *d, int key)
{
	input_take(s, d, &(struct term_event){.key = key});
}

static void
mouse(struct state *s, const struct drawn *d, int button, int x, int y)
{
	input_take(s, d, &(struct term_event){.key = TK_MOUSE, .button = button, .x = x, .y = y});
}

/* Draws as the loop does. `d` must outlive the state's use of its layout. */
static void
draw(struct state *s, struct grid *g, struct drawn *d)
{
	struct drawn drawn;

	state_follow(s);
	draw_screen(s, g, &drawn);
	*d = drawn;
	s->layout = &d->layout;
	state_seen(s);
}

static void
type(struct state *s, const char *text)
{
	for (; *text; text++)
		state_input(s, (unsigned char)*text);
}

/* --- the cursor follows the thing --------------------------------------------------------------------------------- */

static void
two_hundred_tasks_come_and_go(void)
{
	struct state s;
	uint64_t random = 25;
	bool there[TASKS];
	unsigned chosen, gone = 0;

	open_bars(&s);
	memset(there, true, sizeof there);
	set_bars(&s, there, (double[TASKS]){0});
	for (int i = 0; i < 70; i++)
		state_act(&s, ACTION_down);
	CHECK(sscanf(under_cursor(&s), "task-%u", &chosen) == 1);
	for (int round = 0; round < 500; round++) {
		random_bars(&s, &random, there);
		state_follow(&s); /* before each drawing */
		state_seen(&s);
		gone += !there[chosen];
		if (there[chosen]) {
			char *name = str_format("task-%u", chosen);

			CHECK_STR(under_cursor(&s), name);
			free(name);
		} else {
			CHECK(s.view.cursor[PANE_BARS] >= 0);
			CHECK(state_bar(&s) != NULL);
		}
		CHECK(state_shown_holds(&s));
	}
	CHECK(gone > 100 && gone < 250);
	close_bars(&s);
}

/* Until the user moves it, the cursor is on the first, whichever that is. */
static void
the_first_row_stays_first(void)
{
	struct state s;
	uint64_t random = 3;
	bool there[TASKS];

	open_bars(&s);
	for (int round = 0; round < 20; round++) {
		random_bars(&s, &random, there);
		state_follow(&s);
		CHECK_INT(s.view.cursor[PANE_BARS], 0);
	}
	close_bars(&s);
}

/* For two seconds after a move those that stay keep their order, and new ones come after them; then all are sorted. */
static void
no_sorting_under_a_moving_cursor(void)
{
	struct state s;
	bool there[TASKS] = {[1] = true, [2] = true, [3] = true, [4] = true};
	double amount[TASKS] = {0, 40, 30, 20, 10, 99};
	const size_t *row;
	size_t n;

	open_bars(&s);
	set_bars(&s, there, amount);
	state_set_time(&s, 100);
	state_act(&s, ACTION_down);
	CHECK_STR(under_cursor(&s), "task-2");
	there[3] = false;
	there[5] = true;
	amount[4] = 80;
	state_set_time(&s, 101.9);
	set_bars(&s, there, amount); /* by size it would be 5 4 1 2 */
	state_follow(&s);
	row = state_bars(&s, &n);
	if (CHECK_INT(n, 4)) {
		CHECK_STR(s.answers.timeline.bars->bar[row[0]].name, "task-1");
		CHECK_STR(s.answers.timeline.bars->bar[row[1]].name, "task-2");
		CHECK_STR(s.answers.timeline.bars->bar[row[2]].name, "task-4");
		CHECK_STR(s.answers.timeline.bars->bar[row[3]].name, "task-5");
	}
	CHECK_STR(under_cursor(&s), "task-2");
	CHECK(state_shown_settles(&s) == 102);
	state_set_time(&s, 102);
	state_follow(&s);
	row = state_bars(&s, &n);
	CHECK_STR(s.answers.timeline.bars->bar[row[0]].name, "task-5");
	CHECK_STR(s.answers.timeline.bars->bar[row[1]].name, "task-4");
	CHECK_STR(under_cursor(&s), "task-2");
	CHECK(isinf(state_shown_settles(&s)));
	state_set_time(&s, 102.5);
	state_act(&s, ACTION_down);
	state_act(&s, ACTION_sort); /* what the user asks for is done at once */
	row = state_bars(&s, &n);
	CHECK_STR(s.answers.timeline.bars->bar[row[0]].name, "task-1");
	close_bars(&s);
}

static void
keys_act_on_what_was_drawn(void)
{
	struct state s;
	struct drawn d = {0};
	bool there[TASKS] = {[1] = true, [2] = true, [3] = true};

	open_bars(&s);
	d.layout = *shown_layout(&s);
	set_bars(&s, there, (double[]){0, 30, 20, 10});
	state_follow(&s);
	state_seen(&s); /* task-1 is drawn under the cursor, which the user has not moved */
	set_bars(&s, there, (double[]){0, 1, 20, 10});
	press(&s, &d, '\r');
	CHECK_STR(under_cursor(&s), "task-1");
	s.view.popup.kind = POPUP_NONE;
	state_seen(&s);
	there[1] = false;
	set_bars(&s, there, (double[]){0, 1, 20, 10});
	press(&s, &d, '\r'); /* gone between the drawing and the key */
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	CHECK(strstr(s.view.message.text, "gone") != NULL);
	close_bars(&s);
}

static void
clicks_act_on_what_was_drawn(void)
{
	struct state s;
	struct drawn d = {.n_hits = 1};
	bool there[TASKS] = {[1] = true, [2] = true, [3] = true};

	open_bars(&s);
	d.layout = *shown_layout(&s);
	set_bars(&s, there, (double[]){0, 30, 20, 10});
	d.hit[0] = (struct hit){.r = {0, 5, 80, 1}, .kind = HIT_ROW, .pane = PANE_BARS, .row = 1,
		.thing = state_thing(&s, PANE_BARS, 1)};
	set_bars(&s, there, (double[]){0, 30, 2, 10});
	mouse(&s, &d, MOUSE_PRESS, 4, 5);
	CHECK_STR(under_cursor(&s), "task-2");
	CHECK_INT(s.view.cursor[PANE_BARS], 2);
	there[2] = false;
	set_bars(&s, there, (double[]){0, 30, 2, 10});
	mouse(&s, &d, MOUSE_PRESS, 4, 5);
	CHECK(strstr(s.view.message.text, "gone") != NULL);
	close_bars(&s);
}

/* Observations come, go and change places; the one that the user chose stays selected, or else the cursor its place. */
static void
observations_keep_the_cursor(void)
{
	static const char *const first[] = {"a", "b", "c", "d"}, *const later[] = {"d", "e", "b", "f", "a", "c"},
		*const without[] = {"d", "a", "c"};
	struct state s;

	open_session_with(&s, model_text);
	take_result_of(&s, first, 4);
	state_act(&s, ACTION_observations);
	state_act(&s, ACTION_down);
	while (!str_eq(state_finding(&s)->name, "b"))
		state_act(&s, ACTION_down);
	take_result_of(&s, later, 6);
	CHECK_STR(state_finding(&s)->name, "b");
	take_result_of(&s, without, 3);
	CHECK(state_finding(&s) != NULL);
	state_free(&s);
}

static void
constraints_keep_the_cursor(void)
{
	static const char *const first[] = {"a", "b", "c", "d"}, *const second[] = {"b", "d"};
	struct state s;
	char *text;
	size_t n;

	open_session_with(&s, model_text);
	take_result_of(&s, first, 4);
	state_act(&s, ACTION_constraints);
	state_act(&s, ACTION_last);
	text = mem_str(state_constraint(&s)->c->text);
	take_result_of(&s, second, 2); /* other breaches, another order */
	CHECK_STR(state_constraint(&s)->c->text, text);
	state_constraints(&s, &n);
	CHECK(n > 1);
	free(text);
	state_free(&s);
}

/* --- find and filter ---------------------------------------------------------------------------------------------- */

static void
find_acts_with_each_letter(void)
{
	static const char *const name[] = {"apple", "banana", "bandit", "cherry"};
	struct state s;
	struct rows_found found;

	open_session_with(&s, model_text);
	take_result_of(&s, name, 4);
	state_act(&s, ACTION_observations);
	state_set_filter(&s, "");
	state_sort_by(&s, OBSERVATIONS_BY_NAME);
	state_act(&s, ACTION_first);
	CHECK_STR(state_finding(&s)->name, "apple");
	state_act(&s, ACTION_find);
	CHECK(state_prompt_is_line(&s));
	type(&s, "BAN");
	CHECK_STR(state_finding(&s)->name, "banana");
	found = state_rows_found(&s, "BAN");
	CHECK_INT(found.n, 2);
	CHECK_INT(found.at, 1);
	type(&s, "d");
	CHECK_STR(state_finding(&s)->name, "bandit");
	type(&s, "x"); /* nothing: back where it began */
	CHECK_STR(state_finding(&s)->name, "apple");
	CHECK_INT(state_rows_found(&s, "bandx").n, 0);
	state_prompt_key(&s, PROMPT_ERASE);
	CHECK_STR(state_finding(&s)->name, "bandit");
	state_prompt_key(&s, PROMPT_ESCAPE);
	CHECK_STR(state_finding(&s)->name, "apple");
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	state_act(&s, ACTION_find);
	type(&s, "ban");
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK_STR(state_finding(&s)->name, "banana");
	CHECK_STR(s.view.find, "ban");
	state_act(&s, ACTION_find_next);
	CHECK_STR(state_finding(&s)->name, "bandit");
	state_act(&s, ACTION_find); /* earlier ones come back */
	state_prompt_key(&s, PROMPT_UP);
	CHECK_STR(str_text(&s.view.prompt.input), "ban");
	state_prompt_key(&s, PROMPT_DOWN);
	CHECK_STR(str_text(&s.view.prompt.input), "");
	state_prompt_key(&s, PROMPT_ESCAPE);
	state_free(&s);
}

static void
filter_acts_with_each_letter(void)
{
	static const char *const name[] = {"apple", "banana", "bandit", "cherry"};
	struct state s;
	struct rows_found left;

	open_session_with(&s, model_text);
	take_result_of(&s, name, 4);
	state_act(&s, ACTION_observations);
	state_sort_by(&s, OBSERVATIONS_BY_NAME);
	state_act(&s, ACTION_last);
	CHECK_STR(state_finding(&s)->name, "cherry");
	state_act(&s, ACTION_filter);
	type(&s, "an");
	left = state_rows_left(&s);
	CHECK_INT(left.at, 2);
	CHECK_INT(left.n, 4);
	CHECK_STR(state_finding(&s)->name, "banana");
	type(&s, "q");
	CHECK_INT(state_rows_left(&s).at, 0);
	state_prompt_key(&s, PROMPT_ESCAPE);
	CHECK(!s.view.filter[VIEW_OBSERVATIONS]);
	CHECK_INT(state_rows_left(&s).at, 4);
	CHECK_STR(state_finding(&s)->name, "cherry");
	CHECK_STR(s.view.message.text, "");
	state_act(&s, ACTION_filter);
	type(&s, "ban");
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK_STR(s.view.filter[VIEW_OBSERVATIONS], "ban");
	state_act(&s, ACTION_filter); /* the filter is proposed: the first letter replaces it, Esc brings it back */
	type(&s, "c");
	CHECK_STR(s.view.filter[VIEW_OBSERVATIONS], "c");
	state_prompt_key(&s, PROMPT_ESCAPE);
	CHECK_STR(s.view.filter[VIEW_OBSERVATIONS], "ban");
	state_free(&s);
}

static void
a_filter_keeps_the_bar(void)
{
	static bool there[TASKS];
	double amount[TASKS];
	struct state s;

	for (int i = 0; i < TASKS; i++) {
		there[i] = i < 9;
		amount[i] = 100 - i;
	}
	open_bars(&s);
	set_bars(&s, there, amount);
	state_follow(&s);
	state_act(&s, ACTION_down);
	state_act(&s, ACTION_down);
	CHECK_STR(under_cursor(&s), "task-2");
	state_act(&s, ACTION_filter);
	type(&s, "task");
	CHECK_STR(under_cursor(&s), "task-2");
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK_STR(under_cursor(&s), "task-2");
	close_bars(&s);
}

static void
the_tree_folds_again_after_esc(void)
{
	struct state s;
	size_t before;

	open_session_with(&s, model_text);
	s.view.focus = PANE_TREE;
	state_act(&s, ACTION_fold); /* the root */
	before = state_count_shown(&s, &shown_tree);
	state_act(&s, ACTION_find);
	type(&s, "deep");
	CHECK(state_count_shown(&s, &shown_tree) > before);
	CHECK(state_rows_found(&s, "deep").at > 0);
	state_prompt_key(&s, PROMPT_ESCAPE);
	CHECK_INT(state_count_shown(&s, &shown_tree), before);
	CHECK_INT(s.view.cursor[PANE_TREE], 0);
	state_free(&s);
}

static void
lines_are_edited(void)
{
	struct state s;

	open_session_with(&s, model_text);
	state_open_prompt(&s, PROMPT_COMMAND, "sleep 5");
	CHECK(s.view.prompt.proposed);
	type(&s, "ls"); /* in place of what was proposed */
	CHECK_STR(str_text(&s.view.prompt.input), "ls");
	state_open_prompt(&s, PROMPT_COMMAND, "sleep 5");
	state_prompt_key(&s, PROMPT_LEFT); /* edits it */
	type(&s, "1\xb5");
	CHECK_STR(str_text(&s.view.prompt.input), "sleep 1\xc2\xb5" "5");
	state_prompt_key(&s, PROMPT_ERASE);
	state_prompt_key(&s, PROMPT_DELETE);
	CHECK_STR(str_text(&s.view.prompt.input), "sleep 1");
	state_prompt_key(&s, PROMPT_HOME);
	state_prompt_key(&s, PROMPT_RIGHT);
	type(&s, "x");
	CHECK_STR(str_text(&s.view.prompt.input), "sxleep 1");
	state_prompt_key(&s, PROMPT_END);
	state_prompt_key(&s, PROMPT_ERASE_WORD);
	CHECK_STR(str_text(&s.view.prompt.input), "sxleep ");
	state_prompt_key(&s, PROMPT_CLEAR);
	state_prompt_key(&s, PROMPT_ERASE);
	state_prompt_key(&s, PROMPT_LEFT);
	CHECK_STR(str_text(&s.view.prompt.input), "");
	state_open_prompt(&s, PROMPT_COMMAND, "sleep 5");
	state_prompt_key(&s, PROMPT_ERASE);
	CHECK_STR(str_text(&s.view.prompt.input), "");
	state_free(&s);
}

static void
a_paste_is_never_keys(void)
{
	struct state s;
	struct drawn d = {0};

	open_session_with(&s, model_text);
	d.layout = *shown_layout(&s);
	press(&s, &d, TK_PASTE);
	for (const char *p = "qqq\rR"; *p; p++)
		press(&s, &d, *p);
	press(&s, &d, TK_PASTE_END);
	CHECK(!requests_find(&s.requests, REQUEST_QUIT) && !requests_find(&s.requests, REQUEST_RUN));
	state_act(&s, ACTION_find);
	press(&s, &d, TK_PASTE);
	for (size_t i = 0; i < (size_t)1 << 20; i++)
		press(&s, &d, i % 80 ? 'x' : '\r');
	press(&s, &d, TK_PASTE_END);
	CHECK_INT(s.view.popup.kind, POPUP_PROMPT);
	CHECK(s.view.prompt.input.n > 0 && s.view.prompt.input.n <= 200);
	state_prompt_key(&s, PROMPT_ESCAPE);
	state_open_prompt(&s, PROMPT_COMMAND, "");
	press(&s, &d, TK_PASTE);
	for (size_t i = 0; i < (size_t)1 << 20; i++)
		press(&s, &d, i % 80 ? 'x' : '\r');
	press(&s, &d, TK_PASTE_END);
	CHECK_INT(s.view.popup.kind, POPUP_PROMPT);
	CHECK(s.view.prompt.input.n > 1000 && !strchr(str_text(&s.view.prompt.input), '\r'));
	press(&s, &d, 'q');
	CHECK_INT(s.view.popup.kind, POPUP_PROMPT);
	state_free(&s);
}

/* --- the mouse ---------------------------------------------------------------------------------------------------- */

static struct rect
rect_of(const struct drawn *d, enum pane_id pane)
{
	const struct pane *p = panes_find(&d->panes, (int)pane);

	CHECK(p != NULL);
	return p ? p->r : (struct rect){0};
}

static void
open_screen(struct state *s, struct grid *g, struct drawn *d)
{
	static const char *const name[] = {"apple", "banana", "bandit", "cherry"};

	open_session_with(s, model_text);
	s->column = view_column;
	take_result_of(s, name, 4);
	draw(s, g, d);
}

static void
the_wheel_moves_what_is_under_it(void)
{
	struct grid *g = grid_new(120, 40, false);
	struct drawn d;
	struct state s;
	struct rect r;
	size_t before;

	open_screen(&s, g, &d);
	CHECK_INT(s.view.focus, PANE_FEATURES);
	r = rect_of(&d, PANE_OBSERVATIONS);
	state_choose(&s, PANE_OBSERVATIONS, 1);
	before = s.view.selected;
	mouse(&s, &d, MOUSE_WHEEL_DOWN, r.x + 3, r.y + 2);
	CHECK_INT(s.view.selected, before + 1);
	CHECK_INT(s.view.focus, PANE_FEATURES);
	CHECK_INT(s.view.cursor[PANE_FEATURES], 0);
	mouse(&s, &d, MOUSE_WHEEL_UP, r.x + 3, r.y + 2);
	mouse(&s, &d, MOUSE_WHEEL_UP, r.x + 3, r.y + 2);
	mouse(&s, &d, MOUSE_WHEEL_UP, r.x + 3, r.y + 2);
	CHECK_INT(s.view.selected, 0);
	r = rect_of(&d, PANE_FEATURES);
	mouse(&s, &d, MOUSE_WHEEL_DOWN, r.x + 3, r.y + 2);
	CHECK_INT(s.view.cursor[PANE_FEATURES], 1);
	state_free(&s);
	grid_free(g);
}

static void
a_click_outside_closes(void)
{
	struct grid *g = grid_new(120, 40, false);
	struct drawn d;
	struct state s;

	open_screen(&s, g, &d);
	state_open_popup(&s, POPUP_HELP); /* takes the whole screen */
	draw(&s, g, &d);
	mouse(&s, &d, MOUSE_PRESS, 0, 5);
	CHECK_INT(s.view.popup.kind, POPUP_HELP);
	state_open_popup(&s, POPUP_WRITE);
	draw(&s, g, &d);
	CHECK(d.popup.w > 0 && d.popup.x > 0);
	mouse(&s, &d, MOUSE_PRESS, d.popup.x + 1, d.popup.y + 1);
	CHECK_INT(s.view.popup.kind, POPUP_WRITE);
	mouse(&s, &d, MOUSE_PRESS, 0, 5);
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	CHECK_INT(s.view.focus, PANE_FEATURES); /* it only closes */
	state_open_prompt(&s, PROMPT_COMMAND, "ls");
	draw(&s, g, &d);
	mouse(&s, &d, MOUSE_PRESS, 0, 5);
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	CHECK(!requests_find(&s.requests, REQUEST_RUN));
	state_free(&s);
	grid_free(g);
}

/* Clicks on the first place where a row of the screen has these words. */
static void
click_on(struct state *s, const struct grid *g, const struct drawn *d, int row, const char *words)
{
	struct str text = {0};
	const char *line, *at;

	grid_text(g, &text);
	line = str_text(&text);
	for (int i = 0; i < row; i++)
		line = strchr(line, '\n') + 1;
	at = strstr(line, words);
	if (CHECK(at != NULL))
		mouse(s, d, MOUSE_PRESS, (int)(at - line), row);
	str_free(&text);
}

/* Each key of the footer, and each tab, is a button. */
static void
words_are_buttons(void)
{
	struct grid *g = grid_new(120, 40, true);
	struct drawn d;
	struct state s;

	open_screen(&s, g, &d);
	click_on(&s, g, &d, 39, "? help");
	CHECK_INT(s.view.popup.kind, POPUP_HELP);
	state_close_popup(&s);
	draw(&s, g, &d);
	click_on(&s, g, &d, 39, "help");
	CHECK_INT(s.view.popup.kind, POPUP_HELP);
	state_close_popup(&s);
	draw(&s, g, &d);
	for (int i = 0; i < 2; i++) {
		requests_clear(&s.requests);
		click_on(&s, g, &d, 39, i ? "quit" : "q quit");
		CHECK(requests_find(&s.requests, REQUEST_QUIT) != NULL);
		CHECK_INT(s.view.popup.kind, POPUP_NONE);
	}
	click_on(&s, g, &d, 1, "Observations");
	CHECK_INT(s.view.current, VIEW_OBSERVATIONS);
	draw(&s, g, &d);
	click_on(&s, g, &d, 1, "S start");
	CHECK_INT(s.view.current, VIEW_START);
	state_free(&s);
	grid_free(g);
}

/* A click on an answer gives it. Keys that answer nothing say so, and q and a click outside stay. */
static void
the_question_before_leaving(void)
{
	struct grid *g = grid_new(120, 40, false);
	struct drawn d;
	struct state s;

	open_screen(&s, g, &d);
	remarks_put(&s.question.remarks, REMARK_SESSION, "", "a note");
	for (int row = 0; row < 3; row++) { /* s, x, Esc */
		requests_clear(&s.requests);
		press(&s, &d, 'q');
		draw(&s, g, &d);
		CHECK_INT(s.view.popup.kind, POPUP_LEAVE);
		press(&s, &d, 'z');
		CHECK(strstr(s.view.message.text, "z does nothing in this window"));
		mouse(&s, &d, MOUSE_PRESS, d.popup.x + 3, d.popup.y + d.popup.h - 4 + row);
		CHECK(!requests_find(&s.requests, REQUEST_LEAVE) == (row != 0));
		CHECK(!requests_find(&s.requests, REQUEST_QUIT) == (row != 1));
		CHECK(s.view.popup.kind == (row == 0 ? POPUP_LEAVE : POPUP_NONE)); /* s stays until all is saved */
		if (row == 0)
			press(&s, &d, 0x1b);
		CHECK_INT(s.view.popup.kind, POPUP_NONE);
		draw(&s, g, &d);
	}
	requests_clear(&s.requests);
	press(&s, &d, 'q');
	draw(&s, g, &d);
	mouse(&s, &d, MOUSE_PRESS, 0, 5);
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	CHECK(!s.view.leaving.file && !s.requests.n);
	press(&s, &d, 'q');
	press(&s, &d, 'q');
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	press(&s, &d, 'q');
	press(&s, &d, TK_DOWN);
	press(&s, &d, '\r'); /* x is under the cursor */
	CHECK(requests_find(&s.requests, REQUEST_QUIT) != NULL);
	state_free(&s);
	grid_free(g);
}

static void
titles_sort(void)
{
	struct grid *g = grid_new(120, 40, false);
	struct drawn d;
	struct state s;
	unsigned was;
	struct rect r;
	int titles = 0;

	open_screen(&s, g, &d);
	state_act(&s, ACTION_observations);
	draw(&s, g, &d);
	was = state_sort_now(&s);
	r = rect_of(&d, PANE_LIST);
	mouse(&s, &d, MOUSE_PRESS, r.x + r.w - 5, r.y); /* the info at the right: " · by verdict" */
	CHECK(state_sort_now(&s) != was);
	for (int i = 0; i < d.n_hits; i++)
		if (d.hit[i].kind == HIT_TITLE) {
			bool turned;

			mouse(&s, &d, MOUSE_PRESS, d.hit[i].r.x, d.hit[i].r.y);
			was = state_sort_now(&s);
			turned = state_is_reversed(&s);
			mouse(&s, &d, MOUSE_PRESS, d.hit[i].r.x, d.hit[i].r.y);
			CHECK_INT(state_sort_now(&s), was);
			CHECK(state_is_reversed(&s) != turned);
			titles++;
		}
	CHECK(titles > 1);
	state_free(&s);
	grid_free(g);
}

static void
separators_drag(void)
{
	struct grid *g = grid_new(120, 40, false);
	struct drawn d;
	struct state s;
	struct rect was, now;

	open_screen(&s, g, &d);
	was = rect_of(&d, PANE_FEATURES);
	mouse(&s, &d, MOUSE_PRESS, was.x + was.w, was.y + 3);
	mouse(&s, &d, MOUSE_DRAG, was.x + was.w + 7, was.y + 4);
	draw(&s, g, &d);
	now = rect_of(&d, PANE_FEATURES);
	CHECK_INT(now.w, was.w + 7);
	mouse(&s, &d, MOUSE_DRAG, 119, 0); /* no farther than the least size of the others */
	draw(&s, g, &d);
	CHECK(rect_of(&d, PANE_FEATURES).w > was.w + 7);
	CHECK(rect_of(&d, PANE_TREE).w > 1);
	mouse(&s, &d, MOUSE_RELEASE, 119, 0);
	mouse(&s, &d, MOUSE_DRAG, 3, 0); /* no button is pressed */
	now = rect_of(&d, PANE_FEATURES);
	draw(&s, g, &d);
	CHECK_INT(rect_of(&d, PANE_FEATURES).w, now.w);
	mouse(&s, &d, MOUSE_DOUBLE, now.x + now.w, now.y + 3); /* their own sizes again */
	draw(&s, g, &d);
	CHECK_INT(rect_of(&d, PANE_FEATURES).w, was.w);
	now = rect_of(&d, PANE_SEARCH);
	mouse(&s, &d, MOUSE_PRESS, now.x + 20, now.y); /* its title rule */
	CHECK_INT(s.view.focus, PANE_SEARCH);
	mouse(&s, &d, MOUSE_DRAG, now.x + 20, now.y - 3);
	draw(&s, g, &d);
	CHECK_INT(rect_of(&d, PANE_SEARCH).y, now.y - 3);
	state_free(&s);
	grid_free(g);
}

/* The terminal shrinks to a cell, and grows, while a separator is dragged. */
static void
a_terminal_shrinks_in_a_drag(void)
{
	static const int size[][2] = {{120, 40}, {1, 1}, {2, 1}, {40, 10}, {1, 40}, {200, 60}, {120, 1}, {120, 40}};
	struct drawn d;
	struct state s;
	struct grid *g = grid_new(120, 40, false);

	open_screen(&s, g, &d);
	mouse(&s, &d, MOUSE_PRESS, d.panes.pane[0].r.x + d.panes.pane[0].r.w, 5);
	CHECK(s.view.panes.drag.going);
	for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
		grid_free(g);
		g = grid_new(size[i][0], size[i][1], false);
		for (int x = -1; x < 210; x += 7)
			mouse(&s, &d, MOUSE_DRAG, x, x / 4);
		draw(&s, g, &d);
		for (int x = -1; x < 210; x += 7)
			mouse(&s, &d, MOUSE_DRAG, x, x / 4);
		draw(&s, g, &d);
		for (enum pane_id p = 0; p < PANE_COUNT; p++)
			CHECK(s.view.panes.share[p].width >= 0 && s.view.panes.share[p].width <= 1000);
	}
	state_free(&s);
	grid_free(g);
}

TEST_MAIN(CASE(two_hundred_tasks_come_and_go), CASE(the_first_row_stays_first), CASE(no_sorting_under_a_moving_cursor),
	CASE(keys_act_on_what_was_drawn), CASE(clicks_act_on_what_was_drawn), CASE(observations_keep_the_cursor),
	CASE(constraints_keep_the_cursor), CASE(find_acts_with_each_letter), CASE(filter_acts_with_each_letter),
	CASE(a_filter_keeps_the_bar), CASE(the_tree_folds_again_after_esc), CASE(lines_are_edited),
	CASE(a_paste_is_never_keys),
	CASE(the_wheel_moves_what_is_under_it), CASE(a_click_outside_closes), CASE(words_are_buttons),
	CASE(the_question_before_leaving),
	CASE(titles_sort), CASE(separators_drag),
	CASE(a_terminal_shrinks_in_a_drag))
