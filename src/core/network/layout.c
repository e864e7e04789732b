/* Columns, widths and gaps of the picture, and the result. layout_parts.h shows the order of all steps.
 *
 * Each stage begins with a column of its own; columns are merged while they are too wide for the area. The cells that
 * are left go to gaps with trunks first. Then come columns up to a width that reads well, gaps, columns up to all of
 * their text, and gaps again. */
#include "core/network/layout.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/network/layout_parts.h"

#define COLUMNS_MOST 64

/* Count the stages at the left whose modules exist once per core (or per other owner of the first stage). */
static void
layout_find_blocks(struct layout_plan *plan)
{
	const struct network *network = plan->net;

	plan->block_scope = network->module[network->stage[0].first].per;
	if (plan->block_scope == SCOPE_SYSTEM)
		return;
	for (; plan->block_stages < network->n_stages; plan->block_stages++) {
		const struct net_stage *stage = &network->stage[plan->block_stages];

		for (size_t m = stage->first; m < stage->first + stage->n; m++)
			if (network->module[m].per != plan->block_scope)
				return;
	}
}

/* The mean height of the modules that report a kind, in its first stage of several modules: 0 the topmost module, 1000
 * the lowest. 500 if no stage of the blocks has several modules that report it. */
static int
kind_height(const struct layout_plan *plan, size_t kind)
{
	for (size_t s = 0; s < plan->block_stages; s++) {
		const struct net_stage *stage = &plan->net->stage[s];
		size_t sum = 0, n = 0;

		for (size_t i = 0; i < stage->n; i++) {
			if (plan->net->module[stage->first + i].cell[kind].state != NET_CELL_REPORTED)
				continue;
			sum += (2 * i + 1) * 500 / stage->n;
			n++;
		}
		if (n && stage->n > 1)
			return (int)(sum / n);
	}
	return 500;
}

/* Sort kinds from top to bottom by the module where they begin; ties stay in the network's order. */
static void
order_kinds(struct layout_plan *plan)
{
	size_t n = plan->net->n_kinds;
	int height[NETWORK_KINDS_MAX];

	plan->kind = arena_alloc(plan->arena, n * sizeof *plan->kind);
	plan->rank = arena_alloc(plan->arena, n * sizeof *plan->rank);
	for (size_t k = 0; k < n; k++) {
		size_t at = k;

		height[k] = kind_height(plan, k);
		for (; at && height[plan->kind[at - 1]] > height[k]; at--)
			plan->kind[at] = plan->kind[at - 1];
		plan->kind[at] = k;
	}
	for (size_t i = 0; i < n; i++)
		plan->rank[plan->kind[i]] = i;
}

/* --- columns ----------------------------------------------------------------------------------------------------- */

/* The widths of a column, with borders. */
static struct net_layout_width
column_width(struct layout_plan *plan, size_t column)
{
	const struct net_layout_column *net_layout_column = &plan->column[column];
	bool block = net_layout_column->first < plan->block_stages;
	bool joined = net_layout_column->n > 1 ||
		(block ? plan->net->stage[net_layout_column->first].n > 1 && !layout_splits(plan, column)
		       : layout_joins(plan, column));
	struct net_layout_width all = {0};

	for (size_t s = net_layout_column->first; s < net_layout_column->first + net_layout_column->n; s++) {
		const struct net_layout_width *width = &plan->ask->width[s];

		all.least = int_max(all.least, joined ? width->named : width->least);
		all.well = int_max(all.well, joined ? int_max(width->named, width->well) : width->well);
		all.all = int_max(all.all, width->all);
	}
	all.least = int_max(NET_LAYOUT_COLUMN_LEAST, int_min(NET_LAYOUT_COLUMN_MOST, all.least + 2));
	all.well = int_max(all.least, int_min(NET_LAYOUT_COLUMN_MOST, all.well + 2));
	all.all = int_max(all.well, int_min(NET_LAYOUT_COLUMN_MOST, all.all + 2));
	return all;
}

static int
columns_need(struct layout_plan *p)
{
	int need = 0;

	for (size_t i = 0; i < p->n_columns; i++) {
		p->width[i] = column_width(p, i);
		need += p->width[i].least + (i ? NET_LAYOUT_GAP_LEAST : 0);
	}
	return need;
}

/* Merge columns first and first + 1. */
static void
join_columns(struct layout_plan *p, size_t first)
{
	p->column[first].n += p->column[first + 1].n;
	p->n_columns--;
	memmove(&p->column[first + 1], &p->column[first + 2], (p->n_columns - first - 1) * sizeof *p->column);
	p->block_columns -= first < p->block_columns;
}

/* Begin with one column per stage. While they are too wide, merge the last two shared columns, then the first two of
 * the blocks, and so on. */
static bool
choose_columns(struct layout_plan *plan)
{
	bool last = true;

	if (plan->net->n_stages > COLUMNS_MOST)
		return false;
	for (size_t s = 0; s < plan->net->n_stages; s++)
		plan->column[s] = (struct net_layout_column){.first = s, .n = 1};
	plan->n_columns = plan->net->n_stages;
	plan->block_columns = plan->block_stages;
	while (columns_need(plan) > plan->ask->w) {
		bool back = plan->n_columns - plan->block_columns >= 2, front = plan->block_columns >= 2;

		if (plan->n_columns == 2 || (!back && !front))
			return false;
		join_columns(plan, back && (last || !front) ? plan->n_columns - 2 : 0);
		last = !last;
	}
	return true;
}

/* Distribute the cells that are left, from left to right, one at a time: to gaps up to `most` cells each, or to
 * columns up to what they can use. */
static int
widen_gaps(const struct layout_plan *plan, int *gap, int most, int left)
{
	for (bool given = true; given && left > 0;) {
		given = false;
		for (size_t i = 0; i + 1 < plan->n_columns && left > 0; i++)
			if (gap[i] < most) {
				gap[i]++;
				left--;
				given = true;
			}
	}
	return left;
}

static int
widen_columns(struct layout_plan *plan, bool all, int left)
{
	for (bool given = true; given && left > 0;) {
		given = false;
		for (size_t i = 0; i < plan->n_columns && left > 0; i++)
			if (plan->column[i].w < (all ? plan->width[i].all : plan->width[i].well)) {
				plan->column[i].w++;
				left--;
				given = true;
			}
	}
	return left;
}

static void
layout_place_columns(struct layout_plan *p)
{
	int gap[COLUMNS_MOST] = {0}, left = p->ask->w, x = 0;

	for (size_t i = 0; i < p->n_columns; i++) {
		p->column[i].w = p->width[i].least;
		left -= p->column[i].w;
		gap[i] = i + 1 < p->n_columns ? NET_LAYOUT_GAP_LEAST : 0;
		left -= gap[i];
	}
	for (size_t i = 0; i + 1 < p->n_columns; i++) { /* gaps with trunks get theirs first */
		int wish = int_min(NET_LAYOUT_GAP_MOST, p->trunks[i] + 1 + (p->has_ingress[i + 1] ? 2 : 0));
		int more = int_min(left, int_max(0, wish - gap[i]));

		gap[i] += more;
		left -= more;
	}
	left = widen_gaps(p, gap, 4, left);
	left = widen_columns(p, false, left);
	left = widen_gaps(p, gap, 7, left);
	left = widen_columns(p, true, left);
	widen_gaps(p, gap, NET_LAYOUT_GAP_MOST, left);
	for (size_t i = 0; i < p->n_columns; i++) {
		p->column[i].x = x;
		x += p->column[i].w + gap[i];
	}
	for (size_t i = 0; i < p->n_units; i++) {
		p->unit[i].box.x = p->column[p->unit[i].box.column].x;
		p->unit[i].box.w = p->column[p->unit[i].box.column].w;
	}
}

/* --- points ------------------------------------------------------------------------------------------------------ */

struct path {
	struct net_layout_point *at;
	size_t n;
};

/* Add a point. If it is on the straight line through the last two, it replaces the last one. */
static void
path_add(struct path *path, int x, int y)
{
	size_t n = path->n;

	if (n && path->at[n - 1].x == x && path->at[n - 1].y == y)
		return;
	if (n > 1 &&
		((path->at[n - 1].x == x && path->at[n - 2].x == x) ||
			(path->at[n - 1].y == y && path->at[n - 2].y == y)))
		path->n--;
	path->at[path->n++] = (struct net_layout_point){x, y};
}

static int
right_edge(const struct net_layout_box *b)
{
	return b->x + b->w - 1;
}

/* The column of a trunk: trunks are centred in the gap, left of the arrows. */
static int
trunk_x(const struct layout_plan *p, size_t gap, int trunk)
{
	const struct net_layout_column *a = &p->column[gap], *b = &p->column[gap + 1];
	int from = a->x + a->w, room = b->x - from, n = p->trunks[gap], at = int_max(0, (room - n + 1) / 2);

	if (p->has_ingress[gap + 1])
		at = int_max(0, int_min(at, room - n - 2));
	return from + int_min(room - 1, at + trunk);
}

static void
hop_points(const struct layout_plan *plan, const struct layout_hop *hop, struct path *path)
{
	const struct net_layout_box *a = &plan->unit[hop->a].box, *b = &plan->unit[hop->b].box;
	bool down = b->y > a->y;
	int x;

	switch (hop->way) {
	case LAYOUT_HOP_NONE:
		break;
	case LAYOUT_HOP_STRAIGHT:
		path_add(path, right_edge(a), hop->ya);
		path_add(path, b->x, hop->yb);
		break;
	case LAYOUT_HOP_TRUNK:
		x = trunk_x(plan, hop->gap, hop->trunk);
		path_add(path, right_edge(a), hop->ya);
		path_add(path, x, hop->ya);
		path_add(path, x, hop->yb);
		path_add(path, b->x, hop->yb);
		break;
	case LAYOUT_HOP_DOWN:
		x = int_min(a->x + a->w / 2 + 2 * (int)plan->rank[plan->lane[hop->lane].kind], right_edge(a) - 1);
		path_add(path, x, down ? a->y + a->h - 1 : a->y);
		path_add(path, x, down ? b->y : b->y + b->h - 1);
		break;
	case LAYOUT_HOP_ROUND:
		x = trunk_x(plan, hop->gap, hop->trunk);
		path_add(path, hop->left ? a->x : right_edge(a), hop->ya);
		path_add(path, x, hop->ya);
		path_add(path, x, hop->yb);
		path_add(path, hop->left ? b->x : right_edge(b), hop->yb);
		break;
	}
}

static void
take_lanes(const struct layout_plan *plan, struct net_layout *out)
{
	out->lane = arena_alloc(plan->arena, plan->n_lanes * sizeof *out->lane);
	out->n_lanes = plan->n_lanes;
	for (size_t i = 0; i < plan->n_lanes; i++) {
		const struct layout_lane *lane = &plan->lane[i];
		struct path path = {.at = arena_alloc(plan->arena, (4 * lane->n_hops + 1) * sizeof *path.at)};
		size_t with = SIZE_MAX;

		for (size_t h = 0; h < lane->n_hops; h++)
			hop_points(plan, &plan->hop[lane->first_hop + h], &path);
		for (size_t j = 0; j < i && with == SIZE_MAX; j++) {
			const struct net_layout_lane *net_layout_lane = &out->lane[j];

			if (net_layout_lane->with == SIZE_MAX && net_layout_lane->from == lane->from &&
				net_layout_lane->to == lane->to && net_layout_lane->n == path.n &&
				!memcmp(net_layout_lane->at, path.at, path.n * sizeof *path.at))
				with = j;
		}
		out->lane[i] = (struct net_layout_lane){.from = lane->from,
			.to = lane->to,
			.kind = lane->kind,
			.link = arena_copy(plan->arena, lane->link, lane->n_links * sizeof *lane->link),
			.n_links = lane->n_links,
			.unreported = lane->unreported,
			.inside = plan->unit[lane->from].box.column == plan->unit[lane->to].box.column,
			.with = with,
			.at = path.at,
			.n = path.n};
	}
}

/* Returns true if a lane of the same kind ends where the arrow does. */
static bool
lane_ends(const struct net_layout *out, size_t box, size_t kind, int y)
{
	for (size_t i = 0; i < out->n_lanes; i++)
		if (out->lane[i].to == box && out->lane[i].kind == kind && out->lane[i].n &&
			out->lane[i].at[out->lane[i].n - 1].y == y)
			return true;
	return false;
}

static void
take_ingress(const struct layout_plan *p, struct net_layout *out)
{
	out->ingress = arena_alloc(p->arena, p->n_ingress * sizeof *out->ingress);
	out->n_ingress = p->n_ingress;
	for (size_t i = 0; i < p->n_ingress; i++) {
		const struct net_layout_box *box = &p->unit[p->ingress[i].unit].box;
		size_t k = p->ingress[i].kind;
		int y = box->row[k],
		    room = box->column ? box->x - p->column[box->column - 1].x - p->column[box->column - 1].w : 0;
		int back = lane_ends(out, p->ingress[i].unit, k, y) ? 1 : int_min(3, room - 1);

		out->ingress[i].box = p->ingress[i].unit;
		out->ingress[i].module = p->ingress[i].module;
		out->ingress[i].kind = k;
		out->ingress[i].x = room > 0 ? box->x - int_max(1, back) : box->x;
		out->ingress[i].y = y;
		out->ingress[i].x_end = box->x;
	}
}

/* Mirror the picture: right becomes left. */
static void
turn_round(struct net_layout *layout)
{
	for (size_t i = 0; i < layout->n_columns; i++)
		layout->column[i].x = layout->w - layout->column[i].x - layout->column[i].w;
	for (size_t i = 0; i < layout->n_boxes; i++)
		layout->box[i].x = layout->w - layout->box[i].x - layout->box[i].w;
	for (size_t i = 0; i < layout->n_lanes; i++) {
		struct net_layout_point *at = arena_copy(
			layout->arena, layout->lane[i].at, layout->lane[i].n * sizeof *at);

		for (size_t k = 0; k < layout->lane[i].n; k++)
			at[k].x = layout->w - 1 - at[k].x;
		layout->lane[i].at = at;
	}
	for (size_t i = 0; i < layout->n_ingress; i++) {
		layout->ingress[i].x = layout->w - 1 - layout->ingress[i].x;
		layout->ingress[i].x_end = layout->w - 1 - layout->ingress[i].x_end;
	}
}

static void
layout_begin(struct layout_plan *plan, const struct net_layout_request *ask)
{
	const struct network *network = ask->net;
	size_t at = 0;

	*plan = (struct layout_plan){.ask = ask, .net = network, .arena = arena_new()};
	plan->first_owner = arena_alloc(plan->arena, (network->n_modules + 1) * sizeof *plan->first_owner);
	plan->links_out = arena_alloc(plan->arena, network->n_modules * sizeof *plan->links_out);
	for (size_t m = 0; m < network->n_modules; m++) {
		plan->first_owner[m] = at;
		at += ask->shape->n[network->module[m].per];
	}
	for (size_t l = 0; l < network->n_links; l++)
		plan->links_out[network->link[l].from]++;
	layout_find_blocks(plan);
	order_kinds(plan);
}

static void
layout_end(struct layout_plan *p)
{
	for (size_t i = 0; i < p->n_lanes; i++)
		free(p->lane[i].link);
	free(p->lane);
	free(p->hop);
	free(p->unit);
	free(p->ingress);
}

struct net_layout *
net_layout_new(const struct net_layout_request *ask)
{
	struct net_layout *out;
	struct layout_plan p;

	layout_begin(&p, ask);
	layout_blocks(&p);
	if (!choose_columns(&p)) {
		layout_end(&p);
		arena_free(p.arena);
		return NULL;
	}
	p.trunks = arena_alloc(p.arena, p.n_columns * sizeof *p.trunks);
	p.has_ingress = arena_alloc(p.arena, p.n_columns * sizeof *p.has_ingress);
	layout_units(&p);
	layout_lanes(&p);
	layout_rows(&p);
	layout_route(&p);
	layout_place_columns(&p);
	out = arena_alloc(p.arena, sizeof *out);
	*out = (struct net_layout){.w = ask->w,
		.h = p.h,
		.n_columns = p.n_columns,
		.n_boxes = p.n_boxes,
		.kind = p.kind,
		.idle = p.idle,
		.n_idle = p.n_idle,
		.arena = p.arena};
	out->column = arena_copy(p.arena, p.column, p.n_columns * sizeof *p.column);
	out->box = arena_alloc(p.arena, p.n_boxes * sizeof *out->box);
	for (size_t i = 0; i < p.n_boxes; i++)
		out->box[i] = p.unit[i].box;
	take_lanes(&p, out);
	take_ingress(&p, out);
	out->idle_row = p.h;
	out->h = p.h + (p.n_idle > 0);
	if (ask->turned)
		turn_round(out);
	layout_end(&p);
	return out;
}

void
net_layout_free(struct net_layout *l)
{
	if (l)
		arena_free(l->arena);
}

size_t
net_layout_find(const struct net_layout *l, size_t module, size_t owner)
{
	for (size_t i = 0; i < l->n_boxes; i++)
		for (size_t m = 0; m < l->box[i].n_modules; m++)
			for (size_t o = 0; l->box[i].module[m] == module && o < l->box[i].n_owners; o++)
				if (l->box[i].owner[o] == owner)
					return i;
	return SIZE_MAX;
}
