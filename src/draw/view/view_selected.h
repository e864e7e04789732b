/* Panes of view 1 that large screens add. */
#ifndef DRAW_VIEW_VIEW_SELECTED_H
#define DRAW_VIEW_VIEW_SELECTED_H

#include "app/state/state_search.h"
#include "draw/view/view_page.h"

void title_witness(const struct state *, struct str *title, struct str *info);
void draw_witness(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
void title_selected(const struct state *, struct str *title, struct str *info);
void draw_selected(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);

#endif
