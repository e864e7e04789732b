#include "base/shell.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/panic.h"
#include "base/str.h"
#include "base/utf8.h"

static bool
is_plain(const char *word)
{
	for (const char *c = word; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("/._-+:,@%", *c) && !(*c == '=' && c > word))
			return false;
	return *word != '\0';
}

/* Returns whether the word holds bytes that a terminal could obey, or that are no text. */
static bool
has_control(const char *word)
{
	size_t n = strlen(word);
	uint32_t cp;

	if (!utf8_valid(word, n, &(size_t){0}))
		return true;
	for (size_t i = 0; i < n; i += utf8_decode(word + i, n - i, &cp))
		if (utf8_decode(word + i, n - i, &cp) && utf8_is_control(cp))
			return true;
	return false;
}

/* An escaped quote instead of a bare one: a shell that does not know $'…' would take a bare one for the closing
 * quote. */
static void
add_escaped(struct str *out, const char *word)
{
	str_add(out, "$'");
	for (const unsigned char *c = (const unsigned char *)word; *c; c++)
		if (*c == '\n')
			str_add(out, "\\n");
		else if (*c == '\t')
			str_add(out, "\\t");
		else if (*c < 0x20 || *c > 0x7e || strchr("'\\!", *c))
			/* always three digits, because the next character may be a digit too */
			str_addf(out, "\\%03o", *c);
		else
			str_addc(out, (char)*c);
	str_addc(out, '\'');
}

void
shell_add_word(struct str *out, const char *word)
{
	if (is_plain(word)) {
		str_add(out, word);
		return;
	}
	if (has_control(word)) {
		add_escaped(out, word);
		return;
	}
	str_addc(out, '\'');
	for (const char *c = word; *c; c++)
		if (*c == '\'')
			str_add(out, "'\\''");
		else
			str_addc(out, *c);
	str_addc(out, '\'');
}

void
shell_add_file(struct str *out, const char *path)
{
	if (path[0] == '-' && path[1]) {
		char *safe = str_format("./%s", path);

		shell_add_word(out, safe);
		free(safe);
	} else {
		shell_add_word(out, path);
	}
}

void
shell_add_option(struct str *out, const char *option, const char *value)
{
	str_addf(out, " %s%c", option, *value == '-' ? '=' : ' ');
	shell_add_word(out, value);
}

bool
shell_hint(struct err *e, const char *fmt, ...)
{
	struct str out = {0};
	va_list ap;

	va_start(ap, fmt);
	for (const char *c = fmt; *c; c++) {
		if (*c != '%') {
			str_addc(&out, *c);
			continue;
		}
		c++;
		if (*c == 's')
			shell_add_file(&out, va_arg(ap, const char *));
		else if (*c == '%')
			str_addc(&out, '%');
		else
			panic("a hint for a shell has words only: %s", fmt);
	}
	va_end(ap);
	err_hint(e, "%s", str_text(&out));
	str_free(&out);
	return false;
}

/* --- from a command line back to words -------------------------------------------------------------------------- */

struct splitter {
	const char *at;
	struct str word;
	bool some;  /* a word has begun, possibly an empty one */
	char **argv;
	size_t n, cap;
};

static void
end_word(struct splitter *s)
{
	if (!s->some)
		return;
	mem_grow(&s->argv, &s->cap, s->n + 2, sizeof *s->argv);
	s->argv[s->n++] = s->word.n ? str_take(&s->word) : mem_str("");
	s->argv[s->n] = NULL;
	s->some = false;
}

/* One escape of $'…', after its backslash. */
static void
take_escape(struct splitter *splitter)
{
	char c = *splitter->at++;

	if (c >= '0' && c <= '7') {
		int code = c - '0';

		for (int i = 0; i < 2 && *splitter->at >= '0' && *splitter->at <= '7'; i++)
			code = code * 8 + (*splitter->at++ - '0');
		if (code & 0xff)
			str_addc(&splitter->word, (char)(code & 0xff));
	} else {
		str_addc(&splitter->word, c == 'n' ? '\n' : c == 't' ? '\t' : c);
	}
}

/* Reads to the closing quote; false when there is none. `quote` is ' or ", or $ for $'…'. */
static bool
take_quoted(struct splitter *splitter, char quote)
{
	char end = quote == '$' ? '\'' : quote;

	splitter->some = true;
	while (*splitter->at && *splitter->at != end) {
		bool escape = quote != '\'' && splitter->at[0] == '\\' && splitter->at[1];

		splitter->at += escape;
		if (escape && quote == '$')
			take_escape(splitter);
		else
			str_addc(&splitter->word, *splitter->at++);
	}
	return *splitter->at && *splitter->at++ == end;
}

char **
shell_split(const char *line, struct err *e)
{
	struct splitter s = {.at = line};
	bool closed = true;

	while (*s.at && closed) {
		char c = *s.at++;

		if (c == '$' && *s.at == '\'') {
			s.at++;
			closed = take_quoted(&s, '$');
		} else if (c == '\'' || c == '"') {
			closed = take_quoted(&s, c);
		} else if (c == ' ' || c == '\t') {
			end_word(&s);
		} else {
			str_addc(&s.word, c == '\\' && *s.at ? *s.at++ : c);
			s.some = true;
		}
	}
	end_word(&s);
	str_free(&s.word);
	if (s.argv && closed)
		return s.argv;
	err_set(e, closed ? "no command was typed" : "the command has an open quote");
	str_split_free(s.argv);
	return NULL;
}
