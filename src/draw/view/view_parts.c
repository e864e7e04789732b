#include "draw/view/view_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
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

char *
violation_number(const struct finding *f, const struct constraint *c)
{
	char number[NUMBER_TEXT];

	return f->exact ? mem_str(number_off(number, c->off, false)) : str_format("%.2f", c->margin);
}

char *
number_distance(char out[NUMBER_TEXT], double d2)
{
	if (isfinite(d2))
		snprintf(out, NUMBER_TEXT, d2 < 99999.5 ? "%.1f" : "%.3g", d2);
	else
		snprintf(out, NUMBER_TEXT, "·");
	return out;
}

void
line_distance(struct line *l, const struct finding *f)
{
	char number[NUMBER_TEXT];

	line_add(l, ROLE_DIM, 0, "d² ");
	line_add(l, ROLE_TEXT, 0, "%s", number_distance(number, f->measure.distance2));
	line_add(l, ROLE_DIM, 0, " of %.4g  p ", f->measure.threshold2);
	line_add(l, ROLE_TEXT, 0, "%s", number_p(number, f->measure.p));
}

/* The end of a side, behind "…": counters lose their head. */
static void
cut_head(const struct pen *p, struct str *side, int columns)
{
	const char *at = str_text(side);
	char *cut;

	if (pen_columns(p, at) <= columns)
		return;
	while (*at && pen_columns(p, at) + 1 > columns)
		do
			at++;
		while (((unsigned char)*at & 0xc0) == 0x80);
	cut = str_format("…%s", at);
	str_clear(side);
	str_add(side, cut);
	free(cut);
}

/* The last term goes, with the sign before it; false when only one is left. */
static bool
drop_term(struct str *side)
{
	static const char *const signs[] = {" + ", " − "};
	const char *last = NULL;

	for (size_t i = 0; i < 2; i++)
		for (const char *at = side->n ? strstr(side->s, signs[i]) : NULL; at; at = strstr(at + 1, signs[i]))
			last = !last || at > last ? at : last;
	if (!last)
		return false;
	side->n = (size_t)(last - side->s);
	side->s[side->n] = '\0';
	return true;
}

int
pen_relation(const struct pen *p, int x, int y, int columns, const char *text)
{
	static const char *const relations[] = {" ≤ ", " = ", " ≥ "};
	struct str left = {0}, right = {0}, all = {0};
	bool cut_left = false, cut_right = false;
	const char *at = NULL, *relation = "";
	int used;

	for (size_t i = 0; !at && i < 3; i++)
		if ((at = strstr(text, relations[i])))
			relation = relations[i];
	if (!at || pen_columns(p, text) <= columns)
		return pen_fit(p, x, y, columns, text);
	str_addn(&left, text, (size_t)(at - text));
	str_add(&right, at + strlen(relation));
	for (;;) {
		bool longer_left = pen_columns(p, str_text(&left)) > pen_columns(p, str_text(&right));

		str_clear(&all);
		str_addf(&all, "%s%s%s%s%s", str_text(&left), cut_left ? " + …" : "", relation, str_text(&right), cut_right ? " + …" : "");
		if (pen_columns(p, str_text(&all)) <= columns)
			break;
		if (longer_left ? drop_term(&left) : drop_term(&right)) {
			cut_left |= longer_left;
			cut_right |= !longer_left;
		} else if (longer_left ? drop_term(&right) : drop_term(&left)) {
			cut_left |= !longer_left;
			cut_right |= longer_left;
		} else {
			break;
		}
	}
	if (pen_columns(p, str_text(&all)) > columns && columns > 16) {
		int room = columns - 3, l = pen_columns(p, str_text(&left)), r = pen_columns(p, str_text(&right));

		cut_head(p, &left, r < room / 2 ? room - r : room / 2);
		l = pen_columns(p, str_text(&left));
		cut_head(p, &right, room - l);
		str_clear(&all);
		str_addf(&all, "%s%s%s", str_text(&left), relation, str_text(&right));
	}
	used = pen_fit(p, x, y, columns, str_text(&all));
	str_free(&left);
	str_free(&right);
	str_free(&all);
	return used;
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

void
add_list_state(const struct session *s, const char *sort, struct str *info)
{
	size_t marked = session_count_marked(s);

	if (marked)
		str_addf(info, " · %zu marked", marked);
	if (s->filter[s->view])
		str_addf(info, " · filter: %s", s->filter[s->view]);
	str_addf(info, " · by %s", sort);
}

int
draw_list_rows(struct rect r, int cursor, int n, int pane, enum action a, struct drawn *d)
{
	int first = list_scroll(0, cursor, n, r.h);

	for (int k = 0; k < r.h && first + k < n; k++)
		hit_add(d, (struct rect){r.x, r.y + k, r.w, 1}, HIT_ROW, pane, first + k, a);
	return first;
}

void
draw_view_panes(const struct session *s, struct grid *g, struct rect body, const struct view_panes *v, struct drawn *d)
{
	struct panes p;
	struct str title[PANES_MAX] = {0}, info[PANES_MAX] = {0};
	const char *titles[PANES_MAX] = {0}, *infos[PANES_MAX] = {0};
	int focus;

	panes_lay(v->layout, v->n, body, (int)s->focus, &p);
	focus = panes_focus(v->layout, v->n, &p, (int)s->focus);
	d->focus = focus;
	d->visible = 0;
	for (size_t i = 0; i < p.n; i++) {
		v->pane[p.pane[i].id - v->first].title(s, &title[i], &info[i]);
		if (p.n == 1 && v->panes > 1)
			str_addf(&info[i], "%s%d/%d panes, Tab", info[i].n ? " · " : "", p.pane[i].id - v->first + 1, v->panes);
		titles[i] = str_text(&title[i]);
		infos[i] = str_text(&info[i]);
		d->visible |= 1 << p.pane[i].id;
	}
	panes_draw(g, &p, titles, infos, focus);
	for (size_t i = 0; i < p.n; i++) {
		struct rect r = pane_body(&p.pane[i]);
		bool here = p.pane[i].id == focus;

		if (here)
			d->page = r.h > 1 ? r.h - 1 : 1;
		hit_add(d, p.pane[i].r, HIT_PANE, p.pane[i].id, 0, ACTION_none);
		v->pane[p.pane[i].id - v->first].draw(s, g, r, here, d);
	}
	for (size_t i = 0; i < p.n; i++) {
		str_free(&title[i]);
		str_free(&info[i]);
	}
}
