/* Why a node of a tree has no value, or an impossible one: the counters that it lacks, and the two counts that
 * contradict each other. */
#ifndef CORE_STACK_TREE_H
#define CORE_STACK_TREE_H

#include <stdbool.h>
#include <stddef.h>

struct stack;

/* Marks the counters that a row of stack.uses needs and that have no count: lacks[i] for counter i. Of the two
 * values that a condition chooses from, only the chosen one counts. Returns how many. counter[i]: as for
 * stack_account_new(). */
size_t stack_lacking(const struct stack *, const double *counter, size_t row, bool *lacks);

/* Marks the counters that only a formula needs which counted() chooses: spare[i] for counter i. Other formulas do
 * without them, so nothing has to count them. */
void stack_spare_counters(const struct stack *, bool *spare);

/* The two counters that pull a number most, one up and one down; n_counters: none does. They contradict each other if
 * the number is impossible: one of them is too large for the other. */
struct stack_pull {
	size_t up, down;
};
struct stack_pull stack_pull_part(const struct stack *, const double *counter, size_t part);
/* Of what the parts of a level have more than their parent. n_parts: the level of the whole. */
struct stack_pull stack_pull_level(const struct stack *, const double *counter, size_t level);

#endif
