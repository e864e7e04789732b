#include "convert/fdl/lexer.h"

#include <string.h>

#include "base/str.h"
#include "base/utf8.h"

bool
fdl_word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
		c == '$';
}

/* Skips blanks and comments. */
static void
lexer_skip(struct fdl_lexer *lexer)
{
	size_t n = lexer->source->n;

	for (;;) {
		while (lexer->at < n && lexer->text[lexer->at] && strchr(" \t\r\n\f\v", lexer->text[lexer->at]))
			lexer->at++;
		if (lexer->at == n || lexer->text[lexer->at] != '#')
			return;
		while (lexer->at < n && lexer->text[lexer->at] != '\n')
			lexer->at++;
	}
}

static struct fdl_token
read_token(struct fdl_lexer *lexer)
{
	struct fdl_token t = {.kind = FDL_END};
	size_t n = lexer->source->n, end;
	uint32_t cp;

	lexer_skip(lexer);
	t.at = (uint32_t)lexer->at;
	if (lexer->at == n)
		return t;
	end = lexer->at;
	while (end < n && fdl_word_byte(lexer->text[end]))
		end++;
	if (end > lexer->at) {
		t.kind = FDL_WORD;
	} else if (lexer->text[end] == '=' && end + 1 < n && lexer->text[end + 1] == '>') {
		t.kind = FDL_ARROW;
		end += 2;
	} else {
		t.kind = FDL_PUNCT;
		t.punct = lexer->text[end];
		end += utf8_decode(lexer->text + end, n - end, &cp);
	}
	t.len = (uint32_t)(end - lexer->at);
	lexer->at = end;
	return t;
}

void
fdl_lex_begin(struct fdl_lexer *x, const struct source *s, const char *text)
{
	*x = (struct fdl_lexer){.source = s, .text = text};
	if (s->n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		x->at = 3; /* a byte order mark has no meaning here */
	x->now = read_token(x);
	x->next = read_token(x);
}

void
fdl_lex_next(struct fdl_lexer *x)
{
	x->last_end = x->now.at + x->now.len;
	x->now = x->next;
	x->next = read_token(x);
}

bool
fdl_lex_is(const struct fdl_lexer *x, char punct)
{
	return x->now.kind == FDL_PUNCT && x->now.punct == punct;
}

bool
fdl_lex_is_word(const struct fdl_lexer *x, const char *word)
{
	return x->now.kind == FDL_WORD && x->now.len == strlen(word) &&
		memcmp(x->text + x->now.at, word, x->now.len) == 0;
}

struct place
fdl_lex_place(const struct fdl_lexer *x)
{
	return (struct place){x->source, x->now.at, x->now.len};
}

void
fdl_lex_describe(const struct fdl_lexer *x, struct str *out)
{
	if (x->now.kind == FDL_END)
		str_add(out, "the end of the file");
	else
		str_addf(out, "'%.*s'", (int)(x->now.len < 60 ? x->now.len : 60), x->text + x->now.at);
}
