/* Declarations that the files of the layout share. Private to core/network. They run in this order:
 *
 *     layout_units.c   layout_blocks(): which cores get a block of their own, which are idle
 *     layout.c         columns and their widths
 *     layout_units.c   layout_units(): boxes of each column; owners that are folded into one box
 *     layout_lanes.c   layout_lanes(): lanes from box to box, cut into hops from column to column
 *     layout_rows.c    layout_rows(): order, heights and rows of boxes, and of kinds within them
 *     layout_route.c   layout_route(): rows and trunk columns of hops
 *     layout.c         widths of gaps, points of lanes, the result */
#ifndef CORE_NETWORK_LAYOUT_PARTS_H
#define CORE_NETWORK_LAYOUT_PARTS_H

#include "base/mem.h"
#include "core/network/layout.h"

#define LAYOUT_BOX_ROWS 3 /* a box with one row of text */

/* A box, or rows of a column that lanes pass through. */
struct layout_unit {
	struct net_layout_box box;
	int *row;          /* per kind: box.row */
	bool *has;         /* per kind: a lane meets the unit */
	int n_has;
	int block;         /* index of its block; -1: shared */
	bool pass, fed;    /* pass: lanes pass through; fed: lanes arrive here */
	int least, wish;   /* number of rows: minimum, and the most that it can use */
	int place;         /* position in its column, for ordering: 0 … 1000 */
	size_t from, to;   /* if `pass`: the boxes at the lanes' ends */
};

struct layout_block {
	const size_t *owner;
	size_t n_owners;
	int y, h;
};

struct layout_lane {
	size_t from, to, kind;
	size_t *link, n_links, cap_links;
	bool unreported;
	size_t first_hop, n_hops;
};

/* The way of a hop. From column to column: straight or by a trunk. Within a column: straight down, or round through the
 * gap. */
enum layout_hop_way { LAYOUT_HOP_NONE, LAYOUT_HOP_STRAIGHT, LAYOUT_HOP_TRUNK, LAYOUT_HOP_DOWN, LAYOUT_HOP_ROUND };
struct layout_hop {
	size_t lane, a, b; /* lane; units at its ends */
	size_t gap;        /* the gap to the right of this column */
	bool left;         /* if ROUND: on the left side of its column */
	enum layout_hop_way way;
	int ya, yb, trunk; /* rows of its ends; its column of trunks in the gap */
	size_t leads;      /* a hop of another kind between the same units, whose rows it follows; SIZE_MAX: none */
};

struct layout_plan {
	const struct net_layout_request *ask;
	const struct network *net;
	struct arena *arena;
	size_t *first_owner;   /* per module: index of its first entry in ask->share */
	size_t *links_out;     /* per module: number of links that leave it */
	size_t block_stages;   /* number of stages in blocks; these come first */
	enum scope block_scope;
	size_t *kind, *rank;   /* kinds from top to bottom; position of each kind */
	struct net_layout_column column[64];
	struct net_layout_width width[64]; /* of the column's boxes, with borders */
	size_t n_columns, block_columns;
	struct layout_block *block;
	size_t n_blocks;
	size_t *idle, n_idle;
	int blank, block_least, block_lanes; /* blank rows between blocks; rows and lanes that a block needs */
	int h;                               /* rows for boxes */
	struct layout_unit *unit;
	size_t n_units, cap_units, n_boxes;
	struct layout_lane *lane;
	size_t n_lanes, cap_lanes;
	struct layout_hop *hop;
	size_t n_hops, cap_hops;
	int *trunks;           /* per gap: number of trunk columns */
	bool *has_ingress;     /* per column: an arrow stands on its left */
	struct { size_t unit, module, kind; } *ingress;
	size_t n_ingress, cap_ingress;
};

static inline int
int_max(int a, int b)
{
	return a > b ? a : b;
}

static inline int
int_min(int a, int b)
{
	return a < b ? a : b;
}

void layout_blocks(struct layout_plan *);         /* Find blocks and idle owners. */
/* Returns true if the modules of a block's column have boxes of their own. */
bool layout_splits(const struct layout_plan *, size_t column);
/* Returns true if unrelated shared modules of the column share a box for lack of room. */
bool layout_joins(struct layout_plan *, size_t column);
void layout_units(struct layout_plan *);          /* Make the boxes. */
struct layout_unit *layout_add_unit(struct layout_plan *, size_t column, int block);
/* Make lanes and hops, and units for lanes that pass through columns. */
void layout_lanes(struct layout_plan *);
void layout_rows(struct layout_plan *);           /* Set the order and rows of boxes, and rows of kinds in them. */
void layout_route(struct layout_plan *);

/* Returns the row of the i-th of n things that are spread evenly over `rows` rows from `first`; if there are more
 * things than rows, some share a row. */
static inline int
layout_spread_row(int first, int rows, int n, int i)
{
	return n <= rows ? first + (2 * i + 1) * rows / (2 * n) : first + i * rows / n;
}

#endif
