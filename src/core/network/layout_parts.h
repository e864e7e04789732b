/* What the files of the layout share: layout.c (columns, widths), layout_units.c (blocks, folding), layout_rows.c
 * (heights, rows), layout_lanes.c (who asks whom), layout_route.c (rows and columns of lanes). */
#ifndef CORE_NETWORK_LAYOUT_PARTS_H
#define CORE_NETWORK_LAYOUT_PARTS_H

#include "base/mem.h"
#include "core/network/layout.h"

#define LAYOUT_BOX_ROWS 3 /* a box with one row of text */

/* A box, or a row or more in a column that lanes pass through. */
struct layout_unit {
	struct net_layout_box box;
	int *row;          /* per kind: box.row */
	bool *has;         /* per kind: a lane meets it */
	int n_has;
	int block;         /* -1: shared */
	bool pass, fed;    /* fed: lanes come in */
	int least, wish;   /* rows */
	int place;         /* in its column, 1000 apart: for ordering */
	size_t from, to;   /* pass: the boxes at its ends */
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

/* From column to column, or within one. */
enum layout_hop_way { LAYOUT_HOP_NONE, LAYOUT_HOP_STRAIGHT, LAYOUT_HOP_TRUNK, LAYOUT_HOP_DOWN, LAYOUT_HOP_ROUND };
struct layout_hop {
	size_t lane, a, b; /* units */
	size_t gap;        /* right of this column */
	bool left;         /* ROUND: on the left of its column */
	enum layout_hop_way way;
	int ya, yb, trunk; /* trunk: column of trunks in the gap */
	size_t leads;      /* a hop of another kind between the same two, whose rows it takes too; SIZE_MAX: none */
};

struct layout_plan {
	const struct net_layout_ask *ask;
	const struct network *net;
	struct arena *arena;
	size_t *first_owner;   /* per module: its first entry of ask->share */
	size_t *links_out;     /* per module */
	size_t block_stages;   /* stages of blocks stand first */
	enum scope block_scope;
	size_t *kind, *rank;   /* kinds from top to bottom; and the other way round */
	struct net_layout_column column[64];
	struct net_layout_width width[64]; /* of the column's boxes, with borders */
	size_t n_columns, block_columns;
	struct layout_block *block;
	size_t n_blocks;
	size_t *idle, n_idle;
	int blank, block_least, block_lanes; /* rows between blocks; rows and kinds of one */
	int h;                 /* rows of boxes */
	struct layout_unit *unit;
	size_t n_units, cap_units, n_boxes;
	struct layout_lane *lane;
	size_t n_lanes, cap_lanes;
	struct layout_hop *hop;
	size_t n_hops, cap_hops;
	int *trunks;           /* per gap */
	bool *has_ingress;     /* per column: at its left */
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

/* is there a lane? */
bool layout_link_has_lane(const struct layout_plan *, const struct net_link *, size_t kind, bool *unreported);

void layout_blocks(struct layout_plan *);         /* blocks, idle owners */
/* do the modules of a block's column have boxes of their own? */
bool layout_splits(const struct layout_plan *, size_t column);
/* do shared modules that have nothing to do with each other share a box, since there is no room for several? */
bool layout_joins(struct layout_plan *, size_t column);
void layout_units(struct layout_plan *);          /* boxes */
struct layout_unit *layout_add_unit(struct layout_plan *, size_t column, int block);
void layout_lanes(struct layout_plan *);          /* lanes, their hops, what they pass through */
void layout_rows(struct layout_plan *);           /* order, rows of boxes, rows of kinds in them */
void layout_route(struct layout_plan *);

/* The i-th of n things in so many rows from `first`, evenly; more things than rows share some. */
static inline int
layout_spread_row(int first, int rows, int n, int i)
{
	return n <= rows ? first + (2 * i + 1) * rows / (2 * n) : first + i * rows / n;
}

#endif
