/* The session: what actions do to it, without a screen. */
#include "app/session/session.h"

#include <stdlib.h>
#include <string.h>

#include "app/judge/geometry.h"
#include "app/judge/loss.h"
#include "app/judge/relax.h"
#include "app/judge/touch.h"
#include "app/session/session_geometry.h"
#include "app/session/session_relax.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/lang/diag.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "core/udd/outline.h"
#include "open_session.h"
#include "test.h"

static const char model_text[] =
	"model m; feature a \"first: of two\"; feature b \"second\" requires a; feature c \"third\" excludes a;\n"
	"variant two { a, b }; variant none { };\n"
	"path p { count x; switch (K) { case One: count one; case Two: switch (L) { case Deep: count deep; case Shallow: } } }\n"
	"path q when b { count y; }\n";

static void
open_session(struct session *s)
{
	open_session_with(s, model_text);
}

static void
a_toggle_keeps_the_rules(void)
{
	struct session s;

	open_session(&s);
	session_act(&s, ACTION_down);
	session_act(&s, ACTION_toggle); /* b without a */
	CHECK(!fset_has(&s.on, 1));
	CHECK(!s.want.engine);
	CHECK(s.message_bad && strstr(s.message, "requires"));
	session_act(&s, ACTION_up);
	session_act(&s, ACTION_toggle);
	CHECK(fset_has(&s.on, 0));
	CHECK(s.want.engine);
	CHECK_STR(s.message, "");
	session_act(&s, ACTION_last);
	CHECK_INT(s.cursor[PANE_FEATURES], 2);
	session_act(&s, ACTION_toggle); /* c excludes a */
	CHECK(!fset_has(&s.on, 2));
	CHECK(s.message_bad);
	session_act(&s, ACTION_down);
	CHECK_INT(s.cursor[PANE_FEATURES], 2);
	session_free(&s);
}

static void
a_variant_is_chosen(void)
{
	struct session s;

	open_session(&s);
	session_act(&s, ACTION_variant);
	CHECK_INT(s.popup, POPUP_VARIANT);
	CHECK_INT(session_scope(&s), IN_POPUP);
	session_prompt_key(&s, PROMPT_ENTER);
	CHECK_INT(s.popup, POPUP_NONE);
	CHECK(fset_has(&s.on, 0) && fset_has(&s.on, 1));
	CHECK(s.want.engine);
	session_free(&s);
}

static void
the_tree_folds_and_is_searched(void)
{
	struct session s;
	size_t n, all, *rows;

	open_session(&s);
	s.focus = s.shown = PANE_TREE;
	free(session_tree_rows(&s, &all));
	CHECK_INT(all, s.outline->n);
	session_act(&s, ACTION_fold); /* the root */
	free(session_tree_rows(&s, &n));
	CHECK(n < all);
	session_act(&s, ACTION_find);
	CHECK_INT(session_scope(&s), 0);
	for (const char *p = "DEEP"; *p; p++)
		session_input(&s, (unsigned)*p);
	session_prompt_key(&s, PROMPT_ENTER);
	rows = session_tree_rows(&s, &n);
	if (CHECK(s.cursor[PANE_TREE] < (int)n))
		CHECK_STR(s.outline->row[rows[s.cursor[PANE_TREE]]].text, "Deep");
	free(rows);
	session_act(&s, ACTION_left); /* a leaf: to the row above it */
	rows = session_tree_rows(&s, &n);
	CHECK(s.outline->row[rows[s.cursor[PANE_TREE]]].below > 0);
	free(rows);
	session_act(&s, ACTION_find);
	session_input(&s, 'z');
	session_prompt_key(&s, PROMPT_ENTER);
	CHECK(s.message_bad && strstr(s.message, "nothing here holds"));
	session_act(&s, ACTION_fold_all);
	free(session_tree_rows(&s, &n));
	CHECK(n < all);
	session_act(&s, ACTION_fold_all);
	free(session_tree_rows(&s, &n));
	CHECK_INT(n, all);
	session_free(&s);
}

static void
a_prompt_takes_characters(void)
{
	struct session s;

	open_session(&s);
	session_act(&s, ACTION_command);
	session_prompt_key(&s, PROMPT_CLEAR);
	session_input(&s, 'a');
	session_input(&s, 0xb5);
	session_input(&s, 0x1b); /* control characters are no text */
	CHECK_STR(str_text(&s.input), "aµ");
	session_prompt_key(&s, PROMPT_ERASE);
	CHECK_STR(str_text(&s.input), "a");
	session_prompt_key(&s, PROMPT_ERASE);
	session_prompt_key(&s, PROMPT_ERASE);
	CHECK_STR(str_text(&s.input), "");
	session_prompt_key(&s, PROMPT_ENTER);
	CHECK(!s.want.command);
	CHECK(s.message_bad);
	session_act(&s, ACTION_command);
	session_prompt_key(&s, PROMPT_CLEAR);
	session_input(&s, 'l');
	session_input(&s, 's');
	session_prompt_key(&s, PROMPT_ENTER);
	CHECK(s.want.command);
	CHECK_STR(s.argv[0], "ls");
	session_act(&s, ACTION_command);
	session_prompt_key(&s, PROMPT_ESCAPE);
	CHECK_INT(s.popup, POPUP_NONE);
	session_free(&s);
}

/* q goes back before it leaves; Tab walks through what is shown. */
static void
back_before_leaving(void)
{
	struct session s;

	open_session(&s);
	session_act(&s, ACTION_doctor);
	session_act(&s, ACTION_quit);
	CHECK(!s.want.quit);
	CHECK_INT(s.popup, POPUP_NONE);
	s.visible = 1 << PANE_FEATURES | 1 << PANE_WHY;
	session_act(&s, ACTION_pane_next);
	CHECK_INT(s.shown, PANE_WHY);
	session_act(&s, ACTION_pane_next);
	CHECK_INT(s.shown, PANE_FEATURES);
	s.visible = 1 << PANE_FEATURES; /* a small screen: through all panes */
	session_act(&s, ACTION_pane_next);
	CHECK_INT(s.shown, PANE_TREE);
	session_act(&s, ACTION_pane_back);
	CHECK_INT(s.shown, PANE_FEATURES);
	s.visible = 1 << PANE_LIST | 1 << PANE_OBSERVED; /* drawn last: another view, then keys came in one burst */
	session_act(&s, ACTION_pane_next);
	CHECK_INT(s.shown, PANE_TREE);
	session_act(&s, ACTION_quit);
	CHECK(s.want.quit);
	session_free(&s);
}

static void
the_start_screen_opens_things(void)
{
	struct session s;

	session_init(&s);
	CHECK_INT(session_scope(&s), IN_START);
	session_act(&s, ACTION_models);
	CHECK(*s.message);
	session_act(&s, ACTION_demo);
	CHECK(s.want.open && str_eq(s.want.open, "linux-page-faults") && s.want.demo);
	session_act(&s, ACTION_haswell);
	CHECK(s.want.open && str_eq(s.want.open, "haswell-mmu"));
	session_act(&s, ACTION_open_file);
	CHECK_INT(s.popup, POPUP_PROMPT);
	session_free(&s);
}

/* A week of verdicts has room, evenly spread, with the first and the newest of them. */
static void
the_history_is_bounded_and_even(void)
{
	struct session s;
	double widest = 0, narrowest = 1e9;
	const size_t points = 50000;

	open_session(&s);
	for (size_t i = 0; i < points; i++) {
		session_add_point(&s, &(struct live_point){.seconds = (double)i * 0.25, .samples = i + 1});
		CHECK(s.n_history <= HISTORY_MOST);
		CHECK_INT(s.history[s.n_history - 1].samples, i + 1);
	}
	CHECK(s.n_history > HISTORY_MOST / 4);
	CHECK_INT(s.history[0].samples, 1);
	for (size_t i = 1; i + 1 < s.n_history; i++) {
		double gap = s.history[i].seconds - s.history[i - 1].seconds;

		widest = gap > widest ? gap : widest;
		narrowest = gap < narrowest ? gap : narrowest;
	}
	CHECK(narrowest > 0);
	CHECK(widest <= 4 * narrowest);
	session_forget_history(&s);
	CHECK_INT(s.n_history, 0);
	session_free(&s);
}

/* x is in every µpath of p, so one, deep <= x; p0 and p1 break one <= x, p2 keeps all. */
static void
take_a_result(struct session *s)
{
	static const char *const column[] = {"x", "one", "deep"};
	static const int64_t count[3][3] = {{5, 9, 1}, {5, 6, 2}, {9, 3, 3}};
	struct obs_table *t = obs_table_new(column, 3);
	struct analysis *a = analysis_new(s->model, &s->how);

	for (size_t i = 0; i < 3; i++) {
		struct obs *o = obs_table_add(t, (char[]){'p', (char)('0' + i), '\0'}, "test");

		o->exact = true;
		obs_add_row(o, count[i], NULL, 0);
	}
	analysis_set_table(a, 0, t);
	session_take_result(s, analysis_run(a, &s->on, NULL));
	analysis_free(a);
}

static size_t
list_of(const struct session *s)
{
	size_t n;

	free(s->view == VIEW_CONSTRAINTS ? session_constraints(s, &n) : session_observations(s, &n));
	return n;
}

static void
type_filter(struct session *s, const char *words)
{
	session_act(s, ACTION_filter);
	session_prompt_key(s, PROMPT_CLEAR);
	for (const char *p = words; *p; p++)
		session_input(s, (unsigned)*p);
	session_prompt_key(s, PROMPT_ENTER);
}

static void
views_are_walked(void)
{
	struct session s;
	size_t all;
	char *chosen;

	open_session(&s);
	session_act(&s, ACTION_constraints); /* before any answer */
	CHECK_INT(s.view, VIEW_CONSTRAINTS);
	CHECK_INT(session_scope(&s), IN_CONSTRAINTS);
	CHECK(!session_constraint(&s));
	session_act(&s, ACTION_details);
	CHECK_INT(s.popup, POPUP_NONE);
	session_act(&s, ACTION_down);
	session_act(&s, ACTION_lose);
	CHECK_INT(s.popup, POPUP_NONE);
	take_a_result(&s);
	all = list_of(&s);
	CHECK(all > 2);
	if (CHECK(session_constraint(&s)))
		CHECK_INT(session_constraint(&s)->n_breaches, 2); /* the worst is under the cursor */
	session_act(&s, ACTION_last);
	CHECK_INT(s.cursor[PANE_CONSTRAINTS], (int)all - 1);
	CHECK_INT(session_constraint(&s)->n_breaches, 0);
	chosen = mem_str(session_constraint(&s)->c->text);
	take_a_result(&s); /* what the user chose stays under the cursor */
	CHECK_STR(session_constraint(&s)->c->text, chosen);
	free(chosen);
	session_act(&s, ACTION_first);
	type_filter(&s, "DEEP");
	CHECK(list_of(&s) > 0 && list_of(&s) < all);
	CHECK(strstr(session_constraint(&s)->c->text, "deep"));
	type_filter(&s, "no such counter");
	CHECK_INT(list_of(&s), 0);
	CHECK(s.message_bad);
	session_act(&s, ACTION_down);
	type_filter(&s, "");
	CHECK_INT(list_of(&s), all);
	session_act(&s, ACTION_models);
	CHECK_INT(s.view, VIEW_MODELS);
	CHECK_INT(session_scope(&s), IN_FEATURES);
	session_free(&s);
}

static void
a_jump_comes_back(void)
{
	struct session s;

	open_session(&s);
	take_a_result(&s);
	session_act(&s, ACTION_constraints);
	s.focus = s.shown = PANE_BROKEN;
	session_choose(&s, PANE_BROKEN, 1);
	session_act(&s, ACTION_jump);
	CHECK_INT(s.view, VIEW_OBSERVATIONS);
	CHECK_STR(session_finding(&s)->name, "p1");
	session_act(&s, ACTION_stop); /* nothing to stop: back */
	CHECK_INT(s.view, VIEW_CONSTRAINTS);
	CHECK_INT(s.shown, PANE_BROKEN);
	session_act(&s, ACTION_stop);
	CHECK_INT(s.view, VIEW_CONSTRAINTS);
	session_act(&s, ACTION_details);
	CHECK_INT(s.popup, POPUP_CONSTRAINT);
	session_act(&s, ACTION_observe_next); /* among those that break it */
	CHECK_STR(session_finding(&s)->name, "p0");
	session_prompt_key(&s, PROMPT_ENTER);
	CHECK_INT(s.view, VIEW_OBSERVATIONS);
	CHECK_STR(session_finding(&s)->name, "p0");
	session_act(&s, ACTION_models);
	session_act(&s, ACTION_stop);
	CHECK_INT(s.view, VIEW_MODELS); /* who went elsewhere does not jump back */
	session_free(&s);
}

/* Forty rows at one level, forty at four times that, and an observation without phases behind them. */
static struct obs_table *
phased_data(void)
{
	static const char *const column[] = {"x", "one", "deep"};
	struct obs_table *t = obs_table_new(column, 3);

	for (int k = 0; k < 2; k++) {
		struct obs *o = obs_table_add(t, k ? "steady" : "phased", "test");

		for (int i = 0; i < 80; i++) {
			int64_t level = k == 0 && i >= 40 ? 400 : 100, wobble = (i * 7919 + k) % 11;

			obs_add_row(o, (int64_t[]){3 * level + wobble, level + wobble / 3, level / 2}, NULL, i);
		}
	}
	return t;
}

static void
judge_phased(struct session *s)
{
	struct analysis *a = analysis_new(s->model, &s->how);

	analysis_set_table(a, 0, phased_data());
	session_take_result(s, analysis_run(a, &s->on, NULL));
	analysis_free(a);
	s->want.load = s->want.engine = false;
}

/* The flow through a feature is asked for only where there is one. */
static void
flow_is_asked_for(void)
{
	struct session s;

	open_session(&s);
	session_act(&s, ACTION_through);
	CHECK(s.want.flow == 0 && strstr(s.message, "a is off"));
	session_act(&s, ACTION_toggle);
	session_act(&s, ACTION_through);
	CHECK(s.want.flow == 0 && strstr(s.message, "no observation is judged yet"));
	take_a_result(&s);
	s.selected = 0;
	session_act(&s, ACTION_through);
	CHECK(s.want.flow == 0 && strstr(s.message, "p0 is infeasible"));
	s.selected = 2;
	session_act(&s, ACTION_through);
	CHECK_INT(s.want.flow, 1);
	s.want.flow = 0;
	session_act(&s, ACTION_toggle); /* the answer is about other features */
	session_act(&s, ACTION_toggle);
	fset_put(&s.on, 1, true);
	session_act(&s, ACTION_through);
	CHECK(s.want.flow == 0);
	session_free(&s);
}

static void
phases_unfold(void)
{
	struct session s;
	const struct obs_table *t;
	const struct obs *o;

	open_session(&s);
	s.table = mem_new_array(1, sizeof(struct obs_table *));
	s.table[0] = phased_data();
	s.n_tables = 1;
	judge_phased(&s);
	session_act(&s, ACTION_observations);
	CHECK_INT(s.result->n_findings, 2);
	session_act(&s, ACTION_unfold);
	CHECK(s.want.load && s.want.engine);
	judge_phased(&s);
	if (CHECK_INT(s.result->n_findings, 3)) {
		CHECK_STR(s.result->finding[1].name, "phased@2");
		CHECK_STR(s.result->finding[2].name, "steady");
		o = session_samples(&s, &s.result->finding[1], &t);
		if (CHECK(o)) {
			CHECK_STR(o->name, "phased");
			CHECK_INT(s.result->finding[1].row, 40);
			CHECK_INT(s.result->finding[1].samples, 40);
		}
		o = session_samples(&s, &s.result->finding[2], &t);
		CHECK(o && str_eq(o->name, "steady"));
	}
	session_act(&s, ACTION_unfold);
	judge_phased(&s);
	CHECK_INT(s.result->n_findings, 2);
	session_free(&s);
}

static void
marks_restrict_what_is_counted(void)
{
	struct session s;

	open_session(&s);
	take_a_result(&s);
	session_act(&s, ACTION_observations);
	CHECK_INT(session_scope(&s), IN_LIST);
	session_act(&s, ACTION_compare);
	CHECK_INT(s.popup, POPUP_NONE);
	session_choose(&s, PANE_LIST, 1);
	CHECK_STR(session_finding(&s)->name, "p1");
	session_act(&s, ACTION_mark);
	CHECK_INT(session_count_marked(&s), 1);
	CHECK_INT(s.constraints->violated, 1);
	session_act(&s, ACTION_constraints);
	session_act(&s, ACTION_first);
	CHECK_INT(session_constraint(&s)->n_breaches, 1);
	session_act(&s, ACTION_observations);
	session_act(&s, ACTION_first);
	session_act(&s, ACTION_compare);
	CHECK_INT(s.popup, POPUP_COMPARE);
	session_act(&s, ACTION_back);
	type_filter(&s, "*");
	CHECK_INT(list_of(&s), 1);
	session_act(&s, ACTION_unmark);
	CHECK_INT(session_count_marked(&s), 0);
	type_filter(&s, "");
	session_act(&s, ACTION_constraints);
	CHECK_INT(session_constraint(&s)->n_breaches, 2);
	session_act(&s, ACTION_sort);
	CHECK_INT(s.constraint_sort, CONSTRAINTS_BY_TIGHTNESS);
	session_act(&s, ACTION_observations);
	session_act(&s, ACTION_sort);
	CHECK_INT(s.observation_sort, OBSERVATIONS_BY_NAME);
	session_free(&s);
}

/* Enter in the pane that says why: witness µpaths, as far as they help on the observation's side of an equality. */
static void
why_shows_its_witnesses(void)
{
	struct session s;
	struct touch *t;
	size_t row;

	open_session(&s);
	take_a_result(&s);
	row = session_why_row(&s);
	if (!CHECK(row < s.constraints->n)) {
		session_free(&s);
		return;
	}
	s.shown = s.focus = PANE_WHY;
	session_act(&s, ACTION_relaxers);
	CHECK_INT(s.popup, POPUP_WHENCE); /* nothing is known of features yet */
	s.popup = POPUP_NONE;
	t = mem_new(sizeof *t);
	t->constraint = row;
	t->relax = mem_new(sizeof *t->relax);
	t->relax->asked = 2;
	session_take_touch(&s, t);
	session_act(&s, ACTION_relaxers);
	CHECK_INT(s.popup, POPUP_NONE); /* none does: that is said */
	CHECK(strstr(s.message, "no feature"));
	t->relax->n = 2;
	t->relax->one = mem_new_array(2, sizeof *t->relax->one);
	for (size_t i = 0; i < 2; i++) {
		bool above = s.result->finding[s.selected].violated[0].excess > 0;
		struct relaxer *r = &t->relax->one[i];

		fset_put(&r->added, i, true);
		fset_put(&r->all, 0, true);
		fset_put(&r->all, 1, true);
		*r = (struct relaxer){.added = r->added, .all = r->all, .legal = true, .signatures = 1, .alone = 1 - i, .together = 2, .tie = RELAX_NONE,
			.above = (i == 0) == above, .below = (i == 0) != above, .words = mem_str("p"), .steps = mem_str(i ? "path q\n" : "path p\n")};
	}
	session_act(&s, ACTION_relaxers);
	CHECK_INT(s.popup, POPUP_WITNESS);
	CHECK(strstr(str_text(&s.text), "a frees 1 of 2 alone, 2 as a + b"));
	CHECK(strstr(str_text(&s.text), "path p"));
	CHECK_INT(strstr(str_text(&s.text), "path q") == NULL, s.result->finding[s.selected].violated[0].equality);
	s.popup = POPUP_NONE;
	session_act(&s, ACTION_constraints);
	session_choose(&s, PANE_CONSTRAINTS, 0);
	s.constraint = row;
	session_act(&s, ACTION_details);
	CHECK_INT(s.popup, POPUP_CONSTRAINT);
	session_prompt_key(&s, PROMPT_ENTER);
	CHECK_INT(s.popup, POPUP_WITNESS); /* of either side */
	CHECK(strstr(str_text(&s.text), "path p") && strstr(str_text(&s.text), "path q"));
	session_free(&s);
}

/* What the screen wants to know is asked one by one, and never what it has, or what nobody looks at. */
static void
questions_follow_the_screen(void)
{
	struct session s;
	struct question q;
	size_t n, *counter, asked = 0;
	struct touch *t;

	open_session(&s);
	take_a_result(&s);
	q = session_question(&s); /* what would relax the constraint that refutes the observation */
	CHECK_INT(q.kind, QUESTION_TOUCH);
	CHECK_INT(q.index, session_why_row(&s));
	CHECK(!session_show_relaxers(&s, q.index, NULL)); /* not known yet */
	s.visible = 1 << PANE_FEATURES | 1 << PANE_WITNESS; /* a screen that does not show that */
	CHECK_INT(session_question(&s).kind, QUESTION_WITNESS);
	s.visible = 1 << PANE_FEATURES; /* a small one */
	CHECK_INT(session_question(&s).kind, QUESTION_NONE);
	session_act(&s, ACTION_constraints);
	session_act(&s, ACTION_last); /* about one counter */
	q = session_question(&s);
	CHECK_INT(q.kind, QUESTION_TOUCH);
	CHECK_INT(q.index, s.constraint);
	t = mem_new(sizeof *t);
	t->constraint = q.index;
	session_take_touch(&s, t);
	while ((q = session_question(&s)).kind == QUESTION_LOSS && asked < 10) {
		CHECK(session_constraint(&s)->c->coef[q.index]);
		session_refuse(&s, q); /* an answer that did not come is not asked for again */
		asked++;
	}
	CHECK_INT(q.kind, QUESTION_NONE);
	CHECK_INT(asked, session_constraint(&s)->n_counters);
	session_act(&s, ACTION_lose);
	CHECK_INT(s.popup, POPUP_LOSS);
	counter = session_counters(&s, &n);
	session_act(&s, ACTION_last);
	CHECK_INT(s.popup_cursor, (int)n - 1);
	q = session_question(&s);
	CHECK_INT(q.kind, QUESTION_LOSS);
	CHECK_INT(q.index, counter[n - 1]); /* the one under the cursor first */
	CHECK(session_wants_answer(&s, q));
	session_act(&s, ACTION_back);
	CHECK(!session_wants_answer(&s, q));
	free(counter);
	t = s.touch[s.constraint];
	take_a_result(&s); /* the same cone and verdicts again: what is known stays */
	CHECK(t && s.touch[s.constraint] == t);
	CHECK_INT(session_question(&s).kind, QUESTION_NONE);
	fset_put(&s.on, 0, true);
	take_a_result(&s); /* another choice of features: nothing is known */
	CHECK_INT(session_question(&s).kind, QUESTION_TOUCH);
	s.asked = session_question(&s);
	session_act(&s, ACTION_stop);
	CHECK(s.want.stop);
	fset_put(&s.on, 0, false); /* out of date: nothing is asked about it */
	CHECK_INT(session_question(&s).kind, QUESTION_NONE);
	session_free(&s);
}

/* Four pairs of axes: the best one, the next one, the two sides of a constraint, and none without an answer. */
static void
axes_of_the_plot(void)
{
	struct session s;
	struct geometry *g = mem_new(sizeof *g);
	struct plane p;

	open_session(&s);
	take_a_result(&s);
	s.came_from = VIEW_START;
	session_act(&s, ACTION_geometry);
	CHECK_INT(s.view, VIEW_GEOMETRY);
	CHECK_INT(session_question(&s).kind, QUESTION_GEOMETRY);
	CHECK(!session_plane(&s, &p));
	g->finding = s.selected;
	g->n = 3;
	g->counter = mem_new_array(3, sizeof *g->counter);
	g->pair = mem_new_array(3, sizeof *g->pair);
	g->n_pairs = g->all_pairs = 3;
	g->showing = 2;
	for (size_t i = 0; i < 3; i++)
		g->counter[i] = i;
	g->pair[0] = (struct geometry_pair){.x = 2, .y = 1, .margin = 0.3};
	g->pair[1] = (struct geometry_pair){.x = 0, .y = 2, .margin = 0.1};
	g->pair[2] = (struct geometry_pair){.x = 0, .y = 1, .margin = -0.1};
	session_take_geometry(&s, g);
	CHECK_INT(session_question(&s).kind, QUESTION_NONE);
	if (CHECK(session_plane(&s, &p)))
		CHECK(p.x[2] == 1 && p.y[1] == 1 && !p.sides && plane_pair(g, &p) == 0);
	plane_clear(&p);
	session_act(&s, ACTION_best_pair); /* the next one that shows it */
	CHECK(s.chose_plot && s.plot[0] == 0 && s.plot[1] == 2);
	session_act(&s, ACTION_best_pair); /* there are two: round again */
	CHECK(!s.chose_plot);
	session_act(&s, ACTION_axis_right); /* from 2 to 0 */
	CHECK(s.plot[0] == 0 && s.plot[1] == 1);
	session_act(&s, ACTION_axis_right); /* y shows 1: it is left out */
	CHECK(s.plot[0] == 2 && s.plot[1] == 1);
	session_act(&s, ACTION_axis_up);
	CHECK(s.plot[0] == 2 && s.plot[1] == 0);
	s.shown_zoom = ZOOM_WHOLE;
	session_act(&s, ACTION_zoom);
	CHECK_INT(s.zoom, ZOOM_REGION);
	session_act(&s, ACTION_boxes);
	CHECK_INT(s.boxes, BOXES_BOTH);
	take_a_result(&s); /* new samples: the old picture stays until there is a new one */
	CHECK(session_geometry(&s) == g);
	CHECK_INT(session_question(&s).kind, QUESTION_GEOMETRY);
	session_refuse(&s, session_question(&s));
	CHECK_INT(session_question(&s).kind, QUESTION_NONE);
	CHECK(!session_plane(&s, &p));
	session_act(&s, ACTION_stop); /* Esc */
	CHECK_INT(s.view, VIEW_MODELS);
	session_act(&s, ACTION_constraints);
	session_act(&s, ACTION_show);
	CHECK_INT(s.view, VIEW_GEOMETRY);
	CHECK(s.plot_row != NULL);
	session_act(&s, ACTION_stop);
	CHECK_INT(s.view, VIEW_CONSTRAINTS);
	session_free(&s);
}

TEST_MAIN(CASE(axes_of_the_plot), CASE(a_toggle_keeps_the_rules), CASE(a_variant_is_chosen), CASE(the_tree_folds_and_is_searched), CASE(a_prompt_takes_characters),
	  CASE(back_before_leaving), CASE(the_start_screen_opens_things), CASE(the_history_is_bounded_and_even), CASE(views_are_walked), CASE(a_jump_comes_back),
	  CASE(flow_is_asked_for), CASE(phases_unfold), CASE(marks_restrict_what_is_counted), CASE(why_shows_its_witnesses), CASE(questions_follow_the_screen))
