/* Why a node of a tree has no value, or an impossible one: the counters that are missing, or the two counts that
 * contradict each other. */
#ifndef CORE_STACK_TREE_H
#define CORE_STACK_TREE_H

#include <stdbool.h>
#include <stddef.h>

struct stack;

/* Marks the counters that a row of stack.uses needs and that have no count: lacks[i] for counter i. Of the two values
 * of a condition, only the chosen one matters. Returns the number of marked counters. counter[i]: as for
 * stack_account_new(). */
size_t stack_lacking(const struct stack *, const double *counter, size_t row, bool *lacks);

/* Marks the counters that are needed only by formulas chosen by counted(): spare[i] for counter i. The alternative
 * formulas do not need them, so they need not be counted. */
void stack_spare_counters(const struct stack *, bool *spare);

/* The counters that raise and lower a number most; n_counters: none does. If the number is impossible, the two
 * contradict each other: one of them is too large for the other. */
struct stack_pull {
	size_t up, down;
};
struct stack_pull stack_pull_part(const struct stack *, const double *counter, size_t part);
/* The same for the excess of a level's parts over their parent. `level` n_parts: the level of the whole. */
struct stack_pull stack_pull_level(const struct stack *, const double *counter, size_t level);

#endif
