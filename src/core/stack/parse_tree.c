/* Parses and checks what makes a stack a tree: values that formulas share, limits of nodes, and advice. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "core/stack/errors.h"
#include "core/stack/parser.h"

bool
stack_parse_tree(struct stack_parser *parser)
{
	struct stack *stack = parser->stack;
	struct place at = lex_place(&parser->r.x), name;

	lex_next(&parser->r.x);
	if (parser->tree_given) {
		diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "a second tree: a stack is one at most");
		return false;
	}
	if (stack->n_parts)
		diag_add(parser->r.diags, DIAG_ERROR, &at, "its levels have no remainder of their own",
			"'tree' comes before the first part");
	parser->tree_given = true;
	stack->tree.source = "";
	if (!item_name(&parser->r, "the name of its family, as topdown,", &stack->tree.family, &name))
		return false;
	if (item_take_word(&parser->r, "source") &&
		!item_text(&parser->r, "where its formulas were published, in quotes,", &stack->tree.source))
		return false;
	return item_punct(&parser->r, ';', "after the tree");
}

bool
stack_parse_value(struct stack_parser *parser)
{
	struct stack *stack = parser->stack;
	struct stack_value v = {0};
	struct place at;

	lex_next(&parser->r.x);
	if (!item_name(&parser->r, "a value's name", &v.name, &at) || !item_optional_text(&parser->r, &v.text) ||
		!item_punct(&parser->r, '=', "after the value's name") || !item_expression(&parser->r, &v.e) ||
		!item_punct(&parser->r, ';', "after the value"))
		return false;
	if (stack->n_value_items == STACK_VALUES_MAX) {
		diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "more than %d values", STACK_VALUES_MAX);
		return true;
	}
	v.at = at.at;
	v.len = at.len;
	mem_grow(&stack->value, &parser->cap_values, stack->n_value_items + 1, sizeof *stack->value);
	stack->value[stack->n_value_items++] = v;
	return true;
}

bool
stack_parse_shared(struct stack_parser *p)
{
	const char *name;

	/* With a name, whoever loads the text appends that file; without one, the file begins here. */
	lex_next(&p->r.x);
	if (lex_is(&p->r.x, ';'))
		p->stack->tree.shared = true;
	else if (!item_text(&p->r, "the name of a file of advice, in quotes,", &name))
		return false;
	return item_punct(&p->r, ';', "after 'shared'");
}

bool
stack_parse_advice(struct stack_parser *parser)
{
	struct stack_tree *tree = &parser->stack->tree;
	struct stack_advice a = {.title = "", .means = "", .next = "", .helps = ""};
	const struct {
		const char *word, *what, **text;
	} field[] = {
		{"means", "what it means, in quotes,", &a.means},
		{"next", "what to measure next, in quotes,", &a.next},
		{"helps", "what usually helps, in quotes,", &a.helps},
	};
	struct place at;

	lex_next(&parser->r.x);
	if (!item_name(&parser->r, "the name of a part", &a.name, &at) || !item_optional_text(&parser->r, &a.title))
		return false;
	for (size_t i = 0; i < sizeof field / sizeof *field; i++)
		if (item_take_word(&parser->r, field[i].word) && !item_text(&parser->r, field[i].what, field[i].text))
			return false;
	if (!item_punct(&parser->r, ';', "after the advice (its order is means, next, helps)"))
		return false;
	a.at = at.at;
	a.len = tree->shared ? 0 : at.len; /* shared advice may be for parts that this tree has not */
	mem_grow(&tree->advice, &parser->cap_advice, tree->n_advice + 1, sizeof *tree->advice);
	tree->advice[tree->n_advice++] = a;
	return true;
}

bool
stack_parse_limit(struct stack_parser *p, struct stack_limit *out)
{
	struct place name;

	*out = (struct stack_limit){.above = NAN, .or_part = STACK_TOP};
	if (!item_take_word(&p->r, "above"))
		return true;
	if (!item_decimal(&p->r, "after 'above'", 0, INFINITY, &out->above, "it is a share of the whole, as 0.2"))
		return false;
	out->alone = item_take_word(&p->r, "alone");
	return !item_take_word(&p->r, "or") || item_name(&p->r, "the name of a part", &out->or_name, &name);
}

/* Reports a name that is no part's. */
static void
report_unknown(struct stack_parser *parser, enum diag_level level, uint32_t at, uint32_t len, const char *name)
{
	const struct stack *stack = parser->stack;
	const char **known = mem_new_array(stack->n_parts, sizeof *known);
	char *hint;

	for (size_t i = 0; i < stack->n_parts; i++)
		known[i] = stack->part[i].name;
	hint = near_hint(name, known, stack->n_parts);
	diag_add(parser->r.diags, level, &(struct place){&parser->r.source, at, len}, hint, "no part is called '%.60s'",
		name);
	free(known);
	free(hint);
}

bool
stack_check_tree(struct stack_parser *parser)
{
	struct stack *stack = parser->stack;
	size_t before = parser->r.diags->errors;

	for (size_t i = 0; i < stack->n_parts; i++) {
		struct stack_limit *limit = &stack->part[i].limit;

		if (!limit->or_name)
			continue;
		limit->or_part = stack_part_called(stack, limit->or_name);
		if (limit->or_part == stack->n_parts)
			report_unknown(parser, DIAG_ERROR, stack->part[i].at, stack->part[i].len, limit->or_name);
	}
	for (size_t i = 0; i < stack->tree.n_advice; i++) {
		const struct stack_advice *a = &stack->tree.advice[i];
		size_t part = stack_part_called(stack, a->name);

		if (part < stack->n_parts && !stack->part[part].advice)
			stack->part[part].advice = a;
		else if (part == stack->n_parts && a->len)
			report_unknown(parser, DIAG_WARNING, a->at, a->len, a->name);
	}
	return parser->r.diags->errors == before;
}
