/* Parses parts, the parts that they are made of, and remainders. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "core/stack/parser.h"

#define NO_LIMIT {.above = NAN, .or_part = STACK_TOP}

static bool
parse_key(struct stack_parser *p, char *out)
{
	struct place at;
	const char *key;

	if (!item_take_word(&p->r, "key"))
		return true;
	at = lex_place(&p->r.x);
	if (!item_text(&p->r, "the letter that stands for it in bars, in quotes,", &key))
		return false;
	if (strlen(key) == 1 && strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", *key)) {
		*out = *key;
		return true;
	}
	diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "a key is one letter or digit");
	return true;
}

/* Add a part. It gets its number now, so that the parts that it is made of come after it. STACK_TOP if there are too
 * many. */
static size_t
parse_part_add_part(struct stack_parser *p, const struct stack_part *part)
{
	struct stack *s = p->stack;

	if (s->n_parts >= STACK_PARTS_MAX && !part->implied) {
		diag_add(p->r.diags, DIAG_ERROR, &(struct place){&p->r.source, part->at, part->len}, NULL,
			"more than %d parts", STACK_PARTS_MAX);
		return STACK_TOP;
	}
	mem_grow(&s->part, &p->cap_parts, s->n_parts + 1, sizeof *s->part);
	mem_grow(&p->exclusive, &p->cap_exclusive, s->n_parts + 1, sizeof *p->exclusive);
	p->sums = mem_resize(p->sums, p->cap_exclusive, sizeof *p->sums);
	p->exclusive[s->n_parts] = p->sums[s->n_parts] = false;
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
	return item_punct(&p->r, ';', "after 'exclusive'");
}

bool
stack_parse_sums(struct stack_parser *p, size_t parent)
{
	if (parent == STACK_TOP)
		p->top_sums = true;
	else
		p->sums[parent] = true;
	return item_punct(&p->r, ';', "after 'sums'");
}

bool
stack_parse_rest(struct stack_parser *p, size_t parent, unsigned depth)
{
	struct stack_part r = {.parent = parent, .depth = depth, .rest = true, .limit = NO_LIMIT};
	struct place at;

	if (!item_name(&p->r, "the remainder's name", &r.name, &at) || !item_optional_text(&p->r, &r.text) ||
		!parse_key(p, &r.key) || !item_punct(&p->r, ';', "after the remainder"))
		return false;
	r.at = at.at;
	r.len = at.len;
	for (size_t i = 0; i < p->stack->n_parts; i++)
		if (p->stack->part[i].rest && p->stack->part[i].parent == parent) {
			diag_add(p->r.diags, DIAG_ERROR, &at, NULL,
				"a second remainder: '%.60s' is what is left over here", p->stack->part[i].name);
			return true;
		}
	parse_part_add_part(p, &r);
	return true;
}

void
stack_imply_rest(struct stack_parser *p, size_t parent, unsigned depth)
{
	const struct stack *s = p->stack;
	bool some = false, has = s->tree.family != NULL;

	for (size_t i = 0; i < s->n_parts; i++) {
		some |= s->part[i].parent == parent;
		has |= s->part[i].parent == parent && s->part[i].rest;
	}
	if (some && !has)
		parse_part_add_part(p, &(struct stack_part){.name = "(not accounted for)", .text = "", .parent = parent,
				    .depth = depth, .rest = true, .implied = true, .limit = NO_LIMIT});
}

static bool
parse_body(struct stack_parser *p, size_t parent, unsigned depth)
{
	while (!item_take_punct(&p->r, '}')) {
		bool good;

		if (p->r.x.now.kind == TOKEN_END)
			return item_fail(&p->r, "'}'", "at the end of the part");
		if (item_take_word(&p->r, "part")) {
			good = stack_parse_part(p, parent, depth);
		} else if (item_take_word(&p->r, "rest")) {
			good = stack_parse_rest(p, parent, depth);
		} else if (item_take_word(&p->r, "exclusive")) {
			good = stack_parse_exclusive(p, parent);
		} else if (item_take_word(&p->r, "sums")) {
			good = stack_parse_sums(p, parent);
		} else {
			good = item_fail(&p->r, "part, rest, exclusive, sums or '}'", "");
			lex_next(&p->r.x);
		}
		if (!good)
			item_recover(&p->r, 1);
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

	if (!item_name(&p->r, "a part's name", &c.name, &at) || !item_optional_text(&p->r, &c.text) ||
		!parse_key(p, &c.key) || !stack_parse_limit(p, &c.limit) ||
		!item_punct(&p->r, '=', "after the part's name") || !item_expression(&p->r, &c.e))
		return false;
	c.at = at.at;
	c.len = at.len;
	part = parse_part_add_part(p, &c);
	body = lex_place(&p->r.x);
	if (!item_take_punct(&p->r, '{'))
		return item_punct(&p->r, ';', "or '{' after the part");
	if (part == STACK_TOP || depth + 1 < STACK_DEPTH_MAX)
		return part != STACK_TOP && parse_body(p, part, depth + 1);
	diag_add(p->r.diags, DIAG_ERROR, &body, NULL, "parts of parts more than %d deep", STACK_DEPTH_MAX);
	return false;
}
