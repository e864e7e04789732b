/* Which known name a user probably meant. */
#ifndef BASE_NEAR_H
#define BASE_NEAR_H

#include <stddef.h>

/* Returns the number of edits that turn a into b. Swapping two neighbours is one edit (optimal string alignment).
 * Returns limit + 1 when more than `limit` edits are needed. */
size_t near_distance(const char *a, const char *b, size_t limit);

/* Returns the name with the fewest edits from the word; of equally near names, the first. Returns NULL when none lies
 * within a third of the word's length (at least 1 edit, at most 3). Words above 100 bytes and lists above 20000 names
 * give NULL. */
const char *near_name(const char *word, const char *const *names, size_t n);

/* Returns "nearest: NAME" if some name is near, else "there are: A, B" if the names are few, else NULL. The caller
 * frees. */
char *near_hint(const char *word, const char *const *names, size_t n);

#endif
