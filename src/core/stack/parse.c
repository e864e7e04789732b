/* Parses the items of a stack file. After an error it goes on with the next item, so that all errors of a file are
 * reported at once. */
#include <stdlib.h>

#include "base/mem.h"
#include "core/stack/parser.h"

static bool
stack_parse_stack(struct stack_parser *p)
{
	struct stack *s = p->stack;
	struct place at = lex_place(&p->r.x), name;

	lex_next(&p->r.x);
	if (p->named) {
		diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "a second stack: a file has one");
		return false;
	}
	p->named = true;
	if (!item_name(&p->r, "the stack's name", &s->name, &name) || !item_optional_text(&p->r, &s->text))
		return false;
	if (!item_take_word(&p->r, "per"))
		return item_fail(&p->r, "'per'", "after the stack's name: what has a bar of its own");
	return scope_parse(&p->r.x, &s->per) && item_punct(&p->r, ';', "after the stack's name");
}

static bool
parse_machine(struct stack_parser *p)
{
	struct stack *s = p->stack;
	const char *name;

	lex_next(&p->r.x);
	do {
		if (!item_text(&p->r, "a processor's name in quotes, as \"hsw\",", &name))
			return false;
		mem_grow(&s->machine, &p->cap_machines, s->n_machines + 1, sizeof *s->machine);
		s->machine[s->n_machines++] = name;
	} while (item_take_punct(&p->r, ','));
	return item_punct(&p->r, ';', "after the machines");
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
parse_whole(struct stack_parser *p)
{
	struct stack *s = p->stack;
	struct place at, name;
	struct aexpr *e;

	at = lex_place(&p->r.x);
	lex_next(&p->r.x);
	if (p->whole_given) {
		diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "a second whole: a stack has one");
		return false;
	}
	p->whole_given = true;
	if (!item_name(&p->r, "the whole's name", &s->whole_name, &name) ||
		!item_optional_text(&p->r, &s->whole_text) || !item_punct(&p->r, '=', "after the whole's name") ||
		!item_expression(&p->r, &e) || !item_punct(&p->r, ';', "after the whole"))
		return false;
	s->whole = e;
	p->whole_at = name.at;
	p->whole_len = name.len;
	return true;
}

static bool
parse_figure(struct stack_parser *p)
{
	struct stack *s = p->stack;
	struct place at = lex_place(&p->r.x);

	lex_next(&p->r.x);
	if (s->figure_text) {
		diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "a second figure: a stack has one at most");
		return false;
	}
	return item_text(&p->r, "what the figure is, in quotes,", &s->figure_text) &&
		item_punct(&p->r, '=', "after the figure's text") && item_expression(&p->r, &s->figure) &&
		item_punct(&p->r, ';', "after the figure");
}

static bool
parse_expect(struct stack_parser *p)
{
	struct stack *s = p->stack;
	struct stack_expect x = {0};
	struct place at;

	lex_next(&p->r.x);
	at = lex_place(&p->r.x);
	if (!item_expression(&p->r, &x.low) || !item_punct(&p->r, '<', "after what is expected to be less") ||
		!item_punct(&p->r, '=', "after '<'") || !item_expression(&p->r, &x.high) ||
		!item_text(&p->r, "what is wrong otherwise, in quotes,", &x.text) ||
		!item_punct(&p->r, ';', "after the expectation"))
		return false;
	x.at = at.at;
	x.len = at.len;
	mem_grow(&s->expect, &p->cap_expects, s->n_expects + 1, sizeof *s->expect);
	s->expect[s->n_expects++] = x;
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
stack_parse_items(struct stack_parser *p)
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

	while (p->r.x.now.kind != TOKEN_END) {
		size_t i = item_choose(&p->r, item, sizeof item / sizeof *item, sizeof *item);

		if (i == sizeof item / sizeof *item || !item[i].parse(p))
			item_recover(&p->r, 0);
	}
}

struct stack *
stack_parse(char *name, char *text, size_t n, struct diags *diags)
{
	struct stack_parser p = {.r.diags = diags, .values = {.max = STACK_COUNTERS_MAX, .choices = true}};
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
stack_free(struct stack *s)
{
	if (!s)
		return;
	arena_free(s->arena);
	free(s->machine);
	free(s->counter);
	free(s->constant);
	free(s->part);
	for (size_t i = 0; i < s->n_expects; i++)
		free(s->expect[i].uses);
	free(s->expect);
	free(s->value);
	free(s->tree.advice);
	free(s->tree.sums);
	free(s->order);
	free(s->uses);
	free(s->adds);
	free(s);
}
