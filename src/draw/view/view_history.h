/* How an observation went over time. */
#ifndef DRAW_VIEW_VIEW_HISTORY_H
#define DRAW_VIEW_VIEW_HISTORY_H

#include "draw/view/view_parts.h"

/* Is it the observation that what is watched adds to, or added to last, with verdicts on the way? */
bool has_history(const struct state *, const struct finding *);

/* Activity over time in so many columns, from well below the mean to well above it: noise stays low, phases show. */
void draw_activity(const struct pen *, int x, int y, int columns, const struct finding *);

/* How the verdicts on the samples so far came about, the time evenly spread over the columns: marks, or distance² as a
 * sparkline of which half the height is the threshold. Returns the columns used. */
int draw_history(const struct state *, const struct pen *, int x, int y, int columns, bool marks);

#endif
