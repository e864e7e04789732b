/* Basics of the parser: expected tokens, words, strings, and recovery after an error. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/udd/parser.h"

bool
parse_fail(struct parser *p, const char *expected, const char *where)
{
	struct place at = lex_place(&p->x);
	struct str seen = {0};

	lex_describe(&p->x, &seen);
	diag_add(p->diags, DIAG_ERROR, &at, NULL, "%s expected%s%s, not %s", expected, *where ? " " : "", where,
		str_text(&seen));
	str_free(&seen);
	return false;
}

/* A missing ';' at the end of a line is reported there and treated as present, so that the next line parses
 * normally. */
static bool
forgotten(struct parser *p, char c, const char *where)
{
	const struct source *s = p->x.source;
	struct place at = {s, p->x.last_end, 0};

	if (c != ';' || (p->x.now.kind != TOKEN_END && source_line(s, p->x.now.at) == source_line(s, p->x.last_end)))
		return false;
	diag_add(p->diags, DIAG_ERROR, &at, NULL, "';' expected %s", where);
	return true;
}

bool
parse_punct_or(struct parser *parser, char c, const char *others, const char *where)
{
	char *expected;

	if (lex_is(&parser->x, c)) {
		lex_next(&parser->x);
		return true;
	}
	if (forgotten(parser, c, where))
		return true;
	expected = str_format("%s'%c'", others, c);
	parse_fail(parser, expected, where);
	free(expected);
	return false;
}

bool
parse_punct(struct parser *p, char c, const char *where)
{
	return parse_punct_or(p, c, "", where);
}

static bool
is_parameter(const struct parser *p, const char *name, size_t len)
{
	for (size_t i = 0; p->body && p->body->kind == ITEM_DEF && i < p->body->n_words; i++)
		if (strlen(p->body->word[i].text) == len && memcmp(p->body->word[i].text, name, len) == 0)
			return true;
	return false;
}

/* Check that each `<NAME>` of a bare word is a parameter of the def around it. */
static bool
check_pieces(struct parser *parser, const struct udd_word *word)
{
	struct place at = udd_place(parser->ast, parser->file, word->at, word->len);

	for (const char *s = strchr(word->text, '<'), *end; s; s = strchr(end, '<')) {
		end = strchr(s, '>');
		if (!end) /* cannot happen: the lexer separates pieces */
			return false;
		if (is_parameter(parser, s + 1, (size_t)(end - s) - 1))
			continue;
		at.at += (uint32_t)(s - word->text);
		at.len = (uint32_t)(end - s) + 1;
		diag_add(parser->diags, DIAG_ERROR, &at, NULL, "%.*s %s", (int)(end - s) + 1, s,
			word_piece_fault(parser->body && parser->body->kind == ITEM_DEF));
		return false;
	}
	return true;
}

/* Returns true if quoted text contains a parameter's piece. Other <…> in it is just text. */
static bool
quoted_pieces(const struct parser *p, const char *text)
{
	for (const char *s = strchr(text, '<'), *end; s; s = strchr(s + 1, '<')) {
		end = strchr(s, '>');
		if (end && is_parameter(p, s + 1, (size_t)(end - s) - 1))
			return true;
	}
	return false;
}

bool
parse_string(struct parser *parser, const char *what, struct udd_word *out)
{
	struct str text = {0};
	bool broken = parser->x.now.broken;

	if (parser->x.now.kind != TOKEN_STRING)
		return parse_fail(parser, what, "");
	lex_string_text(parser->x.source, &parser->x.now, &text);
	*out = (struct udd_word){word_text(&parser->ast->words, str_text(&text), text.n), parser->x.now.at,
		parser->x.now.len & 0x3fffffff, true, false};
	out->pieces = quoted_pieces(parser, out->text);
	str_free(&text);
	lex_next(&parser->x);
	return !broken;
}

static bool
fault(struct parser *p, const struct udd_word *w, const char *what)
{
	struct place at = udd_place(p->ast, p->file, w->at, w->len);

	if (*w->text)
		diag_add(p->diags, DIAG_ERROR, &at, NULL, "'%.60s%s' %s", w->text, strlen(w->text) > 60 ? "…" : "",
			what);
	else
		diag_add(p->diags, DIAG_ERROR, &at, NULL, "there is nothing between the quotes");
	return false;
}

bool
parse_word(struct parser *parser, enum word_kind kind, const char *what, struct udd_word *out)
{
	bool quotable = kind == WORD_COUNTER || kind == WORD_ARGUMENT, pieces;
	const char *bad;
	struct place at;

	if (quotable && parser->x.now.kind == TOKEN_STRING) {
		if (!parse_string(parser, what, out))
			return false;
	} else {
		at = lex_join(&parser->x, quotable ? ".$" : "", &pieces);
		if (!at.len)
			return parse_fail(parser, what, "");
		*out = (struct udd_word){word_text(&parser->ast->words, at.source->text + at.at, at.len), at.at,
			at.len & 0x3fffffff, false, pieces};
	}
	if (out->pieces && !out->quoted)
		return check_pieces(parser, out);
	bad = out->pieces ? NULL : word_fault(kind, out->text, out->quoted);
	return bad ? fault(parser, out, bad) : true;
}

bool
parse_words(struct parser *parser, enum word_kind kind, const char *what, struct udd_word **out, size_t *n)
{
	struct udd_word *list = NULL;
	size_t cap = 0, k = 0;
	bool good = true;

	do {
		if (k)
			lex_next(&parser->x);
		mem_grow(&list, &cap, k + 1, sizeof *list);
		good = parse_word(parser, kind, what, &list[k]);
		k += good;
	} while (good && lex_is(&parser->x, ','));
	*out = arena_copy(parser->arena, list, k * sizeof *list);
	*n = k;
	free(list);
	return good;
}

bool
parse_at_item(const struct parser *p)
{
	static const char *const words[] = {
		"model", "include", "counter", "group", "feature", "variant", "def", "path"
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (lex_is_word(&p->x, words[i]))
			return true;
	return false;
}

static bool
at_statement(const struct parser *p)
{
	static const char *const words[] = {"event", "count", "switch", "choose", "when", "both", "repeat", "return",
		"impossible", "done", "before", "case", "default"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (lex_is_word(&p->x, words[i]))
			return true;
	return false;
}

/* Returns true if the next token is the first of its line. */
static bool
begins_line(const struct parser *p)
{
	return memchr(p->x.source->text + p->x.last_end, '\n', p->x.now.at - p->x.last_end) != NULL;
}

void
parse_recover(struct parser *parser)
{
	for (size_t open = 0; parser->x.now.kind != TOKEN_END; lex_next(&parser->x)) {
		if (begins_line(parser) &&
			(parse_at_item(parser) || (open == 0 && parser->depth > 0 && at_statement(parser))))
			return;
		if (lex_is(&parser->x, '{')) {
			open++;
		} else if (lex_is(&parser->x, '}') && open == 0) {
			return;
		} else if ((lex_is(&parser->x, '}') && --open == 0) || (lex_is(&parser->x, ';') && open == 0)) {
			lex_next(&parser->x);
			return;
		}
	}
}
