/* Shared by the two halves of the drawn search graph: search_boxes.c (contents) and search_graph.c (layout and
 * drawing). */
#ifndef DRAW_VIEW_MODELS_SEARCH_BOXES_H
#define DRAW_VIEW_MODELS_SEARCH_BOXES_H

#include "draw/search_layout.h"
#include "draw/view/models/search.h"

struct search_box {
	size_t row;     /* first row of the list that the box stands for */
	char *text;     /* text in the box */
	char *label;    /* text on the line that leads to it */
	enum role role, line;
	bool dashed, star, here, folded;
};

/* A cell of the lines: its arms, and whether they are dashed. */
struct search_strand {
	unsigned char up, right, down, left;
	bool dashed;
	enum role role;
};

struct search_drawing {
	const struct search_list *list;
	struct search_box *box;
	size_t *of_row; /* per row of the list: its box; NONE: none */
	struct layout_line *line;
	enum role *line_role;
	struct search_layout at;
	struct search_strand *strand; /* at.w × at.h */
	bool flat;                    /* boxes have one row, without borders */
};

/* How much text a drawing has. */
struct box_words {
	int name;    /* most columns of a set of features; features beyond are only counted */
	bool others; /* all models that share a cone are named */
	int label;   /* most columns of a label */
};

/* Makes boxes and lines of the list's rows, without texts. */
struct search_drawing search_drawing_new(const struct search_list *);
void search_drawing_free(struct search_drawing *);
void search_drawing_name(struct search_drawing *, const struct box_words *); /* writes the texts of all boxes */

#endif
