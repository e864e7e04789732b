#include "explorer/state/state_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "core/udd/outline.h"
#include "explorer/state/pane.h"
#include "explorer/state/requests.h"
#include "explorer/state/screen_layout.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_tree.h"
#include "explorer/state/undo_steps.h"
#include "work/search/search.h"

#define NONE SIZE_MAX

void
state_forget_search(struct state *state)
{
	struct search_answers *found = &state->answers.search;

	search_graph_free(found->graph);
	found->graph = NULL;
	found->data = 0;
	state->view.search.all = state->view.search.follows = false;
	found->task = SEARCH_NONE;
	requests_drop(&state->requests, REQUEST_SEARCH);
	state->view.cursor[PANE_SEARCH] = 0;
	state_shown_changed(state);
}

static struct search_graph *
graph_for(const struct result *r)
{
	struct search_graph *g = search_graph_new();

	g->n_observations = r->n_findings;
	g->observation = mem_new_array(r->n_findings, sizeof *g->observation);
	for (size_t i = 0; i < r->n_findings; i++)
		g->observation[i] = mem_str(r->finding[i].name);
	return g;
}

/* Among the findings that refute the model, the one with the largest violation. */
static const struct finding *
worst_of(const struct result *result)
{
	const struct finding *worst = NULL;

	for (size_t i = 0; i < result->n_findings; i++) {
		const struct finding *finding = &result->finding[i];

		if (finding->verdict == VERDICT_INFEASIBLE && finding->proof.n_violated &&
			(!worst || finding->proof.violated->margin > worst->proof.violated->margin))
			worst = finding;
	}
	return worst;
}

/* Replaces the graph's verdicts on that model by the result's. */
static void
fill_model(struct search_graph_model *model, const struct result *result)
{
	const struct finding *worst = worst_of(result);

	model->usable = true;
	model->cone = result->cone;
	model->infeasible = result->count[VERDICT_INFEASIBLE];
	model->survives = model->infeasible == 0;
	free(model->refuted);
	model->n_words = (result->n_findings + 63) / 64;
	model->refuted = mem_new_array(model->n_words, sizeof *model->refuted);
	for (size_t i = 0; i < result->n_findings; i++)
		if (result->finding[i].verdict == VERDICT_INFEASIBLE)
			model->refuted[i / 64] |= UINT64_C(1) << (i % 64);
	free(model->worst);
	free(model->worst_by);
	model->worst = worst ? mem_str(worst->proof.violated->text) : NULL;
	model->worst_by = worst ? mem_str(worst->name) : NULL;
}

static void
state_search_add_edge(struct search_graph *g, size_t from, size_t to)
{
	struct search_graph_edge e = {.from = from, .to = to, .step = GRAPH_CHOSEN,
		.changed = fset_xor(g->model[from].on, g->model[to].on)};

	g->edge = mem_resize(g->edge, g->n_edges + 1, sizeof *g->edge);
	g->edge[g->n_edges++] = e;
}

static void
state_search_add_model(struct search_graph *graph, const struct result *result, const struct fset *from)
{
	size_t at = search_graph_find(graph, &result->on), came = search_graph_find(graph, from);
	bool there = at < graph->n_models;

	if (!there) {
		graph->model = mem_resize(graph->model, graph->n_models + 1, sizeof *graph->model);
		graph->model[graph->n_models++] = (struct search_graph_model){
			.on = result->on, .step = graph->n_models > 1 ? GRAPH_CHOSEN : GRAPH_START};
	}
	fill_model(&graph->model[at], result);
	if (!there && came < at)
		state_search_add_edge(graph, came, at);
}

void
state_note_model(struct state *state, const struct fset *from)
{
	struct search_answers *found = &state->answers.search;
	const struct result *result = state->answers.result;
	struct fset begin = *from, under;
	bool follows;
	size_t at;

	if (!result || result->error || !result->n_findings)
		return;
	if (found->graph && !search_same_observations(found->graph, result)) {
		if (found->graph->task != SEARCH_NONE) { /* a search is kept until the next one is asked for */
			found->data = found->data ? found->data : UINT64_MAX; /* generation 0: of no result */
			return;
		}
		state_forget_search(state);
	}
	if (!found->graph) {
		found->graph = graph_for(result);
		begin = result->on;
	}
	if (!found->data || found->graph->n_models <= 1)
		found->data = state->answers.stamp.data;
	found->graph->undecided = result->count[VERDICT_UNDECIDED];
	at = found->graph->n_models;
	follows = state_search_cursor(state, &under);
	state_search_add_model(found->graph, result, &begin);
	if (at == 0)
		found->graph->model[0].step = GRAPH_START;
	state_shown_changed(state);
	if (state->view.search.follows)
		state->view.search.follows = !state_search_put_cursor(state, &result->on);
	else if (follows)
		state_search_put_cursor(state, &under);
}

/* A search starts from a result. There is none yet if the first one was stopped: then it is computed first. */
static void
add_search(struct state *s, enum search_task task)
{
	if (!s->answers.result && !s->answers.progress.busy)
		state_request(s, REQUEST_RESULT);
	requests_add(&s->requests, REQUEST_SEARCH, task, NULL);
}

void
state_ask_search(struct state *state, enum search_task task)
{
	struct err e = {0};
	/* while unknown, the engine will report it */
	const struct result *result = state_stale(state) ? NULL : state->answers.result;

	if (state->answers.search.task == task)
		state_say(state, false, "a search runs; Esc stops it");
	else if (state->question.model->form == UDD_FORM_FDL_FOLDER && !search_can(state->question.model, &e))
		state_say(state, false, "%s; %s", e.what, e.hint);
	else if (!state->question.model->n_features)
		state_say(state, false, "this model has no features: there is nothing to search");
	else if (state->answers.result && !state->answers.result->error && !state->answers.result->n_findings)
		state_say(state, false, "no observation to judge by: a search needs data, or a command (r)");
	else if (result && result->error)
		state_say(state, true, "these features make no model; switch one of them first");
	else if (result && result->count[VERDICT_UNDECIDED] == result->n_findings)
		state_say(state, false, "no observation is decided yet: there is nothing to search by");
	else if (result && task == SEARCH_DISCOVER && !result->count[VERDICT_INFEASIBLE])
		state_say(state, false, "nothing refutes this model; e takes features away as long as it survives");
	else if (result && task == SEARCH_ELIMINATE && result->count[VERDICT_INFEASIBLE])
		state_say(state, false, "this model is refuted: d adds what relaxes it, a searches to the end");
	else
		add_search(state, task);
	if (requests_find(&state->requests, REQUEST_SEARCH) && state_pane(state) != PANE_FEATURES &&
		state_shows_pane(state, PANE_SEARCH))
		state->view.focus = PANE_SEARCH;
}

void
state_search_began(struct state *state, enum search_task task)
{
	struct search_answers *found = &state->answers.search;

	state_undo_keep_graph(state);
	found->task = task;
	found->since = state->view.frame.now;
	found->now = state->question.on;
	found->proposed_for = state->question.on;
	state->answers.progress.of = 0;
	state->view.message.text[0] = '\0';
	if (found->graph)
		found->graph->proposed = (struct fset){0};
}

void
state_join_search(struct state *state, struct search_graph *older, struct search_graph *newer)
{
	struct search_graph **graph = &state->answers.search.graph;

	if (older && *graph)
		search_graph_merge(older, *graph);
	*graph = older ? older : *graph;
	if (newer && *graph)
		search_graph_merge(*graph, newer);
	else if (newer)
		*graph = newer;
	state_shown_changed(state);
}

void
state_search_ended(struct state *s)
{
	s->answers.search.task = SEARCH_NONE;
	if (s->answers.search.graph)
		s->answers.search.graph->running = false;
}

bool
state_search_old(const struct state *s)
{
	const struct search_answers *found = &s->answers.search;

	return found->graph && found->data && found->data != s->answers.stamp.data;
}

bool
state_proposal(const struct state *s, struct fset *added)
{
	const struct search_answers *found = &s->answers.search;

	if (!found->graph || state_search_old(s) || found->task != SEARCH_NONE ||
		!fset_equal(&found->proposed_for, &s->question.on))
		return false;
	*added = fset_minus(found->graph->proposed, s->question.on);
	return !fset_is_empty(*added);
}

/* The number of observations that the proposal makes feasible, or its best feature if the whole was not tested. */
static size_t
freed_by_proposal(const struct search_graph *g, const struct fset *on)
{
	size_t from = search_graph_find(g, on), to = search_graph_find(g, &g->proposed), most = 0;

	if (from < g->n_models && to < g->n_models && g->model[from].infeasible >= g->model[to].infeasible)
		return g->model[from].infeasible - g->model[to].infeasible;
	for (size_t i = 0; i < g->n_repairs; i++)
		most = g->repair[i].frees > most ? g->repair[i].frees : most;
	return most;
}

char *
state_proposal_text(const struct state *state)
{
	struct fset added;
	struct str out = {0};

	if (!state_proposal(state, &added))
		return NULL;
	str_add(&out, "d proposes ");
	search_features(state->question.model, &added, &out);
	str_addf(&out, ", free%s %zu; Enter takes %s", fset_count(&added) == 1 ? "s" : "",
		freed_by_proposal(state->answers.search.graph, &state->question.on),
		fset_count(&added) == 1 ? "it" : "them");
	return str_take(&out);
}

const char *
state_proposal_relaxes(const struct state *s)
{
	const struct search_answers *found = &s->answers.search;
	size_t at = found->graph ? search_graph_find(found->graph, &s->question.on) : 0;

	return found->graph && at < found->graph->n_models ? found->graph->model[at].worst : NULL;
}

static void
say_how_it_ended(struct state *state)
{
	const struct search_graph *graph = state->answers.search.graph;
	char *proposal = state_proposal_text(state);

	if (proposal)
		state_say(state, false, "%s", proposal);
	else if (graph->says && *graph->says)
		state_say(state, false, "%s", graph->says);
	else
		state_say(state, false, "searched: %zu model%s tested", graph->tested, plural_s(graph->tested));
	if (proposal)
		state->view.cursor[PANE_SEARCH] = 0;
	free(proposal);
}

bool
state_search_cursor(const struct state *s, struct fset *on)
{
	size_t n, at = (size_t)s->view.cursor[PANE_SEARCH];
	const struct search_row *row = state_search_rows(s, &n);
	bool model = at < n && row[at].kind == SEARCH_ROW_MODEL;

	if (model)
		*on = s->answers.search.graph->model[row[at].model].on;
	return model;
}

bool
state_search_put_cursor(struct state *state, const struct fset *on)
{
	size_t n;
	const struct search_row *row = state_search_rows(state, &n);
	bool found = false;

	for (size_t at = 0; at < n && !found; at++)
		if (row[at].kind == SEARCH_ROW_MODEL &&
			fset_equal(&state->answers.search.graph->model[row[at].model].on, on)) {
			state->view.cursor[PANE_SEARCH] = (int)at;
			found = true;
		}
	return found;
}

/* Merges a graph into the state's; the cursor stays on its model while rows appear above it. */
static void
join_graph(struct state *state, struct search_graph *graph)
{
	struct search_answers *found = &state->answers.search;
	struct fset under;
	bool follows = state_search_cursor(state, &under);

	if (found->graph && (state_search_old(state) || found->graph->n_observations != graph->n_observations)) {
		search_graph_free(found->graph);
		found->graph = NULL;
	}
	if (found->graph)
		search_graph_merge(found->graph, graph);
	else
		found->graph = graph;
	found->data = state->answers.stamp.data;
	state_shown_changed(state);
	if (follows)
		state_search_put_cursor(state, &under);
}

void
state_take_search(struct state *state, struct search_graph *graph)
{
	bool runs = graph->running;

	if (!graph->n_models) { /* no model so far, or none at all */
		if (!runs) {
			state_search_ended(state);
			state_say(state, true, "not searched: %s",
				graph->reason ? graph->reason : "the engine does not say why");
		}
		search_graph_free(graph);
		return;
	}
	/* of data that have been replaced */
	if (state->answers.result && graph->n_observations != state->answers.result->n_findings) {
		search_graph_free(graph);
		if (!runs)
			state_search_ended(state);
		return;
	}
	state->answers.search.now = graph->model[graph->n_models - 1].on;
	join_graph(state, graph);
	if (runs || state->answers.search.task == SEARCH_NONE)
		return;
	state_search_ended(state);
	say_how_it_ended(state);
}

/* Merges what a stopped search found into the graph, unless that was undone or is of other data now. */
void
state_take_late_search(struct state *s, struct search_graph *g)
{
	if (!s->answers.result || s->answers.search.undone ||
		g->n_observations != s->answers.result->n_findings || !g->n_models ||
		(s->answers.search.graph && s->answers.search.graph->task == SEARCH_AUTO &&
			s->answers.search.graph->complete)) {
		search_graph_free(g);
		return;
	}
	g->proposed = (struct fset){0};
	join_graph(s, g);
	s->answers.search.graph->running = s->answers.search.task != SEARCH_NONE;
}

static void *
make_search(const struct state *state, size_t *n)
{
	struct fset added;
	struct search_row *row;

	*n = 0;
	if (!state->answers.search.graph)
		return mem_new_array(0, sizeof *row);
	row = search_rows(state->answers.search.graph, &state->question.on, state->view.search.all, n);
	if (!state_proposal(state, &added))
		return row;
	row = mem_resize(row, *n + 1, sizeof *row);
	memmove(row + 1, row, *n * sizeof *row);
	for (size_t i = 1; i <= *n; i++)
		row[i].parent += row[i].parent != NONE;
	row[0] = (struct search_row){.kind = SEARCH_ROW_PROPOSAL, .parent = NONE, .edge = NONE};
	++*n;
	return row;
}

static void
stamp_search(const struct state *s, uint64_t *stamp)
{
	struct fset added;

	for (size_t i = 0; i < FSET_MAX / 64; i++)
		shown_add(stamp, s->question.on.w[i]);
	shown_add(stamp, s->view.search.all);
	shown_add(stamp, state_proposal(s, &added));
}

static bool
same_search_row(const void *va, const void *vb)
{
	const struct search_row *a = va, *b = vb;

	return a->kind == b->kind && a->model == b->model && a->parent == b->parent && a->edge == b->edge &&
		a->refuted == b->refuted && a->surviving == b->surviving && a->depth == b->depth &&
		a->last == b->last && a->lines == b->lines;
}

static const struct shown_ops shown_search = {.kind = SHOWN_SEARCH, .make = make_search, .stamp = stamp_search,
	.size = sizeof(struct search_row), .same = same_search_row};

const struct search_row *
state_search_rows(const struct state *s, size_t *n)
{
	return state_shown(s, &shown_search, n);
}

bool
state_has_search(const struct state *s)
{
	const struct search_answers *found = &s->answers.search;

	return found->task != SEARCH_NONE || requests_find(&s->requests, REQUEST_SEARCH) ||
		(found->graph && found->graph->n_models > 1);
}

void
state_take_proposal(struct state *state)
{
	struct fset added, on;

	if (!state_proposal(state, &added)) {
		state_say(state, false,
			state->answers.search.task != SEARCH_NONE
				? "the search still runs" : "nothing is proposed; d asks for a proposal");
		return;
	}
	on = state->answers.search.graph->proposed;
	state_switch_to(state, &on);
	state->view.search.follows = !state_search_put_cursor(state, &on); /* once it has been judged */
}

void
state_to_model(struct state *state)
{
	size_t n, at = (size_t)state->view.cursor[PANE_SEARCH];
	const struct search_row *row = state_search_rows(state, &n);

	switch (at < n ? row[at].kind : SEARCH_ROW_PROPOSAL) {
	case SEARCH_ROW_PROPOSAL:
		state_take_proposal(state);
		break;
	case SEARCH_ROW_FOLDED:
		state->view.search.all = true;
		break;
	case SEARCH_ROW_MODEL: {
		struct fset on = state->answers.search.graph->model[row[at].model].on;

		if (!fset_equal(&on, &state->question.on))
			state_switch_to(state, &on);
		else
			state_say(state, false, "this model is the one that is shown");
		break;
	}
	}
}

void
state_walk_graph(struct state *state, int by)
{
	size_t n, at = (size_t)state->view.cursor[PANE_SEARCH];
	const struct search_row *row = state_search_rows(state, &n);

	if (at < n && by < 0 && row[at].parent != NONE)
		state->view.cursor[PANE_SEARCH] = (int)row[at].parent;
	for (size_t i = at + 1; by > 0 && i < n; i++)
		if (row[i].parent == at) {
			state->view.cursor[PANE_SEARCH] = (int)i;
			break;
		}
}

void
state_pin(struct state *s)
{
	size_t i = (size_t)s->view.cursor[PANE_FEATURES];

	if (i >= s->question.model->n_features)
		return;
	fset_put(&s->question.pinned, i, !fset_has(&s->question.pinned, i));
	state_say(s, false,
		fset_has(&s->question.pinned, i)
			? "%s is pinned: a search leaves it %s" : "a search may switch %s again",
		s->question.model->feature[i].name, fset_has(&s->question.on, i) ? "on" : "off");
}

size_t
state_witness_counter(const struct state *state)
{
	size_t n, at = (size_t)state->view.cursor[PANE_TREE], counter = NONE;
	const size_t *row = state_tree_rows(state, &n);

	for (size_t i = at; i < n && counter == NONE; i++) {
		const struct outline_row *outline_row = &state->question.outline->row[row[i]];

		for (size_t k = 0; k < outline_row->n_items && counter == NONE; k++)
			if (outline_row->item[k].kind == OUTLINE_COUNT && !outline_row->item[k].off)
				counter = outline_row->item[k].counter;
	}
	return counter;
}

static int
search_length(const struct state *s)
{
	return (int)state_count_shown(s, &shown_search);
}

static void
choose_model(struct state *s, enum pane_id pane, int row)
{
	(void)pane, (void)row;
	s->view.search.follows = false;
}

/* Does the model's variant, or one of its features, contain the words? */
static bool
model_has(const struct state *state, size_t i, const char *words)
{
	size_t n;
	const struct search_row *row = state_search_rows(state, &n);
	struct str text = {0};
	bool has;

	if (i < n && row[i].kind == SEARCH_ROW_MODEL) {
		const struct fset *on = &state->answers.search.graph->model[row[i].model].on;

		search_name(state->question.model, on, &text);
		str_add(&text, " ");
		search_features(state->question.model, on, &text);
	}
	has = strcasestr(str_text(&text), words);
	str_free(&text);
	return has;
}

/* The features, as JSON, of the model under the search's cursor; NULL: none. */
static char *
features_searched(const struct state *s)
{
	size_t n, at = (size_t)s->view.cursor[PANE_SEARCH];
	const struct search_row *row = state_search_rows(s, &n);

	return at < n && row[at].kind == SEARCH_ROW_MODEL
		? state_features_json(s, &s->answers.search.graph->model[row[at].model].on) : NULL;
}

static bool
note_on_searched(const struct state *s, enum pane_id pane, enum remark_on *on, char **what)
{
	(void)pane;
	*on = REMARK_FEATURES;
	*what = features_searched(s);
	return *what != NULL;
}

const struct pane_ops state_pane_search = {
	.length = search_length, .choose = choose_model, .has = model_has, .note = note_on_searched};
