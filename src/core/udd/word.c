/* Checks what a word may contain, and replaces `<PARAM>` pieces in it. */
#include "core/udd/word.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/udd/ast.h"
#include "core/udd/check.h"
#include "core/udd/fset.h"
#include "text/bexpr.h"
#include "text/diag.h"

const char *
word_text(struct names *words, const char *s, size_t n)
{
	size_t i = names_add(words, s, n);

	return words->name[i];
}

static bool
word_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool
word_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool
word_is_reserved(const char *text)
{
	static const char *const reserved[] = {
		"model",
		"include",
		"counter",
		"group",
		"feature",
		"requires",
		"excludes",
		"variant",
		"def",
		"path",
		"when",
		"else",
		"event",
		"count",
		"switch",
		"case",
		"default",
		"choose",
		"both",
		"and",
		"repeat",
		"return",
		"impossible",
		"done",
		"before",
		"break",
		"if",
	};

	for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
		if (str_eq(text, reserved[i]))
			return true;
	return false;
}

/* Returns true if the text has only letters, digits and characters of `also`. */
static bool
made_of(const char *text, const char *also)
{
	for (; *text; text++)
		if (!word_is_letter(*text) && !word_is_digit(*text) && !strchr(also, *text))
			return false;
	return true;
}

static const char *
quoted_fault(const char *text)
{
	size_t n = strlen(text);

	for (size_t i = 0; i < n;) {
		uint32_t cp;

		i += utf8_decode(text + i, n - i, &cp);
		if (utf8_is_control(cp))
			return "holds a control character";
	}
	return n ? NULL : "is empty";
}

static const char *
counter_fault(const char *text)
{
	size_t n = strlen(text);

	if (!word_is_letter(*text))
		return "is no counter: it must begin with a letter or '_', or stand in double quotes";
	if (!made_of(text, ".$"))
		return "is no counter: letters, digits, '_', '.' and '$' make one, or double quotes around any text";
	return text[n - 1] == '.' ? "is no counter: it ends in '.'" : NULL;
}

const char *
word_piece_fault(bool in_def)
{
	return in_def ? "is no parameter of this def" : "can stand in a def only, where it is a parameter";
}

const char *
word_fault(enum word_kind kind, const char *text, bool quoted)
{
	if (strlen(text) > UDD_WORD_MAX)
		return "is longer than 4096 bytes";
	switch (kind) {
	case WORD_NAME:
		if (!word_is_letter(*text) || !made_of(text, ""))
			return "is no name: letters, digits and '_' make one, beginning with no digit";
		return word_is_reserved(text) ? "is a reserved word" : NULL;
	case WORD_VALUE:
		return *text && made_of(text, "") ? NULL : "is no value: letters, digits and '_' make one";
	case WORD_COUNTER:
		return quoted ? quoted_fault(text) : counter_fault(text);
	case WORD_ARGUMENT:
		if (quoted)
			return quoted_fault(text);
		if ((*text && made_of(text, "")) || !counter_fault(text))
			return NULL;
		return "is no argument: a name, a value, a counter or quoted text is one";
	case WORD_NUMBER:
		if (!*text)
			return "is no number";
		for (; *text; text++)
			if (!word_is_digit(*text))
				return "is no number";
		return NULL;
	}
	return NULL;
}

/* Length of the `<NAME>` at s if NAME is a parameter, whose number goes to *which; else 0. */
static size_t
find_piece(const struct udd_item *body, const char *s, size_t *which)
{
	const char *end = *s == '<' ? strchr(s, '>') : NULL;
	size_t len = end ? (size_t)(end - s) - 1 : 0;

	for (size_t i = 0; len && i < body->n_words; i++) {
		const char *name = body->word[i].text;

		if (strncmp(name, s + 1, len) == 0 && !name[len]) {
			*which = i;
			return len + 2;
		}
	}
	return 0;
}

/* Replace the pieces. If a piece is the whole word, it takes over its argument's quotes. */
static void
replace(const struct udd_frame *frame, const struct udd_word *w, struct str *out, bool *quoted)
{
	size_t which, len = find_piece(frame->body, w->text, &which);

	*quoted = w->quoted || (len && !w->text[len] && frame->arg[which].quoted);
	for (const char *s = w->text; *s && out->n <= UDD_WORD_MAX; s += len) {
		len = find_piece(frame->body, s, &which);
		if (len)
			str_add(out, frame->arg[which].text);
		else
			str_addn(out, s, len = 1);
	}
}

bool
word_resolve(const struct udd_ast *ast, const struct udd_frame *frame, const struct udd_word *word, enum word_kind kind,
	struct names *words, struct diags *diags, struct udd_word *out)
{
	struct str text = {0};
	const char *fault;
	bool quoted;

	*out = *word;
	if (!word->pieces)
		return true;
	if (!frame->arg && frame->body->n_words)
		return false;
	replace(frame, word, &text, &quoted);
	fault = word_fault(kind, str_text(&text), quoted);
	if (fault)
		udd_complain(ast, diags, frame, word->at, word->len, NULL, "this becomes '%.80s', which %s",
			str_text(&text), fault);
	else
		*out = (struct udd_word){word_text(words, str_text(&text), text.n), word->at, word->len, quoted, false};
	str_free(&text);
	return !fault;
}

bool
word_number(const struct udd_ast *ast, const struct udd_frame *frame, const struct udd_word *udd_word, uint32_t lo,
	uint32_t hi, struct names *words, struct diags *diags, uint32_t *out)
{
	struct udd_word word;
	uint64_t v;

	if (!word_resolve(ast, frame, udd_word, WORD_NUMBER, words, diags, &word))
		return false;
	if (!str_to_u64(word.text, &v) || v < lo || v > hi) {
		udd_complain(ast, diags, frame, udd_word->at, udd_word->len, NULL, "%.40s is out of bounds: %u to %u",
			word.text, lo, hi);
		return false;
	}
	*out = (uint32_t)v;
	return true;
}

uint32_t
udd_feature_index(void *ctx, const struct bexpr *name)
{
	struct udd_features *features = ctx;
	struct udd_word w = {.text = name->name, .pieces = name->pieces}, out;
	struct diags none = {0};
	size_t i = NAMES_NONE;

	if (!name->pieces)
		return name->index;
	if (word_resolve(features->ast, features->frame, &w, WORD_NAME, features->words, &none, &out))
		i = names_find(&features->ast->feature_names, out.text, strlen(out.text));
	diags_free(&none);
	return i == NAMES_NONE || i >= FSET_MAX ? BEXPR_UNBOUND : (uint32_t)i;
}
