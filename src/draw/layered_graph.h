/* Shared by the two halves of the layered drawing: layered.c (layers and order) and layered_place.c (coordinates). */
#ifndef DRAW_LAYERED_GRAPH_H
#define DRAW_LAYERED_GRAPH_H

#include "draw/layered.h"

#define NO_NODE ((size_t)-1)

/* A node, or a bend of a long edge. */
struct vertex {
	size_t node;          /* NO_NODE: a bend */
	double w, x;
	int layer;
	size_t pos;           /* place in its layer, from the left */
	size_t *up, *down;    /* neighbours in the layer above and below (vertices) */
	double *up_weight, *down_weight;
	size_t n_up, n_down;
};

struct row {
	size_t *vertex; /* from left to right */
	size_t n;
	double h;       /* height of the tallest node */
	double y;       /* top of the row */
};

/* The vertices of an edge from top to bottom: ends and bends. n = 0: both ends are in one layer. */
struct chain {
	size_t *vertex;
	size_t n;
	bool reversed; /* top is `to` */
};

struct graph {
	struct layered *in;
	struct vertex *vertex; /* the first n_nodes are the nodes */
	size_t n;
	struct row *row;
	size_t n_rows;
	struct chain *chain; /* one per edge */
};

/* Computes x of vertices, y of rows, and the places of nodes and edges. */
void layered_place(struct graph *);

#endif
