/* The search of view 1 on cells: found, proposed, running, stopped, out of date, and with many models; in colour, in
 * monochrome and in ASCII. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "draw/cell.h"
#include "draw/view/view.h"
#include "explorer/state/state_search.h"
#include "stage.h"
#include "test.h"
#include "work/search/search_rows.h"

static void
focus(struct state *s, enum pane_id pane)
{
	s->view.focus = pane;
}

static void
what_programs_need(void)
{
	struct state s;

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	stage_search(&s, SEARCH_AUTO);
	stage_answer(&s);
	focus(&s, PANE_SEARCH);
	stage_every_size(&s, "search");
	stage_compare(&s, "search", 120, 40, true);
	stage_compare(&s, "search", 200, 60, true);
	state_act(&s, ACTION_last);
	stage_compare(&s, "search-end", 80, 24, false);
	state_act(&s, ACTION_help);
	stage_compare(&s, "search-help", 80, 24, false);
	state_act(&s, ACTION_back);
	focus(&s, PANE_WITNESS);
	stage_compare(&s, "witness", 40, 10, false);
	focus(&s, PANE_SELECTED);
	stage_compare(&s, "selected", 40, 10, false);
	stage_close(&s);
}

static void
a_proposal(void)
{
	struct state s;

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	state_act(&s, ACTION_pin);
	stage_search(&s, SEARCH_DISCOVER);
	stage_answer(&s);
	stage_compare(&s, "proposal", 200, 60, false);
	stage_compare(&s, "proposal", 120, 40, false);
	focus(&s, PANE_SEARCH);
	stage_compare(&s, "proposal", 80, 24, false);
	stage_compare(&s, "proposal", 40, 10, false);
	stage_compare(&s, "proposal", 80, 24, true);
	state_act(&s, ACTION_to_model);
	stage_compare(&s, "proposal-taken", 80, 24, false); /* the old answer until the new one comes */
	stage_close(&s);
}

static void
noisy_walks(void)
{
	struct state s;

	stage_open(&s, "haswell-mmu", NULL, "walks.csv", false);
	stage_compute(&s);
	stage_search(&s, SEARCH_AUTO);
	stage_answer(&s);
	focus(&s, PANE_SEARCH);
	stage_compare(&s, "walks-search", 200, 60, false);
	stage_compare(&s, "walks-search", 120, 40, false);
	stage_compare(&s, "walks-search", 80, 24, false);
	stage_close(&s);
}

/* One sample neither refutes nor confirms: no model survives, none has a star, and neither e nor a is offered. */
static void
nothing_is_decided(void)
{
	struct state s;

	stage_open(&s, "haswell-mmu", NULL, "walks.csv", false);
	s.question.how.observations = mem_str("warmup");
	stage_compute(&s);
	stage_answer(&s);
	CHECK_INT(s.answers.result->n_findings, 1);
	CHECK_INT(s.answers.result->count[VERDICT_UNDECIDED], 1);
	CHECK_INT(s.answers.search.graph->undecided, 1);
	CHECK(search_graph_undecided(s.answers.search.graph));
	CHECK_INT(search_best(s.answers.search.graph), s.answers.search.graph->n_models);
	stage_compare(&s, "undecided", 80, 24, false);
	stage_compare(&s, "undecided", 120, 40, false);
	stage_compare(&s, "undecided", 200, 60, false);
	state_act(&s, ACTION_auto);
	CHECK(!requests_find(&s.requests, REQUEST_SEARCH));
	CHECK(strstr(s.view.message.text, "no observation is decided"));
	state_act(&s, ACTION_constraints);
	stage_compare(&s, "undecided-constraints", 80, 24, false);
	stage_close(&s);
}

/* The model of a toggle joins the graph. While the search runs, only tested models have verdicts. */
static void
while_it_runs(void)
{
	struct state s;

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	state_act(&s, ACTION_toggle);
	stage_compute(&s);
	requests_drop(&s.requests, REQUEST_RESULT);
	stage_compare(&s, "tried", 80, 24, false);
	state_search_began(&s, SEARCH_ELIMINATE);
	s.answers.search.graph->running = true;
	s.answers.search.graph->tested = 17;
	s.answers.search.graph->sets = 64;
	s.view.frame.now = 4.1;
	stage_compare(&s, "searching", 80, 24, false);
	stage_compare(&s, "searching", 120, 40, false);
	stage_compare(&s, "searching", 40, 10, false);
	s.view.frame.motion = false;
	stage_compare(&s, "searching", 80, 24, true);
	stage_close(&s);
}

static void
without_data(void)
{
	struct state s;

	stage_open(&s, "haswell-mmu", NULL, NULL, true);
	stage_compute(&s);
	focus(&s, PANE_SEARCH);
	stage_compare(&s, "search-no-data", 40, 10, false);
	state_act(&s, ACTION_auto);
	stage_compare(&s, "search-no-data", 80, 24, false);
	stage_close(&s);
}

/* 2^6 models below a survivor: refuted models that lead nowhere are folded, and can be unfolded. */
static struct search_graph *
many(const struct state *s)
{
	struct search_graph *g = search_graph_new();

	g->task = SEARCH_AUTO;
	g->n_observations = s->answers.result->n_findings;
	g->observation = mem_new_array(g->n_observations, sizeof *g->observation);
	for (size_t i = 0; i < g->n_observations; i++)
		g->observation[i] = mem_str(s->answers.result->finding[i].name);
	g->model = mem_new_array(65, sizeof *g->model);
	g->edge = mem_new_array(65, sizeof *g->edge);
	for (uint64_t off = 0; off < 64; off++) {
		struct search_graph_model *m = &g->model[g->n_models++];
		uint64_t up = off & (off - 1);

		*m = (struct search_graph_model){.on.w[0] = 63 & ~off,
			.cone = off + 1,
			.usable = true,
			.survives = off == 0 || off == 2,
			.step = off ? GRAPH_ELIMINATION : GRAPH_START};
		m->infeasible = m->survives ? 0 : 1 + off % 7;
		m->n_words = 1;
		m->refuted = mem_new_array(1, sizeof *m->refuted);
		if (off)
			g->edge[g->n_edges++] = (struct search_graph_edge){.from = (size_t)up,
				.to = (size_t)off,
				.changed.w[0] = off ^ up,
				.step = GRAPH_ELIMINATION};
	}
	g->needs.minimal = mem_new_array(1, sizeof *g->needs.minimal);
	g->needs.minimal[g->needs.n_minimal++] = 2;
	g->tested = g->n_models;
	g->needs.required.w[0] = 61;
	g->needs.optional.w[0] = 2;
	g->sets = 64;
	g->complete = true;
	return g;
}

static void
many_models(void)
{
	struct state s;

	stage_open(&s, "linux-page-faults", "A,B,C,D,E,H", "programs.csv", true);
	stage_compute(&s);
	state_search_began(&s, SEARCH_AUTO);
	state_take_search(&s, many(&s));
	stage_answer(&s);
	focus(&s, PANE_SEARCH);
	stage_compare(&s, "search-folded", 200, 60, false);
	stage_compare(&s, "search-folded", 80, 24, false);
	state_act(&s, ACTION_fold_all);
	state_act(&s, ACTION_last);
	stage_compare(&s, "search-unfolded", 200, 60, false);
	stage_compare(&s, "search-unfolded", 80, 24, false);
	s.answers.stamp.data++; /* the data have grown */
	state_act(&s, ACTION_fold_all);
	state_act(&s, ACTION_first);
	stage_compare(&s, "search-old", 80, 24, false);
	stage_compare(&s, "search-old", 200, 60, false);
	stage_close(&s);
}

/* The first cell with this character, in reading order from row y; NULL without one. */
static const struct cell *
find_sign(struct grid *g, uint32_t cp, int y)
{
	for (; y < g->h - 2; y++)
		for (int x = 0; x < g->w; x++)
			if (grid_at(g, x, y)->cp == cp)
				return grid_at(g, x, y);
	return NULL;
}

static void
colours_match_signs(void)
{
	struct state s;
	struct grid *g = grid_new(200, 60, false);
	struct drawn d;
	const struct cell *c;

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	stage_search(&s, SEARCH_AUTO);
	focus(&s, PANE_SEARCH);
	draw_screen(&s, g, &d);
	c = find_sign(g, 0x2605, 20); /* the star */
	CHECK(c && c->fg == ROLE_FEASIBLE && c->attr & CELL_BOLD);
	c = find_sign(g, 0x250f, 20); /* a heavy corner belongs to the best model */
	CHECK(c && c->fg == ROLE_FEASIBLE);
	c = find_sign(g, 0x254e, 20); /* a broken line belongs to elimination */
	CHECK(c && c->fg == ROLE_PATH2);
	s.answers.stamp.data++; /* the data have grown */
	draw_screen(&s, g, &d);
	c = find_sign(g, 0x2605, 20);
	CHECK(c && c->fg == ROLE_DIM);
	s.answers.stamp.data--;
	/* a click on a box selects its row, and a second one chooses the model */
	for (int i = 0; i < d.n_hits; i++)
		if (d.hit[i].kind == HIT_ROW && d.hit[i].pane == PANE_SEARCH && d.hit[i].row == 1) {
			state_choose(&s, PANE_SEARCH, d.hit[i].row);
			state_act(&s, d.hit[i].action);
		}
	CHECK(fset_count(&s.question.on) > 0 && requests_find(&s.requests, REQUEST_RESULT));
	grid_free(g);
	stage_close(&s);
}

/* Nothing is drawn outside the grid, at any size. */
static void
every_size_is_drawn(void)
{
	struct state s;
	struct drawn d;

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	stage_search(&s, SEARCH_AUTO);
	focus(&s, PANE_SEARCH);
	for (int w = 1; w < 260; w += 7)
		for (int h = 1; h < 90; h += 5) {
			struct grid *g = grid_new(w, h, w % 2);

			draw_screen(&s, g, &d);
			for (int i = 0; i < d.n_hits; i++)
				CHECK(d.hit[i].r.x >= 0 && d.hit[i].r.y >= 0 && d.hit[i].r.x + d.hit[i].r.w <= w &&
					d.hit[i].r.y + d.hit[i].r.h <= h);
			grid_free(g);
		}
	stage_close(&s);
}

TEST_MAIN(CASE(what_programs_need), CASE(a_proposal), CASE(noisy_walks), CASE(nothing_is_decided), CASE(while_it_runs),
	CASE(without_data), CASE(many_models), CASE(colours_match_signs), CASE(every_size_is_drawn))
