/* Title rules, boxed popups, wrapped text and lists that scroll (docs/screens.md, section 1). */
#ifndef DRAW_LAYOUT_H
#define DRAW_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/number.h"
#include "draw/cell.h"

/* Draws a title rule of `r.w` columns at row r.y: "━ Title ━━━━ info ━", heavy, in the accent colour and bold with
 * focus, else light. Without room for both the info is left out, then the title loses its tail. Returns the rectangle
 * below the rule. */
struct rect draw_title(struct grid *, struct rect r, const char *title, const char *info, bool focus);

/* Where it puts the info; w is 0 if it is left out. */
struct rect title_info(struct grid *, struct rect r, const char *title, const char *info);

/* Draws a boxed popup of w × h in the middle of `screen`, border included, with a heavy title rule; dims everything
 * outside it. It has at most W-8 × H-6, or the whole screen if that leaves less than 24 × 5. Returns the inside. */
struct rect draw_popup(struct grid *, struct rect screen, int w, int h, const char *title, const char *info);

/* Draws text broken at newlines and at blanks (within a word if it is longer) to `columns`, as far as the clip has
 * rows. Returns the rows used. */
int draw_wrapped(const struct pen *, int x, int y, int columns, const char *s);

/* Returns the first row to show of a scrolling list, so that `cursor` is visible in `rows` rows. `first`: the first row
 * shown before. */
int list_scroll(int first, int cursor, int n, int rows);

#endif
