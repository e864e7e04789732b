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

/* Returns true if lanes may leave (or arrive at) the unit in any row: switches, and sources of requests. */
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
by_trunk(const struct layout_plan *plan, const struct claims *claims, struct layout_hop *hop)
{
	size_t kind = plan->lane[hop->lane].kind;

	hop->way = LAYOUT_HOP_TRUNK;
	if (!plan->unit[hop->a].pass)
		hop->ya = nearest_row(plan, claims, RIGHT, hop->a, kind, hop->ya);
	hop->yb = nearest_row(plan, claims, LEFT, hop->b, kind, hop->yb);
	claim(plan, claims, RIGHT, hop->a, kind, hop->ya);
	claim(plan, claims, LEFT, hop->b, kind, hop->yb);
	if (hop->ya == hop->yb)
		hop->way = LAYOUT_HOP_STRAIGHT;
}

/* Route a hop within a column: straight down if one box is right below the other, else round through the gap. */
static void
layout_route_inside(const struct layout_plan *plan, const struct claims *claims, struct layout_hop *hop)
{
	const struct layout_unit *a = &plan->unit[hop->a], *b = &plan->unit[hop->b];
	size_t kind = plan->lane[hop->lane].kind;
	int below = a->box.y + a->box.h, above = b->box.y + b->box.h;

	if (b->box.y - below == 0 || b->box.y - below == 1 || a->box.y - above == 0 || a->box.y - above == 1) {
		hop->way = LAYOUT_HOP_DOWN;
		return;
	}
	hop->way = LAYOUT_HOP_ROUND;
	hop->left = hop->gap + 1 == plan->n_columns;
	hop->gap -= hop->left;
	hop->ya = nearest_row(plan, claims, hop->left ? LEFT : RIGHT, hop->a, kind, hop->ya);
	hop->yb = nearest_row(plan, claims, hop->left ? LEFT : RIGHT, hop->b, kind, hop->yb);
	claim(plan, claims, hop->left ? LEFT : RIGHT, hop->a, kind, hop->ya);
	claim(plan, claims, hop->left ? LEFT : RIGHT, hop->b, kind, hop->yb);
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
find_leaders(struct layout_plan *plan, size_t gap)
{
	for (size_t i = 0; i < plan->n_hops; i++)
		for (size_t k = 0; k < i && plan->hop[i].gap == gap; k++) {
			struct layout_hop *h = &plan->hop[i];
			const struct layout_hop *o = &plan->hop[k];

			if (o->a != h->a || o->b != h->b || o->leads != SIZE_MAX ||
				(o->ya != h->ya && (o->yb != h->yb || !is_free(plan, h->a, true))))
				continue;
			h->leads = k;
			break;
		}
}

static void
follow_leaders(struct layout_plan *plan, size_t gap)
{
	for (size_t i = 0; i < plan->n_hops; i++) {
		struct layout_hop *hop = &plan->hop[i];

		if (hop->leads == SIZE_MAX || (hop->gap != gap && plan->unit[hop->a].box.column != (int)gap))
			continue;
		*hop = (struct layout_hop){.lane = hop->lane,
			.a = hop->a,
			.b = hop->b,
			.gap = plan->hop[hop->leads].gap,
			.left = plan->hop[hop->leads].left,
			.way = plan->hop[hop->leads].way,
			.ya = plan->hop[hop->leads].ya,
			.yb = plan->hop[hop->leads].yb,
			.trunk = plan->hop[hop->leads].trunk,
			.leads = hop->leads};
		keep_row(plan, hop);
	}
}

static void
choose_rows(struct layout_plan *plan, const struct claims *claims, size_t gap)
{
	find_leaders(plan, gap);
	for (int pass = 0; pass < 4; pass++)
		for (size_t i = 0; i < plan->n_hops; i++) {
			struct layout_hop *hop = &plan->hop[i];
			const struct layout_unit *a = &plan->unit[hop->a], *b = &plan->unit[hop->b];
			size_t kind = plan->lane[hop->lane].kind;

			if (hop->way != LAYOUT_HOP_NONE || hop->leads != SIZE_MAX || a->box.column != (int)gap)
				continue;
			if (a->box.column == b->box.column) {
				if (pass == 3)
					layout_route_inside(plan, claims, hop);
				continue;
			}
			if (pass == 0 && hop->ya == hop->yb)
				go_straight(plan, claims, hop, hop->ya);
			else if (pass == 1 && is_free(plan, hop->a, true) && covers(a, hop->yb) &&
				may_have(plan, claims, RIGHT, hop->a, kind, hop->yb) &&
				may_have(plan, claims, LEFT, hop->b, kind, hop->yb))
				go_straight(plan, claims, hop, hop->yb);
			else if (pass == 2 && is_free(plan, hop->b, false) && covers(b, hop->ya) &&
				may_have(plan, claims, RIGHT, hop->a, kind, hop->ya) &&
				may_have(plan, claims, LEFT, hop->b, kind, hop->ya))
				go_straight(plan, claims, hop, hop->ya);
			else if (pass == 3)
				by_trunk(plan, claims, hop);
			if (hop->way != LAYOUT_HOP_NONE)
				keep_row(plan, hop);
		}
	follow_leaders(plan, gap);
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
find_trunks(const struct layout_plan *plan, size_t gap, struct trunk *trunk, size_t *trunk_of)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->n_hops; i++) {
		const struct layout_hop *hop = &plan->hop[i];
		size_t k = 0;

		trunk_of[i] = SIZE_MAX;
		if (!takes_trunk(hop, gap))
			continue;
		for (; k < n && !layout_route_is_of(plan, &trunk[k], hop); k++)
			;
		if (k == n)
			trunk[n++] = (struct trunk){.unit = hop->a,
				.kind = plan->lane[hop->lane].kind,
				.y = hop->ya,
				.top = hop->ya,
				.bottom = hop->ya,
				.last = hop->yb,
				.round = hop->way == LAYOUT_HOP_ROUND};
		trunk[k].n_ends++;
		trunk_of[i] = k;
		trunk[k].top = int_min(trunk[k].top, hop->yb);
		trunk[k].bottom = int_max(trunk[k].bottom, hop->yb);
		if (abs(hop->yb - hop->ya) > abs(trunk[k].last - hop->ya))
			trunk[k].last = hop->yb;
	}
	return n;
}

static void
layout_route_find_ends(const struct layout_plan *plan, struct trunk *t, size_t n, const size_t *trunk_of, int *end)
{
	for (size_t k = 0; k < n; k++) {
		t[k].end = end;
		end += t[k].n_ends;
		t[k].n_ends = 0;
	}
	for (size_t i = 0; i < plan->n_hops; i++)
		if (trunk_of[i] != SIZE_MAX) {
			struct trunk *x = &t[trunk_of[i]];

			x->end[x->n_ends++] = plan->hop[i].yb;
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

/* Returns true if a must be left of b, because it leaves in the row in which b ends. */
static bool
is_left_of(const struct trunk *a, const struct trunk *b)
{
	return a->y != b->y && ends_in(b, a->y);
}

/* Sort trunks: those that must be left of others come first, then by trunk_before(). In a circle, the first one
 * wins. */
static void
order_trunks(struct trunk *trunk, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t first = n, any = i;

		for (size_t k = i; k < n; k++) {
			bool free = true;

			for (size_t o = i; o < n; o++)
				free &= o == k || !is_left_of(&trunk[o], &trunk[k]);
			if (free && (first == n || trunk_before(&trunk[k], &trunk[first])))
				first = k;
			any = trunk_before(&trunk[k], &trunk[any]) ? k : any;
		}
		swap_trunks(&trunk[i], &trunk[first == n ? any : first]);
	}
}

/* Give trunks columns from left to right. A lane that should be left of an earlier one, and has no room there,
 * overlaps it for some cells. */
static void
place_trunks(struct layout_plan *plan, size_t gap)
{
	struct trunk *trunk = mem_new_array(plan->n_hops, sizeof *trunk);
	size_t *trunk_of = mem_new_array(plan->n_hops, sizeof *trunk_of), n = find_trunks(plan, gap, trunk, trunk_of);
	int *end = mem_new_array(plan->n_hops, sizeof *end);

	layout_route_find_ends(plan, trunk, n, trunk_of, end);
	order_trunks(trunk, n);
	for (size_t i = 0; i < n; i++) {
		while (trunk[i].column < plan->trunks[gap] && !layout_route_fits(trunk, i, &trunk[i], trunk[i].column))
			trunk[i].column++;
		plan->trunks[gap] = int_max(plan->trunks[gap], trunk[i].column + 1);
	}
	for (size_t i = 0; i < plan->n_hops; i++)
		for (size_t k = 0; k < n && takes_trunk(&plan->hop[i], gap); k++)
			if (layout_route_is_of(plan, &trunk[k], &plan->hop[i]))
				plan->hop[i].trunk = trunk[k].column;
	for (size_t i = 0; i < plan->n_hops; i++)
		if (plan->hop[i].leads != SIZE_MAX && plan->hop[i].gap == gap)
			plan->hop[i].trunk = plan->hop[plan->hop[i].leads].trunk;
	free(trunk);
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
		struct layout_hop *hop = &p->hop[i];

		hop->ya = p->unit[hop->a].row[p->lane[hop->lane].kind];
		hop->yb = p->unit[hop->b].row[p->lane[hop->lane].kind];
	}
	for (size_t gap = 0; gap < p->n_columns; gap++)
		choose_rows(p, &c, gap);
	for (size_t gap = 0; gap + 1 < p->n_columns; gap++)
		place_trunks(p, gap);
	layout_route_take_rows(p);
	free(c.at[LEFT]);
	free(c.at[RIGHT]);
}
