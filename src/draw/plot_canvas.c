#include "draw/plot_canvas.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

struct canvas *
canvas_new(int columns, int rows)
{
	struct canvas *c = mem_new(sizeof *c);
	size_t cells = columns > 0 && rows > 0 ? (size_t)columns * (size_t)rows : 0;

	if (cells)
		*c = (struct canvas){.w = 2 * columns, .h = 4 * rows};
	c->dots = mem_new_array(cells, 1);
	c->layer = mem_new_array(cells, 1);
	return c;
}

void
canvas_free(struct canvas *c)
{
	free(c->dots);
	free(c->layer);
	free(c);
}

void
canvas_dot(struct canvas *canvas, double x, double y, enum plot_layer layer)
{
	static const unsigned char bit[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
	int i, j;
	size_t cell;

	if (!(x >= 0 && x < canvas->w && y >= 0 && y < canvas->h))
		return;
	i = (int)x;
	j = (int)y;
	cell = (size_t)(j / 4) * (size_t)(canvas->w / 2) + (size_t)(i / 2);
	canvas->dots[cell] |= bit[j % 4][i % 2];
	if (canvas->layer[cell] < layer)
		canvas->layer[cell] = (unsigned char)layer;
}

/* Narrows the shares *t0 … *t1 of a line to those with `from` + share · `way` in 0 … `most`. False: none is left. */
static bool
plot_canvas_cut(double from, double way, double most, double *t0, double *t1)
{
	double a, b;

	if (way == 0)
		return from >= 0 && from <= most;
	a = way > 0 ? -from / way : (most - from) / way;
	b = way > 0 ? (most - from) / way : -from / way;
	*t0 = fmax(*t0, a);
	*t1 = fmin(*t1, b);
	return *t0 <= *t1;
}

void
canvas_line(struct canvas *canvas, double x0, double y0, double x1, double y1, enum plot_layer layer, int on, int off)
{
	double dx = x1 - x0, dy = y1 - y0, t0 = 0, t1 = 1, steps;

	if (!isfinite(dx) || !isfinite(dy) || !plot_canvas_cut(x0, dx, canvas->w, &t0, &t1) ||
		!plot_canvas_cut(y0, dy, canvas->h, &t0, &t1))
		return;
	steps = ceil(fmax(fabs(dx), fabs(dy)) * (t1 - t0));
	for (double k = 0; k <= steps; k++) {
		double t = steps > 0 ? t0 + (t1 - t0) * k / steps : t0;

		if (off == 0 || fmod(k, on + off) < on)
			canvas_dot(canvas, x0 + t * dx, y0 + t * dy, layer);
	}
}

enum plot_layer
canvas_layer(const struct canvas *c, int column, int row)
{
	if (column < 0 || row < 0 || 2 * column >= c->w || 4 * row >= c->h)
		return PLOT_NONE;
	return (enum plot_layer)c->layer[(size_t)row * (size_t)(c->w / 2) + (size_t)column];
}

char
plot_sign(enum plot_layer layer)
{
	static const char sign[PLOT_LAYERS] = {' ', '.', '.', '%', '#', '*', 'o', ':', '@'};

	return sign[layer];
}

void
canvas_draw(const struct canvas *canvas, const struct pen *pen, int x, int y, const enum role role[PLOT_LAYERS])
{
	struct pen p = *pen;

	for (int row = 0; 4 * row < canvas->h; row++)
		for (int column = 0; 2 * column < canvas->w; column++) {
			enum plot_layer layer = canvas_layer(canvas, column, row);
			uint32_t dots = canvas->dots[(size_t)row * (size_t)(canvas->w / 2) + (size_t)column];

			if (layer == PLOT_NONE)
				continue;
			p.fg = role[layer];
			pen_fill(&p, (struct rect){x + column, y + row, 1, 1},
				p.grid->ascii ? (uint32_t)plot_sign(layer) : 0x2800 + dots);
		}
}
