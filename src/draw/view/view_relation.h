/* Constraints on the screen. A shortened constraint must never read as another one, so it says how much it leaves out:
 *
 *     load.walk_done_2m …8 ≤ load.causes_walk …4           8 terms more on the left, 4 on the right
 *     …walk_done_2m …8 ≤ …causes_walk …4                   names lose their head if one term is too wide
 *     PGF = …2                                             a side without room is only a number of terms
 *
 * A constraint that may take several rows is whole. Each further row begins with the sign that joins it to the row
 * above, and the last row in sight ends in "…" and the number of terms below it. */
#ifndef DRAW_VIEW_VIEW_RELATION_H
#define DRAW_VIEW_VIEW_RELATION_H

#include "draw/view/view_page.h"

/* "<=" as "≤" and " - " as " − "; the caller frees. */
char *relation_pretty(const char *text);

/* The relation, shortened as above to at most `columns`. A text without a relation loses its end to "…". The caller
 * frees the result. */
char *relation_fit(const struct pen *, int columns, const char *text);

/* The same, drawn. Returns the columns used. */
int pen_relation(const struct pen *, int x, int y, int columns, const char *text);

/* Draws a relation, as relation_pretty() returns it, in the rest of a line without `spare` columns. */
void line_relation(struct line *, enum role, unsigned char attr, int spare, const char *text);

/* A term: the sign that joins it to the terms before it, its name with its factor, and a number below the name. */
struct relation_term {
	const char *sign;       /* "" for the first, "+", "−", "≤", "=", "≥" */
	char *word;             /* owned by the caller of page_terms() */
	const char *value_sign; /* the sign of the row below */
	char *value;            /* NULL: no row below */
};

/* Draws terms in as many rows as they take (twice as many with values), from `indent` on. `right`: text at the end of
 * the first row, or "". `strong`: the role of relation signs. */
void page_terms(struct page *, const struct relation_term *, size_t n, enum role role, enum role strong, int indent,
	const char *right);

/* Draws a relation, as relation_pretty() returns it, in full. */
void page_relation(struct page *, enum role, unsigned char attr, int indent, const char *text);

#endif
