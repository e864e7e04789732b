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
heat_map_add_rows(struct heat_map *m, const struct skp *k, const struct skp_round *r, const struct skp_cluster *c,
	size_t group, bool fold)
{
	const struct slices *s = k->slices;
	size_t run;

	for (size_t i = 0; i < c->n; i += run) {
		struct heat_row *row = &m->row[m->n_rows++];

		run = fold ? slices_run(s, c->slice + i, c->n - i) : 1;
		row->name = slices_run_name(s, c->slice + i, run);
		row->group = group;
		row->value = mem_new_array(r->n_parts, sizeof *row->value);
		for (size_t p = 0; p < r->n_parts; p++)
			for (size_t j = 0; j < run; j++)
				row->value[p] += slices_share(s, c->slice[i + j], r->part[p]) / (double)run;
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
heat_map_of_skp(const struct skp *k, size_t round, bool fold)
{
	const struct skp_round *r = round ? &k->second[round - 1] : &k->first;
	const struct stack *s = k->slices->stack;
	struct heat_map *m = mem_new(sizeof *m);

	m->title = round ? s->part[r->parent].name : s->whole_text && *s->whole_text ? s->whole_text : s->whole_name;
	m->row = mem_new_array(r->n, sizeof *m->row);
	m->column = mem_new_array(r->n_parts, sizeof *m->column);
	m->n_columns = r->n_parts;
	for (size_t p = 0; p < r->n_parts; p++)
		m->column[p] = (struct heat_column){
			.name = s->part[r->part[p]].name, .key = s->part[r->part[p]].key, .minor = is_excluded(r, p)};
	m->group = mem_new_array(r->n_clusters + 1, sizeof *m->group);
	for (size_t c = 0; c < r->n_clusters; c++) {
		m->group[m->n_groups++] = str_format("%d-%zu", round ? 2 : 1, r->first + c);
		heat_map_add_rows(m, k, r, &r->cluster[c], c, fold);
	}
	if (r->n_outliers)
		m->group[m->n_groups++] = mem_str("none");
	for (size_t i = 0; i < r->n_outliers; i++)
		heat_map_add_rows(m, k, r, &r->cluster[r->n_clusters + i], r->n_clusters, fold);
	return m;
}

void
heat_map_free(struct heat_map *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->n_rows; i++) {
		free(m->row[i].name);
		free(m->row[i].value);
	}
	for (size_t i = 0; i < m->n_groups; i++)
		free(m->group[i]);
	free(m->row);
	free(m->column);
	free(m->group);
	free(m);
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
heat_map_draw_legend(const struct heat_map *m, struct grid *g, struct rect r)
{
	struct pen text = pen_on(g, r, ROLE_TEXT), dim = pen_on(g, r, ROLE_DIM);
	int across, entry = legend_width(m, r.w, &across), x = r.x, y = r.y + legend_rows(m, r.w) - 1;

	for (size_t i = 0; i < m->n_columns; i++) {
		const struct pen *p = m->column[i].minor ? &dim : &text;
		int at = r.x + (int)(i % (size_t)across) * entry;

		pen_textf(p, at, r.y + (int)(i / (size_t)across), "%c %s", m->column[i].key, m->column[i].name);
	}
	for (size_t i = 0; shades[i].least > 0; i++) {
		struct pen p = pen_on(g, r, shades[i].role);

		pen_hline(&p, x, y, CELL - 1, shades[i].sign);
		x += CELL;
		x += pen_textf(&dim, x, y, "%.0f %% or more", 100 * shades[i].least) + GAP;
	}
}

void
heat_map_draw(const struct heat_map *m, struct grid *g, struct rect r, size_t first)
{
	int legend = legend_rows(m, r.w), cells = r.x + group_width(m) + GAP, y = r.y + legend;
	int names = cells + (int)m->n_columns * CELL + 1;
	struct pen text = pen_on(g, r, ROLE_TEXT), dim = pen_on(g, r, ROLE_DIM), group = pen_on(g, r, ROLE_ACCENT);

	heat_map_draw_legend(m, g, r);
	for (size_t c = 0; c < m->n_columns; c++)
		pen_textf(m->column[c].minor ? &dim : &text, cells + (int)c * CELL, y, "%c", m->column[c].key);
	for (size_t i = first; i < m->n_rows && ++y < r.y + r.h; i++) {
		if (i == first || m->row[i].group != m->row[i - 1].group)
			pen_fit(&group, r.x, y, GROUP_MOST, m->group[m->row[i].group]);
		for (size_t c = 0; c < m->n_columns; c++) {
			const struct shade *s = shade_of(m->row[i].value[c]);
			struct pen p = pen_on(g, r, s->role);

			pen_hline(&p, cells + (int)c * CELL, y, CELL - 1, s->sign);
		}
		pen_fit(&text, names, y, r.x + r.w - names, m->row[i].name);
	}
}
