#include "draw/view_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

struct line
line_on(struct grid *g, struct rect r, int row)
{
	struct rect clip = {r.x, r.y + row, r.w, row >= 0 && row < r.h ? 1 : 0};

	return (struct line){.pen = pen_on(g, clip, ROLE_TEXT), .x = r.x + 1, .y = r.y + row, .end = r.x + r.w};
}

void
line_add(struct line *l, enum role role, unsigned char attr, const char *fmt, ...)
{
	struct str text = {0};
	va_list ap;

	va_start(ap, fmt);
	str_addv(&text, fmt, ap);
	va_end(ap);
	l->pen.fg = role;
	l->pen.attr = attr;
	if (l->x < l->end)
		l->x += pen_fit(&l->pen, l->x, l->y, l->end - l->x, str_text(&text));
	str_free(&text);
}

void
line_to(struct line *l, int column)
{
	int x = l->pen.clip.x + column;

	l->x = x > l->x ? x : l->x + 1;
}

void
line_gap(struct line *l, int columns)
{
	l->x += columns;
}

enum role
verdict_role(enum verdict_kind v)
{
	switch (v) {
	case VERDICT_FEASIBLE:
		return ROLE_FEASIBLE;
	case VERDICT_INFEASIBLE:
		return ROLE_INFEASIBLE;
	case VERDICT_BORDERLINE:
		return ROLE_BORDERLINE;
	case VERDICT_UNDECIDED:
		break;
	}
	return ROLE_UNDECIDED;
}

const char *
verdict_mark(enum verdict_kind v)
{
	switch (v) {
	case VERDICT_FEASIBLE:
		return "✓";
	case VERDICT_INFEASIBLE:
		return "✗";
	case VERDICT_BORDERLINE:
		return "≈";
	case VERDICT_UNDECIDED:
		break;
	}
	return "?";
}

char *
relation_text(const char *text)
{
	struct str out = {0};

	for (const char *p = text; *p; p++) {
		if (p[0] == '<' && p[1] == '=') {
			str_add(&out, "≤");
			p++;
		} else if (p[0] == '>' && p[1] == '=') {
			str_add(&out, "≥");
			p++;
		} else if (p[0] == '-' && (p == text || p[-1] == ' ')) {
			str_add(&out, "−");
		} else {
			str_addc(&out, *p);
		}
	}
	return str_take(&out);
}

char *
violation_size(const struct finding *f, const struct constraint *c)
{
	char number[NUMBER_TEXT];

	if (!f->exact)
		return str_format("margin %.2g", c->margin);
	return str_format("off by %s", number_off(number, c->off, false));
}

int
scroll_rows(int first, int left, int room)
{
	return first + 1 + (left > room ? left - room : 0);
}

void
hit_add(struct drawn *d, struct rect r, enum hit_kind kind, int pane, int row, enum action a)
{
	if (d->n_hits < HITS_MAX && r.w > 0 && r.h > 0)
		d->hit[d->n_hits++] = (struct hit){r, kind, pane, row, a};
}

void
draw_cursor(struct grid *g, struct rect row, bool focus)
{
	struct pen p = pen_on(g, row, ROLE_ACCENT);

	pen_text(&p, row.x, row.y, "▸");
	if (focus)
		grid_tint(g, row, ROLE_SELECT);
}
