/* A list: a row of heads, rows of cells, the cursor, and the regions for the mouse. The columns are rows of a table in
 * the view's folder, from left to right. A view copies its table, changes what depends on its data (a head, a width),
 * and has the list drawn; its own function fills the cells of a row, and need not know which columns are shown. If the
 * table also stands in the pane's row (PANE_COLUMNS), the user can hide and move the columns that have a name. */
#ifndef DRAW_VIEW_VIEW_LIST_H
#define DRAW_VIEW_VIEW_LIST_H

#include "draw/view/view_parts.h"

struct column {
	const char *head; /* NULL: none */
	int gap, width;   /* blanks before it; width 0: not shown */
	int room;         /* smallest room of the list at which the column is shown; 0: always */
	bool right;       /* for numbers: the head and the cells end at the right edge */
	bool rest;        /* gets the columns that the others leave, and is not shown if those are fewer than its width;
			   * columns after it are at the right edge of the list */
	int x; /* set by list_place(); 0: not shown */
	/* for the user: see struct column_facts (explorer/state/state_columns.h) */
	const char *name;
	bool stays;
	unsigned order;
};

struct list;

/* The row of an item. Its pen has the whole row as its clip. */
struct list_row {
	const struct list *list;
	size_t item;
	bool here; /* the cursor is on it */
	int y;
	struct pen pen;
	enum action action; /* what a click does; at first the list's */
};

struct list {
	const struct state *state;
	const void *of; /* what else this view's rows need */
	struct column *column;
	size_t n_columns;
	int room;            /* the list's room, to be compared with `room` of each column */
	const size_t *order; /* items, as shown; NULL: in their own order */
	size_t n;
	size_t cursor; /* a position in this order; beyond its end: the last */
	bool stale;    /* the whole list is dim */
	void (*draw)(struct list_row *);
	int pane;
	enum action action;
};

/* Finds the places of the columns in `w` columns, as the user arranged them; the first and the last are blank. */
void list_place(struct list *, int w);
/* Places the columns and draws all into `r`; returns the rows used, the heads' among them. Without `drawn` the list
 * begins with its first item and has no cursor. */
int list_draw(struct list *, struct grid *, struct rect r, bool focus, struct drawn *);

/* Draw a list in pieces, if it has no heads or its rows are not all alike: the heads into the first row of `r`; rows
 * that fill `r`; one item, whose action is returned. */
void list_heads(const struct list *, struct grid *, struct rect r);
int list_rows(const struct list *, struct grid *, struct rect r, bool focus, struct drawn *);
enum action list_row(const struct list *, struct grid *, struct rect line, size_t item, bool here);

/* A cell for anything: sets its rectangle, and the pen's role, which is dim in a stale list. False: its column is not
 * shown. */
bool list_cell(struct list_row *, size_t column, enum role, struct rect *);
/* A cell of text. A number ends at the right edge; other texts that are too long lose their tail to "…". */
void list_text(struct list_row *, size_t column, enum role, const char *);
/* Has the user arranged the columns of this list? */
bool list_is_arranged(const struct list *);
/* A cell of words in several roles; no words fit if its column is not shown. */
struct line list_line(const struct list_row *, size_t column);

#endif
