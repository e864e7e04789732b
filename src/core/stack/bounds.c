#include "core/stack/bounds.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/metric/metric.h"
#include "core/stack/stack.h"
#include "text/aexpr.h"

#define PIECES 8 /* of the box of counters, where a share neither rises nor falls with one */

/* Writes an expression of a stack in the language of metrics: counter 3 is c3, another number 7 is v7. */
struct bounds_writer {
	const struct stack *stack;
	const struct metric_value *counter;
	struct str *out;
};

static void bounds_write(const struct bounds_writer *, const struct aexpr *);

static void
bounds_write_pair(const struct bounds_writer *w, const char *open, const struct aexpr *e, const char *between)
{
	str_add(w->out, open);
	bounds_write(w, e->arg[0]);
	str_add(w->out, between);
	bounds_write(w, e->arg[1]);
	str_addc(w->out, ')');
}

static void
bounds_write_name(const struct bounds_writer *w, size_t index)
{
	const struct stack *stack = w->stack;

	if (index >= stack->n_counters && index < stack->n_counters + stack->n_constants)
		str_addf(w->out, "(%.17g)", stack->constant[index - stack->n_counters].value);
	else
		str_addf(w->out, index < stack->n_counters ? "c%zu" : "v%zu", index);
}

static void
bounds_write(const struct bounds_writer *w, const struct aexpr *e)
{
	switch (e->op) {
	case AEXPR_NUMBER:
		str_addf(w->out, "%.17g", e->value);
		break;
	case AEXPR_NAME:
	case AEXPR_OWNERS:
		bounds_write_name(w, e->index);
		break;
	case AEXPR_NEGATE:
		str_add(w->out, "(-");
		bounds_write(w, e->arg[0]);
		str_addc(w->out, ')');
		break;
	case AEXPR_ADD:
		bounds_write_pair(w, "(", e, " + ");
		break;
	case AEXPR_SUBTRACT:
		bounds_write_pair(w, "(", e, " - ");
		break;
	case AEXPR_TIMES:
		bounds_write_pair(w, "(", e, " * ");
		break;
	case AEXPR_DIVIDE:
		bounds_write_pair(w, "(", e, " / ");
		break;
	case AEXPR_MIN:
		bounds_write_pair(w, "min(", e, ", ");
		break;
	case AEXPR_MAX:
		bounds_write_pair(w, "max(", e, ", ");
		break;
	case AEXPR_RATIO:
		bounds_write_pair(w, "d_ratio(", e, ", ");
		break;
	case AEXPR_LESS:
		bounds_write_pair(w, "(", e, " < ");
		break;
	case AEXPR_COUNTED:
		str_add(w->out, isnan(w->counter[e->arg[0]->index].value) ? "0" : "1");
		break;
	case AEXPR_IF:
		str_addc(w->out, '(');
		bounds_write(w, e->arg[1]->arg[0]);
		str_add(w->out, " if ");
		bounds_write(w, e->arg[0]);
		str_add(w->out, " else ");
		bounds_write(w, e->arg[1]->arg[1]);
		str_addc(w->out, ')');
		break;
	case AEXPR_EITHER:
		break; /* the argument of an IF */
	}
}

/* What the other parts of its level leave of the parent. */
static void
bounds_write_rest(const struct bounds_writer *w, size_t part)
{
	const struct stack *stack = w->stack;
	size_t parent = stack->part[part].parent;

	bounds_write_name(w, parent == STACK_TOP ? stack_value_of_whole(stack) : stack_value_of_part(stack, parent));
	for (size_t i = 0; i < stack->n_parts; i++)
		if (i != part && stack->part[i].parent == parent) {
			str_add(w->out, " - ");
			bounds_write_name(w, stack_value_of_part(stack, i));
		}
}

/* A name and an expression in the arena; both strings are freed. */
static struct metric_text
bounds_text(struct arena *arena, char *name, char *expr)
{
	struct metric_text text = {.name = arena_str(arena, name), .expr = arena_str(arena, expr)};

	free(name);
	free(expr);
	return text;
}

/* The texts, in the arena, of all numbers beyond the counters and constants, and of each part's share. */
static struct metric_text *
bounds_write_all(const struct stack *stack, const struct metric_value *counter, struct arena *arena, size_t *n)
{
	size_t whole = stack_value_of_whole(stack);
	struct metric_text *text = arena_alloc(arena, (stack->n_values - whole + stack->n_parts) * sizeof *text);

	*n = 0;
	for (size_t i = whole; i < stack->n_values; i++) {
		struct str out = {0};
		const struct bounds_writer w = {stack, counter, &out};
		const struct aexpr *e = stack_expression(stack, stack_row_of(stack, i));

		if (e)
			bounds_write(&w, e);
		else
			bounds_write_rest(&w, i - whole - 1);
		text[(*n)++] = bounds_text(arena, str_format("v%zu", i), str_take(&out));
	}
	for (size_t i = 0; i < stack->n_parts; i++)
		text[(*n)++] = bounds_text(arena, str_format("share%zu", i),
			str_format("v%zu / v%zu", stack_value_of_part(stack, i), whole));
	return text;
}

struct stack_bounds *
stack_bounds_new(const struct stack *stack, const struct metric_value *counter)
{
	struct stack_bounds *bounds = mem_new_array(stack->n_parts, sizeof *bounds);
	size_t n, first = stack->n_values - stack_value_of_whole(stack);
	struct arena *arena = arena_new();
	const struct metric_text *text = bounds_write_all(stack, counter, arena, &n);
	struct metric_set *set = metric_set_new(text, n);
	struct metric_value *leaf = mem_new_array(set->n_leaves + 1, sizeof *leaf);
	struct metric_result *result = mem_new_array(n, sizeof *result);
	bool *wanted = mem_new_array(n, sizeof *wanted);

	for (size_t i = 0; i < set->n_leaves; i++)
		leaf[i] = counter[strtoul(set->leaf[i].name + 1, NULL, 10)];
	for (size_t i = first; i < n; i++)
		wanted[i] = true;
	metric_compute_all(set, wanted, leaf, PIECES, result);
	for (size_t i = 0; i < stack->n_parts; i++) {
		const struct metric_result *r = &result[first + i];

		bounds[i] = (struct stack_bounds){NAN, NAN, r->enclosure, stack->n_counters};
		if (r->lack != METRIC_LACKS_NOTHING)
			continue;
		bounds[i].low = r->value.low;
		bounds[i].high = r->value.high;
		if (r->widest != METRIC_NONE)
			bounds[i].widest = strtoul(set->leaf[r->widest].name + 1, NULL, 10);
	}
	free(leaf);
	free(result);
	free(wanted);
	metric_set_free(set);
	arena_free(arena);
	return bounds;
}
