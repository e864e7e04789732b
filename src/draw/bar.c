#include "draw/cell.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

/* ▏▎▍▌▋▊▉█ stand at U+258F down to U+2588 by eighths, ▁ … █ at U+2581 up to U+2588. */
#define BLOCK_FULL 0x2588u
#define BLOCK_LOWEST 0x2581u

void
draw_bar(const struct pen *p, int x, int y, int columns, double share)
{
	int eighths, full;

	if (columns <= 0 || isnan(share))
		return;
	share = share < 0 ? 0 : share > 1 ? 1 : share;
	eighths = (int)lround(share * columns * 8);
	if (share > 0 && eighths == 0)
		eighths = 1;
	full = eighths / 8;
	pen_hline(p, x, y, columns, ' ');
	pen_hline(p, x, y, full, BLOCK_FULL);
	if (eighths % 8)
		pen_hline(p, x + full, y, 1, BLOCK_FULL + 8 - (uint32_t)(eighths % 8));
}

int
draw_spark(const struct pen *p, int x, int y, int columns, const double *v, size_t n, double top)
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

		pen_hline(p, x + (int)i, y, 1, isnan(v[i]) ? ' ' : BLOCK_LOWEST + level);
	}
	return (int)n;
}

/* Ends of the parts, in cells. Rounding the running sum keeps every end within half a cell of its true place. Two bars
 * whose first parts agree then agree in those cells. */
void
draw_stack(const struct pen *p, int x, int y, int columns, const struct draw_part *part, size_t n, double top)
{
	static const uint32_t fill[] = {0x2588, 0x2593, 0x2592, 0x2591};
	static const char ascii_fill[] = "#%:.";
	double sum = 0;
	int from = 0;

	if (columns <= 0 || !(top > 0))
		return;
	pen_hline(p, x, y, columns, ' ');
	for (size_t i = 0; i < n; i++) {
		struct pen q = *p;
		int end;

		sum += part[i].amount > 0 ? part[i].amount : 0;
		end = sum >= top ? columns : (int)lround(sum / top * columns);
		q.fg = part[i].fg;
		pen_hline(&q, x + from, y, end - from,
			p->grid->ascii ? (unsigned char)ascii_fill[part[i].fill & 3] : fill[part[i].fill & 3]);
		if (part[i].key && end > from) {
			q.attr |= CELL_BOLD;
			pen_hline(&q, x + from, y, 1, (unsigned char)part[i].key);
		}
		from = end;
	}
}
