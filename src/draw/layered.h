/* A layered (Sugiyama) drawing of a directed acyclic graph: every edge points down, few edges cross, nothing overlaps.
 *
 *   1 layers     longest path from the sources; a node with more outgoing than incoming edges moves down
 *   2 bends      an edge over several layers gets a bend in each, which takes part in the next steps
 *   3 order      depth first in the order given, then barycentre sweeps and swaps of neighbours; the order with the
 *                fewest crossings wins
 *   4 places     each layer in turn: the least-squares places near the neighbours that keep order and distance
 *
 * Everything is deterministic: same graph, same drawing. Sources: Sugiyama, Tagawa, Toda, "Methods for visual
 * understanding of hierarchical system structures", IEEE SMC 1981; Gansner, Koutsofios, North, Vo, "A technique for
 * drawing directed graphs", IEEE TSE 1993. */
#ifndef DRAW_LAYERED_H
#define DRAW_LAYERED_H

#include <stdbool.h>
#include <stddef.h>

struct layered_point {
	double x, y;
};

struct layered_node {
	double w, h;  /* in: size */
	bool spread;  /* in: edges meet the node side by side over its width, instead of in its middle */
	double x, y;  /* out: its centre */
	int layer;    /* out: 0 is the top */
};

struct layered_edge {
	size_t from, to;
	/* in: the edge pulls less, and does not force `to` below `from` if that would make a cycle */
	bool soft;
	/* out: an even number of points from the border of `from` to the border of `to`. The edge is a straight upright
	 * line between points 0-1, 2-3, …, within a layer. Between 1-2, 3-4, … it is a curve with upright ends, in the
	 * gap between layers. Free with layered_free(). */
	struct layered_point *point;
	size_t n_points;
};

struct layered {
	struct layered_node *node; /* the caller's array */
	size_t n_nodes;
	struct layered_edge *edge; /* the caller's array */
	size_t n_edges;
	double gap_x, gap_y;       /* in: least distance between neighbours of a layer, and between layers */
	double w, h;               /* out: everything lies within 0 … w × 0 … h */
	size_t crossings;          /* out: number of crossings of edges between layers */
};

/* Makes the drawing. The edges that are not soft must be acyclic. */
void layered_lay(struct layered *);
void layered_free(struct layered *); /* frees the points, but not the arrays */

#endif
