/* Parts, what they are made of, and what is left over. */
#include <string.h>

#include "base/mem.h"
#include "core/stack/parser.h"

static bool
parse_key(struct stack_parser *p, char *out)
{
	struct place at;
	const char *key;

	if (!stack_take_word(p, "key"))
		return true;
	at = lex_place(&p->x);
	if (!stack_text(p, "the letter that stands for it in bars, in quotes,", &key))
		return false;
	if (strlen(key) == 1 && strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", *key)) {
		*out = *key;
		return true;
	}
	diag_add(p->diags, DIAG_ERROR, &at, NULL, "a key is one letter or digit");
	return true;
}

/* The part gets its number here, so that what it is made of stands behind it. STACK_TOP when there are too many. */
static size_t
add_part(struct stack_parser *p, const struct stack_part *part)
{
	struct stack *s = p->stack;

	if (s->n_parts >= STACK_PARTS_MAX && !part->implied) {
		diag_add(p->diags, DIAG_ERROR, &(struct place){&p->source, part->at, part->len}, NULL, "more than %d parts", STACK_PARTS_MAX);
		return STACK_TOP;
	}
	mem_grow(&s->part, &p->cap_parts, s->n_parts + 1, sizeof *s->part);
	mem_grow(&p->exclusive, &p->cap_exclusive, s->n_parts + 1, sizeof *p->exclusive);
	p->exclusive[s->n_parts] = false;
	s->part[s->n_parts] = *part;
	return s->n_parts++;
}

bool
stack_parse_exclusive(struct stack_parser *p, size_t parent)
{
	if (parent == STACK_TOP)
		p->top_exclusive = true;
	else
		p->exclusive[parent] = true;
	return stack_punct(p, ';', "behind 'exclusive'");
}

bool
stack_parse_rest(struct stack_parser *p, size_t parent, unsigned depth)
{
	struct stack_part r = {.parent = parent, .depth = depth, .rest = true};
	struct place at;

	if (!stack_name(p, "the remainder's name", &r.name, &at) || !stack_optional_text(p, &r.text) || !parse_key(p, &r.key)
	    || !stack_punct(p, ';', "behind the remainder"))
		return false;
	r.at = at.at;
	r.len = at.len;
	for (size_t i = 0; i < p->stack->n_parts; i++)
		if (p->stack->part[i].rest && p->stack->part[i].parent == parent) {
			diag_add(p->diags, DIAG_ERROR, &at, NULL, "a second remainder: '%.60s' is what is left over here", p->stack->part[i].name);
			return true;
		}
	add_part(p, &r);
	return true;
}

void
stack_imply_rest(struct stack_parser *p, size_t parent, unsigned depth)
{
	const struct stack *s = p->stack;
	bool some = false, has = false;

	for (size_t i = 0; i < s->n_parts; i++) {
		some |= s->part[i].parent == parent;
		has |= s->part[i].parent == parent && s->part[i].rest;
	}
	if (some && !has)
		add_part(p, &(struct stack_part){.name = "(not accounted for)", .text = "", .parent = parent, .depth = depth, .rest = true, .implied = true});
}

static bool
parse_body(struct stack_parser *p, size_t parent, unsigned depth)
{
	while (!stack_take_punct(p, '}')) {
		bool good;

		if (p->x.now.kind == TOKEN_END)
			return stack_fail(p, "'}'", "at the end of the part");
		if (stack_take_word(p, "part")) {
			good = stack_parse_part(p, parent, depth);
		} else if (stack_take_word(p, "rest")) {
			good = stack_parse_rest(p, parent, depth);
		} else if (stack_take_word(p, "exclusive")) {
			good = stack_parse_exclusive(p, parent);
		} else {
			good = stack_fail(p, "part, rest, exclusive or '}'", "");
			lex_next(&p->x);
		}
		if (!good)
			stack_recover(p, 1);
	}
	stack_imply_rest(p, parent, depth);
	return true;
}

bool
stack_parse_part(struct stack_parser *p, size_t parent, unsigned depth)
{
	struct stack_part c = {.parent = parent, .depth = depth};
	struct place at, body;
	size_t part;

	if (!stack_name(p, "a part's name", &c.name, &at) || !stack_optional_text(p, &c.text) || !parse_key(p, &c.key)
	    || !stack_punct(p, '=', "behind the part's name") || !stack_expression(p, &c.e))
		return false;
	c.at = at.at;
	c.len = at.len;
	part = add_part(p, &c);
	body = lex_place(&p->x);
	if (!stack_take_punct(p, '{'))
		return stack_punct(p, ';', "or '{' behind the part");
	if (part == STACK_TOP || depth + 1 < STACK_DEPTH_MAX)
		return part != STACK_TOP && parse_body(p, part, depth + 1);
	diag_add(p->diags, DIAG_ERROR, &body, NULL, "parts of parts more than %d deep", STACK_DEPTH_MAX);
	return false;
}
