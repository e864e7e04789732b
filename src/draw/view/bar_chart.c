#include "draw/view/bar_chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "draw/view/view_list.h"

enum { ROOMY = 100, LEAST_BAR = 8 };

enum { NAME, KIND, SCORE, NUMBER, BAR, COLUMNS };

static const struct column chart_columns[COLUMNS] = {
	[NAME] = {.gap = 1},
	[KIND] = {.gap = 1},
	[SCORE] = {.gap = 1, .right = true},
	[NUMBER] = {.gap = 1, .right = true},
	[BAR] = {.gap = 2, .rest = true},
};

/* What the rows of a chart's list share. */
struct bars {
	const struct chart *chart;
	struct bar_axis axis;
};

static void
bar_chart_widen(struct column *column, const struct pen *p, const char *text, int most)
{
	int w = pen_columns(p, text);

	w = w > most ? most : w;
	column->width = w > column->width ? w : column->width;
}

/* Without enough room, the column of numbers is left out first, then those of scores and of kinds. */
static void
bar_chart_fit_columns(struct column *column, const struct chart *c, const struct pen *p, int w)
{
	int name_most = w >= ROOMY ? 24 : 14, kind_most = !c->kind_most ? 10 : w >= 60 ? c->kind_most : 8, x;

	memcpy(column, chart_columns, sizeof chart_columns);
	column[NAME].head = c->name_head;
	column[KIND].head = c->kind_head;
	column[SCORE].head = c->score_head;
	column[NUMBER].head = c->number_head;
	for (size_t i = NAME; i <= NUMBER; i++)
		if (column[i].head)
			bar_chart_widen(&column[i], p, column[i].head, i == KIND ? kind_most : i == SCORE ? 8 : 12);
	for (size_t i = 0; i < c->n; i++) {
		const struct chart_row *row = &c->row[i];

		bar_chart_widen(&column[NAME], p, row->name, name_most);
		if (c->kind_head)
			bar_chart_widen(&column[KIND], p, row->kind, kind_most);
		bar_chart_widen(&column[NUMBER], p, row->number, 12);
		if (c->score_head && row->score)
			bar_chart_widen(&column[SCORE], p, row->score, 8);
		if (row->doubtful && pen_columns(p, row->number) == column[NUMBER].width)
			column[NUMBER].width++;
		if (row->other)
			bar_chart_widen(&column[NAME], p, c->other_name, name_most);
	}
	x = column[NAME].width + 2;
	for (size_t i = KIND; i <= NUMBER; i++) {
		if (x + column[i].width + (i == KIND ? 1 : 2) + LEAST_BAR >= w ||
			(i == NUMBER && column[SCORE].width && w < ROOMY))
			column[i].width = 0;
		column[i].gap += w >= ROOMY;
		x += column[i].width ? column[i].width + column[i].gap : 0;
	}
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
	double factor = chart->normalised ? 1 : chart->amount.factor,
	       step = factor * amount_step((axis->below + axis->top) / factor, w >= 60 ? 6 : 4);
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
bar_chart_draw_row(struct list_row *row)
{
	const struct bars *bars = row->list->of;
	const struct chart *chart = bars->chart;
	const struct chart_row *of = &chart->row[row->item];
	enum role role = of->doubtful ? ROLE_BORDERLINE : ROLE_TEXT;
	struct rect at;

	row->pen.attr = row->here ? CELL_BOLD : 0;
	list_text(row, NAME, ROLE_TEXT, of->name);
	row->pen.attr = of->kind_attr;
	if (of->kind)
		list_text(row, KIND, of->kind_role, of->kind);
	row->pen.attr = 0;
	list_text(row, NUMBER, role, of->number);
	if (of->doubtful && list_cell(row, NUMBER, role, &at))
		pen_text(&row->pen, at.x + at.w - pen_columns(&row->pen, of->number) - 1, at.y, "≈");
	if (of->score)
		list_text(row, SCORE, of->score_role, of->score);
	list_cell(row, BAR, of->length > 0 ? ROLE_TEXT : ROLE_DIM, &at); /* also of the blanks next to the bar */
	if (of->length > 0)
		draw_bar_of(chart, &row->pen, at, of->amount, of->length, of->whole, &bars->axis);
	else
		list_text(row, BAR, ROLE_DIM, of->why ? of->why : "0");
}

/* The same bar in the snapshot to compare with. */
static void
draw_other(struct list_row *row)
{
	const struct bars *bars = row->list->of;
	const struct chart_row *of = &bars->chart->row[row->item];
	struct rect at;

	list_text(row, NAME, ROLE_DIM, bars->chart->other_name);
	list_cell(row, BAR, ROLE_DIM, &at);
	if (of->other_length > 0)
		draw_bar_of(bars->chart, &row->pen, at, of->other, of->other_length, 0, &bars->axis);
	else
		pen_text(&row->pen, at.x, at.y, "0");
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
	struct bars bars = {chart, axis_of(chart)};
	struct pen p = pen_on(grid, r, ROLE_DIM);
	struct column column[COLUMNS];
	struct list l = {.of = &bars, .column = column, .n_columns = COLUMNS, .draw = bar_chart_draw_row, .pane = -1},
		    others = l;
	int item = rows_of_item(chart), group = chart->group ? (int)chart->group : 1,
	    legend = lay_legend(chart, NULL, r, r.w), room, first, fits, gap;

	/* The legend has a third of the room at most. The table below the bars lists the parts that do not fit. */
	if (legend > (r.h - 1) / 3)
		legend = (r.h - 1) / 3;
	bar_chart_fit_columns(column, chart, &p, r.w);
	list_place(&l, r.w);
	list_heads(&l, grid, r);
	draw_ticks(chart, &p, r.x + column[BAR].x, r.y, column[BAR].width, &bars.axis);
	others.draw = draw_other;
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
		bool here = i == (int)chart->cursor;

		list_row(&l, grid, (struct rect){r.x, y, r.w, 1}, (size_t)i, here);
		if (item > 1 && chart->row[i].other)
			list_row(&others, grid, (struct rect){r.x, y + 1, r.w, 1}, (size_t)i, here);
		if (here)
			draw_cursor(grid, (struct rect){r.x, y, column[BAR].x - 1, 1}, focus);
		hit_add(drawn, (struct rect){r.x, y, r.w, item}, HIT_ROW, chart->pane, i / group, ACTION_component);
	}
	if (legend) {
		int below = 1 + (int)chart->n * item + groups_of(chart) * gap + 1 - gap, bottom = r.h - legend;

		lay_legend(chart, grid, (struct rect){r.x, r.y + (below < bottom ? below : bottom), r.w, legend}, r.w);
	}
}
