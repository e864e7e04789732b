/* Pane "Search" of view 1: shared by its list, its drawn graph and the words below both. */
#ifndef DRAW_VIEW_MODELS_SEARCH_H
#define DRAW_VIEW_MODELS_SEARCH_H

#include "draw/view/view_page.h"
#include "explorer/state/state_search.h"

struct str;

/* The rows of the pane as drawn, and what most functions need of them. */
struct search_list {
	const struct state *s;
	const struct search_graph *g;
	const struct search_row *row;
	size_t n;
	size_t best;      /* model with the star; n_models: none */
	size_t here;      /* model whose features are on; n_models: not in the graph */
	int digits;       /* digits of the largest number of infeasible observations */
	bool others;      /* two visible models make the same cone */
};
struct search_list search_list_of(const struct state *);

/* Returns the given role, or dim if the graph is old. */
enum role search_role(const struct search_list *, enum role);
/* The sign and role of a model's verdict; "" if no observation could judge it. */
const char *search_mark(const struct search_list *, const struct search_graph_model *, enum role *);
/* Does the row's model make the same cone as its parent? */
bool search_same_cone(const struct search_list *, const struct search_row *);

/* Writes which features are required, optional, useless, minimal, inseparable, and the last refuted set. `wide`: in
 * columns, after a line that explains the edges. */
void search_words(struct page *, const struct search_list *, bool wide);

/* Draws the graph. False, and nothing is drawn, if it does not fit. */
bool draw_search_graph(const struct search_list *, struct grid *, struct rect, bool focus, struct drawn *);
/* Rows that the pane can use at this width, without its title. */
int search_rows_wanted(const struct state *, int columns);

/* Title and content of the pane. */
void title_search(const struct state *, struct str *title, struct str *info);
void draw_search(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);

#endif
