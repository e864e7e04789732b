/* Panes of view 1. */
#ifndef DRAW_VIEW_MODELS_MODELS_H
#define DRAW_VIEW_MODELS_MODELS_H

#include "draw/view/view_page.h"
#include "explorer/state/state_search.h"

/* Pane "Features" of a folder of models. */
void title_alternatives(const struct state *, struct str *title, struct str *info);
void draw_alternatives(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);

void draw_tree(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
void draw_why(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);

/* Panes that large screens add. */
void title_witness(const struct state *, struct str *title, struct str *info);
void draw_witness(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
void title_selected(const struct state *, struct str *title, struct str *info);
void draw_selected(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);

#endif
