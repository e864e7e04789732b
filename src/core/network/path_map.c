/* Adds the hits of each place over all owners of its module. Rows are built once; an update only fills the cells. */
#include "core/network/path_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/network/plan.h"

static bool
is_part(const struct net_state *s, const struct net_path_map *p, size_t module, size_t owner)
{
	enum scope per = net_state_network(s)->module[module].per;

	return p->all ||
		(scope_within(per, p->scope) && net_owner_within(net_state_shape(s), per, owner, p->scope) == p->owner);
}

static size_t
find_place(const struct net_cell *c, const char *place)
{
	size_t i = 0;

	while (i < c->n_hits && strcmp(c->hit[i].place, place) != 0)
		i++;
	return i;
}

static struct net_map_cell
cell_at(const struct net_state *s, const struct net_path_map *p, size_t module, const char *place, size_t kind)
{
	const struct net_cell *c = &net_state_network(s)->module[module].cell[kind];
	const double *hits = net_state_places(s, module, kind);
	struct net_map_cell out = {.state = c->state, .with = c->with};
	bool some = false;

	if (c->state != NET_CELL_REPORTED)
		return out;
	out.state = NET_CELL_ABSENT;
	for (size_t i = find_place(c, place); i < c->n_hits; i++) {
		if (strcmp(c->hit[i].place, place) != 0)
			continue; /* two kinds may name the same place: they share a row */
		for (size_t o = 0; o < net_state_owners(s, module); o++) {
			double v = hits[o * c->n_hits + i];

			if (!is_part(s, p, module, o))
				continue;
			some = true;
			out.unknown += isnan(v) ? 1 : 0;
			out.hits += isnan(v) ? 0 : v;
		}
	}
	if (some)
		out.state = NET_CELL_REPORTED;
	return out;
}

static bool
has_row(const struct net_path_map *m, size_t first, const char *place)
{
	for (size_t r = first; r < m->n_rows; r++)
		if (strcmp(m->row[r].place, place) == 0)
			return true;
	return false;
}

static bool
has_owners(const struct net_state *s, const struct net_path_map *p, size_t module)
{
	for (size_t o = 0; o < net_state_owners(s, module); o++)
		if (is_part(s, p, module, o))
			return true;
	return false;
}

/* Make the rows. They depend on the network and its owners only, not on counts. */
static struct net_path_map *
build(const struct net_state *s, struct net_path_map whose)
{
	const struct network *n = net_state_network(s);
	struct net_path_map *m = mem_copy(&whose, sizeof whose);
	size_t cap = 0;

	m->net = n;
	m->n_kinds = n->n_kinds;
	for (size_t at = 0; at < n->n_modules; at++) {
		size_t first = m->n_rows;

		for (size_t k = 0; k < n->n_kinds && has_owners(s, m, at); k++)
			for (size_t i = 0; i < n->module[at].cell[k].n_hits; i++) {
				struct net_map_row row = {.module = at, .place = n->module[at].cell[k].hit[i].place};

				if (has_row(m, first, row.place))
					continue;
				row.cell = mem_new_array(n->n_kinds, sizeof *row.cell);
				mem_grow(&m->row, &cap, m->n_rows + 1, sizeof *m->row);
				m->row[m->n_rows++] = row;
			}
	}
	net_path_map_update(m, s);
	return m;
}

struct net_path_map *
net_path_map_new(const struct net_state *s)
{
	return build(s, (struct net_path_map){.all = true});
}

struct net_path_map *
net_path_map_of(const struct net_state *s, enum scope scope, size_t owner)
{
	return build(s, (struct net_path_map){.scope = scope, .owner = owner});
}

void
net_path_map_update(struct net_path_map *m, const struct net_state *s)
{
	for (size_t r = 0; r < m->n_rows; r++)
		for (size_t k = 0; k < m->n_kinds; k++)
			m->row[r].cell[k] = cell_at(s, m, m->row[r].module, m->row[r].place, k);
}

void
net_path_map_free(struct net_path_map *m)
{
	if (!m)
		return;
	for (size_t r = 0; r < m->n_rows; r++)
		free(m->row[r].cell);
	free(m->row);
	free(m);
}

size_t
net_path_map_beyond(const struct net_path_map *m, size_t stage)
{
	size_t r = 0;

	while (r < m->n_rows && m->net->module[m->row[r].module].stage <= stage)
		r++;
	return r;
}

struct net_sum
net_path_map_sum(const struct net_path_map *m, size_t first, size_t end, size_t kind)
{
	struct net_sum sum = {0};

	for (size_t r = first; r < end; r++)
		for (size_t k = 0; k < m->n_kinds; k++) {
			const struct net_map_cell *c = &m->row[r].cell[k];

			if (kind != m->n_kinds && kind != k)
				continue;
			sum.hits += c->hits;
			sum.unknown += c->unknown > 0;
			sum.unreported += c->state == NET_CELL_UNREPORTED;
		}
	return sum;
}

double
net_share(struct net_sum a, struct net_sum b)
{
	return a.unknown || b.unknown ? NAN : net_share_known(a, b);
}

double
net_share_known(struct net_sum a, struct net_sum b)
{
	return !(b.hits > 0) || (a.unknown && !(a.hits > 0)) ? NAN : a.hits / b.hits;
}
