/* Lists of numbers as command lines and sysfs write them: "3", "0,2-5". */
#ifndef BASE_NUMBER_LIST_H
#define BASE_NUMBER_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct err;

#define NUMBER_LIST_MOST 65536

/* The numbers of a list, ascending, each once; the caller frees *list. Ranges are allowed only with `ranges`. False and
 * *e, which names the wrong part, when the text is no list of numbers from `least` to `most` or has more than
 * NUMBER_LIST_MOST of them. */
bool number_list_parse(const char *text, bool ranges, int least, int most, int **list, size_t *n, struct err *e);

/* Sorts n numbers and drops repeated ones; returns how many remain. */
size_t number_list_sort(int *list, size_t n);

/* Returns whether v is in the list. Returns true when there is no list (NULL). */
bool number_list_has(const int *list, size_t n, int v);

#endif
