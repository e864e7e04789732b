/* Finds which counters each part needs, and which of them it adds. Two exclusive parts that add the same counter
 * account for the same time twice.
 *
 * A counter is added unless a minus sign precedes it: stalls_l1 - stalls_l2 and stalls_l2 - stalls_l3 share stalls_l2,
 * but only the second one adds it. A counter in a divisor only scales. */
#include <stdlib.h>

#include "base/mem.h"
#include "core/stack/parser.h"

struct signs {
	const struct stack *s;
	bool *plus, *minus; /* as stack.uses */
};

static void
collect_signs(struct signs *signs, const struct aexpr *e, size_t row, bool negative)
{
	const struct stack *stack = signs->s;
	size_t n = stack->n_counters;

	switch (e->op) {
	case AEXPR_NUMBER:
	case AEXPR_OWNERS:
	case AEXPR_LESS:
	case AEXPR_COUNTED:
		return;
	case AEXPR_NAME:
		if (e->index < n)
			(negative ? signs->minus : signs->plus)[row * n + e->index] = true;
		for (size_t i = 0; e->index >= stack_value_of_whole(stack) && i < n; i++) {
			size_t from = stack_row_of(stack, e->index) * n + i;

			signs->plus[row * n + i] |= negative ? signs->minus[from] : signs->plus[from];
			signs->minus[row * n + i] |= negative ? signs->plus[from] : signs->minus[from];
		}
		return;
	case AEXPR_NEGATE:
		collect_signs(signs, e->arg[0], row, !negative);
		return;
	case AEXPR_DIVIDE:
	case AEXPR_RATIO:
		collect_signs(signs, e->arg[0], row, negative);
		return;
	case AEXPR_IF:
		collect_signs(signs, e->arg[1], row, negative);
		return;
	case AEXPR_ADD:
	case AEXPR_TIMES:
	case AEXPR_MIN:
	case AEXPR_MAX:
	case AEXPR_EITHER:
	case AEXPR_SUBTRACT:
		collect_signs(signs, e->arg[0], row, negative);
		collect_signs(signs, e->arg[1], row, e->op == AEXPR_SUBTRACT ? !negative : negative);
		return;
	}
}

struct uses {
	struct stack *s;
	size_t row;
};

static void
note_use(void *ctx, const struct aexpr *name)
{
	struct uses *u = ctx;
	struct stack *s = u->s;
	bool *own = s->uses + u->row * s->n_counters;

	if (name->index < s->n_counters)
		own[name->index] = true;
	for (size_t i = 0; name->index >= stack_value_of_whole(s) && i < s->n_counters; i++)
		own[i] |= stack_uses(s, stack_row_of(s, name->index), i);
}

/* The counters that an expectation needs. */
struct expect_uses {
	const struct stack *s;
	bool *uses;
};

static void
note_expect_use(void *ctx, const struct aexpr *name)
{
	struct expect_uses *u = ctx;

	if (name->index < u->s->n_counters)
		u->uses[name->index] = true;
	for (size_t i = 0; name->index >= stack_value_of_whole(u->s) && i < u->s->n_counters; i++)
		u->uses[i] |= stack_uses(u->s, stack_row_of(u->s, name->index), i);
}

/* A remainder needs the counters of its parent. Parents come before their parts. */
static void
note_uses_of_rests(struct stack *s)
{
	for (size_t k = 0; k < s->n_parts; k++)
		for (size_t i = 0; s->part[k].rest && i < s->n_counters; i++)
			s->uses[k * s->n_counters + i] =
				stack_uses(s, s->part[k].parent == STACK_TOP ? s->n_parts : s->part[k].parent, i);
}

static bool
is_exclusive(const struct stack_parser *p, size_t parent)
{
	return parent == STACK_TOP ? p->top_exclusive : p->exclusive[parent];
}

static bool
report_overlaps(struct stack_parser *parser, const struct signs *signs)
{
	const struct stack *stack = parser->stack;
	bool good = true;

	for (size_t b = 0; b < stack->n_parts; b++)
		for (size_t a = 0; a < b; a++) {
			const struct stack_part *first = &stack->part[a], *second = &stack->part[b];
			struct place at = {&parser->r.source, second->at, second->len};

			if (first->parent != second->parent || !is_exclusive(parser, first->parent))
				continue;
			for (size_t i = 0; i < stack->n_counters; i++)
				if (signs->plus[a * stack->n_counters + i] && signs->plus[b * stack->n_counters + i]) {
					diag_add(parser->r.diags, DIAG_ERROR, &at,
						"subtract it in one of them, or leave out 'exclusive;'",
						"'%.60s' overlaps with '%.60s': both add '%.60s'", second->name,
						first->name, stack->counter[i].name);
					good = false;
				}
		}
	return good;
}

bool
stack_check_overlap(struct stack_parser *parser)
{
	struct stack *stack = parser->stack;
	size_t cells = (stack->n_parts + 2 + stack->n_value_items) * stack->n_counters;
	struct signs x = {stack, mem_new_array(cells, sizeof *x.plus), mem_new_array(cells, sizeof *x.minus)};
	bool good;

	stack->uses = mem_new_array(cells, sizeof *stack->uses);
	for (size_t i = 0; i < stack->n_value_items; i++) {
		aexpr_each_name(stack->value[i].e, note_use, &(struct uses){stack, stack->n_parts + 2 + i});
		collect_signs(&x, stack->value[i].e, stack->n_parts + 2 + i, false);
	}
	aexpr_each_name(stack->whole, note_use, &(struct uses){stack, stack->n_parts});
	collect_signs(&x, stack->whole, stack->n_parts, false);
	if (stack->figure)
		aexpr_each_name(stack->figure, note_use, &(struct uses){stack, stack->n_parts + 1});
	for (size_t k = 0; k < stack->n_order; k++) {
		size_t part = stack->order[k];

		aexpr_each_name(stack->part[part].e, note_use, &(struct uses){stack, part});
		collect_signs(&x, stack->part[part].e, part, false);
	}
	for (size_t i = 0; i < stack->n_expects; i++) {
		struct stack_expect *expect = &stack->expect[i];

		expect->uses = mem_new_array(stack->n_counters, sizeof *expect->uses);
		aexpr_each_name(expect->low, note_expect_use, &(struct expect_uses){stack, expect->uses});
		aexpr_each_name(expect->high, note_expect_use, &(struct expect_uses){stack, expect->uses});
	}
	note_uses_of_rests(stack);
	good = report_overlaps(parser, &x);
	stack->adds = x.plus;
	free(x.minus);
	return good;
}
