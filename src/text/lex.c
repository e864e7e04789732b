#include "text/lex.h"

#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "text/diag.h"

static bool
is_word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool
lex_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

static void
complain(struct lexer *x, size_t at, size_t len, const char *hint, const char *what)
{
	struct place p = {x->source, (uint32_t)at, (uint32_t)len};

	diag_add(x->diags, DIAG_ERROR, &p, hint, "%s", what);
}

void
lex_begin(struct lexer *x, const struct source *s, struct diags *d)
{
	lex_begin_lines(x, s, LEX_FREE, d);
}

void
lex_begin_lines(struct lexer *x, const struct source *s, enum lex_layout layout, struct diags *d)
{
	size_t bad;

	*x = (struct lexer){.source = s, .layout = layout, .diags = d};
	if (!utf8_valid(s->text, s->n, &bad)) {
		complain(x, bad, 1, "save the file as UTF-8 text",
			"this is not text: a NUL or a byte that is not UTF-8");
		x->at = s->n;
	} else if (s->n >= 3 && memcmp(s->text, "\xef\xbb\xbf", 3) == 0) {
		x->at = 3; /* a byte order mark has no meaning here */
	}
	lex_next(x);
}

/* Finds the star-slash; NULL when there is none. */
static const char *
comment_end(const char *s, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++)
		if (s[i] == '*' && s[i + 1] == '/')
			return s + i;
	return NULL;
}

/* Whether a comment begins at this byte of a text by lines. */
static bool
lex_is_note(const struct lexer *x, size_t at)
{
	const char *s = x->source->text;
	char after;

	if (s[at] != '#' || (at && !lex_is_blank(s[at - 1])))
		return false;
	after = s[at + 1];
	while (at && s[at - 1] != '\n' && lex_is_blank(s[at - 1]))
		at--;
	return x->layout == LEX_LINES || at == 0 || s[at - 1] == '\n' || !after || after == '#' || lex_is_blank(after);
}

/* Skips blanks and comments of a text by lines. */
static void
lex_skip_in_line(struct lexer *x)
{
	const char *s = x->source->text;

	while (x->at < x->source->n && s[x->at] != '\n' && lex_is_blank(s[x->at]))
		x->at++;
	if (lex_is_note(x, x->at))
		x->at += strcspn(s + x->at, "\n");
}

/* Skips blanks and comments. */
static void
lex_skip(struct lexer *x)
{
	const char *s = x->source->text;
	size_t n = x->source->n;

	if (x->layout != LEX_FREE) {
		lex_skip_in_line(x);
		return;
	}
	for (;;) {
		while (x->at < n && lex_is_blank(s[x->at]))
			x->at++;
		if (x->at + 1 >= n || s[x->at] != '/' || (s[x->at + 1] != '/' && s[x->at + 1] != '*'))
			return;
		if (s[x->at + 1] == '/') {
			const char *end = memchr(s + x->at, '\n', n - x->at);

			x->at = end ? (size_t)(end - s) : n;
		} else {
			const char *end = comment_end(s + x->at + 2, n - x->at - 2);

			if (!end)
				complain(x, x->at, 2, "add */ where it ends", "this comment does not end");
			x->at = end ? (size_t)(end - s) + 2 : n;
		}
	}
}

/* The length of `<NAME>` at s; 0 when there is none. */
static size_t
piece_length(const char *s, size_t n)
{
	size_t i = 1;

	if (n < 3 || s[0] != '<' || !is_word_byte(s[1]) || (s[1] >= '0' && s[1] <= '9'))
		return 0;
	while (i < n && is_word_byte(s[i]))
		i++;
	return i < n && s[i] == '>' ? i + 1 : 0;
}

/* Reads a string from its opening quote. It ends at the closing quote, or at the end of the line when that is
 * missing. */
static void
lex_read_string(struct lexer *x)
{
	const char *s = x->source->text;
	size_t n = x->source->n, i = x->at + 1;

	while (i < n && s[i] != '"' && s[i] != '\n') {
		uint32_t cp;
		size_t len = utf8_decode(s + i, n - i, &cp);

		if (cp == '\\' && i + 1 < n && (s[i + 1] == '"' || s[i + 1] == '\\')) {
			len = 2;
		} else if (cp == '\\' && !x->now.broken) {
			complain(x, i, 2, "only \\\" and \\\\ are known", "unknown escape in a string");
			x->now.broken = true;
		} else if (utf8_is_control(cp) && !x->now.broken && !(cp == '\r' && i + 1 < n && s[i + 1] == '\n')) {
			complain(x, i, len, NULL, "a control character in a string");
			x->now.broken = true;
		}
		i += len;
	}
	if (i < n && s[i] == '"') {
		i++;
	} else {
		if (!x->now.broken)
			complain(x, x->at, 1, "a string must end with \" on the line where it begins",
				"this string does not end");
		x->now.broken = true;
	}
	x->now.kind = TOKEN_STRING;
	x->now.len = (uint32_t)(i - x->at);
}

/* Skips bytes that begin no token, with one error for a run of them. Returns whether there were any. */
static bool
skip_foreign(struct lexer *x)
{
	const char *s = x->source->text;
	size_t from = x->at;

	while (x->at < x->source->n && !lex_is_blank(s[x->at]) &&
		((unsigned char)s[x->at] < 0x20 || (unsigned char)s[x->at] >= 0x7f))
		x->at++;
	if (x->at == from)
		return false;
	complain(x, from, x->at - from, "such characters are allowed in strings and comments only",
		"a word cannot contain this");
	return true;
}

void
lex_next(struct lexer *x)
{
	const char *s = x->source->text;
	size_t n = x->source->n, len;

	x->last_end = x->now.at + x->now.len;
	do
		lex_skip(x);
	while (skip_foreign(x));
	x->now = (struct token){.at = (uint32_t)x->at, .glued = x->at == x->last_end && x->at > 0};
	if (x->at >= n)
		return;
	if (is_word_byte(s[x->at])) {
		size_t i = x->at;

		while (i < n && is_word_byte(s[i]))
			i++;
		x->now.kind = TOKEN_WORD;
		x->now.len = (uint32_t)(i - x->at);
	} else if ((len = piece_length(s + x->at, n - x->at))) {
		x->now.kind = TOKEN_PIECE;
		x->now.len = (uint32_t)len;
	} else if (s[x->at] == '"') {
		lex_read_string(x);
	} else {
		x->now.kind = TOKEN_PUNCT;
		x->now.punct = s[x->at];
		x->now.len = 1;
	}
	x->at += x->now.len;
}

bool
lex_is(const struct lexer *x, char punct)
{
	return x->now.kind == TOKEN_PUNCT && x->now.punct == punct;
}

bool
lex_is_word(const struct lexer *x, const char *word)
{
	const char *s = x->source->text;
	size_t n = strlen(word);

	return x->now.kind == TOKEN_WORD && x->now.len == n && memcmp(s + x->now.at, word, n) == 0 &&
		!piece_length(s + x->at, x->source->n - x->at);
}

struct place
lex_place(const struct lexer *x)
{
	return (struct place){x->source, x->now.at, x->now.len};
}

struct place
lex_join(struct lexer *x, const char *also, bool *pieces)
{
	struct place p = {x->source, x->now.at, 0};
	bool first = true;

	*pieces = false;
	while ((first || x->now.glued) && (x->now.kind == TOKEN_WORD || x->now.kind == TOKEN_PIECE ||
		(x->now.kind == TOKEN_PUNCT && strchr(also, x->now.punct)))) {
		*pieces |= x->now.kind == TOKEN_PIECE;
		p.len = x->now.at + x->now.len - p.at;
		first = false;
		lex_next(x);
	}
	return p;
}

struct place
lex_take_line(struct lexer *x, uint32_t from)
{
	const char *s = x->source->text;
	struct place p = {x->source, from, 0};
	size_t end = from;

	while (s[p.at] != '\n' && lex_is_blank(s[p.at]))
		p.at++;
	for (end = p.at; end < x->source->n && s[end] != '\n' && !lex_is_note(x, end); end++)
		continue;
	x->at = end;
	while (end > p.at && lex_is_blank(s[end - 1]))
		end--;
	p.len = (uint32_t)(end - p.at);
	lex_next(x);
	return p;
}

struct place
lex_join_all(struct lexer *x)
{
	struct place p = lex_place(x);

	for (lex_next(x); x->now.kind != TOKEN_END && x->now.glued && !lex_is(x, '\n'); lex_next(x))
		p.len = x->now.at + x->now.len - p.at;
	return p;
}

/* Whether the token goes on with a decimal number that begins at byte `from`. */
static bool
lex_goes_on(const struct lexer *x, size_t from, bool sign)
{
	const char *s = x->source->text;
	size_t at = x->now.at;

	if (at > from && !x->now.glued)
		return false;
	if (x->now.kind == TOKEN_WORD || (lex_is(x, '.') && s[at + 1] != '.'))
		return true;
	if (!lex_is(x, '-') && !lex_is(x, '+'))
		return false;
	return at == from ? sign : at - from > 1 && strspn(s + from, "0123456789.+-") == at - 1 - from &&
		strchr("eE", s[at - 1]);
}

struct place
lex_join_decimal(struct lexer *x, bool sign)
{
	struct place p = {x->source, x->now.at, 0};

	while (lex_goes_on(x, p.at, sign)) {
		p.len = x->now.at + x->now.len - p.at;
		lex_next(x);
	}
	return p;
}

void
lex_string_text(const struct source *s, const struct token *t, struct str *out)
{
	size_t end = t->at + t->len;

	if (end > t->at + 1 && s->text[end - 1] == '"' && !(t->broken && s->text[end - 2] == '\\'))
		end--;
	for (size_t i = t->at + 1; i < end; i++) {
		if (s->text[i] == '\\' && i + 1 < end && (s->text[i + 1] == '"' || s->text[i + 1] == '\\'))
			i++;
		str_addc(out, s->text[i]);
	}
}

void
lex_describe(const struct lexer *x, struct str *out)
{
	size_t len = x->now.len;

	switch (x->now.kind) {
	case TOKEN_END:
		str_add(out, "the end of the file");
		return;
	case TOKEN_STRING:
		str_add(out, "a string");
		return;
	case TOKEN_WORD:
	case TOKEN_PIECE:
	case TOKEN_PUNCT:
		if (lex_is(x, '\n')) {
			str_add(out, "the end of the line");
			return;
		}
		str_addc(out, '\'');
		str_addn(out, x->source->text + x->now.at, len > 40 ? 40 : len);
		str_add(out, len > 40 ? "…'" : "'");
	}
}
