/* The name that was probably meant. */
#ifndef BASE_NEAR_H
#define BASE_NEAR_H

#include <stddef.h>

/* Edits from a to b, two neighbours swapped being one (optimal string alignment); above `limit` it is limit + 1. */
size_t near_distance(const char *a, const char *b, size_t limit);

/* The nearest name within a third of the word's length (at least 1, at most 3 edits), ties by order; NULL when there is
 * none. Words longer than 100 bytes and more than 20000 names are not looked at. */
const char *near_name(const char *word, const char *const *names, size_t n);

/* "nearest: NAME"; or, when none is near and they are few, "there are: A, B"; or NULL. The caller frees. */
char *near_hint(const char *word, const char *const *names, size_t n);

#endif
