/* Draws the explorer's screen: a pure function of state and grid. */
#ifndef DRAW_VIEW_VIEW_H
#define DRAW_VIEW_VIEW_H

#include <stdbool.h>

#include "draw/cell.h"
#include "draw/panes.h"
#include "explorer/state/action.h"
#include "explorer/state/state.h"

/* Rectangles for the mouse. */
/* HIT_EDGE: the column to the right of a pane, or with row 1 its title rule, which can be dragged */
enum hit_kind { HIT_PANE, HIT_EDGE, HIT_ROW, HIT_TITLE, HIT_ACTION };
struct hit {
	struct rect r;
	enum hit_kind kind;
	int pane;           /* HIT_PANE: the pane; HIT_ROW, HIT_TITLE: the pane of the list */
	uint64_t thing;     /* HIT_ROW: what the row is about (state_follow.h) */
	int row;            /* HIT_ROW: cursor position; HIT_TITLE: number of the column */
	enum action action; /* HIT_ACTION: the action */
};

#define HITS_MAX 512

struct drawn {
	struct layout layout;
	struct panes panes;  /* of the view; none: it has no room for several, or is drawn alone */
	struct rect popup;   /* the open popup */
	struct hit hit[HITS_MAX];
	int n_hits;
};

/* Draws the screen. The state's layout must not point into `drawn`. */
void draw_screen(const struct state *, struct grid *, struct drawn *);

#endif
