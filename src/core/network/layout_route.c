/* Chooses the rows of lanes between columns, and the columns where lanes change their row.
 *
 * A row on one side of a column belongs to one kind of one box. A lane with the same row on both sides of a gap goes
 * straight. A shared module is a switch: lanes may meet it in any row. So a lane is straight, too, if its other end is
 * within the switch's rows. All other lanes go by a trunk, a column of the gap:
 *
 *     ┤──────┐      ┌──├
 *            │  ────┘
 *            └─────────├
 *
 * Two trunks may share a column where their rows do not meet. If a lane leaves in the row in which another lane ends,
 * its trunk is left of the other's. Then the two do not lie on each other. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/network/layout_parts.h"

enum side { LEFT, RIGHT };

/* The unit and kind in each row, as one number; 0 if free. */
struct claims {
	size_t *at[2]; /* per side: columns × rows */
	int h;
};

/* The trunk of a unit's lanes of one kind. */
struct trunk {
	size_t unit, kind;
	int y, top, bottom, last; /* row where it leaves; its extent; the end that is farthest away */
	bool round;
	int column;
	int *end;                 /* rows in which its hops end */
	size_t n_ends;
};

static size_t *
claim_at(const struct claims *c, enum side side, int column, int y)
{
	return &c->at[side][(size_t)column * (size_t)c->h + (size_t)y];
}

static size_t
claimant(const struct layout_plan *p, size_t unit, size_t kind)
{
	return unit * p->net->n_kinds + kind + 1;
}

static bool
may_have(const struct layout_plan *p, const struct claims *c, enum side side, size_t unit, size_t kind, int y)
{
	size_t has = *claim_at(c, side, p->unit[unit].box.column, y);

	return !has || has == claimant(p, unit, kind);
}

static void
claim(const struct layout_plan *p, const struct claims *c, enum side side, size_t unit, size_t kind, int y)
{
	size_t *at = claim_at(c, side, p->unit[unit].box.column, y);

	if (!*at)
		*at = claimant(p, unit, kind);
}

static bool
covers(const struct layout_unit *u, int y)
{
	return y >= u->box.y + !u->pass && y < u->box.y + u->box.h - !u->pass;
}

static void
go_straight(const struct layout_plan *p, const struct claims *c, struct layout_hop *h, int y)
{
	size_t kind = p->lane[h->lane].kind;

	h->way = LAYOUT_HOP_STRAIGHT;
	h->ya = h->yb = y;
	claim(p, c, RIGHT, h->a, kind, y);
	claim(p, c, LEFT, h->b, kind, y);
}

/* True if lanes may leave (or arrive at) the unit in any row: switches, and sources of requests. */
static bool
is_free(const struct layout_plan *p, size_t unit, bool leaving)
{
	const struct layout_unit *u = &p->unit[unit];

	return u->pass ? !leaving : u->block < 0 || (leaving && !u->fed && u->box.column == 0);
}

static int
nearest_row(const struct layout_plan *p, const struct claims *c, enum side side, size_t unit, size_t kind, int y)
{
	const struct layout_unit *u = &p->unit[unit];

	for (int d = 0; d < u->box.h; d++)
		for (int sign = -1; sign <= 1; sign += 2)
			if (covers(u, y + sign * d) && may_have(p, c, side, unit, kind, y + sign * d))
				return y + sign * d;
	return y;
}

static void
by_trunk(const struct layout_plan *p, const struct claims *c, struct layout_hop *h)
{
	size_t kind = p->lane[h->lane].kind;

	h->way = LAYOUT_HOP_TRUNK;
	if (!p->unit[h->a].pass)
		h->ya = nearest_row(p, c, RIGHT, h->a, kind, h->ya);
	h->yb = nearest_row(p, c, LEFT, h->b, kind, h->yb);
	claim(p, c, RIGHT, h->a, kind, h->ya);
	claim(p, c, LEFT, h->b, kind, h->yb);
	if (h->ya == h->yb)
		h->way = LAYOUT_HOP_STRAIGHT;
}

/* Route a hop within a column: straight down if one box is right below the other, else round through the gap. */
static void
layout_route_inside(const struct layout_plan *p, const struct claims *c, struct layout_hop *h)
{
	const struct layout_unit *a = &p->unit[h->a], *b = &p->unit[h->b];
	size_t kind = p->lane[h->lane].kind;
	int below = a->box.y + a->box.h, above = b->box.y + b->box.h;

	if (b->box.y - below == 0 || b->box.y - below == 1 || a->box.y - above == 0 || a->box.y - above == 1) {
		h->way = LAYOUT_HOP_DOWN;
		return;
	}
	h->way = LAYOUT_HOP_ROUND;
	h->left = h->gap + 1 == p->n_columns;
	h->gap -= h->left;
	h->ya = nearest_row(p, c, h->left ? LEFT : RIGHT, h->a, kind, h->ya);
	h->yb = nearest_row(p, c, h->left ? LEFT : RIGHT, h->b, kind, h->yb);
	claim(p, c, h->left ? LEFT : RIGHT, h->a, kind, h->ya);
	claim(p, c, h->left ? LEFT : RIGHT, h->b, kind, h->yb);
}

/* Makes the next hop of a lane leave the unit that it passes through in the row in which it arrived. */
static void
keep_row(struct layout_plan *p, const struct layout_hop *h)
{
	const struct layout_lane *l = &p->lane[h->lane];

	for (size_t i = l->first_hop; i < l->first_hop + l->n_hops; i++)
		if (p->unit[h->b].pass && p->hop[i].a == h->b)
			p->hop[i].ya = h->yb;
}

/* Lanes of kinds that share a row in one box and go to the same box stay together. */
static void
find_leaders(struct layout_plan *p, size_t gap)
{
	for (size_t i = 0; i < p->n_hops; i++)
		for (size_t k = 0; k < i && p->hop[i].gap == gap; k++) {
			struct layout_hop *h = &p->hop[i];
			const struct layout_hop *o = &p->hop[k];

			if (o->a != h->a || o->b != h->b || o->leads != SIZE_MAX ||
				(o->ya != h->ya && (o->yb != h->yb || !is_free(p, h->a, true))))
				continue;
			h->leads = k;
			break;
		}
}

static void
follow_leaders(struct layout_plan *p, size_t gap)
{
	for (size_t i = 0; i < p->n_hops; i++) {
		struct layout_hop *h = &p->hop[i];

		if (h->leads == SIZE_MAX || (h->gap != gap && p->unit[h->a].box.column != (int)gap))
			continue;
		*h = (struct layout_hop){.lane = h->lane,
			.a = h->a,
			.b = h->b,
			.gap = p->hop[h->leads].gap,
			.left = p->hop[h->leads].left,
			.way = p->hop[h->leads].way,
			.ya = p->hop[h->leads].ya,
			.yb = p->hop[h->leads].yb,
			.trunk = p->hop[h->leads].trunk,
			.leads = h->leads};
		keep_row(p, h);
	}
}

static void
choose_rows(struct layout_plan *p, const struct claims *c, size_t gap)
{
	find_leaders(p, gap);
	for (int pass = 0; pass < 4; pass++)
		for (size_t i = 0; i < p->n_hops; i++) {
			struct layout_hop *h = &p->hop[i];
			const struct layout_unit *a = &p->unit[h->a], *b = &p->unit[h->b];
			size_t kind = p->lane[h->lane].kind;

			if (h->way != LAYOUT_HOP_NONE || h->leads != SIZE_MAX || a->box.column != (int)gap)
				continue;
			if (a->box.column == b->box.column) {
				if (pass == 3)
					layout_route_inside(p, c, h);
				continue;
			}
			if (pass == 0 && h->ya == h->yb)
				go_straight(p, c, h, h->ya);
			else if (pass == 1 && is_free(p, h->a, true) && covers(a, h->yb) &&
				may_have(p, c, RIGHT, h->a, kind, h->yb) && may_have(p, c, LEFT, h->b, kind, h->yb))
				go_straight(p, c, h, h->yb);
			else if (pass == 2 && is_free(p, h->b, false) && covers(b, h->ya) &&
				may_have(p, c, RIGHT, h->a, kind, h->ya) && may_have(p, c, LEFT, h->b, kind, h->ya))
				go_straight(p, c, h, h->ya);
			else if (pass == 3)
				by_trunk(p, c, h);
			if (h->way != LAYOUT_HOP_NONE)
				keep_row(p, h);
		}
	follow_leaders(p, gap);
}

/* --- trunks ------------------------------------------------------------------------------------------------------ */

static bool
takes_trunk(const struct layout_hop *h, size_t gap)
{
	return h->gap == gap && h->leads == SIZE_MAX && (h->way == LAYOUT_HOP_TRUNK || h->way == LAYOUT_HOP_ROUND);
}

static bool
layout_route_is_of(const struct layout_plan *p, const struct trunk *t, const struct layout_hop *h)
{
	return t->unit == h->a && t->kind == p->lane[h->lane].kind && t->y == h->ya &&
		t->round == (h->way == LAYOUT_HOP_ROUND);
}

/* Find the gap's trunks. trunk_of: per hop, the index of its trunk. */
static size_t
find_trunks(const struct layout_plan *p, size_t gap, struct trunk *t, size_t *trunk_of)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n_hops; i++) {
		const struct layout_hop *h = &p->hop[i];
		size_t k = 0;

		trunk_of[i] = SIZE_MAX;
		if (!takes_trunk(h, gap))
			continue;
		for (; k < n && !layout_route_is_of(p, &t[k], h); k++)
			;
		if (k == n)
			t[n++] = (struct trunk){.unit = h->a,
				.kind = p->lane[h->lane].kind,
				.y = h->ya,
				.top = h->ya,
				.bottom = h->ya,
				.last = h->yb,
				.round = h->way == LAYOUT_HOP_ROUND};
		t[k].n_ends++;
		trunk_of[i] = k;
		t[k].top = int_min(t[k].top, h->yb);
		t[k].bottom = int_max(t[k].bottom, h->yb);
		if (abs(h->yb - h->ya) > abs(t[k].last - h->ya))
			t[k].last = h->yb;
	}
	return n;
}

static void
layout_route_find_ends(const struct layout_plan *p, struct trunk *t, size_t n, const size_t *trunk_of, int *end)
{
	for (size_t k = 0; k < n; k++) {
		t[k].end = end;
		end += t[k].n_ends;
		t[k].n_ends = 0;
	}
	for (size_t i = 0; i < p->n_hops; i++)
		if (trunk_of[i] != SIZE_MAX) {
			struct trunk *x = &t[trunk_of[i]];

			x->end[x->n_ends++] = p->hop[i].yb;
		}
}

/* Order: upward trunks first, then by the row in which they end. */
static bool
trunk_before(const struct trunk *a, const struct trunk *b)
{
	bool up_a = a->last < a->y, up_b = b->last < b->y;

	if (up_a != up_b)
		return up_a;
	return up_a ? a->last < b->last : a->last > b->last;
}

static bool
ends_in(const struct trunk *t, int y)
{
	for (size_t i = 0; i < t->n_ends; i++)
		if (t->end[i] == y)
			return true;
	return false;
}

static bool
layout_route_fits(const struct trunk *t, size_t placed, const struct trunk *x, int column)
{
	for (size_t i = 0; i < placed; i++) {
		const struct trunk *o = &t[i];

		if (o->column == column && x->top <= o->bottom && o->top <= x->bottom)
			return false;
		if (x->y != o->y && column >= o->column && ends_in(o, x->y))
			return false;
		if (x->y != o->y && column <= o->column && ends_in(x, o->y))
			return false;
	}
	return true;
}

static void
swap_trunks(struct trunk *a, struct trunk *b)
{
	struct trunk x = *a;

	*a = *b;
	*b = x;
}

/* True if a must be left of b, because it leaves in the row in which b ends. */
static bool
is_left_of(const struct trunk *a, const struct trunk *b)
{
	return a->y != b->y && ends_in(b, a->y);
}

/* Sort trunks: those that must be left of others come first, then by trunk_before(). In a circle, the first one
 * wins. */
static void
order_trunks(struct trunk *t, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t first = n, any = i;

		for (size_t k = i; k < n; k++) {
			bool free = true;

			for (size_t o = i; o < n; o++)
				free &= o == k || !is_left_of(&t[o], &t[k]);
			if (free && (first == n || trunk_before(&t[k], &t[first])))
				first = k;
			any = trunk_before(&t[k], &t[any]) ? k : any;
		}
		swap_trunks(&t[i], &t[first == n ? any : first]);
	}
}

/* Give trunks columns from left to right. A lane that should be left of an earlier one, and has no room there,
 * overlaps it for some cells. */
static void
place_trunks(struct layout_plan *p, size_t gap)
{
	struct trunk *t = mem_new_array(p->n_hops, sizeof *t);
	size_t *trunk_of = mem_new_array(p->n_hops, sizeof *trunk_of), n = find_trunks(p, gap, t, trunk_of);
	int *end = mem_new_array(p->n_hops, sizeof *end);

	layout_route_find_ends(p, t, n, trunk_of, end);
	order_trunks(t, n);
	for (size_t i = 0; i < n; i++) {
		while (t[i].column < p->trunks[gap] && !layout_route_fits(t, i, &t[i], t[i].column))
			t[i].column++;
		p->trunks[gap] = int_max(p->trunks[gap], t[i].column + 1);
	}
	for (size_t i = 0; i < p->n_hops; i++)
		for (size_t k = 0; k < n && takes_trunk(&p->hop[i], gap); k++)
			if (layout_route_is_of(p, &t[k], &p->hop[i]))
				p->hop[i].trunk = t[k].column;
	for (size_t i = 0; i < p->n_hops; i++)
		if (p->hop[i].leads != SIZE_MAX && p->hop[i].gap == gap)
			p->hop[i].trunk = p->hop[p->hop[i].leads].trunk;
	free(t);
	free(trunk_of);
	free(end);
}

/* Set the final rows where lanes meet boxes: where they arrive, or else where they leave. */
static void
layout_route_take_rows(struct layout_plan *p)
{
	for (int in = 0; in < 2; in++)
		for (size_t i = p->n_hops; i-- > 0;) {
			const struct layout_hop *h = &p->hop[i];
			struct layout_unit *u = &p->unit[in ? h->b : h->a];

			if (h->way == LAYOUT_HOP_STRAIGHT || h->way == LAYOUT_HOP_TRUNK)
				u->row[p->lane[h->lane].kind] = in ? h->yb : h->ya;
		}
}

void
layout_route(struct layout_plan *p)
{
	size_t cells = p->n_columns * (size_t)int_max(1, p->h);
	struct claims c = {.at = {mem_new_array(cells, sizeof *c.at[0]), mem_new_array(cells, sizeof *c.at[0])},
		.h = int_max(1, p->h)};

	for (size_t i = 0; i < p->n_ingress; i++)
		claim(p, &c, LEFT, p->ingress[i].unit, p->ingress[i].kind,
			p->unit[p->ingress[i].unit].row[p->ingress[i].kind]);
	for (size_t i = 0; i < p->n_hops; i++) {
		struct layout_hop *h = &p->hop[i];

		h->ya = p->unit[h->a].row[p->lane[h->lane].kind];
		h->yb = p->unit[h->b].row[p->lane[h->lane].kind];
	}
	for (size_t gap = 0; gap < p->n_columns; gap++)
		choose_rows(p, &c, gap);
	for (size_t gap = 0; gap + 1 < p->n_columns; gap++)
		place_trunks(p, gap);
	layout_route_take_rows(p);
	free(c.at[LEFT]);
	free(c.at[RIGHT]);
}
