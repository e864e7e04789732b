/* Items of a stack file. After an error the next item is read, so that all errors of a file are told at once. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/stack/parser.h"

static bool
parse_stack(struct stack_parser *p)
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
		return item_fail(&p->r, "'per'", "behind the stack's name: who has a bar of his own");
	return scope_parse(&p->r.x, &s->per) && item_punct(&p->r, ';', "behind the stack's name");
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
	return item_punct(&p->r, ';', "behind the machines");
}

static bool
is_new_value(struct stack_parser *p, const char *name, const struct place *at)
{
	const struct stack *s = p->stack;
	bool taken = false, full = s->n_counters + s->n_constants == STACK_COUNTERS_MAX;

	for (size_t i = 0; i < s->n_counters; i++)
		taken |= strcmp(s->counter[i].name, name) == 0;
	for (size_t i = 0; i < s->n_constants; i++)
		taken |= strcmp(s->constant[i].name, name) == 0;
	if (taken)
		diag_add(p->r.diags, DIAG_ERROR, at, NULL, "'%.60s' is a counter or constant already", name);
	else if (full)
		diag_add(p->r.diags, DIAG_ERROR, at, NULL, "more than %d counters and constants", STACK_COUNTERS_MAX);
	return !taken && !full;
}

static bool
parse_sum(struct stack_parser *p, struct stack_events *v)
{
	const char **event = NULL;
	size_t cap = 0;
	bool good;

	v->source = item_take_word(&p->r, "source");
	do {
		mem_grow(&event, &cap, v->n + 1, sizeof *event);
		good = item_text(&p->r, v->source ? "a class of the source, in quotes," : "an event in quotes, 'source' or 'unresolved'", &event[v->n]);
		if (good && !*event[v->n]) {
			item_fail(&p->r, "a name", "between the quotes");
			good = false;
		}
		v->n += good;
	} while (good && item_take_punct(&p->r, '+'));
	v->event = arena_copy(p->stack->arena, event, v->n * sizeof *event);
	free(event);
	return good;
}

/* `"a" + "b" or "c"`: sums, the first choice that is there counts. */
static bool
parse_choices(struct stack_parser *p, struct stack_counter *c)
{
	struct stack_events *choice = NULL;
	size_t cap = 0;
	bool good;

	if (item_take_word(&p->r, "unresolved")) {
		c->unresolved = "no code for it is public";
		return true;
	}
	do {
		mem_grow(&choice, &cap, c->n_choices + 1, sizeof *choice);
		choice[c->n_choices] = (struct stack_events){0};
		good = parse_sum(p, &choice[c->n_choices]);
		c->n_choices += good;
	} while (good && item_take_word(&p->r, "or"));
	c->choice = arena_copy(p->stack->arena, choice, c->n_choices * sizeof *choice);
	free(choice);
	return good;
}

static bool
parse_counter(struct stack_parser *p)
{
	struct stack *s = p->stack;
	struct stack_counter c = {0};
	struct place at;

	lex_next(&p->r.x);
	if (!item_name(&p->r, "a counter's name", &c.name, &at) || !item_punct(&p->r, '=', "behind the counter's name") || !parse_choices(p, &c))
		return false;
	if (!item_take_word(&p->r, "per"))
		return item_fail(&p->r, "'per'", "behind the counter's events: who has a count of his own");
	if (!scope_parse(&p->r.x, &c.scope))
		return false;
	if (!item_take_word(&p->r, "unit"))
		return item_fail(&p->r, "'unit'", "behind who has a count: what it counts");
	if (!unit_parse(&p->r.x, &c.unit, &c.factor) || !item_optional_text(&p->r, &c.text) || !item_punct(&p->r, ';', "behind the counter"))
		return false;
	if (c.unresolved && *c.text)
		c.unresolved = c.text;
	if (!is_new_value(p, c.name, &at))
		return true;
	c.at = at.at;
	c.len = at.len;
	mem_grow(&s->counter, &p->cap_counters, s->n_counters + 1, sizeof *s->counter);
	s->counter[s->n_counters++] = c;
	return true;
}

static bool
no_name(void *ctx, const char *name, uint32_t *index, struct unit *unit, char **hint)
{
	(void)ctx;
	(void)name;
	(void)index;
	(void)unit;
	*hint = mem_str("a constant is made of numbers");
	return false;
}

static bool
parse_constant(struct stack_parser *p)
{
	struct stack *s = p->stack;
	struct stack_const c = {0};
	struct aexpr *e;
	struct place at;

	lex_next(&p->r.x);
	if (!item_name(&p->r, "a constant's name", &c.name, &at) || !item_punct(&p->r, '=', "behind the constant's name") || !item_expression(&p->r, &e)
	    || !item_optional_text(&p->r, &c.text) || !item_punct(&p->r, ';', "behind the constant"))
		return false;
	if (!aexpr_bind(e, &p->r.source, &(struct aexpr_names){.find = no_name}, p->r.diags) || !is_new_value(p, c.name, &at))
		return true;
	c.value = aexpr_value(e, NULL);
	c.unit = e->unit;
	c.at = at.at;
	c.len = at.len;
	mem_grow(&s->constant, &p->cap_constants, s->n_constants + 1, sizeof *s->constant);
	s->constant[s->n_constants++] = c;
	return true;
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
	if (!item_name(&p->r, "the whole's name", &s->whole_name, &name) || !item_optional_text(&p->r, &s->whole_text) || !item_punct(&p->r, '=', "behind the whole's name")
	    || !item_expression(&p->r, &e) || !item_punct(&p->r, ';', "behind the whole"))
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
	return item_text(&p->r, "what the figure is, in quotes,", &s->figure_text) && item_punct(&p->r, '=', "behind the figure's text") && item_expression(&p->r, &s->figure)
	       && item_punct(&p->r, ';', "behind the figure");
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

static void
parse_items(struct stack_parser *p)
{
	static const struct {
		const char *word;
		bool (*parse)(struct stack_parser *);
	} item[] = {
		{"stack", parse_stack}, {"machine", parse_machine}, {"counter", parse_counter}, {"const", parse_constant}, {"whole", parse_whole},
		{"figure", parse_figure}, {"exclusive", parse_exclusive}, {"part", parse_part}, {"rest", parse_rest},
	};

	while (p->r.x.now.kind != TOKEN_END) {
		size_t i = 0;
		bool good;

		while (i < sizeof item / sizeof *item && !lex_is_word(&p->r.x, item[i].word))
			i++;
		if (i < sizeof item / sizeof *item) {
			good = item[i].parse(p);
		} else {
			good = item_fail(&p->r, "stack, machine, counter, const, whole, figure, exclusive, part or rest", "");
			lex_next(&p->r.x);
		}
		if (!good)
			item_recover(&p->r, 0);
	}
}

struct stack *
stack_parse(char *name, char *text, size_t n, struct diags *diags)
{
	struct stack_parser p = {.r.diags = diags};
	size_t before = diags->errors;

	p.stack = mem_new(sizeof *p.stack);
	p.stack->arena = p.r.arena = arena_new();
	p.stack->name = p.stack->text = p.stack->whole_name = p.stack->whole_text = "";
	source_init(&p.r.source, name, text, n);
	lex_begin(&p.r.x, &p.r.source, diags);
	parse_items(&p);
	stack_imply_rest(&p, STACK_TOP, 0);
	stack_check(&p);
	free(p.exclusive);
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
	free(s->order);
	free(s->uses);
	free(s);
}
