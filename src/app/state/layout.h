/* What the last drawing has shown: returned by drawing, kept by ui, read by actions that move within what is seen. */
#ifndef APP_STATE_LAYOUT_H
#define APP_STATE_LAYOUT_H

#include <stdbool.h>

#include "app/state/view_state.h"

struct state;

struct layout {
	enum view view;          /* what was drawn */
	enum popup popup;
	enum pane_id chosen;     /* the pane that the user had chosen, and … */
	enum pane_id focus;      /* … the one shown as focused, where the chosen one has no room */
	uint64_t visible;        /* PANE_BIT() each */
	int page;                /* rows that a page moves */
	int rows[PANE_COUNT];    /* of panes of text: first rows that can be scrolled to; 0: it was not drawn */
	int popup_rows;          /* likewise of a popup of text; 0: it is a list, or was not drawn */
	bool start_models;       /* the start screen has room for the pane of models */
	enum plot_zoom zoom;     /* of view 4: WHOLE or REGION */
	int network_w, network_h; /* of view 5: cells of the picture */
};

/* Before anything was drawn. */
extern const struct layout layout_initial;

/* The pane that keys go to: the chosen one, unless the screen has no room for it. */
enum pane_id state_pane(const struct state *);
/* Does the screen show this pane of the current view? True until the view has been drawn. */
bool state_shows_pane(const struct state *, enum pane_id);
/* The pane of the start screen that keys go to. */
enum start_pane state_start_pane(const struct state *);

#endif
