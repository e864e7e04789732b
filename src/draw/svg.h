/* What all SVG pictures share: the document with its background and words for those who cannot see it, and texts. */
#ifndef DRAW_SVG_H
#define DRAW_SVG_H

#include "draw/cell.h"

struct str;
struct theme;

#define SVG_FONT "font-family=\"DejaVu Sans Mono,Liberation Mono,Menlo,Consolas,monospace\""
#define SVG_CHAR_W 7.3 /* columns of a text of 12 pixels are at most this wide */

unsigned svg_color(const struct theme *, enum role);
/* Begins the document: its size, `title` in a few words and background. svg_end() ends it. */
void svg_begin(struct str *out, double w, double h, const struct theme *, const char *title);
void svg_end(struct str *out);
/* `more`: further attributes, each with a blank before it. */
void svg_text(struct str *out, double x, double y, unsigned color, const char *more, const char *text);
void svg_dot(struct str *out, double x, double y, double radius, unsigned color);
/* Distance of ticks: 1, 2 or 5 times a power of ten, for at most `most` of them over the span. */
double svg_step(double span, int most);
/* The text without what does not fit into `columns`, which then ends in "…". The caller frees. */
char *svg_fit(const char *text, size_t columns);

#endif
