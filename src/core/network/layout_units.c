/* Decides what gets a box: cores with a block of their own, and owners of shared modules that are folded into one
 * box. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/network/layout_parts.h"

#define LANES_WELL 3 /* rows of lanes in a block; more kinds share them */
#define ROWS_WELL 9  /* rows of a block with few kinds, if there is room */

/* --- blocks ------------------------------------------------------------------------------------------------------ */

static bool
in_blocks(const struct layout_plan *p, size_t module)
{
	return p->net->module[module].stage < p->block_stages;
}

/* Number of kinds that a module of the blocks reports or passes on. */
static int
kinds_in_blocks(const struct layout_plan *plan)
{
	int n = 0;

	for (size_t k = 0; k < plan->net->n_kinds; k++) {
		bool any = false;

		for (size_t m = 0; m < plan->net->n_modules; m++)
			any |= in_blocks(plan, m) && plan->net->module[m].cell[k].state == NET_CELL_REPORTED;
		n += any;
	}
	return n;
}

static size_t
most_modules(const struct layout_plan *p)
{
	size_t most = 1;

	for (size_t s = 0; s < p->block_stages; s++)
		most = p->net->stage[s].n > most ? p->net->stage[s].n : most;
	return most;
}

/* The most of a stage's load that an owner ever carried, in thousandths. */
static int
carried(const struct layout_plan *p, size_t owner)
{
	int most = 0;

	if (!p->ask->share)
		return 1000;
	for (size_t m = 0; m < p->net->n_modules; m++)
		if (in_blocks(p, m))
			most = int_max(most, p->ask->share[p->first_owner[m] + owner]);
	return most;
}

static bool
blocks_are_unfolded(const struct layout_plan *p)
{
	for (size_t m = 0; p->ask->unfolded && m < p->net->n_modules; m++)
		if (in_blocks(p, m) && p->ask->unfolded[m])
			return true;
	return false;
}

/* Rank of an owner for its own block: requested ones in their order, then by the load that it carried. */
static long
worth_keeping(const struct layout_plan *p, size_t owner)
{
	for (size_t i = 0; i < p->ask->n_keep; i++)
		if (in_blocks(p, p->ask->keep[i].module) && p->ask->keep[i].owner == owner)
			return 1000000 - (long)i;
	return carried(p, owner);
}

/* Order of owners in the picture: by socket. */
static bool
owner_before(const struct layout_plan *p, size_t a, size_t b)
{
	const struct net_shape *shape = p->ask->shape;

	if (scope_within(p->block_scope, SCOPE_SOCKET) && shape->n[SCOPE_SOCKET] > 1) {
		size_t x = net_owner_within(shape, p->block_scope, a, SCOPE_SOCKET),
		       y = net_owner_within(shape, p->block_scope, b, SCOPE_SOCKET);

		if (x != y)
			return x < y;
	}
	return a < b;
}

static void
sort_owners(const struct layout_plan *p, size_t *owner, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		size_t o = owner[i], at = i;

		for (; at && owner_before(p, o, owner[at - 1]); at--)
			owner[at] = owner[at - 1];
		owner[at] = o;
	}
}

static void
add_block(struct layout_plan *p, const size_t *owner, size_t n)
{
	p->block[p->n_blocks++] = (struct layout_block){.owner = owner, .n_owners = n};
}

/* Make a block for each of the `most` - 1 owners of the highest rank, and one for the rest. */
static void
fold_blocks(struct layout_plan *plan, const size_t *owner, size_t n, size_t most)
{
	size_t *kept = arena_alloc(plan->arena, n * sizeof *kept), *rest = arena_alloc(plan->arena, n * sizeof *rest),
	       n_kept = 0, n_rest = 0;
	bool *keep = arena_alloc(plan->arena, n * sizeof *keep);

	for (; n_kept + 1 < most; n_kept++) {
		size_t best = SIZE_MAX;

		for (size_t i = 0; i < n; i++)
			if (!keep[i] &&
				(best == SIZE_MAX || worth_keeping(plan, owner[i]) > worth_keeping(plan, owner[best])))
				best = i;
		keep[best] = true;
	}
	n_kept = 0;
	for (size_t i = 0; i < n; i++)
		*(keep[i] ? &kept[n_kept++] : &rest[n_rest++]) = owner[i];
	for (size_t i = 0; i < n_kept; i++)
		add_block(plan, &kept[i], 1);
	add_block(plan, rest, n_rest);
}

/* Set the rows of blocks: as many as they can use, and no more than fit. */
static void
size_blocks(struct layout_plan *plan, int room)
{
	int n = (int)plan->n_blocks, lanes = kinds_in_blocks(plan);
	int least = 2 + int_max(1, int_min(lanes, LANES_WELL)),
	    most = int_max(int_max(2 * lanes + 1, ROWS_WELL), LAYOUT_BOX_ROWS * (int)most_modules(plan)), h;

	plan->block_lanes = lanes;
	plan->blank = 0;
	for (int blank = 2; n && blank > 0 && !plan->blank; blank--)
		if ((room - blank * (n - 1)) / n >= (blank == 2 ? most : 2 + lanes))
			plan->blank = blank;
	h = n ? (room - plan->blank * (n - 1)) / n : 0;
	plan->block_least = int_max(least, int_min(most, h));
}

void
layout_blocks(struct layout_plan *plan)
{
	size_t n = plan->block_stages ? plan->ask->shape->n[plan->block_scope] : 0, *busy, n_busy = 0, most;
	bool all = blocks_are_unfolded(plan) || n == 1;
	int least, room;

	if (!n)
		return;
	busy = arena_alloc(plan->arena, n * sizeof *busy);
	plan->idle = arena_alloc(plan->arena, n * sizeof *plan->idle);
	for (size_t i = 0; i < n; i++)
		if (all || worth_keeping(plan, i) >= NET_LAYOUT_IDLE)
			busy[n_busy++] = i;
		else
			plan->idle[plan->n_idle++] = i;
	if (!n_busy) { /* no loads are known yet */
		memcpy(busy, plan->idle, n * sizeof *busy);
		n_busy = n;
		plan->n_idle = 0;
	}
	sort_owners(plan, busy, n_busy);
	sort_owners(plan, plan->idle, plan->n_idle);
	least = 2 + int_max(1, int_min(kinds_in_blocks(plan), LANES_WELL));
	room = plan->ask->h - (plan->n_idle > 0);
	most = room > least ? (size_t)(room / least) : 1;
	plan->block = arena_alloc(plan->arena, n_busy * sizeof *plan->block);
	if (all || n_busy <= most)
		for (size_t i = 0; i < n_busy; i++)
			add_block(plan, &busy[i], 1);
	else
		fold_blocks(plan, busy, n_busy, most);
	size_blocks(plan, room);
}

bool
layout_splits(const struct layout_plan *p, size_t column)
{
	const struct net_layout_column *c = &p->column[column];

	return c->n == 1 && p->net->stage[c->first].n > 1 &&
		p->block_least >= LAYOUT_BOX_ROWS * (int)p->net->stage[c->first].n;
}

/* --- boxes ------------------------------------------------------------------------------------------------------- */

static void
add_box(struct layout_plan *plan, size_t column, int block, const size_t *module, size_t n_modules, const size_t *owner,
	size_t n_owners, bool listed)
{
	struct layout_unit *unit = layout_add_unit(plan, column, block);

	unit->box.module = module;
	unit->box.n_modules = n_modules;
	unit->box.per = plan->net->module[module[0]].per;
	unit->box.owner = owner;
	unit->box.n_owners = n_owners;
	unit->box.listed = listed;
	if (listed)
		unit->least = unit->wish = 2 + (int)n_owners;
}

static const size_t *
numbers(struct layout_plan *p, size_t first, size_t n)
{
	size_t *v = arena_alloc(p->arena, n * sizeof *v);

	for (size_t i = 0; i < n; i++)
		v[i] = first + i;
	return v;
}

static size_t
column_modules(const struct layout_plan *p, size_t column, size_t *first)
{
	const struct net_layout_column *c = &p->column[column];
	const struct net_stage *last = &p->net->stage[c->first + c->n - 1];

	*first = p->net->stage[c->first].first;
	return last->first + last->n - *first;
}

static void
block_boxes(struct layout_plan *plan, size_t column)
{
	size_t first, n = column_modules(plan, column, &first);
	const size_t *module = numbers(plan, first, n);

	for (size_t b = 0; b < plan->n_blocks; b++) {
		if (!layout_splits(plan, column)) {
			add_box(plan, column, (int)b, module, n, plan->block[b].owner, plan->block[b].n_owners, false);
			plan->unit[plan->n_units - 1].box.joined = n > 1;
			continue;
		}
		for (size_t m = 0; m < n; m++)
			add_box(plan, column, (int)b, &module[m], 1, plan->block[b].owner, plan->block[b].n_owners,
				false);
	}
}

/* Modules of a shared column that share a box, and how far their owners are folded. */
enum fold { FOLD_NONE, FOLD_SOCKETS, FOLD_ALL };
struct family {
	size_t *module, n;
	enum fold fold;
	bool unfolded, joined;
};

static size_t
boxes_of(const struct layout_plan *plan, const struct family *family)
{
	const struct net_shape *shape = plan->ask->shape;
	enum scope per = plan->net->module[family->module[0]].per;
	size_t sockets = shape->n[SCOPE_SOCKET];

	switch (family->fold) {
	case FOLD_NONE:
		return shape->n[per];
	case FOLD_SOCKETS:
		return scope_within(per, SCOPE_SOCKET) && sockets < shape->n[per] ? sockets : shape->n[per];
	case FOLD_ALL:
		break;
	}
	return shape->n[per] > 0;
}

static int
family_rows(const struct layout_plan *p, const struct family *f)
{
	size_t boxes = boxes_of(p, f);

	if (f->unfolded && f->fold != FOLD_NONE)
		return (int)(2 * boxes + p->ask->shape->n[p->net->module[f->module[0]].per]);
	return LAYOUT_BOX_ROWS * (int)boxes;
}

/* Group modules of one column that are linked and have the same owners. */
static size_t
find_families(struct layout_plan *plan, size_t column, struct family *family)
{
	size_t first, n = column_modules(plan, column, &first), *head = arena_alloc(plan->arena, n * sizeof *head),
		      found = 0;
	const struct network *net = plan->net;

	for (size_t i = 0; i < n; i++)
		head[i] = i;
	for (size_t l = 0; l < net->n_links; l++) {
		size_t a = net->link[l].from - first, b = net->link[l].to - first, from, to;

		if (a >= n || b >= n || net->module[first + a].per != net->module[first + b].per || head[a] == head[b])
			continue;
		from = head[a] > head[b] ? head[a] : head[b];
		to = head[a] > head[b] ? head[b] : head[a];
		for (size_t i = 0; i < n; i++)
			head[i] = head[i] == from ? to : head[i];
	}
	for (size_t h = 0; h < n; h++) {
		struct family *f = &family[found];

		*f = (struct family){.module = arena_alloc(plan->arena, n * sizeof *f->module)};
		for (size_t i = 0; i < n; i++)
			if (head[i] == h) {
				f->module[f->n++] = first + i;
				f->unfolded |= plan->ask->unfolded && plan->ask->unfolded[first + i];
			}
		found += f->n > 0;
	}
	return found;
}

/* Leaves out the families of which no module is used, unless these are all. */
static size_t
drop_unused(const struct layout_plan *plan, struct family *family, size_t n)
{
	size_t kept = 0, used = 0;

	for (int drops = 0; plan->ask->unused && drops < 2 && (!drops || (used && used < n)); drops++)
		for (size_t i = 0; i < n; i++) {
			bool some = false;

			for (size_t k = 0; k < family[i].n; k++)
				some |= !plan->ask->unused[family[i].module[k]];
			if (!drops)
				used += some;
			else if (some)
				family[kept++] = family[i];
		}
	return kept ? kept : n;
}

/* Sort families like their last modules, which are the farthest. */
static void
sort_families(struct family *f, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct family x = f[i];
		size_t at = i;

		for (; at && f[at - 1].module[f[at - 1].n - 1] > x.module[x.n - 1]; at--)
			f[at] = f[at - 1];
		f[at] = x;
	}
}

/* Number of links that pass over the column: each needs a row. */
static int
passing(const struct layout_plan *p, size_t column)
{
	const struct net_layout_column *c = &p->column[column];
	int n = 0;

	for (size_t l = 0; l < p->net->n_links; l++)
		n += p->net->module[p->net->link[l].from].stage < c->first &&
			p->net->module[p->net->link[l].to].stage >= c->first + c->n;
	return n;
}

static int
families_rows(const struct layout_plan *p, size_t column, const struct family *f, size_t n)
{
	int rows = passing(p, column);

	for (size_t i = 0; i < n; i++)
		rows += family_rows(p, &f[i]);
	return rows;
}

/* Returns true if owners of other sockets send requests there, too: then a box per socket would only cross their lanes.
 */
static bool
asked_by_all(const struct layout_plan *p, const struct family *f)
{
	for (size_t l = 0; l < p->net->n_links; l++)
		for (size_t i = 0; i < f->n; i++) {
			enum scope from = p->net->module[p->net->link[l].from].per,
				   per = p->net->module[f->module[i]].per;

			if (p->net->link[l].to == f->module[i] && !scope_within(from, per) && !scope_within(per, from))
				return true;
		}
	return false;
}

/* Fold the family with the most boxes until the column fits. */
static void
fold_families(const struct layout_plan *plan, size_t column, struct family *family, size_t n)
{
	for (;;) {
		struct family *widest = NULL;

		for (size_t i = 0; i < n; i++)
			if (family[i].fold != FOLD_ALL && boxes_of(plan, &family[i]) > 1 &&
				(!widest || boxes_of(plan, &family[i]) >= boxes_of(plan, widest)))
				widest = &family[i];
		if (families_rows(plan, column, family, n) <= plan->ask->h - (plan->n_idle > 0) || !widest)
			return;
		widest->fold = widest->fold == FOLD_NONE && !asked_by_all(plan, widest) ? FOLD_SOCKETS : FOLD_ALL;
	}
}

static void
family_boxes(struct layout_plan *plan, size_t column, const struct family *f)
{
	const struct net_shape *shape = plan->ask->shape;
	enum scope per = plan->net->module[f->module[0]].per;
	size_t n = shape->n[per], boxes = boxes_of(plan, f);
	bool sockets = f->fold == FOLD_SOCKETS && boxes < n;

	for (size_t b = 0; b < boxes; b++) {
		size_t *owner = arena_alloc(plan->arena, n * sizeof *owner), n_owners = 0;

		for (size_t i = 0; i < n; i++)
			if (sockets ? net_owner_within(shape, per, i, SCOPE_SOCKET) == b : boxes == 1 || i == b)
				owner[n_owners++] = i;
		if (!n_owners)
			continue;
		add_box(plan, column, -1, f->module, f->n, owner, n_owners, f->unfolded && n_owners > 1);
		plan->unit[plan->n_units - 1].box.joined = f->joined;
	}
}

/* Put all families with the same owners into one box. */
static size_t
join_families(struct layout_plan *plan, struct family *family, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		struct family *into = NULL;

		for (size_t k = 0; k < kept && !into; k++)
			if (plan->net->module[family[k].module[0]].per == plan->net->module[family[i].module[0]].per)
				into = &family[k];
		if (!into) {
			family[kept++] = family[i];
			continue;
		}
		into->module = memcpy(arena_alloc(plan->arena, (into->n + family[i].n) * sizeof *into->module),
			into->module, into->n * sizeof *into->module);
		memcpy(into->module + into->n, family[i].module, family[i].n * sizeof *into->module);
		into->n += family[i].n;
		into->fold = into->fold > family[i].fold ? into->fold : family[i].fold;
		into->unfolded |= family[i].unfolded;
		into->joined = true;
	}
	return kept;
}

/* The families of a shared column, folded, and joined if folding is not enough. The caller frees. */
static struct family *
families_of(struct layout_plan *p, size_t column, size_t *n)
{
	size_t first;
	struct family *f = mem_new_array(column_modules(p, column, &first), sizeof *f);

	*n = find_families(p, column, f);
	*n = drop_unused(p, f, *n);
	sort_families(f, *n);
	fold_families(p, column, f, *n);
	if (p->column[column].n == 1 && families_rows(p, column, f, *n) > p->ask->h - (p->n_idle > 0))
		*n = join_families(p, f, *n);
	return f;
}

bool
layout_joins(struct layout_plan *p, size_t column)
{
	size_t n;
	struct family *f = families_of(p, column, &n);
	bool joins = false;

	for (size_t i = 0; i < n; i++)
		joins |= f[i].joined;
	free(f);
	return joins;
}

void
layout_units(struct layout_plan *plan)
{
	for (size_t c = 0; c < plan->n_columns; c++) {
		struct family *family;
		size_t n;

		if (c < plan->block_columns) {
			block_boxes(plan, c);
			continue;
		}
		family = families_of(plan, c, &n);
		for (size_t i = 0; i < n; i++)
			family_boxes(plan, c, &family[i]);
		free(family);
	}
	plan->n_boxes = plan->n_units;
}
