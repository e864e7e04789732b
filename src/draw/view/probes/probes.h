/* Parts of view 9. Private to its folder, except the popup. */
#ifndef DRAW_VIEW_PROBES_PROBES_H
#define DRAW_VIEW_PROBES_PROBES_H

#include "draw/view/view_table.h"
#include "work/probe/probe_book.h"

#define PROBE_TEXT 40

/* "✓", "≈", "≥", "?", "·": how far an answer can be trusted. */
const char *probe_mark(enum probe_trust);
enum role probe_role(enum probe_trust);

/* An answer with its unit: "48 KiB", "5 cyc", "128"; `out` is returned. `p` may be NULL. */
char *probe_value_text(char out[PROBE_TEXT], const struct probe *, double v);
/* The same for the answer that was found: "≥ 128" if it is a lower bound. */
char *probe_found_text(char out[PROBE_TEXT], const struct probe *, const struct probe_answer *);
/* The answer that is known: "512", or a range: "4..5 cyc". */
char *probe_known_text(char out[PROBE_TEXT], const struct probe_entry *);
/* A value of x: "48 KiB" if x is a footprint, else a number. */
char *probe_x_text(char out[PROBE_TEXT], const struct probe *, double x);
/* What the curve's values are: "cycles a pass". */
const char *probe_y_words(const struct probe *);

void title_curve(const struct state *, struct str *title, struct str *info);
void draw_curve(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
void title_meaning(const struct state *, struct str *title, struct str *info);
void draw_meaning(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);

#endif
