/* Finds lanes: one for each kind that can go from box to box, cut into hops from column to column. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/network/layout_parts.h"

/* True if the link has a lane for the kind: counters report its load. It also has one, *unreported, if this module
 * reports the kind, the next module knows it, and no counter says how many requests go there. */
static bool
has_lane(const struct layout_plan *p, const struct net_link *l, size_t kind, bool *unreported)
{
	const struct net_cell *from = &p->net->module[l->from].cell[kind], *to = &p->net->module[l->to].cell[kind];

	*unreported = false;
	if (l->load[kind])
		return true;
	if (from->state != NET_CELL_REPORTED || to->state == NET_CELL_ABSENT)
		return false;
	for (size_t i = 0; i < p->net->n_links; i++) /* the requests are known to take another link */
		if (p->net->link[i].from == l->from && p->net->link[i].load[kind])
			return false;
	*unreported = p->links_out[l->from] > 1 || !from->field[NET_MISS];
	return true;
}

/* True if an owner of one box equals, or is part of, an owner of the other. Owners of unrelated scopes all meet. */
static bool
related(const struct layout_plan *p, const struct net_layout_box *a, const struct net_layout_box *b)
{
	const struct net_shape *s = p->ask->shape;
	bool up = scope_within(a->per, b->per), down = scope_within(b->per, a->per);

	if (!up && !down)
		return true;
	for (size_t i = 0; i < a->n_owners; i++)
		for (size_t k = 0; k < b->n_owners; k++)
			if (up ? net_owner_within(s, a->per, a->owner[i], b->per) == b->owner[k]
			       : net_owner_within(s, b->per, b->owner[k], a->per) == a->owner[i])
				return true;
	return false;
}

static bool
has_module(const struct net_layout_box *b, size_t module)
{
	for (size_t i = 0; i < b->n_modules; i++)
		if (b->module[i] == module)
			return true;
	return false;
}

static void
meet(struct layout_plan *p, size_t unit, size_t kind)
{
	struct layout_unit *u = &p->unit[unit];

	u->n_has += !u->has[kind];
	u->has[kind] = true;
}

static void
add_link(struct layout_plan *p, size_t first, size_t from, size_t to, size_t link, size_t kind, bool unreported)
{
	struct layout_lane *l = NULL;

	for (size_t i = first; i < p->n_lanes && !l; i++) /* lanes that leave this box */
		if (p->lane[i].from == from && p->lane[i].to == to && p->lane[i].kind == kind)
			l = &p->lane[i];
	if (!l) {
		mem_grow(&p->lane, &p->cap_lanes, p->n_lanes + 1, sizeof *p->lane);
		l = &p->lane[p->n_lanes++];
		*l = (struct layout_lane){.from = from, .to = to, .kind = kind, .unreported = true};
	}
	mem_grow(&l->link, &l->cap_links, l->n_links + 1, sizeof *l->link);
	l->link[l->n_links++] = link;
	l->unreported &= unreported;
	meet(p, from, kind);
	meet(p, to, kind);
	p->unit[to].fed = true;
}

static void
lanes_between(struct layout_plan *p, size_t first, size_t from, size_t to)
{
	const struct network *n = p->net;

	for (size_t l = 0; l < n->n_links; l++) {
		bool unreported;

		if (!has_module(&p->unit[from].box, n->link[l].from) || !has_module(&p->unit[to].box, n->link[l].to))
			continue;
		for (size_t k = 0; k < n->n_kinds; k++)
			if (has_lane(p, &n->link[l], k, &unreported))
				add_link(p, first, from, to, l, k, unreported);
	}
}

/* For each module: the list of boxes that hold it. */
static void
find_lanes(struct layout_plan *p)
{
	const struct network *n = p->net;
	size_t *head = mem_new_array(n->n_modules, sizeof *head),
	       *next = mem_new_array(p->n_boxes * n->n_modules + 1, sizeof *next);
	bool *done = mem_new_array(p->n_boxes, sizeof *done);

	for (size_t i = 0; i < n->n_modules; i++)
		head[i] = SIZE_MAX;
	for (size_t b = p->n_boxes; b-- > 0;)
		for (size_t i = 0; i < p->unit[b].box.n_modules; i++) {
			size_t m = p->unit[b].box.module[i];

			next[b * n->n_modules + m] = head[m];
			head[m] = b;
		}
	for (size_t a = 0; a < p->n_boxes; a++) {
		size_t first = p->n_lanes;

		memset(done, 0, p->n_boxes * sizeof *done);
		for (size_t l = 0; l < n->n_links; l++) {
			if (!has_module(&p->unit[a].box, n->link[l].from))
				continue;
			for (size_t b = head[n->link[l].to]; b != SIZE_MAX; b = next[b * n->n_modules + n->link[l].to])
				if (b != a && !done[b] && related(p, &p->unit[a].box, &p->unit[b].box)) {
					done[b] = true;
					lanes_between(p, first, a, b);
				}
		}
	}
	free(head);
	free(next);
	free(done);
}

/* --- hops -------------------------------------------------------------------------------------------------------- */

struct layout_unit *
layout_add_unit(struct layout_plan *p, size_t column, int block)
{
	struct layout_unit *u;

	mem_grow(&p->unit, &p->cap_units, p->n_units + 1, sizeof *p->unit);
	u = &p->unit[p->n_units++];
	*u = (struct layout_unit){.block = block, .least = LAYOUT_BOX_ROWS, .wish = LAYOUT_BOX_ROWS};
	u->box.column = (int)column;
	u->box.shared = block < 0;
	u->row = arena_alloc(p->arena, p->net->n_kinds * sizeof *u->row);
	u->has = arena_alloc(p->arena, p->net->n_kinds * sizeof *u->has);
	for (size_t k = 0; k < p->net->n_kinds; k++)
		u->row[k] = -1;
	u->box.row = u->row;
	return u;
}

/* The unit in a column that lanes from one box to another pass through; made if it does not exist. */
static size_t
pass_through(struct layout_plan *p, const struct layout_lane *l, size_t column)
{
	struct layout_unit *u;

	for (size_t i = p->n_boxes; i < p->n_units; i++)
		if (p->unit[i].from == l->from && p->unit[i].to == l->to && p->unit[i].box.column == (int)column)
			return i;
	u = layout_add_unit(p, column, column < p->block_columns ? p->unit[l->from].block : -1);
	u->pass = true;
	u->fed = true;
	u->from = l->from;
	u->to = l->to;
	u->least = u->wish = 1;
	return p->n_units - 1;
}

static void
add_hop(struct layout_plan *p, size_t lane, size_t a, size_t b)
{
	mem_grow(&p->hop, &p->cap_hops, p->n_hops + 1, sizeof *p->hop);
	p->hop[p->n_hops++] = (struct layout_hop){
		.lane = lane, .a = a, .b = b, .gap = (size_t)p->unit[a].box.column, .leads = SIZE_MAX};
}

static void
cut_lane(struct layout_plan *p, size_t lane)
{
	struct layout_lane *l = &p->lane[lane];
	size_t from = (size_t)p->unit[l->from].box.column, to = (size_t)p->unit[l->to].box.column, at = l->from;

	l->first_hop = p->n_hops;
	for (size_t c = from + 1; c < to; c++) {
		size_t pass = pass_through(p, l, c);

		meet(p, pass, l->kind);
		add_hop(p, lane, at, pass);
		at = pass;
	}
	add_hop(p, lane, at, l->to);
	l->n_hops = p->n_hops - l->first_hop;
}

static void
find_ingress(struct layout_plan *p)
{
	const struct network *n = p->net;

	for (size_t b = 0; b < p->n_boxes; b++)
		for (size_t i = 0; i < p->unit[b].box.n_modules; i++)
			for (size_t k = 0; k < n->n_kinds; k++) {
				size_t m = p->unit[b].box.module[i];

				if (!n->module[m].cell[k].ingress)
					continue;
				meet(p, b, k);
				mem_grow(&p->ingress, &p->cap_ingress, p->n_ingress + 1, sizeof *p->ingress);
				p->ingress[p->n_ingress].unit = b;
				p->ingress[p->n_ingress].module = m;
				p->ingress[p->n_ingress++].kind = k;
				p->has_ingress[p->unit[b].box.column] = true;
			}
}

void
layout_lanes(struct layout_plan *p)
{
	find_lanes(p);
	find_ingress(p);
	for (size_t i = 0; i < p->n_lanes; i++)
		cut_lane(p, i);
}
