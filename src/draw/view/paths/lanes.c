/* Lanes as lines: weight by load, colour by kind; at a crossing the heavier one is continuous. Then the borders of
 * boxes, with joints where lanes meet them. */
#include "draw/view/paths/paths.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "work/timeline/timeline.h"

#define DASH_H 0x254c
#define DASH_V 0x254e

enum arm { UP, RIGHT, DOWN, LEFT };

/* A lane and those that share its cells. */
struct drawn_lane {
	size_t lane;
	enum load_class load;
	enum role role;
	unsigned char attr;
};

struct lane_cell {
	unsigned char arm[4];
	bool dashed;
	size_t lane; /* number of a drawn_lane.lane, + 1; 0: none */
};

static enum load_class
class_of(double load, double share)
{
	if (isnan(load) || isnan(share))
		return LOAD_UNKNOWN;
	if (load <= 0)
		return LOAD_NONE;
	return share < 0.05 ? LOAD_SMALL : share < 0.3 ? LOAD_SOME : LOAD_MUCH;
}

/* Load of a lane and of those drawn with it; NAN if none of them is known. */
static double
load_with(const struct clos *c, const struct traffic *t, size_t lane)
{
	double sum = NAN;

	/* lanes of a box are consecutive */
	for (size_t i = lane; i < c->l->n_lanes && c->l->lane[i].from == c->l->lane[lane].from; i++)
		if ((i == lane || c->l->lane[i].with == lane) && !isnan(t->load[i]))
			sum = isnan(sum) ? t->load[i] : sum + t->load[i];
	return sum;
}

static enum load_class
load_class(const struct clos *c, const struct traffic *t, size_t lane)
{
	double load = load_with(c, t, lane), all = t->column_load[c->l->box[c->l->lane[lane].from].column];

	return class_of(load,
		c->l->lane[lane].inside ? (all > 0 ? load / all : 0)
			: all > 0 ? load / all : load == 0 ? 0 : NAN);
}

/* While snapshots come in (`before` is set), a lane changes its weight only if two snapshots in a row agree. */
static struct drawn_lane
lane_now(const struct clos *clos, size_t lane)
{
	struct drawn_lane d = {.lane = lane, .load = load_class(clos, clos->now, lane)};
	size_t heaviest = lane;

	if (clos->before && d.load != LOAD_NONE && load_class(clos, clos->before, lane) != LOAD_NONE &&
		load_class(clos, clos->before, lane) != LOAD_UNKNOWN)
		d.load = load_class(clos, clos->before, lane);
	for (size_t i = lane; i < clos->l->n_lanes && clos->l->lane[i].from == clos->l->lane[lane].from; i++)
		if (clos->l->lane[i].with == lane &&
			clos->now->load[i] > (isnan(clos->now->load[heaviest]) ? 0 : clos->now->load[heaviest]))
			heaviest = i;
	d.role = clos->now->analysis ? path_kind_role(clos->l->lane[heaviest].kind) : ROLE_FRAME;
	if (!clos->now->analysis)
		d.load = LOAD_SMALL;
	if (clos->s->view.timeline.chose_node && clos->cursor != SIZE_MAX)
		d.attr |= clos->l->lane[lane].from == clos->cursor || clos->l->lane[lane].to == clos->cursor ? CELL_BOLD
													     : CELL_DIM;
	return d;
}

/* Lightest first, because later lanes are drawn over earlier ones. Ties by number. */
static int
compare_lanes(const void *a, const void *b)
{
	static const int weight[] = {
		[LOAD_NONE] = 0, [LOAD_SMALL] = 1, [LOAD_UNKNOWN] = 1, [LOAD_SOME] = 2, [LOAD_MUCH] = 3
	};
	const struct drawn_lane *x = a, *y = b;

	if (weight[x->load] != weight[y->load])
		return weight[x->load] - weight[y->load];
	return (x->lane > y->lane) - (x->lane < y->lane);
}

/* Do two lanes join rather than cross? They do if they have the same kind and leave or reach the same box. */
static bool
lanes_join(const struct clos *c, size_t a, size_t b)
{
	const struct net_layout_lane *x = &c->l->lane[a], *y = &c->l->lane[b];

	return a == b || (x->kind == y->kind && (x->from == y->from || x->to == y->to));
}

static struct lane_cell *
lanes_cell_of(const struct clos *c, struct lane_cell *cell, int x, int y)
{
	y -= c->top;
	return x >= 0 && x < c->r.w && y >= 0 && y < c->r.h ? &cell[y * c->r.w + x] : NULL;
}

static void
add_arm(const struct clos *clos, struct lane_cell *cell, const struct drawn_lane *lane, int x, int y, enum arm arm)
{
	struct lane_cell *at = lanes_cell_of(clos, cell, x, y);

	if (!at)
		return;
	if (at->lane && !lanes_join(clos, at->lane - 1, lane->lane))
		*at = (struct lane_cell){0};
	at->dashed = lane->load == LOAD_SMALL || lane->load == LOAD_UNKNOWN ? at->lane == 0 || at->dashed : false;
	at->lane = lane->lane + 1;
	if (at->arm[arm] < (lane->load == LOAD_MUCH ? 2 : 1))
		at->arm[arm] = lane->load == LOAD_MUCH ? 2 : 1;
}

static void
trace(const struct clos *clos, struct lane_cell *cell, const struct drawn_lane *lane)
{
	const struct net_layout_lane *net_layout_lane = &clos->l->lane[lane->lane];

	for (size_t i = 1; i < net_layout_lane->n; i++) {
		struct net_layout_point p = net_layout_lane->at[i - 1], q = net_layout_lane->at[i];
		int dx = (q.x > p.x) - (q.x < p.x), dy = (q.y > p.y) - (q.y < p.y);
		enum arm out = dx > 0 ? RIGHT : dx < 0 ? LEFT : dy > 0 ? DOWN : UP, in = (enum arm)((out + 2) % 4);

		while (p.x != q.x || p.y != q.y) {
			add_arm(clos, cell, lane, p.x, p.y, out);
			p.x += dx;
			p.y += dy;
			add_arm(clos, cell, lane, p.x, p.y, in);
		}
	}
}

static uint32_t
glyph_of(const struct lane_cell *k)
{
	if (k->dashed && k->arm[LEFT] && k->arm[RIGHT] && !k->arm[UP] && !k->arm[DOWN])
		return DASH_H;
	if (k->dashed && k->arm[UP] && k->arm[DOWN] && !k->arm[LEFT] && !k->arm[RIGHT])
		return DASH_V;
	return glyph_junction(k->arm[UP], k->arm[RIGHT], k->arm[DOWN], k->arm[LEFT]);
}

/* --- borders ----------------------------------------------------------------------------------------------------- */

static int
border_weight(const struct clos *c, size_t box)
{
	return box == c->culprit ? 2 : 1;
}

static enum role
border_role(const struct clos *c, size_t box)
{
	return box == c->culprit ? ROLE_HOT : box == c->cursor && c->focus ? ROLE_ACCENT : ROLE_FRAME;
}

static void
draw_border(const struct clos *clos, size_t box)
{
	const struct net_layout_box *net_layout_box = &clos->l->box[box];
	struct pen p = pen_on(clos->g, clos->r, border_role(clos, box)), inside = pen_on(clos->g, clos->r, ROLE_TEXT);
	int x = clos->r.x + net_layout_box->x, y = clos->r.y + net_layout_box->y - clos->top,
	    w = border_weight(clos, box);

	pen_fill(&inside, (struct rect){x, y, net_layout_box->w, net_layout_box->h}, ' ');
	pen_hline(&p, x, y, net_layout_box->w, glyph_junction(0, w, 0, w));
	pen_hline(&p, x, y + net_layout_box->h - 1, net_layout_box->w, glyph_junction(0, w, 0, w));
	pen_vline(&p, x, y, net_layout_box->h, glyph_junction(w, 0, w, 0));
	pen_vline(&p, x + net_layout_box->w - 1, y, net_layout_box->h, glyph_junction(w, 0, w, 0));
	pen_hline(&p, x, y, 1, glyph_junction(0, w, w, 0));
	pen_hline(&p, x + net_layout_box->w - 1, y, 1, glyph_junction(0, 0, w, w));
	pen_hline(&p, x, y + net_layout_box->h - 1, 1, glyph_junction(w, w, 0, 0));
	pen_hline(&p, x + net_layout_box->w - 1, y + net_layout_box->h - 1, 1, glyph_junction(w, 0, 0, w));
}

/* A lane and a border that meet both continue. */
static void
draw_joint(const struct clos *clos, const struct lane_cell *cell, size_t box, struct net_layout_point at)
{
	const struct net_layout_box *net_layout_box = &clos->l->box[box];
	int y = at.y - clos->top, w = border_weight(clos, box);
	const struct lane_cell *lane_cell =
		y >= 0 && y < clos->r.h && at.x >= 0 && at.x < clos->r.w ? &cell[y * clos->r.w + at.x] : NULL;
	bool side = at.x == net_layout_box->x || at.x == net_layout_box->x + net_layout_box->w - 1;
	struct pen p = pen_on(clos->g, clos->r, border_role(clos, box));

	if (!lane_cell || !lane_cell->lane)
		return;
	pen_hline(&p, clos->r.x + at.x, clos->r.y + y, 1,
		side ? glyph_junction(w, lane_cell->arm[RIGHT], w, lane_cell->arm[LEFT])
		     : glyph_junction(lane_cell->arm[UP], w, lane_cell->arm[DOWN], w));
}

/* --- all together ------------------------------------------------------------------------------------------------ */

static void
draw_cells(const struct clos *clos, const struct lane_cell *cell, const struct drawn_lane *of)
{
	for (int y = 0; y < clos->r.h; y++)
		for (int x = 0; x < clos->r.w; x++) {
			const struct lane_cell *lane_cell = &cell[y * clos->r.w + x];
			struct pen p = pen_on(clos->g, clos->r, ROLE_TEXT);

			if (!lane_cell->lane)
				continue;
			p.fg = of[lane_cell->lane - 1].role;
			p.attr = of[lane_cell->lane - 1].attr;
			pen_hline(&p, clos->r.x + x, clos->r.y + y, 1, glyph_of(lane_cell));
		}
}

/* The joint has the lane's colour. */
static void
colour_joint(const struct clos *c, const struct lane_cell *cell, const struct drawn_lane *of,
	struct net_layout_point at)
{
	const struct lane_cell *k = at.y >= c->top && at.y - c->top < c->r.h && at.x < c->r.w
		? &cell[(at.y - c->top) * c->r.w + at.x] : NULL;
	struct cell *here = grid_at(c->g, c->r.x + at.x, c->r.y + at.y - c->top);

	if (k && k->lane && here && here->fg != ROLE_HOT) {
		here->fg = (unsigned char)of[k->lane - 1].role;
		here->attr = of[k->lane - 1].attr;
	}
}

/* "╌?╌": in the middle of the longest level part. */
static void
draw_unknown(const struct clos *clos, const struct drawn_lane *lane)
{
	const struct net_layout_lane *net_layout_lane = &clos->l->lane[lane->lane];
	struct pen p = pen_on(clos->g, clos->r, lane->role);
	int longest = 0, x = 0, y = 0;

	for (size_t i = 1; i < net_layout_lane->n; i++)
		if (abs(net_layout_lane->at[i].x - net_layout_lane->at[i - 1].x) > longest) {
			longest = abs(net_layout_lane->at[i].x - net_layout_lane->at[i - 1].x);
			x = (net_layout_lane->at[i].x + net_layout_lane->at[i - 1].x) / 2;
			y = net_layout_lane->at[i].y;
		}
	if (longest > 1)
		pen_hline(&p, clos->r.x + x, clos->r.y + y - clos->top, 1, '?');
}

/* "▷━": requests that begin here; heavy if they are a large part of the box's requests. */
static void
draw_ingress(const struct clos *clos, const struct net_layout_ingress *g)
{
	const struct net_layout_box *b = &clos->l->box[g->box];
	struct pen p = pen_on(clos->g, clos->r, clos->now->analysis ? path_kind_role(g->kind) : ROLE_FRAME);
	double here = traffic_arrivals(clos->now, b, g->module, g->kind), all = 0;
	enum load_class load;
	int y = clos->r.y + g->y - clos->top, step = g->x < g->x_end ? 1 : -1, w;

	for (size_t k = 0; k < clos->net->n_kinds; k++) {
		double v = traffic_arrivals(clos->now, b, g->module, k);

		all += isnan(v) ? 0 : v;
	}
	load = clos->now->analysis ? class_of(here, all > 0 ? here / all : 0) : LOAD_SMALL;
	if (load == LOAD_NONE || abs(g->x_end - g->x) < 1)
		return;
	pen_text(&p, clos->r.x + g->x, y, "▷");
	w = load == LOAD_MUCH ? 2 : 1;
	for (int x = g->x + step; x != g->x_end; x += step)
		pen_hline(&p, clos->r.x + x, y, 1, w == 2 || load == LOAD_SOME ? glyph_junction(0, w, 0, w) : DASH_H);
	p.fg = border_role(clos, g->box) == ROLE_HOT ? ROLE_HOT : p.fg;
	if (abs(g->x_end - g->x) > 1) {
		int border = border_weight(clos, g->box);

		pen_hline(&p, clos->r.x + g->x_end, y, 1,
			step > 0 ? glyph_junction(border, 0, border, w) : glyph_junction(border, w, border, 0));
	}
}

void
clos_draw_lanes(const struct clos *clos)
{
	struct lane_cell *cell = mem_new_array((size_t)clos->r.w * (size_t)clos->r.h, sizeof *cell);
	struct drawn_lane *lane = mem_new_array(clos->l->n_lanes, sizeof *lane),
			  *of = mem_new_array(clos->l->n_lanes, sizeof *of);
	size_t n = 0;

	for (size_t i = 0; i < clos->l->n_lanes; i++)
		if (clos->l->lane[i].with == SIZE_MAX)
			lane[n++] = of[i] = lane_now(clos, i);
	if (n)
		qsort(lane, n, sizeof *lane, compare_lanes);
	for (size_t i = 0; i < n; i++)
		if (lane[i].load != LOAD_NONE)
			trace(clos, cell, &lane[i]);
	draw_cells(clos, cell, of);
	for (size_t b = 0; b < clos->l->n_boxes; b++)
		if (clos_shows(clos, &clos->l->box[b]))
			draw_border(clos, b);
	for (size_t i = 0; i < n; i++) {
		const struct net_layout_lane *net_layout_lane = &clos->l->lane[lane[i].lane];

		if (lane[i].load == LOAD_NONE)
			continue;
		draw_joint(clos, cell, net_layout_lane->from, net_layout_lane->at[0]);
		draw_joint(clos, cell, net_layout_lane->to, net_layout_lane->at[net_layout_lane->n - 1]);
		colour_joint(clos, cell, of, net_layout_lane->at[0]);
		colour_joint(clos, cell, of, net_layout_lane->at[net_layout_lane->n - 1]);
		if (lane[i].load == LOAD_UNKNOWN)
			draw_unknown(clos, &lane[i]);
	}
	for (size_t i = 0; i < clos->l->n_ingress; i++)
		if (clos_shows(clos, &clos->l->box[clos->l->ingress[i].box]))
			draw_ingress(clos, &clos->l->ingress[i]);
	free(cell);
	free(lane);
	free(of);
}
