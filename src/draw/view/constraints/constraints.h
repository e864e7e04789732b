/* One constraint closely, shared by the files of view 2. */
#ifndef DRAW_VIEW_CONSTRAINTS_CONSTRAINTS_H
#define DRAW_VIEW_CONSTRAINTS_CONSTRAINTS_H

#include "draw/view/view_page.h"

/* constraint.c: what touches it, as a pane of text. */
void title_touched(const struct state *, struct str *title, struct str *info);
void draw_touched(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
/* certificate.c. The observation that words about a constraint speak of: the selected one if it breaks it, else
 * the worst. NULL: nobody does. */
const struct breach *constraint_told(const struct state *, const struct constraint_row *);
/* How its numbers for one observation are made. */
void whence_constraint(struct page *, const struct finding *);
/* broken.c: the observations that break it, with where they lie; its coefficients beside those of the others. */
void draw_broken(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
void draw_matrix(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);

/* loss.c: "without PGF   4 constraints go, 9 stay · 6 of 8 no longer refuted", or that it is being computed. */
void page_loss(struct page *, size_t counter, int name_columns);

/* Popups: the constraint under the cursor; why, in words; what would be without a counter. */
int draw_constraint_popup(const struct state *, struct grid *, struct rect screen);
int draw_certificate_popup(const struct state *, struct grid *, struct rect screen);
void draw_loss_popup(const struct state *, struct grid *, struct rect screen, struct drawn *);

#endif
