/* Evaluates the expressions of a stack, then fits the parts of each parent into it: the remainder takes what the others
 * leave, and is below zero where they have more than their parent. */
#include "core/stack/account.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/stack/stack.h"

#define SKEW 0.02     /* relative: counters that are read one after the other, or scaled up, differ by less */
#define ROUNDING 1e-9 /* relative: counts are exact to 2^-53, sums of 61 parts to a few times that */

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

/* The values of counters, constants, the whole and the parts with an expression, by their numbers. The caller frees. */
static double *
values_new(const struct stack *s, const double *counter)
{
	double *value = mem_new_array(s->n_values, sizeof *value);

	for (size_t i = 0; i < s->n_counters; i++)
		value[i] = counter[i];
	for (size_t i = 0; i < s->n_constants; i++)
		value[s->n_counters + i] = s->constant[i].value;
	value[stack_value_of_whole(s)] = finite_or_nan(aexpr_value(s->whole, value));
	for (size_t k = 0; k < s->n_order; k++)
		value[stack_value_of_part(s, s->order[k])] =
			finite_or_nan(aexpr_value(s->part[s->order[k]].e, value));
	return value;
}

static void
evaluate(const struct stack *s, const double *counter, struct stack_account *a)
{
	double *value = values_new(s, counter);

	a->whole = value[stack_value_of_whole(s)];
	a->figure = s->figure ? finite_or_nan(aexpr_value(s->figure, value)) : NAN;
	for (size_t k = 0; k < s->n_order; k++) {
		size_t part = s->order[k];
		struct stack_amount *m = &a->amount[part];

		m->value = value[stack_value_of_part(s, part)];
		m->negative = m->value < -ROUNDING * fabs(a->whole);
		if (m->value < 0 && !m->negative)
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

static const struct aexpr *
expression_of(const struct stack *s, size_t part)
{
	return part < s->n_parts ? s->part[part].e : part == s->n_parts ? s->whole : s->figure;
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
		return zero_divisor(d, e->index == whole ? d->s->whole : d->s->part[e->index - whole - 1].e);
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
	const struct aexpr *e = expression_of(s, part), *found;
	double *value = values_new(s, counter);
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
	f->over = isnan(left) ? NAN : fmax(-left, 0);
	if (rest < s->n_parts) {
		a->amount[rest].value = left;
		a->amount[rest].negative = left < 0;
	}
	left = left_of(lifted_parent, lifted, size);
	f->lifted_over = isnan(left) ? NAN : fmax(-left, 0);
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

struct stack_account *
stack_account_new(const struct stack *s, const double *counter)
{
	struct stack_account *a = mem_new(sizeof *a);

	a->n_parts = s->n_parts;
	a->amount = mem_new_array(s->n_parts, sizeof *a->amount);
	a->fit = mem_new_array(s->n_parts + 1, sizeof *a->fit);
	a->order = mem_new_array(s->n_expects, sizeof *a->order);
	evaluate(s, counter, a);
	a->whole_negative = a->whole < 0;
	fit_levels(s, a);
	for (size_t i = 0; i < s->n_parts; i++) {
		struct stack_amount *m = &a->amount[i];

		m->share = a->whole > 0 ? m->value / a->whole : NAN;
		m->figure = m->share * a->figure;
	}
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
