/* A picture of all verdicts: per observation, how far it lies from the constraint that it breaks, or keeps most
 * narrowly, with the width of its region.
 *
 *     bad  ✗ ├──●──┤      │              f <= m
 *     good ✓              │ ├──●──┤      m <= l
 *               broken    0    kept */
#ifndef DRAW_VERDICTS_SVG_H
#define DRAW_VERDICTS_SVG_H

struct result;
struct str;
struct theme;

/* Appends the SVG; nothing if no observation was judged. */
void verdicts_svg(const struct result *, const struct theme *, struct str *out);

#endif
