/* Lists in options and short texts: "stride=64,loads=0.3", "branch,l1i", "sim:haswell:linear". A word that is refused
 * is shown within its list, with a caret. */
#ifndef TEXT_WORD_LIST_H
#define TEXT_WORD_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct err;

struct word_list {
	const char *text;
	char separator;
	char *word;           /* the current word, which the reader may change; owned */
	size_t next;          /* where the next word begins; above the length of the text if there is none */
	size_t at;            /* where the current word begins */
	size_t blame, length; /* the stretch of the text that is shown if the word is refused */
};

/* Returns the list in a text. An empty text is a list of one empty word. */
struct word_list word_list_of(const char *text, char separator);
/* Goes to the next word. Returns false if there is none. */
bool word_list_next(struct word_list *);
/* Cuts the word at the first `c`, and returns what follows it; NULL if there is no `c`. If the word is refused from now
 * on, the part before `c` is shown as wrong, or the part after it once word_list_blame_rest() was called. */
char *word_list_cut(struct word_list *, char c);
void word_list_blame_rest(struct word_list *);
/* Frees the list and returns `good`. If that is false, *e must hold the reason, and the place is added to it. */
bool word_list_end(struct word_list *, bool good, struct err *e);

/* Sets the hint for an unknown word: "nearest: NAME", or `lead` and all names ("there are NAME, NAME") if they fit.
 * Always returns false. Each of the n rows of `size` bytes begins with its name (a const char *), or NULL for none. */
bool word_list_hint(struct err *, const char *word, const char *lead, const void *rows, size_t n, size_t size);

#endif
