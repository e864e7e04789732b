/* The explorer's state: what actions change in it and request, without a screen. */
#include "explorer/state/state.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "core/udd/outline.h"
#include "explorer/state/shown.h"
#include "explorer/state/state_catalogue.h"
#include "explorer/state/state_geometry.h"
#include "explorer/state/state_relax.h"
#include "explorer/state/state_timeline.h"
#include "explorer/state/state_views.h"
#include "open_session.h"
#include "test.h"
#include "work/catalogue.h"
#include "text/diag.h"
#include "work/analysis/geometry.h"
#include "work/analysis/loss.h"
#include "work/analysis/relax.h"
#include "work/analysis/touch.h"
#include "work/files/texts.h"

static const char model_text[] =
	"model m; feature a \"first: of two\"; feature b \"second\" requires a; feature c \"third\" excludes a;\n"
	"variant two { a, b }; variant none { };\n"
	"path p { count x; switch (K) { case One: count one; case Two: switch (L) { case Deep: count deep; case "
	"Shallow: } } }\n"
	"path q when b { count y; }\n";

static void
expect_open(const struct state *s, const char *name, enum open_then then)
{
	const struct request *r = requests_find(&s->requests, REQUEST_OPEN);

	if (CHECK(r != NULL)) {
		CHECK_STR(r->text, name);
		CHECK_INT(r->number, then);
	}
}

static void
open_session(struct state *s)
{
	open_session_with(s, model_text);
}

static void
a_toggle_keeps_the_rules(void)
{
	struct state s;

	open_session(&s);
	state_act(&s, ACTION_down);
	state_act(&s, ACTION_toggle); /* b without a */
	CHECK(!fset_has(&s.question.on, 1));
	CHECK(!requests_find(&s.requests, REQUEST_RESULT));
	CHECK(s.view.message.bad && strstr(s.view.message.text, "requires"));
	state_act(&s, ACTION_up);
	state_act(&s, ACTION_toggle);
	CHECK(fset_has(&s.question.on, 0));
	CHECK(requests_find(&s.requests, REQUEST_RESULT));
	CHECK_STR(s.view.message.text, "");
	state_act(&s, ACTION_last);
	CHECK_INT(s.view.cursor[PANE_FEATURES], 2);
	state_act(&s, ACTION_toggle); /* c excludes a */
	CHECK(!fset_has(&s.question.on, 2));
	CHECK(s.view.message.bad);
	state_act(&s, ACTION_down);
	CHECK_INT(s.view.cursor[PANE_FEATURES], 2);
	state_free(&s);
}

static void
a_variant_is_chosen(void)
{
	struct state s;

	open_session(&s);
	state_act(&s, ACTION_variant);
	CHECK_INT(s.view.popup.kind, POPUP_VARIANT);
	CHECK_INT(state_scope(&s), IN_POPUP);
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	CHECK(fset_has(&s.question.on, 0) && fset_has(&s.question.on, 1));
	CHECK(requests_find(&s.requests, REQUEST_RESULT));
	state_free(&s);
}

static void
all_events_are_found_and_counted(void)
{
	struct event_table table = {0};
	struct state s;
	size_t n;

	event_table_add(&table, &(struct event_row){.name = "walks.done", .pmu = "cpu", .topic = "memory",
		.text = "page walks", .code = "event=1"});
	event_table_add(&table, &(struct event_row){.name = "loads.all", .pmu = "cpu", .topic = "memory",
		.text = "loads", .code = "event=2"});
	event_table_add(&table, &(struct event_row){.name = "clock", .pmu = "uncore_imc", .topic = "memory"});
	open_session(&s);
	state_show_view(&s, VIEW_EVENTS);
	state_act(&s, ACTION_all_events);
	CHECK_INT(s.view.focus, PANE_CATALOGUE);
	CHECK(requests_find(&s.requests, REQUEST_CATALOGUE));
	CHECK(!state_catalogue_event(&s)); /* nothing has come yet */
	state_set_catalogue(&s, catalogue_of(&table));
	state_catalogue_rows(&s, &n);
	CHECK_INT(n, 4); /* two PMUs with a folded topic each */
	state_act(&s, ACTION_down);
	state_act(&s, ACTION_event);
	state_catalogue_rows(&s, &n);
	CHECK_INT(n, 6);
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	state_act(&s, ACTION_fold_node);
	state_catalogue_rows(&s, &n);
	CHECK_INT(n, 4);
	state_act(&s, ACTION_find);
	for (const char *p = "page"; *p; p++) /* of a description */
		state_input(&s, (unsigned)*p);
	state_catalogue_rows(&s, &n);
	CHECK_INT(n, 1);
	state_prompt_key(&s, PROMPT_ENTER);
	if (CHECK(state_catalogue_event(&s) != NULL))
		CHECK_STR(state_catalogue_event(&s)->name, "walks.done");
	state_act(&s, ACTION_add_event);
	CHECK_INT(s.view.events.n_added, 1);
	CHECK_STR(s.view.events.added[0].event, "cpu/event=1/");
	CHECK(state_event_is_added(&s, state_catalogue_event(&s)));
	state_act(&s, ACTION_event);
	CHECK_INT(s.view.popup.kind, POPUP_EVENT);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_add_event);
	CHECK_INT(s.view.events.n_added, 0);
	state_act(&s, ACTION_stop); /* the search ends: the tree again */
	state_catalogue_rows(&s, &n);
	CHECK_INT(n, 4);
	state_act(&s, ACTION_all_events);
	CHECK_INT(s.view.focus, PANE_EVENTS);
	state_free(&s);
}

static void
the_tree_folds_and_is_searched(void)
{
	struct state s;
	size_t n, all;
	const size_t *rows;

	open_session(&s);
	s.view.focus = PANE_TREE;
	state_tree_rows(&s, &all);
	CHECK_INT(all, s.question.outline->n);
	state_act(&s, ACTION_fold); /* the root */
	state_tree_rows(&s, &n);
	CHECK(n < all);
	state_act(&s, ACTION_find);
	CHECK_INT(state_scope(&s), 0);
	for (const char *p = "DEEP"; *p; p++)
		state_input(&s, (unsigned)*p);
	state_prompt_key(&s, PROMPT_ENTER);
	rows = state_tree_rows(&s, &n);
	if (CHECK(s.view.cursor[PANE_TREE] < (int)n))
		CHECK_STR(s.question.outline->row[rows[s.view.cursor[PANE_TREE]]].text, "Deep");
	state_act(&s, ACTION_left); /* from a leaf to its parent row */
	rows = state_tree_rows(&s, &n);
	CHECK(s.question.outline->row[rows[s.view.cursor[PANE_TREE]]].below > 0);
	state_act(&s, ACTION_find);
	state_input(&s, 'z');
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK(s.view.message.bad && strstr(s.view.message.text, "nothing here contains"));
	state_act(&s, ACTION_fold_all);
	state_tree_rows(&s, &n);
	CHECK(n < all);
	state_act(&s, ACTION_fold_all);
	state_tree_rows(&s, &n);
	CHECK_INT(n, all);
	state_free(&s);
}

static void
a_prompt_takes_characters(void)
{
	struct state s;

	open_session(&s);
	state_act(&s, ACTION_command);
	state_prompt_key(&s, PROMPT_CLEAR);
	state_input(&s, 'a');
	state_input(&s, 0xb5);
	state_input(&s, 0x1b); /* control characters are no text */
	CHECK_STR(str_text(&s.view.prompt.input), "aµ");
	state_prompt_key(&s, PROMPT_ERASE);
	CHECK_STR(str_text(&s.view.prompt.input), "a");
	state_prompt_key(&s, PROMPT_ERASE);
	state_prompt_key(&s, PROMPT_ERASE);
	CHECK_STR(str_text(&s.view.prompt.input), "");
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK(!requests_find(&s.requests, REQUEST_RUN));
	CHECK(s.view.message.bad);
	state_act(&s, ACTION_command);
	answer_prompt(&s, "ls");
	CHECK(requests_find(&s.requests, REQUEST_RUN));
	CHECK_STR(s.question.subject.argv[0], "ls");
	state_act(&s, ACTION_command);
	state_prompt_key(&s, PROMPT_ESCAPE);
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	state_free(&s);
}

/* q goes back before it leaves; Tab goes through the visible panes. */
static void
back_before_leaving(void)
{
	struct state s;

	open_session(&s);
	state_act(&s, ACTION_doctor);
	state_act(&s, ACTION_quit);
	CHECK(!requests_find(&s.requests, REQUEST_QUIT));
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	shown_layout(&s)->visible = PANE_BIT(PANE_FEATURES) | PANE_BIT(PANE_WHY);
	state_act(&s, ACTION_pane_next);
	CHECK_INT(state_pane(&s), PANE_WHY);
	state_act(&s, ACTION_pane_next);
	CHECK_INT(state_pane(&s), PANE_FEATURES);
	shown_layout(&s)->visible = PANE_BIT(PANE_FEATURES); /* a small screen: Tab goes through all panes */
	state_act(&s, ACTION_pane_next);
	CHECK_INT(state_pane(&s), PANE_TREE);
	state_act(&s, ACTION_pane_back);
	CHECK_INT(state_pane(&s), PANE_FEATURES);
	/* The layout is of another view, because several keys came before the next drawing. */
	*shown_layout(&s) =
		(struct layout){.view = VIEW_OBSERVATIONS, .visible = PANE_BIT(PANE_LIST) | PANE_BIT(PANE_OBSERVED)};
	state_act(&s, ACTION_pane_next);
	CHECK_INT(state_pane(&s), PANE_TREE);
	/* No pane of the layout exists in this view. */
	*shown_layout(&s) = (struct layout){.visible = PANE_BIT(PANE_METHODS) | PANE_BIT(PANE_FLOWS)};
	shown_layout(&s)->view = s.view.current;
	state_act(&s, ACTION_pane_next);
	CHECK_INT(state_pane(&s), PANE_TREE);
	state_act(&s, ACTION_quit);
	CHECK(requests_find(&s.requests, REQUEST_QUIT));
	state_free(&s);
}

static void
the_start_screen_opens_things(void)
{
	struct state s;

	state_init(&s);
	CHECK_INT(state_scope(&s), IN_START);
	state_act(&s, ACTION_models);
	CHECK(*s.view.message.text);
	state_act(&s, ACTION_demo);
	expect_open(&s, "linux-page-faults", OPEN_ASK_COMMAND);
	state_act(&s, ACTION_haswell);
	expect_open(&s, "haswell-mmu", OPEN_ONLY);
	state_act(&s, ACTION_open_file);
	CHECK_INT(s.view.popup.kind, POPUP_PROMPT);
	state_free(&s);
}

/* The cursor shows a theme; Esc goes back to the chosen one, Enter keeps what is shown. */
static void
themes_are_tried_before_they_are_kept(void)
{
	struct state s;
	char first[THEME_NAME], shown[THEME_NAME], now[THEME_NAME];

	state_init(&s);
	state_theme(&s, first);
	CHECK_STR(first, "dark");
	state_act(&s, ACTION_theme);
	state_theme(&s, now);
	CHECK_STR(now, "dark"); /* the list begins at the chosen one */
	CHECK(state_count_themes(&s) >= 10);
	state_act(&s, ACTION_down);
	state_theme(&s, shown);
	CHECK(!str_eq(shown, "dark"));
	state_act(&s, ACTION_back);
	state_theme(&s, now);
	CHECK_STR(now, "dark");
	state_act(&s, ACTION_theme);
	state_act(&s, ACTION_down);
	state_prompt_key(&s, PROMPT_ENTER);
	state_theme(&s, now);
	CHECK_STR(now, shown);
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	state_set_theme(&s, "./mine.theme"); /* a file is in the list, too */
	state_act(&s, ACTION_theme);
	state_theme(&s, now);
	CHECK_STR(now, "./mine.theme");
	state_free(&s);
}

static struct stack *
stack_of(const char *text)
{
	struct text file = {.path = mem_str("s.stack"), .text = mem_str(text), .n = strlen(text)};
	struct diags d = {0};
	struct stack *stack = text_stack(&file, &d);

	test_check(stack != NULL, __FILE__, __LINE__, "%s", d.n ? d.item[0].text : "");
	diags_free(&d);
	text_free(&file);
	return stack;
}

static void
tabs_are_of_what_is_open(void)
{
	static const char time[] =
		"stack t \"t\" per task; counter e = \"e\" per task unit ns; whole w = e; part p \"p\" = e;";
	static const char cpi[] = "stack t \"t\" per core; counter c = \"c\" per core unit cycles; "
		"counter i = \"i\" per core unit instructions; whole w = c; figure \"CPI\" = c / i; part p \"p\" = c;";
	static const struct { const char *text, *tab; } row[] = {{time, "Time"}, {cpi, "CPI"}};

	for (size_t i = 0; i < 2; i++) {
		struct stack *stack = stack_of(row[i].text);
		struct state s;

		state_init(&s);
		CHECK(!state_view_applies(&s, VIEW_MODELS) && !state_view_applies(&s, VIEW_STALLS));
		CHECK_STR(state_view_tab(&s, VIEW_STALLS, false), "Stalls");
		if (stack)
			state_open_timeline(&s, NULL, &(struct text){0}, stack, &(struct text){0});
		CHECK(state_view_applies(&s, VIEW_STALLS) && state_view_applies(&s, VIEW_PROBES));
		CHECK(!state_view_applies(&s, VIEW_PATHS) && !state_view_applies(&s, VIEW_QUEUES));
		CHECK(!state_view_applies(&s, VIEW_MODELS) && !state_view_applies(&s, VIEW_EVENTS));
		CHECK_STR(state_view_tab(&s, VIEW_STALLS, false), row[i].tab);
		state_free(&s);
	}
}

/* The history has room for a week of verdicts: evenly spread, with the first and the newest one. */
static void
the_history_is_bounded_and_even(void)
{
	struct state s;
	double widest = 0, narrowest = 1e9;
	const size_t points = 50000;

	open_session(&s);
	for (size_t i = 0; i < points; i++) {
		state_add_point(&s, &(struct verdict_point){.seconds = (double)i * 0.25, .samples = i + 1});
		CHECK(s.data.history.n <= VERDICT_POINTS_MOST);
		CHECK_INT(s.data.history.point[s.data.history.n - 1].samples, i + 1);
	}
	CHECK(s.data.history.n > VERDICT_POINTS_MOST / 4);
	CHECK_INT(s.data.history.point[0].samples, 1);
	for (size_t i = 1; i + 1 < s.data.history.n; i++) {
		double gap = s.data.history.point[i].seconds - s.data.history.point[i - 1].seconds;

		widest = gap > widest ? gap : widest;
		narrowest = gap < narrowest ? gap : narrowest;
	}
	CHECK(narrowest > 0);
	CHECK(widest <= 4 * narrowest);
	state_forget_history(&s);
	CHECK_INT(s.data.history.n, 0);
	state_free(&s);
}

/* x is in every µpath of p, so p0 to p2 meet deep <= x. p0 and p1 break one <= x; p2 breaks nothing. */
static void
take_a_result_of(struct state *s, int64_t more)
{
	static const char *const column[] = {"x", "one", "deep"};
	static const int64_t count[3][3] = {{5, 9, 1}, {5, 6, 2}, {9, 3, 3}};
	struct obs_table *t = obs_table_new(column, 3);
	struct analysis *a = analysis_new(s->question.model, &s->question.how);

	for (size_t i = 0; i < 3; i++) {
		struct obs *o = obs_table_add(t, (char[]){'p', (char)('0' + i), '\0'}, "test");

		o->exact = true;
		obs_add_row(o, (int64_t[]){count[i][0] + more, count[i][1], count[i][2]}, NULL, 0);
	}
	analysis_set_table(a, 0, t);
	state_take_result(s, analysis_run(a, &s->question.on, NULL));
	analysis_free(a);
}

static void
take_a_result(struct state *s)
{
	take_a_result_of(s, 0);
}

static size_t
list_of(const struct state *s)
{
	return state_count_shown(s, s->view.current == VIEW_CONSTRAINTS ? &shown_constraints : &shown_observations);
}

static size_t times_made;

static void *
make_nothing(const struct state *s, size_t *n)
{
	(void)s;
	times_made++;
	*n = 0;
	return NULL;
}

/* A change and another order at once: small numbers on both sides must not cancel each other out. */
static void
stamps_tell_changes_apart(void)
{
	static const struct shown_ops ops = {.kind = SHOWN_QUEUES, .make = make_nothing, .size = sizeof(size_t),
		.sort = offsetof(struct state, view.timeline.queue_sort)};
	struct state s;
	size_t n;

	state_init(&s);
	for (int i = 0; i < 8; i++)
		for (int sort = 0; sort < QUEUE_SORTS; sort++) {
			s.view.timeline.queue_sort = (enum queue_sort)sort;
			state_shown(&s, &ops, &n);
			state_shown_changed(&s);
		}
	CHECK_INT(times_made, 8 * QUEUE_SORTS);
	for (int i = 0; i < 8; i++) { /* back and forth: only what differs from the last time is made */
		s.view.timeline.queue_sort = (enum queue_sort)(i % QUEUE_SORTS);
		for (int k = 0; k < 2; k++)
			state_shown(&s, &ops, &n);
	}
	CHECK_INT(times_made, 8 * QUEUE_SORTS + 8);
	state_free(&s);
}

/* A list is made once, and again as soon as something that it depends on changes. */
static void
lists_are_made_once(void)
{
	struct state s;
	const size_t *rows;
	size_t n, all, open;

	open_session(&s);
	take_a_result(&s);
	rows = state_tree_rows(&s, &open);
	CHECK(state_tree_rows(&s, &n) == rows && n == open);
	state_act(&s, ACTION_observations);
	rows = state_observations(&s, &all);
	state_act(&s, ACTION_down);
	CHECK(state_observations(&s, &n) == rows && n == all); /* the cursor changes no list */
	s.view.filter[VIEW_OBSERVATIONS] = mem_str("no such observation");
	CHECK_INT(state_count_shown(&s, &shown_observations), 0);
	CHECK(state_shown_holds(&s));
	CHECK(s.question.outline->row[0].below > 0);
	s.view.tree.folded[0] = true; /* a writer that does not say so is found */
	CHECK(!state_shown_holds(&s));
	state_shown_changed(&s);
	CHECK(state_shown_holds(&s));
	CHECK(state_count_shown(&s, &shown_tree) < open);
	state_free(&s);
}

static void
type_filter(struct state *s, const char *words)
{
	state_act(s, ACTION_filter);
	answer_prompt(s, words);
}

static void
views_are_switched(void)
{
	struct state s;
	size_t all;
	char *chosen;

	open_session(&s);
	state_act(&s, ACTION_constraints); /* before any answer */
	CHECK_INT(s.view.current, VIEW_CONSTRAINTS);
	CHECK_INT(state_scope(&s), IN(CONSTRAINTS));
	CHECK(!state_constraint(&s));
	state_act(&s, ACTION_details);
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	state_act(&s, ACTION_down);
	state_act(&s, ACTION_lose);
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	take_a_result(&s);
	all = list_of(&s);
	CHECK(all > 2);
	if (CHECK(state_constraint(&s)))
		CHECK_INT(state_constraint(&s)->n_breaches, 2); /* the one that most observations break is selected */
	state_act(&s, ACTION_last);
	CHECK_INT(s.view.cursor[PANE_CONSTRAINTS], (int)all - 1);
	CHECK_INT(state_constraint(&s)->n_breaches, 0);
	chosen = mem_str(state_constraint(&s)->c->text);
	take_a_result(&s); /* the user's choice stays selected */
	CHECK_STR(state_constraint(&s)->c->text, chosen);
	free(chosen);
	state_act(&s, ACTION_first);
	type_filter(&s, "DEEP");
	CHECK(list_of(&s) > 0 && list_of(&s) < all);
	CHECK(strstr(state_constraint(&s)->c->text, "deep"));
	type_filter(&s, "no such counter");
	CHECK_INT(list_of(&s), 0);
	CHECK(s.view.message.bad);
	state_act(&s, ACTION_down);
	type_filter(&s, "");
	CHECK_INT(list_of(&s), all);
	state_act(&s, ACTION_models);
	CHECK_INT(s.view.current, VIEW_MODELS);
	CHECK_INT(state_scope(&s), IN(FEATURES));
	state_free(&s);
}

static void
a_jump_comes_back(void)
{
	struct state s;

	open_session(&s);
	take_a_result(&s);
	state_act(&s, ACTION_constraints);
	s.view.focus = PANE_BROKEN;
	state_choose(&s, PANE_BROKEN, 1);
	state_act(&s, ACTION_jump);
	CHECK_INT(s.view.current, VIEW_OBSERVATIONS);
	CHECK_STR(state_finding(&s)->name, "p1");
	state_act(&s, ACTION_stop); /* nothing to stop, so it goes back */
	CHECK_INT(s.view.current, VIEW_CONSTRAINTS);
	CHECK_INT(state_pane(&s), PANE_BROKEN);
	state_act(&s, ACTION_stop);
	CHECK_INT(s.view.current, VIEW_CONSTRAINTS);
	state_act(&s, ACTION_details);
	CHECK_INT(s.view.popup.kind, POPUP_CONSTRAINT);
	state_act(&s, ACTION_observe_next); /* among the observations that break it */
	CHECK_STR(state_finding(&s)->name, "p0");
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK_INT(s.view.current, VIEW_OBSERVATIONS);
	CHECK_STR(state_finding(&s)->name, "p0");
	state_act(&s, ACTION_models);
	state_act(&s, ACTION_stop);
	CHECK_INT(s.view.current, VIEW_MODELS); /* after a change of view there is no jump back */
	state_free(&s);
}

/* Forty rows at one level, forty at four times that, and then an observation without phases. */
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
judge_phased(struct state *s)
{
	struct analysis *a = analysis_new(s->question.model, &s->question.how);

	analysis_set_table(a, 0, phased_data());
	state_take_result(s, analysis_run(a, &s->question.on, NULL));
	analysis_free(a);
	requests_drop(&s->requests, REQUEST_LOAD);
	requests_drop(&s->requests, REQUEST_RESULT);
}

/* The flow through a feature is requested only if it exists. */
static void
flow_is_requested(void)
{
	struct state s;

	open_session(&s);
	state_act(&s, ACTION_through);
	CHECK(!requests_find(&s.requests, REQUEST_FLOW) && strstr(s.view.message.text, "a is off"));
	state_act(&s, ACTION_toggle);
	state_act(&s, ACTION_through);
	CHECK(!requests_find(&s.requests, REQUEST_FLOW) && strstr(s.view.message.text, "no observation is judged yet"));
	take_a_result(&s);
	s.view.selected = 0;
	state_act(&s, ACTION_through);
	CHECK(!requests_find(&s.requests, REQUEST_FLOW) && strstr(s.view.message.text, "p0 is infeasible"));
	s.view.selected = 2;
	state_act(&s, ACTION_through);
	if (CHECK(requests_find(&s.requests, REQUEST_FLOW)))
		CHECK_INT(requests_find(&s.requests, REQUEST_FLOW)->number, 0);
	requests_drop(&s.requests, REQUEST_FLOW);
	state_act(&s, ACTION_toggle); /* the last answer was computed with other features */
	state_act(&s, ACTION_toggle);
	fset_put(&s.question.on, 1, true);
	state_act(&s, ACTION_through);
	CHECK(!requests_find(&s.requests, REQUEST_FLOW));
	state_free(&s);
}

static void
phases_unfold(void)
{
	struct state s;
	const struct obs_table *t;
	const struct obs *o;

	open_session(&s);
	s.data.table = mem_new_array(1, sizeof(struct obs_table *));
	s.data.table[0] = phased_data();
	s.data.n_tables = 1;
	judge_phased(&s);
	state_act(&s, ACTION_observations);
	CHECK_INT(s.answers.result->n_findings, 2);
	state_act(&s, ACTION_unfold);
	CHECK(requests_find(&s.requests, REQUEST_LOAD) && requests_find(&s.requests, REQUEST_RESULT));
	judge_phased(&s);
	if (CHECK_INT(s.answers.result->n_findings, 3)) {
		CHECK_STR(s.answers.result->finding[1].name, "phased@2");
		CHECK_STR(s.answers.result->finding[2].name, "steady");
		o = state_samples(&s, &s.answers.result->finding[1], &t);
		if (CHECK(o)) {
			CHECK_STR(o->name, "phased");
			CHECK_INT(s.answers.result->finding[1].data.row, 40);
			CHECK_INT(s.answers.result->finding[1].data.samples, 40);
		}
		o = state_samples(&s, &s.answers.result->finding[2], &t);
		CHECK(o && str_eq(o->name, "steady"));
	}
	state_act(&s, ACTION_unfold);
	judge_phased(&s);
	CHECK_INT(s.answers.result->n_findings, 2);
	state_free(&s);
}

static void
marks_restrict_what_is_counted(void)
{
	struct state s;

	open_session(&s);
	take_a_result(&s);
	state_act(&s, ACTION_observations);
	CHECK_INT(state_scope(&s), IN(LIST));
	state_act(&s, ACTION_compare);
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	state_choose(&s, PANE_LIST, 1);
	CHECK_STR(state_finding(&s)->name, "p1");
	state_act(&s, ACTION_mark);
	CHECK_INT(state_count_marked(&s), 1);
	CHECK_INT(s.answers.constraints->violated, 1);
	state_act(&s, ACTION_constraints);
	state_act(&s, ACTION_first);
	CHECK_INT(state_constraint(&s)->n_breaches, 1);
	state_act(&s, ACTION_observations);
	state_act(&s, ACTION_first);
	state_act(&s, ACTION_compare);
	CHECK_INT(s.view.popup.kind, POPUP_COMPARE);
	state_act(&s, ACTION_back);
	type_filter(&s, "*");
	CHECK_INT(list_of(&s), 1);
	state_act(&s, ACTION_unmark);
	CHECK_INT(state_count_marked(&s), 0);
	type_filter(&s, "");
	state_act(&s, ACTION_constraints);
	CHECK_INT(state_constraint(&s)->n_breaches, 2);
	state_act(&s, ACTION_sort);
	CHECK_INT(s.view.sort.constraints, CONSTRAINTS_BY_TIGHTNESS);
	state_act(&s, ACTION_observations);
	state_act(&s, ACTION_sort);
	CHECK_INT(s.view.sort.observations, OBSERVATIONS_BY_NAME);
	state_free(&s);
}

/* Enter in the pane with the reason shows witness µpaths. For an equality only those that help on the observation's
 * side are shown. */
static void
why_shows_its_witnesses(void)
{
	struct state s;
	struct constraint_detail *t;
	size_t row;

	open_session(&s);
	take_a_result(&s);
	row = state_why_row(&s);
	if (!CHECK(row < s.answers.constraints->n)) {
		state_free(&s);
		return;
	}
	s.view.focus = PANE_WHY;
	state_act(&s, ACTION_relaxers);
	CHECK_INT(s.view.popup.kind, POPUP_WHENCE); /* no answer about features yet */
	s.view.popup.kind = POPUP_NONE;
	t = mem_new(sizeof *t);
	t->constraint = row;
	t->relax = mem_new(sizeof *t->relax);
	t->relax->asked = 2;
	state_take_touch(&s, t);
	state_act(&s, ACTION_relaxers);
	CHECK_INT(s.view.popup.kind, POPUP_NONE); /* no feature does, and a message says so */
	CHECK(strstr(s.view.message.text, "no feature"));
	t->relax->n = 2;
	t->relax->one = mem_new_array(2, sizeof *t->relax->one);
	for (size_t i = 0; i < 2; i++) {
		bool above = s.answers.result->finding[s.view.selected].proof.violated[0].excess > 0;
		struct relaxer *r = &t->relax->one[i];

		fset_put(&r->added, i, true);
		fset_put(&r->all, 0, true);
		fset_put(&r->all, 1, true);
		*r = (struct relaxer){.added = r->added,
			.all = r->all,
			.legal = true,
			.signatures = 1,
			.alone = 1 - i,
			.together = 2,
			.tie = RELAX_NONE,
			.above = (i == 0) == above,
			.below = (i == 0) != above,
			.words = mem_str("p"),
			.steps = mem_str(i ? "path q\n" : "path p\n")};
	}
	state_act(&s, ACTION_relaxers);
	CHECK_INT(s.view.popup.kind, POPUP_WITNESS);
	CHECK(strstr(str_text(&s.view.popup.text), "a makes 1 of 2 feasible, 2 as a + b"));
	CHECK(strstr(str_text(&s.view.popup.text), "path p"));
	CHECK_INT(strstr(str_text(&s.view.popup.text), "path q") == NULL,
		s.answers.result->finding[s.view.selected].proof.violated[0].equality);
	s.view.popup.kind = POPUP_NONE;
	state_act(&s, ACTION_constraints);
	state_choose(&s, PANE_CONSTRAINTS, 0);
	s.view.constraint = row;
	state_act(&s, ACTION_details);
	CHECK_INT(s.view.popup.kind, POPUP_CONSTRAINT);
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK_INT(s.view.popup.kind, POPUP_WITNESS); /* for both sides */
	CHECK(strstr(str_text(&s.view.popup.text), "path p") && strstr(str_text(&s.view.popup.text), "path q"));
	state_free(&s);
}

/* Details that the screen shows are requested one by one; never those that are known or not visible. */
static void
requests_follow_the_screen(void)
{
	struct state s;
	struct detail q;
	size_t n, asked = 0;
	const size_t *counter;
	struct constraint_detail *t;

	open_session(&s);
	take_a_result(&s);
	q = state_next_detail(&s); /* what would relax the constraint that refutes the observation */
	CHECK_INT(q.kind, DETAIL_TOUCH);
	CHECK_INT(q.index, state_why_row(&s));
	CHECK(!state_show_relaxers(&s, q.index, NULL)); /* not known yet */
	/* a screen that does not show it */
	shown_layout(&s)->visible = PANE_BIT(PANE_FEATURES) | PANE_BIT(PANE_WITNESS);
	CHECK_INT(state_next_detail(&s).kind, DETAIL_WITNESS);
	shown_layout(&s)->visible = PANE_BIT(PANE_FEATURES); /* a small screen */
	CHECK_INT(state_next_detail(&s).kind, DETAIL_NONE);
	state_act(&s, ACTION_constraints);
	state_act(&s, ACTION_last); /* a constraint over one counter */
	q = state_next_detail(&s);
	CHECK_INT(q.kind, DETAIL_TOUCH);
	CHECK_INT(q.index, s.view.constraint);
	t = mem_new(sizeof *t);
	t->constraint = q.index;
	state_take_touch(&s, t);
	while ((q = state_next_detail(&s)).kind == DETAIL_LOSS && asked < 10) {
		CHECK(state_constraint(&s)->c->coef[q.index]);
		state_refuse(&s, q); /* a refused request is not repeated */
		asked++;
	}
	CHECK_INT(q.kind, DETAIL_NONE);
	CHECK_INT(asked, state_constraint(&s)->n_counters);
	state_act(&s, ACTION_lose);
	CHECK_INT(s.view.popup.kind, POPUP_LOSS);
	counter = state_counters(&s, &n);
	state_act(&s, ACTION_last);
	CHECK_INT(s.view.popup.cursor, (int)n - 1);
	q = state_next_detail(&s);
	CHECK_INT(q.kind, DETAIL_LOSS);
	CHECK_INT(q.index, counter[n - 1]); /* the selected one first */
	CHECK(state_wants_answer(&s, q));
	state_act(&s, ACTION_back);
	CHECK(!state_wants_answer(&s, q));
	t = s.answers.touch[s.view.constraint];
	take_a_result(&s); /* the same cone and verdicts again: answers stay */
	CHECK(t && s.answers.touch[s.view.constraint] == t);
	CHECK_INT(state_next_detail(&s).kind, DETAIL_NONE);
	fset_put(&s.question.on, 0, true);
	take_a_result(&s); /* another choice of features: the answers are gone */
	CHECK_INT(state_next_detail(&s).kind, DETAIL_TOUCH);
	s.answers.asked = state_next_detail(&s);
	state_act(&s, ACTION_stop);
	CHECK(requests_find(&s.requests, REQUEST_STOP));
	fset_put(&s.question.on, 0, false); /* the result is out of date: no details of it are requested */
	CHECK_INT(state_next_detail(&s).kind, DETAIL_NONE);
	state_free(&s);
}

/* Axes: the best pair, the next one, the two sides of a constraint, and none without an answer. */
static void
axes_of_the_plot(void)
{
	struct state s;
	struct geometry *g = mem_new(sizeof *g);
	struct plane p;

	open_session(&s);
	take_a_result(&s);
	s.view.came_from = VIEW_START;
	state_act(&s, ACTION_geometry);
	CHECK_INT(s.view.current, VIEW_GEOMETRY);
	CHECK_INT(state_next_detail(&s).kind, DETAIL_GEOMETRY);
	CHECK(!state_plane(&s, &p));
	g->finding = s.view.selected;
	g->n = 3;
	g->counter = mem_new_array(3, sizeof *g->counter);
	g->mean = mem_new_array(3, sizeof *g->mean);
	g->pair = mem_new_array(3, sizeof *g->pair);
	g->n_pairs = g->all_pairs = 3;
	g->showing = 2;
	for (size_t i = 0; i < 3; i++)
		g->counter[i] = i;
	g->pair[0] = (struct geometry_pair){.x = 2, .y = 1, .margin = 0.3};
	g->pair[1] = (struct geometry_pair){.x = 0, .y = 2, .margin = 0.1};
	g->pair[2] = (struct geometry_pair){.x = 0, .y = 1, .margin = -0.1};
	state_take_geometry(&s, g);
	CHECK_INT(state_next_detail(&s).kind, DETAIL_TOUCH); /* what repairs the constraint */
	if (CHECK(state_plane(&s, &p)))
		CHECK(p.x[2] == 1 && p.y[1] == 1 && !p.sides && plane_pair(g, &p) == 0);
	plane_clear(&p);
	state_act(&s, ACTION_best_pair); /* the next pair that shows the refutation */
	CHECK(s.view.plot.chosen && s.view.plot.axis[0] == 0 && s.view.plot.axis[1] == 2);
	state_act(&s, ACTION_best_pair); /* only two show it: the first one again */
	CHECK(!s.view.plot.chosen);
	state_act(&s, ACTION_axis_right); /* from 2 to 0 */
	CHECK(s.view.plot.axis[0] == 0 && s.view.plot.axis[1] == 1);
	state_act(&s, ACTION_axis_right); /* 1 is left out, because y shows it */
	CHECK(s.view.plot.axis[0] == 2 && s.view.plot.axis[1] == 1);
	state_act(&s, ACTION_axis_up);
	CHECK(s.view.plot.axis[0] == 2 && s.view.plot.axis[1] == 0);
	shown_layout(&s)->zoom = ZOOM_WHOLE;
	state_act(&s, ACTION_zoom);
	CHECK_INT(s.view.plot.zoom, ZOOM_REGION);
	state_act(&s, ACTION_boxes);
	CHECK_INT(s.view.plot.boxes, BOXES_BOTH);
	take_a_result_of(&s, 1); /* after new samples the old picture stays until the new one comes */
	CHECK(state_geometry(&s) == g);
	CHECK_INT(state_next_detail(&s).kind, DETAIL_GEOMETRY);
	state_refuse(&s, state_next_detail(&s));
	CHECK_INT(state_next_detail(&s).kind, DETAIL_TOUCH);
	state_refuse(&s, state_next_detail(&s));
	CHECK_INT(state_next_detail(&s).kind, DETAIL_NONE);
	CHECK(!state_plane(&s, &p));
	state_act(&s, ACTION_stop); /* Esc */
	CHECK_INT(s.view.current, VIEW_MODELS);
	state_act(&s, ACTION_constraints);
	state_act(&s, ACTION_show);
	CHECK_INT(s.view.current, VIEW_GEOMETRY);
	CHECK(s.view.plot.row != NULL);
	state_act(&s, ACTION_stop);
	CHECK_INT(s.view.current, VIEW_CONSTRAINTS);
	state_free(&s);
}

TEST_MAIN(CASE(axes_of_the_plot), CASE(a_toggle_keeps_the_rules), CASE(a_variant_is_chosen),
	CASE(the_tree_folds_and_is_searched), CASE(all_events_are_found_and_counted), CASE(a_prompt_takes_characters),
	CASE(back_before_leaving), CASE(the_start_screen_opens_things), CASE(themes_are_tried_before_they_are_kept),
	CASE(tabs_are_of_what_is_open), CASE(the_history_is_bounded_and_even), CASE(views_are_switched),
	CASE(a_jump_comes_back), CASE(flow_is_requested), CASE(phases_unfold), CASE(marks_restrict_what_is_counted),
	CASE(why_shows_its_witnesses), CASE(requests_follow_the_screen), CASE(lists_are_made_once),
	CASE(stamps_tell_changes_apart))
