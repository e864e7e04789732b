/* An interval diagram: what a pipeline does in the cycles around an event, and which of these cycles two methods count.
 *
 *     issued      4 ▆▆▆▆▆▆▆▆▆▆▆▂          ▆▆▆▆▆▆▆
 *                 0 ███████████▇          ███████
 *     FMT                   █████████                 9.0
 *     POWER5                       ▄██████            6.5
 *                           A     B  C    D
 *                 -10       0         10        20
 *
 * The same cells are printed, drawn in the explorer, and written as SVG. */
#ifndef DRAW_INTERVAL_DIAGRAM_H
#define DRAW_INTERVAL_DIAGRAM_H

#include "draw/cell.h"

struct interval;

#define INTERVAL_DIAGRAM_ROWS 25 /* rows of a printed diagram */

/* Draws into a rectangle of at least 40 × 12. The graphs grow with its rows. */
void interval_diagram_draw(const struct interval *, struct grid *, struct rect);

#endif
