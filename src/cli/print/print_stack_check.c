/* Describes a stack file without data. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "cli/print/print.h"
#include "cli/print/print_stack.h"
#include "draw/cell.h"

static void
add_events(const struct counter_item *c, struct str *out)
{
	for (size_t k = 0; k < c->n_choices; k++) {
		str_add(out, k ? " or " : "");
		for (size_t v = 0; v < c->choice[k].n; v++)
			str_addf(out, "%s%s", v ? " + " : c->choice[k].source ? "source " : "",
				c->choice[k].event[v].name);
	}
}

static void
print_stack_check_add_counters(const struct stack *stack, struct str *out)
{
	size_t unresolved = 0;

	for (size_t i = 0; i < stack->n_counters; i++)
		unresolved += stack->counter[i].unresolved != NULL;
	str_addf(out, "%zu counters, %zu of them unresolved\n", stack->n_counters, unresolved);
	for (size_t i = 0; i < stack->n_counters; i++) {
		const struct counter_item *c = &stack->counter[i];

		str_addf(out, "  %-22s ", c->name);
		if (c->unresolved)
			str_addf(out, "unresolved: %s", c->unresolved);
		add_events(c, out);
		str_addf(out, ", per %s in ", scope_name(c->scope));
		unit_text(c->unit, out);
		str_addf(out, "%s%s\n", *c->text && !c->unresolved ? ": " : "", c->unresolved ? "" : c->text);
	}
	for (size_t i = 0; i < stack->n_constants; i++) {
		const struct constant_item *c = &stack->constant[i];

		str_addf(out, "  %-22s %g ", c->name, c->value);
		unit_text(c->unit, out);
		str_addf(out, "%s%s\n", *c->text ? ": " : "", c->text);
	}
}

/* ": unknown, no event for b" */
static void
add_unresolved(const struct stack *s, size_t part, struct str *out)
{
	size_t some = 0;

	for (size_t i = 0; i < s->n_counters; i++)
		if (s->counter[i].unresolved && stack_uses(s, part, i))
			str_addf(out, "%s%s", some++ ? ", " : ": unknown, no event for ", s->counter[i].name);
}

static void
print_stack_check_add_parts(const struct stack *stack, struct str *out)
{
	str_addf(out, "%s = ", stack->whole_name);
	aexpr_print(stack->whole, out);
	str_add(out, " (");
	unit_text(stack->whole->unit, out);
	str_add(out, ")\n");
	for (size_t i = 0; i < stack->n_parts; i++) {
		const struct stack_part *part = &stack->part[i];

		if (part->implied)
			continue;
		str_addf(out, "  %*s%c %s = ", 2 * (int)part->depth, "",
			part->key ? part->key : ' ', part->name);
		if (part->rest)
			str_add(out, "the remainder");
		else
			aexpr_print(part->e, out);
		if (!part->rest)
			add_unresolved(stack, i, out);
		str_addc(out, '\n');
	}
	if (stack->figure) {
		str_addf(out, "%s = ", stack->figure_text);
		aexpr_print(stack->figure, out);
		str_addc(out, '\n');
	}
}

void
print_stack_check(const struct options *options, const struct stack_report *report, struct str *out)
{
	for (size_t i = 0; i < report->n_stacks; i++) {
		const struct stack *stack = report->stack[i];
		struct str text = {0}, safe = {0};
		char *shown;

		str_addf(&text, "%sstack %s, per %s: %s\n", i ? "\n" : "", stack->name, scope_name(stack->per),
			stack->text);
		for (size_t k = 0; k < stack->n_machines; k++)
			str_addf(&text, "%s%s%s", k ? ", " : "for ", stack->machine[k],
				k + 1 == stack->n_machines ? "\n" : "");
		if (stack->reference)
			str_add(&text, "the reference: other methods are compared with it\n");
		print_stack_check_add_counters(stack, &text);
		print_stack_check_add_parts(stack, &text);
		/* Line by line, because a name may hold characters that control a terminal. */
		for (const char *line = str_text(&text), *end; *line; line = end + 1) {
			end = strchr(line, '\n');
			utf8_add_visible(&safe, line, (size_t)(end - line));
			str_addc(&safe, '\n');
		}
		shown = glyph_translate(str_text(&safe), print_ascii(options));
		str_add(out, shown);
		free(shown);
		str_free(&safe);
		str_free(&text);
	}
}
