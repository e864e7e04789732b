/* The start screen. */
#ifndef DRAW_VIEW_START_START_H
#define DRAW_VIEW_START_START_H

#include "draw/view/view_parts.h"

/* The popup of what can be measured here; returns its number of scroll positions. */
int draw_doctor_popup(const struct state *, struct grid *, struct rect screen, int first);

#endif
