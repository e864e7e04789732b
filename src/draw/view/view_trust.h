/* How far an event can be trusted, in marks and words: for view 0, and next to counters in other views. */
#ifndef DRAW_VIEW_VIEW_TRUST_H
#define DRAW_VIEW_VIEW_TRUST_H

#include "core/trust/trust.h"
#include "draw/view/view_page.h"

struct trust_entry;

enum role trust_role(enum trust_verdict);
const char *trust_mark(enum trust_verdict);

#define LETTERS_TEXT 16
/* "hpE", "·" for an event that is exact, "" where nothing is known */
char *trust_letters_text(char out[LETTERS_TEXT], trust_letters, enum trust_verdict);

/* The letters of the model's counter, as a book has them; "" if it says nothing. `out` is returned. */
char *counter_letters(const struct state *, size_t counter, char out[LETTERS_TEXT]);
/* Columns that the letters of the model's counters need, with a blank before them; 0: no counter has any. */
int counters_letters_width(const struct state *);

/* A line for each letter: "h  each interrupt is counted, too". */
void page_letters(struct page *, trust_letters);
/* What a book says: verdict, letters, terms of the error, its note and its source. */
void page_entry(struct page *, const struct trust_entry *);
/* The same as text, a paragraph for each counter of the model of which a book says something; "" if of none. */
struct str;
void add_counters_trust(const struct state *, struct str *);

#endif
