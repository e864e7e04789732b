/* Panes: title rules, focus, which panes go first when there is no room (docs/screens.md section 1). */
#ifndef DRAW_LAYOUT_H
#define DRAW_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "draw/cell.h"

/* A title rule over `r.w` columns at row r.y: "━ Title ━━━━ info ━" when focused (heavy, accent, bold), light otherwise.
 * The info goes first when there is no room; then the title loses its tail. Returns the rectangle below the rule. */
struct rect draw_title(struct grid *, struct rect r, const char *title, const char *info, bool focus);

/* A boxed popup in the middle of `screen`: w × h with its border, at most W-8 × H-6 (the whole screen where that would leave less than
 * 24 × 5), heavy title rule; everything behind it is drawn dim. Returns the inside. */
struct rect draw_popup(struct grid *, struct rect screen, int w, int h, const char *title, const char *info);

/* Lines of text broken at blanks (or hard, where a word is longer) and at newlines to `columns`, until the clip's rows are used up.
 * Returns the rows used. */
int draw_wrapped(const struct pen *, int x, int y, int columns, const char *s);

/* A scrolling list: keeps `cursor` visible in `rows` rows, given the first row shown before; returns the new first row. */
int list_scroll(int first, int cursor, int n, int rows);

/* Numbers as docs/screens.md section 2: "10 653" in full with a thin group space below 100 000 (an ordinary space in ASCII),
 * else three significant digits with k M G T. Returns `out`. */
#define NUMBER_TEXT 32
char *number_count(char out[NUMBER_TEXT], double v, bool ascii);
char *number_exact(char out[NUMBER_TEXT], long long v, bool sign, bool ascii); /* in full, grouped; signed on request */
char *number_off(char out[NUMBER_TEXT], double v, bool ascii); /* a signed difference: whole ones as number_exact(), others to six digits */
char *number_share(char out[NUMBER_TEXT], double share);                       /* "93.1", "0.042" of a 0 … 1 share, without % */
char *number_p(char out[NUMBER_TEXT], double p);                               /* "0.20", "4e-7", "<1e-9"; a p of no number is "·" */
char *number_seconds(char out[NUMBER_TEXT], double s, bool ascii);             /* "41 ms", "4.1 s", "2 h" */

#endif
