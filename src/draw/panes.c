#include "draw/panes.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "draw/layout.h"

#define SPECS_MAX 64

/* The rows of the table that are taken, and the sum of their wishes. */
struct choice {
	const struct pane_spec *spec;
	size_t n;
	uint64_t taken;
	struct rect area;
};

/* One of several things that share a length. */
struct part {
	int least, most, weight, size;
	int chosen; /* the size that the user chose; 0: none */
};

static bool
panes_is_taken(const struct choice *c, size_t i)
{
	return c->taken >> i & 1;
}

/* Shares are thousandths, rounded both ways so that a size comes back as it was. */
static int
size_of(int share, int whole)
{
	return (share * whole + 500) / 1000;
}

static short
share_of(int size, int whole)
{
	int share = whole > 0 ? (size * 1000 + whole / 2) / whole : 0;

	return (short)(share < 1 ? 1 : share > 1000 ? 1000 : share);
}

static int
at_least_1(int v)
{
	return v > 1 ? v : 1;
}

/* Least and largest useful size and weight of a column of a band: the width of its widest pane, the sum of heights.
 * False if it is empty. */
static bool
panes_column_of(const struct choice *choice, int band, int column, struct part *width, struct part *height)
{
	bool any = false;

	*width = *height = (struct part){0};
	for (size_t i = 0; i < choice->n; i++) {
		const struct pane_spec *spec = &choice->spec[i];

		if (!panes_is_taken(choice, i) || spec->band != band || spec->column != column)
			continue;
		any = true;
		width->least = at_least_1(spec->min_w) > width->least ? at_least_1(spec->min_w) : width->least;
		width->most = spec->max_w && width->most < INT_MAX
			? (spec->max_w > width->most ? spec->max_w : width->most)
			: INT_MAX;
		width->weight = spec->weight_w > width->weight ? spec->weight_w : width->weight;
		if (spec->share.width)
			width->chosen = size_of(spec->share.width, choice->area.w);
		if (spec->share.band)
			height->chosen = size_of(spec->share.band, choice->area.h);
		height->least += at_least_1(spec->min_h);
		height->most = spec->max_h && height->most < INT_MAX ? height->most + spec->max_h : INT_MAX;
		height->weight = spec->weight_h > height->weight ? spec->weight_h : height->weight;
	}
	return any;
}

/* The columns of a band that have a pane, a bit each. */
static unsigned
columns_of(const struct choice *c, int band)
{
	unsigned some = 0;

	for (size_t i = 0; i < c->n; i++)
		if (panes_is_taken(c, i) && c->spec[i].band == band)
			some |= 1u << c->spec[i].column;
	return some;
}

static bool
band_of(const struct choice *choice, int band, struct part *height, int *least_w)
{
	unsigned some = columns_of(choice, band);
	int columns = 0;

	*height = (struct part){0};
	*least_w = 0;
	for (int column = 0; column < PANES_MAX; column++) {
		struct part w, h;

		if (!(some >> column & 1) || !panes_column_of(choice, band, column, &w, &h))
			continue;
		columns++;
		*least_w += w.least;
		height->least = h.least > height->least ? h.least : height->least;
		height->most = h.most > height->most ? h.most : height->most;
		height->weight = h.weight > height->weight ? h.weight : height->weight;
		height->chosen = h.chosen > height->chosen ? h.chosen : height->chosen;
	}
	*least_w += columns - 1;
	return columns > 0;
}

static bool
choice_fits(const struct choice *choice, struct rect area)
{
	int rows = 0;

	for (int band = 0; band < PANES_MAX; band++) {
		struct part h;
		int w;

		if (!band_of(choice, band, &h, &w))
			continue;
		if (w > area.w)
			return false;
		rows += h.least;
	}
	return rows <= area.h;
}

static bool
id_taken(const struct choice *c, int id)
{
	for (size_t i = 0; i < c->n; i++)
		if (panes_is_taken(c, i) && c->spec[i].id == id)
			return true;
	return false;
}

static bool
may_show(const struct pane_spec *s, struct rect area)
{
	return area.w >= s->from_w && area.h >= s->from_h && (!s->below_w || area.w < s->below_w) &&
		(!s->below_h || area.h < s->below_h);
}

static void
panes_choose(struct choice *choice, struct rect area)
{
	uint64_t seen = 0;

	for (;;) {
		size_t best = choice->n;

		for (size_t i = 0; i < choice->n; i++)
			if (!(seen >> i & 1) && may_show(&choice->spec[i], area) &&
				(best == choice->n || choice->spec[i].priority < choice->spec[best].priority))
				best = i;
		if (best == choice->n)
			return;
		seen |= UINT64_C(1) << best;
		if (id_taken(choice, choice->spec[best].id))
			continue;
		choice->taken |= UINT64_C(1) << best;
		if (!choice_fits(choice, area) &&
			(choice->taken & (choice->taken - 1))) /* the first one stays in any case */
			choice->taken &= ~(UINT64_C(1) << best);
	}
}

/* Sizes of n parts that fill `total` exactly: least sizes, then what the user chose, down to half of a least size, and
 * then the rest by weight up to what each can use. The last part gets any remainder. Equal weights differ by at most
 * one cell. */
static void
share_out(struct part *part, size_t n, int total)
{
	int rest = total;

	for (size_t i = 0; i < n; i++) {
		int half = part[i].least > 6 ? part[i].least / 2 : 3;

		if (part[i].chosen && part[i].chosen < part[i].least && half < part[i].least)
			part[i].least = part[i].chosen > half ? part[i].chosen : half;
		part[i].size = part[i].least;
		rest -= part[i].least;
	}
	for (size_t i = 0; i < n; i++) {
		int more = part[i].chosen - part[i].least;

		more = part[i].chosen == 0 || more < 0 || rest < 0 ? 0 : more < rest ? more : rest;
		part[i].size += more;
		rest -= more;
		part[i].weight = part[i].chosen ? 0 : part[i].weight;
	}
	while (rest > 0) {
		int weight = 0, given = 0;

		for (size_t i = 0; i < n; i++)
			weight += part[i].size < part[i].most ? part[i].weight : 0;
		if (weight == 0)
			break;
		for (size_t i = 0; i < n && given < rest; i++) {
			int more = part[i].size < part[i].most ? (int)((long long)rest * part[i].weight / weight) : 0;

			more = more > part[i].most - part[i].size ? part[i].most - part[i].size : more;
			part[i].size += more;
			given += more;
		}
		for (size_t i = 0; i < n && given == 0; i++) /* a rest of less than one cell each goes to the first */
			if (part[i].weight > 0 && part[i].size < part[i].most)
				part[i].size += given = 1;
		rest -= given;
	}
	part[n - 1].size += rest > 0 ? rest : 0;
	for (size_t i = n; i-- > 0 && rest < 0;) { /* a lone pane in an area below its least size */
		part[i].size += rest;
		rest = part[i].size < 0 ? part[i].size : 0;
		part[i].size = part[i].size < 0 ? 0 : part[i].size;
	}
}

static void
lay_column(const struct choice *choice, int band, int column, struct rect r, struct panes *out)
{
	struct part part[SPECS_MAX];
	size_t index[SPECS_MAX], n = 0;

	for (size_t i = 0; i < choice->n; i++) {
		const struct pane_spec *spec = &choice->spec[i];

		if (!panes_is_taken(choice, i) || spec->band != band || spec->column != column)
			continue;
		part[n] = (struct part){
			at_least_1(spec->min_h), spec->max_h ? spec->max_h : INT_MAX, spec->weight_h, 0,
			spec->share.height ? size_of(spec->share.height, r.h) : 0};
		index[n++] = i;
	}
	share_out(part, n, r.h);
	for (size_t i = 0; i < n && out->n < PANES_MAX; i++) {
		out->pane[out->n++] = (struct pane){
			choice->spec[index[i]].id, band, column, {r.x, r.y, r.w, part[i].size}};
		r.y += part[i].size;
	}
}

static void
lay_band(const struct choice *choice, int band, struct rect r, struct panes *out)
{
	struct part part[PANES_MAX], height;
	int column[PANES_MAX];
	size_t n = 0;

	for (int i = 0; i < PANES_MAX; i++)
		if (panes_column_of(choice, band, i, &part[n], &height))
			column[n++] = i;
	share_out(part, n, r.w - (int)(n - 1));
	for (size_t i = 0; i < n; i++) {
		lay_column(choice, band, column[i], (struct rect){r.x, r.y, part[i].size, r.h}, out);
		r.x += part[i].size + 1;
	}
}

static void
lay_choice(const struct choice *choice, struct rect area, struct panes *out)
{
	struct part part[PANES_MAX];
	int band[PANES_MAX], w;
	size_t n = 0;

	for (int i = 0; i < PANES_MAX; i++)
		if (band_of(choice, i, &part[n], &w))
			band[n++] = i;
	if (n == 0)
		return;
	share_out(part, n, area.h);
	for (size_t i = 0; i < n; i++) {
		lay_band(choice, band[i], (struct rect){area.x, area.y, area.w, part[i].size}, out);
		area.y += part[i].size;
	}
}

/* Position of an id among the distinct ids of the table; -1: the table does not have it. */
static int
order_of(const struct pane_spec *spec, size_t n, int id)
{
	int k = 0;

	for (size_t i = 0; i < n; i++) {
		bool before = false;

		if (spec[i].id == id)
			return k;
		for (size_t j = 0; j < i; j++)
			before |= spec[j].id == spec[i].id;
		k += !before;
	}
	return -1;
}

static int
distinct(const struct pane_spec *spec, size_t n)
{
	int most = 0;

	for (size_t i = 0; i < n; i++) {
		int k = order_of(spec, n, spec[i].id) + 1;

		most = k > most ? k : most;
	}
	return most;
}

static int
id_at_order(const struct pane_spec *spec, size_t n, int order)
{
	for (size_t i = 0; i < n; i++)
		if (order_of(spec, n, spec[i].id) == order)
			return spec[i].id;
	return -1;
}

void
panes_lay(const struct pane_spec *spec, size_t n, struct rect area, int wanted, struct panes *out)
{
	struct choice c = {spec, n < SPECS_MAX ? n : SPECS_MAX, 0, area};

	area.w = area.w > 0 ? area.w : 0;
	area.h = area.h > 0 ? area.h : 0;
	c.area = area;
	*out = (struct panes){.area = area};
	if (n == 0)
		return;
	panes_choose(&c, area);
	lay_choice(&c, area, out);
	if (out->n == 0 || (out->n == 1 && out->pane[0].id != wanted)) {
		out->pane[0].r = area;
		if (order_of(spec, c.n, wanted) >= 0)
			out->pane[0].id = wanted;
		else if (out->n == 0)
			out->pane[0].id = spec[0].id;
		out->n = 1;
	}
	out->hidden = (size_t)distinct(spec, c.n) - out->n;
}

const struct pane *
panes_find(const struct panes *p, int id)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->pane[i].id == id)
			return &p->pane[i];
	return NULL;
}

int
panes_next(const struct pane_spec *spec, size_t n, const struct panes *panes, int focus, int step)
{
	int all = distinct(spec, n), k = order_of(spec, n, focus);

	if (all == 0)
		return focus;
	for (int i = 0; i < all; i++) {
		k = (k + step + all) % all;
		if (panes->n == 1 || panes_find(panes, id_at_order(spec, n, k)))
			break;
	}
	return id_at_order(spec, n, k);
}

int
panes_focus(const struct pane_spec *spec, size_t n, const struct panes *p, int wanted)
{
	if (panes_find(p, wanted) || p->n == 0)
		return wanted;
	return p->n == 1 ? p->pane[0].id : panes_next(spec, n, p, wanted, 1);
}

/* --- dragging ---------------------------------------------------------------------------------------------------- */

/* The size of the first of two neighbours whose border moves: each keeps a cell. */
static int
first_of_two(int size, int both)
{
	return size < 1 ? 1 : size > both - 1 ? both - 1 : size;
}

static void
drag_column(const struct panes *panes, const struct pane *pane, int x, struct pane_share *share)
{
	const struct pane *right = NULL;
	int both, left;

	for (size_t i = 0; i < panes->n && !right; i++)
		if (panes->pane[i].band == pane->band && panes->pane[i].column > pane->column)
			right = &panes->pane[i];
	if (!right)
		return;
	both = pane->r.w + right->r.w;
	left = first_of_two(x - pane->r.x, both);
	for (size_t i = 0; i < panes->n; i++) {
		const struct pane *p = &panes->pane[i];

		if (p->band == pane->band)
			share[p->id].width = share_of(p->column == pane->column ? left
				: p->column == right->column ? both - left : p->r.w, panes->area.w);
	}
}

/* The rows of a band: its columns have the same height. */
static struct rect
band_rect(const struct panes *panes, int band)
{
	struct rect r = {.y = panes->area.y + panes->area.h};
	int end = panes->area.y;

	for (size_t i = 0; i < panes->n; i++) {
		const struct rect *p = &panes->pane[i].r;

		if (panes->pane[i].band != band)
			continue;
		r.y = p->y < r.y ? p->y : r.y;
		end = p->y + p->h > end ? p->y + p->h : end;
	}
	r.h = end - r.y;
	return r;
}

static void
drag_within_column(const struct panes *panes, const struct pane *above, const struct pane *pane, int y,
	struct pane_share *share)
{
	int both = above->r.h + pane->r.h, top = first_of_two(y - above->r.y, both),
	    all = band_rect(panes, pane->band).h;

	for (size_t i = 0; i < panes->n; i++) {
		const struct pane *p = &panes->pane[i];

		if (p->band == pane->band && p->column == pane->column)
			share[p->id].height =
				share_of(p == above ? top : p == pane ? both - top : p->r.h, all);
	}
}

static void
drag_band(const struct panes *panes, const struct pane *pane, int y, struct pane_share *share)
{
	struct rect above = {0}, here = band_rect(panes, pane->band);
	int before = -1, top;

	for (size_t i = 0; i < panes->n; i++)
		if (panes->pane[i].band < pane->band && panes->pane[i].band > before)
			before = panes->pane[i].band;
	if (before < 0)
		return;
	above = band_rect(panes, before);
	top = first_of_two(y - above.y, above.h + here.h);
	for (size_t i = 0; i < panes->n; i++) {
		const struct pane *p = &panes->pane[i];
		int h = p->band == before ? top : p->band == pane->band ? above.h + here.h - top
									: band_rect(panes, p->band).h;

		share[p->id].band = share_of(h, panes->area.h);
	}
}

void
panes_drag(const struct panes *panes, int id, bool title, int x, int y, struct pane_share *share)
{
	const struct pane *pane = panes_find(panes, id), *above = pane;

	if (!pane || panes->n < 2)
		return;
	above = pane > panes->pane && pane[-1].band == pane->band && pane[-1].column == pane->column ? pane - 1 : NULL;
	if (!title)
		drag_column(panes, pane, x, share);
	else if (above)
		drag_within_column(panes, above, pane, y, share);
	else
		drag_band(panes, pane, y, share);
}

int
panes_at(const struct panes *p, int x, int y)
{
	for (size_t i = 0; i < p->n; i++)
		if (rect_has(p->pane[i].r, x, y))
			return p->pane[i].id;
	return -1;
}

struct rect
pane_body(const struct pane *p)
{
	return (struct rect){p->r.x, p->r.y + 1, p->r.w, p->r.h > 1 ? p->r.h - 1 : 0};
}

/* Is this cell part of the separator to the right of a pane? */
static bool
is_separator(const struct panes *p, int x, int y)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct rect *r = &p->pane[i].r;

		if (x == r->x + r->w && x < p->area.x + p->area.w && y >= r->y && y < r->y + r->h)
			return true;
	}
	return false;
}

/* Weight of the title rule through this cell: 0 none, 1 light, 2 heavy. */
static int
rule_weight(const struct panes *p, int x, int y, int focus)
{
	for (size_t i = 0; i < p->n; i++)
		if (y == p->pane[i].r.y && p->pane[i].r.h > 0 && x >= p->pane[i].r.x &&
			x < p->pane[i].r.x + p->pane[i].r.w)
			return p->pane[i].id == focus ? 2 : 1;
	return 0;
}

static void
draw_joint(struct grid *grid, const struct panes *panes, int x, int y, int focus)
{
	int left = rule_weight(panes, x - 1, y, focus), right = rule_weight(panes, x + 1, y, focus),
	    here = rule_weight(panes, x, y, focus);
	bool separator = is_separator(panes, x, y), up = is_separator(panes, x, y - 1);
	const struct cell *cell = grid_at(grid, x, y);
	struct pen pen;

	if (!cell || (!separator && !(here && up)))
		return;
	if (!separator && cell->cp != 0x2500 && cell->cp != 0x2501 && cell->cp != '-' && cell->cp != '=')
		return; /* a title covers the cell */
	if (!separator)
		left = right = here;
	pen = pen_on(grid, panes->area, left == 2 || right == 2 ? ROLE_ACCENT : ROLE_FRAME);
	pen_hline(&pen, x, y, 1,
		glyph_junction(up, right,
			separator && (is_separator(panes, x, y + 1) || rule_weight(panes, x, y + 1, focus)), left));
}

/* Does a pane before this one end at the same column? */
static bool
ends_before(const struct panes *p, size_t pane, int x)
{
	for (size_t i = 0; i < pane; i++)
		if (p->pane[i].r.x + p->pane[i].r.w == x)
			return true;
	return false;
}

/* Draws titles, then separators and their joints, which are only in the columns to the right of panes. */
void
panes_draw(struct grid *grid, const struct panes *panes, const char *const *title, const char *const *info, int focus)
{
	for (size_t i = 0; i < panes->n; i++)
		draw_title(grid, panes->pane[i].r, title[i], info ? info[i] : NULL, panes->pane[i].id == focus);
	for (size_t i = 0; i < panes->n; i++) {
		int x = panes->pane[i].r.x + panes->pane[i].r.w;

		if (x >= panes->area.x + panes->area.w || ends_before(panes, i, x))
			continue;
		for (int y = panes->area.y; y < panes->area.y + panes->area.h; y++)
			draw_joint(grid, panes, x, y, focus);
	}
}
