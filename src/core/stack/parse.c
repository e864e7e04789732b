/* Parses the items of a stack file. After an error it goes on with the next item, so that all errors of a file are
 * reported at once. */
#include <stdlib.h>

#include "base/mem.h"
#include "core/stack/parser.h"

static bool
stack_parse_stack(struct stack_parser *parser)
{
	struct stack *stack = parser->stack;
	struct place at = lex_place(&parser->r.x), name;

	lex_next(&parser->r.x);
	if (parser->named) {
		diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "a second stack: a file has one");
		return false;
	}
	parser->named = true;
	if (!item_name(&parser->r, "the stack's name", &stack->name, &name) ||
		!item_optional_text(&parser->r, &stack->text))
		return false;
	if (!item_take_word(&parser->r, "per"))
		return item_fail(&parser->r, "'per'", "after the stack's name: what has a bar of its own");
	return scope_parse(&parser->r.x, &stack->per) && item_punct(&parser->r, ';', "after the stack's name");
}

static bool
parse_machine(struct stack_parser *parser)
{
	struct stack *stack = parser->stack;
	const char *name;

	lex_next(&parser->r.x);
	do {
		if (!item_text(&parser->r, "a processor's name in quotes, as \"hsw\",", &name))
			return false;
		mem_grow(&stack->machine, &parser->cap_machines, stack->n_machines + 1, sizeof *stack->machine);
		stack->machine[stack->n_machines++] = name;
	} while (item_take_punct(&parser->r, ','));
	return item_punct(&parser->r, ';', "after the machines");
}

static bool
parse_reference(struct stack_parser *p)
{
	lex_next(&p->r.x);
	p->stack->reference = true;
	return item_punct(&p->r, ';', "after 'reference'");
}

static bool
parse_counter(struct stack_parser *p)
{
	return counter_read(&p->r, &p->values, &p->stack->counter, &p->stack->n_counters);
}

static bool
stack_parse_constant(struct stack_parser *p)
{
	return constant_read(&p->r, &p->values, &p->stack->constant, &p->stack->n_constants);
}

static bool
parse_whole(struct stack_parser *parser)
{
	struct stack *stack = parser->stack;
	struct place at, name;
	struct aexpr *aexpr;

	at = lex_place(&parser->r.x);
	lex_next(&parser->r.x);
	if (parser->whole_given) {
		diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "a second whole: a stack has one");
		return false;
	}
	parser->whole_given = true;
	if (!item_name(&parser->r, "the whole's name", &stack->whole_name, &name) ||
		!item_optional_text(&parser->r, &stack->whole_text) ||
		!item_punct(&parser->r, '=', "after the whole's name") || !item_expression(&parser->r, &aexpr) ||
		!item_punct(&parser->r, ';', "after the whole"))
		return false;
	stack->whole = aexpr;
	parser->whole_at = name.at;
	parser->whole_len = name.len;
	return true;
}

static bool
parse_figure(struct stack_parser *parser)
{
	struct stack *stack = parser->stack;
	struct place at = lex_place(&parser->r.x);

	lex_next(&parser->r.x);
	if (stack->figure_text) {
		diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "a second figure: a stack has one at most");
		return false;
	}
	return item_text(&parser->r, "what the figure is, in quotes,", &stack->figure_text) &&
		item_punct(&parser->r, '=', "after the figure's text") && item_expression(&parser->r, &stack->figure) &&
		item_punct(&parser->r, ';', "after the figure");
}

static bool
parse_expect(struct stack_parser *parser)
{
	struct stack *stack = parser->stack;
	struct stack_expect x = {0};
	struct place at;

	lex_next(&parser->r.x);
	at = lex_place(&parser->r.x);
	if (!item_expression(&parser->r, &x.low) || !item_punct(&parser->r, '<', "after what is expected to be less") ||
		!item_punct(&parser->r, '=', "after '<'") || !item_expression(&parser->r, &x.high) ||
		!item_text(&parser->r, "what is wrong otherwise, in quotes,", &x.text) ||
		!item_punct(&parser->r, ';', "after the expectation"))
		return false;
	x.at = at.at;
	x.len = at.len;
	mem_grow(&stack->expect, &parser->cap_expects, stack->n_expects + 1, sizeof *stack->expect);
	stack->expect[stack->n_expects++] = x;
	return true;
}

static bool
parse_part(struct stack_parser *p)
{
	lex_next(&p->r.x);
	return stack_parse_part(p, STACK_TOP, 0);
}

static bool
parse_rest(struct stack_parser *p)
{
	lex_next(&p->r.x);
	return stack_parse_rest(p, STACK_TOP, 0);
}

static bool
parse_exclusive(struct stack_parser *p)
{
	lex_next(&p->r.x);
	return stack_parse_exclusive(p, STACK_TOP);
}

static bool
parse_sums(struct stack_parser *p)
{
	lex_next(&p->r.x);
	return stack_parse_sums(p, STACK_TOP);
}

static void
stack_parse_items(struct stack_parser *parser)
{
	static const struct {
		const char *word;
		bool (*parse)(struct stack_parser *);
	} item[] = {
		{"stack", stack_parse_stack},
		{"machine", parse_machine},
		{"reference", parse_reference},
		{"counter", parse_counter},
		{"const", stack_parse_constant},
		{"whole", parse_whole},
		{"figure", parse_figure},
		{"expect", parse_expect},
		{"exclusive", parse_exclusive},
		{"part", parse_part},
		{"rest", parse_rest},
		{"tree", stack_parse_tree},
		{"value", stack_parse_value},
		{"sums", parse_sums},
		{"advice", stack_parse_advice},
		{"shared", stack_parse_shared},
	};

	while (parser->r.x.now.kind != TOKEN_END) {
		size_t i = item_choose(&parser->r, item, sizeof item / sizeof *item, sizeof *item);

		if (i == sizeof item / sizeof *item || !item[i].parse(parser))
			item_recover(&parser->r, 0);
	}
}

struct stack *
stack_parse(char *name, char *text, size_t n, struct diags *diags)
{
	struct stack_parser p = {.r.diags = diags,
		.values = {.max = STACK_COUNTERS_MAX, .choices = true, .sources = true}};
	size_t before = diags->errors;

	p.stack = mem_new(sizeof *p.stack);
	p.stack->arena = p.r.arena = arena_new();
	p.stack->name = p.stack->text = p.stack->whole_name = p.stack->whole_text = "";
	source_init(&p.r.source, name, text, n);
	lex_begin(&p.r.x, &p.r.source, diags);
	stack_parse_items(&p);
	stack_imply_rest(&p, STACK_TOP, 0);
	stack_check(&p);
	names_free(&p.values.taken);
	free(p.exclusive);
	free(p.sums);
	source_free(&p.r.source);
	if (diags->errors == before)
		return p.stack;
	stack_free(p.stack);
	return NULL;
}

void
stack_free(struct stack *stack)
{
	if (!stack)
		return;
	arena_free(stack->arena);
	free(stack->machine);
	free(stack->counter);
	free(stack->constant);
	free(stack->part);
	for (size_t i = 0; i < stack->n_expects; i++)
		free(stack->expect[i].uses);
	free(stack->expect);
	free(stack->value);
	free(stack->tree.advice);
	free(stack->tree.sums);
	free(stack->order);
	free(stack->uses);
	free(stack->adds);
	free(stack);
}
