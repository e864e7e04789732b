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
 * The picture depends on the network, the machine's shape, the area and what is unfolded, and on loads only through
 * which owners ever carried something: so nothing moves from snapshot to snapshot. All numbers are integers; equal asks
 * give equal pictures. */
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
#define NET_LAYOUT_IDLE 10 /* thousandths of its stage's load: an owner that never had more is idle */

/* Columns that the text in a stage's boxes takes, borders not counted: with nothing but what must be there, as it reads
 * well, with all; and when it stands in one box with other modules, behind their names. */
struct net_layout_width {
	int least, well, all, named;
};

/* A module of one owner. */
struct net_layout_place {
	size_t module, owner;
};

struct net_layout_ask {
	const struct network *net;
	const struct net_shape *shape;
	const struct net_layout_width *width; /* per stage */
	const bool *unfolded;                 /* per module: its owners stand one by one; NULL: none */
	/* owners of modules, module by module: the most that it carried of its stage, in thousandths; NULL: all carry
	 */
	const unsigned short *share;
	const unsigned short *kind_share;     /* per kind, of all; NULL: all alike */
	const struct net_layout_place *keep;  /* not folded away, the first one before the others */
	size_t n_keep;
	int w, h;
	bool turned;                          /* columns from right to left */
};

/* A box: modules of a stage (or of stages that had no room of their own) of one owner, or of several that are folded.
 */
struct net_layout_box {
	int x, y, w, h;         /* borders included */
	int column;             /* from left to right as requests flow, also when it is turned */
	const size_t *module;   /* one or more, in order */
	size_t n_modules;
	enum scope per;
	const size_t *owner;    /* in order of the picture */
	size_t n_owners;        /* more than one: folded */
	bool listed;            /* … but with a row for each */
	bool joined;            /* modules of one stage that had no room for boxes of their own */
	bool shared;            /* of no single core (or whatever the first stage has one for each of) */
	const int *row;         /* per kind: where its lane meets the box; -1: it has none */
};

struct net_layout_point {
	int x, y;
};

/* Requests of one kind from box to box. The points are joined by straight lines; the first and the last one lie on the
 * borders. */
struct net_layout_lane {
	size_t from, to;        /* boxes */
	size_t kind;
	const size_t *link;     /* of the network */
	size_t n_links;
	bool unreported;        /* no counter says how many */
	bool inside;            /* between boxes of one column */
	/* the lane of another kind that it shares all of its cells with; SIZE_MAX: it has its own */
	size_t with;
	const struct net_layout_point *at;
	size_t n;
};

/* Requests of a kind begin at a box: an arrow head at (x, y), the box's border at (x_end, y). */
struct net_layout_ingress {
	size_t box, module, kind;
	int x, y, x_end;
};

struct net_layout_column {
	int x, w;
	size_t first, n;        /* stages */
};

struct net_layout {
	int w, h;               /* h may be more than was asked for: it scrolls */
	struct net_layout_column *column;
	size_t n_columns;       /* in the order of stages */
	struct net_layout_box *box;
	size_t n_boxes;
	struct net_layout_lane *lane; /* those that leave one box follow each other */
	size_t n_lanes;
	struct net_layout_ingress *ingress;
	size_t n_ingress;
	size_t *kind;           /* n_kinds: from top to bottom */
	const size_t *idle;     /* owners of the first stage that have no box, because they are idle */
	size_t n_idle;
	int idle_row;           /* room for a line about them */
	struct arena *arena;
};

/* The caller's. NULL when it is too narrow for two columns. */
struct net_layout *net_layout_new(const struct net_layout_ask *);
void net_layout_free(struct net_layout *);

/* The box that shows a module of an owner, SIZE_MAX when none does (it is idle, or there is no such owner). */
size_t net_layout_find(const struct net_layout *, size_t module, size_t owner);

#endif
