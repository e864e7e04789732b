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
is_switch(const struct clos *c, const struct net_layout_box *b)
{
	size_t from = SIZE_MAX, box = (size_t)(b - c->l->box);

	if (!b->shared)
		return false;
	for (size_t i = 0; i < c->l->n_lanes; i++) {
		if (c->l->lane[i].to != box)
			continue;
		if (from != SIZE_MAX && from != c->l->lane[i].from)
			return true;
		from = c->l->lane[i].from;
	}
	return b->n_modules > 1;
}

/* Gives lines with a row their row unless it is taken, and the others the free rows from the top. */
static void
place_lines_on_rows(struct box_page *p, const struct words **row)
{
	int at = 0;

	for (int i = 0; i < p->n; i++)
		if (p->line[i].row >= 0 && p->line[i].row < p->h && !row[p->line[i].row])
			row[p->line[i].row] = &p->line[i];
		else if (p->line[i].row >= 0)
			p->line[i].row = -2; /* its row is taken */
	for (int i = 0; i < p->n; i++) {
		if (p->line[i].row != -1)
			continue;
		while (at < p->h && row[at])
			at++;
		if (at < p->h)
			row[at++] = &p->line[i];
	}
}

static void
draw_line(const struct box_page *p, const struct words *t, int x, int y)
{
	struct rect r = rect_cut((struct rect){x, y, p->w, 1}, p->c->r);
	struct pen pen = pen_on(p->c->g, r, ROLE_TEXT);
	int end = x + p->w, at = x;

	for (int i = t->n - 1; i >= 0; i--) {
		if (!t->seg[i].right)
			continue;
		pen.fg = t->seg[i].role;
		pen.attr = t->seg[i].attr;
		end -= pen_columns(&pen, t->seg[i].text);
		if (end >= x)
			pen_text(&pen, end, y, t->seg[i].text);
		end--;
	}
	for (int i = 0; i < t->n; i++) {
		if (t->seg[i].right || !*t->seg[i].text)
			continue;
		pen.fg = t->seg[i].role;
		pen.attr = t->seg[i].attr;
		at += pen_fit(&pen, at, y, (end < x + p->w - 1 ? end : x + p->w) - at, t->seg[i].text);
		at += !str_eq(t->seg[i].text, "↓");
	}
	pen.attr = 0;
	if (t->spark) {
		pen.fg = ROLE_TEXT;
		draw_spark(&pen, at, y, end - at, t->spark, t->n_spark, 0);
	} else if (!isnan(t->bar)) {
		pen.fg = ROLE_ACCENT;
		draw_bar(&pen, at, y, end - at, t->bar);
	}
}

/* "CHA 0-7", "IMC ×4": the owners that share a box. */
static void
owners_words(const struct net_layout_box *b, struct str *out)
{
	bool row = true;

	for (size_t i = 1; i < b->n_owners; i++)
		row &= b->owner[i] == b->owner[i - 1] + 1;
	if (b->n_owners == 1)
		return;
	if (row)
		str_addf(out, " %zu-%zu", b->owner[0], b->owner[b->n_owners - 1]);
	else
		str_addf(out, " ×%zu", b->n_owners);
	str_add(out, b->listed ? " ▾" : " ▸");
}

static void
clos_box_title(const struct state *s, const struct network *n, const struct net_layout_box *b, struct str *out)
{
	const char *name = n->module[b->module[0]].name;
	char *owner = b->n_owners == 1 ? state_paths_owner(s, b->per, b->owner[0]) : mem_str("");
	const struct net_shape *shape =
		s->answers.timeline.analysis ? net_state_shape(s->answers.timeline.analysis->state) : NULL;
	bool several = shape && shape->n[b->per] > 1;

	if (!b->shared && b->column == 0 && *owner && strstr(owner, name))
		str_add(out, owner);
	else if (b->shared && b->joined)
		str_add(out, n->stage[n->module[b->module[0]].stage].name);
	else if (!b->shared || n->module[b->module[0]].stage != n->module[b->module[b->n_modules - 1]].stage)
		for (size_t m = 0; m < b->n_modules; m++)
			str_addf(out, "%s%s", m ? " " : "", n->module[b->module[m]].name);
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
draw_title_of(const struct clos *c, const struct net_layout_box *b)
{
	size_t box = (size_t)(b - c->l->box);
	struct rect row = {c->r.x + b->x, c->r.y + b->y - c->top, b->w, 1};
	struct pen p = pen_on(c->g, rect_cut(row, c->r),
		box == c->culprit ? ROLE_HOT : box == c->cursor && c->focus ? ROLE_ACCENT : ROLE_TEXT);
	struct str title = {0};
	int used;

	clos_box_title(c->s, c->net, b, &title);
	/* the numbers matter more than the name */
	if (b->n_owners > 1 && pen_columns(&p, str_text(&title)) > b->w - 2) {
		str_clear(&title);
		owners_words(b, &title);
	}
	p.attr = box == c->cursor ? CELL_BOLD : 0;
	used = pen_fit(&p, row.x + 1, row.y, b->w - 2, str_text(&title));
	if (box == c->cursor && c->focus)
		grid_tint(c->g, rect_cut((struct rect){row.x + 1, row.y, used, 1}, c->r), ROLE_SELECT);
	str_free(&title);
}

static void
fill_page(struct box_page *p)
{
	const struct clos *c = p->c;

	if (p->b->listed) {
		box_listed_lines(p);
	} else if (is_source(c, p->b)) {
		box_source_lines(p);
	} else if (p->b->joined) {
		box_joined_lines(p);
	} else if (is_last(c, p->b)) {
		box_leaf_lines(p);
	} else if (is_switch(c, p->b)) {
		box_place_lines(p);
		box_queue_line(p);
		box_owner_lines(p);
		for (size_t m = 0; m < p->b->n_modules; m++)
			box_time_lines(p, p->b->module[m]);
		box_longest_lines(p);
	} else {
		box_module_lines(p, p->b->module[0], true);
		if (p->b->shared) {
			box_queue_line(p);
			box_owner_lines(p);
			box_time_lines(p, p->b->module[0]);
			box_longest_lines(p);
		}
	}
}

void
clos_draw_box(const struct clos *c, const struct net_layout_box *b)
{
	struct box_page *p = mem_new(sizeof *p);
	const struct words **row = mem_new_array((size_t)b->h, sizeof *row);

	p->c = c;
	p->b = b;
	p->w = b->w - 2;
	p->h = b->h - 2;
	draw_title_of(c, b);
	if (c->now->analysis)
		fill_page(p);
	place_lines_on_rows(p, row);
	for (int y = 0; y < p->h; y++)
		if (row[y])
			draw_line(p, row[y], c->r.x + b->x + 1, c->r.y + b->y + 1 + y - c->top);
	free(p->values[0]);
	free(p->values[1]);
	free(p->line);
	free(row);
	free(p);
}
