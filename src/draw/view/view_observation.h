/* One observation closely, shared by the files of view 3. */
#ifndef DRAW_VIEW_VIEW_OBSERVATION_H
#define DRAW_VIEW_VIEW_OBSERVATION_H

#include "draw/view/view_page.h"

/* view_observation.c */
void draw_observed(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);

/* view_samples.c: every sample of the selected observation, as many columns as fit, from session.sample_column on. */
void page_samples(struct page *);
void draw_samples(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);

/* view_history.c. Is it the observation that what is watched adds to, or added to last, with verdicts on the way? */
bool has_history(const struct state *, const struct finding *);

/* Activity over time in so many columns, from well below the mean to well above it: noise stays low, phases show. */
void draw_activity(const struct pen *, int x, int y, int columns, const struct finding *);

/* How the verdicts on the samples so far came about, the time evenly spread over the columns: marks, or distance² as a
 * sparkline of which half the height is the threshold. Returns the columns used. */
int draw_history(const struct state *, const struct pen *, int x, int y, int columns, bool marks);

#endif
