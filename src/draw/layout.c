#include "draw/layout.h"

#include <string.h>

#include "base/utf8.h"

/* Columns of a rule without title and info: "─ Title ─ info ─" */
enum { TITLE_EDGE = 2, TITLE_GAP = 3, TITLE_END = 2 };

struct rect
title_info(struct grid *grid, struct rect r, const char *title, const char *info)
{
	struct pen pen = {.grid = grid};
	int room = r.w - TITLE_EDGE - TITLE_END, m = info ? pen_columns(&pen, info) : 0;

	if (m <= 0 || m > room - pen_columns(&pen, title) - TITLE_GAP)
		m = 0;
	return (struct rect){r.x + r.w - TITLE_END - m, r.y, m, 1};
}

/* Writes the title over a rule that is drawn already; `r` is the row. */
static void
title_words(struct grid *grid, struct rect r, const char *title, const char *info, bool focus)
{
	struct pen name = pen_on(grid, r, focus ? ROLE_ACCENT : ROLE_TEXT), dim = pen_on(grid, r, ROLE_DIM);
	int room = r.w - TITLE_EDGE - TITLE_END;
	struct rect at = title_info(grid, r, title, info);

	name.attr = focus ? CELL_BOLD : 0;
	if (*title && room > 0) {
		int used = pen_fit(&name, r.x + TITLE_EDGE, r.y, room, title);

		pen_hline(&name, r.x + TITLE_EDGE - 1, r.y, 1, ' ');
		pen_hline(&name, r.x + TITLE_EDGE + used, r.y, 1, ' ');
	}
	if (at.w > 0) {
		pen_hline(&dim, at.x - 1, r.y, 1, ' ');
		pen_text(&dim, at.x, r.y, info);
		pen_hline(&dim, at.x + at.w, r.y, 1, ' ');
	}
}

struct rect
draw_title(struct grid *g, struct rect r, const char *title, const char *info, bool focus)
{
	struct pen rule = pen_on(g, r, focus ? ROLE_ACCENT : ROLE_FRAME);
	struct rect row = {r.x, r.y, r.w, r.h < 1 ? r.h : 1};

	if (r.w <= 0 || r.h <= 0)
		return (struct rect){r.x, r.y, r.w > 0 ? r.w : 0, 0};
	pen_hline(&rule, r.x, r.y, r.w, focus ? 0x2501 : 0x2500);
	title_words(g, row, title, info, focus);
	return (struct rect){r.x, r.y + 1, r.w, r.h - 1};
}

/* One side of a popup: at most `most`. On a screen too small for margins the popup takes it all. */
static int
popup_side(int want, int screen, int margin, int least)
{
	int most = screen - margin;

	if (most < least)
		most = screen;
	return want < most ? want : most;
}

struct rect
draw_popup(struct grid *grid, struct rect screen, int w, int h, const char *title, const char *info)
{
	struct rect r = {.w = popup_side(w, screen.w, 8, 24), .h = popup_side(h, screen.h, 6, 5)};
	struct pen p;

	r.x = screen.x + (screen.w - r.w) / 2;
	r.y = screen.y + (screen.h - r.h) / 2;
	grid_dim(grid, screen);
	grid->popup = r;
	if (r.w < 2 || r.h < 2)
		return (struct rect){r.x, r.y, 0, 0};
	p = pen_on(grid, r, ROLE_FRAME);
	pen_fill(&p, r, ' ');
	pen_vline(&p, r.x, r.y + 1, r.h - 2, glyph_junction(1, 0, 1, 0));
	pen_vline(&p, r.x + r.w - 1, r.y + 1, r.h - 2, glyph_junction(1, 0, 1, 0));
	pen_hline(&p, r.x, r.y + r.h - 1, r.w, glyph_junction(0, 1, 0, 1));
	pen_hline(&p, r.x, r.y + r.h - 1, 1, glyph_junction(1, 1, 0, 0));
	pen_hline(&p, r.x + r.w - 1, r.y + r.h - 1, 1, glyph_junction(1, 0, 0, 1));
	draw_title(grid, (struct rect){r.x, r.y, r.w, 1}, title, info, true);
	p.fg = ROLE_ACCENT;
	pen_hline(&p, r.x, r.y, 1, glyph_junction(0, 2, 1, 0));
	pen_hline(&p, r.x + r.w - 1, r.y, 1, glyph_junction(0, 0, 1, 2));
	return (struct rect){r.x + 1, r.y + 1, r.w - 2, r.h - 2};
}

/* Bytes of the next line of at most `columns`: to the last blank that fits, or within a word that is longer. *skip:
 * bytes left out after it (the blanks, or the newline). */
static size_t
wrap_line(const struct pen *pen, const char *s, int columns, size_t *skip)
{
	size_t n = strcspn(s, "\n"), end = 0;
	int used = 0;

	for (size_t i = 0; i < n;) {
		uint32_t cp;
		size_t len = utf8_decode(s + i, n - i, &cp);
		char one[5] = {0}, form[3];
		int wide = utf8_columns(cp);

		memcpy(one, s + i, len);
		if (pen->grid->ascii && wide == 1)
			wide = (int)glyph_ascii(cp, form);
		if (wide == 2 && pen->grid->ascii && s[i + len] == ' ')
			wide = 1; /* the second character takes the blank's column */
		used += wide;
		if (used > columns && cp != ' ') {
			if (end == 0)
				end = i ? i : len;
			*skip = strspn(s + end, " ");
			return end;
		}
		i += len;
		if (i < n && s[i] == ' ' && cp != ' ')
			end = i;
	}
	*skip = s[n] == '\n';
	return n;
}

int
draw_wrapped(const struct pen *pen, int x, int y, int columns, const char *s)
{
	int rows = 0;

	while (*s && columns > 0 && y + rows < pen->clip.y + pen->clip.h) {
		size_t skip, n = wrap_line(pen, s, columns, &skip);
		char line[1024];

		if (n >= sizeof line)
			n = utf8_fit(s, sizeof line / 4 - 1), skip = 0;
		memcpy(line, s, n);
		line[n] = '\0';
		pen_text(pen, x, y + rows, line);
		s += n + skip;
		rows++;
	}
	return rows;
}

int
list_scroll(int first, int cursor, int n, int rows)
{
	if (rows <= 0 || n <= 0)
		return 0;
	if (cursor < first)
		first = cursor;
	if (cursor >= first + rows)
		first = cursor - rows + 1;
	if (first > n - rows)
		first = n - rows;
	return first < 0 ? 0 : first;
}
