/* Where the last drawing put things. Drawing returns it, ui keeps it, actions that move within the screen read it. */
#ifndef EXPLORER_STATE_SCREEN_LAYOUT_H
#define EXPLORER_STATE_SCREEN_LAYOUT_H

#include <stdbool.h>

#include "explorer/state/view_state.h"

struct state;

struct layout {
	enum view view;          /* the view drawn */
	enum popup popup;
	enum pane_id chosen;      /* the pane that the user had chosen */
	enum pane_id focus;       /* the pane drawn as focused: another one if `chosen` has no room */
	uint64_t visible;         /* PANE_BIT() each */
	int page;                 /* rows that a page moves */
	int rows[PANE_COUNT];     /* per pane of text: scroll positions; 0: not drawn */
	int popup_rows;           /* scroll positions of a popup of text; 0: a list, or not drawn */
	bool start_models;        /* the start screen has room for the pane of models */
	enum plot_zoom zoom;      /* view 4: WHOLE or REGION */
	int network_w, network_h; /* view 5: size of the picture, cells */
};

/* Before anything was drawn. */
extern const struct layout layout_initial;

/* The pane that keys go to: the chosen one, unless the screen has no room for it. */
enum pane_id state_pane(const struct state *);
/* Is this pane of the current view on the screen? True until the view has been drawn. */
bool state_shows_pane(const struct state *, enum pane_id);
/* The pane of the start screen that keys go to. */
enum start_pane state_start_pane(const struct state *);

#endif
