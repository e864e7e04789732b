/* A picture of a search: a box for each distinct cone, with the sets of features that make it and what refutes it;
 * arrows for the steps that led from one to the other. Survivors have a double border and say so in words, elimination
 * is dashed: no colour is needed to read it. After figures 7, 8 and 10 of CounterPoint (Lindsay et al., ASPLOS 2026).
 */
#ifndef DRAW_GRAPH_SVG_H
#define DRAW_GRAPH_SVG_H

#include <stdbool.h>
#include <stddef.h>

struct search_graph;
struct str;
struct theme;
struct udd_model;

/* beyond, those tested first and the smallest survivors are shown, and how many are not is said */
#define GRAPH_BOXES_MAX 120

/* Appends the SVG; a graph without models gives one that says so. */
void graph_svg(const struct search_graph *, const struct udd_model *, const struct theme *, struct str *out);

#endif
