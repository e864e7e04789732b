/* A grid of cells with roles: everything is drawn into one, one file turns cells into a terminal (after tmux).
 * Roles and glyphs: docs/screens.md sections 3 and 4. Drawing outside a grid or a clip is silently nothing. */
#ifndef DRAW_CELL_H
#define DRAW_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum role {
	ROLE_TEXT,
	ROLE_DIM,
	ROLE_FRAME,
	ROLE_ACCENT,
	ROLE_FEASIBLE,
	ROLE_INFEASIBLE,
	ROLE_BORDERLINE,
	ROLE_UNDECIDED,
	ROLE_PATH1,
	ROLE_PATH2,
	ROLE_PATH3,
	ROLE_PATH4,
	ROLE_HOT,
	ROLE_SELECT,     /* only as a background */
	ROLE_BACKGROUND, /* only as a background: the terminal's own unless the theme sets one */
	ROLE_COUNT
};

enum { CELL_BOLD = 1, CELL_UNDERLINE = 2, CELL_REVERSE = 4, CELL_DIM = 8 };

struct cell {
	uint32_t cp;          /* code point; 0: right half of a wide character */
	unsigned char fg, bg; /* enum role; bg is ROLE_BACKGROUND or ROLE_SELECT */
	unsigned char attr;
};

struct rect {
	int x, y, w, h;
};

struct grid {
	int w, h;
	struct cell *cell; /* w × h, row major */
	bool ascii;        /* glyphs come from the ASCII set */
};

struct grid *grid_new(int w, int h, bool ascii);
void grid_free(struct grid *);
void grid_clear(struct grid *);
struct cell *grid_at(struct grid *, int x, int y); /* NULL outside */

/* Text at (x, y) within `clip`, at most to its right edge; returns the columns used. UTF-8; control characters are shown visibly. */
struct pen {
	struct grid *grid;
	struct rect clip;
	enum role fg, bg;
	unsigned char attr;
};
int pen_text(const struct pen *, int x, int y, const char *s);
int pen_textf(const struct pen *, int x, int y, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* As pen_text, but a text longer than `columns` loses its tail (or its head) to "…". Returns the columns used. */
int pen_fit(const struct pen *, int x, int y, int columns, const char *s);
int pen_fit_head(const struct pen *, int x, int y, int columns, const char *s);
int pen_right(const struct pen *, int x_end, int y, const char *s); /* last column is x_end - 1 */
void pen_fill(const struct pen *, struct rect, uint32_t cp);
void pen_hline(const struct pen *, int x, int y, int columns, uint32_t cp);
void pen_vline(const struct pen *, int x, int y, int rows, uint32_t cp);

/* One glyph, one meaning; each has a UTF-8 and an ASCII form of the same columns (² of screens.md: two in both, with the blank). */
enum glyph {
	GLYPH_DECISION, GLYPH_COUNTER, GLYPH_EVENT, GLYPH_DONE,
	GLYPH_FEASIBLE, GLYPH_INFEASIBLE, GLYPH_BORDERLINE, GLYPH_UNDECIDED,
	GLYPH_BEST, GLYPH_FOLDED, GLYPH_UNFOLDED, GLYPH_CURSOR,
	GLYPH_H, GLYPH_V, GLYPH_H_HEAVY, GLYPH_TEE, GLYPH_LAST, /* ─ │ ━ ├ └ */
	GLYPH_T_DOWN, GLYPH_T_UP, GLYPH_T_LEFT, GLYPH_T_RIGHT, GLYPH_CROSS, GLYPH_T_DOWN_HEAVY, /* ┬ ┴ ┤ ├ ┼ ┭ */
	GLYPH_TL, GLYPH_TR, GLYPH_BL, GLYPH_BR, GLYPH_V_END, /* ┌ ┐ └ ┘ ╵ */
	GLYPH_H_BEFORE, GLYPH_V_BEFORE, /* ╌ ╎ */
	GLYPH_LE, GLYPH_GE, GLYPH_MINUS, GLYPH_TIMES, GLYPH_PLUSMINUS, GLYPH_ARROW, GLYPH_MU, GLYPH_EMPTY, GLYPH_ELLIPSIS, GLYPH_DOT,
	GLYPH_COUNT
};
const char *glyph_text(enum glyph, bool ascii); /* NUL-terminated, static storage, read only */

/* "µpaths ≤ 3" with every known sign replaced by its ASCII form when `ascii`; the caller frees. */
char *glyph_translate(const char *s, bool ascii);

/* A horizontal bar of `columns` cells filled to `share` (0 … 1) in eighths. */
void draw_bar(const struct pen *, int x, int y, int columns, double share);

/* The grid as plain text (trailing blanks kept, one '\n' per row) or as an SVG picture in a theme's colours. */
struct str;
struct theme;
void grid_text(const struct grid *, struct str *out);
void grid_svg(const struct grid *, const struct theme *, struct str *out);

#endif
