#include "explorer/state/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "core/obs/obs.h"
#include "core/search/search_graph.h"
#include "core/spec/spec.h"
#include "core/udd/alternatives.h"
#include "core/udd/model.h"
#include "core/udd/outline.h"
#include "explorer/state/question.h"
#include "explorer/state/lesson_play.h"
#include "explorer/state/requests.h"
#include "explorer/state/screen_layout.h"
#include "explorer/state/shown.h"
#include "explorer/state/state_answers.h"
#include "explorer/state/state_catalogue.h"
#include "explorer/state/state_events.h"
#include "explorer/state/state_instructions.h"
#include "explorer/state/state_intervals.h"
#include "explorer/state/state_leave.h"
#include "explorer/state/state_nodes.h"
#include "explorer/state/state_palette.h"
#include "explorer/state/state_diff.h"
#include "explorer/state/state_probes.h"
#include "explorer/state/state_search.h"
#include "explorer/state/state_texts.h"
#include "explorer/state/state_timeline.h"
#include "explorer/state/state_tree.h"
#include "explorer/state/undo_steps.h"
#include "work/fit/fitting.h"
#include "work/run/run.h"
#include "work/timeline/timeline.h"
#include "work/trust/known.h"
#include "work/trust/table.h"

void
state_init(struct state *s)
{
	*s = (struct state){.layout = &layout_initial,
		.shown = shown_new(),
		.undo = undo_new(),
		.view.frame.motion = true,
		.view.frame.program = program_version,
		.view.frame.usual_theme = "dark",
		.view.timeline.compared = TIMELINE_NONE};
}

void
state_forget(struct state *state)
{
	struct plot_view *view = &state->view.plot;

	state_undo_forget(state);
	state_forget_events(state); /* they name the model's counters */
	state_forget_runs(state); /* before the network that flows use */
	state_timeline_forget(state);
	state_forget_answers(state);
	state_forget_search(state);
	state->question.pinned = (struct fset){0};
	free(state->answers.witness.text);
	state->answers.witness.text = NULL;
	for (size_t i = 0; i < state->data.n_tables; i++)
		obs_table_free(state->data.table[i]);
	free(state->data.table);
	state->data.table = NULL;
	state->data.n_tables = 0;
	udd_outline_free(state->question.outline);
	state->question.outline = NULL;
	udd_free(state->question.model);
	state->question.model = NULL;
	for (size_t i = 0; i < state->question.n_retired; i++)
		udd_free(state->question.retired[i]);
	free(state->question.retired);
	state->question.retired = NULL;
	state->question.n_retired = 0;
	bundle_free(&state->question.bundle);
	analysis_options_free(&state->question.how);
	free(state->view.tree.folded);
	state->view.tree.folded = NULL;
	search_graph_free(state->answers.search.graph);
	state->answers.search.graph = NULL;
	free(state->data.so_far.total);
	free(state->data.so_far.counted);
	state->data.so_far.total = NULL;
	state->data.so_far.counted = NULL;
	state->view.tree.n = 0;
	state_forget_history(state);
	free(view->row);
	view->row = NULL;
	view->chosen = false;
	free(state->view.marks.on);
	state->view.marks.on = NULL;
	state->view.marks.n = 0;
	state->view.selected = state->view.constraint = 0;
	state->data.had_run = state->view.chose_constraint = false;
	memset(state->view.cursor, 0, sizeof state->view.cursor);
	state_want_nothing(state);
	state_shown_changed(state);
}

void
state_free(struct state *state)
{
	state_forget(state);
	state_forget_subject(state);
	state_set_probes(state, NULL);
	state_set_contest(state, NULL);
	state_set_sliced(state, NULL);
	state_set_slicing(state, NULL);
	state_set_catalogue(state, NULL);
	free(state->view.events.folded);
	free(state->view.events.words);
	fitting_free(state->view.events.fitting);
	state_added_put(state, &(const struct str){0});
	trust_table_free(state->data.repeated);
	trust_known_free(state->data.known);
	str_free(&state->data.output);
	str_free(&state->data.run_notes);
	free(state->data.history.point);
	free(state->data.history.of);
	str_free(&state->answers.log);
	str_free(&state->view.prompt.input);
	state_prompt_forget(state);
	for (size_t i = 0; i < PROMPTS_PAST; i++)
		free(state->view.prompt.past[i]);
	str_free(&state->view.popup.text);
	palette_free(state->view.popup.palette);
	state_intervals_forget(state);
	state_set_instructions(state, NULL);
	remarks_free(&state->question.remarks);
	state_lesson_free(state->lesson);
	free(state->view.prompt.noting_what);
	free(state->data.saved.in);
	free(state->data.saved.end);
	state_set_texts(state, NULL, 0);
	state_forget_waiting(state);
	requests_clear(&state->requests);
	openables_free(&state->data.home.of);
	shown_free(state->shown);
	state->shown = NULL;
	undo_free(state->undo);
	state->undo = NULL;
}

void
state_set_subject(struct state *s, const struct subject *x)
{
	subject_clear(&s->question.subject);
	s->question.subject = *x;
}

void
state_set_command(struct state *s, char **argv)
{
	str_split_free(s->question.subject.argv);
	s->question.subject.argv = argv;
}

void
state_set_sampling(struct state *s, const struct sampling *x)
{
	s->question.sampling = *x;
}

void
state_add_recorded(struct state *s, struct obs_table *t)
{
	struct data *d = &s->data;

	d->table = mem_resize(d->table, d->n_tables + 1, sizeof *d->table);
	d->table[d->n_tables++] = t;
}

void
state_set_recorded(struct state *s, struct obs_table **table, size_t n, char *name)
{
	s->data.table = table;
	s->data.n_tables = n;
	s->data.name = name;
}

void
state_add_point(struct state *state, const struct verdict_point *point)
{
	struct verdict_history *history = &state->data.history;
	size_t n = history->n;

	if (n >= 2 && point->seconds - history->point[n - 2].seconds < history->step) {
		history->point[n - 1] = *point; /* the newest verdict is always kept */
		return;
	}
	if (n >= VERDICT_POINTS_MOST) {
		history->step = (history->point[n - 1].seconds - history->point[0].seconds) / (VERDICT_POINTS_MOST / 2);
		for (size_t i = 0; i < n / 2; i++)
			history->point[i] = history->point[2 * i];
		history->n /= 2;
	}
	mem_grow(&history->point, &history->cap, history->n + 1, sizeof *history->point);
	history->point[history->n++] = *point;
}

void
state_set_model(struct state *state, struct bundle *bundle, struct udd_model *model, const struct analysis_options *how,
	const struct fset *on)
{
	state_forget(state);
	state->question.bundle = *bundle;
	*bundle = (struct bundle){0};
	state->question.model = model;
	state->question.how = *how;
	state->question.on = *on;
	if (udd_has_alternatives(model) && !fset_count(on))
		udd_flip(model, &state->question.on, 0);
	state->view.current = VIEW_MODELS;
	state->view.came_from = VIEW_START;
	state->view.focus = PANE_FEATURES;
	state->view.popup.kind = POPUP_NONE;
	state_make_outline(state);
	state_request(state, REQUEST_LOAD);
	state_request(state, REQUEST_RESULT);
}

uint64_t
state_scope(const struct state *s)
{
	if (s->view.popup.kind == POPUP_PROMPT || s->view.popup.kind == POPUP_PALETTE)
		return 0;
	if (s->view.popup.kind == POPUP_HELP)
		return IN_HELP;
	if (s->view.popup.kind != POPUP_NONE)
		return IN_POPUP;
	if (s->view.current == VIEW_START)
		return IN_START;
	return PANE_BIT(state_pane(s));
}

void
state_forget_subject(struct state *state)
{
	subject_clear(&state->question.subject);
	free(state->data.name);
	state->data.name = NULL;
	str_clear(&state->data.output);
	state->data.output_total = 0;
	str_clear(&state->data.run_notes);
	state->question.sampling.samples = 0;
	state->question.sampling.duration = 0;
	free(state->view.find);
	state->view.find = NULL;
	for (int v = 0; v < VIEW_COUNT; v++) {
		free(state->view.filter[v]);
		state->view.filter[v] = NULL;
	}
	state_leave_forget(state);
	state->view.message.text[0] = '\0';
}

static bool
network_tells_stalls(const struct network *net)
{
	bool some = false;

	for (size_t m = 0; m < net->n_modules; m++)
		for (size_t k = 0; k < net->n_kinds; k++)
			some |= net->module[m].cell[k].field[NET_STALL] != NULL;
	return some;
}

void
state_open_timeline(struct state *state, struct network *net, struct text *net_text, struct stack *stack,
	struct text *stack_text)
{
	struct timeline_view *view = &state->view.timeline;

	state_forget(state);
	state->question.network_text = *net_text;
	*net_text = (struct text){0};
	state->data.timeline = timeline_new(net, NULL);
	if (stack)
		state_add_stack(state, stack, stack_text);
	view->normalised = net && network_tells_stalls(net); /* a network's bars are shares, a stack's are amounts */
	if (net)
		view->unfolded = mem_new_array(net->n_modules, sizeof *view->unfolded);
	state->view.current = net ? VIEW_PATHS : VIEW_STALLS;
	state->view.came_from = VIEW_START;
	state->view.focus = net ? PANE_NETWORK : PANE_BARS;
	if (stack)
		state_look_at_tree(state);
	state->view.popup.kind = POPUP_NONE;
}
