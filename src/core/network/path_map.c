/* Adds the hits of each place over all owners of its module. Rows are made once, because they depend on the network and
 * its owners only; an update fills the cells. */
#include "core/network/path_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/network/plan.h"

static struct net_map_cell
path_map_cell_at(const struct net_state *state, size_t module, const char *place, size_t kind)
{
	const struct net_cell *cell = &net_state_network(state)->module[module].cell[kind];
	const double *hits = net_state_places(state, module, kind);
	struct net_map_cell out = {.state = cell->state, .with = cell->with};

	if (cell->state != NET_CELL_REPORTED)
		return out;
	out.state = NET_CELL_ABSENT;
	for (size_t i = 0; i < cell->n_hits; i++) {
		if (strcmp(cell->hit[i].place, place) != 0)
			continue;
		out.state = NET_CELL_REPORTED;
		for (size_t o = 0; o < net_state_owners(state, module); o++) {
			double v = hits[o * cell->n_hits + i];

			out.unknown += isnan(v) ? 1 : 0;
			out.hits += isnan(v) ? 0 : v;
		}
	}
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

struct net_path_map *
net_path_map_new(const struct net_state *state)
{
	const struct network *network = net_state_network(state);
	struct net_path_map *map = mem_new(sizeof *map);
	size_t cap = 0;

	map->net = network;
	map->n_kinds = network->n_kinds;
	for (size_t at = 0; at < network->n_modules; at++) {
		size_t first = map->n_rows;

		for (size_t k = 0; k < network->n_kinds && net_state_owners(state, at); k++)
			for (size_t i = 0; i < network->module[at].cell[k].n_hits; i++) {
				struct net_map_row row = {
					.module = at, .place = network->module[at].cell[k].hit[i].place};

				if (has_row(map, first, row.place))
					continue; /* two kinds may name the same place: they share a row */
				row.cell = mem_new_array(network->n_kinds, sizeof *row.cell);
				mem_grow(&map->row, &cap, map->n_rows + 1, sizeof *map->row);
				map->row[map->n_rows++] = row;
			}
	}
	net_path_map_update(map, state);
	return map;
}

void
net_path_map_update(struct net_path_map *m, const struct net_state *s)
{
	for (size_t r = 0; r < m->n_rows; r++)
		for (size_t k = 0; k < m->n_kinds; k++)
			m->row[r].cell[k] = path_map_cell_at(s, m->row[r].module, m->row[r].place, k);
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
net_path_map_sum(const struct net_path_map *map, size_t first, size_t end, size_t kind)
{
	struct net_sum sum = {0};

	for (size_t r = first; r < end; r++)
		for (size_t k = 0; k < map->n_kinds; k++) {
			const struct net_map_cell *cell = &map->row[r].cell[k];

			if (kind != map->n_kinds && kind != k)
				continue;
			sum.hits += cell->hits;
			sum.unknown += cell->unknown > 0;
			sum.unreported += cell->state == NET_CELL_UNREPORTED;
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
