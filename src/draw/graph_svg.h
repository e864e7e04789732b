/* A picture of a search. Each distinct cone is a box with the sets of features that make it and what refutes it. Arrows
 * are steps of the search. Survivors have a double border and say so in words, elimination is dashed, so the picture
 * reads without colour. After figures 7, 8 and 10 of CounterPoint (Lindsay et al., ASPLOS 2026). */
#ifndef DRAW_GRAPH_SVG_H
#define DRAW_GRAPH_SVG_H

#include <stdbool.h>
#include <stddef.h>

struct search_graph;
struct str;
struct theme;
struct udd_model;

/* most boxes: the cones tested first and the smallest survivors; the picture says how many are left out */
#define GRAPH_BOXES_MAX 120

/* Appends the SVG; for a graph without models, one that says so. */
void graph_svg(const struct search_graph *, const struct udd_model *, const struct theme *, struct str *out);

#endif
