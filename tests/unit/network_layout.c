/* The layout of networks: known ones with positions worked out by hand, and rules that hold for every layout (boxes do
 * not overlap, every lane meets its boxes), also on random networks. */
#include "core/network/layout.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "test.h"
#include "text/diag.h"

#define OWNERS_MOST 512

struct machine {
	struct network *net;
	struct net_shape shape;
	size_t core_of[OWNERS_MOST], socket_of_core[OWNERS_MOST], socket_of_slice[OWNERS_MOST],
		socket_of_channel[OWNERS_MOST];
	struct net_layout_width *width;
	bool *unfolded;
	unsigned short *share;
	size_t n_share;
};

static void
shape_of(struct machine *m, size_t cores, size_t slices, size_t sockets)
{
	for (size_t i = 0; i < OWNERS_MOST; i++) {
		m->core_of[i] = i / 2;
		m->socket_of_core[i] = cores ? i * sockets / cores : 0;
		m->socket_of_slice[i] = slices ? i * sockets / slices : 0;
		m->socket_of_channel[i] = i % sockets;
	}
	m->shape = (struct net_shape){.n = {[SCOPE_TASK] = 1,
					      [SCOPE_THREAD] = 2 * cores,
					      [SCOPE_CORE] = cores,
					      [SCOPE_SLICE] = slices,
					      [SCOPE_CHANNEL] = 2 * sockets,
					      [SCOPE_SOCKET] = sockets,
					      [SCOPE_DEVICE] = 3,
					      [SCOPE_SYSTEM] = 1},
		.part_of = {[SCOPE_THREAD] = m->core_of,
			[SCOPE_CORE] = m->socket_of_core,
			[SCOPE_SLICE] = m->socket_of_slice,
			[SCOPE_CHANNEL] = m->socket_of_channel}};
}

static bool
open_machine(struct machine *m, char *text, size_t cores, size_t slices, size_t sockets)
{
	struct diags d = {0};

	*m = (struct machine){0};
	m->net = network_parse(mem_str("t"), text, strlen(text), &d);
	if (!m->net) {
		test_check(false, __FILE__, __LINE__, "%s", d.n ? d.item[0].text : "no network");
		diags_free(&d);
		return false;
	}
	diags_free(&d);
	shape_of(m, cores, slices, sockets);
	m->width = mem_new_array(m->net->n_stages, sizeof *m->width);
	for (size_t s = 0; s < m->net->n_stages; s++)
		m->width[s] = (struct net_layout_width){8, 13, 24, 12};
	m->unfolded = mem_new_array(m->net->n_modules, sizeof *m->unfolded);
	for (size_t i = 0; i < m->net->n_modules; i++)
		m->n_share += m->shape.n[m->net->module[i].per];
	m->share = mem_new_array(m->n_share, sizeof *m->share);
	for (size_t i = 0; i < m->n_share; i++)
		m->share[i] = 500;
	return true;
}

static bool
open_installed(struct machine *m, const char *name, size_t cores, size_t slices, size_t sockets)
{
	char *path = str_format("../models/networks/%s.net", name), *text = test_read(path, NULL);
	bool open = text && open_machine(m, text, cores, slices, sockets);

	free(path);
	return open;
}

static void
close_machine(struct machine *m)
{
	network_free(m->net);
	free(m->width);
	free(m->unfolded);
	free(m->share);
}

static struct net_layout_request
ask_of(const struct machine *m, int w, int h)
{
	return (struct net_layout_request){.net = m->net,
		.shape = &m->shape,
		.width = m->width,
		.unfolded = m->unfolded,
		.share = m->share,
		.w = w,
		.h = h};
}

/* --- what must hold ---------------------------------------------------------------------------------------------- */

static bool
on_side(const struct net_layout_box *b, struct net_layout_point p, bool right)
{
	return p.x == (right ? b->x + b->w - 1 : b->x) && p.y > b->y && p.y < b->y + b->h - 1;
}

static bool
on_edge(const struct net_layout_box *b, struct net_layout_point p)
{
	return p.x > b->x && p.x < b->x + b->w - 1 && (p.y == b->y || p.y == b->y + b->h - 1);
}

/* True if the straight line from p to q enters the box or runs along its border. Its ends may touch it. */
static bool
runs_into(const struct net_layout_box *b, struct net_layout_point p, struct net_layout_point q, bool first, bool last)
{
	int left = p.x < q.x ? p.x : q.x, right = p.x + q.x - left, top = p.y < q.y ? p.y : q.y,
	    bottom = p.y + q.y - top;
	int dx = (q.x > p.x) - (q.x < p.x), dy = (q.y > p.y) - (q.y < p.y);

	if (right < b->x || left >= b->x + b->w || bottom < b->y || top >= b->y + b->h)
		return false;
	for (struct net_layout_point at = p;; at.x += dx, at.y += dy) {
		bool end = at.x == q.x && at.y == q.y, tip = (first && at.x == p.x && at.y == p.y) || (last && end);

		if (!tip && at.x >= b->x && at.x < b->x + b->w && at.y >= b->y && at.y < b->y + b->h)
			return true;
		if (end)
			return false;
	}
}

static void
check_boxes(const struct net_layout *l, const struct net_layout_request *ask)
{
	for (size_t i = 0; i < l->n_boxes; i++) {
		const struct net_layout_box *a = &l->box[i];
		bool apart = true;

		CHECK(a->x >= 0 && a->y >= 0 && a->w >= NET_LAYOUT_COLUMN_LEAST && a->h >= 3 && a->x + a->w <= l->w &&
			a->y + a->h <= l->h);
		CHECK(a->w <= NET_LAYOUT_COLUMN_MOST && a->n_modules && a->n_owners);
		CHECK(!a->listed || a->h >= 2 + (int)a->n_owners);
		for (size_t k = 0; k < ask->net->n_kinds; k++)
			CHECK(a->row[k] == -1 || (a->row[k] > a->y && a->row[k] < a->y + a->h - 1));
		for (size_t j = 0; j < i; j++) {
			const struct net_layout_box *b = &l->box[j];

			apart &= a->x + a->w <= b->x || b->x + b->w <= a->x || a->y + a->h <= b->y ||
				b->y + b->h <= a->y;
		}
		CHECK(apart);
	}
}

/* May the module be without a box? It is unused, and so are all that share its box. */
static bool
may_be_folded(const struct net_layout *l, const struct net_layout_request *ask, size_t module)
{
	bool some = false;

	for (size_t o = 0; o < ask->shape->n[ask->net->module[module].per]; o++)
		some |= net_layout_find(l, module, o) != SIZE_MAX;
	return !some && ask->unused && ask->unused[module];
}

/* Each owner of each module has exactly one box, or is among the idle ones. */
static void
check_owners(const struct net_layout *l, const struct net_layout_request *ask)
{
	for (size_t m = 0; m < ask->net->n_modules; m++) {
		if (may_be_folded(l, ask, m))
			continue;
		for (size_t o = 0; o < ask->shape->n[ask->net->module[m].per]; o++) {
			size_t found = 0, idle = 0;

			for (size_t i = 0; i < l->n_boxes; i++)
				for (size_t k = 0; k < l->box[i].n_modules * l->box[i].n_owners; k++)
					found += l->box[i].module[k / l->box[i].n_owners] == m &&
						l->box[i].owner[k % l->box[i].n_owners] == o;
			for (size_t i = 0; i < l->n_idle && ask->net->module[m].per == ask->net->module[0].per; i++)
				idle += l->idle[i] == o;
			CHECK(found == 1 || (found == 0 && idle == 1));
			CHECK_INT(net_layout_find(l, m, o) != SIZE_MAX, found);
		}
	}
}

static void
check_lanes(const struct net_layout *l, const struct net_layout_request *ask)
{
	for (size_t i = 0; i < l->n_lanes; i++) {
		const struct net_layout_lane *e = &l->lane[i];
		const struct net_layout_box *from = &l->box[e->from], *to = &l->box[e->to];

		if (!CHECK(e->n >= 2 && e->n_links))
			continue;
		if (e->inside)
			CHECK((on_edge(from, e->at[0]) && on_edge(to, e->at[e->n - 1])) ||
				(on_side(from, e->at[0], true) && on_side(to, e->at[e->n - 1], true)) ||
				(on_side(from, e->at[0], false) && on_side(to, e->at[e->n - 1], false)));
		else
			CHECK(on_side(from, e->at[0], !ask->turned) && on_side(to, e->at[e->n - 1], ask->turned));
		for (size_t k = 1; k < e->n; k++) {
			bool clear = true;

			CHECK((e->at[k].x == e->at[k - 1].x) != (e->at[k].y == e->at[k - 1].y));
			CHECK(e->at[k].x >= 0 && e->at[k].x < l->w && e->at[k].y >= 0 && e->at[k].y < l->h);
			for (size_t b = 0; b < l->n_boxes; b++)
				clear &= !runs_into(&l->box[b], e->at[k - 1], e->at[k], k == 1, k == e->n - 1);
			CHECK(clear);
		}
		CHECK(e->with == SIZE_MAX ||
			(e->with < i && l->lane[e->with].with == SIZE_MAX && l->lane[e->with].from == e->from &&
				l->lane[e->with].to == e->to));
		for (size_t k = 0; k < e->n_links; k++)
			CHECK(net_layout_find(l, ask->net->link[e->link[k]].from, from->owner[0]) == e->from);
	}
	for (size_t i = 0; i < l->n_ingress; i++) {
		const struct net_layout_ingress *g = &l->ingress[i];
		const struct net_layout_box *b = &l->box[g->box];

		CHECK(g->y > b->y && g->y < b->y + b->h - 1 && g->x_end == (ask->turned ? b->x + b->w - 1 : b->x) &&
			g->x >= 0 && g->x < l->w);
	}
}

/* Each link between modules that have owners is drawn once for each kind whose loads are known. */
static void
check_links(const struct net_layout *l, const struct net_layout_request *ask)
{
	for (size_t i = 0; i < ask->net->n_links; i++)
		for (size_t k = 0; k < ask->net->n_kinds; k++) {
			size_t from = net_layout_find(l, ask->net->link[i].from, 0), found = 0;
			bool same = false;

			for (size_t o = 0;
				from == SIZE_MAX && o < ask->shape->n[ask->net->module[ask->net->link[i].from].per];
				o++)
				from = net_layout_find(l, ask->net->link[i].from, o);
			if (!ask->net->link[i].load[k] || from == SIZE_MAX ||
				!ask->shape->n[ask->net->module[ask->net->link[i].to].per] ||
				may_be_folded(l, ask, ask->net->link[i].to))
				continue;
			for (size_t m = 0; m < l->box[from].n_modules; m++)
				same |= l->box[from].module[m] == ask->net->link[i].to;
			for (size_t e = 0; e < l->n_lanes; e++)
				for (size_t n = 0; n < l->lane[e].n_links; n++)
					found += l->lane[e].from == from && l->lane[e].kind == k &&
						l->lane[e].link[n] == i && !l->lane[e].unreported;
			CHECK(same || found > 0);
		}
}

static void
check_layout(const struct net_layout *l, const struct net_layout_request *ask)
{
	check_boxes(l, ask);
	check_owners(l, ask);
	check_lanes(l, ask);
	check_links(l, ask);
}

static bool
same_picture(const struct net_layout *a, const struct net_layout *b)
{
	bool same = a->w == b->w && a->h == b->h && a->n_boxes == b->n_boxes && a->n_lanes == b->n_lanes &&
		a->n_columns == b->n_columns;

	for (size_t i = 0; same && i < a->n_boxes; i++)
		same = a->box[i].x == b->box[i].x && a->box[i].y == b->box[i].y && a->box[i].w == b->box[i].w &&
			a->box[i].h == b->box[i].h;
	for (size_t i = 0; same && i < a->n_lanes; i++)
		same = a->lane[i].n == b->lane[i].n &&
			!memcmp(a->lane[i].at, b->lane[i].at, a->lane[i].n * sizeof *a->lane[i].at);
	return same;
}

/* --- known networks ---------------------------------------------------------------------------------------------- */

static const struct net_layout_box *
box_of(const struct net_layout *l, const struct network *n, const char *module, size_t owner)
{
	for (size_t m = 0; m < n->n_modules; m++)
		if (str_eq(n->module[m].name, module) && net_layout_find(l, m, owner) != SIZE_MAX)
			return &l->box[net_layout_find(l, m, owner)];
	test_check(false, __FILE__, __LINE__, "%s %zu has no box", module, owner);
	return &l->box[0];
}

/* Two cores on 80 columns and 11 rows: L1 is one box of three modules, the LLC as tall as both blocks, CXL at the
 * bottom right. */
static void
two_cores(void)
{
	struct machine m;
	struct net_layout_request ask;
	struct net_layout *l;
	const struct net_layout_box *core, *llc, *cxl, *ddr, *far;

	if (!open_installed(&m, "spr-cxl", 2, 8, 1))
		return;
	for (size_t s = 0; s < m.net->n_stages; s++)
		m.width[s] = (struct net_layout_width){8, 13, 24, 12};
	m.width[0].least = m.width[5].least = 6;
	ask = ask_of(&m, 80, 11);
	l = net_layout_new(&ask);
	if (!CHECK(l != NULL))
		return;
	check_layout(l, &ask);
	CHECK_INT(l->n_columns, 6);
	CHECK_INT(l->h, 11);
	CHECK_INT(box_of(l, m.net, "L1D", 0)->n_modules, 3);
	core = box_of(l, m.net, "core", 1);
	CHECK_INT(core->y, 5);
	CHECK_INT(core->h, 5);
	CHECK_INT(box_of(l, m.net, "L2", 1)->y, 5);
	llc = box_of(l, m.net, "CHA", 0);
	CHECK_INT(llc->y, 0);
	CHECK_INT(llc->h, 11);
	CHECK(llc == box_of(l, m.net, "remote", 0));
	ddr = box_of(l, m.net, "DDR", 0), far = box_of(l, m.net, "far", 0), cxl = box_of(l, m.net, "CXL", 0);
	CHECK(ddr->y < far->y && far->y < cxl->y && cxl->y + cxl->h == 11);
	CHECK(box_of(l, m.net, "M2PCIe", 0)->y == cxl->y);
	CHECK_STR(m.net->kind[l->kind[0]].name, "RFO");
	CHECK_STR(m.net->kind[l->kind[4]].name, "DRd");
	net_layout_free(l);
	ask = ask_of(&m, 120, 20);
	l = net_layout_new(&ask);
	check_layout(l, &ask);
	CHECK_INT(box_of(l, m.net, "L1D", 0)->n_modules, 1); /* three boxes under each other */
	CHECK(box_of(l, m.net, "SB", 0)->y < box_of(l, m.net, "L1D", 0)->y &&
		box_of(l, m.net, "L1D", 0)->y < box_of(l, m.net, "LFB", 0)->y);
	net_layout_free(l);
	close_machine(&m);
}

/* Every lane into the shared stage is straight; lanes cross inside the switch only. */
static void
lanes_into_a_switch_are_straight(void)
{
	struct machine m;
	struct net_layout_request ask;
	struct net_layout *l;

	if (!open_installed(&m, "spr-cxl", 2, 8, 1))
		return;
	ask = ask_of(&m, 120, 20);
	l = net_layout_new(&ask);
	for (size_t i = 0; i < l->n_lanes; i++)
		if (&l->box[l->lane[i].to] == box_of(l, m.net, "CHA", 0) ||
			&l->box[l->lane[i].from] == box_of(l, m.net, "CHA", 0))
			CHECK_INT(l->lane[i].n, 2);
	net_layout_free(l);
	close_machine(&m);
}

static void
idle_cores_fold(void)
{
	struct machine m;
	struct net_layout_request ask;
	struct net_layout *l;
	struct net_layout_place keep = {0, 20};

	if (!open_installed(&m, "spr-cxl", 32, 64, 1))
		return;
	for (size_t i = 0; i < m.n_share; i++)
		m.share[i] = 0;
	for (size_t i = 0; i < m.net->n_modules; i++) /* cores 0, 1 and 7 carry requests */
		if (m.net->module[i].per == SCOPE_CORE)
			m.share[i * 32] = m.share[i * 32 + 1] = m.share[i * 32 + 7] = 300;
	ask = ask_of(&m, 200, 32);
	l = net_layout_new(&ask);
	check_layout(l, &ask);
	CHECK_INT(l->n_idle, 29);
	CHECK_INT(l->idle[0], 2);
	CHECK_INT(l->h, l->idle_row + 1);
	net_layout_free(l);
	ask.keep = &keep;
	ask.n_keep = 1;
	l = net_layout_new(&ask);
	CHECK_INT(l->n_idle, 28);
	CHECK_INT(box_of(l, m.net, "core", 20)->n_owners, 1);
	net_layout_free(l);
	/* All cores are busy: the busiest ones keep a block each, and the others share one. */
	for (size_t i = 0; i < m.n_share; i++)
		m.share[i] = 20;
	m.share[17] = 900;
	ask.n_keep = 0;
	ask.h = 11;
	l = net_layout_new(&ask);
	check_layout(l, &ask);
	CHECK_INT(l->n_idle, 0);
	CHECK_INT(box_of(l, m.net, "core", 17)->n_owners, 1);
	CHECK_INT(box_of(l, m.net, "core", 0)->n_owners, 31);
	net_layout_free(l);
	m.unfolded[0] = true; /* a block for each core: the picture scrolls */
	l = net_layout_new(&ask);
	check_layout(l, &ask);
	CHECK_INT(box_of(l, m.net, "core", 0)->n_owners, 1);
	CHECK_INT(l->h, 32 * 5);
	net_layout_free(l);
	close_machine(&m);
}

static const char sliced[] = "network t; kind rd; kind wr;\n"
			     "counter a = \"a\" per core unit requests; counter s = \"s\" per slice unit requests; "
			     "counter d = \"d\" per channel unit requests;\n"
			     "stage one { module core per core { rd { miss = a; } wr { miss = a; } } }\n"
			     "stage two { module CHA per slice { rd { hit = s; miss = s; } wr { miss = s; } } }\n"
			     "stage three { module IMC per channel { rd { hit = d; } wr { hit = d; } } }\n"
			     "link core -> CHA; link CHA -> IMC;\n";

static void
slices_fold(void)
{
	struct machine m;
	struct net_layout_request ask;
	struct net_layout *l;

	if (!open_machine(&m, mem_str(sliced), 2, 64, 2))
		return;
	ask = ask_of(&m, 80, 12);
	l = net_layout_new(&ask);
	check_layout(l, &ask);
	CHECK_INT(box_of(l, m.net, "CHA", 0)->n_owners, 64); /* cores send requests to the slices of all sockets */
	CHECK_INT(box_of(l, m.net, "CHA", 63)->n_owners, 64);
	CHECK(!box_of(l, m.net, "CHA", 0)->listed);
	net_layout_free(l);
	m.unfolded[1] = true;
	l = net_layout_new(&ask);
	check_layout(l, &ask);
	CHECK(box_of(l, m.net, "CHA", 0)->listed);
	CHECK(l->h >= 66);
	net_layout_free(l);
	close_machine(&m);
}

/* Owners that only modules of their own socket send to are folded by socket. */
static void
channels_fold_by_socket(void)
{
	static const char text[] = "network t; kind rd;\n"
				   "counter a = \"a\" per core unit requests; counter s = \"s\" per socket unit "
				   "requests; counter d = \"d\" per channel unit requests;\n"
				   "stage one { module core per core { rd { miss = a; } } }\n"
				   "stage two { module LLC per socket { rd { hit = s; miss = s; } } }\n"
				   "stage three { module IMC per channel { rd { hit = d; } } }\n"
				   "link core -> LLC; link LLC -> IMC;\n";
	struct machine m;
	struct net_layout_request ask;
	struct net_layout *l;

	if (!open_machine(&m, mem_str(text), 4, 8, 2))
		return;
	ask = ask_of(&m, 80, 10); /* four channels would need 12 rows */
	l = net_layout_new(&ask);
	check_layout(l, &ask);
	CHECK_INT(box_of(l, m.net, "IMC", 0)->n_owners, 2);
	CHECK_INT(box_of(l, m.net, "IMC", 1)->n_owners, 2);
	CHECK(box_of(l, m.net, "IMC", 0) != box_of(l, m.net, "IMC", 1));
	net_layout_free(l);
	ask.h = 14;
	l = net_layout_new(&ask);
	CHECK_INT(box_of(l, m.net, "IMC", 0)->n_owners, 1);
	net_layout_free(l);
	close_machine(&m);
}

static void
too_narrow(void)
{
	struct machine m;
	struct net_layout_request ask;
	struct net_layout *l;
	size_t columns = 7;

	if (!open_installed(&m, "spr-cxl", 2, 8, 1))
		return;
	for (int w = 130; w > 0; w--) { /* first fewer columns, then no layout */
		ask = ask_of(&m, w, 11);
		l = net_layout_new(&ask);
		if (!l) {
			CHECK(w < 2 * 14 + NET_LAYOUT_GAP_LEAST);
			break;
		}
		check_layout(l, &ask);
		CHECK(l->n_columns <= columns);
		columns = l->n_columns;
		net_layout_free(l);
	}
	CHECK_INT(columns, 2);
	close_machine(&m);
}

/* True if two lanes share some cells. They may cross. */
static bool
lanes_overlap(const struct net_layout_lane *a, const struct net_layout_lane *b)
{
	for (size_t i = 1; i < a->n; i++)
		for (size_t k = 1; k < b->n; k++) {
			struct net_layout_point p = a->at[i - 1], q = a->at[i], r = b->at[k - 1], t = b->at[k];
			int lo, hi;

			if (p.y == q.y && r.y == t.y && p.y == r.y) {
				lo = (p.x < q.x ? p.x : q.x) > (r.x < t.x ? r.x : t.x) ? (p.x < q.x ? p.x : q.x)
										       : (r.x < t.x ? r.x : t.x);
				hi = (p.x > q.x ? p.x : q.x) < (r.x > t.x ? r.x : t.x) ? (p.x > q.x ? p.x : q.x)
										       : (r.x > t.x ? r.x : t.x);
			} else if (p.x == q.x && r.x == t.x && p.x == r.x) {
				lo = (p.y < q.y ? p.y : q.y) > (r.y < t.y ? r.y : t.y) ? (p.y < q.y ? p.y : q.y)
										       : (r.y < t.y ? r.y : t.y);
				hi = (p.y > q.y ? p.y : q.y) < (r.y > t.y ? r.y : t.y) ? (p.y > q.y ? p.y : q.y)
										       : (r.y > t.y ? r.y : t.y);
			} else {
				continue;
			}
			if (lo < hi)
				return true;
		}
	return false;
}

/* True if the box has more kinds than rows. */
static bool
is_cramped(const struct net_layout_box *b, size_t n_kinds)
{
	int kinds = 0;

	for (size_t k = 0; k < n_kinds; k++)
		kinds += b->row[k] >= 0;
	return kinds > b->h - 2;
}

/* True if two lanes may share cells. Lanes of one kind join where they leave or reach the same box. Lanes of several
 * kinds join at a box that has no row for each. */
static bool
lanes_may_join(
	const struct net_layout *l, const struct net_layout_lane *x, const struct net_layout_lane *y, size_t n_kinds)
{
	if (x->kind == y->kind && (x->from == y->from || x->to == y->to))
		return true;
	if (x->from == y->from && x->at[0].y == y->at[0].y && is_cramped(&l->box[x->from], n_kinds))
		return true;
	return x->to == y->to && x->at[x->n - 1].y == y->at[y->n - 1].y && is_cramped(&l->box[x->to], n_kinds);
}

/* All other lanes have cells of their own. */
static void
lanes_do_not_overlap(void)
{
	static const char *const name[] = {"spr-cxl", "emr-cxl", "haswell", "generic", "linux-vm", "zen", "grace"};
	static const struct { int w, h; } size[] = {{80, 11}, {108, 14}, {120, 20}, {200, 34}};

	for (size_t i = 0; i < sizeof name / sizeof *name; i++)
		for (size_t z = 0; z < sizeof size / sizeof *size; z++)
			for (size_t cores = 1; cores <= 8; cores *= 2) {
				struct machine m;
				struct net_layout_request ask;
				struct net_layout *l;

				if (!open_installed(&m, name[i], cores, 8, 1))
					return;
				test_label("%s, %zu cores, %dx%d", name[i], cores, size[z].w, size[z].h);
				ask = ask_of(&m, size[z].w, size[z].h);
				l = net_layout_new(&ask);
				if (!CHECK(l != NULL))
					continue;
				check_layout(l, &ask);
				for (size_t a = 0; a < l->n_lanes; a++)
					for (size_t b = 0; b < a; b++) {
						const struct net_layout_lane *x = &l->lane[a], *y = &l->lane[b];
						bool drawn = x->with == SIZE_MAX && y->with == SIZE_MAX;

						CHECK(!drawn || lanes_may_join(l, x, y, m.net->n_kinds) ||
							!lanes_overlap(x, y));
					}
				net_layout_free(l);
				close_machine(&m);
			}
}

/* Swap and its device have no box while they are unused; the disk, unused but alone in the first stage's place, does
 * not lose the column. */
static void
unused_modules_have_no_box(void)
{
	struct machine m;
	struct net_layout_request ask;
	struct net_layout *whole, *folded;
	bool *unused;

	if (!open_installed(&m, "linux-vm", 2, 1, 1))
		return;
	ask = ask_of(&m, 120, 30);
	whole = net_layout_new(&ask);
	unused = mem_new_array(m.net->n_modules, sizeof *unused);
	for (size_t i = 0; i < m.net->n_modules; i++)
		unused[i] = str_eq(m.net->module[i].name, "swap") || str_eq(m.net->module[i].name, "zram") ||
			str_eq(m.net->module[i].name, "runqueue");
	ask.unused = unused;
	folded = net_layout_new(&ask);
	if (CHECK(whole && folded)) {
		check_layout(folded, &ask);
		CHECK_INT(folded->n_boxes, whole->n_boxes - 2);
		CHECK_INT(folded->n_columns, whole->n_columns);
		for (size_t i = 0; i < m.net->n_modules; i++) /* the run queue is alone in its column */
			CHECK((net_layout_find(folded, i, 0) == SIZE_MAX) ==
				(unused[i] && !str_eq(m.net->module[i].name, "runqueue")));
	}
	net_layout_free(whole);
	net_layout_free(folded);
	free(unused);
	close_machine(&m);
}

/* --- any network ------------------------------------------------------------------------------------------------- */

static char *
random_network(uint64_t *seed)
{
	static const char *const scopes[] = {
		"core", "core", "slice", "channel", "socket", "device", "system", "thread"
	};
	size_t stages = 2 + test_random(seed) % 6, kinds = 1 + test_random(seed) % NETWORK_KINDS_MAX, modules = 0,
	       per_stage[8];
	size_t blocks = test_random(seed) % stages;
	struct str t = {0};

	str_add(&t, "network t;\n");
	for (size_t k = 0; k < kinds; k++)
		str_addf(&t, "kind k%zu;\n", k);
	for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++)
		str_addf(&t, "counter c%zu = \"e%zu\" per %s unit requests;\n", i, i, scopes[i]);
	str_add(&t, "counter any = \"any\" per system unit requests;\n");
	for (size_t s = 0; s < stages; s++) {
		size_t n = 1 + test_random(seed) % 4;

		per_stage[s] = n;
		str_addf(&t, "stage s%zu {\n", s);
		for (size_t i = 0; i < n; i++) {
			size_t scope = s < blocks ? 0 : test_random(seed) % (sizeof scopes / sizeof *scopes);

			str_addf(&t, "module m%zu per %s {", modules++, scopes[scope]);
			for (size_t k = 0; k < kinds; k++)
				/* k0 in every module, and all kinds in the first */
				if (k == 0 || modules == 1 || test_random(seed) % 3)
					str_addf(&t, " k%zu { hit = c%zu; miss = c%zu; }", k, scope, scope);
				else if (test_random(seed) % 2)
					str_addf(&t, " k%zu untold \"so\";", k);
			str_add(&t, " }\n");
		}
		str_add(&t, "}\n");
	}
	/* Each module has a link from the stage before, so that all can be reached; and some more links to the
	 * right. */
	for (size_t s = 1, first = per_stage[0], before = 0; s < stages; before = first, first += per_stage[s++])
		for (size_t i = 0; i < per_stage[s]; i++)
			str_addf(&t, "link m%zu -> m%zu;\n", before + test_random(seed) % (first - before), first + i);
	for (size_t i = 0; i + 1 < modules; i++)
		if (test_random(seed) % 3 == 0) {
			size_t to = i + 1 + test_random(seed) % (modules - i - 1);
			char *link = str_format("link m%zu -> m%zu;", i, to);

			if (!strstr(str_text(&t), link))
				str_addf(&t, "%s\n", link);
			free(link);
		}
	if (test_random(seed) % 2)
		str_addf(&t, "ingress m%zu k0;\n", (size_t)(test_random(seed) % modules));
	return str_take(&t);
}

static void
any_network(void)
{
	uint64_t seed = 5;

	for (unsigned round = 0; round < test_rounds(150, 3000); round++) {
		size_t cores = 1 + test_random(&seed) % 40, sockets = 1 + test_random(&seed) % 2,
		       slices = test_random(&seed) % 65;
		int w = 60 + (int)(test_random(&seed) % 150), h = 5 + (int)(test_random(&seed) % 40);
		struct net_layout_place keep = {0, 0};
		struct machine m;
		struct net_layout_request ask;
		struct net_layout *l, *again;
		bool *unused;

		test_label(
			"network %u: %zu cores, %zu slices, %zu sockets, %dx%d", round, cores, slices, sockets, w, h);
		if (!open_machine(&m, random_network(&seed), cores, slices, sockets))
			return;
		for (size_t i = 0; i < m.n_share; i++)
			m.share[i] = test_random(&seed) % 3 ? (unsigned short)(test_random(&seed) % 1000) : 0;
		for (size_t i = 0; i < m.net->n_modules; i++)
			m.unfolded[i] = test_random(&seed) % 8 == 0;
		ask = ask_of(&m, w, h);
		unused = mem_new_array(m.net->n_modules, sizeof *unused);
		for (size_t i = 0; i < m.net->n_modules; i++)
			unused[i] = test_random(&seed) % 3 == 0;
		ask.unused = round % 2 ? unused : NULL;
		ask.turned = test_random(&seed) % 2;
		keep.module = test_random(&seed) % m.net->n_modules;
		ask.keep = &keep;
		ask.n_keep = test_random(&seed) % 2;
		l = net_layout_new(&ask);
		again = net_layout_new(&ask);
		if (l) {
			check_layout(l, &ask);
			CHECK(again && same_picture(l, again));
		}
		CHECK(!l == !again);
		net_layout_free(l);
		net_layout_free(again);
		free(unused);
		close_machine(&m);
	}
}

/* Other loads of the same owners give the same layout. */
static void
loads_move_nothing(void)
{
	struct machine m;
	struct net_layout_request ask;
	struct net_layout *l, *other;
	uint64_t seed = 9;

	if (!open_installed(&m, "spr-cxl", 4, 16, 2))
		return;
	ask = ask_of(&m, 120, 26);
	l = net_layout_new(&ask);
	for (size_t i = 0; i < m.n_share; i++)
		m.share[i] = (unsigned short)(NET_LAYOUT_IDLE + test_random(&seed) % 900);
	other = net_layout_new(&ask);
	CHECK(same_picture(l, other));
	net_layout_free(l);
	net_layout_free(other);
	close_machine(&m);
}

TEST_MAIN(CASE(two_cores), CASE(lanes_into_a_switch_are_straight), CASE(idle_cores_fold), CASE(slices_fold),
	CASE(channels_fold_by_socket), CASE(too_narrow), CASE(unused_modules_have_no_box),
	CASE(lanes_do_not_overlap), CASE(any_network),
	CASE(loads_move_nothing))
