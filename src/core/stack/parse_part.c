/* Parses parts, the parts that they are made of, and remainders. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "core/stack/parser.h"

#define NO_LIMIT {.above = NAN, .or_part = STACK_TOP}

static bool
parse_key(struct stack_parser *parser, char *out)
{
	struct place at;
	const char *key;

	if (!item_take_word(&parser->r, "key"))
		return true;
	at = lex_place(&parser->r.x);
	if (!item_text(&parser->r, "the letter that stands for it in bars, in quotes,", &key))
		return false;
	if (strlen(key) == 1 && strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", *key)) {
		*out = *key;
		return true;
	}
	diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "a key is one letter or digit");
	return true;
}

/* Add a part. It gets its number now, so that the parts that it is made of come after it. STACK_TOP if there are too
 * many. */
static size_t
parse_part_add_part(struct stack_parser *parser, const struct stack_part *part)
{
	struct stack *stack = parser->stack;

	if (stack->n_parts >= STACK_PARTS_MAX && !part->implied) {
		diag_add(parser->r.diags, DIAG_ERROR, &(struct place){&parser->r.source, part->at, part->len}, NULL,
			"more than %d parts", STACK_PARTS_MAX);
		return STACK_TOP;
	}
	mem_grow(&stack->part, &parser->cap_parts, stack->n_parts + 1, sizeof *stack->part);
	mem_grow(&parser->exclusive, &parser->cap_exclusive, stack->n_parts + 1, sizeof *parser->exclusive);
	parser->sums = mem_resize(parser->sums, parser->cap_exclusive, sizeof *parser->sums);
	parser->exclusive[stack->n_parts] = parser->sums[stack->n_parts] = false;
	stack->part[stack->n_parts] = *part;
	return stack->n_parts++;
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
stack_parse_rest(struct stack_parser *parser, size_t parent, unsigned depth)
{
	struct stack_part r = {.parent = parent, .depth = depth, .rest = true, .limit = NO_LIMIT};
	struct place at;

	if (!item_name(&parser->r, "the remainder's name", &r.name, &at) || !item_optional_text(&parser->r, &r.text) ||
		!parse_key(parser, &r.key) || !item_punct(&parser->r, ';', "after the remainder"))
		return false;
	r.at = at.at;
	r.len = at.len;
	for (size_t i = 0; i < parser->stack->n_parts; i++)
		if (parser->stack->part[i].rest && parser->stack->part[i].parent == parent) {
			diag_add(parser->r.diags, DIAG_ERROR, &at, NULL,
				"a second remainder: '%.60s' is what is left over here", parser->stack->part[i].name);
			return true;
		}
	parse_part_add_part(parser, &r);
	return true;
}

void
stack_imply_rest(struct stack_parser *parser, size_t parent, unsigned depth)
{
	const struct stack *stack = parser->stack;
	bool some = false, has = stack->tree.family != NULL;

	for (size_t i = 0; i < stack->n_parts; i++) {
		some |= stack->part[i].parent == parent;
		has |= stack->part[i].parent == parent && stack->part[i].rest;
	}
	if (some && !has)
		parse_part_add_part(parser,
			&(struct stack_part){.name = "(not accounted for)",
				.text = "",
				.parent = parent,
				.depth = depth,
				.rest = true,
				.implied = true,
				.limit = NO_LIMIT});
}

static bool
parse_body(struct stack_parser *parser, size_t parent, unsigned depth)
{
	while (!item_take_punct(&parser->r, '}')) {
		bool good;

		if (parser->r.x.now.kind == TOKEN_END)
			return item_fail(&parser->r, "'}'", "at the end of the part");
		if (item_take_word(&parser->r, "part")) {
			good = stack_parse_part(parser, parent, depth);
		} else if (item_take_word(&parser->r, "rest")) {
			good = stack_parse_rest(parser, parent, depth);
		} else if (item_take_word(&parser->r, "exclusive")) {
			good = stack_parse_exclusive(parser, parent);
		} else if (item_take_word(&parser->r, "sums")) {
			good = stack_parse_sums(parser, parent);
		} else {
			good = item_fail(&parser->r, "part, rest, exclusive, sums or '}'", "");
			lex_next(&parser->r.x);
		}
		if (!good)
			item_recover(&parser->r, 1);
	}
	stack_imply_rest(parser, parent, depth);
	return true;
}

bool
stack_parse_part(struct stack_parser *parser, size_t parent, unsigned depth)
{
	struct stack_part c = {.parent = parent, .depth = depth};
	struct place at, body;
	size_t part;

	if (!item_name(&parser->r, "a part's name", &c.name, &at) || !item_optional_text(&parser->r, &c.text) ||
		!parse_key(parser, &c.key) || !stack_parse_limit(parser, &c.limit) ||
		!item_punct(&parser->r, '=', "after the part's name") || !item_expression(&parser->r, &c.e))
		return false;
	c.at = at.at;
	c.len = at.len;
	part = parse_part_add_part(parser, &c);
	body = lex_place(&parser->r.x);
	if (!item_take_punct(&parser->r, '{'))
		return item_punct(&parser->r, ';', "or '{' after the part");
	if (part == STACK_TOP || depth + 1 < STACK_DEPTH_MAX)
		return part != STACK_TOP && parse_body(parser, part, depth + 1);
	diag_add(parser->r.diags, DIAG_ERROR, &body, NULL, "parts of parts more than %d deep", STACK_DEPTH_MAX);
	return false;
}
