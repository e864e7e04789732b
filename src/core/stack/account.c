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

double *
stack_values_new(const struct stack *s, const double *counter)
{
	double *value = mem_new_array(s->n_values, sizeof *value);

	for (size_t i = 0; i < s->n_counters; i++)
		value[i] = counter[i];
	for (size_t i = 0; i < s->n_constants; i++)
		value[s->n_counters + i] = s->constant[i].value;
	for (size_t i = 0; i < s->n_value_items; i++)
		value[stack_value_of_item(s, i)] = finite_or_nan(aexpr_value(s->value[i].e, value));
	value[stack_value_of_whole(s)] = finite_or_nan(aexpr_value(s->whole, value));
	for (size_t k = 0; k < s->n_order; k++)
		value[stack_value_of_part(s, s->order[k])] =
			finite_or_nan(aexpr_value(s->part[s->order[k]].e, value));
	return value;
}

static void
account_evaluate(const struct stack *s, const double *counter, struct stack_account *a)
{
	double *value = stack_values_new(s, counter);

	a->whole = value[stack_value_of_whole(s)];
	a->figure = s->figure ? finite_or_nan(aexpr_value(s->figure, value)) : NAN;
	for (size_t k = 0; k < s->n_order; k++) {
		size_t part = s->order[k];
		struct stack_amount *m = &a->amount[part];

		m->value = value[stack_value_of_part(s, part)];
		m->negative = m->value < -ROUNDING * fabs(a->whole);
		if (m->value < 0 && !m->negative && !s->tree.family)
			m->value = 0;
		m->lifted = isnan(m->value) ? NAN : fmax(m->value, 0);
	}
	for (size_t i = 0; i < s->n_expects; i++) {
		struct stack_order *o = &a->order[i];

		o->low = finite_or_nan(aexpr_value(s->expect[i].low, value));
		o->high = finite_or_nan(aexpr_value(s->expect[i].high, value));
		o->broken = o->low > o->high + SKEW * fabs(o->high); /* false where one of them is unknown */
	}
	free(value);
}

struct divisor_search {
	const struct stack *s;
	const double *value;
	bool *seen; /* per value: searched already, as parts may use others many times */
};

static const struct aexpr *
zero_divisor(struct divisor_search *d, const struct aexpr *e)
{
	size_t whole = stack_value_of_whole(d->s);
	const struct aexpr *found = NULL;

	if (e->op == AEXPR_NAME && e->index >= whole) {
		if (d->seen[e->index])
			return NULL;
		d->seen[e->index] = true;
		return zero_divisor(d, stack_expression(d->s, stack_row_of(d->s, e->index)));
	}
	if (e->op == AEXPR_IF) {
		const struct aexpr *chosen = aexpr_chosen(e, d->value);

		found = zero_divisor(d, e->arg[0]);
		return found || !chosen ? found : zero_divisor(d, chosen);
	}
	if (e->op == AEXPR_DIVIDE && aexpr_value(e->arg[1], d->value) == 0)
		return e->arg[1];
	for (int i = 0; i < 2 && !found; i++)
		if (e->arg[i])
			found = zero_divisor(d, e->arg[i]);
	return found;
}

const struct aexpr *
stack_zero_divisor(const struct stack *s, const double *counter, size_t part)
{
	const struct aexpr *e = stack_expression(s, part), *found;
	double *value = stack_values_new(s, counter);
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
fit_level(const struct stack *s, struct stack_account *a, size_t parent, struct stack_fit *f)
{
	size_t rest = s->n_parts;
	bool sums = s->tree.sums[parent == STACK_TOP ? s->n_parts : parent];
	double lifted_parent = parent == STACK_TOP ? a->whole : a->amount[parent].lifted, lifted = 0, size, left;

	f->parent = parent == STACK_TOP ? a->whole : a->amount[parent].value;
	size = fabs(f->parent);
	for (size_t i = 0; i < s->n_parts; i++) {
		const struct stack_amount *m = &a->amount[i];

		if (s->part[i].parent != parent)
			continue;
		if (s->part[i].rest) {
			rest = i;
		} else if (isnan(m->value)) {
			f->n_unknown++;
		} else {
			f->known += m->value;
			lifted += m->lifted;
			size = fmax(size, fabs(m->value));
		}
	}
	left = left_of(f->parent, f->known, size);
	f->over = isnan(left) ? NAN : sums ? fmax(-left, 0) : 0;
	f->under = !isnan(left) && sums && rest == s->n_parts && !f->n_unknown ? fmax(left, 0) : 0;
	if (rest < s->n_parts) {
		a->amount[rest].value = left;
		a->amount[rest].negative = left < 0;
	}
	left = left_of(lifted_parent, lifted, size);
	f->lifted_over = isnan(left) ? NAN : sums ? fmax(-left, 0) : 0;
	if (rest < s->n_parts)
		a->amount[rest].lifted = isnan(left) ? NAN : fmax(left, 0);
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
 * node that another one is worth a look for has no such condition itself. */
static void
judge_nodes(const struct stack *s, struct stack_account *a)
{
	for (size_t i = 0; i < s->n_parts; i++) {
		const struct stack_part *p = &s->part[i];

		a->amount[i].flagged = a->amount[i].share > p->limit.above &&
			(p->limit.alone || p->parent == STACK_TOP || a->amount[p->parent].chained);
		a->amount[i].chained = a->amount[i].flagged;
	}
	for (size_t i = 0; i < s->n_parts; i++)
		if (s->part[i].limit.or_part != STACK_TOP && a->amount[s->part[i].limit.or_part].flagged)
			a->amount[i].flagged = true;
}

struct stack_account *
stack_account_new(const struct stack *s, const double *counter)
{
	struct stack_account *a = mem_new(sizeof *a);

	a->n_parts = s->n_parts;
	a->amount = mem_new_array(s->n_parts, sizeof *a->amount);
	a->fit = mem_new_array(s->n_parts + 1, sizeof *a->fit);
	a->order = mem_new_array(s->n_expects, sizeof *a->order);
	account_evaluate(s, counter, a);
	a->whole_negative = a->whole < 0;
	fit_levels(s, a);
	for (size_t i = 0; i < s->n_parts; i++) {
		struct stack_amount *m = &a->amount[i];

		m->share = a->whole > 0 ? m->value / a->whole : NAN;
		m->figure = m->share * a->figure;
	}
	judge_nodes(s, a);
	return a;
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
