/* The explorer's screen as a pure function of the session and a grid. */
#ifndef DRAW_VIEW_VIEW_H
#define DRAW_VIEW_VIEW_H

#include <stdbool.h>

#include "app/action.h"
#include "app/state/state.h"
#include "draw/cell.h"

/* What lies where, for the mouse. */
enum hit_kind { HIT_PANE, HIT_ROW, HIT_ACTION };
struct hit {
	struct rect r;
	enum hit_kind kind;
	int pane;           /* PANE: which; ROW: of which pane */
	int row;            /* ROW: cursor position */
	enum action action; /* ACTION */
};

#define HITS_MAX 512

struct drawn {
	enum view view;   /* what was shown: hits are of that */
	enum popup popup;
	int page;    /* rows of the focused pane */
	int visible; /* bit per pane */
	int why_rows, popup_rows; /* how far pane "why" and the popup can be scrolled: first rows 0 … n-1 */
	int rows[PANE_COUNT]; /* of panes of text: first rows 0 … n-1 */
	bool start_models; /* the start screen has room for the pane of models */
	enum plot_zoom zoom; /* of view 4: WHOLE or REGION */
	int network_w, network_h; /* of view 5: cells of the picture */
	int focus;   /* the pane that is shown as focused */
	struct hit hit[HITS_MAX];
	int n_hits;
};

void draw_screen(const struct state *, struct grid *, struct drawn *);

#endif
