/* Lists of numbers as command lines and sysfs write them: "3", "0,2-5". */
#ifndef BASE_NUMBER_LIST_H
#define BASE_NUMBER_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct err;

#define NUMBER_LIST_MOST 65536

/* Ascending, each once. Ranges only with `ranges`. False and *e (what is wrong with which part) when the text is no
 * list of numbers from `least` to `most`, or names more than NUMBER_LIST_MOST. The caller frees *list. */
bool number_list_parse(const char *text, bool ranges, int least, int most, int **list, size_t *n, struct err *e);

/* Put n numbers in ascending order, each once; returns how many are left. */
size_t number_list_sort(int *list, size_t n);

/* Is it there, or is there no list? */
bool number_list_has(const int *list, size_t n, int v);

#endif
