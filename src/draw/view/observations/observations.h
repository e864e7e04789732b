/* One observation closely, shared by the files of view 3. */
#ifndef DRAW_VIEW_OBSERVATIONS_OBSERVATIONS_H
#define DRAW_VIEW_OBSERVATIONS_OBSERVATIONS_H

#include "draw/view/view_page.h"

/* observation.c */
void draw_observed(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);

/* samples.c: every sample of the selected observation, as many columns as fit, from session.sample_column on. */
void page_samples(struct page *);
void draw_samples(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);

/* Popups: the selected observation; two of them side by side. */
int draw_observation_popup(const struct state *, struct grid *, struct rect screen);
int draw_compare_popup(const struct state *, struct grid *, struct rect screen);

#endif
