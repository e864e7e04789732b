/* Panes: title rules, focus, which panes go first when there is no room (docs/screens.md section 1). */
#ifndef DRAW_LAYOUT_H
#define DRAW_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/number.h"
#include "draw/cell.h"

/* A title rule over `r.w` columns at row r.y: "━ Title ━━━━ info ━" when focused (heavy, accent, bold), light
 * otherwise. The info goes first when there is no room; then the title loses its tail. Returns the rectangle below the
 * rule. */
struct rect draw_title(struct grid *, struct rect r, const char *title, const char *info, bool focus);

/* A boxed popup in the middle of `screen`: w × h with its border, at most W-8 × H-6 (the whole screen where that would
 * leave less than 24 × 5), heavy title rule; everything behind it is drawn dim. Returns the inside. */
struct rect draw_popup(struct grid *, struct rect screen, int w, int h, const char *title, const char *info);

/* Lines of text broken at blanks (or hard, where a word is longer) and at newlines to `columns`, until the clip's rows
 * are used up. Returns the rows used. */
int draw_wrapped(const struct pen *, int x, int y, int columns, const char *s);

/* A scrolling list: keeps `cursor` visible in `rows` rows, given the first row shown before; returns the new first row.
 */
int list_scroll(int first, int cursor, int n, int rows);

#endif
