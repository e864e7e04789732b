/* How a statement begins: its first word, the kind that the word means, its label. */
#include <stdlib.h>

#include "base/near.h"
#include "base/str.h"
#include "core/udd/parser.h"

void
parse_complain(struct parser *p, const struct udd_word *w, const char *hint, const char *text)
{
	struct place at = udd_place(p->ast, p->file, w->at, w->len);

	diag_add(p->diags, DIAG_ERROR, &at, hint, "%s", text);
}

static const struct {
	const char *word;
	enum udd_stmt_kind kind;
} keywords[] = {
	{"event", STMT_EVENT}, {"count", STMT_COUNT}, {"switch", STMT_SWITCH}, {"choose", STMT_CHOOSE}, {"when",
		STMT_WHEN}, {"both", STMT_BOTH},
	{"repeat", STMT_REPEAT}, {"return", STMT_RETURN}, {"impossible", STMT_IMPOSSIBLE}, {"done", STMT_DONE},
		{"before", STMT_BEFORE},
};

static const struct {
	const char *word, *text, *hint;
} misplaced[] = {
	{"if", "there is no if", "when (…) asks for features, switch and choose decide what a µop does"},
	{"else", "else without when (…) { … } before it", NULL},
	{"and", "and without both { … } before it", NULL},
	{"case", "case is allowed only in switch and choose", NULL},
	{"default", "default is allowed only in switch", NULL},
};

bool
parse_kind(struct parser *parser, const struct udd_word *word, enum udd_stmt_kind *kind)
{
	const char *near, *names[sizeof keywords / sizeof *keywords];
	char *hint;

	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
		names[i] = keywords[i].word;
		if (!word->pieces && str_eq(word->text, keywords[i].word)) {
			*kind = keywords[i].kind;
			return true;
		}
	}
	if (lex_is(&parser->x, '(') && !(word_is_reserved(word->text) && !word->pieces)) {
		*kind = STMT_CALL;
		return true;
	}
	for (size_t i = 0; i < sizeof misplaced / sizeof *misplaced; i++)
		if (!word->pieces && str_eq(word->text, misplaced[i].word)) {
			parse_complain(parser, word, misplaced[i].hint, misplaced[i].text);
			return false;
		}
	if (!word->pieces && word_is_reserved(word->text)) {
		parse_complain(parser, word, "is a '}' missing before it?", "this begins no statement");
		return false;
	}
	near = near_name(word->text, names, sizeof names / sizeof *names);
	hint = near ? str_format("nearest: %s", near) : NULL;
	parse_complain(parser, word, hint ? hint : "a call needs parentheses, a label a colon", "a statement expected");
	free(hint);
	return false;
}

void
parse_check_label(struct parser *p, const struct udd_stmt *s)
{
	enum udd_stmt_kind k = s->kind;

	if (k != STMT_EVENT && k != STMT_COUNT && k != STMT_SWITCH && k != STMT_CHOOSE && k != STMT_DONE)
		parse_complain(
			p, s->label, NULL, "a label is allowed before event, count, switch, choose or done only");
}

bool
parse_first(struct parser *parser, struct udd_word *word)
{
	bool pieces;
	struct place at = lex_join(&parser->x, "", &pieces);

	if (!at.len)
		return parse_fail(parser, "a statement", "");
	word->text = word_text(&parser->ast->words, at.source->text + at.at, at.len);
	word->at = at.at;
	word->len = at.len & 0x3fffffff;
	word->pieces = pieces;
	return true;
}

bool
parse_name_again(struct parser *p, struct udd_word *w)
{
	const struct lexer here = p->x;
	bool good;

	p->x.at = w->at;
	p->x.now = (struct token){0};
	lex_next(&p->x);
	good = parse_word(p, WORD_NAME, "a name", w);
	p->x = here;
	return good;
}
