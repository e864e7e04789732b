/* A grid of cells with roles. Everything is drawn into a grid, and one file turns cells into a terminal (after tmux).
 * docs/screens.md, sections 3 and 4, explains roles and glyphs. Nothing is drawn outside the grid or the clip. */
#ifndef DRAW_CELL_H
#define DRAW_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum role {
	ROLE_TEXT, ROLE_DIM, ROLE_FRAME, ROLE_ACCENT,
	ROLE_FEASIBLE, ROLE_INFEASIBLE, ROLE_BORDERLINE, ROLE_UNDECIDED,
	ROLE_PATH1, ROLE_PATH2, ROLE_PATH3, ROLE_PATH4, ROLE_HOT,
	ROLE_SELECT,     /* a background only */
	ROLE_BACKGROUND, /* a background only: the terminal's own unless the theme sets one */
	ROLE_COUNT
};

enum { CELL_BOLD = 1, CELL_UNDERLINE = 2, CELL_REVERSE = 4, CELL_DIM = 8 };

#define CELL_MARKS 2 /* most combining marks of a cell; further ones are left out */

struct cell {
	uint32_t cp;               /* code point; 0: right half of a wide character */
	uint32_t mark[CELL_MARKS]; /* combining marks drawn over cp; 0: none */
	unsigned char fg, bg;      /* enum role; bg is ROLE_BACKGROUND or ROLE_SELECT */
	unsigned char attr;
};

struct rect {
	int x, y, w, h;
};

struct grid {
	int w, h;
	struct cell *cell; /* w × h, row major */
	bool ascii;        /* glyphs come from the ASCII set */
	struct rect popup; /* what draw_popup() took last */
};

struct grid *grid_new(int w, int h, bool ascii);
void grid_free(struct grid *);
void grid_clear(struct grid *);
struct cell *grid_at(struct grid *, int x, int y); /* NULL outside the grid */
/* Finds the columns *first … *end - 1 in which two rows of `w` cells differ, widened so that no wide character is
 * halved. False: the rows are equal. */
bool cells_changed(const struct cell *was, const struct cell *now, int w, int *first, int *end);
bool grid_equal(const struct grid *, const struct grid *);
/* Gives the cells of `r` the background `bg` (ROLE_SELECT or ROLE_BACKGROUND), as for the row of a cursor. */
void grid_tint(struct grid *, struct rect r, enum role bg);
/* Dims the cells of `r`, which show something old. The row of a cursor keeps its background. */
void grid_age(struct grid *, struct rect r);
/* Dims the cells of `r`, as under a popup: dim role, no attributes, ordinary background. */
void grid_dim(struct grid *, struct rect r);

struct rect rect_cut(struct rect a, struct rect b); /* the intersection; w or h is 0 if it is empty */
bool rect_has(struct rect, int x, int y);

/* Draws text at (x, y) within `clip`, at most to its right edge; returns the columns used. The text is UTF-8. A control
 * character, a bidirectional control or a broken byte is shown as one visible sign and never reaches the terminal. In
 * an ASCII grid every sign of docs/screens.md, section 4, becomes its ASCII form, and others "?", so views write UTF-8
 * only. Any bg but ROLE_SELECT means ROLE_BACKGROUND, so a zero-initialised pen is right. */
struct pen {
	struct grid *grid;
	struct rect clip;
	enum role fg, bg;
	unsigned char attr;
};
struct pen pen_on(struct grid *, struct rect clip, enum role fg); /* no attributes, the ordinary background */
/* columns that pen_text() would use in an endless row */
int pen_columns(const struct pen *, const char *s);
int pen_text(const struct pen *, int x, int y, const char *s);
int pen_textf(const struct pen *, int x, int y, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* As pen_text, but a text longer than `columns` loses its tail, its head, or its middle to "…" (for names that begin
 * alike). Returns the columns used. */
int pen_fit(const struct pen *, int x, int y, int columns, const char *s);
int pen_fit_head(const struct pen *, int x, int y, int columns, const char *s);
int pen_fit_middle(const struct pen *, int x, int y, int columns, const char *s);
int pen_right(const struct pen *, int x_end, int y, const char *s); /* last column is x_end - 1 */
void pen_fill(const struct pen *, struct rect, uint32_t cp);
void pen_hline(const struct pen *, int x, int y, int columns, uint32_t cp);
void pen_vline(const struct pen *, int x, int y, int rows, uint32_t cp);

/* One glyph, one meaning. Each has a UTF-8 and an ASCII form of the same width (those marked ² in docs/screens.md: two
 * columns, including the blank). */
enum glyph {
	GLYPH_DECISION, GLYPH_COUNTER, GLYPH_EVENT, GLYPH_DONE,
	GLYPH_FEASIBLE, GLYPH_INFEASIBLE, GLYPH_IN_DOUBT, GLYPH_BORDERLINE, GLYPH_UNDECIDED, GLYPH_BEST,
	GLYPH_FOLDED, GLYPH_UNFOLDED, GLYPH_CURSOR,
	GLYPH_H, GLYPH_V, GLYPH_H_HEAVY, GLYPH_TEE, GLYPH_LAST,                                 /* ─ │ ━ ├ └ */
	GLYPH_T_DOWN, GLYPH_T_UP, GLYPH_T_LEFT, GLYPH_T_RIGHT, GLYPH_CROSS, GLYPH_T_DOWN_HEAVY, /* ┬ ┴ ┤ ├ ┼ ┭ */
	GLYPH_TL, GLYPH_TR, GLYPH_BL, GLYPH_BR, GLYPH_V_END,                                    /* ┌ ┐ └ ┘ ╵ */
	GLYPH_H_BEFORE, GLYPH_V_BEFORE,                                                         /* ╌ ╎ */
	GLYPH_LE, GLYPH_GE, GLYPH_MINUS, GLYPH_TIMES, GLYPH_PLUSMINUS, GLYPH_ARROW, GLYPH_MU, GLYPH_EMPTY,
	GLYPH_ELLIPSIS, GLYPH_DOT,
	GLYPH_COUNT
};
const char *glyph_text(enum glyph, bool ascii); /* NUL-terminated, static storage, read only */

/* "µpaths ≤ 3" with every known sign replaced by its ASCII form if `ascii`; the caller frees. */
char *glyph_translate(const char *s, bool ascii);

/* Writes the ASCII form of a code point: 1 or 2 characters. Two (those marked ² in docs/screens.md) replace the sign
 * and the blank after it. */
size_t glyph_ascii(uint32_t cp, char out[3]);

/* The i-th non-ASCII code point that hecate itself draws, for measuring its width on a terminal; 0 after the last. */
uint32_t glyph_used(size_t i);

/* The box-drawing sign with arms of weight 0 (none), 1 (light) or 2 (heavy) in the four directions. */
uint32_t glyph_junction(int up, int right, int down, int left);

/* A spinner's n-th picture: one column. */
const char *glyph_spinner(unsigned n, bool ascii);

/* A horizontal bar of `columns` cells, filled to `share` (0 … 1) in eighths; a share above 0 shows at least one eighth.
 * In ASCII a cell is "#" from one half on. NAN draws nothing. Cells after the bar's end become blank. */
void draw_bar(const struct pen *, int x, int y, int columns, double share);

/* A sparkline of the last `columns` of n values from 0 to `top` (top <= 0: the largest value shown); NAN leaves a
 * blank. Fewer values begin at the left. Returns the columns used. */
int draw_spark(const struct pen *, int x, int y, int columns, const double *v, size_t n, double top);

/* A stacked bar in which `columns` cells stand for `top`. The parts follow each other, each in its role and fill, with
 * its key (0: none) in its first cell. Ends are rounded from the running sum, so equal beginnings give equal cells. */
struct draw_part {
	double amount; /* negative or NAN counts as 0 */
	enum role fg;
	unsigned char fill; /* 0 … 3: █ ▓ ▒ ░ */
	char key;
};
void draw_stack(const struct pen *, int x, int y, int columns, const struct draw_part *, size_t n, double top);

/* A scale from −below to top, for bars with parts below zero. The zero line has a column of its own if below > 0; there
 * is no such line, and all is as in draw_stack(), if below is 0. */
struct bar_axis {
	double below, top;
};
/* The column of a value, 0 … columns. */
int bar_axis_at(const struct bar_axis *, int columns, double value);
/* As draw_stack(). Parts below zero are drawn to the left of the zero line, from it outwards, in their own fill and
 * role: they are errors, and take one cell at least. If the parts reach beyond `whole`, a mark stands there; 0: no
 * mark. */
void draw_signed_stack(const struct pen *, int x, int y, int columns, const struct draw_part *, size_t n,
	const struct bar_axis *, double whole);

/* The grid as plain text (trailing blanks kept, one '\n' per row) or as an SVG picture in a theme's colours. */
struct str;
struct theme;
void grid_text(const struct grid *, struct str *out);
void grid_svg(const struct grid *, const struct theme *, struct str *out);

#endif
