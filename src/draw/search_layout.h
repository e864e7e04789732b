/* Places the boxes of the search graph and the lines between them: layers from left to right, in whole cells.
 *
 *     ┌────┐  +a    ┌────┐  −b   ┌────┐
 *     │    │────────│    │╌┬╌╌╌╌╌│    │
 *     └────┘        └────┘ ╎     └────┘
 *                          ╎ −c  ┌────┐
 *                          └╌╌╌╌╌│    │
 *
 * A box is in the layer after its parent's, in the row of its first child; leaves take the next free rows. So a single
 * child is on a straight line, and nothing moves when boxes are added below. A line leaves its box to the right, turns
 * in a trunk column of the gap, and enters the next box from the left. Trunks of one gap that would overlap are next to
 * each other. Labels are between trunk and box, above the line, or in it if boxes have one row. */
#ifndef DRAW_SEARCH_LAYOUT_H
#define DRAW_SEARCH_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

struct layout_box {
	size_t parent;   /* in: an earlier box; SIZE_MAX: none */
	int w;           /* in: columns */
	int label;       /* in: columns of the label on the line from the parent */
	int layer, x, y; /* out: y is the middle row */
	int trunk;       /* out: column in which lines turn up or down; undefined if none does */
};

/* A line in addition to those of the tree, between adjacent layers. */
struct layout_line {
	size_t from, to;
};

struct search_layout {
	struct layout_box *box;  /* owned by the caller */
	size_t n;
	const struct layout_line *line; /* in: further lines; only those between adjacent layers are drawn */
	size_t n_lines;
	int pitch;               /* in: rows from one leaf to the next */
	int label_most;          /* in: most columns of a label */
	int w, h;                /* out: size of the whole layout */
};

void search_layout(struct search_layout *);
bool search_layout_draws(const struct search_layout *, const struct layout_line *);

#endif
