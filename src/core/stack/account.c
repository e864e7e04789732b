/* Evaluates the expressions of a stack, then fits the parts of each parent into it: the remainder takes what the others
 * leave, and is below zero where they have more than their parent. */
#include "core/stack/account.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/stack/stack.h"

#define SKEW 0.02     /* relative: counters that are read one after the other, or scaled up, differ by less */
#define ROUNDING 1e-9 /* relative: counts are exact to 2^-53, sums of parts to a few times that */

static bool
has_parts(const struct stack *s, size_t parent)
{
	for (size_t i = 0; i < s->n_parts; i++)
		if (s->part[i].parent == parent)
			return true;
	return false;
}

/* An overflow counts as unknown. */
static double
finite_or_nan(double v)
{
	return isfinite(v) ? v : NAN;
}

/* Computes the value with this number if it is needed. Those that it uses have been computed. */
static void
take_value(const struct stack *stack, size_t index, const bool *needed, double *value)
{
	if (!needed || needed[index])
		value[index] = finite_or_nan(aexpr_value(stack_expression(stack, stack_row_of(stack, index)), value));
}

double *
stack_values_new(const struct stack *stack, const double *counter, const bool *needed)
{
	double *value = mem_new_array(stack->n_values, sizeof *value);

	for (size_t i = 0; i < stack->n_counters; i++)
		value[i] = counter[i];
	for (size_t i = 0; i < stack->n_constants; i++)
		value[stack->n_counters + i] = stack->constant[i].value;
	for (size_t i = 0; i < stack->n_value_items; i++)
		take_value(stack, stack_value_of_item(stack, i), needed, value);
	take_value(stack, stack_value_of_whole(stack), needed, value);
	for (size_t k = 0; k < stack->n_order; k++)
		take_value(stack, stack_value_of_part(stack, stack->order[k]), needed, value);
	return value;
}

static void
account_evaluate(const struct stack *stack, const double *counter, struct stack_account *account)
{
	double *value = stack_values_new(stack, counter, NULL);

	account->whole = value[stack_value_of_whole(stack)];
	account->figure = stack->figure ? finite_or_nan(aexpr_value(stack->figure, value)) : NAN;
	for (size_t k = 0; k < stack->n_order; k++) {
		size_t part = stack->order[k];
		struct stack_amount *amount = &account->amount[part];

		amount->value = value[stack_value_of_part(stack, part)];
		amount->negative = amount->value < -ROUNDING * fabs(account->whole);
		if (amount->value < 0 && !amount->negative && !stack->tree.family)
			amount->value = 0;
		amount->lifted = isnan(amount->value) ? NAN : fmax(amount->value, 0);
	}
	for (size_t i = 0; i < stack->n_expects; i++) {
		struct stack_order *order = &account->order[i];

		order->low = finite_or_nan(aexpr_value(stack->expect[i].low, value));
		order->high = finite_or_nan(aexpr_value(stack->expect[i].high, value));
		order->broken = order->low >
			order->high + SKEW * fabs(order->high); /* false where one of them is unknown */
	}
	free(value);
}

struct divisor_search {
	const struct stack *s;
	const double *value;
	bool *seen; /* per value: searched already, as parts may use others many times */
};

static const struct aexpr *
zero_divisor(struct divisor_search *search, const struct aexpr *aexpr)
{
	size_t whole = stack_value_of_whole(search->s);
	const struct aexpr *found = NULL;

	if (aexpr->op == AEXPR_NAME && aexpr->index >= whole) {
		if (search->seen[aexpr->index])
			return NULL;
		search->seen[aexpr->index] = true;
		return zero_divisor(search, stack_expression(search->s, stack_row_of(search->s, aexpr->index)));
	}
	if (aexpr->op == AEXPR_IF) {
		const struct aexpr *chosen = aexpr_chosen(aexpr, search->value);

		found = zero_divisor(search, aexpr->arg[0]);
		return found || !chosen ? found : zero_divisor(search, chosen);
	}
	if (aexpr->op == AEXPR_DIVIDE && aexpr_value(aexpr->arg[1], search->value) == 0)
		return aexpr->arg[1];
	for (int i = 0; i < 2 && !found; i++)
		if (aexpr->arg[i])
			found = zero_divisor(search, aexpr->arg[i]);
	return found;
}

const struct aexpr *
stack_zero_divisor(const struct stack *s, const double *counter, size_t part)
{
	const struct aexpr *e = stack_expression(s, part), *found;
	double *value = stack_values_new(s, counter, NULL);
	struct divisor_search d = {s, value, mem_new_array(s->n_values, sizeof *d.seen)};

	found = e ? zero_divisor(&d, e) : NULL;
	free(d.seen);
	free(value);
	return found;
}

/* What `known` leaves of the whole; 0 if that is rounding next to `size`. */
static double
left_of(double whole, double known, double size)
{
	double left = whole - known;

	return fabs(left) <= ROUNDING * size ? 0 : left;
}

/* Fit the parts of one parent. The parent's own value is final: parents come before their parts. */
static void
fit_level(const struct stack *stack, struct stack_account *account, size_t parent, struct stack_fit *fit)
{
	size_t rest = stack->n_parts;
	bool sums = stack->tree.sums[parent == STACK_TOP ? stack->n_parts : parent];
	double lifted_parent = parent == STACK_TOP ? account->whole : account->amount[parent].lifted, lifted = 0, size,
	       left;

	fit->parent = parent == STACK_TOP ? account->whole : account->amount[parent].value;
	size = fabs(fit->parent);
	for (size_t i = 0; i < stack->n_parts; i++) {
		const struct stack_amount *amount = &account->amount[i];

		if (stack->part[i].parent != parent)
			continue;
		if (stack->part[i].rest) {
			rest = i;
		} else if (isnan(amount->value)) {
			fit->n_unknown++;
		} else {
			fit->known += amount->value;
			lifted += amount->lifted;
			size = fmax(size, fabs(amount->value));
		}
	}
	left = left_of(fit->parent, fit->known, size);
	fit->over = isnan(left) ? NAN : sums ? fmax(-left, 0) : 0;
	fit->under = !isnan(left) && sums && rest == stack->n_parts && !fit->n_unknown ? fmax(left, 0) : 0;
	if (rest < stack->n_parts) {
		account->amount[rest].value = left;
		account->amount[rest].negative = left < 0;
	}
	left = left_of(lifted_parent, lifted, size);
	fit->lifted_over = isnan(left) ? NAN : sums ? fmax(-left, 0) : 0;
	if (rest < stack->n_parts)
		account->amount[rest].lifted = isnan(left) ? NAN : fmax(left, 0);
}

static void
fit_levels(const struct stack *s, struct stack_account *a)
{
	fit_level(s, a, STACK_TOP, &a->fit[s->n_parts]);
	for (size_t i = 0; i < s->n_parts; i++)
		if (has_parts(s, i))
			fit_level(s, a, i, &a->fit[i]);
}

/* A node is worth a look if it is above its limit, and its parent is worth one. Parents come before their parts, and a
 * node named by another node's `or` has no such condition itself. */
static void
judge_nodes(const struct stack *stack, struct stack_account *account)
{
	for (size_t i = 0; i < stack->n_parts; i++) {
		const struct stack_part *part = &stack->part[i];

		account->amount[i].flagged = account->amount[i].share > part->limit.above &&
			(part->limit.alone || part->parent == STACK_TOP || account->amount[part->parent].chained);
		account->amount[i].chained = account->amount[i].flagged;
	}
	for (size_t i = 0; i < stack->n_parts; i++)
		if (stack->part[i].limit.or_part != STACK_TOP && account->amount[stack->part[i].limit.or_part].flagged)
			account->amount[i].flagged = true;
}

struct stack_account *
stack_account_new(const struct stack *stack, const double *counter)
{
	struct stack_account *account = mem_new(sizeof *account);

	account->n_parts = stack->n_parts;
	account->amount = mem_new_array(stack->n_parts, sizeof *account->amount);
	account->fit = mem_new_array(stack->n_parts + 1, sizeof *account->fit);
	account->order = mem_new_array(stack->n_expects, sizeof *account->order);
	account_evaluate(stack, counter, account);
	account->whole_negative = account->whole < 0;
	fit_levels(stack, account);
	for (size_t i = 0; i < stack->n_parts; i++) {
		struct stack_amount *amount = &account->amount[i];

		amount->share = account->whole > 0 ? amount->value / account->whole : NAN;
		amount->figure = amount->share * account->figure;
	}
	judge_nodes(stack, account);
	return account;
}

void
stack_account_free(struct stack_account *a)
{
	if (!a)
		return;
	free(a->amount);
	free(a->fit);
	free(a->order);
	free(a);
}
