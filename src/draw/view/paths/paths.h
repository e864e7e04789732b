/* Shared by the files that draw view 5. */
#ifndef DRAW_VIEW_PATHS_PATHS_H
#define DRAW_VIEW_PATHS_PATHS_H

#include "draw/view/view_network.h"
#include "draw/view/view_parts.h"
#include "explorer/state/state_flows.h"
#include "work/timeline/traffic.h"

/* The picture being drawn: cell (x, y) of the layout is cell (r.x + x, r.y + y - top) of the grid. */
struct clos {
	const struct state *s;
	struct grid *g;
	struct rect r;
	int top;                     /* rows of the layout that are scrolled away */
	bool focus;
	const struct network *net;
	const struct net_layout *l;
	/* traffic of the snapshot; of the one before, NULL unless snapshots come in; of the compared one, or NULL */
	const struct traffic *now, *before, *other;
	size_t cursor, culprit;      /* numbers of boxes; SIZE_MAX: none */
};

/* Is any row of the box on the screen? */
static inline bool
clos_shows(const struct clos *c, const struct net_layout_box *b)
{
	return b->y + b->h > c->top && b->y < c->top + c->r.h;
}

/* A lane's share of its stage's load; the pane's legend explains it. */
enum load_class { LOAD_NONE, LOAD_SMALL, LOAD_SOME, LOAD_MUCH, LOAD_UNKNOWN };

/* lanes.c: lanes, borders of boxes, arrows. */
void clos_draw_lanes(const struct clos *);
/* box.c: the text of a box. */
void clos_draw_box(const struct clos *, const struct net_layout_box *);

/* Panes. */
void draw_path_map(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
void draw_node(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
void draw_snapshots(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
void draw_stage_table(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
void draw_flows(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
void flows_title(const struct state *, struct str *title, struct str *info);
/* Rows for the list of flows, its title included; `least` 0: the list is not shown. `alone`: the panes next to it are
 * left out, because the list has the focus and there is no room for both. */
struct flow_room {
	int least, most;
	bool alone;
};
struct flow_room flows_room(const struct state *, struct rect body);
int path_map_rows(const struct state *, int w, int h); /* rows of text it can use */
/* Columns in which it can name all places, at most `most`. */
int path_map_columns(const struct state *, int most);
void add_node_title(const struct state *, struct str *);

/* Numbers. number_brief(): "4.7 G", "143 M", "12 k", at most 5 columns; "·": none, "?": unknown. */
char *number_brief(char out[NUMBER_TEXT], double v);
char *number_whole_share(char out[NUMBER_TEXT], double share); /* "7", "0.4", "<.1": at most 3 columns */
/* "↑4.6×": a value relative to an earlier one; "" if it is about the same, or either is unknown. */
char *number_change(char out[NUMBER_TEXT], double now, double was);

#endif
