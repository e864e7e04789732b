/* An observation over time. */
#ifndef DRAW_VIEW_VIEW_HISTORY_H
#define DRAW_VIEW_VIEW_HISTORY_H

#include "draw/view/view_parts.h"

/* Is it the observation that grows, or grew last, and does it have verdicts over time? */
bool has_history(const struct state *, const struct finding *);

/* Draws activity over time in this many columns, from well below the mean to well above it. Noise stays low, phases
 * show. */
void draw_activity(const struct pen *, int x, int y, int columns, const struct finding *);

/* Draws the verdicts on the samples so far, with time spread evenly over the columns: as marks, or distance² as a
 * sparkline with the threshold at half height. Returns the columns used. */
int draw_history(const struct state *, const struct pen *, int x, int y, int columns, bool marks);

#endif
