/* An observation over time. */
#ifndef DRAW_VIEW_VIEW_HISTORY_H
#define DRAW_VIEW_VIEW_HISTORY_H

#include "draw/view/view_parts.h"

/* Is the finding's observation the one that grows, or grew last, and are there verdicts on it over time? */
bool has_history(const struct state *, const struct finding *);

/* Draws activity over time in this many columns, on a scale from well below the mean to well above it, so that phases
 * show and noise does not. */
void draw_activity(const struct pen *, int x, int y, int columns, const struct finding *);

/* Draws the verdicts on the samples so far, with time spread evenly over the columns: as marks, or distance² as a
 * sparkline with the threshold at half height. Returns the columns used. */
int draw_history(const struct state *, const struct pen *, int x, int y, int columns, bool marks);

#endif
