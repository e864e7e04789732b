/* Lays out panes: a list with least sizes and priorities becomes rectangles (docs/screens.md, section 1, "Which panes
 * go first").
 *
 * Panes of one band stand side by side in columns, panes of one column under each other; bands stand under each other:
 *
 *     ━ Features ━━━┭─ µDD ──────────┬─ Witness ─     band 0, columns 0 1 2
 *      [x] tlb_pf   │ load           │ load.ret 1
 *     ─ Selected ───┤ └◇ DTLB        │
 *      d² 31.8      │                │
 *     ─ Search ─────┴────────────────┴───────────     band 1
 *
 * Every rectangle has its title rule as first row. Between columns one column belongs to the separator. */
#ifndef DRAW_PANES_H
#define DRAW_PANES_H

#include <stddef.h>

#include "draw/cell.h"
#include "explorer/state/pane_share.h"

#define PANES_MAX 16 /* panes of a view, bands, columns of a band */

/* A pane may have several rows in the table, for instance a column on small and a band on large screens. It is shown
 * once, by the first row that is taken. */
struct pane_spec {
	int id;                     /* the view's own number of the pane, >= 0 */
	int priority;               /* the lowest is placed first, ties in table order; the first is always shown */
	int band, column;           /* 0 … PANES_MAX-1; panes of the same column: table order, from the top */
	int min_w, min_h;           /* least size, the title rule included; at least 1 is assumed */
	int max_w, max_h;           /* largest useful size; 0: any */
	/* share of the remaining room; 0: none while another pane of the row has a weight */
	int weight_w, weight_h;
	int from_w, from_h;         /* least size of an area in which the row holds */
	int below_w, below_h;       /* size that the area must stay below; 0: no limit */
	struct pane_share share;    /* sizes that the user chose, in place of a share by weight */
	int order;                  /* rank in the table; views sort by it, panes_lay() ignores it */
};

struct pane {
	int id, band, column;
	struct rect r; /* title rule included */
};

struct panes {
	struct rect area;
	struct pane pane[PANES_MAX]; /* band by band, column by column, top to bottom */
	size_t n;
	size_t hidden;               /* panes of the view that are not shown */
};

/* Takes panes in order of priority while all least sizes fit, then shares out the rest by weight. If only one pane
 * fits, it is `wanted` (the pane with the focus), provided that the table has it. At least one pane is shown, however
 * small the area. n <= 64. */
void panes_lay(const struct pane_spec *, size_t n, struct rect area, int wanted, struct panes *out);

/* The pane that shows the focus: `wanted` if it is visible, else the next visible one in table order. Keep `wanted`: it
 * returns when there is room. */
int panes_focus(const struct pane_spec *, size_t n, const struct panes *, int wanted);

/* For Tab (step 1) and Shift-Tab (step -1): the visible pane after `focus`; if only one fits, any pane. */
int panes_next(const struct pane_spec *, size_t n, const struct panes *, int focus, int step);

const struct pane *panes_find(const struct panes *, int id); /* NULL: it is not visible */
int panes_at(const struct panes *, int x, int y);            /* id at a cell; -1: none */
struct rect pane_body(const struct pane *);                  /* without the title rule */

/* The user drags the column to the right of a pane, or its title rule, to (x, y). Sets the shares of all panes that
 * this concerns; share[] is indexed by a pane's id. */
void panes_drag(const struct panes *, int id, bool title, int x, int y, struct pane_share *share);

/* Draws title rules, separators and their joints. title[i] and info[i] belong to panes.pane[i]; info and info[i] may be
 * NULL. */
void panes_draw(struct grid *, const struct panes *, const char *const *title, const char *const *info, int focus);

#endif
