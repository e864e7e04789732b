/* The search in the explorer's state: what d, e, a and Enter do, how toggles and new data change the graph; its rows;
 * the places of its boxes. */
#include "explorer/state/state_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "draw/search_layout.h"
#include "open_session.h"
#include "test.h"
#include "text/diag.h"
#include "work/search/search.h"

/* a allows twice as many `one`, b allows y by itself, c changes nothing. */
static const char model_text[] =
	"model m; feature a \"more\"; feature b \"alone\"; feature c \"nothing new\" requires b;\n"
	"variant base { }; variant more { a };\n"
	"path p { count x; switch (K) { case One: count one; case None: case Two when a: count one; count one; } }\n"
	"path q when b { count y; }\n"
	"path r when c { count y; }\n";

static void
open_session(struct state *s)
{
	open_session_with(s, model_text);
}

/* The first n of three observations: feature a makes the first one feasible, the second one is feasible, b makes the
 * third one feasible. */
static struct analysis *
with_data(struct state *s, size_t n)
{
	static const char *const column[] = {"x", "one", "y"};
	static const int64_t count[3][3] = {{5, 9, 0}, {5, 3, 0}, {5, 3, 2}};
	struct obs_table *t = obs_table_new(column, 3);
	struct analysis *a = analysis_new(s->question.model, &s->question.how);

	for (size_t i = 0; i < n; i++) {
		struct obs *o = obs_table_add(t, (char[]){'p', (char)('0' + i), '\0'}, "test");

		o->exact = true;
		obs_add_row(o, count[i], NULL, 0);
	}
	analysis_set_table(a, 0, t);
	return a;
}

static void
judge(struct state *s, size_t n)
{
	struct analysis *a = with_data(s, n);

	state_take_result(s, analysis_run(a, &s->question.on, NULL));
	analysis_free(a);
	requests_clear(&s->requests);
}

/* The search that is requested. */
static enum search_task
searched(const struct state *s)
{
	const struct request *r = requests_find(&s->requests, REQUEST_SEARCH);

	return r ? (enum search_task)r->number : SEARCH_NONE;
}

static void
search(struct state *s, size_t n)
{
	struct analysis *a = with_data(s, n);
	struct search_request r = {.task = searched(s), .on = s->question.on, .fixed = s->question.pinned};
	struct search *found = search_run_task(a, &r, NULL);

	requests_drop(&s->requests, REQUEST_SEARCH);
	state_search_began(s, r.task);
	state_take_search(s, search_take_graph(found));
	search_free(found);
	analysis_free(a);
}

static void
a_toggle_joins_the_graph(void)
{
	struct state s;

	open_session(&s);
	judge(&s, 3);
	CHECK_INT(s.answers.search.graph->n_models, 1);
	CHECK_INT(s.answers.search.graph->model[0].step, GRAPH_START);
	CHECK_INT(s.answers.search.graph->model[0].infeasible, 2);
	CHECK(!state_has_search(&s));
	state_act(&s, ACTION_toggle);
	CHECK(requests_find(&s.requests, REQUEST_RESULT));
	judge(&s, 3);
	if (CHECK_INT(s.answers.search.graph->n_models, 2)) {
		CHECK_INT(s.answers.search.graph->model[1].step, GRAPH_CHOSEN);
		CHECK_INT(s.answers.search.graph->model[1].infeasible, 1);
		CHECK(s.answers.search.graph->model[1].cone &&
			s.answers.search.graph->model[1].cone != s.answers.search.graph->model[0].cone);
		CHECK_INT(s.answers.search.graph->model[1].refuted[0], 4);
		CHECK_STR(s.answers.search.graph->model[1].worst_by, "p2");
		CHECK_INT(s.answers.search.graph->n_edges, 1);
		CHECK_INT(s.answers.search.graph->edge[0].step, GRAPH_CHOSEN);
		CHECK_INT(s.answers.search.graph->edge[0].changed.w[0], 1);
	}
	state_act(&s, ACTION_toggle); /* off again: both models are in the graph */
	judge(&s, 3);
	CHECK_INT(s.answers.search.graph->n_models, 2);
	CHECK_INT(s.answers.search.graph->n_edges, 1);
	CHECK(state_has_search(&s));
	state_free(&s);
}

static void
what_cannot_be_searched_is_said(void)
{
	struct state s;

	open_session(&s);
	judge(&s, 0);
	CHECK(!s.answers.search.graph);
	state_act(&s, ACTION_auto);
	CHECK(!requests_find(&s.requests, REQUEST_SEARCH));
	CHECK(strstr(s.view.message.text, "needs data"));
	judge(&s, 3);
	state_act(&s, ACTION_eliminate);
	CHECK(!requests_find(&s.requests, REQUEST_SEARCH));
	CHECK(strstr(s.view.message.text, "is refuted"));
	state_act(&s, ACTION_take);
	CHECK(strstr(s.view.message.text, "nothing is proposed"));
	fset_put(&s.question.on, 0, true);
	fset_put(&s.question.on, 1, true);
	judge(&s, 3);
	state_act(&s, ACTION_discover);
	CHECK(!requests_find(&s.requests, REQUEST_SEARCH));
	CHECK(strstr(s.view.message.text, "nothing refutes"));
	state_act(&s, ACTION_eliminate);
	CHECK_INT(searched(&s), SEARCH_ELIMINATE);
	state_free(&s);
}

/* d until nothing is refuted, with every proposal taken. */
static void
discovery_proposes_and_enter_takes(void)
{
	struct state s;
	struct fset added;
	int rounds = 0;

	open_session(&s);
	judge(&s, 3);
	while (s.answers.result->count[VERDICT_INFEASIBLE] && rounds++ < 5) {
		char *text;

		state_act(&s, ACTION_discover);
		if (!CHECK_INT(searched(&s), SEARCH_DISCOVER))
			break;
		search(&s, 3);
		CHECK_INT(s.answers.search.task, SEARCH_NONE);
		if (!CHECK(state_proposal(&s, &added)))
			break;
		text = state_proposal_text(&s);
		CHECK(str_starts(text, "d proposes ") && strstr(text, "Enter takes"));
		CHECK_STR(s.view.message.text, text);
		free(text);
		state_act(&s, ACTION_take);
		CHECK(requests_find(&s.requests, REQUEST_RESULT));
		CHECK(!state_proposal(&s, &added)); /* it belonged to the features before */
		judge(&s, 3);
	}
	CHECK(rounds <= 2);
	CHECK(fset_has(&s.question.on, 0) && (fset_has(&s.question.on, 1)));
	state_free(&s);
}

static void
the_proposal_is_a_row(void)
{
	struct state s;
	const struct search_row *row;
	size_t n;

	open_session(&s);
	judge(&s, 3);
	s.view.focus = PANE_SEARCH;
	state_act(&s, ACTION_discover);
	search(&s, 3);
	row = state_search_rows(&s, &n);
	CHECK_INT(row[0].kind, SEARCH_ROW_PROPOSAL);
	CHECK_INT(s.view.cursor[PANE_SEARCH], 0);
	for (size_t i = 1; i < n; i++)
		CHECK(row[i].kind != SEARCH_ROW_PROPOSAL &&
			(row[i].parent == SIZE_MAX || (row[i].parent > 0 && row[i].parent < i)));
	state_act(&s, ACTION_to_model);
	CHECK(fset_count(&s.question.on) > 0);
	CHECK(requests_find(&s.requests, REQUEST_RESULT));
	state_free(&s);
}

/* The row of a model; -1 if it has none. */
static int
row_of(const struct state *s, uint64_t features)
{
	size_t n;
	const struct search_row *row = state_search_rows(s, &n);
	int found = -1;

	for (size_t i = 0; i < n; i++)
		if (row[i].kind == SEARCH_ROW_MODEL && s->answers.search.graph->model[row[i].model].on.w[0] == features)
			found = (int)i;
	return found;
}

/* After a complete search, a proposal is shown above its models. Enter on one of them removes the proposal's row. The
 * cursor stays on its model, so that a second Enter changes nothing. */
static void
the_cursor_stays_on_its_model(void)
{
	struct state s;
	struct fset here, added;

	open_session(&s);
	judge(&s, 3);
	state_act(&s, ACTION_auto);
	search(&s, 3);
	s.view.focus = PANE_SEARCH;
	state_act(&s, ACTION_discover);
	search(&s, 3);
	CHECK(state_proposal(&s, &added));
	state_choose(&s, PANE_SEARCH, row_of(&s, 1));
	CHECK(s.view.cursor[PANE_SEARCH] > 0);
	state_act(&s, ACTION_to_model);
	CHECK_INT(s.question.on.w[0], 1);
	CHECK(state_search_cursor(&s, &here));
	CHECK_INT(here.w[0], 1);
	judge(&s, 3);
	CHECK(state_search_cursor(&s, &here));
	CHECK_INT(here.w[0], 1);
	state_act(&s, ACTION_to_model);
	CHECK_INT(s.question.on.w[0], 1);
	CHECK(!requests_find(&s.requests, REQUEST_RESULT));
	state_free(&s);
}

/* Enter on a proposal moves the cursor to the proposed model: once its verdicts are known, or at once if it has a
 * row. */
static void
the_cursor_goes_with_a_proposal(void)
{
	for (int known = 0; known < 2; known++) {
		struct state s;
		struct fset here, want;

		open_session(&s);
		judge(&s, 3);
		if (known) {
			state_act(&s, ACTION_auto);
			search(&s, 3);
		}
		s.view.focus = PANE_SEARCH;
		state_act(&s, ACTION_discover);
		search(&s, 3);
		CHECK_INT(s.view.cursor[PANE_SEARCH], 0);
		want = s.answers.search.graph->proposed;
		state_act(&s, ACTION_to_model);
		CHECK(fset_equal(&s.question.on, &want));
		judge(&s, 3);
		test_label("%s", known ? "known" : "new");
		CHECK(state_search_cursor(&s, &here) && fset_equal(&here, &want));
		state_free(&s);
	}
}

static void
auto_finds_what_is_needed(void)
{
	struct state s;
	const struct search_row *row;
	size_t n, at;

	open_session(&s);
	judge(&s, 3);
	state_act(&s, ACTION_auto);
	search(&s, 3);
	CHECK(s.answers.search.graph->complete);
	CHECK_INT(s.answers.search.graph->needs.required.w[0], 3);
	CHECK_INT(search_best(s.answers.search.graph), search_graph_find(s.answers.search.graph, &(struct fset){{3}}));
	/* Enter on the best model chooses it */
	s.view.focus = PANE_SEARCH;
	row = state_search_rows(&s, &n);
	for (at = 0;
		at < n && !(row[at].kind == SEARCH_ROW_MODEL && row[at].model == search_best(s.answers.search.graph));
		at++)
		;
	if (CHECK(at < n)) {
		state_choose(&s, PANE_SEARCH, (int)at);
		state_act(&s, ACTION_to_model);
		CHECK_INT(s.question.on.w[0], 3);
		CHECK(requests_find(&s.requests, REQUEST_RESULT));
		judge(&s, 3);
		n = s.answers.search.graph->n_edges;
		state_act(&s, ACTION_to_model); /* it is already chosen */
		CHECK(!requests_find(&s.requests, REQUEST_RESULT));
		CHECK_INT(s.answers.search.graph->n_edges, n);
		state_act(&s, ACTION_left);
		CHECK(s.view.cursor[PANE_SEARCH] < (int)at);
		state_act(&s, ACTION_right);
		CHECK(s.view.cursor[PANE_SEARCH] > 0);
	}
	/* the conclusions stay: trying a model by hand adds none */
	CHECK(s.answers.search.graph->complete && s.answers.search.graph->needs.required.w[0] == 3);
	state_free(&s);
}

static void
a_pinned_feature_stays(void)
{
	struct state s;

	open_session(&s);
	judge(&s, 3);
	state_act(&s, ACTION_pin); /* a, off */
	CHECK_INT(s.question.pinned.w[0], 1);
	CHECK(strstr(s.view.message.text, "leaves it off"));
	state_act(&s, ACTION_auto);
	search(&s, 3);
	for (size_t i = 0; i < s.answers.search.graph->n_models; i++)
		CHECK(!fset_has(&s.answers.search.graph->model[i].on, 0));
	CHECK_INT(s.answers.search.graph->needs.n_minimal, 0);
	state_act(&s, ACTION_pin);
	CHECK_INT(s.question.pinned.w[0], 0);
	state_free(&s);
}

/* A search on other data is marked as old; models that were only tried by hand are dropped. */
static void
other_data_make_it_old(void)
{
	struct state s;

	open_session(&s);
	judge(&s, 2);
	state_act(&s, ACTION_toggle);
	judge(&s, 2);
	CHECK_INT(s.answers.search.graph->n_models, 2);
	judge(&s, 3);
	CHECK_INT(s.answers.search.graph->n_models, 1);
	CHECK(!state_search_old(&s));
	CHECK_INT(s.answers.search.graph->n_observations, 3);
	state_act(&s, ACTION_auto);
	search(&s, 3);
	judge(&s, 2);
	CHECK(state_search_old(&s) && s.answers.search.graph->n_observations == 3);
	state_act(&s, ACTION_auto);
	search(&s, 2);
	CHECK(!state_search_old(&s) && s.answers.search.graph->n_observations == 2);
	for (size_t i = 0; i < s.answers.search.graph->n_models; i++)
		CHECK_INT(s.answers.search.graph->model[i].n_words, 1);
	state_act(&s, ACTION_unfold); /* without phases nothing changes */
	CHECK(s.answers.search.graph != NULL);
	state_forget_search(&s);
	CHECK(!s.answers.search.graph && !state_search_old(&s));
	state_free(&s);
}

/* The last message of a stopped search comes late: its models are merged, and the running search goes on. */
static void
a_stopped_search_leaves_what_it_found(void)
{
	struct state s;
	struct search_graph *part = search_graph_new(), *late = search_graph_new();
	struct search_graph_model *m;

	open_session(&s);
	judge(&s, 3);
	state_search_began(&s, SEARCH_AUTO);
	m = part->model = mem_new_array(1, sizeof *part->model);
	part->n_models = part->tested = 1;
	*m = (struct search_graph_model){.on.w[0] = 2,
		.usable = true,
		.infeasible = 1,
		.n_words = 1,
		.refuted = mem_new_array(1, 8),
		.step = GRAPH_DISCOVERY};
	part->task = late->task = SEARCH_AUTO;
	part->n_observations = 3;
	part->observation = mem_new_array(3, sizeof *part->observation);
	for (size_t i = 0; i < 3; i++)
		part->observation[i] = str_format("p%zu", i);
	part->running = true;
	state_take_search(&s, part);
	CHECK_INT(s.answers.search.task, SEARCH_AUTO);
	CHECK_INT(s.answers.search.now.w[0], 2);
	CHECK_INT(s.answers.search.graph->n_models, 2);
	state_act(&s, ACTION_stop);
	CHECK(requests_find(&s.requests, REQUEST_STOP));
	state_search_ended(&s);
	CHECK_INT(s.answers.search.graph->n_models, 2);
	CHECK(!s.answers.search.graph->running);
	state_search_began(&s, SEARCH_AUTO);
	state_take_late_search(&s, late); /* an empty graph */
	state_act(&s, ACTION_auto); /* one search at a time */
	CHECK(!requests_find(&s.requests, REQUEST_SEARCH));
	CHECK(strstr(s.view.message.text, "Esc stops"));
	late = search_graph_new();
	late->running = true;
	state_take_search(&s, late); /* no models yet */
	CHECK_INT(s.answers.search.task, SEARCH_AUTO);
	CHECK_INT(s.answers.search.graph->n_models, 2);
	late = search_graph_new();
	late->reason = mem_str("no memory");
	state_take_search(&s, late);
	CHECK_INT(s.answers.search.task, SEARCH_NONE);
	CHECK_INT(s.answers.search.graph->n_models, 2);
	CHECK(s.view.message.bad && strstr(s.view.message.text, "no memory"));
	state_free(&s);
}

static void
the_witness_follows_the_tree(void)
{
	struct state s;
	struct detail q;

	open_session(&s);
	judge(&s, 3);
	CHECK_INT(state_witness_counter(&s), 0);
	shown_layout(&s)->visible &= ~(PANE_BIT(PANE_WHY)); /* because that pane has requests of its own */
	q = state_next_detail(&s);
	CHECK_INT(q.kind, DETAIL_WITNESS);
	CHECK_INT(q.index, 0);
	state_take_witness(&s, 0, mem_str("path p"));
	CHECK_INT(state_next_detail(&s).kind, DETAIL_NONE);
	s.view.focus = PANE_TREE;
	for (int i = 0; i < 3 && state_witness_counter(&s) == 0; i++)
		state_act(&s, ACTION_down);
	CHECK_INT(state_witness_counter(&s), 1);
	q = state_next_detail(&s);
	CHECK(q.kind == DETAIL_WITNESS && q.index == 1);
	CHECK(state_wants_answer(&s, q));
	shown_layout(&s)->visible = PANE_BIT(PANE_FEATURES) | PANE_BIT(PANE_TREE);
	CHECK(!state_wants_answer(&s, q)); /* it is not visible */
	CHECK_INT(state_next_detail(&s).kind, DETAIL_NONE);
	state_free(&s);
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

static void
add_model(struct search_graph *g, uint64_t bits, int step, size_t infeasible, size_t from)
{
	g->model = mem_resize(g->model, g->n_models + 1, sizeof *g->model);
	g->model[g->n_models] = (struct search_graph_model){
		.on = {{bits}}, .usable = true, .survives = !infeasible, .infeasible = infeasible, .step = step};
	if (from != SIZE_MAX) {
		g->edge = mem_resize(g->edge, g->n_edges + 1, sizeof *g->edge);
		g->edge[g->n_edges++] = (struct search_graph_edge){.from = from, .to = g->n_models, .step = step};
	}
	g->n_models++;
}

/* Every usable model has one row, parents before children, indented by at most one level more. Rows and folded models
 * add up. */
static void
check_rows(const struct search_graph *g, const struct search_row *row, size_t n, size_t models)
{
	size_t shown = 0, folded = 0;

	for (size_t i = 0; i < n; i++) {
		shown += row[i].kind == SEARCH_ROW_MODEL;
		folded += row[i].refuted + row[i].surviving;
		CHECK(row[i].model < g->n_models);
		if (row[i].parent == SIZE_MAX)
			continue;
		CHECK(row[i].parent < i && row[row[i].parent].kind == SEARCH_ROW_MODEL);
		CHECK(row[i].depth - row[row[i].parent].depth == 1 ||
			(row[i].depth == 0 && row[row[i].parent].depth == 0));
		for (size_t k = 0; k < i; k++)
			CHECK(row[k].kind != row[i].kind || row[k].model != row[i].model);
	}
	CHECK_INT(shown + folded, models);
}

static void
many_models_fold(void)
{
	struct search_graph *g = search_graph_new();
	struct search_row *row;
	struct fset here = {{1}};
	size_t n, all;

	add_model(g, 0, GRAPH_START, 9, SIZE_MAX);
	add_model(g, 255, GRAPH_DISCOVERY, 0, 0);
	for (uint64_t bits = 1; bits < 255; bits++) /* each is below the model with one feature more */
		add_model(g, 255 & ~bits, GRAPH_ELIMINATION, bits != 4,
			search_graph_find(g, &(struct fset){{255 & ~(bits & (bits - 1))}}));
	g->needs.minimal = mem_new_array(1, sizeof *g->needs.minimal);
	g->needs.minimal[0] = search_graph_find(g, &(struct fset){{255 & ~UINT64_C(4)}});
	g->needs.n_minimal = 1;
	g->complete = true;
	CHECK_INT(search_best(g), g->needs.minimal[0]);
	row = search_rows(g, &here, false, &n);
	CHECK(n < 40);
	check_rows(g, row, n, g->n_models);
	CHECK(row[0].model == 0 && row[0].depth == 0);
	free(row);
	row = search_rows(g, &here, true, &all);
	CHECK_INT(all, g->n_models);
	check_rows(g, row, all, g->n_models);
	free(row);
	search_graph_free(g);
}

/* A cycle of toggles by hand, a model without edges to it, and one that is no legal model. */
static void
odd_graphs_have_rows(void)
{
	struct search_graph *g = search_graph_new();
	struct search_row *row;
	struct fset here = {0};
	size_t n;

	row = search_rows(g, &here, false, &n);
	CHECK_INT(n, 0);
	free(row);
	add_model(g, 1, GRAPH_CHOSEN, 2, SIZE_MAX);
	add_model(g, 3, GRAPH_CHOSEN, 1, 0);
	add_model(g, 2, GRAPH_CHOSEN, 1, 1);
	g->edge = mem_resize(g->edge, g->n_edges + 1, sizeof *g->edge);
	g->edge[g->n_edges++] = (struct search_graph_edge){.from = 2, .to = 0, .step = GRAPH_CHOSEN};
	add_model(g, 4, GRAPH_DISCOVERY, 1, SIZE_MAX);
	add_model(g, 8, GRAPH_DISCOVERY, 1, 3);
	g->model[4].usable = false;
	row = search_rows(g, &here, false, &n);
	CHECK_INT(n, 4);
	check_rows(g, row, n, 4);
	free(row);
	CHECK_INT(search_best(g), g->n_models);
	search_graph_free(g);
}

static void
names_are_short(void)
{
	struct state s;
	struct str text = {0};

	open_session(&s);
	search_name(s.question.model, &(struct fset){{1}}, &text);
	CHECK_STR(str_text(&text), "more");
	str_clear(&text);
	search_name(s.question.model, &(struct fset){{6}}, &text);
	CHECK_STR(str_text(&text), "b c");
	str_clear(&text);
	search_features(s.question.model, &(struct fset){{0}}, &text);
	CHECK_STR(str_text(&text), "∅");
	str_clear(&text);
	search_change(s.question.model, &(struct fset){{1}}, &(struct fset){{6}}, &text);
	CHECK_STR(str_text(&text), "−a +b +c");
	str_free(&text);
	state_free(&s);
}

/* --- layout ------------------------------------------------------------------------------------------------------ */

static void
check_layout(const struct search_layout *l)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct layout_box *b = &l->box[i];

		CHECK(b->x >= 0 && b->x + b->w <= l->w);
		CHECK(b->y >= 0 && b->y < l->h);
		for (size_t k = 0; k < i; k++)
			CHECK(l->box[k].layer != b->layer || l->box[k].y != b->y);
		if (b->parent == SIZE_MAX)
			continue;
		CHECK_INT(b->layer, l->box[b->parent].layer + 1);
		CHECK(b->x >= l->box[b->parent].x + l->box[b->parent].w +
				(b->label < l->label_most ? b->label : l->label_most) + 4);
		CHECK(b->y >= l->box[b->parent].y);
		if (b->y != l->box[b->parent].y)
			CHECK(l->box[b->parent].trunk >= l->box[b->parent].x + l->box[b->parent].w &&
				l->box[b->parent].trunk < b->x - 2);
	}
}

static void
boxes_stand_apart(void)
{
	uint64_t random = 7;

	for (unsigned round = 0; round < test_rounds(200, 5000); round++) {
		struct layout_box box[30] = {0};
		struct layout_line line[6];
		struct search_layout l = {.box = box,
			.n = 1 + test_random(&random) % 30,
			.line = line,
			.n_lines = test_random(&random) % 7,
			.label_most = 9};

		l.pitch = 1 + (int)(test_random(&random) % 4);
		for (size_t i = 0; i < l.n; i++)
			box[i] = (struct layout_box){
				.parent = i && test_random(&random) % 9 ? test_random(&random) % i : SIZE_MAX,
				.w = 3 + (int)(test_random(&random) % 20),
				.label = (int)(test_random(&random) % 14)};
		for (size_t k = 0; k < l.n_lines; k++)
			line[k] = (struct layout_line){test_random(&random) % l.n, test_random(&random) % l.n};
		search_layout(&l);
		check_layout(&l);
	}
}

/* m0 - m1 - m2 with three models below: the first edge is straight, the others turn off one common line. */
static void
a_chain_is_a_straight_line(void)
{
	struct layout_box box[] = {
		{.parent = SIZE_MAX, .w = 8}, {.parent = 0, .w = 8, .label = 3}, {.parent = 1, .w = 8, .label = 5},
		{.parent = 2, .w = 6
	},
				   {.parent = 2, .w = 6}, {.parent = 2, .w = 6}};
	struct search_layout l = {.box = box, .n = 6, .pitch = 4, .label_most = 20};

	search_layout(&l);
	check_layout(&l);
	for (size_t i = 0; i < 4; i++)
		CHECK_INT(box[i].y, 0);
	CHECK_INT(box[4].y, 4);
	CHECK_INT(box[5].y, 8);
	CHECK_INT(l.h, 12);
	CHECK_INT(box[3].x, box[5].x);
}

TEST_MAIN(CASE(a_toggle_joins_the_graph), CASE(what_cannot_be_searched_is_said),
	CASE(discovery_proposes_and_enter_takes), CASE(the_proposal_is_a_row), CASE(the_cursor_stays_on_its_model),
	CASE(the_cursor_goes_with_a_proposal), CASE(auto_finds_what_is_needed), CASE(a_pinned_feature_stays),
	CASE(other_data_make_it_old), CASE(a_stopped_search_leaves_what_it_found), CASE(the_witness_follows_the_tree),
	CASE(many_models_fold), CASE(odd_graphs_have_rows), CASE(names_are_short), CASE(boxes_stand_apart),
	CASE(a_chain_is_a_straight_line))
