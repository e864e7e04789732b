/* The start screen. */
#ifndef DRAW_VIEW_START_START_H
#define DRAW_VIEW_START_START_H

#include "draw/view/view_parts.h"

/* What can be measured here, as a popup over any view; returns as struct popup_draw's text(). */
int draw_doctor_popup(const struct state *, struct grid *, struct rect screen);

#endif
