/* How well a few typed letters fit a name. */
#ifndef BASE_FUZZY_H
#define BASE_FUZZY_H

/* Returns a score above 0 if the characters of the pattern stand in the text in this order, else 0. Case and blanks of
 * the pattern do not matter. Characters at the start of a word, and characters next to each other, score more; an empty
 * pattern fits everything with 1. Patterns above 64 characters fit nothing, and of a text only the first 256 count. */
int fuzzy_score(const char *pattern, const char *text);

#endif
