/* One constraint closely, shared by the files of view 2. */
#ifndef DRAW_VIEW_VIEW_CONSTRAINT_H
#define DRAW_VIEW_VIEW_CONSTRAINT_H

#include "draw/view/view_page.h"

/* view_constraint.c: what touches it, as a pane of text. */
void title_touched(const struct state *, struct str *title, struct str *info);
void draw_touched(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
/* view_certificate.c. The observation that words about a constraint speak of: the selected one if it breaks it, else
 * the worst. NULL: nobody does. */
const struct breach *constraint_told(const struct state *, const struct constraint_row *);
/* How its numbers for one observation are made. */
void whence_constraint(struct page *, const struct finding *);
/* view_broken.c: the observations that break it, with where they lie; its coefficients beside those of the others. */
void draw_broken(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
void draw_matrix(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);

/* view_loss.c: "without PGF   4 constraints go, 9 stay · 6 of 8 no longer refuted", or that it is being computed. */
void page_loss(struct page *, size_t counter, int name_columns);

#endif
