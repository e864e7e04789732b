/* Series in time as filled areas in braille, one on top of the other:
 *
 *     40               ⢀⣠⣀⣀⣤⣶⣶⣤⣴⣶⣿⣶⣶
 *     20     ⣀⣀⣤⣴⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿
 *      0 ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿
 *        0       10       20     30 s
 *
 * A value stands for its whole interval. Each series has its own role and pattern of dots (in ASCII its own sign). */
#ifndef DRAW_TIME_GRAPH_H
#define DRAW_TIME_GRAPH_H

#include "draw/cell.h"

#define GRAPH_SERIES_MAX 8
#define GRAPH_AXIS 7 /* columns before the graph, for the values; one after it stays blank */

struct graph_series {
	const char *name;
	enum role role;
	const double *v; /* n values; NAN: a gap */
};

struct time_graph {
	struct graph_series series[GRAPH_SERIES_MAX]; /* from the bottom to the top */
	size_t n_series, n;
	double from, to;  /* seconds; NAN: snapshots are counted instead */
};

/* The end of the value axis: a round number not below any sum. */
double graph_top(const struct time_graph *);
void graph_draw(const struct time_graph *, struct grid *, struct rect);

#endif
