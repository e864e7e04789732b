/* Which known name a user probably meant. */
#ifndef BASE_NEAR_H
#define BASE_NEAR_H

#include <stddef.h>

/* Returns the number of edits that turn a into b. Swapping two neighbours is one edit (optimal string alignment).
 * Returns limit + 1 when more than `limit` edits are needed. */
size_t near_distance(const char *a, const char *b, size_t limit);

#define NEAR_MOST 3

/* Finds the names that a user may have meant, the most likely first. Returns how many there are, and their numbers in
 * `out`. First come names that differ by few edits: a third of the word's length, at least 1 and at most 3. Then come
 * names that have all words of `word` in any order, if it has three letters; a word may be cut off, and one of five
 * letters may lack one edit. Case, and which sign stands between words, do not matter. Of equally near names the first
 * wins; a name that stands twice is found once. Words above 100 bytes find nothing. */
size_t near_find(const char *word, const char *const *names, size_t n, size_t out[NEAR_MOST]);

/* Returns the first name that near_find() finds; NULL: none. */
const char *near_name(const char *word, const char *const *names, size_t n);

/* Returns "nearest: A, B, C"; NULL if no name is near. The caller frees. */
char *near_text(const char *word, const char *const *names, size_t n);

/* The same, but without a near name "there are: A, B" if the names are few. */
char *near_hint(const char *word, const char *const *names, size_t n);

#endif
