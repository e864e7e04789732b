/* Rows: the order of boxes in a column, their heights, and the row of each kind in them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/network/layout_parts.h"

#define SMALL_KIND 10 /* thousandths of all requests; smaller kinds give way where rows are few */

/* Units of a column (of a block), from top to bottom. */
struct stack {
	size_t *unit, n;
};

static struct stack
stack_of(const struct layout_plan *p, size_t column, int block)
{
	struct stack s = {.unit = mem_new_array(p->n_units, sizeof *s.unit)};

	for (size_t i = 0; i < p->n_units; i++)
		if (p->unit[i].box.column == (int)column && p->unit[i].block == block)
			s.unit[s.n++] = i;
	return s;
}

static void
sort_stack(const struct layout_plan *p, struct stack *s)
{
	for (size_t i = 1; i < s->n; i++) {
		size_t u = s->unit[i], at = i;

		for (; at && p->unit[s->unit[at - 1]].place > p->unit[u].place; at--)
			s->unit[at] = s->unit[at - 1];
		s->unit[at] = u;
	}
}

/* Set places from 0 to 1000, evenly. */
static void
set_places(struct layout_plan *p, const struct stack *s)
{
	for (size_t i = 0; i < s->n; i++)
		p->unit[s->unit[i]].place = (int)((2 * i + 1) * 500 / s->n);
}

/* --- order ------------------------------------------------------------------------------------------------------- */

static int
block_place(const struct layout_plan *p, int block)
{
	return p->n_blocks ? (2 * block + 1) * 500 / (int)p->n_blocks : 500;
}

/* The mean place of the units that this one is joined to in the next column, or in the previous one. Its own place
 * if there is none. */
static int
mean_place(const struct layout_plan *plan, size_t unit, bool next)
{
	long sum = 0, n = 0;

	for (size_t i = 0; i < plan->n_hops; i++) {
		const struct layout_hop *hop = &plan->hop[i];
		size_t here = next ? hop->a : hop->b, there = next ? hop->b : hop->a;
		const struct layout_unit *layout_unit = &plan->unit[there];

		if (here != unit || layout_unit->box.column == plan->unit[here].box.column)
			continue;
		sum += layout_unit->block < 0 ? layout_unit->place : block_place(plan, layout_unit->block);
		n++;
	}
	return n ? (int)(sum / n) : plan->unit[unit].place;
}

static void
sweep(struct layout_plan *plan, size_t column, bool next)
{
	struct stack s = stack_of(plan, column, -1);
	int *mean = mem_new_array(s.n, sizeof *mean);

	sort_stack(plan, &s);
	for (size_t i = 0; i < s.n; i++)
		mean[i] = mean_place(plan, s.unit[i], next);
	for (size_t i = 0; i < s.n; i++)
		plan->unit[s.unit[i]].place = mean[i];
	sort_stack(plan, &s);
	set_places(plan, &s);
	free(mean);
	free(s.unit);
}

/* Order each column by the barycentre of its units' neighbours; ties stay. The last column keeps the network's
 * order, so that the farthest memory is at its end. */
static void
order_units(struct layout_plan *plan)
{
	for (size_t c = 0; c < plan->n_columns; c++)
		for (int b = -1; b < (int)plan->n_blocks; b++) {
			struct stack s = stack_of(plan, c, b);

			set_places(plan, &s);
			free(s.unit);
		}
	for (int i = 0; i < 2; i++) {
		for (size_t c = plan->n_columns; c-- > plan->block_columns;)
			sweep(plan, c, true);
		for (size_t c = plan->block_columns; c < plan->n_columns; c++)
			sweep(plan, c, false);
	}
}

/* --- heights ----------------------------------------------------------------------------------------------------- */

/* The only shared unit that lanes join a shared unit to: on its right, and on its left. SIZE_MAX: none, or several. */
struct chain {
	size_t next, before;
	bool many_next, many_before;
};

static void
join_one(size_t *one, bool *many, size_t other)
{
	*many |= *one != SIZE_MAX && *one != other;
	*one = other;
}

static struct chain *
find_chains(const struct layout_plan *p)
{
	struct chain *c = mem_new_array(p->n_units, sizeof *c);

	for (size_t i = 0; i < p->n_units; i++)
		c[i].next = c[i].before = SIZE_MAX;
	for (size_t i = 0; i < p->n_hops; i++) {
		join_one(&c[p->hop[i].a].next, &c[p->hop[i].a].many_next, p->hop[i].b);
		join_one(&c[p->hop[i].b].before, &c[p->hop[i].b].many_before, p->hop[i].a);
	}
	return c;
}

/* Make shared units that are joined only to each other equally tall, so that their lanes are straight. Returns true if
 * something changed. */
static bool
match_chains(struct layout_plan *plan, const struct chain *chain, bool least)
{
	bool some = false;

	for (size_t i = 0; i < plan->n_units; i++) {
		struct layout_unit *u = &plan->unit[i], *o;

		if (u->block >= 0 || chain[i].next == SIZE_MAX || chain[i].many_next ||
			chain[chain[i].next].many_before)
			continue;
		o = &plan->unit[chain[i].next];
		if (o->box.column == u->box.column)
			continue;
		some |= least ? u->least != o->least : u->wish != o->wish;
		if (least)
			u->least = o->least = int_max(u->least, o->least);
		u->wish = o->wish = int_max(u->wish, o->wish);
	}
	return some;
}

static void
set_wishes(struct layout_plan *p, const struct chain *c)
{
	for (size_t i = 0; i < p->n_units; i++) {
		struct layout_unit *u = &p->unit[i];

		if (!u->box.listed)
			u->wish = int_max(u->least, u->n_has + (u->pass ? 0 : 2));
	}
	while (match_chains(p, c, false)) /* repeat for chains of several units */
		;
}

static int
sum_rows(const struct layout_plan *p, const struct stack *s, bool wish)
{
	int sum = 0;

	for (size_t i = 0; i < s->n; i++)
		sum += wish ? p->unit[s->unit[i]].wish : p->unit[s->unit[i]].least;
	return sum;
}

static int
column_rows(const struct layout_plan *p, size_t column, int block, bool wish)
{
	struct stack s = stack_of(p, column, block);
	int rows = sum_rows(p, &s, wish);

	free(s.unit);
	return rows;
}

/* Each unit gets its least number of rows, then rows in proportion to what it can use, then the rest one by one from
 * the top. One blank row stands between units if all can have what they use. */
static void
stack_units(struct layout_plan *plan, const struct stack *s, int y, int h)
{
	int least = sum_rows(plan, s, false), wish = sum_rows(plan, s, true), blanks = (int)s->n - 1, given = 0, rest;
	int blank = s->n > 1 && h - blanks >= wish;

	rest = h - least - blank * blanks;
	for (size_t i = 0; i < s->n; i++) {
		struct layout_unit *unit = &plan->unit[s->unit[i]];
		int more = wish ? int_max(0, rest) * unit->wish / wish : 0;

		unit->box.h = unit->least + more;
		given += more;
	}
	for (size_t i = 0; i < s->n; i++) {
		struct layout_unit *unit = &plan->unit[s->unit[i]];

		if (given < rest) {
			unit->box.h++;
			given++;
		}
		unit->box.y = y;
		y += unit->box.h + blank;
	}
}

static void
place_blocks(struct layout_plan *plan)
{
	int n = (int)plan->n_blocks, h = plan->block_least;

	for (size_t c = 0; c < plan->block_columns; c++)
		for (int b = 0; b < n; b++)
			h = int_max(h, column_rows(plan, c, b, false));
	if (n && plan->h > n * h + plan->blank * (n - 1)) /* columns of shared units need more rows */
		h = int_max(h, int_min(2 * h, (plan->h - plan->blank * (n - 1)) / n));
	for (int b = 0; b < n; b++) {
		plan->block[b].y = b * (h + plan->blank);
		plan->block[b].h = h;
		for (size_t c = 0; c < plan->block_columns; c++) {
			struct stack s = stack_of(plan, c, b);

			sort_stack(plan, &s);
			stack_units(plan, &s, plan->block[b].y, h);
			free(s.unit);
		}
	}
	plan->block_least = h;
	plan->h = int_max(plan->h, n ? n * (h + plan->blank) - plan->blank : 0);
}

static void
place_units(struct layout_plan *plan)
{
	int room = plan->ask->h - (plan->n_idle > 0), least = 0;
	struct chain *chain = find_chains(plan);

	set_wishes(plan, chain);
	for (size_t c = plan->block_columns; c < plan->n_columns; c++) {
		struct stack s = stack_of(plan, c, -1);

		plan->h = int_max(plan->h, int_min(room, sum_rows(plan, &s, true) + (s.n ? (int)s.n - 1 : 0)));
		free(s.unit);
	}
	while (match_chains(plan, chain, true))
		;
	free(chain);
	for (size_t c = plan->block_columns; c < plan->n_columns; c++)
		least = int_max(least, column_rows(plan, c, -1, false));
	if (least > room) /* units that lanes only pass through give way */
		for (size_t i = plan->n_boxes; i < plan->n_units; i++)
			plan->unit[i].least = 1;
	for (size_t c = plan->block_columns; c < plan->n_columns; c++)
		plan->h = int_max(plan->h, column_rows(plan, c, -1, false));
	place_blocks(plan);
	for (size_t c = plan->block_columns; c < plan->n_columns; c++) {
		struct stack s = stack_of(plan, c, -1);

		sort_stack(plan, &s);
		stack_units(plan, &s, 0, plan->h);
		free(s.unit);
	}
}

/* --- rows of kinds ----------------------------------------------------------------------------------------------- */

/* Assign rows to kinds in order, from `first`. If there are too few rows, small kinds join the kind above them (the
 * topmost: the one below); then all share evenly. */
static void
spread_kinds(const struct layout_plan *plan, const bool *has, int first, int rows, int *row)
{
	size_t n = plan->net->n_kinds;
	int group[NETWORK_KINDS_MAX], groups = 0, all = 0;
	bool large = false; /* the last group has a kind that is not small */

	for (size_t k = 0; k < n; k++)
		all += has[k];
	for (size_t i = 0; i < n; i++) {
		size_t k = plan->kind[i];
		bool small = all > rows && plan->ask->kind_share && plan->ask->kind_share[k] < SMALL_KIND;

		if (!has[k])
			continue;
		if (!groups || (!small && large)) {
			groups++;
			large = false;
		}
		large |= !small;
		group[k] = groups - 1;
	}
	for (size_t k = 0; k < n; k++)
		row[k] = has[k] ? layout_spread_row(first, int_max(1, rows), groups, group[k]) : -1;
}

/* A box in a block uses the rows of its block where it can. Otherwise it uses the nearest of its own rows, or an
 * even spread. */
static void
rows_in_block(struct layout_plan *plan, struct layout_unit *unit, const int *block_row)
{
	int top = unit->box.y + !unit->pass, rows = unit->box.h - (unit->pass ? 0 : 2), used[NETWORK_KINDS_MAX], n = 0;

	for (size_t k = 0; k < plan->net->n_kinds; k++) {
		int row = int_max(top, int_min(top + rows - 1, block_row[k]));

		unit->row[k] = unit->has[k] ? row : -1;
		if (!unit->has[k])
			continue;
		for (int i = 0; i < n; i++)
			if (used[i] == row && rows >= unit->n_has) {
				spread_kinds(plan, unit->has, top, rows, unit->row);
				return;
			}
		used[n++] = row;
	}
}

static void
place_kinds(struct layout_plan *plan)
{
	for (size_t b = 0; b < plan->n_blocks; b++) {
		bool has[NETWORK_KINDS_MAX] = {0};
		int row[NETWORK_KINDS_MAX];

		for (size_t i = 0; i < plan->n_units; i++)
			for (size_t k = 0; plan->unit[i].block == (int)b && k < plan->net->n_kinds; k++)
				has[k] |= plan->unit[i].has[k];
		spread_kinds(plan, has, plan->block[b].y + 1, plan->block[b].h - 2, row);
		for (size_t i = 0; i < plan->n_units; i++)
			if (plan->unit[i].block == (int)b)
				rows_in_block(plan, &plan->unit[i], row);
	}
	for (size_t i = 0; i < plan->n_units; i++) {
		struct layout_unit *unit = &plan->unit[i];

		if (unit->block < 0) {
			/* passed-through units are treated as boxes, so that both have the same rows */
			int border = !unit->pass || unit->box.h >= LAYOUT_BOX_ROWS;

			spread_kinds(plan, unit->has, unit->box.y + border, unit->box.h - 2 * border, unit->row);
		}
	}
}

void
layout_rows(struct layout_plan *p)
{
	order_units(p);
	place_units(p);
	place_kinds(p);
}
