/* Shared by the files of view 2: one constraint in detail. */
#ifndef DRAW_VIEW_CONSTRAINTS_CONSTRAINTS_H
#define DRAW_VIEW_CONSTRAINTS_CONSTRAINTS_H

#include "draw/view/view_page.h"

/* constraint.c: a pane of text about the constraint under the cursor. */
void title_touched(const struct state *, struct str *title, struct str *info);
void draw_touched(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
/* certificate.c. The observation that texts about a constraint take as example: the selected one if it breaks the
 * constraint, else the worst. NULL: none breaks it. */
const struct constraint_breach *constraint_shown_breach(const struct state *, const struct constraint_row *);
/* Writes how the constraint's numbers for one observation are computed. */
void whence_constraint(struct page *, const struct finding *);
/* broken.c: the observations that break it, with their intervals; the matrix of coefficients. */
void draw_broken(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
void draw_matrix(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);

/* loss.c: writes "without PGF 4 constraints go, 9 stay · 6 of 8 no longer refuted", or that it is being computed. */
void page_loss(struct page *, size_t counter, int name_columns);

#endif
