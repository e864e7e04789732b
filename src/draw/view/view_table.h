/* How views and panes are drawn: a row for each of them, which stands in the folder of its view (draw/view/NAME/). The
 * table app/state/panes.def names the rows. */
#ifndef DRAW_VIEW_VIEW_TABLE_H
#define DRAW_VIEW_VIEW_TABLE_H

#include "draw/view/view_page.h"

struct str;

struct pane_draw {
	/* adds the words of the title rule: the title, and at the right end what is known beside it */
	void (*title)(const struct state *, struct str *title, struct str *info);
	/* what stands below the rule; `focus`: keys go to this pane */
	void (*draw)(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
	const struct pane_spec *wish; /* places and sizes that suit it; their ids are filled in */
	size_t n_wishes;
	/* changes a copy of the wishes to suit the state and the room; false: the pane is not there. NULL: they stand
	 */
	bool (*fit)(const struct state *, struct rect body, struct pane_spec *wish);
};

struct view_draw {
	bool alone; /* it has the whole screen: no header, no tabs, no status line */
	/* NULL: its panes, as view_draw_panes() does */
	void (*draw)(const struct state *, struct grid *, struct rect body, struct drawn *);
	/* writes the finding into the status line; false: there is nothing to say. NULL: there never is */
	bool (*sentence)(const struct state *, struct line *);
	/* adds the answer in the header of a view of snapshots; false or NULL: the header says the network's */
	bool (*finding)(const struct state *, struct str *);
	/* what it lacks to show anything ("no network, no stack"); NULL: nothing. NULL: it never lacks anything */
	const char *(*lacks)(const struct state *);
	void (*nothing)(struct page *); /* the text that then stands in the place of its panes */
};

const struct view_draw *view_draw_row(enum view);

/* What the view lacks to show anything; NULL: nothing. */
const char *view_lacks(const struct state *);

/* The wishes of the current view's panes, in the order of panes_lay(). Returns how many. */
#define VIEW_WISHES 64
size_t view_wishes(const struct state *, struct rect body, struct pane_spec out[VIEW_WISHES]);

/* The panes of the current view. */
void view_draw_panes(const struct state *, struct grid *, struct rect body, struct drawn *);

/* The current view: its panes, or what it says while it has nothing to show. */
void view_draw(const struct state *, struct grid *, struct rect body, struct drawn *);

#define VIEW(id, name, key, tab, brief, about, help) extern const struct view_draw view_draw_##name;
#define VIEW_END(id)
#define PANE(id, name, ops, draw) extern const struct pane_draw pane_draw_##draw;
#include "app/state/panes.def"
#undef VIEW
#undef VIEW_END
#undef PANE
extern const struct view_draw view_draw_start;

#endif
