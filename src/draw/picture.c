#include "draw/cell.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "base/xml.h"
#include "draw/svg.h"
#include "draw/theme.h"

/* A grid as text, and as an SVG picture.
 *
 * In the picture every cell is CELL_W × CELL_H pixels whatever font the viewer has: rules, blocks and braille are drawn
 * as shapes that join without gaps, and text is placed word by word, so that a font whose advance is not exactly 0.6 em
 * cannot drift. textLength spaces the letters of a word so that it ends with its last cell; a converter that does not
 * know it (librsvg) still begins each word in its cell. Otherwise only plain elements and attributes are used (no CSS,
 * no scripts), so that every viewer and converter agrees. */

#define CELL_W 9
#define CELL_H 19
#define BASELINE 14
#define LIGHT 1.2
#define HEAVY 2.8

static void
add_cp(struct str *out, uint32_t cp)
{
	char s[4];

	str_addn(out, s, utf8_encode(cp, s));
}

static const struct cell *
at(const struct grid *g, int x, int y)
{
	return &g->cell[(size_t)y * (size_t)g->w + (size_t)x];
}

static void
picture_add_cell(struct str *out, const struct cell *c)
{
	if (c->cp)
		add_cp(out, c->cp);
	for (int i = 0; i < CELL_MARKS && c->mark[i]; i++)
		add_cp(out, c->mark[i]);
}

void
grid_text(const struct grid *g, struct str *out)
{
	for (int y = 0; y < g->h; y++) {
		for (int x = 0; x < g->w; x++)
			picture_add_cell(out, at(g, x, y));
		str_addc(out, '\n');
	}
}

/* The look of a cell, with roles and attributes resolved. */
struct look {
	uint32_t fg, bg;
	bool bold, underline, faint;
};

static struct look
look_of(const struct theme *theme, const struct cell *cell)
{
	const struct theme_role *role = &theme->role[cell->fg], *select = &theme->role[ROLE_SELECT];
	unsigned attr = cell->attr | (theme->mono ? role->mono_attr : role->attr);
	struct look l = {.fg = role->rgb, .bg = theme->role[ROLE_BACKGROUND].rgb};

	if (cell->bg == ROLE_SELECT) {
		attr |= theme->mono ? select->mono_attr : select->attr;
		if (!theme->mono)
			l.bg = select->rgb;
	}
	if (attr & CELL_REVERSE) {
		uint32_t fg = l.fg;

		l.fg = l.bg;
		l.bg = fg;
	}
	l.bold = attr & CELL_BOLD;
	l.underline = attr & CELL_UNDERLINE;
	l.faint = attr & CELL_DIM;
	return l;
}

static bool
same_look(const struct look *a, const struct look *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->bold == b->bold && a->underline == b->underline &&
		a->faint == b->faint;
}

/* Backgrounds of a row: one rectangle for each run that differs from the picture's own. */
static void
svg_backgrounds(const struct grid *grid, const struct theme *theme, int y, struct str *out)
{
	uint32_t own = theme->role[ROLE_BACKGROUND].rgb;

	for (int x = 0, end; x < grid->w; x = end) {
		uint32_t bg = look_of(theme, at(grid, x, y)).bg;

		for (end = x + 1; end < grid->w && look_of(theme, at(grid, end, y)).bg == bg; end++)
			continue;
		if (bg != own)
			str_addf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n",
				x * CELL_W, y * CELL_H, (end - x) * CELL_W, CELL_H, bg);
	}
}

static const char *
faint(const struct look *l)
{
	return l->faint ? " opacity=\".6\"" : "";
}

/* ▁ … █ … ▏ ▐ ░ ▒ ▓ as a rectangle within the cell, in eighths. False: cp is none of them. */
static bool
svg_block(struct str *out, int x, int y, uint32_t cp, int columns, const struct look *look)
{
	double left = 0, top = 0, w = CELL_W * columns, h = CELL_H;
	const char *shade = "";

	if (cp >= 0x2581 && cp <= 0x2588)
		h = CELL_H * (cp - 0x2580) / 8.0, top = CELL_H - h;
	else if (cp > 0x2588 && cp <= 0x258f)
		w = CELL_W * (0x2590 - cp) / 8.0;
	else if (cp == 0x2590)
		left = w = CELL_W / 2.0;
	else if (cp >= 0x2591 && cp <= 0x2593)
		shade = cp == 0x2591 ? " fill-opacity=\".25\""
			: cp == 0x2592 ? " fill-opacity=\".5\"" : " fill-opacity=\".75\"";
	else
		return false;
	str_addf(out, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"#%06x\"%s%s/>\n", x * CELL_W + left,
		y * CELL_H + top, w, h, look->fg, shade, faint(look));
	return true;
}

/* Arms of a box-drawing sign, the inverse of glyph_junction(); dashed rules are marked. False: cp is none. */
static bool
box_arms(uint32_t cp, int arm[4], bool *dashed)
{
	*dashed = cp == 0x254c || cp == 0x254e;
	if (*dashed)
		cp = cp == 0x254c ? 0x2500 : 0x2502;
	if (cp < 0x2500 || cp > 0x257f)
		return false;
	for (int i = 1; i < 81; i++) {
		for (int k = 0, rest = i; k < 4; k++, rest /= 3)
			arm[k] = rest % 3;
		if (glyph_junction(arm[0], arm[1], arm[2], arm[3]) == cp)
			return true;
	}
	return false;
}

static void
svg_stroke(struct str *out, const char *path, double width, bool dashed, const struct look *l)
{
	str_addf(out, "<path d=\"%s\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"%g\"%s%s/>\n", path, l->fg, width,
	         dashed ? " stroke-dasharray=\"2.7 1.8\" stroke-dashoffset=\"-.9\"" : "", faint(l));
}

static bool
svg_box(struct str *out, int x, int y, uint32_t cp, int columns, const struct look *look)
{
	double cx = x * CELL_W + CELL_W / 2.0, cy = y * CELL_H + CELL_H / 2.0;
	int arm[4];
	bool dashed;

	if (!box_arms(cp, arm, &dashed))
		return false;
	for (int weight = 1; weight <= 2; weight++) {
		double width = weight == 1 ? LIGHT : HEAVY, half = width / 2;
		struct str path = {0};

		/* arms extend beyond the middle by half their width, so that corners close */
		if (arm[0] == weight)
			str_addf(&path, "M%g %dV%g", cx, y * CELL_H, cy + (arm[2] == weight ? 0 : half));
		if (arm[2] == weight)
			str_addf(&path, "M%g %dV%g", cx, (y + 1) * CELL_H, cy - (arm[0] == weight ? 0 : half));
		if (arm[1] == weight && arm[3] == weight)
			str_addf(&path, "M%d %gH%d", x * CELL_W, cy, (x + columns) * CELL_W);
		else if (arm[1] == weight)
			str_addf(&path, "M%g %gH%d", cx - half, cy, (x + 1) * CELL_W);
		else if (arm[3] == weight)
			str_addf(&path, "M%d %gH%g", x * CELL_W, cy, cx + half);
		if (path.n)
			svg_stroke(out, str_text(&path), width, dashed, look);
		str_free(&path);
	}
	return true;
}

static bool
svg_braille(struct str *out, int x, int y, uint32_t cp, const struct look *look)
{
	static const struct {
		signed char column, row;
	} dot[8] = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}};
	struct str path = {0};

	if (cp < 0x2800 || cp > 0x28ff)
		return false;
	for (int i = 0; i < 8; i++)
		if (cp >> i & 1)
			str_addf(&path, "M%g %gh0", (x + 0.25 + 0.5 * dot[i].column) * CELL_W,
				(y + 0.125 + 0.25 * dot[i].row) * CELL_H);
	if (path.n)
		str_addf(out, "<path d=\"%s\" stroke=\"#%06x\" stroke-width=\"2.4\" stroke-linecap=\"round\"%s/>\n",
			str_text(&path), look->fg, faint(look));
	str_free(&path);
	return true;
}

static bool
is_shape(uint32_t cp)
{
	return (cp >= 0x2500 && cp <= 0x2593) || (cp >= 0x2800 && cp <= 0x28ff);
}

/* Rules, blocks and braille of a row. A run of the same rule or full block is one shape. */
static void
svg_shapes(const struct grid *grid, const struct theme *theme, int y, struct str *out)
{
	for (int x = 0, end; x < grid->w; x = end) {
		const struct cell *cell = at(grid, x, y);
		struct look l = look_of(theme, cell);
		bool runs = cell->cp == 0x2500 || cell->cp == 0x2501 || cell->cp == 0x254c || cell->cp == 0x2588 ||
			(cell->cp >= 0x2591 && cell->cp <= 0x2593);

		for (end = x + 1; runs && end < grid->w && at(grid, end, y)->cp == cell->cp; end++) {
			struct look next = look_of(theme, at(grid, end, y));

			if (!same_look(&l, &next))
				break;
		}
		if (!is_shape(cell->cp))
			continue;
		if (!svg_block(out, x, y, cell->cp, end - x, &l) && !svg_box(out, x, y, cell->cp, end - x, &l))
			svg_braille(out, x, y, cell->cp, &l);
	}
}

static bool
picture_is_word(const struct cell *c)
{
	return c->cp && c->cp != ' ' && c->cp != 0x2009 && c->cp != 0xa0 && !is_shape(c->cp);
}

/* May the cell continue the word? Only letters of single width and the same look: other signs often come from another
 * font. */
static bool
joins(const struct grid *g, const struct theme *t, int x, int y, const struct look *l)
{
	struct look next = look_of(t, at(g, x, y));
	uint32_t a = at(g, x - 1, y)->cp, b = at(g, x, y)->cp;

	return picture_is_word(at(g, x, y)) && same_look(l, &next) && a < 0x250 && b < 0x250 && a != 0;
}

static void
svg_words(const struct grid *grid, const struct theme *theme, int y, struct str *out)
{
	struct str word = {0};

	for (int x = 0, end; x < grid->w; x = end) {
		struct look l = look_of(theme, at(grid, x, y));

		end = x + 1;
		if (!picture_is_word(at(grid, x, y)))
			continue;
		while (end < grid->w && joins(grid, theme, end, y, &l))
			end++;
		str_addf(out, "<text x=\"%d\" y=\"%d\" fill=\"#%06x\"%s%s%s", x * CELL_W, y * CELL_H + BASELINE, l.fg,
			l.bold ? " font-weight=\"bold\"" : "", l.underline ? " text-decoration=\"underline\"" : "",
			faint(&l));
		if (end > x + 1)
			str_addf(out, " textLength=\"%d\"", (end - x) * CELL_W);
		str_addc(out, '>');
		for (int i = x; i < end; i++)
			picture_add_cell(&word, at(grid, i, y));
		xml_addn(out, str_text(&word), word.n);
		str_clear(&word);
		str_add(out, "</text>\n");
	}
	str_free(&word);
}

/* The words of the first row that has any: of a screen, the question and the answer. */
static void
first_row(const struct grid *grid, struct str *out)
{
	for (int y = 0; y < grid->h && !out->n; y++)
		for (int x = 0, gap = 0; x < grid->w; x++) {
			const struct cell *cell = at(grid, x, y);

			if (!picture_is_word(cell)) {
				gap += cell->cp != 0;
				continue;
			}
			str_add(out, !out->n || !gap ? "" : " ");
			picture_add_cell(out, cell);
			gap = 0;
		}
	if (!out->n)
		str_add(out, "hecate");
}

void
grid_svg(const struct grid *grid, const struct theme *theme, struct str *out)
{
	struct str title = {0};

	first_row(grid, &title);
	svg_begin(out, grid->w * CELL_W, grid->h * CELL_H, theme, str_text(&title));
	str_free(&title);
	str_add(out, "<g " SVG_FONT " font-size=\"15\">\n");
	for (int y = 0; y < grid->h; y++) {
		svg_backgrounds(grid, theme, y, out);
		svg_shapes(grid, theme, y, out);
		svg_words(grid, theme, y, out);
	}
	str_add(out, "</g>\n");
	svg_end(out);
}
