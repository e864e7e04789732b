#include "draw/cell.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"

/* A character cell made from text. Here control characters, and signs without an ASCII form, get what is shown for
 * them. */
struct character {
	uint32_t cp;
	int columns; /* 0: a combining mark for the cell before it */
};

struct reader {
	const char *s;
	size_t n;
	bool ascii;
	uint32_t pending; /* second half of a two-character ASCII form */
};

static const struct cell blank = {.cp = ' ', .fg = ROLE_TEXT, .bg = ROLE_BACKGROUND};

struct grid *
grid_new(int w, int h, bool ascii)
{
	struct grid *g = mem_new(sizeof *g);

	g->w = w > 0 ? w : 0;
	g->h = h > 0 ? h : 0;
	g->ascii = ascii;
	g->cell = mem_new_array((size_t)g->w * (size_t)g->h, sizeof *g->cell);
	grid_clear(g);
	return g;
}

void
grid_free(struct grid *g)
{
	if (!g)
		return;
	free(g->cell);
	free(g);
}

void
grid_clear(struct grid *g)
{
	for (size_t i = 0; i < (size_t)g->w * (size_t)g->h; i++)
		g->cell[i] = blank;
}

/* The cell at a place inside the grid. */
static struct cell *
cell_at(struct grid *g, int x, int y)
{
	return &g->cell[(size_t)y * (size_t)g->w + (size_t)x];
}

struct cell *
grid_at(struct grid *g, int x, int y)
{
	return x >= 0 && y >= 0 && x < g->w && y < g->h ? cell_at(g, x, y) : NULL;
}

static bool
cell_equal(const struct cell *a, const struct cell *b)
{
	return a->cp == b->cp && a->mark[0] == b->mark[0] && a->mark[1] == b->mark[1] && a->fg == b->fg &&
		a->bg == b->bg && a->attr == b->attr;
}

bool
cells_changed(const struct cell *was, const struct cell *now, int w, int *first, int *end)
{
	int from = 0, to = w;

	while (from < w && cell_equal(&was[from], &now[from]))
		from++;
	if (from == w)
		return false;
	while (cell_equal(&was[to - 1], &now[to - 1]))
		to--;
	while (from > 0 && (now[from].cp == 0 || was[from].cp == 0))
		from--;
	while (to < w && (now[to].cp == 0 || was[to].cp == 0))
		to++;
	*first = from;
	*end = to;
	return true;
}

bool
grid_equal(const struct grid *a, const struct grid *b)
{
	if (a->w != b->w || a->h != b->h)
		return false;
	for (size_t i = 0; i < (size_t)a->w * (size_t)a->h; i++)
		if (!cell_equal(&a->cell[i], &b->cell[i]))
			return false;
	return true;
}

struct rect
rect_cut(struct rect a, struct rect b)
{
	struct rect r = {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, 0, 0};
	int right = a.x + a.w < b.x + b.w ? a.x + a.w : b.x + b.w;
	int bottom = a.y + a.h < b.y + b.h ? a.y + a.h : b.y + b.h;

	r.w = right > r.x ? right - r.x : 0;
	r.h = bottom > r.y ? bottom - r.y : 0;
	return r;
}

bool
rect_has(struct rect r, int x, int y)
{
	return x >= r.x && y >= r.y && x < r.x + r.w && y < r.y + r.h;
}

void
grid_tint(struct grid *g, struct rect r, enum role bg)
{
	r = rect_cut(r, (struct rect){0, 0, g->w, g->h});
	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++)
			cell_at(g, x, y)->bg = bg == ROLE_SELECT ? ROLE_SELECT : ROLE_BACKGROUND;
}

void
grid_dim(struct grid *grid, struct rect r)
{
	r = rect_cut(r, (struct rect){0, 0, grid->w, grid->h});
	for (int y = r.y; y < r.y + r.h; y++) {
		for (int x = r.x; x < r.x + r.w; x++) {
			struct cell *cell = cell_at(grid, x, y);

			cell->fg = cell->fg == ROLE_FRAME ? ROLE_FRAME : ROLE_DIM;
			cell->bg = ROLE_BACKGROUND;
			cell->attr = 0;
		}
	}
}

void
grid_age(struct grid *grid, struct rect r)
{
	r = rect_cut(r, (struct rect){0, 0, grid->w, grid->h});
	for (int y = r.y; y < r.y + r.h; y++) {
		for (int x = r.x; x < r.x + r.w; x++) {
			struct cell *cell = cell_at(grid, x, y);

			cell->fg = cell->fg == ROLE_FRAME ? ROLE_FRAME : ROLE_DIM;
			cell->attr = 0;
		}
	}
}

struct pen
pen_on(struct grid *g, struct rect clip, enum role fg)
{
	return (struct pen){.grid = g, .clip = clip, .fg = fg, .bg = ROLE_BACKGROUND};
}

/* Variation selectors: terminals disagree about their effect on neighbours. */
static bool
is_invisible(uint32_t cp)
{
	return (cp >= 0xfe00 && cp <= 0xfe0f) || (cp >= 0xe0100 && cp <= 0xe01ef);
}

/* Signs that must not reach a picture or a terminal as they are; noncharacters are not allowed in XML. */
static bool
is_unsafe(uint32_t cp)
{
	return utf8_is_control(cp) || (cp & 0xfffe) == 0xfffe || (cp >= 0xfdd0 && cp <= 0xfdef);
}

/* A control character as one visible sign: the control pictures ␀ … ␡ for C0 and DEL. */
static uint32_t
control_sign(uint32_t cp, bool ascii)
{
	if (ascii)
		return '?';
	return cp < 0x20 ? 0x2400 + cp : cp == 0x7f ? 0x2421 : 0xfffd;
}

static struct character
reader_ascii(struct reader *reader, uint32_t cp)
{
	char form[3];

	if (cp < 0x80)
		return (struct character){cp, 1};
	if (utf8_columns(cp) == 2) {
		reader->pending = '?';
		return (struct character){'?', 1};
	}
	if (glyph_ascii(cp, form) == 2) {
		reader->pending = (unsigned char)form[1];
		if (reader->n && *reader->s == ' ') {
			reader->s++;
			reader->n--;
		}
	}
	return (struct character){(unsigned char)form[0], 1};
}

/* Reads the next sign; false at the end. */
static bool
reader_next(struct reader *r, struct character *out)
{
	if (r->pending) {
		*out = (struct character){r->pending, 1};
		r->pending = 0;
		return true;
	}
	while (r->n) {
		uint32_t cp;
		size_t len = utf8_decode(r->s, r->n, &cp);
		int columns = utf8_columns(cp);

		r->s += len;
		r->n -= len;
		if (is_invisible(cp) || (r->ascii && columns == 0))
			continue;
		if (is_unsafe(cp) || (cp == 0xfffd && len == 1))
			*out = (struct character){control_sign(cp, r->ascii), 1};
		else
			*out = r->ascii ? reader_ascii(r, cp) : (struct character){cp, columns};
		return true;
	}
	return false;
}

static struct reader
reader_on(const struct pen *p, const char *s)
{
	return (struct reader){.s = s, .n = strlen(s), .ascii = p->grid->ascii};
}

static bool
pen_may(const struct pen *p, int x, int y)
{
	return rect_has(p->clip, x, y) && x >= 0 && y >= 0 && x < p->grid->w && y < p->grid->h;
}

/* Puts one cell. If it replaces half of a wide character, the other half becomes a blank. */
static void
pen_cell(const struct pen *pen, int x, int y, uint32_t cp)
{
	struct cell *cell, *other;

	if (!pen_may(pen, x, y))
		return;
	cell = cell_at(pen->grid, x, y);
	if (cell->cp == 0 && cp != 0 && (other = grid_at(pen->grid, x - 1, y)))
		other->cp = ' ', other->mark[0] = other->mark[1] = 0;
	other = grid_at(pen->grid, x + 1, y);
	if (other && other->cp == 0 && cell->cp != 0)
		other->cp = ' ';
	*cell = (struct cell){.cp = cp, .fg = (unsigned char)pen->fg, .attr = pen->attr};
	cell->bg = pen->bg == ROLE_SELECT ? ROLE_SELECT : ROLE_BACKGROUND;
}

static void
pen_sign(const struct pen *pen, int x, int y, struct character s)
{
	if (s.columns == 1) {
		pen_cell(pen, x, y, s.cp);
		return;
	}
	if (!pen_may(pen, x, y) || !pen_may(pen, x + 1, y)) { /* cut by an edge: half of it cannot be shown */
		pen_cell(pen, x, y, ' ');
		pen_cell(pen, x + 1, y, ' ');
		return;
	}
	pen_cell(pen, x, y, s.cp);
	pen_cell(pen, x + 1, y, ' '); /* clears what was there, then becomes the right half */
	cell_at(pen->grid, x + 1, y)->cp = 0;
}

static void
pen_mark(const struct pen *pen, int x, int y, uint32_t mark)
{
	struct cell *cell = grid_at(pen->grid, x, y);

	if (cell && cell->cp == 0)
		cell = grid_at(pen->grid, x - 1, y);
	if (!cell || !pen_may(pen, x, y))
		return;
	for (int i = 0; i < CELL_MARKS; i++) {
		if (!cell->mark[i]) {
			cell->mark[i] = mark;
			return;
		}
	}
}

/* Draws signs until `columns` are used or the text ends. Signs to the right of the clip are not read. */
static int
pen_signs(const struct pen *pen, int x, int y, int columns, struct reader *reader)
{
	int edge = pen->clip.x + pen->clip.w, used = 0;
	bool any = false;
	struct character s;

	if (edge > pen->grid->w)
		edge = pen->grid->w;
	while (reader_next(reader, &s)) {
		if (s.columns == 0) {
			if (any)
				pen_mark(pen, x + used - 1, y, s.cp);
			continue;
		}
		if (used + s.columns > columns || x + used >= edge)
			break;
		pen_sign(pen, x + used, y, s);
		used += s.columns;
		any = true;
	}
	return x + used > edge ? (edge > x ? edge - x : 0) : used;
}

int
pen_columns(const struct pen *p, const char *s)
{
	struct reader r = reader_on(p, s);
	struct character sign;
	int n = 0;

	while (reader_next(&r, &sign))
		n += sign.columns;
	return n;
}

int
pen_text(const struct pen *p, int x, int y, const char *s)
{
	struct reader r = reader_on(p, s);

	return pen_signs(p, x, y, INT32_MAX, &r);
}

int
pen_textf(const struct pen *pen, int x, int y, const char *fmt, ...)
{
	struct str t = {0};
	va_list ap;
	int n;

	va_start(ap, fmt);
	str_addv(&t, fmt, ap);
	va_end(ap);
	n = pen_text(pen, x, y, str_text(&t));
	str_free(&t);
	return n;
}

/* Draws the text without the columns in its middle that are too many: `head` columns, "…", and as much of the end. */
static int
pen_cut(const struct pen *pen, int x, int y, int columns, int head, const char *s)
{
	struct reader front = reader_on(pen, s), end = front;
	int left = pen_columns(pen, s), used;
	struct character sign;

	if (columns <= 0)
		return 0;
	if (left <= columns)
		return pen_text(pen, x, y, s);
	used = head ? pen_signs(pen, x, y, head, &front) : 0;
	while (left > columns - 1 - head && reader_next(&end, &sign))
		left -= sign.columns;
	used += pen_text(pen, x + used, y, "…");
	return used + (left ? pen_signs(pen, x + used, y, columns - used, &end) : 0);
}

int
pen_fit(const struct pen *p, int x, int y, int columns, const char *s)
{
	return pen_cut(p, x, y, columns, columns - 1, s);
}

int
pen_fit_head(const struct pen *p, int x, int y, int columns, const char *s)
{
	return pen_cut(p, x, y, columns, 0, s);
}

int
pen_fit_middle(const struct pen *p, int x, int y, int columns, const char *s)
{
	return pen_cut(p, x, y, columns, columns / 2, s);
}

int
pen_right(const struct pen *p, int x_end, int y, const char *s)
{
	int n = pen_columns(p, s);

	pen_text(p, x_end - n, y, s);
	return n;
}

void
pen_fill(const struct pen *pen, struct rect r, uint32_t cp)
{
	char form[3];

	if (pen->grid->ascii && cp >= 0x80) {
		glyph_ascii(cp, form);
		cp = (unsigned char)form[0];
	}
	r = rect_cut(rect_cut(r, pen->clip), (struct rect){0, 0, pen->grid->w, pen->grid->h});
	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++)
			pen_cell(pen, x, y, cp);
}

void
pen_hline(const struct pen *p, int x, int y, int columns, uint32_t cp)
{
	pen_fill(p, (struct rect){x, y, columns > 0 ? columns : 0, 1}, cp);
}

void
pen_vline(const struct pen *p, int x, int y, int rows, uint32_t cp)
{
	pen_fill(p, (struct rect){x, y, 1, rows > 0 ? rows : 0}, cp);
}
