/* The lesson beside a view: left of it on a wide screen, above it on another. */
#ifndef DRAW_VIEW_VIEW_LESSON_H
#define DRAW_VIEW_VIEW_LESSON_H

#include "draw/view/view.h"

/* Draws the lesson, if one is played, into a part of `body`. Returns the rest, which is the view's. */
struct rect draw_lesson(const struct state *, struct grid *, struct rect body);
/* Joins the rule beside the lesson to those of the view, which is drawn by now. */
void draw_lesson_edge(struct grid *, struct rect body, struct rect view);

#endif
