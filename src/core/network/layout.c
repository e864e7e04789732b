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
layout_find_blocks(struct layout_plan *p)
{
	const struct network *n = p->net;

	p->block_scope = n->module[n->stage[0].first].per;
	if (p->block_scope == SCOPE_SYSTEM)
		return;
	for (; p->block_stages < n->n_stages; p->block_stages++) {
		const struct net_stage *s = &n->stage[p->block_stages];

		for (size_t m = s->first; m < s->first + s->n; m++)
			if (n->module[m].per != p->block_scope)
				return;
	}
}

/* The mean height of the modules that report a kind, in its first stage of several modules: 0 the topmost module, 1000
 * the lowest. 500 if no stage of the blocks has several modules that report it. */
static int
kind_height(const struct layout_plan *p, size_t kind)
{
	for (size_t s = 0; s < p->block_stages; s++) {
		const struct net_stage *stage = &p->net->stage[s];
		size_t sum = 0, n = 0;

		for (size_t i = 0; i < stage->n; i++) {
			if (p->net->module[stage->first + i].cell[kind].state != NET_CELL_REPORTED)
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
order_kinds(struct layout_plan *p)
{
	size_t n = p->net->n_kinds;
	int height[NETWORK_KINDS_MAX];

	p->kind = arena_alloc(p->arena, n * sizeof *p->kind);
	p->rank = arena_alloc(p->arena, n * sizeof *p->rank);
	for (size_t k = 0; k < n; k++) {
		size_t at = k;

		height[k] = kind_height(p, k);
		for (; at && height[p->kind[at - 1]] > height[k]; at--)
			p->kind[at] = p->kind[at - 1];
		p->kind[at] = k;
	}
	for (size_t i = 0; i < n; i++)
		p->rank[p->kind[i]] = i;
}

/* --- columns ----------------------------------------------------------------------------------------------------- */

/* The widths of a column, with borders. */
static struct net_layout_width
column_width(struct layout_plan *p, size_t column)
{
	const struct net_layout_column *c = &p->column[column];
	bool block = c->first < p->block_stages;
	bool joined = c->n > 1 ||
		(block ? p->net->stage[c->first].n > 1 && !layout_splits(p, column) : layout_joins(p, column));
	struct net_layout_width all = {0};

	for (size_t s = c->first; s < c->first + c->n; s++) {
		const struct net_layout_width *w = &p->ask->width[s];

		all.least = int_max(all.least, joined ? w->named : w->least);
		all.well = int_max(all.well, joined ? int_max(w->named, w->well) : w->well);
		all.all = int_max(all.all, w->all);
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
choose_columns(struct layout_plan *p)
{
	bool last = true;

	if (p->net->n_stages > COLUMNS_MOST)
		return false;
	for (size_t s = 0; s < p->net->n_stages; s++)
		p->column[s] = (struct net_layout_column){.first = s, .n = 1};
	p->n_columns = p->net->n_stages;
	p->block_columns = p->block_stages;
	while (columns_need(p) > p->ask->w) {
		bool back = p->n_columns - p->block_columns >= 2, front = p->block_columns >= 2;

		if (p->n_columns == 2 || (!back && !front))
			return false;
		join_columns(p, back && (last || !front) ? p->n_columns - 2 : 0);
		last = !last;
	}
	return true;
}

/* Distribute the cells that are left, from left to right, one at a time: to gaps up to `most` cells each, or to
 * columns up to what they can use. */
static int
widen_gaps(const struct layout_plan *p, int *gap, int most, int left)
{
	for (bool given = true; given && left > 0;) {
		given = false;
		for (size_t i = 0; i + 1 < p->n_columns && left > 0; i++)
			if (gap[i] < most) {
				gap[i]++;
				left--;
				given = true;
			}
	}
	return left;
}

static int
widen_columns(struct layout_plan *p, bool all, int left)
{
	for (bool given = true; given && left > 0;) {
		given = false;
		for (size_t i = 0; i < p->n_columns && left > 0; i++)
			if (p->column[i].w < (all ? p->width[i].all : p->width[i].well)) {
				p->column[i].w++;
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
hop_points(const struct layout_plan *p, const struct layout_hop *h, struct path *path)
{
	const struct net_layout_box *a = &p->unit[h->a].box, *b = &p->unit[h->b].box;
	bool down = b->y > a->y;
	int x;

	switch (h->way) {
	case LAYOUT_HOP_NONE:
		break;
	case LAYOUT_HOP_STRAIGHT:
		path_add(path, right_edge(a), h->ya);
		path_add(path, b->x, h->yb);
		break;
	case LAYOUT_HOP_TRUNK:
		x = trunk_x(p, h->gap, h->trunk);
		path_add(path, right_edge(a), h->ya);
		path_add(path, x, h->ya);
		path_add(path, x, h->yb);
		path_add(path, b->x, h->yb);
		break;
	case LAYOUT_HOP_DOWN:
		x = int_min(a->x + a->w / 2 + 2 * (int)p->rank[p->lane[h->lane].kind], right_edge(a) - 1);
		path_add(path, x, down ? a->y + a->h - 1 : a->y);
		path_add(path, x, down ? b->y : b->y + b->h - 1);
		break;
	case LAYOUT_HOP_ROUND:
		x = trunk_x(p, h->gap, h->trunk);
		path_add(path, h->left ? a->x : right_edge(a), h->ya);
		path_add(path, x, h->ya);
		path_add(path, x, h->yb);
		path_add(path, h->left ? b->x : right_edge(b), h->yb);
		break;
	}
}

static void
take_lanes(const struct layout_plan *p, struct net_layout *out)
{
	out->lane = arena_alloc(p->arena, p->n_lanes * sizeof *out->lane);
	out->n_lanes = p->n_lanes;
	for (size_t i = 0; i < p->n_lanes; i++) {
		const struct layout_lane *l = &p->lane[i];
		struct path path = {.at = arena_alloc(p->arena, (4 * l->n_hops + 1) * sizeof *path.at)};
		size_t with = SIZE_MAX;

		for (size_t h = 0; h < l->n_hops; h++)
			hop_points(p, &p->hop[l->first_hop + h], &path);
		for (size_t j = 0; j < i && with == SIZE_MAX; j++) {
			const struct net_layout_lane *o = &out->lane[j];

			if (o->with == SIZE_MAX && o->from == l->from && o->to == l->to && o->n == path.n &&
				!memcmp(o->at, path.at, path.n * sizeof *path.at))
				with = j;
		}
		out->lane[i] = (struct net_layout_lane){.from = l->from,
			.to = l->to,
			.kind = l->kind,
			.link = arena_copy(p->arena, l->link, l->n_links * sizeof *l->link),
			.n_links = l->n_links,
			.unreported = l->unreported,
			.inside = p->unit[l->from].box.column == p->unit[l->to].box.column,
			.with = with,
			.at = path.at,
			.n = path.n};
	}
}

/* True if a lane of the same kind ends where the arrow does. */
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
		const struct net_layout_box *b = &p->unit[p->ingress[i].unit].box;
		size_t k = p->ingress[i].kind;
		int y = b->row[k],
		    room = b->column ? b->x - p->column[b->column - 1].x - p->column[b->column - 1].w : 0;
		int back = lane_ends(out, p->ingress[i].unit, k, y) ? 1 : int_min(3, room - 1);

		out->ingress[i].box = p->ingress[i].unit;
		out->ingress[i].module = p->ingress[i].module;
		out->ingress[i].kind = k;
		out->ingress[i].x = room > 0 ? b->x - int_max(1, back) : b->x;
		out->ingress[i].y = y;
		out->ingress[i].x_end = b->x;
	}
}

/* Mirror the picture: right becomes left. */
static void
turn_round(struct net_layout *l)
{
	for (size_t i = 0; i < l->n_columns; i++)
		l->column[i].x = l->w - l->column[i].x - l->column[i].w;
	for (size_t i = 0; i < l->n_boxes; i++)
		l->box[i].x = l->w - l->box[i].x - l->box[i].w;
	for (size_t i = 0; i < l->n_lanes; i++) {
		struct net_layout_point *at = arena_copy(l->arena, l->lane[i].at, l->lane[i].n * sizeof *at);

		for (size_t k = 0; k < l->lane[i].n; k++)
			at[k].x = l->w - 1 - at[k].x;
		l->lane[i].at = at;
	}
	for (size_t i = 0; i < l->n_ingress; i++) {
		l->ingress[i].x = l->w - 1 - l->ingress[i].x;
		l->ingress[i].x_end = l->w - 1 - l->ingress[i].x_end;
	}
}

static void
layout_begin(struct layout_plan *p, const struct net_layout_request *ask)
{
	const struct network *n = ask->net;
	size_t at = 0;

	*p = (struct layout_plan){.ask = ask, .net = n, .arena = arena_new()};
	p->first_owner = arena_alloc(p->arena, (n->n_modules + 1) * sizeof *p->first_owner);
	p->links_out = arena_alloc(p->arena, n->n_modules * sizeof *p->links_out);
	for (size_t m = 0; m < n->n_modules; m++) {
		p->first_owner[m] = at;
		at += ask->shape->n[n->module[m].per];
	}
	for (size_t l = 0; l < n->n_links; l++)
		p->links_out[n->link[l].from]++;
	layout_find_blocks(p);
	order_kinds(p);
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
