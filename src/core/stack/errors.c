#include "core/stack/errors.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"

size_t
stack_part_called(const struct stack *s, const char *name)
{
	size_t i = 0;

	while (i < s->n_parts && (s->part[i].implied || !str_eq(s->part[i].name, name)))
		i++;
	return i;
}

struct stack_errors *
stack_errors_new(const struct stack *s, const struct stack_account *account, const struct stack *truth,
	const struct stack_account *of_truth)
{
	struct stack_errors *errors = mem_new(sizeof *errors);

	errors->n_parts = errors->worst = s->n_parts;
	errors->error = mem_new_array(s->n_parts, sizeof *errors->error);
	for (size_t i = 0; i < s->n_parts; i++) {
		size_t same = s->part[i].implied ? truth->n_parts : stack_part_called(truth, s->part[i].name);

		errors->error[i] = same == truth->n_parts ? NAN
							  : account->amount[i].share - of_truth->amount[same].share;
		if (!isnan(errors->error[i]) &&
			(errors->worst == s->n_parts || fabs(errors->error[i]) > fabs(errors->error[errors->worst])))
			errors->worst = i;
	}
	return errors;
}

void
stack_errors_free(struct stack_errors *e)
{
	if (!e)
		return;
	free(e->error);
	free(e);
}

double
stack_errors_worst(const struct stack_errors *e)
{
	return e->worst == e->n_parts ? NAN : fabs(e->error[e->worst]);
}

size_t
stack_reference(struct stack *const *s, size_t n)
{
	size_t i = 0;

	while (i < n && !s[i]->reference)
		i++;
	return n > 1 ? i : n;
}

bool
stack_is_rest(struct stack *const *s, size_t n, const char *name)
{
	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < s[k]->n_parts; i++)
			if (s[k]->part[i].rest && str_eq(s[k]->part[i].name, name))
				return true;
	return false;
}

double
stack_gain(const struct stack_account *a, size_t part)
{
	double left = 1 - a->amount[part].share;

	return left > 0 ? 1 / left : NAN;
}
