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
parse_punct_or(struct parser *p, char c, const char *others, const char *where)
{
	char *expected;

	if (lex_is(&p->x, c)) {
		lex_next(&p->x);
		return true;
	}
	if (forgotten(p, c, where))
		return true;
	expected = str_format("%s'%c'", others, c);
	parse_fail(p, expected, where);
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
check_pieces(struct parser *p, const struct udd_word *w)
{
	struct place at = udd_place(p->ast, p->file, w->at, w->len);

	for (const char *s = strchr(w->text, '<'), *end; s; s = strchr(end, '<')) {
		end = strchr(s, '>');
		if (!end) /* cannot happen: the lexer separates pieces */
			return false;
		if (is_parameter(p, s + 1, (size_t)(end - s) - 1))
			continue;
		at.at += (uint32_t)(s - w->text);
		at.len = (uint32_t)(end - s) + 1;
		diag_add(p->diags, DIAG_ERROR, &at, NULL, "%.*s %s", (int)(end - s) + 1, s,
			word_piece_fault(p->body && p->body->kind == ITEM_DEF));
		return false;
	}
	return true;
}

/* True if quoted text contains a parameter's piece. Other <…> in it is just text. */
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
parse_string(struct parser *p, const char *what, struct udd_word *out)
{
	struct str text = {0};
	bool broken = p->x.now.broken;

	if (p->x.now.kind != TOKEN_STRING)
		return parse_fail(p, what, "");
	lex_string_text(p->x.source, &p->x.now, &text);
	*out = (struct udd_word){word_text(&p->ast->words, str_text(&text), text.n), p->x.now.at,
		p->x.now.len & 0x3fffffff, true, false};
	out->pieces = quoted_pieces(p, out->text);
	str_free(&text);
	lex_next(&p->x);
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
parse_word(struct parser *p, enum word_kind kind, const char *what, struct udd_word *out)
{
	bool quotable = kind == WORD_COUNTER || kind == WORD_ARGUMENT, pieces;
	const char *bad;
	struct place at;

	if (quotable && p->x.now.kind == TOKEN_STRING) {
		if (!parse_string(p, what, out))
			return false;
	} else {
		at = lex_join(&p->x, quotable ? ".$" : "", &pieces);
		if (!at.len)
			return parse_fail(p, what, "");
		*out = (struct udd_word){word_text(&p->ast->words, at.source->text + at.at, at.len), at.at,
			at.len & 0x3fffffff, false, pieces};
	}
	if (out->pieces && !out->quoted)
		return check_pieces(p, out);
	bad = out->pieces ? NULL : word_fault(kind, out->text, out->quoted);
	return bad ? fault(p, out, bad) : true;
}

bool
parse_words(struct parser *p, enum word_kind kind, const char *what, struct udd_word **out, size_t *n)
{
	struct udd_word *list = NULL;
	size_t cap = 0, k = 0;
	bool good = true;

	do {
		if (k)
			lex_next(&p->x);
		mem_grow(&list, &cap, k + 1, sizeof *list);
		good = parse_word(p, kind, what, &list[k]);
		k += good;
	} while (good && lex_is(&p->x, ','));
	*out = arena_copy(p->arena, list, k * sizeof *list);
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

/* True if the next token is the first of its line. */
static bool
begins_line(const struct parser *p)
{
	return memchr(p->x.source->text + p->x.last_end, '\n', p->x.now.at - p->x.last_end) != NULL;
}

void
parse_recover(struct parser *p)
{
	for (size_t open = 0; p->x.now.kind != TOKEN_END; lex_next(&p->x)) {
		if (begins_line(p) && (parse_at_item(p) || (open == 0 && p->depth > 0 && at_statement(p))))
			return;
		if (lex_is(&p->x, '{')) {
			open++;
		} else if (lex_is(&p->x, '}') && open == 0) {
			return;
		} else if ((lex_is(&p->x, '}') && --open == 0) || (lex_is(&p->x, ';') && open == 0)) {
			lex_next(&p->x);
			return;
		}
	}
}
