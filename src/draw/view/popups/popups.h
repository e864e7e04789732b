/* What lies over a view. */
#ifndef DRAW_VIEW_POPUPS_POPUPS_H
#define DRAW_VIEW_POPUPS_POPUPS_H

#include "draw/view/view_page.h"

/* The popup that is open, if one is. */
void draw_popups(const struct state *, struct grid *, struct rect screen, struct drawn *);

/* Texts: each returns how many first rows it can be shown from. */
int draw_help(const struct state *, struct grid *, struct rect screen);
int draw_whence(const struct state *, struct grid *, struct rect screen);

/* Lists and questions. */
void draw_notes(const struct state *, struct grid *, struct rect screen, struct drawn *);
void draw_prompt(const struct state *, struct grid *, struct rect screen, struct drawn *);
void draw_simulated(const struct state *, struct grid *, struct rect screen, struct drawn *);

#endif
