/* The inside of the drawn search graph, shared by its two halves: search_boxes.c (what stands in it) and
 * search_graph.c (where, and drawing). */
#ifndef DRAW_VIEW_MODELS_SEARCH_BOXES_H
#define DRAW_VIEW_MODELS_SEARCH_BOXES_H

#include "draw/search_layout.h"
#include "draw/view/models/search.h"

struct box {
	size_t row;     /* first of the list's rows that it stands for */
	char *text;     /* in the box */
	char *label;    /* on the line that leads to it */
	enum role role, line;
	bool dashed, star, here, folded;
};

/* What a cell of the lines holds: arms, and whether they are broken. */
struct strand {
	unsigned char up, right, down, left;
	bool dashed;
	enum role role;
};

struct drawing {
	const struct search_list *list;
	struct box *box;
	size_t *of_row; /* per row of the list: its box; NONE: none */
	struct layout_line *line;
	enum role *line_role;
	struct search_layout at;
	struct strand *strand; /* at.w × at.h */
	bool flat;             /* boxes have one row, without borders */
};

/* How much is written: columns of a set of features, beyond which they are counted; who shares the cone; columns of
 * labels. */
struct box_words {
	int name;
	bool others;
	int label;
};

/* Boxes and lines of the list's rows, without their texts. */
struct drawing drawing_new(const struct search_list *);
void drawing_free(struct drawing *);
void drawing_name(struct drawing *, const struct box_words *); /* writes the texts of all boxes */

#endif
