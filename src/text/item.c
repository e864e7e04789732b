#include "text/item.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "text/aexpr.h"
#include "text/diag.h"

bool
item_fail(struct item_reader *r, const char *expected, const char *after)
{
	struct place at = lex_place(&r->x);
	struct str seen = {0};

	lex_describe(&r->x, &seen);
	diag_add(r->diags, DIAG_ERROR, &at, NULL, "%s expected%s%s, not %s", expected, *after ? " " : "", after,
		str_text(&seen));
	str_free(&seen);
	return false;
}

bool
item_take_punct(struct item_reader *r, char c)
{
	if (!lex_is(&r->x, c))
		return false;
	lex_next(&r->x);
	return true;
}

bool
item_take_word(struct item_reader *r, const char *word)
{
	if (!lex_is_word(&r->x, word))
		return false;
	lex_next(&r->x);
	return true;
}

bool
item_punct(struct item_reader *r, char c, const char *after)
{
	char expected[] = {'\'', c, '\'', 0};

	return item_take_punct(r, c) || item_fail(r, expected, after);
}

bool
item_text(struct item_reader *reader, const char *what, const char **out)
{
	struct str text = {0};
	bool broken = reader->x.now.broken;

	if (reader->x.now.kind != TOKEN_STRING)
		return item_fail(reader, what, "");
	lex_string_text(reader->x.source, &reader->x.now, &text);
	*out = arena_strn(reader->arena, str_text(&text), text.n);
	str_free(&text);
	lex_next(&reader->x);
	return !broken;
}

bool
item_joined_text(struct item_reader *reader, const char *what, struct str *all)
{
	struct place at = lex_place(&reader->x);
	size_t before = all->n;
	const char *text;
	bool good;

	do {
		good = item_text(reader, what, &text);
		if (good)
			str_addf(all, "%s%s", all->n > before ? " " : "", text);
	} while (good && reader->x.now.kind == TOKEN_STRING);
	if (!good || all->n > before)
		return good;
	diag_add(reader->diags, DIAG_ERROR, &at, NULL, "%s expected: there is nothing between the quotes", what);
	return false;
}

bool
item_optional_text(struct item_reader *r, const char **out)
{
	*out = "";
	return r->x.now.kind != TOKEN_STRING || item_text(r, "a text", out);
}

bool
item_name(struct item_reader *reader, const char *what, const char **out, struct place *at)
{
	bool pieces = false;

	*at = lex_place(&reader->x);
	if (reader->x.now.kind == TOKEN_STRING) {
		if (!item_text(reader, what, out))
			return false;
		if (**out)
			return true;
		diag_add(reader->diags, DIAG_ERROR, at, NULL, "there is nothing between the quotes");
		return false;
	}
	*at = lex_join(&reader->x, ".$", &pieces);
	if (!at->len)
		return item_fail(reader, what, "");
	*out = arena_strn(reader->arena, at->source->text + at->at, at->len);
	if (!pieces && strchr("0123456789.$", **out) == NULL && (*out)[at->len - 1] != '.')
		return true;
	diag_add(reader->diags, DIAG_ERROR, at, "a name begins with a letter or '_'; other names need quotes",
		"'%.60s' is not a name", *out);
	return false;
}

bool
item_expression(struct item_reader *r, struct aexpr **out)
{
	*out = aexpr_parse(&r->x, r->arena);
	return *out != NULL;
}

/* Reports "WHAT: EXPECTED is expected, not SEEN" for a place, or for the next token when its length is 0. Frees the
 * string. */
static bool
item_refuse(struct item_reader *reader, const char *what, struct place at, const char *hint, struct str *expected)
{
	struct str seen = {0};

	if (at.len) {
		str_addf(&seen, "'%.*s'", (int)(at.len < 80 ? at.len : 80), at.source->text + at.at);
	} else {
		at = lex_place(&reader->x);
		lex_describe(&reader->x, &seen);
	}
	diag_add(reader->diags, DIAG_ERROR, &at, hint, "%s: %s is expected, not %s", what, str_text(expected),
		str_text(&seen));
	str_free(&seen);
	str_free(expected);
	return false;
}

bool
item_number(struct item_reader *reader, const char *what, enum notation form, int64_t least, int64_t most, int64_t *out,
	const char *hint)
{
	struct place at = lex_place(&reader->x);
	char *text = mem_strn(at.source->text + at.at, at.len);
	bool good = reader->x.now.kind == TOKEN_WORD && notation_read(form, least, most, text, out);
	struct str expected = {0};

	free(text);
	if (good) {
		lex_next(&reader->x);
		return true;
	}
	notation_expected(form, least, most, &expected);
	return item_refuse(reader, what, (struct place){0}, hint, &expected);
}

bool
item_count(struct item_reader *r, const char *what, unsigned least, unsigned most, unsigned *out, const char *hint)
{
	int64_t v;

	if (!item_number(r, what, NOTATION_WHOLE, least, most, &v, hint))
		return false;
	*out = (unsigned)v;
	return true;
}

bool
item_decimal(struct item_reader *reader, const char *what, double least, double most, double *out, const char *hint)
{
	struct lexer before = reader->x;
	struct place at = lex_join_decimal(&reader->x, least < 0);
	char *text = mem_strn(at.source->text + at.at, at.len);
	bool good = decimal_read(least, most, text, out);
	struct str expected = {0};

	free(text);
	if (good)
		return true;
	reader->x = before;
	decimal_expected(least, most, &expected);
	return item_refuse(reader, what, at, hint, &expected);
}

bool
item_once(struct item_reader *r, bool given)
{
	struct place at = lex_place(&r->x);

	if (given)
		diag_add(r->diags, DIAG_ERROR, &at, NULL, "a second '%.*s': there may be one", (int)at.len,
			at.source->text + at.at);
	else
		lex_next(&r->x);
	return !given;
}

bool
item_value(struct item_reader *reader, const struct item_value *value, void *into)
{
	struct place at;
	void *field = (char *)into + value->field;
	int64_t number;

	if (!item_once(reader, value->once && *(const char **)field))
		return false;
	switch (value->kind) {
	case ITEM_COUNT:
		if (!item_number(reader, value->what, value->form, value->least, value->most, &number, NULL))
			return false;
		*(unsigned *)field = (unsigned)number;
		break;
	case ITEM_TEXT:
		if (!item_text(reader, value->what, field))
			return false;
		break;
	case ITEM_NAME:
		if (!item_name(reader, value->what, field, &at))
			return false;
		break;
	}
	return item_punct(reader, ';', value->after);
}

static const char *
word_of(const void *rows, size_t i, size_t size)
{
	const char *word;

	memcpy(&word, (const char *)rows + i * size, sizeof word);
	return word;
}

size_t
item_choose(struct item_reader *reader, const void *rows, size_t n, size_t size)
{
	struct str all = {0};

	for (size_t i = 0; i < n; i++)
		if (lex_is_word(&reader->x, word_of(rows, i, size)))
			return i;
	for (size_t i = 0; i < n; i++)
		str_addf(&all, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ", word_of(rows, i, size));
	item_fail(reader, str_text(&all), "");
	str_free(&all);
	lex_next(&reader->x);
	return n;
}

void
item_recover(struct item_reader *reader, int depth)
{
	for (size_t open = 0; reader->x.now.kind != TOKEN_END; lex_next(&reader->x)) {
		if (lex_is(&reader->x, '{')) {
			open++;
		} else if (lex_is(&reader->x, '}') && open == 0 && depth > 0) {
			return;
		} else if ((lex_is(&reader->x, '}') && (open == 0 || --open == 0)) ||
			(lex_is(&reader->x, ';') && open == 0)) {
			lex_next(&reader->x);
			return;
		}
	}
}
