/* Shared by the files of view 8: the lists and the course (phases.c), and what changed (changed.c). */
#ifndef DRAW_VIEW_PHASES_PHASES_H
#define DRAW_VIEW_PHASES_PHASES_H

#include "draw/view/view_table.h"

struct phase_change;
struct phases;

/* A phase's letter: A to Z, then A1, B1, … */
char *phase_name(char out[NUMBER_TEXT], size_t phase);
/* When a row begins: "412 s", or "row 413". */
char *phase_time(char out[NUMBER_TEXT], const struct phases *, size_t row);
/* "×1.31", "·" */
char *phase_ratio(char out[NUMBER_TEXT], double ratio);
char *phase_value(char out[NUMBER_TEXT], double v);

/* Panes. */
void title_phase_changed(const struct state *, struct str *title, struct str *info);
void draw_phase_changed(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);

#endif
