/* Does what GNU m4 does to a text whose only macro is ifdef(`NAME',`text') or ifdef(`NAME',`text',`other'):
 *
 * Outside of quoted text, m4 copies a comment, from # to the end of its line, without reading it. Within quoted text it
 * recognises only quotes, which nest. A # there begins a comment only after the text has replaced its call. The
 * replacement of a call is read again, so calls nest.
 *
 * Source: the manual of GNU m4 1.4, "Quoting", "Comments", "Ifdef", and the behaviour of the program. */
#include "convert/fdl/parts.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "convert/fdl/lexer.h"
#include "text/diag.h"
#include "text/source.h"

#define DEPTH_MAX 256
#define RUN_IT "run it through m4 and give hecate the result as a .fdl file"

struct macro {
	const struct source *s;
	char *text; /* the result; the part that was read already is final */
	const char *const *define;
	size_t n;
	struct diags *diags;
	int depth;
};

/* A stretch of the text. */
struct span {
	size_t from, to;
};

static bool
m4_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* A byte of m4's words. FDL's words may contain a dot as well. */
static bool
m4_is_word(char c)
{
	return m4_is_letter(c) || (c >= '0' && c <= '9');
}

const char *
fdl_define_fault(const char *define)
{
	size_t n = strcspn(define, "=");

	if (!m4_is_letter(*define))
		return "a name begins with a letter or '_'";
	for (size_t i = 0; i < n; i++)
		if (!m4_is_word(define[i]))
			return "a name is made of letters, digits and '_'";
	return NULL;
}

static bool
m4_fail(const struct macro *m, size_t at, size_t len, const char *hint, const char *what)
{
	struct place p = {m->s, (uint32_t)at, (uint32_t)len};

	diag_add(m->diags, DIAG_ERROR, &p, hint, "%s", what);
	return false;
}

static bool
is_defined(const struct macro *m, const char *name, size_t n)
{
	for (size_t i = 0; i < m->n; i++)
		if (strcspn(m->define[i], "=") == n && memcmp(m->define[i], name, n) == 0)
			return true;
	return false;
}

/* Builtins that m4 takes for calls even without a parenthesis. */
static bool
is_bare_builtin(const char *name, size_t n)
{
	static const char *const builtin[] = {"dnl", "divnum", "changecom", "changequote", "undivert", "divert",
		"dumpdef", "m4exit", "traceon", "traceoff", "sysval", "debugmode", "debugfile", "__file__",
		"__line__", "__program__", "__gnu__", "__unix__"};

	for (size_t i = 0; i < sizeof builtin / sizeof *builtin; i++)
		if (strlen(builtin[i]) == n && memcmp(builtin[i], name, n) == 0)
			return true;
	return false;
}

static void
blank(struct macro *m, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (m->text[i] != '\n' && m->text[i] != '\r')
			m->text[i] = ' ';
}

static size_t
skip_blanks(const struct macro *m, size_t at, size_t end)
{
	while (at < end && m->text[at] && strchr(" \t\r\n\f\v", m->text[at]))
		at++;
	return at;
}

/* Reads a quoted argument. *at is before it, and after it on return; *in is the text between its quotes. */
static bool
read_quoted(const struct macro *macro, size_t *at, size_t end, struct span *in)
{
	size_t from = *at, depth = 0, i = from;

	if (from == end || macro->text[from] != '`')
		return m4_fail(macro, from, from < end, "its arguments need quotes: ifdef(`NAME',`text')",
			"a ` was expected here, in a call of ifdef");
	for (; i < end; i++) {
		depth += macro->text[i] == '`';
		depth -= macro->text[i] == '\'';
		if (depth == 0)
			break;
	}
	if (i == end)
		return m4_fail(macro, from, 1, "each ` needs a '; an apostrophe ends a quoted text, too",
			"this quoted text does not end");
	*in = (struct span){from + 1, i};
	*at = i + 1;
	return true;
}

/* Reads the arguments of a call whose parenthesis is open. *at is after its end on return. */
static bool
read_arguments(const struct macro *macro, size_t *at, size_t end, struct span arg[3], size_t *n)
{
	for (*n = 0;;) {
		*at = skip_blanks(macro, *at, end);
		if (*n == 3)
			return m4_fail(macro, *at, 1, "ifdef(`NAME',`text',`text without it')",
				"ifdef takes three arguments at most");
		if (!read_quoted(macro, at, end, &arg[(*n)++]))
			return false;
		if (*n > 1)
			*at = skip_blanks(macro, *at, end);
		if (*at < end && macro->text[*at] == ')' && *n > 1) {
			++*at;
			return true;
		}
		if (*at == end || macro->text[*at] != ',')
			break;
		++*at;
	}
	if (*n > 1)
		return m4_fail(macro, *at, *at < end, "an apostrophe inside the text ends it early",
			"',' or ')' was expected here, in a call of ifdef");
	return m4_fail(macro, *at, *at < end, "ifdef(`NAME',`text')", "',' was expected here, right after the name");
}

static bool m4_read_text(struct macro *, size_t from, size_t end, bool *in_comment);

/* Refuses text that would join a word outside the call to one inside it. */
static bool
check_seams(const struct macro *m, size_t from, size_t end, const struct span *kept)
{
	if (kept->from == kept->to)
		return true;
	if (from > 0 && fdl_word_byte(m->s->text[from - 1]) && fdl_word_byte(m->s->text[kept->from]))
		return m4_fail(m, kept->from, 1, "put a blank between them",
			"this text is joined to the word before ifdef");
	if (end < m->s->n && fdl_word_byte(m->s->text[end]) && fdl_word_byte(m->s->text[kept->to - 1]))
		return m4_fail(m, end, 1, "put a blank between them",
			"this text is joined to the word at the end of ifdef's text");
	return true;
}

/* Reads a call of ifdef at `from`, whose word ends at *at. */
static bool
expand_ifdef(struct macro *macro, size_t from, size_t *at, size_t end, bool *in_comment)
{
	struct span arg[3], kept;
	size_t n;
	bool good;

	++*at; /* the parenthesis */
	if (!read_arguments(macro, at, end, arg, &n))
		return false;
	if (is_defined(macro, macro->text + arg[0].from, arg[0].to - arg[0].from))
		kept = arg[1];
	else
		kept = n == 3 ? arg[2] : (struct span){*at, *at};
	if (!check_seams(macro, from, *at, &kept))
		return false;
	blank(macro, from, kept.from);
	blank(macro, kept.to, *at);
	if (++macro->depth > DEPTH_MAX)
		return m4_fail(macro, from, 5, NULL, "calls of ifdef nest deeper than 256");
	good = m4_read_text(macro, kept.from, kept.to, in_comment);
	macro->depth--;
	return good;
}

/* Reads a word at `from`; *at is after it on return. */
static bool
m4_read_word(struct macro *macro, size_t from, size_t *at, size_t end, bool *in_comment)
{
	size_t n = *at - from;
	const char *word = macro->text + from;
	bool calls = *at < end && macro->text[*at] == '(';
	char *what;

	if (calls && n == 5 && memcmp(word, "ifdef", n) == 0)
		return expand_ifdef(macro, from, at, end, in_comment);
	if (calls)
		what = str_format("'%.*s(' looks like a call of an m4 macro, and hecate knows none but ifdef",
			(int)(n < 60 ? n : 60), word);
	else if (is_bare_builtin(word, n))
		what = str_format("'%.*s' is a macro of m4, and hecate knows none but ifdef", (int)n, word);
	else if (is_defined(macro, word, n))
		what = str_format("m4 would replace '%.*s' by its definition here; hecate uses definitions in ifdef "
			"only", (int)(n < 60 ? n : 60), word);
	else
		return true;
	m4_fail(macro, from, n, RUN_IT, what);
	free(what);
	return false;
}

static bool
m4_read_text(struct macro *macro, size_t from, size_t end, bool *in_comment)
{
	for (size_t i = from; i < end;) {
		size_t start = i;

		if (*in_comment || macro->text[i] == '#') {
			while (i < end && macro->text[i] != '\n')
				i++;
			*in_comment = i == end;
		} else if (macro->text[i] == '`') {
			return m4_fail(macro, i, 1, RUN_IT, "hecate knows m4's quotes in calls of ifdef only");
		} else if (m4_is_letter(macro->text[i])) {
			while (i < end && m4_is_word(macro->text[i]))
				i++;
			if (!m4_read_word(macro, start, &i, end, in_comment))
				return false;
		} else {
			i++;
		}
	}
	return true;
}

char *
fdl_m4(const struct source *s, const char *const *define, size_t n, struct diags *d)
{
	struct macro m = {.s = s, .text = mem_strn(s->text, s->n), .define = define, .n = n, .diags = d};
	bool in_comment = false;

	if (m4_read_text(&m, 0, s->n, &in_comment))
		return m.text;
	free(m.text);
	return NULL;
}
