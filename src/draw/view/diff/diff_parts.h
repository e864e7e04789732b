/* Parts of the view of A and B. Private to its folder. */
#ifndef DRAW_VIEW_DIFF_DIFF_PARTS_H
#define DRAW_VIEW_DIFF_DIFF_PARTS_H

#include "core/diff/diff.h"
#include "draw/view/view_table.h"
#include "work/diff/contest.h"

/* The runs of the chosen quantity, as two panes draw them: A in one role, B in another, on the same axis. */
#define ROLE_OF_A ROLE_PATH1
#define ROLE_OF_B ROLE_PATH4
struct diff_scene {
	const struct contest *contest;
	const struct diff_table *table;
	const struct diff_quantity *quantity;
	size_t chosen;
	size_t n;               /* runs, those of a block that is not whole among them */
	struct diff_usual usual;
	double low, high;       /* of the axis */
	size_t off;             /* runs that are off the axis */
};
/* False: there is no run yet. */
bool diff_scene(const struct state *, struct diff_scene *);
/* "14.2 ms" with so many digits that values of the axis differ; the caller frees. */
char *diff_axis_text(const struct diff_scene *, double v);

/* What the report says of a quantity; NULL: nothing yet. */
const struct diff_found *diff_found_of(const struct contest *, size_t quantity);
enum role diff_answer_role(const struct diff_quantity *, const struct diff_found *);
const char *diff_answer_mark(const struct diff_found *);
void diff_write_chosen(const struct state *, struct str *); /* the name of the chosen quantity, if there is one */
/* Says why nothing is shown, and which key helps. */
void diff_write_nothing(struct page *);

#endif
