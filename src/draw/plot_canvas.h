/* A canvas of dots, 2 × 4 to a cell, drawn as braille; in ASCII one sign per cell, that of the topmost layer. */
#ifndef DRAW_PLOT_CANVAS_H
#define DRAW_PLOT_CANVAS_H

#include "draw/cell.h"

/* The topmost layer, the last in this list, gives a cell its colour and sign. */
enum plot_layer {
	PLOT_NONE, PLOT_FILL, PLOT_EDGE, PLOT_INDEPENDENT, PLOT_ROTATED, PLOT_ELLIPSE, PLOT_SAMPLE, PLOT_GAP,
	PLOT_POINT, PLOT_LAYERS
};

struct canvas {
	int w, h;                    /* dots: 2 and 4 times the cells; y grows downwards */
	unsigned char *dots, *layer; /* per cell */
};

struct canvas *canvas_new(int columns, int rows);
void canvas_free(struct canvas *);
void canvas_dot(struct canvas *, double x, double y, enum plot_layer); /* does nothing outside */
/* Of every `on` + `off` dots the first `on` are drawn; off 0: a solid line. */
void canvas_line(struct canvas *, double x0, double y0, double x1, double y1, enum plot_layer, int on, int off);
enum plot_layer canvas_layer(const struct canvas *, int column, int row); /* topmost layer of a cell; NONE outside */
char plot_sign(enum plot_layer);                                          /* in ASCII */
void canvas_draw(const struct canvas *, const struct pen *, int x, int y, const enum role role[PLOT_LAYERS]);

#endif
