#include "draw/view/view_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "draw/view/view_page.h"
#include "explorer/state/state_views.h"

struct line
line_on(struct grid *g, struct rect r, int row)
{
	struct rect clip = {r.x, r.y + row, r.w, row >= 0 && row < r.h ? 1 : 0};

	return (struct line){.pen = pen_on(g, clip, ROLE_TEXT), .x = r.x + 1, .y = r.y + row, .end = r.x + r.w};
}

static void
line_draw(struct line *line, enum role role, unsigned char attr, const struct str *text)
{
	line->pen.fg = role;
	line->pen.attr = attr;
	if (line->x < line->end)
		line->x += pen_fit(&line->pen, line->x, line->y, line->end - line->x, str_text(text));
}

void
line_add(struct line *line, enum role role, unsigned char attr, const char *fmt, ...)
{
	struct str text = {0};
	va_list ap;

	va_start(ap, fmt);
	str_addv(&text, fmt, ap);
	va_end(ap);
	line_draw(line, role, attr, &text);
	str_free(&text);
}

bool
line_add_whole(struct line *line, enum role role, const char *fmt, ...)
{
	struct str text = {0};
	bool fits;
	va_list ap;

	va_start(ap, fmt);
	str_addv(&text, fmt, ap);
	va_end(ap);
	fits = pen_columns(&line->pen, str_text(&text)) <= line->end - line->x;
	if (fits)
		line_draw(line, role, 0, &text);
	str_free(&text);
	return fits;
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

void
page_doubt(struct page *page, const struct finding *finding)
{
	size_t doubts = finding_doubts(finding);
	const char *text, *end;
	char *sentence;

	if (!doubts)
		return;
	text = finding->warning[0].text;
	end = strstr(text, ". ");
	sentence = str_format(DOUBT_MARK " %.*s", (int)(end ? (size_t)(end - text) : strlen(text)), text);
	page_words(page, ROLE_BORDERLINE, sentence);
	free(sentence);
	if (doubts > 1 || end) {
		if (doubts > 2)
			sentence = str_format("and %zu more doubts; i shows them in full", doubts - 1);
		else
			sentence = mem_str(
				doubts > 1 ? "and one more doubt; i shows both in full" : "i shows it in full");
		page_words(page, ROLE_DIM, sentence);
		free(sentence);
	}
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

static bool
is_in_doubt(const struct finding *f)
{
	return f->verdict == VERDICT_INFEASIBLE && f->in_doubt;
}

/* Refuted by itself, but not among so many observations? */
static bool
is_chance(const struct finding *f)
{
	return f->verdict != VERDICT_INFEASIBLE && f->own.verdict == VERDICT_INFEASIBLE;
}

enum role
finding_role(const struct finding *f)
{
	return is_in_doubt(f) || is_chance(f) ? ROLE_BORDERLINE : verdict_role(f->verdict);
}

const char *
finding_mark(const struct finding *f)
{
	return is_in_doubt(f) ? "⊘" : is_chance(f) ? "≈" : verdict_mark(f->verdict);
}

void
finding_counts(const struct result *r, struct str *out)
{
	size_t chance = 0;

	for (size_t i = 0; i < r->n_findings; i++)
		chance += is_chance(&r->finding[i]) && r->finding[i].verdict == VERDICT_FEASIBLE;
	str_addf(out, "✗ %zu ≈ %zu ✓ %zu ? %zu", r->count[VERDICT_INFEASIBLE], r->count[VERDICT_BORDERLINE] + chance,
		r->count[VERDICT_FEASIBLE] - chance, r->count[VERDICT_UNDECIDED]);
}

char *
violation_size(const struct finding *f, const struct constraint *c)
{
	char number[NUMBER_TEXT];

	if (!f->data.exact)
		return str_format("margin %s", number_digits(number, c->margin, 2, false));
	return str_format("off by %s", number_off(number, c->off, false));
}

char *
violation_number(const struct finding *f, const struct constraint *c)
{
	char number[NUMBER_TEXT];

	return f->data.exact ? mem_str(number_off(number, c->off, false)) : str_format("%.2f", c->margin);
}

char *
number_distance(char out[NUMBER_TEXT], double d2)
{
	if (!isfinite(d2))
		snprintf(out, NUMBER_TEXT, "·");
	else if (d2 < 999.95)
		snprintf(out, NUMBER_TEXT, "%.1f", d2);
	else
		number_count(out, d2, false);
	return out;
}

void
line_distance(struct line *l, const struct finding *f)
{
	char number[NUMBER_TEXT];
	bool roomy = l->end - l->x >= 40;

	line_add(l, ROLE_DIM, 0, "distance ");
	line_add(l, ROLE_TEXT, 0, "%s", number_digits(number, sqrt(f->measure.distance2), 3, false));
	if (f->measure.threshold2 < DISTANCE_MOST)
		line_add(l, ROLE_DIM, 0, roomy ? " of %s allowed  p " : " of %s  p ",
			number_digits(number, sqrt(f->measure.threshold2), 3, false));
	else
		line_add(l, ROLE_DIM, 0, roomy ? ", too few samples for a limit  p " : " of any  p ");
	line_add(l, ROLE_TEXT, 0, "%s", number_p(number, f->measure.p));
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
		d->hit[d->n_hits++] = (struct hit){.r = r, .kind = kind, .pane = pane, .row = row, .action = a};
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
add_list_state(const struct state *s, const char *sort, struct str *info)
{
	size_t marked = state_count_marked(s);

	if (marked)
		str_addf(info, " · %zu marked", marked);
	if (s->view.filter[s->view.current])
		str_addf(info, " · filter: %s", s->view.filter[s->view.current]);
	str_addf(info, " · by %s%s", sort, state_reversed_words(s));
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
accent_counters(struct grid *grid, struct rect r)
{
	enum { OUTSIDE, BEFORE_NAME, IN_NAME } at = OUTSIDE;
	uint32_t sign;

	utf8_decode(glyph_text(GLYPH_COUNTER, grid->ascii), 4, &sign);
	r = rect_cut(r, (struct rect){0, 0, grid->w, grid->h});
	for (int y = r.y; y < r.y + r.h; y++) {
		uint32_t before = ' ';

		at = at == IN_NAME ? OUTSIDE : at;
		for (int x = r.x; x < r.x + r.w; x++) {
			struct cell *cell = grid_at(grid, x, y), *after = grid_at(grid, x + 1, y);

			if (cell->cp == sign && before == ' ' && (!after || after->cp == ' '))
				at = BEFORE_NAME;
			else if (at == BEFORE_NAME && before == ' ' && cell->cp != ' ')
				at = IN_NAME;
			else if (at == IN_NAME && cell->cp == ' ')
				at = OUTSIDE;
			if (at != OUTSIDE && cell->cp != ' ' && cell->fg == ROLE_TEXT)
				cell->fg = ROLE_ACCENT;
			before = cell->cp;
		}
	}
}

int
draw_text(struct grid *grid, struct rect r, const char *text, int first)
{
	char **line = str_split(text, '\n', NULL);
	int n = 0, row = 0, i;

	while (line[n])
		n++;
	if (n && !*line[n - 1])
		n--;
	if (first > n - 1)
		first = n > 0 ? n - 1 : 0;
	for (i = first; row < r.h && i < n; i++) {
		struct pen p = pen_on(grid, (struct rect){r.x, r.y + row, r.w, r.h - row}, ROLE_TEXT);

		/* Only lines that are too long are broken, so that carets stay under the text that they point to. */
		if (pen_columns(&p, line[i]) > r.w - 2) {
			row += draw_wrapped(&p, r.x + 1, r.y + row, r.w - 2, line[i]);
		} else {
			pen_text(&p, r.x + 1, r.y + row, line[i]);
			row++;
		}
	}
	str_split_free(line);
	return first + 1 + n - i; /* so that the last line can reach the bottom */
}

void
observation_add_name(const char *name, bool brief, struct str *out)
{
	while (brief && *name) {
		size_t key = strcspn(name, ":,=");

		if (name[key] == '=') {
			name += key + 1;
			key = strcspn(name, ",");
		}
		key += name[key] != '\0';
		str_addn(out, name, key);
		name += key;
	}
	str_add(out, name);
}
