/* Undo and redo: each kind of choice, what is said, and random sequences that lead back to the same cells. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "draw/cell.h"
#include "draw/view/view.h"
#include "draw/view/view_table.h"
#include "explorer/state/state.h"
#include "explorer/state/state_columns.h"
#include "explorer/state/state_rows.h"
#include "explorer/state/state_search.h"
#include "explorer/state/state_views.h"
#include "explorer/state/undo_steps.h"
#include "open_session.h"
#include "test.h"
#include "work/search/search.h"

/* As in state_search.c: a and b each make an observation feasible, c changes nothing. */
static const char model_text[] =
	"model m; feature a \"more\"; feature b \"alone\"; feature c \"nothing new\" requires b;\n"
	"variant base { }; variant more { a };\n"
	"path p { count x; switch (K) { case One: count one; case None: case Two when a: count one; count one; } }\n"
	"path q when b { count y; }\n"
	"path r when c { count y; }\n";

static struct analysis *
with_data(struct state *s)
{
	static const char *const column[] = {"x", "one", "y"};
	static const int64_t count[4][3] = {{5, 9, 0}, {5, 3, 0}, {5, 3, 2}, {6, 4, 0}};
	struct obs_table *t = obs_table_new(column, 3);
	struct analysis *a = analysis_new(s->question.model, &s->question.how);

	for (size_t i = 0; i < 4; i++) {
		struct obs *o = obs_table_add(t, (char[]){'p', (char)('0' + i), '\0'}, "test");

		o->exact = true;
		obs_add_row(o, count[i], NULL, 0);
	}
	analysis_set_table(a, 0, t);
	return a;
}

/* Answers what is requested, as control and engine do. */
static void
answer(struct state *s)
{
	const struct request *asked = requests_find(&s->requests, REQUEST_SEARCH);
	struct search_request r = {.task = asked ? (enum search_task)asked->number : SEARCH_NONE};

	if (requests_find(&s->requests, REQUEST_RESULT)) {
		struct analysis *a = with_data(s);
		struct result *result = analysis_run(a, &s->question.on, NULL);

		result->seconds = 0;
		state_take_result(s, result);
		analysis_free(a);
	}
	if (r.task != SEARCH_NONE) {
		struct analysis *a = with_data(s);
		struct search *found;
		struct search_graph *graph;

		r.on = s->question.on;
		r.fixed = s->question.pinned;
		found = search_run_task(a, &r, NULL);
		graph = search_take_graph(found);
		graph->seconds = 0;
		state_search_began(s, r.task);
		state_take_search(s, graph);
		search_free(found);
		analysis_free(a);
	}
	requests_clear(&s->requests);
}

static void
act(struct state *s, enum action a)
{
	state_act(s, a);
	answer(s);
}

static void
begin(struct state *s)
{
	open_session_with(s, model_text);
	s->column = view_column;
	state_request(s, REQUEST_RESULT);
	answer(s);
}

static void
features_come_back(void)
{
	struct state s;

	begin(&s);
	state_act(&s, ACTION_undo);
	CHECK(strstr(s.view.message.text, "nothing to undo"));
	act(&s, ACTION_toggle);
	CHECK_INT(s.answers.search.graph->n_models, 2);
	state_act(&s, ACTION_undo);
	CHECK(fset_is_empty(s.question.on));
	CHECK(requests_find(&s.requests, REQUEST_RESULT));
	CHECK_STR(s.view.message.text, "undone: feature a is off again (Ctrl-R redoes)");
	answer(&s);
	CHECK_INT(s.answers.search.graph->n_models, 1);
	CHECK_INT(s.answers.search.graph->n_edges, 0);
	state_act(&s, ACTION_redo);
	CHECK(fset_has(&s.question.on, 0));
	CHECK_STR(s.view.message.text, "redone: feature a is on (U undoes)");
	answer(&s);
	CHECK_INT(s.answers.search.graph->n_models, 2);
	CHECK_INT(s.answers.search.graph->n_edges, 1);
	state_act(&s, ACTION_redo);
	CHECK(strstr(s.view.message.text, "nothing to redo"));
	act(&s, ACTION_variant);
	state_prompt_key(&s, PROMPT_ENTER); /* base */
	answer(&s);
	CHECK(fset_is_empty(s.question.on));
	act(&s, ACTION_pin);
	act(&s, ACTION_undo);
	CHECK(fset_is_empty(s.question.pinned));
	CHECK_STR(s.view.message.text, "undone: feature a is not pinned again (2 more; Ctrl-R redoes)");
	act(&s, ACTION_undo);
	CHECK(fset_has(&s.question.on, 0));
	act(&s, ACTION_mark); /* another change: what was undone is gone */
	state_act(&s, ACTION_redo);
	CHECK(strstr(s.view.message.text, "nothing to redo"));
	state_free(&s);
}

static void
what_was_stopped_is_no_step(void)
{
	struct state s;

	begin(&s);
	act(&s, ACTION_toggle);
	state_act(&s, ACTION_down);
	state_act(&s, ACTION_toggle);
	state_revert(&s); /* Esc before the answer */
	requests_clear(&s.requests);
	CHECK(fset_has(&s.question.on, 0) && !fset_has(&s.question.on, 1));
	state_act(&s, ACTION_undo);
	CHECK(fset_is_empty(s.question.on));
	state_free(&s);
}

static void
orders_filters_and_columns_come_back(void)
{
	struct state s;
	enum observation_sort sort;

	begin(&s);
	sort = s.view.sort.observations;
	state_act(&s, ACTION_observations);
	state_act(&s, ACTION_sort);
	state_act(&s, ACTION_filter);
	answer_prompt(&s, "p1");
	CHECK_STR(s.view.filter[VIEW_OBSERVATIONS], "p1");
	state_act(&s, ACTION_filter);
	state_input(&s, '0');
	state_prompt_key(&s, PROMPT_ESCAPE); /* as before: no step */
	state_act(&s, ACTION_columns);
	state_act(&s, ACTION_down);
	state_act(&s, ACTION_column_hide);
	CHECK(s.view.columns.of[PANE_LIST].n > 0);
	state_act(&s, ACTION_undo);
	CHECK_INT(s.view.columns.of[PANE_LIST].n, 0);
	CHECK(strstr(s.view.message.text, "the built-in columns of 3 Observations"));
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_undo);
	CHECK(!s.view.filter[VIEW_OBSERVATIONS]);
	CHECK_STR(s.view.message.text, "undone: no filter in 3 Observations (1 more; Ctrl-R redoes)");
	state_act(&s, ACTION_undo);
	CHECK_INT(s.view.sort.observations, sort);
	state_act(&s, ACTION_redo);
	state_act(&s, ACTION_redo);
	CHECK_STR(s.view.message.text, "redone: filter \"p1\" in 3 Observations (1 more; U undoes)");
	CHECK_STR(s.view.filter[VIEW_OBSERVATIONS], "p1");
	state_act(&s, ACTION_redo);
	CHECK(s.view.columns.of[PANE_LIST].n > 0);
	state_free(&s);
}

static void
marks_come_back(void)
{
	struct state s;

	begin(&s);
	state_act(&s, ACTION_observations);
	state_act(&s, ACTION_mark);
	state_act(&s, ACTION_down);
	state_act(&s, ACTION_mark);
	state_act(&s, ACTION_unmark);
	CHECK_INT(state_count_marked(&s), 0);
	state_act(&s, ACTION_undo);
	CHECK_INT(state_count_marked(&s), 2);
	CHECK(strstr(s.view.message.text, "2 observations are marked"));
	state_act(&s, ACTION_undo);
	CHECK_INT(state_count_marked(&s), 1);
	CHECK(strstr(s.view.message.text, "is not marked"));
	state_free(&s);
}

static void
notes_come_back(void)
{
	struct state s;
	char *id;

	begin(&s);
	state_act(&s, ACTION_find_next);
	answer_prompt(&s, "first");
	state_act(&s, ACTION_note_session);
	answer_prompt(&s, "whole");
	id = mem_str(s.question.remarks.remark[1].id);
	s.question.remarks.touched = s.question.remarks.remark[1].unsaved = false;
	state_act(&s, ACTION_notes);
	state_act(&s, ACTION_down);
	state_act(&s, ACTION_note_delete);
	CHECK_INT(s.question.remarks.n, 1);
	CHECK_INT(s.question.remarks.n_gone, 1);
	state_act(&s, ACTION_undo);
	if (CHECK_INT(s.question.remarks.n, 2)) {
		CHECK_STR(s.question.remarks.remark[1].id, id);
		CHECK_STR(s.question.remarks.remark[1].text, "whole");
		CHECK(s.question.remarks.touched && s.question.remarks.remark[1].unsaved);
	}
	CHECK_INT(s.question.remarks.n_gone, 0); /* the file keeps it */
	CHECK(strstr(s.view.message.text, "the note is back"));
	state_act(&s, ACTION_undo);
	state_act(&s, ACTION_undo);
	CHECK_INT(s.question.remarks.n, 0);
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	CHECK_INT(s.question.remarks.n_gone, 2);
	state_act(&s, ACTION_redo);
	CHECK_STR(s.question.remarks.remark[0].text, "first");
	free(id);
	state_free(&s);
}

static void
searches_come_back(void)
{
	struct state s;
	size_t models;

	begin(&s);
	state_act(&s, ACTION_auto);
	state_search_began(&s, SEARCH_AUTO);
	requests_clear(&s.requests);
	state_act(&s, ACTION_undo);
	CHECK(strstr(s.view.message.text, "a search is running"));
	state_search_ended(&s);
	act(&s, ACTION_auto);
	models = s.answers.search.graph->n_models;
	CHECK(models > 2 && s.answers.search.graph->complete);
	act(&s, ACTION_undo);
	CHECK_INT(s.answers.search.graph->n_models, 1);
	CHECK(strstr(s.view.message.text, "as before the search"));
	state_take_late_search(&s, search_graph_new()); /* is not taken */
	CHECK_INT(s.answers.search.graph->n_models, 1);
	act(&s, ACTION_redo);
	CHECK_INT(s.answers.search.graph->n_models, models);
	CHECK(s.answers.search.graph->complete);
	state_free(&s);
}

static void
phases_bring_their_graph_back(void)
{
	struct state s;

	begin(&s);
	s.question.how.split_phases = true; /* without it, there must be observations with phases */
	act(&s, ACTION_auto);
	state_act(&s, ACTION_observations);
	state_act(&s, ACTION_unfold);
	CHECK(!s.question.how.split_phases && !s.answers.search.graph);
	state_act(&s, ACTION_undo);
	CHECK(s.question.how.split_phases);
	CHECK(s.answers.search.graph && s.answers.search.graph->complete);
	CHECK(requests_find(&s.requests, REQUEST_LOAD) && requests_find(&s.requests, REQUEST_RESULT));
	state_free(&s);
}

static void
the_list_is_bounded(void)
{
	struct state s;
	size_t n = 0;

	begin(&s);
	for (size_t i = 0; i < UNDO_STEPS + 50; i++)
		state_act(&s, ACTION_pin);
	for (; !state_undo_reason(&s); n++)
		state_act(&s, ACTION_undo);
	CHECK_INT(n, UNDO_STEPS);
	state_forget(&s); /* another model: the steps are about this one */
	CHECK(state_undo_reason(&s) && state_redo_reason(&s));
	state_free(&s);
}

/* --- random sequences --------------------------------------------------------------------------------------------- */

/* What is not undone: where the user is. */
struct place {
	enum view view;
	enum pane_id focus;
	int cursor[PANE_COUNT];
	size_t selected, constraint;
	bool chose_constraint;
};

static struct place
place_of(const struct state *s)
{
	struct place p = {.view = s->view.current, .focus = s->view.focus, .selected = s->view.selected,
		.constraint = s->view.constraint, .chose_constraint = s->view.chose_constraint};

	memcpy(p.cursor, s->view.cursor, sizeof p.cursor);
	return p;
}

/* The cells of three views, seen from this place. */
static struct str
cells(struct state *s, const struct place *p)
{
	static const enum view view[] = {VIEW_MODELS, VIEW_CONSTRAINTS, VIEW_OBSERVATIONS};
	struct grid *grid = grid_new(120, 40, false);
	struct str all = {0};
	struct drawn drawn;

	state_say_nothing(s);
	state_close_popup(s);
	s->view.selected = p->selected;
	s->view.constraint = p->constraint;
	s->view.chose_constraint = p->chose_constraint;
	for (size_t i = 0; i < 3; i++) {
		memcpy(s->view.cursor, p->cursor, sizeof p->cursor);
		s->view.current = view[i];
		s->view.focus = view_row(view[i])->first;
		draw_screen(s, grid, &drawn);
		grid_text(grid, &all);
		for (int c = 0; c < grid->w * grid->h; c++) {
			str_addc(&all, (char)('a' + grid->cell[c].fg));
			str_addc(&all, (char)('a' + grid->cell[c].attr));
		}
	}
	s->view.current = p->view;
	s->view.focus = p->focus;
	grid_free(grid);
	return all;
}

static void
random_act(struct state *s, uint64_t *random)
{
	static const char *const words[] = {"p", "p1", "x", "", "*"};
	const char *word = words[test_random(random) % 5];
	enum view view = test_random(random) % 2 ? VIEW_OBSERVATIONS : VIEW_CONSTRAINTS;
	size_t turns = test_random(random) % 4;

	state_act(s, ACTION_models);
	s->view.focus = PANE_FEATURES;
	switch (test_random(random) % 14) {
	case 0:
	case 1:
	case 2:
		state_choose(s, PANE_FEATURES, (int)(turns % 3));
		act(s, ACTION_toggle);
		break;
	case 3:
		act(s, ACTION_pin);
		break;
	case 4:
		act(s, ACTION_variant);
		state_prompt_key(s, PROMPT_ENTER);
		answer(s);
		break;
	case 5:
		act(s, turns == 0 ? ACTION_auto : turns == 1 ? ACTION_discover : ACTION_eliminate);
		break;
	case 6:
		act(s, ACTION_take);
		break;
	case 7:
		s->view.focus = PANE_SEARCH;
		if (state_list_length(s) > 0) {
			state_choose(s, PANE_SEARCH, (int)turns % state_list_length(s));
			act(s, ACTION_to_model);
		}
		break;
	case 8:
		state_act(s, view == VIEW_OBSERVATIONS ? ACTION_observations : ACTION_constraints);
		act(s, ACTION_sort);
		break;
	case 9:
		state_act(s, view == VIEW_OBSERVATIONS ? ACTION_observations : ACTION_constraints);
		act(s, ACTION_filter);
		answer_prompt(s, word);
		break;
	case 10:
		state_act(s, ACTION_observations);
		act(s, ACTION_mark);
		act(s, turns ? ACTION_down : ACTION_unmark);
		break;
	case 11:
		act(s, turns ? ACTION_find_next : ACTION_note_session);
		answer_prompt(s, word);
		break;
	case 12:
		act(s, ACTION_notes);
		if (s->view.popup.kind == POPUP_NOTES)
			act(s, ACTION_note_delete);
		state_close_popup(s);
		break;
	default:
		state_act(s, view == VIEW_OBSERVATIONS ? ACTION_observations : ACTION_constraints);
		act(s, ACTION_columns);
		for (size_t i = 0; i < turns; i++)
			act(s, ACTION_down);
		act(s, turns % 2 ? ACTION_column_hide : ACTION_column_right);
		state_close_popup(s);
	}
}

static void
random_sequences_lead_back(void)
{
	uint64_t random = 25;
	int sequences = 1000;

	for (int i = 0; i < sequences; i++) {
		struct state s;
		struct place first, last;
		struct str before, after, undone, redone;
		uint64_t seed = random;

		begin(&s);
		first = place_of(&s);
		before = cells(&s, &first);
		for (size_t n = 1 + test_random(&random) % 12; n > 0; n--)
			random_act(&s, &random);
		last = place_of(&s);
		after = cells(&s, &last);
		while (!state_undo_reason(&s))
			act(&s, ACTION_undo);
		undone = cells(&s, &first);
		while (!state_redo_reason(&s))
			act(&s, ACTION_redo);
		redone = cells(&s, &last);
		if (!test_check(str_eq(before.s, undone.s), __FILE__, __LINE__, "undone all, seed %llu: other cells",
			    (unsigned long long)seed) ||
			!test_check(str_eq(after.s, redone.s), __FILE__, __LINE__, "redone all, seed %llu: other cells",
				(unsigned long long)seed))
			sequences = i;
		str_free(&before);
		str_free(&after);
		str_free(&undone);
		str_free(&redone);
		state_free(&s);
	}
}

TEST_MAIN(CASE(features_come_back), CASE(what_was_stopped_is_no_step), CASE(orders_filters_and_columns_come_back),
	CASE(marks_come_back), CASE(notes_come_back), CASE(searches_come_back), CASE(phases_bring_their_graph_back),
	CASE(the_list_is_bounded), CASE(random_sequences_lead_back))
