/* Pane "Search" of view 1: shared by its list, its drawn graph and what both say below. */
#ifndef DRAW_VIEW_MODELS_SEARCH_H
#define DRAW_VIEW_MODELS_SEARCH_H

#include "app/state/state_search.h"
#include "draw/view/view_page.h"

struct str;

/* Rows of the pane as they are drawn, with what most of them need. */
struct search_list {
	const struct state *s;
	const struct search_graph *g;
	struct search_row *row;
	size_t n;
	size_t best;      /* model with the star; n_models: none */
	size_t here;      /* model whose features are on; n_models: not in the graph */
	int digits;       /* of the largest number of infeasible observations */
	bool others;      /* two models that are shown make the same cone */
};
struct search_list search_list_of(const struct state *);
void search_list_free(struct search_list *);

/* Dim when the graph is old. */
enum role search_role(const struct search_list *, enum role);
/* What is known of a model: the sign, and its role. Where no observation could be judged by, that is nothing. */
const char *search_mark(const struct search_list *, const struct graph_model *, enum role *);
/* Same cone as the model that it hangs below. */
bool search_same_cone(const struct search_list *, const struct search_row *);

/* Required, optional, useless, minimal, inseparable, last refuted; `wide`: side by side, with a line that explains the
 * edges before it. */
void search_words(struct page *, const struct search_list *, bool wide);

/* The drawn graph; false (and nothing is drawn) when it does not fit. */
bool draw_search_graph(const struct search_list *, struct grid *, struct rect, bool focus, struct drawn *);
/* Rows that the pane can use at this width, the title not included. */
int search_rows_wanted(const struct state *, int columns);

/* The pane's title. */
void title_search(const struct state *, struct str *title, struct str *info);
void draw_search(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);

#endif
