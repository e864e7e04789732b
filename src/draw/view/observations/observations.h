/* Shared by the files of view 3: one observation in detail. */
#ifndef DRAW_VIEW_OBSERVATIONS_OBSERVATIONS_H
#define DRAW_VIEW_OBSERVATIONS_OBSERVATIONS_H

#include "draw/view/view_page.h"

/* observation.c */
void draw_observed(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);

/* samples.c: all samples of the selected observation, as many columns as fit, from view.columns.sample on. */
void page_samples(struct page *);
void draw_samples(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);

#endif
