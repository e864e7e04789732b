#include "core/stack/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"

#define STEP 1e-3 /* relative change of a count, small against what makes a condition change its mind */

struct lack_search {
	const struct stack *s;
	const double *value;
	bool *seen; /* per number: searched already */
	bool *lacks;
};

static void
find_lacks(struct lack_search *search, const struct aexpr *aexpr)
{
	const struct stack *stack = search->s;

	if (aexpr->op == AEXPR_COUNTED)
		return;
	if (aexpr->op == AEXPR_IF) {
		const struct aexpr *chosen = aexpr_chosen(aexpr, search->value);

		find_lacks(search, aexpr->arg[0]);
		if (chosen)
			find_lacks(search, chosen);
		return;
	}
	if (aexpr->op == AEXPR_NAME && !search->seen[aexpr->index]) {
		const struct aexpr *own;

		search->seen[aexpr->index] = true;
		if (aexpr->index < stack->n_counters)
			search->lacks[aexpr->index] = isnan(search->value[aexpr->index]);
		own = aexpr->index < stack_value_of_whole(stack)
			? NULL
			: stack_expression(stack, stack_row_of(stack, aexpr->index));
		if (own)
			find_lacks(search, own);
	}
	for (int i = 0; i < 2; i++)
		if (aexpr->arg[i])
			find_lacks(search, aexpr->arg[i]);
}

size_t
stack_lacking(const struct stack *stack, const double *counter, size_t row, bool *lacks)
{
	const struct aexpr *aexpr = stack_expression(stack, row);
	double *value = stack_values_new(stack, counter, NULL);
	struct lack_search x = {stack, value, mem_new_array(stack->n_values, sizeof *x.seen), lacks};
	size_t n = 0;

	memset(lacks, 0, stack->n_counters * sizeof *lacks);
	if (aexpr)
		find_lacks(&x, aexpr);
	for (size_t i = 0; i < stack->n_counters; i++)
		n += lacks[i];
	free(x.seen);
	free(value);
	return n;
}

/* Where a formula names counters: everywhere, or only where counted() holds. */
struct spare_search {
	const struct stack *s;
	bool *spare, *plain;
};

static void
find_spare(struct spare_search *x, const struct aexpr *e, bool chosen)
{
	if (e->op == AEXPR_NAME && e->index < x->s->n_counters)
		(chosen ? x->spare : x->plain)[e->index] = true;
	for (int i = 0; i < 2; i++)
		if (e->arg[i] && e->op == AEXPR_IF && e->arg[0]->op == AEXPR_COUNTED)
			find_spare(x, i ? e->arg[1]->arg[0] : e->arg[0], true);
		else if (e->arg[i])
			find_spare(x, e->arg[i], chosen);
	if (e->op == AEXPR_IF && e->arg[0]->op == AEXPR_COUNTED)
		find_spare(x, e->arg[1]->arg[1], chosen);
}

void
stack_spare_counters(const struct stack *stack, bool *spare)
{
	struct spare_search x = {stack, spare, mem_new_array(stack->n_counters, sizeof *x.plain)};

	memset(spare, 0, stack->n_counters * sizeof *spare);
	for (size_t row = 0; row < stack->n_parts + 2 + stack->n_value_items; row++)
		if (stack_expression(stack, row))
			find_spare(&x, stack_expression(stack, row), false);
	for (size_t i = 0; i < stack->n_expects; i++) {
		find_spare(&x, stack->expect[i].low, false);
		find_spare(&x, stack->expect[i].high, false);
	}
	for (size_t i = 0; i < stack->n_counters; i++)
		spare[i] = spare[i] && !x.plain[i];
	free(x.plain);
}

/* A part's value, or what the parts of a level have more than their parent. */
struct number {
	size_t part, level; /* STACK_TOP: not this one */
	const bool *needed; /* the values that it is made of */
};

/* Values that a number is made of. */
struct needed {
	const struct stack *stack;
	bool *value; /* by number */
};

static void need_name(void *needed, const struct aexpr *name);

static void
need_value(struct needed *needed, size_t index)
{
	const struct aexpr *own;

	if (needed->value[index] || index < stack_value_of_whole(needed->stack))
		return;
	needed->value[index] = true;
	own = stack_expression(needed->stack, stack_row_of(needed->stack, index));
	if (own)
		aexpr_each_name(own, need_name, needed);
}

static void
need_name(void *needed, const struct aexpr *name)
{
	need_value(needed, name->index);
}

/* The caller frees. */
static bool *
needed_by(const struct stack *stack, const struct number *number)
{
	struct needed needed = {stack, mem_new_array(stack->n_values, sizeof *needed.value)};

	for (size_t i = 0; i < stack->n_parts; i++)
		if (number->part == i || (number->part == STACK_TOP && stack_level_of(stack, i) == number->level))
			need_value(&needed, stack_value_of_part(stack, i));
	if (number->part == STACK_TOP)
		need_value(&needed, number->level == stack->n_parts ? stack_value_of_whole(stack)
								   : stack_value_of_part(stack, number->level));
	return needed.value;
}

static double
tree_number_of(const struct stack *stack, const double *counter, const struct number *number)
{
	double *value = stack_values_new(stack, counter, number->needed), sum = 0;

	if (number->part != STACK_TOP) {
		sum = value[stack_value_of_part(stack, number->part)];
	} else {
		for (size_t i = 0; i < stack->n_parts; i++)
			if (stack->part[i].e && stack_level_of(stack, i) == number->level)
				sum += value[stack_value_of_part(stack, i)];
		sum -= value[number->level == stack->n_parts ? stack_value_of_whole(stack)
							     : stack_value_of_part(stack, number->level)];
	}
	free(value);
	return sum;
}

/* Returns whether the number is made of the counter. */
static bool
needs(const struct stack *s, const struct number *n, size_t counter)
{
	if (n->part != STACK_TOP)
		return stack_uses(s, n->part, counter);
	for (size_t i = 0; i < s->n_parts; i++)
		if (stack_level_of(s, i) == n->level && stack_uses(s, i, counter))
			return true;
	return stack_uses(s, n->level, counter);
}

/* Counters that a part's own formula names, or that of another part in it; the rest come by values that many formulas
 * share, such as cycles or the clock. They count half, so that what is special about the part is named first. */
static void
mark_own(void *ctx, const struct aexpr *name)
{
	bool *own = ctx;

	own[name->index] = true;
}

static double *
weights_of(const struct stack *stack, const struct number *number)
{
	double *weight = mem_new_array(stack->n_counters, sizeof *weight);
	bool *own = mem_new_array(stack->n_values, sizeof *own);

	if (number->part != STACK_TOP)
		aexpr_each_name(stack->part[number->part].e, mark_own, own);
	for (size_t i = stack->n_parts; i-- > 0;)
		if (stack->part[i].e && (number->part == STACK_TOP ? stack_level_of(stack, i) == number->level
					: own[stack_value_of_part(stack, i)]))
			aexpr_each_name(stack->part[i].e, mark_own, own);
	for (size_t i = 0; i < stack->n_counters; i++)
		weight[i] = own[i] ? 1 : 0.5;
	free(own);
	return weight;
}

/* What raising a count a little does to the number. */
static double
gain_of(const struct stack *s, double *counter, const struct number *n, size_t i, double now)
{
	double before = counter[i], gain;

	counter[i] = before * (1 + STEP);
	gain = tree_number_of(s, counter, n) - now;
	counter[i] = before;
	return gain;
}

/* A part below zero is a difference: what pulls it up is what the difference is taken from, and not a divisor, which
 * only brings any number nearer to zero. `added`: only counters with no minus sign, and no divisors, pull up. */
static void
find_pull(const struct stack *stack, double *counter, const struct number *n, bool added, struct stack_pull *pull)
{
	double *weight = weights_of(stack, n), up = 0, down = 0, now = tree_number_of(stack, counter, n);

	for (size_t i = 0; i < stack->n_counters; i++) {
		double gain = needs(stack, n, i) ? weight[i] * gain_of(stack, counter, n, i, now) : 0;

		if (gain > up && (!added || stack->adds[n->part * stack->n_counters + i])) {
			up = gain;
			pull->up = i;
		} else if (gain < down) {
			down = gain;
			pull->down = i;
		}
	}
	free(weight);
}

static struct stack_pull
pull_of(const struct stack *stack, const double *counter, size_t part, size_t level)
{
	struct stack_pull pull = {stack->n_counters, stack->n_counters};
	double *own = mem_new_array(stack->n_counters, sizeof *own);
	struct number number = {part, level, NULL};
	bool *needed = needed_by(stack, &number);

	number.needed = needed;
	memcpy(own, counter, stack->n_counters * sizeof *own);
	if (part != STACK_TOP && tree_number_of(stack, own, &number) < 0)
		find_pull(stack, own, &number, true, &pull);
	if (pull.up == stack->n_counters)
		find_pull(stack, own, &number, false, &pull);
	free(needed);
	free(own);
	return pull;
}

struct stack_pull
stack_pull_part(const struct stack *s, const double *counter, size_t part)
{
	struct stack_pull pull;

	if (s->part[part].e)
		return pull_of(s, counter, part, STACK_TOP);
	/* what the others leave: the opposite of their excess */
	pull = stack_pull_level(s, counter, stack_level_of(s, part));
	return (struct stack_pull){pull.down, pull.up};
}

struct stack_pull
stack_pull_level(const struct stack *s, const double *counter, size_t level)
{
	return pull_of(s, counter, STACK_TOP, level);
}
