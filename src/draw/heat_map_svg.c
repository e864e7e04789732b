/* Heat maps as a picture, after figure 4 of "Microarchitecture Cliffs": a square for each share, whose colour goes from
 * the background to the hot role; names of columns stand slanted above them. */
#include "draw/heat_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/xml.h"
#include "draw/svg.h"
#include "draw/theme.h"
#include "work/slices/skp.h"

#define MARGIN 20.0
#define SIDE_W 34.0
#define SIDE_H 16.0
#define CHAR_W 7.3
#define TITLE_H 26.0
#define BETWEEN 30.0
#define GROUP_GAP 6.0
#define SLANT 0.64 /* sine and cosine of the columns' names, 40 degrees */
#define SLANT_X 0.77
#define FONT SVG_FONT " font-size=\"12\""

struct picture {
	const struct theme *theme;
	struct str *out;
	double y;
};

static unsigned
heat_map_svg_color(const struct picture *p, enum role r)
{
	return (unsigned)p->theme->role[r].rgb;
}

/* The colour of a share: between those of two roles. Its square root, so that a tenth is seen. */
static unsigned
heat(const struct picture *p, double share)
{
	unsigned cold = heat_map_svg_color(p, ROLE_BACKGROUND), hot = heat_map_svg_color(p, ROLE_HOT), mixed = 0;
	double t = sqrt(share < 0 ? 0 : share > 1 ? 1 : share);

	for (unsigned shift = 0; shift <= 16; shift += 8) {
		double from = cold >> shift & 0xff, to = hot >> shift & 0xff;

		mixed |= (unsigned)lround(from + t * (to - from)) << shift;
	}
	return mixed;
}

static void
heat_map_svg_add_text(const struct picture *p, double x, double y, enum role role, const char *more, const char *text)
{
	str_addf(p->out, "<text x=\"%.1f\" y=\"%.1f\" fill=\"#%06x\"%s>", x, y, heat_map_svg_color(p, role), more);
	xml_add(p->out, text);
	str_add(p->out, "</text>\n");
}

struct measures {
	double head;  /* height of the slanted names */
	double lean;  /* how far the last one reaches to the right of its column */
	double left;  /* width of the groups' names */
	double right; /* width of the rows' names */
};

static double
text_width(const char *text)
{
	return CHAR_W * (double)utf8_width(text);
}

static struct measures
heat_map_svg_measure(const struct heat_map *map)
{
	double column = 0, group = 0, row = 0;

	for (size_t i = 0; i < map->n_columns; i++)
		column = fmax(column, text_width(map->column[i].name));
	for (size_t i = 0; i < map->n_groups; i++)
		group = fmax(group, text_width(map->group[i]));
	for (size_t i = 0; i < map->n_rows; i++)
		row = fmax(row, text_width(map->row[i].name));
	return (struct measures){
		.head = SLANT * column + 14, .lean = SLANT_X * column, .left = group + 12, .right = row + 8};
}

static double
width_of(const struct heat_map *m)
{
	struct measures x = heat_map_svg_measure(m);

	return x.left + SIDE_W * (double)m->n_columns + fmax(x.right, x.lean);
}

static double
height_of(const struct heat_map *m)
{
	return TITLE_H + heat_map_svg_measure(m).head + SIDE_H * (double)m->n_rows + GROUP_GAP * (double)m->n_groups +
		BETWEEN;
}

static void
draw_cells(const struct picture *picture, const struct heat_map *map, const struct heat_row *row, double left, double y)
{
	for (size_t c = 0; c < map->n_columns; c++) {
		double x = left + SIDE_W * (double)c, share = row->value[c];

		str_addf(picture->out,
			"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#%06x\" stroke=\"#%06x\" "
			"stroke-width=\"0.5\"/>\n",
			x, y, SIDE_W, SIDE_H, heat(picture, share), heat_map_svg_color(picture, ROLE_FRAME));
		if (share >= 0.005) {
			char text[8];

			snprintf(text, sizeof text, "%.0f", 100 * share);
			heat_map_svg_add_text(picture, x + SIDE_W / 2, y + SIDE_H - 4,
				share > 0.45 ? ROLE_BACKGROUND : ROLE_TEXT, " text-anchor=\"middle\" font-size=\"10\"",
				text);
		}
	}
}

static void
draw_map(struct picture *picture, const struct heat_map *map)
{
	struct measures x = heat_map_svg_measure(map);
	double y = picture->y + TITLE_H + x.head;

	heat_map_svg_add_text(
		picture, 0, picture->y + 14, ROLE_TEXT, " font-weight=\"bold\" font-size=\"14\"", map->title);
	for (size_t c = 0; c < map->n_columns; c++) {
		double at = x.left + SIDE_W * ((double)c + 0.5);

		str_addf(picture->out, "<g transform=\"translate(%.1f %.1f) rotate(-40)\">", at, y - 5);
		heat_map_svg_add_text(
			picture, 0, 0, map->column[c].minor ? ROLE_DIM : ROLE_TEXT, "", map->column[c].name);
		str_add(picture->out, "</g>\n");
	}
	for (size_t i = 0; i < map->n_rows; i++) {
		bool begins = i == 0 || map->row[i].group != map->row[i - 1].group;

		y += begins && i ? GROUP_GAP : 0;
		if (begins)
			heat_map_svg_add_text(picture, 0, y + SIDE_H - 4, ROLE_ACCENT, " font-weight=\"bold\"",
				map->group[map->row[i].group]);
		draw_cells(picture, map, &map->row[i], x.left, y);
		heat_map_svg_add_text(picture, x.left + SIDE_W * (double)map->n_columns + 8, y + SIDE_H - 4, ROLE_TEXT,
			"", map->row[i].name);
		y += SIDE_H;
	}
	picture->y += height_of(map);
}

/* Appends a picture of n maps, one below the other. */
static void
heat_map_svg(struct heat_map *const *m, size_t n, const struct theme *theme, struct str *out)
{
	struct picture p = {.theme = theme, .out = out};
	double w = 0, h = 0;

	for (size_t i = 0; i < n; i++) {
		w = fmax(w, width_of(m[i]));
		h += height_of(m[i]);
	}
	w = ceil(w + 2 * MARGIN);
	h = ceil(h + 2 * MARGIN - (n ? BETWEEN : 0) + 24);
	svg_begin(out, w, h, theme, n ? m[0]->title : "Heat map");
	str_addf(out, "<g " FONT " transform=\"translate(%.1f %.1f)\">\n", MARGIN, MARGIN);
	for (size_t i = 0; i < n; i++)
		draw_map(&p, m[i]);
	heat_map_svg_add_text(&p, 0, h - 2 * MARGIN, ROLE_DIM, "", "numbers: % of the whole; dim names: excluded");
	str_add(out, "</g>\n");
	svg_end(out);
}

void
heat_map_svg_of_skp(const struct skp *k, bool fold, const struct theme *theme, struct str *out)
{
	size_t n = 1 + k->n_second;
	struct heat_map **map = mem_new_array(n, sizeof *map);

	for (size_t i = 0; i < n; i++)
		map[i] = heat_map_of_skp(k, i, fold);
	heat_map_svg(map, n, theme, out);
	for (size_t i = 0; i < n; i++)
		heat_map_free(map[i]);
	free(map);
}
