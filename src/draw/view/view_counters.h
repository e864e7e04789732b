/* Counters behind a number of a network: which ones, what they said, and why they lack. */
#ifndef DRAW_VIEW_VIEW_COUNTERS_H
#define DRAW_VIEW_VIEW_COUNTERS_H

#include "draw/view/view_page.h"

struct aexpr;

/* Sets has[] of each counter that the expression needs, itself or through the values of other modules that it names. */
void counters_mark(const struct state *, const struct aexpr *, bool *has);

/* A line each, with a head; `owners`: of so many together, when more than one. Nothing when none is marked. */
void counters_tell(const struct state *, struct page *, const bool *has, size_t owners);

/* "wait      350 cycles": dim words left, a number at the right edge. */
void page_number(struct page *, const char *what, const char *number, enum role);

#endif
