/* Finds lanes: one for each kind that can go from box to box, cut into hops from column to column. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/network/layout_parts.h"

/* Returns true if the link has a lane for the kind: counters report its load. It also has one, *unreported, if this
 * module reports the kind, the next module knows it, and no counter says how many requests go there. */
static bool
has_lane(const struct layout_plan *plan, const struct net_link *link, size_t kind, bool *unreported)
{
	const struct net_cell *from = &plan->net->module[link->from].cell[kind],
			      *to = &plan->net->module[link->to].cell[kind];

	*unreported = false;
	if (link->load[kind])
		return true;
	if (from->state != NET_CELL_REPORTED || to->state == NET_CELL_ABSENT)
		return false;
	for (size_t i = 0; i < plan->net->n_links; i++) /* the requests are known to take another link */
		if (plan->net->link[i].from == link->from && plan->net->link[i].load[kind])
			return false;
	*unreported = plan->links_out[link->from] > 1 || !from->field[NET_MISS];
	return true;
}

/* Returns true if an owner of one box equals, or is part of, an owner of the other. Owners of unrelated scopes all
 * meet. */
static bool
related(const struct layout_plan *plan, const struct net_layout_box *a, const struct net_layout_box *b)
{
	const struct net_shape *shape = plan->ask->shape;
	bool up = scope_within(a->per, b->per), down = scope_within(b->per, a->per);

	if (!up && !down)
		return true;
	for (size_t i = 0; i < a->n_owners; i++)
		for (size_t k = 0; k < b->n_owners; k++)
			if (up ? net_owner_within(shape, a->per, a->owner[i], b->per) == b->owner[k]
			       : net_owner_within(shape, b->per, b->owner[k], a->per) == a->owner[i])
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
add_link(struct layout_plan *plan, size_t first, size_t from, size_t to, size_t link, size_t kind, bool unreported)
{
	struct layout_lane *lane = NULL;

	for (size_t i = first; i < plan->n_lanes && !lane; i++) /* lanes that leave this box */
		if (plan->lane[i].from == from && plan->lane[i].to == to && plan->lane[i].kind == kind)
			lane = &plan->lane[i];
	if (!lane) {
		mem_grow(&plan->lane, &plan->cap_lanes, plan->n_lanes + 1, sizeof *plan->lane);
		lane = &plan->lane[plan->n_lanes++];
		*lane = (struct layout_lane){.from = from, .to = to, .kind = kind, .unreported = true};
	}
	mem_grow(&lane->link, &lane->cap_links, lane->n_links + 1, sizeof *lane->link);
	lane->link[lane->n_links++] = link;
	lane->unreported &= unreported;
	meet(plan, from, kind);
	meet(plan, to, kind);
	plan->unit[to].fed = true;
}

static void
lanes_between(struct layout_plan *plan, size_t first, size_t from, size_t to)
{
	const struct network *network = plan->net;

	for (size_t l = 0; l < network->n_links; l++) {
		bool unreported;

		if (!has_module(&plan->unit[from].box, network->link[l].from) ||
			!has_module(&plan->unit[to].box, network->link[l].to))
			continue;
		for (size_t k = 0; k < network->n_kinds; k++)
			if (has_lane(plan, &network->link[l], k, &unreported))
				add_link(plan, first, from, to, l, k, unreported);
	}
}

/* For each module: the list of boxes that hold it. */
static void
find_lanes(struct layout_plan *plan)
{
	const struct network *network = plan->net;
	size_t *head = mem_new_array(network->n_modules, sizeof *head),
	       *next = mem_new_array(plan->n_boxes * network->n_modules + 1, sizeof *next);
	bool *done = mem_new_array(plan->n_boxes, sizeof *done);

	for (size_t i = 0; i < network->n_modules; i++)
		head[i] = SIZE_MAX;
	for (size_t b = plan->n_boxes; b-- > 0;)
		for (size_t i = 0; i < plan->unit[b].box.n_modules; i++) {
			size_t m = plan->unit[b].box.module[i];

			next[b * network->n_modules + m] = head[m];
			head[m] = b;
		}
	for (size_t a = 0; a < plan->n_boxes; a++) {
		size_t first = plan->n_lanes;

		memset(done, 0, plan->n_boxes * sizeof *done);
		for (size_t l = 0; l < network->n_links; l++) {
			if (!has_module(&plan->unit[a].box, network->link[l].from))
				continue;
			for (size_t b = head[network->link[l].to]; b != SIZE_MAX;
				b = next[b * network->n_modules + network->link[l].to])
				if (b != a && !done[b] && related(plan, &plan->unit[a].box, &plan->unit[b].box)) {
					done[b] = true;
					lanes_between(plan, first, a, b);
				}
		}
	}
	free(head);
	free(next);
	free(done);
}

/* --- hops -------------------------------------------------------------------------------------------------------- */

struct layout_unit *
layout_add_unit(struct layout_plan *plan, size_t column, int block)
{
	struct layout_unit *unit;

	mem_grow(&plan->unit, &plan->cap_units, plan->n_units + 1, sizeof *plan->unit);
	unit = &plan->unit[plan->n_units++];
	*unit = (struct layout_unit){.block = block, .least = LAYOUT_BOX_ROWS, .wish = LAYOUT_BOX_ROWS};
	unit->box.column = (int)column;
	unit->box.shared = block < 0;
	unit->row = arena_alloc(plan->arena, plan->net->n_kinds * sizeof *unit->row);
	unit->has = arena_alloc(plan->arena, plan->net->n_kinds * sizeof *unit->has);
	for (size_t k = 0; k < plan->net->n_kinds; k++)
		unit->row[k] = -1;
	unit->box.row = unit->row;
	return unit;
}

/* The unit in a column that lanes from one box to another pass through; made if it does not exist. */
static size_t
pass_through(struct layout_plan *plan, const struct layout_lane *lane, size_t column)
{
	struct layout_unit *unit;

	for (size_t i = plan->n_boxes; i < plan->n_units; i++)
		if (plan->unit[i].from == lane->from && plan->unit[i].to == lane->to &&
			plan->unit[i].box.column == (int)column)
			return i;
	unit = layout_add_unit(plan, column, column < plan->block_columns ? plan->unit[lane->from].block : -1);
	unit->pass = true;
	unit->fed = true;
	unit->from = lane->from;
	unit->to = lane->to;
	unit->least = unit->wish = 1;
	return plan->n_units - 1;
}

static void
add_hop(struct layout_plan *p, size_t lane, size_t a, size_t b)
{
	mem_grow(&p->hop, &p->cap_hops, p->n_hops + 1, sizeof *p->hop);
	p->hop[p->n_hops++] = (struct layout_hop){
		.lane = lane, .a = a, .b = b, .gap = (size_t)p->unit[a].box.column, .leads = SIZE_MAX};
}

static void
cut_lane(struct layout_plan *plan, size_t lane)
{
	struct layout_lane *l = &plan->lane[lane];
	size_t from = (size_t)plan->unit[l->from].box.column, to = (size_t)plan->unit[l->to].box.column, at = l->from;

	l->first_hop = plan->n_hops;
	for (size_t c = from + 1; c < to; c++) {
		size_t pass = pass_through(plan, l, c);

		meet(plan, pass, l->kind);
		add_hop(plan, lane, at, pass);
		at = pass;
	}
	add_hop(plan, lane, at, l->to);
	l->n_hops = plan->n_hops - l->first_hop;
}

static void
find_ingress(struct layout_plan *plan)
{
	const struct network *network = plan->net;

	for (size_t b = 0; b < plan->n_boxes; b++)
		for (size_t i = 0; i < plan->unit[b].box.n_modules; i++)
			for (size_t k = 0; k < network->n_kinds; k++) {
				size_t m = plan->unit[b].box.module[i];

				if (!network->module[m].cell[k].ingress)
					continue;
				meet(plan, b, k);
				mem_grow(
					&plan->ingress, &plan->cap_ingress, plan->n_ingress + 1, sizeof *plan->ingress);
				plan->ingress[plan->n_ingress].unit = b;
				plan->ingress[plan->n_ingress].module = m;
				plan->ingress[plan->n_ingress++].kind = k;
				plan->has_ingress[plan->unit[b].box.column] = true;
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
