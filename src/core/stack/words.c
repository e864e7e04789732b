/* What the parser's files have in common: words, texts, expressions, where to go on after an error. */
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/stack/parser.h"

bool
stack_fail(struct stack_parser *p, const char *expected, const char *behind)
{
	struct place at = lex_place(&p->x);
	struct str seen = {0};

	lex_describe(&p->x, &seen);
	diag_add(p->diags, DIAG_ERROR, &at, NULL, "%s expected%s%s, not %s", expected, *behind ? " " : "", behind, str_text(&seen));
	str_free(&seen);
	return false;
}

bool
stack_take_punct(struct stack_parser *p, char c)
{
	if (!lex_is(&p->x, c))
		return false;
	lex_next(&p->x);
	return true;
}

bool
stack_take_word(struct stack_parser *p, const char *word)
{
	if (!lex_is_word(&p->x, word))
		return false;
	lex_next(&p->x);
	return true;
}

bool
stack_punct(struct stack_parser *p, char c, const char *behind)
{
	char expected[] = {'\'', c, '\'', 0};

	return stack_take_punct(p, c) || stack_fail(p, expected, behind);
}

bool
stack_text(struct stack_parser *p, const char *what, const char **out)
{
	struct str text = {0};
	bool broken = p->x.now.broken;

	if (p->x.now.kind != TOKEN_STRING)
		return stack_fail(p, what, "");
	lex_string_text(p->x.source, &p->x.now, &text);
	*out = arena_strn(p->stack->arena, str_text(&text), text.n);
	str_free(&text);
	lex_next(&p->x);
	return !broken;
}

bool
stack_optional_text(struct stack_parser *p, const char **out)
{
	*out = "";
	return p->x.now.kind != TOKEN_STRING || stack_text(p, "a text", out);
}

bool
stack_name(struct stack_parser *p, const char *what, const char **out, struct place *at)
{
	bool pieces = false;

	*at = lex_place(&p->x);
	if (p->x.now.kind == TOKEN_STRING) {
		if (!stack_text(p, what, out))
			return false;
		if (**out)
			return true;
		diag_add(p->diags, DIAG_ERROR, at, NULL, "nothing stands between the quotes");
		return false;
	}
	*at = lex_join(&p->x, ".$", &pieces);
	if (!at->len)
		return stack_fail(p, what, "");
	*out = arena_strn(p->stack->arena, at->source->text + at->at, at->len);
	if (!pieces && strchr("0123456789.$", **out) == NULL && (*out)[at->len - 1] != '.')
		return true;
	diag_add(p->diags, DIAG_ERROR, at, "it begins with a letter or '_'; others stand in quotes", "'%.60s' is no name", *out);
	return false;
}

bool
stack_expression(struct stack_parser *p, struct aexpr **out)
{
	*out = aexpr_parse(&p->x, p->stack->arena);
	return *out != NULL;
}

void
stack_recover(struct stack_parser *p, int depth)
{
	for (size_t open = 0; p->x.now.kind != TOKEN_END; lex_next(&p->x)) {
		if (lex_is(&p->x, '{')) {
			open++;
		} else if (lex_is(&p->x, '}') && open == 0 && depth > 0) {
			return;
		} else if ((lex_is(&p->x, '}') && (open == 0 || --open == 0)) || (lex_is(&p->x, ';') && open == 0)) {
			lex_next(&p->x);
			return;
		}
	}
}
