/* A network as a Clos picture: where its boxes stand on a grid of cells, and which cells its lanes take.
 *
 *     core      L1            L2          LLC         to memory   memory
 *     ┌core 0┐  ┌SB L1D LFB┐  ┌L2──────┐  ┌LLC─────┐  ┌IMC────┐   ┌DDR────┐
 *     │      ├──┤          ├──┤        ├──┤        ├──┤       ├───┤       │
 *     │      │  │          │ ▷┤        ├──┤        │  └───────┘   └───────┘    one column per stage,
 *     └──────┘  └──────────┘  └────────┘  │        ├──────────┐  ┌far────┐    one lane per kind and link
 *     ┌core 1┐  ┌SB L1D LFB┐  ┌L2──────┐  │        │          └──┤       │
 *     │      ├──┤          ├──┤        ├──┤        │  ┌M2PCIe─┐  └───────┘
 *     └──────┘  └──────────┘  └────────┘  └────────┘  └───────┘
 *     a block per core: its rows are          a shared module is as tall as all that feeds it:
 *     the same in all of its columns          lanes run straight into it
 *
 * The picture depends on the network, the machine's shape, the area, and what is unfolded. The loads matter only in
 * that they show which owners ever carried requests, so nothing moves from snapshot to snapshot. All numbers are
 * integers, and equal input gives equal pictures. */
#ifndef CORE_NETWORK_LAYOUT_H
#define CORE_NETWORK_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/network/network.h"
#include "core/network/state.h"

#define NET_LAYOUT_GAP_LEAST 2
#define NET_LAYOUT_GAP_MOST 10
#define NET_LAYOUT_COLUMN_LEAST 7
#define NET_LAYOUT_COLUMN_MOST 36
#define NET_LAYOUT_IDLE 10 /* in thousandths of its stage's load; an owner that never carried more is idle */

/* Width of the text in a stage's boxes, in columns, without borders: the least; one that reads well; the width of the
 * full text; `named`: the width if the stage shares a box with other modules and follows their names. */
struct net_layout_width {
	int least, well, all, named;
};

/* A module on one owner. */
struct net_layout_place {
	size_t module, owner;
};

struct net_layout_request {
	const struct network *net;
	const struct net_shape *shape;
	const struct net_layout_width *width; /* per stage */
	const bool *unfolded;                 /* per module: show its owners one by one; NULL: none */
	/* per module and owner: the largest share of its stage's load that it ever carried, in thousandths; NULL: none
	 * is idle */
	const unsigned short *share;
	/* per module: it is left out where the modules that share its box are, too, unless nothing else is in its
	 * column; NULL: none is. Modules that exist once per core always have a box */
	const bool *unused;
	const unsigned short *kind_share;     /* per kind: thousandths of all requests; NULL: all equal */
	const struct net_layout_place *keep;  /* boxes that must not be folded away, most important first */
	size_t n_keep;
	int w, h;
	bool turned;                          /* draw columns from right to left */
};

/* A box: modules of a stage on one owner, or on several folded owners. If stages share a column, it has modules of all
 * these stages. */
struct net_layout_box {
	int x, y, w, h;         /* with borders */
	int column;             /* counted in the direction of requests, also if turned */
	const size_t *module;   /* one or more, in the network's order */
	size_t n_modules;
	enum scope per;
	const size_t *owner;    /* in the picture's order */
	size_t n_owners;        /* more than one: folded */
	bool listed;            /* folded, with a row for each owner */
	bool joined;            /* modules of one stage that share a box for lack of room */
	bool shared;            /* belongs to no single core (or other owner of the first stage) */
	const int *row;         /* per kind: the row where its lane meets the box; -1: no lane */
};

struct net_layout_point {
	int x, y;
};

/* Requests of one kind from box to box. The lane is straight from point to point; its first and last point lie on
 * borders. */
struct net_layout_lane {
	size_t from, to;        /* boxes */
	size_t kind;
	const size_t *link;     /* links of the network that the lane shows */
	size_t n_links;
	bool unreported;        /* no counter reports how many requests */
	bool inside;            /* both boxes are in one column */
	/* another lane, of another kind, with exactly the same cells; SIZE_MAX: none */
	size_t with;
	const struct net_layout_point *at;
	size_t n;
};

/* A kind whose requests begin at a box: an arrow head at (x, y) that points to the border at (x_end, y). */
struct net_layout_ingress {
	size_t box, module, kind;
	int x, y, x_end;
};

struct net_layout_column {
	int x, w;
	size_t first, n;        /* stages */
};

struct net_layout {
	int w, h;               /* h may be more than requested; then the view scrolls */
	struct net_layout_column *column;
	size_t n_columns;       /* ordered by stage */
	struct net_layout_box *box;
	size_t n_boxes;
	struct net_layout_lane *lane; /* lanes that leave the same box stand together */
	size_t n_lanes;
	struct net_layout_ingress *ingress;
	size_t n_ingress;
	size_t *kind;           /* n_kinds: from top to bottom */
	const size_t *idle;     /* idle owners of the first stage, which have no box */
	size_t n_idle;
	int idle_row;           /* free row for a line about idle owners */
	struct arena *arena;
};

/* Compute the picture. Returns NULL if the area is too narrow for two columns. Free with net_layout_free(). */
struct net_layout *net_layout_new(const struct net_layout_request *);
void net_layout_free(struct net_layout *);

/* Returns the box that shows a module of an owner; SIZE_MAX if none does, because the owner is idle or does not exist.
 */
size_t net_layout_find(const struct net_layout *, size_t module, size_t owner);

#endif
