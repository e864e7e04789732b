#include "draw/cell.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

/* ▏▎▍▌▋▊▉█ stand at U+258F down to U+2588 by eighths, ▁ … █ at U+2581 up to U+2588. */
#define BLOCK_FULL 0x2588u
#define BLOCK_LOWEST 0x2581u
#define BELOW_ZERO 0x25c2u /* ◂ */
#define ZERO_LINE 0x2502u  /* │ */
#define WHOLE_MARK 0x2503u /* ┃ */

void
draw_bar(const struct pen *pen, int x, int y, int columns, double share)
{
	int eighths, full;

	if (columns <= 0 || isnan(share))
		return;
	share = share < 0 ? 0 : share > 1 ? 1 : share;
	eighths = (int)lround(share * columns * 8);
	if (share > 0 && eighths == 0)
		eighths = 1;
	full = eighths / 8;
	pen_hline(pen, x, y, columns, ' ');
	pen_hline(pen, x, y, full, BLOCK_FULL);
	if (eighths % 8)
		pen_hline(pen, x + full, y, 1, BLOCK_FULL + 8 - (uint32_t)(eighths % 8));
}

int
draw_spark(const struct pen *pen, int x, int y, int columns, const double *v, size_t n, double top)
{
	if (columns <= 0 || n == 0)
		return 0;
	if (n > (size_t)columns) {
		v += n - (size_t)columns;
		n = (size_t)columns;
	}
	if (!(top > 0)) {
		top = 0;
		for (size_t i = 0; i < n; i++)
			if (isfinite(v[i]) && v[i] > top)
				top = v[i];
	}
	for (size_t i = 0; i < n; i++) {
		double share = top > 0 ? v[i] / top : 0;
		uint32_t level = share <= 0 ? 0 : share >= 1 ? 7 : (uint32_t)lround(share * 7);

		pen_hline(pen, x + (int)i, y, 1, isnan(v[i]) ? ' ' : BLOCK_LOWEST + level);
	}
	return (int)n;
}

/* Ends of the parts, in cells. Rounding the running sum keeps every end within half a cell of its true place. Two bars
 * whose first parts agree then agree in those cells. */
void
draw_stack(const struct pen *pen, int x, int y, int columns, const struct draw_part *part, size_t n, double top)
{
	static const uint32_t fill[] = {0x2588, 0x2593, 0x2592, 0x2591};
	static const char ascii_fill[] = "#%:.";
	double sum = 0;
	int from = 0;

	if (columns <= 0 || !(top > 0))
		return;
	pen_hline(pen, x, y, columns, ' ');
	for (size_t i = 0; i < n; i++) {
		struct pen q = *pen;
		int end;

		sum += part[i].amount > 0 ? part[i].amount : 0;
		end = sum >= top ? columns : (int)lround(sum / top * columns);
		q.fg = part[i].fg;
		pen_hline(&q, x + from, y, end - from,
			pen->grid->ascii ? (unsigned char)ascii_fill[part[i].fill & 3] : fill[part[i].fill & 3]);
		if (part[i].key && end > from) {
			q.attr |= CELL_BOLD;
			pen_hline(&q, x + from, y, 1, (unsigned char)part[i].key);
		}
		from = end;
	}
}

/* Columns to the left of the zero line. */
static int
columns_below(const struct bar_axis *a, int columns)
{
	int n;

	if (!(a->below > 0) || columns < 4)
		return 0;
	n = (int)lround(a->below / (a->below + fmax(a->top, 0)) * (columns - 1));
	return n < 1 ? 1 : n > columns - 2 ? columns - 2 : n;
}

int
bar_axis_at(const struct bar_axis *a, int columns, double value)
{
	int zero = columns_below(a, columns), first = zero ? zero + 1 : 0;

	if (value < 0)
		return zero ? zero - (int)lround(fmin(-value / a->below, 1) * zero) : 0;
	return value > 0 && a->top > 0 ? first + (int)lround(fmin(value / a->top, 1) * (columns - first)) : zero;
}

static void
draw_below(const struct pen *pen, int x, int y, int columns, const struct draw_part *part, size_t n,
	const struct bar_axis *axis)
{
	int zero = bar_axis_at(axis, columns, 0), from = zero;
	struct pen q = *pen;
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		int end;

		if (!(part[i].amount < 0))
			continue;
		sum += part[i].amount;
		end = bar_axis_at(axis, columns, sum);
		if (end >= from && from > 0)
			end = from - 1;
		q.fg = ROLE_INFEASIBLE;
		q.attr = pen->attr;
		pen_hline(&q, x + end, y, from - end, pen->grid->ascii ? '<' : BELOW_ZERO);
		if (part[i].key && end < from) {
			q.attr |= CELL_BOLD;
			pen_hline(&q, x + end, y, 1, (unsigned char)part[i].key);
		}
		from = end;
	}
	q.attr = pen->attr;
	q.fg = ROLE_TEXT;
	pen_hline(&q, x + zero, y, 1, pen->grid->ascii ? '|' : ZERO_LINE);
}

void
draw_signed_stack(const struct pen *pen, int x, int y, int columns, const struct draw_part *part, size_t n,
	const struct bar_axis *axis, double whole)
{
	int zero = columns_below(axis, columns), first = zero ? zero + 1 : 0, mark;
	double sum = 0;

	if (columns <= 0 || !(axis->top > 0))
		return;
	pen_hline(pen, x, y, first, ' ');
	draw_stack(pen, x + first, y, columns - first, part, n, axis->top);
	if (zero)
		draw_below(pen, x, y, columns, part, n, axis);
	for (size_t i = 0; i < n; i++)
		sum += part[i].amount > 0 ? part[i].amount : 0;
	mark = bar_axis_at(axis, columns, whole);
	if (whole > 0 && mark < bar_axis_at(axis, columns, sum)) {
		struct pen q = *pen;

		q.fg = ROLE_TEXT;
		q.attr |= CELL_BOLD;
		pen_hline(&q, x + mark, y, 1, pen->grid->ascii ? '|' : WHOLE_MARK);
	}
}
