/* How views, panes and popups are drawn: a row of functions for each. The row is in the folder of its view,
 * draw/view/NAME/. explorer/state/panes.def and popups.def name the rows. */
#ifndef DRAW_VIEW_VIEW_TABLE_H
#define DRAW_VIEW_VIEW_TABLE_H

#include "draw/view/view_page.h"

struct column;
struct column_facts;
struct str;

struct pane_draw {
	/* adds the title, and the info at the right end of the title rule */
	void (*title)(const struct state *, struct str *title, struct str *info);
	/* adds to the info what depends on the pane's size below the title rule; NULL: adds nothing */
	void (*info)(const struct state *, struct rect body, struct str *info);
	/* draws what is below the rule; `focus`: the pane has the keys */
	void (*draw)(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
	const struct pane_spec *wish; /* places and sizes that suit the pane; the ids are filled in */
	size_t n_wishes;
	/* adapts a copy of the wishes to state and room; false: leaves the pane out. NULL: no change */
	bool (*fit)(const struct state *, struct rect body, struct pane_spec *wish);
	const struct column *column; /* columns of its list (draw/view/view_list.h), if the user may arrange them */
	size_t n_columns;
};

/* The initialisers of a pane's wishes, for an array of them. */
#define PANE_WISHES(array) .wish = (array), .n_wishes = sizeof(array) / sizeof *(array)
/* The initialisers of the columns of its list. */
#define PANE_COLUMNS(array) .column = (array), .n_columns = sizeof(array) / sizeof *(array)

struct view_draw {
	bool alone; /* the view has the whole screen, without header, tabs and status line */
	/* draws all of the view itself; NULL: its panes are drawn */
	void (*draw)(const struct state *, struct grid *, struct rect body, struct drawn *);
	/* corrects the layout after the panes are drawn; NULL: nothing to correct */
	void (*after)(const struct state *, struct drawn *);
	/* draw the header, and all of a screen below 40×10. NULL: as for every view of a model or of snapshots */
	void (*header)(const struct state *, struct grid *);
	void (*tiny)(const struct state *, struct grid *);
	/* writes the finding into the status line; false: there is none. NULL: never */
	bool (*sentence)(const struct state *, struct line *);
	/* adds the answer to the header of a view of snapshots; false or NULL: the header shows the culprit */
	bool (*finding)(const struct state *, struct str *);
	/* returns what is missing ("no network, no stack"), or NULL. NULL: nothing is ever missing */
	const char *(*lacks)(const struct state *);
	void (*nothing)(struct page *); /* writes the text that replaces the panes if something is missing */
};

/* A popup is a text or a list. Its row is in the folder of the view that opens it, or in draw/view/popups/. */
struct popup_draw {
	/* draws a text that scrolls, from row `first` on; returns its number of scroll positions */
	int (*text)(const struct state *, struct grid *, struct rect screen, int first);
	/* draws a list or a question; adds hits for its rows */
	void (*list)(const struct state *, struct grid *, struct rect screen, struct drawn *);
};

const struct view_draw *view_draw_row(enum view);

/* Describes column `number` of a pane's list; false: there is no such column. A member of struct state points to it. */
bool view_column(enum pane_id, size_t number, struct column_facts *);

/* Returns what the current view lacks; NULL: nothing. */
const char *view_lacks(const struct state *);

/* Draws the current view: its panes, or the text that says what it lacks. */
void view_draw(const struct state *, struct grid *, struct rect body, struct drawn *);

/* Draws the prompt of find or filter in place of the status line. */
void draw_prompt_line(const struct state *, struct grid *);
/* Draws the open popup, if there is one. */
void draw_popups(const struct state *, struct grid *, struct rect screen, struct drawn *);

#define VIEW(id, name, key, tab, brief, about, help) extern const struct view_draw view_draw_##name;
#define VIEW_END(id)
#define PANE(id, name, ops, draw) extern const struct pane_draw pane_draw_##draw;
#include "explorer/state/panes.def"
#undef VIEW
#undef VIEW_END
#undef PANE
extern const struct view_draw view_draw_start;
#define POPUP(id, name) extern const struct popup_draw popup_draw_##name;
#include "explorer/state/popups.def"
#undef POPUP

#endif
