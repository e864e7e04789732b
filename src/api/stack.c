#include "hecate/stack.h"

#include <stdlib.h>

#include "api/state.h"
#include "base/err.h"
#include "base/mem.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"
#include "text/diag.h"
#include "work/files/texts.h"

struct hecate_stack {
	struct stack *stack;
};

struct hecate_account {
	struct stack_account *account;
};

struct hecate_stack *
hecate_stack_load(const char *name, char **message)
{
	struct hecate_stack *result = NULL;
	struct stack *stack;
	struct text text = {0};
	struct diags d = {0};
	struct err e = {0};

	if (!text_load(name, TEXT_STACK, &text, &e)) {
		api_fail(message, &e);
	} else if ((stack = text_stack(&text, &d))) {
		result = mem_new(sizeof *result);
		result->stack = stack;
	} else {
		api_fail_at(message, &d);
	}
	diags_free(&d);
	text_free(&text);
	return result;
}

void
hecate_stack_free(struct hecate_stack *s)
{
	if (!s)
		return;
	stack_free(s->stack);
	free(s);
}

size_t
hecate_stack_counters(const struct hecate_stack *s)
{
	return s->stack->n_counters;
}

const char *
hecate_stack_counter(const struct hecate_stack *s, size_t i)
{
	return s->stack->counter[i].name;
}

size_t
hecate_stack_parts(const struct hecate_stack *s)
{
	return s->stack->n_parts;
}

const char *
hecate_stack_part(const struct hecate_stack *s, size_t i)
{
	return s->stack->part[i].name;
}

size_t
hecate_stack_parent(const struct hecate_stack *s, size_t i)
{
	return s->stack->part[i].parent == STACK_TOP ? HECATE_WHOLE : s->stack->part[i].parent;
}

struct hecate_account *
hecate_account_new(const struct hecate_stack *s, const double *count)
{
	struct hecate_account *a = mem_new(sizeof *a);

	a->account = stack_account_new(s->stack, count);
	return a;
}

void
hecate_account_free(struct hecate_account *a)
{
	if (!a)
		return;
	stack_account_free(a->account);
	free(a);
}

double
hecate_account_value(const struct hecate_account *a, size_t part)
{
	return part == HECATE_WHOLE ? a->account->whole : a->account->amount[part].value;
}

double
hecate_account_share(const struct hecate_account *a, size_t part)
{
	return part == HECATE_WHOLE ? 1 : a->account->amount[part].share;
}

double
hecate_account_figure(const struct hecate_account *a, size_t part)
{
	return part == HECATE_WHOLE ? a->account->figure : a->account->amount[part].figure;
}
