/* Popups, which lie over a view. */
#ifndef DRAW_VIEW_POPUPS_POPUPS_H
#define DRAW_VIEW_POPUPS_POPUPS_H

#include "draw/view/view_page.h"

/* Draws the open popup, if there is one. */
void draw_popups(const struct state *, struct grid *, struct rect screen, struct drawn *);

/* Texts: each returns its number of scroll positions. */
int draw_help(const struct state *, struct grid *, struct rect screen, int first);
int draw_whence(const struct state *, struct grid *, struct rect screen, int first);

/* Lists and questions. */
void draw_notes(const struct state *, struct grid *, struct rect screen, struct drawn *);
void draw_prompt(const struct state *, struct grid *, struct rect screen, struct drawn *);

#endif
