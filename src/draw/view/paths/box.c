/* The text of a box. Lines about one lane are in the lane's row; others fill the free rows. */
#include "draw/view/paths/box.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "explorer/state/state_paths.h"
#include "work/timeline/timeline.h"

static bool
is_last(const struct clos *c, const struct net_layout_box *b)
{
	return b->shared && (size_t)b->column + 1 == c->l->n_columns && b->n_modules <= 2;
}

static bool
is_source(const struct clos *c, const struct net_layout_box *b)
{
	if (b->column || b->n_modules > 1)
		return false;
	for (size_t k = 0; k < c->net->n_kinds; k++)
		if (c->net->module[b->module[0]].cell[k].n_hits)
			return false;
	return true;
}

/* Do lanes come from more than one box, or belong to several modules? Then no line is about a single lane. */
static bool
is_switch(const struct clos *clos, const struct net_layout_box *net_layout_box)
{
	size_t from = SIZE_MAX, box = (size_t)(net_layout_box - clos->l->box);

	if (!net_layout_box->shared)
		return false;
	for (size_t i = 0; i < clos->l->n_lanes; i++) {
		if (clos->l->lane[i].to != box)
			continue;
		if (from != SIZE_MAX && from != clos->l->lane[i].from)
			return true;
		from = clos->l->lane[i].from;
	}
	return net_layout_box->n_modules > 1;
}

/* Gives lines with a row their row unless it is taken, and the others the free rows from the top. */
static void
place_lines_on_rows(struct box_page *page, const struct words **row)
{
	int at = 0;

	for (int i = 0; i < page->n; i++)
		if (page->line[i].row >= 0 && page->line[i].row < page->h && !row[page->line[i].row])
			row[page->line[i].row] = &page->line[i];
		else if (page->line[i].row >= 0)
			page->line[i].row = -2; /* its row is taken */
	for (int i = 0; i < page->n; i++) {
		if (page->line[i].row != -1)
			continue;
		while (at < page->h && row[at])
			at++;
		if (at < page->h)
			row[at++] = &page->line[i];
	}
}

static void
draw_line(const struct box_page *page, const struct words *words, int x, int y)
{
	struct rect r = rect_cut((struct rect){x, y, page->w, 1}, page->c->r);
	struct pen pen = pen_on(page->c->g, r, ROLE_TEXT);
	int end = x + page->w, at = x;

	for (int i = words->n - 1; i >= 0; i--) {
		if (!words->seg[i].right)
			continue;
		pen.fg = words->seg[i].role;
		pen.attr = words->seg[i].attr;
		end -= pen_columns(&pen, words->seg[i].text);
		if (end >= x)
			pen_text(&pen, end, y, words->seg[i].text);
		end--;
	}
	for (int i = 0; i < words->n; i++) {
		if (words->seg[i].right || !*words->seg[i].text)
			continue;
		pen.fg = words->seg[i].role;
		pen.attr = words->seg[i].attr;
		at += pen_fit(&pen, at, y, (end < x + page->w - 1 ? end : x + page->w) - at, words->seg[i].text);
		at += !str_eq(words->seg[i].text, "↓");
	}
	pen.attr = 0;
	if (words->spark) {
		pen.fg = ROLE_TEXT;
		draw_spark(&pen, at, y, end - at, words->spark, words->n_spark, 0);
	} else if (!isnan(words->bar)) {
		pen.fg = ROLE_ACCENT;
		draw_bar(&pen, at, y, end - at, words->bar);
	}
}

/* "CHA 0-7", "IMC ×4": the owners that share a box. */
static void
owners_words(const struct net_layout_box *box, struct str *out)
{
	bool row = true;

	for (size_t i = 1; i < box->n_owners; i++)
		row &= box->owner[i] == box->owner[i - 1] + 1;
	if (box->n_owners == 1)
		return;
	if (row)
		str_addf(out, " %zu-%zu", box->owner[0], box->owner[box->n_owners - 1]);
	else
		str_addf(out, " ×%zu", box->n_owners);
	str_add(out, box->listed ? " ▾" : " ▸");
}

static void
clos_box_title(
	const struct state *state, const struct network *network, const struct net_layout_box *b, struct str *out)
{
	const char *name = network->module[b->module[0]].name;
	char *owner = b->n_owners == 1 ? state_paths_owner(state, b->per, b->owner[0]) : mem_str("");
	const struct timeline_analysis *analysis = state_timeline_shown(state).analysis;
	const struct net_shape *shape = analysis ? net_state_shape(analysis->state) : NULL;
	bool several = shape && shape->n[b->per] > 1;

	if (!b->shared && b->column == 0 && *owner && strstr(owner, name))
		str_add(out, owner);
	else if (b->shared && b->joined)
		str_add(out, network->stage[network->module[b->module[0]].stage].name);
	else if (!b->shared ||
		network->module[b->module[0]].stage != network->module[b->module[b->n_modules - 1]].stage)
		for (size_t m = 0; m < b->n_modules; m++)
			str_addf(out, "%s%s", m ? " " : "", network->module[b->module[m]].name);
	else
		str_add(out, name);
	if (!b->shared && b->column == 0 && *owner && several && !str_starts(str_text(out), owner))
		str_addf(out, " %s", owner);
	else if (b->shared && *owner && several)
		str_addf(out, " %s", strrchr(owner, ' ') ? strrchr(owner, ' ') + 1 : owner);
	if (b->shared || b->column == 0)
		owners_words(b, out);
	free(owner);
}

static void
draw_title_of(const struct clos *clos, const struct net_layout_box *net_layout_box)
{
	size_t box = (size_t)(net_layout_box - clos->l->box);
	struct rect row = {
		clos->r.x + net_layout_box->x, clos->r.y + net_layout_box->y - clos->top, net_layout_box->w, 1};
	struct pen p = pen_on(clos->g, rect_cut(row, clos->r),
		box == clos->culprit ? ROLE_HOT : box == clos->cursor && clos->focus ? ROLE_ACCENT : ROLE_TEXT);
	struct str title = {0};
	int used;

	clos_box_title(clos->s, clos->net, net_layout_box, &title);
	/* the numbers matter more than the name */
	if (net_layout_box->n_owners > 1 && pen_columns(&p, str_text(&title)) > net_layout_box->w - 2) {
		str_clear(&title);
		owners_words(net_layout_box, &title);
	}
	p.attr = box == clos->cursor ? CELL_BOLD : 0;
	used = pen_fit(&p, row.x + 1, row.y, net_layout_box->w - 2, str_text(&title));
	if (box == clos->cursor && clos->focus)
		grid_tint(clos->g, rect_cut((struct rect){row.x + 1, row.y, used, 1}, clos->r), ROLE_SELECT);
	str_free(&title);
}

static void
fill_page(struct box_page *page)
{
	const struct clos *clos = page->c;

	if (page->b->listed) {
		box_listed_lines(page);
	} else if (is_source(clos, page->b)) {
		box_source_lines(page);
	} else if (page->b->joined) {
		box_joined_lines(page);
	} else if (is_last(clos, page->b)) {
		box_leaf_lines(page);
	} else if (is_switch(clos, page->b)) {
		box_place_lines(page);
		box_queue_line(page);
		box_owner_lines(page);
		for (size_t m = 0; m < page->b->n_modules; m++)
			box_time_lines(page, page->b->module[m]);
		box_longest_lines(page);
	} else {
		box_module_lines(page, page->b->module[0], true);
		if (page->b->shared) {
			box_queue_line(page);
			box_owner_lines(page);
			box_time_lines(page, page->b->module[0]);
			box_longest_lines(page);
		}
	}
}

void
clos_draw_box(const struct clos *clos, const struct net_layout_box *box)
{
	struct box_page *page = mem_new(sizeof *page);
	const struct words **row = mem_new_array((size_t)box->h, sizeof *row);

	page->c = clos;
	page->b = box;
	page->w = box->w - 2;
	page->h = box->h - 2;
	draw_title_of(clos, box);
	if (clos->now->analysis)
		fill_page(page);
	place_lines_on_rows(page, row);
	for (int y = 0; y < page->h; y++)
		if (row[y])
			draw_line(page, row[y], clos->r.x + box->x + 1, clos->r.y + box->y + 1 + y - clos->top);
	free(page->values[0]);
	free(page->values[1]);
	free(page->line);
	free(row);
	free(page);
}
