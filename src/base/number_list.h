/* Lists of numbers as command lines and sysfs write them: "3", "0,2-5". */
#ifndef BASE_NUMBER_LIST_H
#define BASE_NUMBER_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct err;

#define NUMBER_LIST_MOST 65536

/* Reads the numbers of a list into *list, ascending, each once; the caller frees *list. Ranges are allowed only if
 * `ranges` is true. If the text is no list of numbers from `least` to `most`, or has more than NUMBER_LIST_MOST of
 * them, returns false and sets *e, which names the wrong part. */
bool number_list_parse(const char *text, bool ranges, int least, int most, int **list, size_t *n, struct err *e);

/* Sorts n numbers and drops repeated ones; returns how many remain. */
size_t number_list_sort(int *list, size_t n);

/* Returns whether v is in the list; true if there is no list (NULL). */
bool number_list_has(const int *list, size_t n, int v);

#endif
