/* Adds up the stalls of all destinations, row by row: first into a row for each possible owner and kind, then empty
 * rows are removed. */
#include "core/network/stall_rows.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/network/network.h"
#include "core/network/stalls.h"
#include "core/network/state.h"

/* Indices of rows while they are filled: by scope from coarse to fine, then owner, then kind. */
struct row_index {
	const struct network *net;
	size_t first[SCOPES + 1]; /* per scope: its first row; [SCOPES]: first row of all owners together */
	size_t n;
	bool together;
};

static struct row_index
row_index_of(const struct net_state *state, bool together)
{
	struct row_index p = {.net = net_state_network(state), .together = together};

	for (int s = SCOPES - 1; s >= 0; s--) {
		p.first[s] = p.n;
		p.n += together ? 0 : net_state_shape(state)->n[s] * p.net->n_kinds;
	}
	if (together)
		p.n = p.net->n_kinds;
	return p;
}

static size_t
row_at(const struct row_index *p, size_t module, size_t owner, size_t kind)
{
	return p->together ? kind : p->first[p->net->module[module].per] + owner * p->net->n_kinds + kind;
}

/* Returns what an amount of a cell is multiplied by. */
static double
unit_in_rows(const struct net_stall_rows *rows, const struct net_stalls *s, size_t at)
{
	double ns = rows->in_ns ? net_stalls_ns(s, at, 1) : NAN;

	return isnan(ns) ? 1 : ns;
}

static void
stall_rows_add_cell(struct net_stall_rows *r, struct net_stall_row *row, double *from, const struct net_stalls *s,
	size_t module, size_t owner)
{
	size_t at = net_stalls_at(s, module, owner, row->kind), cell = module * s->n_kinds + row->kind;
	double unit = unit_in_rows(r, s, at);

	r->own += s->own[at] * unit;
	row->hidden += s->hidden[at] * unit;
	row->stuck += s->stuck[at] * unit;
	if (!(s->kept[at] > 0) || !(s->stall[at] > 0))
		return;
	row->stall += s->kept[at] * unit;
	for (size_t x = s->first_origin[cell]; x < s->first_origin[cell + 1]; x++)
		from[s->origin[x]] += net_stalls_from(s, module, owner, row->kind, s->origin[x]) *
			(s->kept[at] / s->stall[at]) * unit;
}

static bool
has_amounts(const struct net_stalls *s, size_t at)
{
	return s->own[at] > 0 || s->hidden[at] > 0 || s->stuck[at] > 0 || s->kept[at] > 0;
}

/* Returns true if amounts come in cycles of different clocks, all of which are known. */
static bool
are_of_several_clocks(struct net_stalls *const *stalls, size_t n)
{
	double least = INFINITY, most = -INFINITY;

	for (size_t d = 0; d < n; d++)
		for (size_t at = 0; at < stalls[d]->n_owners * stalls[d]->n_kinds; at++) {
			if (!has_amounts(stalls[d], at))
				continue;
			if (isnan(net_stalls_ns(stalls[d], at, 1)))
				return false;
			least = fmin(least, stalls[d]->ticks[at]);
			most = fmax(most, stalls[d]->ticks[at]);
		}
	return most > least;
}

/* Remove empty rows; later ones move up. */
static void
pack(struct net_stall_rows *rows, size_t all)
{
	for (size_t i = 0; i < all; i++) {
		struct net_stall_row *row = &rows->row[i];

		rows->stall += row->stall;
		rows->hidden += row->hidden;
		rows->stuck += row->stuck;
		if (!(row->stall > 0) && !(row->hidden > 0) && !(row->stuck > 0))
			continue;
		row->from = rows->from + i * rows->n_modules;
		rows->row[rows->n++] = *row;
	}
}

struct net_stall_rows *
net_stall_rows_new(const struct net_state *state, struct net_stalls *const *stalls, size_t n, bool together)
{
	struct row_index p = row_index_of(state, together);
	struct net_stall_rows *rows = mem_new(sizeof *rows);

	rows->n_modules = p.net->n_modules;
	rows->in_ns = are_of_several_clocks(stalls, n);
	for (size_t at = 0; n && at < stalls[0]->n_owners * stalls[0]->n_kinds; at++)
		if (stalls[0]->elsewhere[at] > 0)
			rows->elsewhere += stalls[0]->elsewhere[at] * unit_in_rows(rows, stalls[0], at);
	rows->row = mem_new_array(p.n, sizeof *rows->row);
	rows->from = mem_new_array(p.n * rows->n_modules, sizeof *rows->from);
	for (size_t d = 0; d < n; d++)
		for (size_t m = 0; m < p.net->n_modules; m++)
			for (size_t o = 0; o < net_state_owners(state, m); o++)
				for (size_t k = 0; k < p.net->n_kinds; k++) {
					size_t i = row_at(&p, m, o, k);
					struct net_stall_row *row = &rows->row[i];

					row->per = together ? SCOPES : p.net->module[m].per;
					row->owner = together ? 0 : o;
					row->kind = k;
					stall_rows_add_cell(rows, row, rows->from + i * rows->n_modules, stalls[d],
						m, o);
				}
	pack(rows, p.n);
	return rows;
}

void
net_stall_rows_free(struct net_stall_rows *r)
{
	if (!r)
		return;
	free(r->row);
	free(r->from);
	free(r);
}

const struct net_stall_row *
net_stall_rows_find(const struct net_stall_rows *r, const struct net_stall_row *like)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->row[i].per == like->per && r->row[i].owner == like->owner && r->row[i].kind == like->kind)
			return &r->row[i];
	return NULL;
}
