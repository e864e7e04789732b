/* One observation as one method of accounting sees it, and notes on how far to trust it. */
#ifndef WORK_TIMELINE_STACK_NOTES_H
#define WORK_TIMELINE_STACK_NOTES_H

#include <stdbool.h>

struct stack;
struct stack_account;
struct stack_counts;

/* All members are borrowed. */
struct stack_bar {
	const struct stack *stack;
	/* how its counters were found in recorded data; NULL: they are counted now */
	const struct columns_match *match;
	struct stack_counts *counts;
	struct stack_account *account;
};

/* Returns one sentence for each doubt: missing counters and what cannot be computed without them, parts below zero,
 * parts that add up to more than the whole and possible reasons, and the remainder. NULL-terminated; free with
 * str_split_free(). */
char **stack_notes(const struct stack_bar *);

#endif
