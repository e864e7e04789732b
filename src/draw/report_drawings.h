/* Drawings of the HTML report that no view has. */
#ifndef DRAW_REPORT_DRAWINGS_H
#define DRAW_REPORT_DRAWINGS_H

struct geometry;
struct report;
struct result;
struct str;
struct theme;

/* Appends cone and region of one observation, as view 4 shows them: the sides of the constraint that it breaks are the
 * axes, or else the pair of counters that shows most. Nothing where there are fewer than two counters. */
void geometry_svg(const struct report *, const struct geometry *, const struct theme *, struct str *out);

/* Appends all verdicts: per observation, how far it lies from the constraint that it breaks, or keeps most narrowly,
 * with the width of its region. Nothing if no observation was judged.
 *
 *     bad  ✗ ├──●──┤      │              f <= m
 *     good ✓              │ ├──●──┤      m <= l
 *               broken    0    kept */
void verdicts_svg(const struct result *, const struct theme *, struct str *out);

#endif
