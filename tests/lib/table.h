/* Comparison of observation tables, bit by bit, and of their notes. */
#ifndef TESTS_LIB_TABLE_H
#define TESTS_LIB_TABLE_H

#include <stdbool.h>

struct err;
struct obs_table;

/* Returns the table as lines: columns, observations with their rows, notes. Without a table, returns the error's text.
 * The caller frees it. */
char *table_text(const struct obs_table *, const struct err *);

/* Returns the first difference, which the caller frees; NULL: both are equal. It compares columns, observations with
 * their rows, and notes. Where there is no table, it compares the error. */
char *table_difference(
	const struct obs_table *a, const struct err *ea, const struct obs_table *b, const struct err *eb);

/* Checks the table that tests/data/FOLDER/FILE gives against the text tests/data/EXPECT/expect/FILE, or exact_FILE for
 * exact totals. A missing text fails. HECATE_WRITE_EXPECT=FOLDER writes the texts there. */
void table_check_file(const char *folder, const char *expect, const char *file, bool exact);

#endif
