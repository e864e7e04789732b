/* Marks and words that say how far an event can be trusted, for view 0 and next to counters in other views. */
#ifndef DRAW_VIEW_VIEW_TRUST_H
#define DRAW_VIEW_VIEW_TRUST_H

#include "core/trust/trust.h"
#include "draw/view/view_page.h"

struct counter_item;
struct trust_entry;

enum role trust_role(enum trust_verdict);
const char *trust_mark(enum trust_verdict);

#define LETTERS_TEXT 16
/* "hpE", "·" for an event that is exact, "" where nothing is known */
char *trust_letters_text(char out[LETTERS_TEXT], trust_letters, enum trust_verdict);

/* The letters that a book has for the model's counter; "" if it says nothing. Returns `out`. */
char *counter_letters(const struct state *, size_t counter, char out[LETTERS_TEXT]);
/* Columns that the letters of the model's counters need, with a blank before them; 0: no counter has any. */
int counters_letters_width(const struct state *);
/* The same for counters of a network or a stack. `has`: only the counters for which it is true; NULL: all. */
char *item_letters(const struct state *, const struct counter_item *, char out[LETTERS_TEXT]);
int items_letters_width(const struct state *, const struct counter_item *, size_t n, const bool *has);

/* Writes a line for each letter: "h  each interrupt is counted, too". */
void page_letters(struct page *, trust_letters);
/* Writes what a book says: verdict, letters, terms of the error, its note and its source. */
void page_entry(struct page *, const struct trust_entry *);
/* Write that, below the head, for each counter of the model, for the counters of a network with has[], or for all of a
 * stack (has NULL). They write nothing if books say nothing about these counters. */
void page_counters_trust(struct page *, const char *head);
void page_items_trust(struct page *, const char *head, const struct counter_item *, size_t n, const bool *has);

#endif
