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
find_lacks(struct lack_search *x, const struct aexpr *e)
{
	const struct stack *s = x->s;

	if (e->op == AEXPR_COUNTED)
		return;
	if (e->op == AEXPR_IF) {
		const struct aexpr *chosen = aexpr_chosen(e, x->value);

		find_lacks(x, e->arg[0]);
		if (chosen)
			find_lacks(x, chosen);
		return;
	}
	if (e->op == AEXPR_NAME && !x->seen[e->index]) {
		const struct aexpr *own;

		x->seen[e->index] = true;
		if (e->index < s->n_counters)
			x->lacks[e->index] = isnan(x->value[e->index]);
		own = e->index < stack_value_of_whole(s) ? NULL : stack_expression(s, stack_row_of(s, e->index));
		if (own)
			find_lacks(x, own);
	}
	for (int i = 0; i < 2; i++)
		if (e->arg[i])
			find_lacks(x, e->arg[i]);
}

size_t
stack_lacking(const struct stack *s, const double *counter, size_t row, bool *lacks)
{
	const struct aexpr *e = stack_expression(s, row);
	double *value = stack_values_new(s, counter);
	struct lack_search x = {s, value, mem_new_array(s->n_values, sizeof *x.seen), lacks};
	size_t n = 0;

	memset(lacks, 0, s->n_counters * sizeof *lacks);
	if (e)
		find_lacks(&x, e);
	for (size_t i = 0; i < s->n_counters; i++)
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
stack_spare_counters(const struct stack *s, bool *spare)
{
	struct spare_search x = {s, spare, mem_new_array(s->n_counters, sizeof *x.plain)};

	memset(spare, 0, s->n_counters * sizeof *spare);
	for (size_t row = 0; row < s->n_parts + 2 + s->n_value_items; row++)
		if (stack_expression(s, row))
			find_spare(&x, stack_expression(s, row), false);
	for (size_t i = 0; i < s->n_expects; i++) {
		find_spare(&x, s->expect[i].low, false);
		find_spare(&x, s->expect[i].high, false);
	}
	for (size_t i = 0; i < s->n_counters; i++)
		spare[i] = spare[i] && !x.plain[i];
	free(x.plain);
}

/* A part's value, or what the parts of a level have more than their parent. */
struct number {
	size_t part, level; /* STACK_TOP: not this one */
};

static double
tree_number_of(const struct stack *s, const double *counter, const struct number *n)
{
	double *value = stack_values_new(s, counter), sum = 0;

	if (n->part != STACK_TOP) {
		sum = value[stack_value_of_part(s, n->part)];
	} else {
		for (size_t i = 0; i < s->n_parts; i++)
			if (s->part[i].e && stack_level_of(s, i) == n->level)
				sum += value[stack_value_of_part(s, i)];
		sum -= value[n->level == s->n_parts ? stack_value_of_whole(s) : stack_value_of_part(s, n->level)];
	}
	free(value);
	return sum;
}

/* Whether the number is made of the counter. */
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
weights_of(const struct stack *s, const struct number *n)
{
	double *weight = mem_new_array(s->n_counters, sizeof *weight);
	bool *own = mem_new_array(s->n_values, sizeof *own);

	if (n->part != STACK_TOP)
		aexpr_each_name(s->part[n->part].e, mark_own, own);
	for (size_t i = s->n_parts; i-- > 0;)
		if (s->part[i].e && (n->part == STACK_TOP ? stack_level_of(s, i) == n->level
					: own[stack_value_of_part(s, i)]))
			aexpr_each_name(s->part[i].e, mark_own, own);
	for (size_t i = 0; i < s->n_counters; i++)
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
find_pull(const struct stack *s, double *counter, const struct number *n, bool added, struct stack_pull *pull)
{
	double *weight = weights_of(s, n), up = 0, down = 0, now = tree_number_of(s, counter, n);

	for (size_t i = 0; i < s->n_counters; i++) {
		double gain = needs(s, n, i) ? weight[i] * gain_of(s, counter, n, i, now) : 0;

		if (gain > up && (!added || s->adds[n->part * s->n_counters + i])) {
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
pull_of(const struct stack *s, const double *counter, const struct number *n)
{
	struct stack_pull pull = {s->n_counters, s->n_counters};
	double *own = mem_new_array(s->n_counters, sizeof *own);

	memcpy(own, counter, s->n_counters * sizeof *own);
	if (n->part != STACK_TOP && tree_number_of(s, own, n) < 0)
		find_pull(s, own, n, true, &pull);
	if (pull.up == s->n_counters)
		find_pull(s, own, n, false, &pull);
	free(own);
	return pull;
}

struct stack_pull
stack_pull_part(const struct stack *s, const double *counter, size_t part)
{
	struct stack_pull pull;

	if (s->part[part].e)
		return pull_of(s, counter, &(struct number){part, STACK_TOP});
	/* what the others leave: the opposite of their excess */
	pull = stack_pull_level(s, counter, stack_level_of(s, part));
	return (struct stack_pull){pull.down, pull.up};
}

struct stack_pull
stack_pull_level(const struct stack *s, const double *counter, size_t level)
{
	return pull_of(s, counter, &(struct number){STACK_TOP, level});
}
