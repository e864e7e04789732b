/* Evaluates the expressions of a stack, then fits the parts of each parent into it: parts below zero become 0, and the
 * remainder takes what the others leave. */
#include "core/stack/account.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/stack/stack.h"

#define ROUNDING 1e-9 /* relative to the parent: counts are exact to 2^-53, sums of 61 parts to a few times that */

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

static void
evaluate(const struct stack *s, const double *counter, struct stack_account *a)
{
	double *value = mem_new_array(s->n_values, sizeof *value);

	for (size_t i = 0; i < s->n_counters; i++)
		value[i] = counter[i];
	for (size_t i = 0; i < s->n_constants; i++)
		value[s->n_counters + i] = s->constant[i].value;
	a->whole = finite_or_nan(aexpr_value(s->whole, value));
	value[stack_value_of_whole(s)] = a->whole;
	a->figure = s->figure ? finite_or_nan(aexpr_value(s->figure, value)) : NAN;
	for (size_t k = 0; k < s->n_order; k++) {
		size_t part = s->order[k];
		struct stack_amount *m = &a->amount[part];

		m->raw = finite_or_nan(aexpr_value(s->part[part].e, value));
		value[stack_value_of_part(s, part)] = m->raw;
		m->negative = m->raw < -ROUNDING * fabs(a->whole);
		m->value = isnan(m->raw) ? NAN : fmax(m->raw, 0);
	}
	free(value);
}

/* Fit the parts of one parent. The parent's own value is final: parents come before their parts. */
static void
fit_level(const struct stack *s, struct stack_account *a, size_t parent, struct stack_fit *f)
{
	size_t rest = s->n_parts;
	double left;

	f->parent = parent == STACK_TOP ? a->whole : a->amount[parent].value;
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
			f->lifted += m->value - m->raw;
		}
	}
	left = f->parent - f->known;
	if (fabs(left) <= ROUNDING * fabs(f->parent))
		left = 0;
	f->over = isnan(left) ? NAN : fmax(-left, 0);
	if (rest < s->n_parts) {
		a->amount[rest].raw = left;
		a->amount[rest].value = isnan(left) ? NAN : fmax(left, 0);
	}
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
	free(a);
}
