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
			str_addf(out, "%s%s", v ? " + " : c->choice[k].source ? "source " : "", c->choice[k].event[v]);
	}
}

static void
print_stack_check_add_counters(const struct stack *s, struct str *out)
{
	size_t unresolved = 0;

	for (size_t i = 0; i < s->n_counters; i++)
		unresolved += s->counter[i].unresolved != NULL;
	str_addf(out, "%zu counters, %zu of them unresolved\n", s->n_counters, unresolved);
	for (size_t i = 0; i < s->n_counters; i++) {
		const struct counter_item *c = &s->counter[i];

		str_addf(out, "  %-22s ", c->name);
		if (c->unresolved)
			str_addf(out, "unresolved: %s", c->unresolved);
		add_events(c, out);
		str_addf(out, ", per %s in ", scope_name(c->scope));
		unit_text(c->unit, out);
		str_addf(out, "%s%s\n", *c->text && !c->unresolved ? ": " : "", c->unresolved ? "" : c->text);
	}
	for (size_t i = 0; i < s->n_constants; i++) {
		const struct constant_item *c = &s->constant[i];

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
print_stack_check_add_parts(const struct stack *s, struct str *out)
{
	str_addf(out, "%s = ", s->whole_name);
	aexpr_print(s->whole, out);
	str_add(out, " (");
	unit_text(s->whole->unit, out);
	str_add(out, ")\n");
	for (size_t i = 0; i < s->n_parts; i++) {
		const struct stack_part *part = &s->part[i];

		if (part->implied)
			continue;
		str_addf(out, "  %*s%c %s = ", 2 * (int)part->depth, "",
			part->key ? part->key : ' ', part->name);
		if (part->rest)
			str_add(out, "the remainder");
		else
			aexpr_print(part->e, out);
		if (!part->rest)
			add_unresolved(s, i, out);
		str_addc(out, '\n');
	}
	if (s->figure) {
		str_addf(out, "%s = ", s->figure_text);
		aexpr_print(s->figure, out);
		str_addc(out, '\n');
	}
}

void
print_stack_check(const struct options *o, const struct stack_report *r, struct str *out)
{
	for (size_t i = 0; i < r->n_stacks; i++) {
		const struct stack *s = r->stack[i];
		struct str text = {0}, safe = {0};
		char *shown;

		str_addf(&text, "%sstack %s, per %s: %s\n", i ? "\n" : "", s->name, scope_name(s->per), s->text);
		for (size_t k = 0; k < s->n_machines; k++)
			str_addf(&text, "%s%s%s", k ? ", " : "for ", s->machine[k], k + 1 == s->n_machines ? "\n" : "");
		if (s->reference)
			str_add(&text, "the reference: other methods are compared with it\n");
		print_stack_check_add_counters(s, &text);
		print_stack_check_add_parts(s, &text);
		/* Line by line, because a name may hold characters that control a terminal. */
		for (const char *line = str_text(&text), *end; *line; line = end + 1) {
			end = strchr(line, '\n');
			utf8_add_visible(&safe, line, (size_t)(end - line));
			str_addc(&safe, '\n');
		}
		shown = glyph_translate(str_text(&safe), print_ascii(o));
		str_add(out, shown);
		free(shown);
		str_free(&safe);
		str_free(&text);
	}
}
