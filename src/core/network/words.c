/* What the parser's files have in common: words, texts, expressions, where to go on after an error. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/parser.h"

bool
net_fail(struct net_parser *p, const char *expected, const char *behind)
{
	struct place at = lex_place(&p->x);
	struct str seen = {0};

	lex_describe(&p->x, &seen);
	diag_add(p->diags, DIAG_ERROR, &at, NULL, "%s expected%s%s, not %s", expected, *behind ? " " : "", behind, str_text(&seen));
	str_free(&seen);
	return false;
}

bool
net_take_punct(struct net_parser *p, char c)
{
	if (!lex_is(&p->x, c))
		return false;
	lex_next(&p->x);
	return true;
}

bool
net_take_word(struct net_parser *p, const char *word)
{
	if (!lex_is_word(&p->x, word))
		return false;
	lex_next(&p->x);
	return true;
}

bool
net_punct(struct net_parser *p, char c, const char *behind)
{
	char expected[] = {'\'', c, '\'', 0};

	return net_take_punct(p, c) || net_fail(p, expected, behind);
}

bool
net_text(struct net_parser *p, const char *what, const char **out)
{
	struct str text = {0};
	bool broken = p->x.now.broken;

	if (p->x.now.kind != TOKEN_STRING)
		return net_fail(p, what, "");
	lex_string_text(p->x.source, &p->x.now, &text);
	*out = arena_strn(p->net->arena, str_text(&text), text.n);
	str_free(&text);
	lex_next(&p->x);
	return !broken;
}

bool
net_optional_text(struct net_parser *p, const char **out)
{
	*out = "";
	return p->x.now.kind != TOKEN_STRING || net_text(p, "a text", out);
}

bool
net_name(struct net_parser *p, const char *what, const char **out, struct place *at)
{
	bool pieces = false;

	*at = lex_place(&p->x);
	if (p->x.now.kind == TOKEN_STRING) {
		if (!net_text(p, what, out))
			return false;
		if (**out)
			return true;
		diag_add(p->diags, DIAG_ERROR, at, NULL, "nothing stands between the quotes");
		return false;
	}
	*at = lex_join(&p->x, ".$", &pieces);
	if (!at->len)
		return net_fail(p, what, "");
	*out = arena_strn(p->net->arena, at->source->text + at->at, at->len);
	if (!pieces && strchr("0123456789.$", **out) == NULL && (*out)[at->len - 1] != '.')
		return true;
	diag_add(p->diags, DIAG_ERROR, at, "it begins with a letter or '_'; others stand in quotes", "'%.60s' is no name", *out);
	return false;
}

bool
net_expression(struct net_parser *p, struct aexpr **out)
{
	*out = aexpr_parse(&p->x, p->net->arena);
	return *out != NULL;
}

void
net_recover(struct net_parser *p, int depth)
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

size_t
net_find_kind(const struct network *n, const char *name)
{
	size_t i = 0;

	while (i < n->n_kinds && strcmp(n->kind[i].name, name) != 0)
		i++;
	return i;
}

size_t
net_find_module(const struct network *n, const char *name)
{
	size_t i = 0;

	while (i < n->n_modules && strcmp(n->module[i].name, name) != 0)
		i++;
	return i;
}

const char *
net_field_name(enum net_field f)
{
	switch (f) {
	case NET_MISS:
		return "miss";
	case NET_DELAY:
		return "delay";
	case NET_TAG:
		return "tag";
	case NET_MISS_DELAY:
		return "miss delay";
	case NET_STALL:
		return "stall";
	case NET_LIMIT:
		return "limit";
	case NET_OCCUPANCY:
		return "occupancy";
	case NET_BUSY:
		return "busy";
	case NET_BYTES:
		return "bytes";
	case NET_FIELDS:
		break;
	}
	return "";
}

bool
net_field_adds(enum net_field f)
{
	return f != NET_DELAY && f != NET_TAG && f != NET_MISS_DELAY;
}
