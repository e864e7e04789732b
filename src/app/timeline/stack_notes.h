/* One observation by one method of accounting, and what must be known before it is believed. */
#ifndef APP_TIMELINE_STACK_NOTES_H
#define APP_TIMELINE_STACK_NOTES_H

#include <stdbool.h>

struct stack;
struct stack_account;
struct stack_counts;

/* Everything is somebody else's. */
struct stack_bar {
	const struct stack *stack;
	const bool *user_only; /* per counter: only its user part was in the data; NULL: not told */
	struct stack_counts *counts;
	struct stack_account *account;
};

/* A sentence each: counters that lack and what that takes away, parts below zero, parts that have more than the whole
 * and why that may be, what is left over. NULL-terminated; free with str_split_free(). */
char **stack_notes(const struct stack_bar *);

#endif
