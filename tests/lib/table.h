/* Observation tables compared, bit by bit, and what was said of them. */
#ifndef TESTS_LIB_TABLE_H
#define TESTS_LIB_TABLE_H

#include <stdbool.h>

struct err;
struct obs_table;

/* NULL when both are equal: columns, observations with their rows, notes; or, without a table, the error. Else what
 * differs first, which the caller frees. */
char *table_difference(
	const struct obs_table *a, const struct err *ea, const struct obs_table *b, const struct err *eb);

#endif
