/* Pane "Search" as a list: models below each other, indented where they branch. Below them, or next to them, what the
 * search says of the features. */
#include "draw/view/models/search.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/udd/model.h"

#define NONE SIZE_MAX
/* The models above the words of the search have at least these rows, and half of the pane. With less room the words
 * follow the last model. */
#define LIST_LEAST 6

static void
add_art(struct line *l, const struct search_row *r, bool roomy)
{
	for (int k = 1; k < r->depth; k++)
		line_add(l, ROLE_FRAME, 0, "%s%s", k <= 64 && r->lines >> (k - 1) & 1 ? "│" : " ", roomy ? " " : "");
	if (r->depth)
		line_add(l, ROLE_FRAME, 0, "%s ", r->last ? "└" : "├"); /* the blank separates it from a minus */
}

/* Adds the variant and the change, or the features, or the change alone if they do not fit. */
static void
add_label(const struct search_list *list, struct line *line, const struct search_row *row)
{
	const struct udd_model *model = list->s->question.model;
	const struct search_graph_model *search_graph_model = &list->g->model[row->model];
	const struct search_graph_edge *edge = row->edge == NONE ? NULL : &list->g->edge[row->edge];
	const char *variant = search_variant(model, &search_graph_model->on);
	bool here = row->model == list->here;
	struct str change = {0}, all = {0};

	search_features(model, &search_graph_model->on, &all);
	if (edge)
		search_change(model, &list->g->model[edge->from].on, &search_graph_model->on, &change);
	else
		str_add(&change, str_text(&all));
	if (variant) {
		line_add(line, search_role(list, ROLE_TEXT), here ? CELL_BOLD : 0, "%s ", variant);
		line_add(line, ROLE_DIM, 0, "%s", str_text(&change));
	} else {
		bool whole = !edge ||
			(edge->step != GRAPH_ELIMINATION && !row->depth &&
				pen_columns(&line->pen, str_text(&all)) <= line->end - line->x);

		line_add(line, search_role(list, ROLE_TEXT), here ? CELL_BOLD : 0, "%s",
			str_text(whole ? &all : &change));
	}
	str_free(&change);
	str_free(&all);
}

static void
draw_model_row(const struct search_list *list, struct grid *grid, struct rect r, int row, const struct search_row *at)
{
	const struct search_graph_model *m = &list->g->model[at->model];
	struct line l = line_on(grid, r, row);
	bool here = at->model == list->here, star = at->model == list->best, same = search_same_cone(list, at);
	int marks = (here ? 5 : 0) + (star ? 2 : 0) + (same ? 2 : 0);

	enum role role;
	const char *mark = search_mark(list, m, &role);

	line_add(&l, role, 0, "%s ", mark);
	line_add(&l, role, here ? CELL_BOLD : 0, "%*zu ", list->digits, m->infeasible);
	add_art(&l, at, r.w >= 36);
	l.end -= marks;
	add_label(list, &l, at);
	l.end += marks;
	if (same)
		line_add(&l, ROLE_DIM, 0, " =");
	if (star)
		line_add(&l, search_role(list, ROLE_FEASIBLE), CELL_BOLD, " ★");
	if (here)
		line_add(&l, ROLE_ACCENT, 0, " here");
}

static void
draw_folded_row(struct grid *grid, struct rect r, int row, const struct search_list *list, const struct search_row *at)
{
	struct line l = line_on(grid, r, row);

	line_gap(&l, list->digits + 3);
	add_art(&l, at, r.w >= 36);
	line_add(&l, ROLE_DIM, 0, "▸ ");
	if (at->refuted)
		line_add(&l, ROLE_DIM, 0, "%zu more refuted", at->refuted);
	if (at->surviving)
		line_add(&l, ROLE_DIM, 0, "%s%zu survive%s", at->refuted ? ", " : "", at->surviving,
			at->surviving == 1 ? "s" : "");
}

static void
draw_proposal_row(const struct search_list *list, struct grid *grid, struct rect r, int row)
{
	struct line l = line_on(grid, r, row);
	struct fset added = {0};
	struct str names = {0};

	state_proposal(list->s, &added);
	search_change(list->s->question.model, &(struct fset){0}, &added, &names);
	line_add(&l, ROLE_ACCENT, CELL_BOLD, "d ");
	l.end -= 15;
	line_add(&l, ROLE_TEXT, CELL_BOLD, "%s", str_text(&names));
	l.end += 15;
	line_add(&l, ROLE_DIM, 0, "  Enter takes it");
	str_free(&names);
}

static void
search_draw_row(const struct search_list *list, struct grid *grid, struct rect r, int row, size_t i)
{
	switch (list->row[i].kind) {
	case SEARCH_ROW_PROPOSAL:
		draw_proposal_row(list, grid, r, row);
		break;
	case SEARCH_ROW_MODEL:
		draw_model_row(list, grid, r, row, &list->row[i]);
		break;
	case SEARCH_ROW_FOLDED:
		draw_folded_row(grid, r, row, list, &list->row[i]);
		break;
	}
}

/* Rows of the words at this width: writes them outside the grid. */
static int
count_words(const struct search_list *list, struct grid *g, struct rect r)
{
	struct page p = {.s = list->s, .g = g, .r = r, .skip = 1 << 20};

	search_words(&p, list, false);
	return p.row;
}

static void
search_draw_list(const struct search_list *list, struct grid *g, struct rect r, bool focus, struct drawn *drawn)
{
	int n = (int)list->n, cursor = list->s->view.cursor[PANE_SEARCH], words = count_words(list, g, r), rows, first;
	struct page p = {.s = list->s, .g = g, .r = r};

	cursor = cursor >= n ? n - 1 : cursor;
	rows = r.h - words >= (r.h / 2 > LIST_LEAST ? r.h / 2 : LIST_LEAST) || n + words <= r.h ? r.h - words : r.h;
	rows = rows > n ? n : rows;
	first = list_scroll(0, cursor, n, rows);
	/* below the last model: the words for which there was no room */
	if (rows == r.h && cursor == n - 1 && focus && n > 1)
		first = n + words - r.h < cursor ? n + words - r.h : cursor;
	for (int k = 0; k < r.h && first + k < n && (rows == r.h || k < rows); k++) {
		struct rect at = {r.x, r.y + k, r.w, 1};

		search_draw_row(list, g, r, k, (size_t)(first + k));
		if (first + k == cursor)
			draw_cursor(g, at, focus);
		hit_add(drawn, at, HIT_ROW, PANE_SEARCH, first + k, ACTION_to_model);
	}
	p.row = rows == r.h ? n - first : rows;
	if (p.row < r.h)
		search_words(&p, list, false);
}

static void
search_draw_nothing(const struct state *state, struct grid *grid, struct rect r)
{
	struct page p = {.s = state, .g = grid, .r = r};

	if (!state->question.model->n_features) {
		page_words(&p, ROLE_DIM, "This model has no features: there is nothing to search.");
		return;
	}
	page_words(&p, ROLE_DIM,
		state->answers.result && state->answers.result->error ? "These features make no model."
			: state->answers.result && !state->answers.result->n_findings
			? "No data: nothing can refute a model yet." : "Nothing was judged yet.");
	page_blank(&p);
	page_words(&p, ROLE_TEXT, "With data, a finds the smallest sets of features that survive.");
}

void
draw_search(const struct state *s, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	struct search_list list;

	if (!s->answers.search.graph) {
		search_draw_nothing(s, g, r);
		return;
	}
	list = search_list_of(s);
	if (!draw_search_graph(&list, g, r, focus, d))
		search_draw_list(&list, g, r, focus, d);
}

void
title_search(const struct state *state, struct str *title, struct str *info)
{
	const struct search_graph *graph = state->answers.search.graph;

	str_add(title, state_search_old(state) ? "Search, old" : "Search");
	if (!graph)
		return;
	if (isfinite(graph->sets) && graph->tested)
		str_addf(info, "%zu of %.0f sets", graph->tested, graph->sets);
	else
		str_addf(info, "%zu model%s", graph->n_models, plural_s(graph->n_models));
	if (graph->undecided)
		str_addf(info, " · %zu of %zu undecided", graph->undecided, graph->n_observations);
}
