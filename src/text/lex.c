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
lex_begin_lines(struct lexer *lexer, const struct source *source, enum lex_layout layout, struct diags *diags)
{
	size_t bad;

	*lexer = (struct lexer){.source = source, .layout = layout, .diags = diags};
	if (!utf8_valid(source->text, source->n, &bad)) {
		complain(lexer, bad, 1, "save the file as UTF-8 text",
			"this is not text: a NUL or a byte that is not UTF-8");
		lexer->at = source->n;
	} else if (source->n >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0) {
		lexer->at = 3; /* a byte order mark has no meaning here */
	}
	lex_next(lexer);
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

/* Returns whether a comment begins at this byte of a text by lines. */
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
lex_skip(struct lexer *lexer)
{
	const char *s = lexer->source->text;
	size_t n = lexer->source->n;

	if (lexer->layout != LEX_FREE) {
		lex_skip_in_line(lexer);
		return;
	}
	for (;;) {
		while (lexer->at < n && lex_is_blank(s[lexer->at]))
			lexer->at++;
		if (lexer->at + 1 >= n || s[lexer->at] != '/' || (s[lexer->at + 1] != '/' && s[lexer->at + 1] != '*'))
			return;
		if (s[lexer->at + 1] == '/') {
			const char *end = memchr(s + lexer->at, '\n', n - lexer->at);

			lexer->at = end ? (size_t)(end - s) : n;
		} else {
			const char *end = comment_end(s + lexer->at + 2, n - lexer->at - 2);

			if (!end)
				complain(lexer, lexer->at, 2, "add */ where it ends", "this comment does not end");
			lexer->at = end ? (size_t)(end - s) + 2 : n;
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
lex_read_string(struct lexer *lexer)
{
	const char *s = lexer->source->text;
	size_t n = lexer->source->n, i = lexer->at + 1;

	while (i < n && s[i] != '"' && s[i] != '\n') {
		uint32_t cp;
		size_t len = utf8_decode(s + i, n - i, &cp);

		if (cp == '\\' && i + 1 < n && (s[i + 1] == '"' || s[i + 1] == '\\')) {
			len = 2;
		} else if (cp == '\\' && !lexer->now.broken) {
			complain(lexer, i, 2, "only \\\" and \\\\ are known", "unknown escape in a string");
			lexer->now.broken = true;
		} else if (utf8_is_control(cp) && !lexer->now.broken &&
			!(cp == '\r' && i + 1 < n && s[i + 1] == '\n')) {
			complain(lexer, i, len, NULL, "a control character in a string");
			lexer->now.broken = true;
		}
		i += len;
	}
	if (i < n && s[i] == '"') {
		i++;
	} else {
		if (!lexer->now.broken)
			complain(lexer, lexer->at, 1, "a string must end with \" on the line where it begins",
				"this string does not end");
		lexer->now.broken = true;
	}
	lexer->now.kind = TOKEN_STRING;
	lexer->now.len = (uint32_t)(i - lexer->at);
}

/* Skips bytes that begin no token, with one error for a run of them. Returns whether there were any. */
static bool
skip_foreign(struct lexer *lexer)
{
	const char *s = lexer->source->text;
	size_t from = lexer->at;

	while (lexer->at < lexer->source->n && !lex_is_blank(s[lexer->at]) &&
		((unsigned char)s[lexer->at] < 0x20 || (unsigned char)s[lexer->at] >= 0x7f))
		lexer->at++;
	if (lexer->at == from)
		return false;
	complain(lexer, from, lexer->at - from, "such characters are allowed in strings and comments only",
		"a word cannot contain this");
	return true;
}

static void
lex_give_up(struct lexer *lexer)
{
	char what[BUDGET_TEXT];

	complain(lexer, lexer->at, 0, BUDGET_HINT, budget_what(&lexer->budget, what, sizeof what));
	lexer->diags->closed = true;
	lexer->at = lexer->source->n;
}

void
lex_next(struct lexer *lexer)
{
	const char *s = lexer->source->text;
	size_t n = lexer->source->n, len;

	lexer->last_end = lexer->now.at + lexer->now.len;
	if (budget_poll(&lexer->budget, lexer->at) && lexer->at < n)
		lex_give_up(lexer);
	do
		lex_skip(lexer);
	while (skip_foreign(lexer));
	lexer->now = (struct token){.at = (uint32_t)lexer->at, .glued = lexer->at == lexer->last_end && lexer->at > 0};
	if (lexer->at >= n)
		return;
	if (is_word_byte(s[lexer->at])) {
		size_t i = lexer->at;

		while (i < n && is_word_byte(s[i]))
			i++;
		lexer->now.kind = TOKEN_WORD;
		lexer->now.len = (uint32_t)(i - lexer->at);
	} else if ((len = piece_length(s + lexer->at, n - lexer->at))) {
		lexer->now.kind = TOKEN_PIECE;
		lexer->now.len = (uint32_t)len;
	} else if (s[lexer->at] == '"') {
		lex_read_string(lexer);
	} else {
		lexer->now.kind = TOKEN_PUNCT;
		lexer->now.punct = s[lexer->at];
		lexer->now.len = 1;
	}
	lexer->at += lexer->now.len;
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
lex_join(struct lexer *lexer, const char *also, bool *pieces)
{
	struct place p = {lexer->source, lexer->now.at, 0};
	bool first = true;

	*pieces = false;
	while ((first || lexer->now.glued) && (lexer->now.kind == TOKEN_WORD || lexer->now.kind == TOKEN_PIECE ||
		(lexer->now.kind == TOKEN_PUNCT && strchr(also, lexer->now.punct)))) {
		*pieces |= lexer->now.kind == TOKEN_PIECE;
		p.len = lexer->now.at + lexer->now.len - p.at;
		first = false;
		lex_next(lexer);
	}
	return p;
}

struct place
lex_take_line(struct lexer *lexer, uint32_t from)
{
	const char *s = lexer->source->text;
	struct place p = {lexer->source, from, 0};
	size_t end = from;

	while (s[p.at] != '\n' && lex_is_blank(s[p.at]))
		p.at++;
	for (end = p.at; end < lexer->source->n && s[end] != '\n' && !lex_is_note(lexer, end); end++)
		continue;
	lexer->at = end;
	while (end > p.at && lex_is_blank(s[end - 1]))
		end--;
	p.len = (uint32_t)(end - p.at);
	lex_next(lexer);
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

/* Returns whether the token goes on with a decimal number that begins at byte `from`. */
static bool
lex_goes_on(const struct lexer *lexer, size_t from, bool sign)
{
	const char *s = lexer->source->text;
	size_t at = lexer->now.at;

	if (at > from && !lexer->now.glued)
		return false;
	if (lexer->now.kind == TOKEN_WORD || (lex_is(lexer, '.') && s[at + 1] != '.'))
		return true;
	if (!lex_is(lexer, '-') && !lex_is(lexer, '+'))
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
lex_add_string(const char *text, struct str *out)
{
	str_addc(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			str_addc(out, '\\');
		str_addc(out, *text);
	}
	str_addc(out, '"');
}

void
lex_describe(const struct lexer *lexer, struct str *out)
{
	size_t len = lexer->now.len;

	switch (lexer->now.kind) {
	case TOKEN_END:
		str_add(out, "the end of the file");
		return;
	case TOKEN_STRING:
		str_add(out, "a string");
		return;
	case TOKEN_WORD:
	case TOKEN_PIECE:
	case TOKEN_PUNCT:
		if (lex_is(lexer, '\n')) {
			str_add(out, "the end of the line");
			return;
		}
		str_addc(out, '\'');
		str_addn(out, lexer->source->text + lexer->now.at, len > 40 ? 40 : len);
		str_add(out, len > 40 ? "…'" : "'");
	}
}
