/* Where the boxes of the search graph stand, and the lines between them: layers from left to right, in whole cells.
 *
 *     ┌────┐  +a    ┌────┐  −b   ┌────┐       A box stands in the layer behind its parent's, in the row of its first
 * child; leaves take │    │────────│    │╌┬╌╌╌╌╌│    │       the next free rows. So what has one way out is a straight
 * line, and nothing moves when └────┘        └────┘ ╎     └────┘       something is added below. A line leaves its box
 * to the right, turns in a trunk column of the ╎ −c  ┌────┐       gap, and enters the next box from the left; trunks of
 * one gap that would overlap stand side └╌╌╌╌╌│    │       by side. Labels stand between trunk and box, above the line,
 * or in it where boxes have one row. */
#ifndef DRAW_SEARCH_LAYOUT_H
#define DRAW_SEARCH_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

struct layout_box {
	size_t parent;   /* in: a box before this one; SIZE_MAX: none */
	int w;           /* in: columns */
	int label;       /* in: columns of the text on the line from the parent */
	int layer, x, y; /* out: y is the middle row */
	int trunk;       /* out: column where lines leave it up or down; meaningless without such */
};

/* A line that is not in the tree, between neighbouring layers. */
struct layout_line {
	size_t from, to;
};

struct search_layout {
	struct layout_box *box;  /* the caller's */
	size_t n;
	const struct layout_line *line; /* in: further lines; those not between neighbouring layers are not drawn */
	size_t n_lines;
	int pitch;               /* in: rows from one leaf to the next */
	int label_most;          /* in: labels are cut to so many columns */
	int w, h;                /* out */
};

void search_layout(struct search_layout *);
bool search_layout_draws(const struct search_layout *, const struct layout_line *);

#endif
