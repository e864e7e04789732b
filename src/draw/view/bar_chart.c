#include "draw/view/bar_chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"

enum { ROOMY = 100, LEAST_BAR = 8 };

/* Columns, relative to the rectangle; a number ends in the column before its own. */
struct columns {
	int name, name_w, kind, kind_w, number, score, bar, bar_w;
};

static int
bar_chart_widest(const struct pen *p, int so_far, const char *text, int most)
{
	int w = pen_columns(p, text);

	w = w > most ? most : w;
	return w > so_far ? w : so_far;
}

/* Without enough room, the column of numbers is left out first, then those of scores and of kinds. */
static struct columns
bar_chart_columns_of(const struct chart *c, struct grid *grid, int w)
{
	struct pen p = pen_on(grid, (struct rect){0, 0, w, 1}, ROLE_TEXT);
	struct columns k = {.name = 1, .name_w = bar_chart_widest(&p, 0, c->name_head, 12)};
	int number_w = bar_chart_widest(&p, 0, c->number_head, 12),
	    score_w = c->score_head ? bar_chart_widest(&p, 0, c->score_head, 8) : 0,
	    kind_most = !c->kind_most ? 10 : w >= 60 ? c->kind_most : 8,
	    x;

	for (size_t i = 0; i < c->n; i++) {
		k.name_w = bar_chart_widest(&p, k.name_w, c->row[i].name, w >= ROOMY ? 24 : 14);
		if (c->kind_head)
			k.kind_w = bar_chart_widest(&p, k.kind_w, c->row[i].kind, kind_most);
		number_w = bar_chart_widest(&p, number_w, c->row[i].number, 12);
		if (c->score_head && c->row[i].score)
			score_w = bar_chart_widest(&p, score_w, c->row[i].score, 8);
		if (c->row[i].doubtful && pen_columns(&p, c->row[i].number) == number_w)
			number_w++;
		if (c->row[i].other)
			k.name_w = bar_chart_widest(&p, k.name_w, c->other_name, w >= ROOMY ? 24 : 14);
	}
	if (c->kind_head)
		k.kind_w = bar_chart_widest(&p, k.kind_w, c->kind_head, kind_most);
	x = k.name + k.name_w + 1;
	if (k.kind_w && x + k.kind_w + 1 + LEAST_BAR < w) {
		k.kind = x + (w >= ROOMY ? 1 : 0);
		x = k.kind + k.kind_w + 1;
	}
	if (score_w && x + score_w + 2 + LEAST_BAR < w) {
		k.score = x + score_w + (w >= ROOMY ? 1 : 0);
		x = k.score + 1;
	}
	if (x + number_w + 2 + LEAST_BAR < w && !(k.score && w < ROOMY)) {
		k.number = x + number_w + (w >= ROOMY ? 1 : 0);
		x = k.number + 1;
	}
	k.bar = x + 1;
	k.bar_w = w - k.bar - 1;
	return k;
}

static void
stretch(struct bar_axis *a, bool normalised, double length, double below)
{
	if (!(length > 0))
		return;
	a->top = fmax(a->top, normalised ? 100 : length);
	a->below = fmax(a->below, normalised ? 100 * below / length : below);
}

/* The scale of all bars; of normalised ones in per cent of their length. */
static struct bar_axis
axis_of(const struct chart *c)
{
	struct bar_axis a = {0, 0};

	for (size_t i = 0; i < c->n; i++) {
		stretch(&a, c->normalised, c->row[i].length, c->row[i].below);
		if (c->row[i].other)
			stretch(&a, c->normalised, c->row[i].other_length, c->row[i].other_below);
	}
	return a;
}

/* "200", "2 G": ticks are round numbers. */
static void
tick_text(char out[NUMBER_TEXT], const struct amount *a, double v)
{
	static const char *const unit[] = {"", " k", " M", " G", " T", " P"};
	size_t k = 0;

	v /= a->factor;
	while (a->scaled && fabs(v) >= 1000 && k < sizeof unit / sizeof *unit - 1) {
		v /= 1000;
		k++;
	}
	snprintf(out, NUMBER_TEXT, "%s%.6g%s", v < 0 ? "−" : "", fabs(v), unit[k]);
}

static void
draw_ticks(const struct chart *chart, const struct pen *pen, int x, int y, int w, const struct bar_axis *axis)
{
	const char *unit = chart->normalised ? "%" : chart->amount.unit;
	double step = amount_step(axis->below + axis->top, w >= 60 ? 6 : 4);
	struct amount plain = {.factor = 1};
	int free_from = x, end = x + w - pen_columns(pen, unit);

	if (!(axis->top > 0) || w < LEAST_BAR)
		return;
	pen_right(pen, x + w, y, unit);
	for (double k = -floor(axis->below / step); k * step <= axis->top * 1.000001; k++) {
		double v = k * step + 0.0; /* no −0 */
		char text[NUMBER_TEXT];
		int at = x + bar_axis_at(axis, w, v), long_is;

		tick_text(text, chart->normalised ? &plain : &chart->amount, v);
		long_is = pen_columns(pen, text);
		if (at + long_is + 1 > end)
			at = v + step > axis->top ? end - long_is - 1 : at;
		if (at < free_from || at + long_is + 1 > end)
			continue;
		pen_text(pen, at, y, text);
		free_from = at + long_is + 1;
	}
}

static void
bar_chart_draw_heads(const struct chart *chart, struct grid *grid, struct rect r, const struct columns *columns,
	const struct bar_axis *axis)
{
	struct pen p = pen_on(grid, (struct rect){r.x, r.y, r.w, 1}, ROLE_DIM);

	pen_fit(&p, r.x + columns->name, r.y, columns->name_w, chart->name_head);
	if (columns->kind)
		pen_fit(&p, r.x + columns->kind, r.y, columns->kind_w, chart->kind_head);
	if (columns->number)
		pen_right(&p, r.x + columns->number, r.y, chart->number_head);
	if (columns->score)
		pen_right(&p, r.x + columns->score, r.y, chart->score_head);
	draw_ticks(chart, &p, r.x + columns->bar, r.y, columns->bar_w, axis);
}

/* `length` and `whole` in the unit of the amounts, as in struct chart_row. */
static void
draw_bar_of(const struct chart *chart, const struct pen *pen, struct rect r, const double *amount, double length,
	double whole, const struct bar_axis *axis)
{
	struct draw_part *part = mem_new_array(chart->n_parts, sizeof *part);
	struct bar_axis own = *axis;

	if (chart->normalised)
		own = (struct bar_axis){axis->below / axis->top * length, length};
	for (size_t i = 0; i < chart->n_parts; i++)
		part[i] = (struct draw_part){amount[i], chart->part[i].role, chart->part[i].fill, chart->part[i].key};
	draw_signed_stack(pen, r.x, r.y, r.w, part, chart->n_parts, &own, whole);
	free(part);
}

static void
bar_chart_draw_row(const struct chart *chart, struct grid *grid, struct rect r, int y, const struct chart_row *row,
	const struct columns *columns, const struct bar_axis *axis, bool here)
{
	struct pen p = pen_on(grid, (struct rect){r.x, y, r.w, 1}, ROLE_TEXT);

	p.attr = here ? CELL_BOLD : 0;
	pen_fit(&p, r.x + columns->name, y, columns->name_w, row->name);
	p.attr = 0;
	if (columns->kind) {
		p.fg = row->kind_role;
		p.attr = row->kind_attr;
		pen_fit(&p, r.x + columns->kind, y, columns->kind_w, row->kind);
		p.attr = 0;
	}
	p.fg = row->doubtful ? ROLE_BORDERLINE : ROLE_TEXT;
	if (columns->number) {
		int w = pen_columns(&p, row->number);

		pen_right(&p, r.x + columns->number, y, row->number);
		if (row->doubtful)
			pen_text(&p, r.x + columns->number - w - 1, y, "≈");
	}
	if (columns->score && row->score) {
		p.fg = row->score_role;
		pen_right(&p, r.x + columns->score, y, row->score);
	}
	p.fg = ROLE_TEXT; /* also of the blanks next to the bar */
	if (row->length > 0) {
		draw_bar_of(chart, &p, (struct rect){r.x + columns->bar, y, columns->bar_w, 1}, row->amount,
			row->length, row->whole, axis);
	} else {
		p.fg = ROLE_DIM;
		pen_fit(&p, r.x + columns->bar, y, columns->bar_w, row->why ? row->why : "0");
	}
}

static void
draw_other(const struct chart *c, struct grid *g, struct rect r, int y, const struct chart_row *row,
	const struct columns *k, const struct bar_axis *axis)
{
	struct pen p = pen_on(g, (struct rect){r.x, y, r.w, 1}, ROLE_DIM);

	pen_fit(&p, r.x + k->name, y, k->name_w, c->other_name);
	if (row->other_length > 0)
		draw_bar_of(c, &p, (struct rect){r.x + k->bar, y, k->bar_w, 1}, row->other, row->other_length, 0, axis);
	else
		pen_text(&p, r.x + k->bar, y, "0");
}

static bool
is_in_some_bar(const struct chart *c, size_t part)
{
	bool some = false;

	for (size_t i = 0; i < c->n; i++)
		some |= fabs(c->row[i].amount[part]) > 0 || (c->row[i].other && fabs(c->row[i].other[part]) > 0);
	return some;
}

/* Does a part before it have the same sign? A remainder has its parent's sign, and another method may draw the parent
 * whole. */
static bool
looks_like_another(const struct chart *c, size_t part)
{
	const struct chart_part *p = &c->part[part];

	for (size_t i = 0; i < part; i++)
		if (c->part[i].key == p->key && c->part[i].role == p->role && c->part[i].fill == p->fill &&
			is_in_some_bar(c, i))
			return true;
	return false;
}

/* Draws the legend; without a grid, only counts its rows. A part that is empty in all bars needs no sign; with many
 * parts most are. */
static int
lay_legend(const struct chart *c, struct grid *grid, struct rect r, int width)
{
	struct grid *nowhere = grid ? NULL : grid_new(1, 1, false);
	struct pen p = pen_on(grid ? grid : nowhere, grid ? r : (struct rect){0, 0, 0, 0}, ROLE_DIM);
	int x = 1, y = 0, gap = width >= ROOMY ? 4 : 2;
	size_t some = 0;

	for (size_t i = 0; i < c->n_parts; i++) {
		struct draw_part one = {1, c->part[i].role, c->part[i].fill, c->part[i].key};
		int w = 3 + pen_columns(&p, c->part[i].name);

		if (!is_in_some_bar(c, i) || looks_like_another(c, i))
			continue;
		some++;
		if (x > 1 && x + w > width - 1) {
			x = 1;
			y++;
		}
		draw_stack(&p, r.x + x, r.y + y, 2, &one, 1, 1);
		pen_fit(&p, r.x + x + 3, r.y + y, width - x - 4, c->part[i].name);
		x += w + gap;
	}
	grid_free(nowhere);
	return some ? y + 1 : 0;
}

static int
rows_of_item(const struct chart *c)
{
	bool other = false;

	for (size_t i = 0; i < c->n; i++)
		other |= c->row[i].other != NULL;
	return other ? 2 : 1;
}

static int
groups_of(const struct chart *c)
{
	return (int)(c->group ? c->n / c->group : c->n);
}

int
chart_rows(const struct chart *c, int width, bool spread)
{
	int item = rows_of_item(c);

	return 1 + (int)c->n * item + (spread ? groups_of(c) : 0) + lay_legend(c, NULL, (struct rect){0}, width);
}

void
chart_draw(const struct chart *chart, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	struct columns k = bar_chart_columns_of(chart, grid, r.w);
	struct bar_axis axis = axis_of(chart);
	int item = rows_of_item(chart), group = chart->group ? (int)chart->group : 1,
	    legend = lay_legend(chart, NULL, r, r.w), room, first, fits, gap;

	/* The legend has a third of the room at most. The table below the bars lists the parts that do not fit. */
	if (legend > (r.h - 1) / 3)
		legend = (r.h - 1) / 3;
	bar_chart_draw_heads(chart, grid, r, &k, &axis);
	room = r.h - 1 - legend;
	gap = (int)chart->n * item + groups_of(chart) <= room ? 1 : 0;
	fits = room / item > 0 ? room / item : 1;
	if (fits >= group) /* none is cut in two */
		fits -= fits % group;
	first = gap ? 0
		: fits < group ? list_scroll(0, (int)chart->cursor, (int)chart->n, fits)
		: group * list_scroll(0, (int)chart->cursor / group, groups_of(chart), fits / group);
	for (int i = first; i < (int)chart->n && (gap || i - first < fits); i++) {
		int y = r.y + 1 + (i - first) * item + i / group * gap;

		bar_chart_draw_row(chart, grid, r, y, &chart->row[i], &k, &axis, i == (int)chart->cursor);
		if (item > 1 && chart->row[i].other)
			draw_other(chart, grid, r, y + 1, &chart->row[i], &k, &axis);
		if (i == (int)chart->cursor)
			draw_cursor(grid, (struct rect){r.x, y, k.bar - 1, 1}, focus);
		hit_add(drawn, (struct rect){r.x, y, r.w, item}, HIT_ROW, chart->pane, i / group, ACTION_component);
	}
	if (legend) {
		int below = 1 + (int)chart->n * item + groups_of(chart) * gap + 1 - gap, bottom = r.h - legend;

		lay_legend(chart, grid, (struct rect){r.x, r.y + (below < bottom ? below : bottom), r.w, legend}, r.w);
	}
}
