#include "draw/heat_map.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/stack/stack.h"
#include "work/slices/skp.h"

#define CELL 3       /* columns of a cell: a shade of two, and a blank */
#define GROUP_MOST 12
#define GAP 2

/* --- the map of a round ------------------------------------------------------------------------------------------ */

static void
heat_map_add_rows(struct heat_map *map, const struct skp *skp, const struct skp_round *round,
	const struct skp_cluster *cluster, size_t group, bool fold)
{
	const struct slices *slices = skp->slices;
	size_t run;

	for (size_t i = 0; i < cluster->n; i += run) {
		struct heat_row *row = &map->row[map->n_rows++];

		run = fold ? slices_run(slices, cluster->slice + i, cluster->n - i) : 1;
		row->name = slices_run_name(slices, cluster->slice + i, run);
		row->group = group;
		row->value = mem_new_array(round->n_parts, sizeof *row->value);
		for (size_t p = 0; p < round->n_parts; p++)
			for (size_t j = 0; j < run; j++)
				row->value[p] += slices_share(slices, cluster->slice[i + j], round->part[p]) /
					(double)run;
	}
}

static bool
is_excluded(const struct skp_round *r, size_t column)
{
	for (size_t i = 0; i < r->n_excluded; i++)
		if (r->excluded[i] == column)
			return true;
	return false;
}

struct heat_map *
heat_map_of_skp(const struct skp *skp, size_t round, bool fold)
{
	const struct skp_round *skp_round = round ? &skp->second[round - 1] : &skp->first;
	const struct stack *stack = skp->slices->stack;
	struct heat_map *map = mem_new(sizeof *map);

	map->title = round                                ? stack->part[skp_round->parent].name
		: stack->whole_text && *stack->whole_text ? stack->whole_text
							  : stack->whole_name;
	map->row = mem_new_array(skp_round->n, sizeof *map->row);
	map->column = mem_new_array(skp_round->n_parts, sizeof *map->column);
	map->n_columns = skp_round->n_parts;
	for (size_t p = 0; p < skp_round->n_parts; p++)
		map->column[p] = (struct heat_column){.name = stack->part[skp_round->part[p]].name,
			.key = stack->part[skp_round->part[p]].key,
			.minor = is_excluded(skp_round, p)};
	map->group = mem_new_array(skp_round->n_clusters + 1, sizeof *map->group);
	for (size_t c = 0; c < skp_round->n_clusters; c++) {
		map->group[map->n_groups++] = str_format("%d-%zu", round ? 2 : 1, skp_round->first + c);
		heat_map_add_rows(map, skp, skp_round, &skp_round->cluster[c], c, fold);
	}
	if (skp_round->n_outliers)
		map->group[map->n_groups++] = mem_str("none");
	for (size_t i = 0; i < skp_round->n_outliers; i++)
		heat_map_add_rows(map, skp, skp_round, &skp_round->cluster[skp_round->n_clusters + i],
			skp_round->n_clusters, fold);
	return map;
}

void
heat_map_free(struct heat_map *map)
{
	if (!map)
		return;
	for (size_t i = 0; i < map->n_rows; i++) {
		free(map->row[i].name);
		free(map->row[i].value);
	}
	for (size_t i = 0; i < map->n_groups; i++)
		free(map->group[i]);
	free(map->row);
	free(map->column);
	free(map->group);
	free(map);
}

/* --- cells ------------------------------------------------------------------------------------------------------- */

static int
group_width(const struct heat_map *m)
{
	size_t w = 1;

	for (size_t i = 0; i < m->n_groups; i++)
		w = utf8_width(m->group[i]) > w ? utf8_width(m->group[i]) : w;
	return w < GROUP_MOST ? (int)w : GROUP_MOST;
}

/* Columns of an entry of the legend, and how many stand next to each other. */
static int
legend_width(const struct heat_map *m, int w, int *across)
{
	size_t entry = 1;

	for (size_t i = 0; i < m->n_columns; i++)
		entry = utf8_width(m->column[i].name) > entry ? utf8_width(m->column[i].name) : entry;
	entry += 2 + GAP;
	*across = w / (int)entry > 1 ? w / (int)entry : 1;
	return (int)entry;
}

static int
legend_rows(const struct heat_map *m, int w)
{
	int across;

	legend_width(m, w, &across);
	return ((int)m->n_columns + across - 1) / across + 1; /* and one for the shades */
}

int
heat_map_height(const struct heat_map *m, int w)
{
	return legend_rows(m, w) + 1 + (int)m->n_rows;
}

struct shade {
	double least;
	uint32_t sign;
	enum role role;
};

static const struct shade shades[] = {
	{0.5, 0x2588, ROLE_HOT}, {0.25, 0x2593, ROLE_HOT}, {0.1, 0x2592, ROLE_ACCENT}, {0.02, 0x2591, ROLE_TEXT},
	{0, ' ', ROLE_DIM},
};
#define N_SHADES (sizeof shades / sizeof *shades)

static const struct shade *
shade_of(double share)
{
	for (size_t i = 0; i < N_SHADES; i++)
		if (share >= shades[i].least)
			return &shades[i];
	return &shades[N_SHADES - 1];
}

static void
heat_map_draw_legend(const struct heat_map *map, struct grid *grid, struct rect r)
{
	struct pen text = pen_on(grid, r, ROLE_TEXT), dim = pen_on(grid, r, ROLE_DIM);
	int across, entry = legend_width(map, r.w, &across), x = r.x, y = r.y + legend_rows(map, r.w) - 1;

	for (size_t i = 0; i < map->n_columns; i++) {
		const struct pen *p = map->column[i].minor ? &dim : &text;
		int at = r.x + (int)(i % (size_t)across) * entry;

		pen_textf(p, at, r.y + (int)(i / (size_t)across), "%c %s", map->column[i].key, map->column[i].name);
	}
	for (size_t i = 0; shades[i].least > 0; i++) {
		struct pen p = pen_on(grid, r, shades[i].role);

		pen_hline(&p, x, y, CELL - 1, shades[i].sign);
		x += CELL;
		x += pen_textf(&dim, x, y, "%.0f %% or more", 100 * shades[i].least) + GAP;
	}
}

void
heat_map_draw(const struct heat_map *map, struct grid *grid, struct rect r, size_t first)
{
	int legend = legend_rows(map, r.w), cells = r.x + group_width(map) + GAP, y = r.y + legend;
	int names = cells + (int)map->n_columns * CELL + 1;
	struct pen text = pen_on(grid, r, ROLE_TEXT), dim = pen_on(grid, r, ROLE_DIM),
		   group = pen_on(grid, r, ROLE_ACCENT);

	heat_map_draw_legend(map, grid, r);
	for (size_t c = 0; c < map->n_columns; c++)
		pen_textf(map->column[c].minor ? &dim : &text, cells + (int)c * CELL, y, "%c", map->column[c].key);
	for (size_t i = first; i < map->n_rows && ++y < r.y + r.h; i++) {
		if (i == first || map->row[i].group != map->row[i - 1].group)
			pen_fit(&group, r.x, y, GROUP_MOST, map->group[map->row[i].group]);
		for (size_t c = 0; c < map->n_columns; c++) {
			const struct shade *shade = shade_of(map->row[i].value[c]);
			struct pen p = pen_on(grid, r, shade->role);

			pen_hline(&p, cells + (int)c * CELL, y, CELL - 1, shade->sign);
		}
		pen_fit(&text, names, y, r.x + r.w - names, map->row[i].name);
	}
}
