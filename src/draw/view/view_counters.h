/* The counters behind a number of a network: their names, their counts, and why one is missing. */
#ifndef DRAW_VIEW_VIEW_COUNTERS_H
#define DRAW_VIEW_VIEW_COUNTERS_H

#include "draw/view/view_page.h"

struct aexpr;

/* Sets has[] of each counter that the expression needs, directly or through values of other modules. */
void counters_mark(const struct state *, const struct aexpr *, bool *has);

/* Writes a head and a line for each marked counter, if any is marked. `owners`: how many share the counts. */
void page_counters(const struct state *, struct page *, const bool *has, size_t owners);
/* Writes what books say about the marked counters, if they say anything. */
void page_marked_trust(const struct state *, struct page *, const bool *has);

/* Writes "PGF  page faults handled for any task" for each marked counter of the model that has a text, while the page
 * has room. has[] has an entry for each counter. */
void page_counter_texts(struct page *, const bool *has);
/* The same for the counters of a constraint. */
struct constraint;
void page_constraint_texts(struct page *, const struct constraint *);

/* "wait 350 cycles": dim words on the left, a number at the right edge. */
void page_number(struct page *, const char *what, const char *number, enum role);

#endif
