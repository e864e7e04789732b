/* A picture of cone and region of one observation, as view 4 shows it: the sides of the constraint that it breaks are
 * the axes, or else the pair of counters that shows most. */
#ifndef DRAW_GEOMETRY_SVG_H
#define DRAW_GEOMETRY_SVG_H

struct geometry;
struct report;
struct str;
struct theme;

/* Appends the SVG; nothing where there are fewer than two counters. */
void geometry_svg(const struct report *, const struct geometry *, const struct theme *, struct str *out);

#endif
