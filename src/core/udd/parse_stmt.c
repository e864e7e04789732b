/* Statements. Blocks nest, so these functions call each other; parse_block() counts how deep. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "core/lang/bexpr.h"
#include "core/udd/parser.h"

/* A list of statements being read. */
struct list {
	struct udd_stmt **tail;
	bool in_case;           /* case and default end it too */
	bool in_choice;         /* … somewhere around: break may end it */
	const char *ended;      /* "done" when nothing behind is reached */
	bool told;              /* … and that was said */
	struct place broke;     /* a break stands here: nothing may follow */
};

static void parse_list(struct parser *, struct list *);

static void
complain_at(struct parser *p, const struct udd_word *w, const char *hint, const char *text)
{
	struct place at = udd_place(p->ast, p->file, w->at, w->len);

	diag_add(p->diags, DIAG_ERROR, &at, hint, "%s", text);
}

/* `(EXPR)` */
static bool
parse_condition(struct parser *p, const char *behind, struct bexpr **out)
{
	*out = NULL;
	if (!parse_punct(p, '(', behind))
		return false;
	*out = bexpr_parse(&p->x, p->arena);
	return *out && parse_punct(p, ')', "behind the condition");
}

/* The inside of a block whose brace is next: calls back for what is in it. */
static bool
open_block(struct parser *p, const char *behind, struct place *opened)
{
	struct place at = lex_place(&p->x);

	*opened = at;
	if (lex_is(&p->x, '{') && p->depth == UDD_NESTING_MAX) {
		diag_add(p->diags, DIAG_ERROR, &at, "put inner parts into a def", "blocks nest deeper than %d",
			UDD_NESTING_MAX);
		return false;
	}
	if (!parse_punct(p, '{', behind))
		return false;
	p->depth++;
	return true;
}

static bool
close_block(struct parser *p, const struct place *opened)
{
	struct place at = lex_place(&p->x);
	struct str seen = {0};
	char *hint;

	p->depth--;
	if (lex_is(&p->x, '}')) {
		lex_next(&p->x);
		return true;
	}
	lex_describe(&p->x, &seen);
	hint = str_format("the block that is open begins at %s:%d:%d", p->x.source->name,
		source_line(p->x.source, opened->at), source_column(p->x.source, opened->at));
	diag_add(p->diags, DIAG_ERROR, &at, hint, "'}' expected, not %s", str_text(&seen));
	free(hint);
	str_free(&seen);
	return false;
}

bool
parse_block(struct parser *p, const char *behind, struct udd_stmt **out)
{
	struct list in = {.tail = out};
	struct place opened;

	*out = NULL;
	if (!open_block(p, behind, &opened))
		return false;
	parse_list(p, &in);
	return close_block(p, &opened);
}

/* `case V, W when EXPR: statements` or `default when EXPR: statements` */
static bool
parse_case(struct parser *p, bool choose, struct udd_case **out)
{
	struct udd_case *c = arena_alloc(p->arena, sizeof *c);
	struct list in = {.tail = &c->body, .in_case = true};
	bool fallback = lex_is_word(&p->x, "default");
	struct place at = lex_place(&p->x);
	size_t n = 0;

	c->at = at.at;
	c->len = at.len;
	if (!fallback && !lex_is_word(&p->x, "case"))
		return parse_fail(p, choose ? "'case' or '}'" : "'case', 'default' or '}'", "");
	if (fallback && choose) {
		diag_add(p->diags, DIAG_ERROR, &at, "name the values, or use switch",
			"choose has no default: there is no other value");
		return false;
	}
	lex_next(&p->x);
	if (!fallback && !parse_words(p, WORD_VALUE, "a value", &c->value, &n))
		return false;
	c->n_values = (uint32_t)n;
	if (lex_is_word(&p->x, "when")) {
		lex_next(&p->x);
		c->when = bexpr_parse(&p->x, p->arena);
		if (!c->when)
			return false;
	}
	if (!lex_is(&p->x, ':'))
		return parse_fail(p,
			fallback || c->when ? c->when ? "'&&', '||' or ':'" : "'when' or ':'" : "',', 'when' or ':'",
			"in the case");
	lex_next(&p->x);
	*out = c;
	parse_list(p, &in);
	return true;
}

/* To the next case of this block, or its end. */
static void
recover_case(struct parser *p)
{
	while (p->x.now.kind != TOKEN_END && !lex_is(&p->x, '}') && !parse_at_item(p) && !lex_is_word(&p->x, "case")
	       && !lex_is_word(&p->x, "default")) {
		uint32_t at = p->x.now.at;

		parse_recover(p);
		if (p->x.now.at == at)
			lex_next(&p->x);
	}
}

static bool
parse_cases(struct parser *p, struct udd_stmt *s, bool choose)
{
	struct udd_case **tail = &s->cases;
	struct place opened;

	if (!open_block(p, choose ? "behind choose" : "behind switch (…)", &opened))
		return false;
	while (p->x.now.kind != TOKEN_END && !lex_is(&p->x, '}') && !parse_at_item(p)) {
		struct place before = lex_place(&p->x);

		if (!parse_case(p, choose, tail)) {
			if (p->x.now.at == before.at)
				lex_next(&p->x);
			recover_case(p);
		}
		if (*tail)
			tail = &(*tail)->next;
	}
	return close_block(p, &opened);
}

static bool
parse_switch(struct parser *p, struct udd_stmt *s)
{
	s->n_words = 1;
	s->word = arena_alloc(p->arena, sizeof *s->word);
	return parse_punct(p, '(', "behind switch") && parse_word(p, WORD_NAME, "a property", &s->word[0])
	       && parse_punct(p, ')', "behind the property") && parse_cases(p, s, false);
}

static bool
parse_when(struct parser *p, struct udd_stmt *s)
{
	struct udd_arm **tail = &s->arms;
	bool otherwise = false;

	for (;;) {
		struct udd_arm *arm = arena_alloc(p->arena, sizeof *arm);

		if (!otherwise && !parse_condition(p, "behind when", &arm->when))
			return false;
		*tail = arm;
		tail = &arm->next;
		if (!parse_block(p, otherwise ? "or 'when' behind else" : "behind when (…)", &arm->body))
			return false;
		if (otherwise || !lex_is_word(&p->x, "else"))
			return true;
		lex_next(&p->x);
		otherwise = !lex_is_word(&p->x, "when");
		if (!otherwise)
			lex_next(&p->x);
	}
}

static bool
parse_both(struct parser *p, struct udd_stmt *s)
{
	if (!parse_block(p, "behind both", &s->block[0]))
		return false;
	if (!lex_is_word(&p->x, "and"))
		return parse_fail(p, "'and {'", "behind both { … }");
	lex_next(&p->x);
	if (!parse_block(p, "behind and", &s->block[1]))
		return false;
	if (lex_is_word(&p->x, "and"))
		return parse_fail(p, "the next statement", "behind both { … } and { … }, which takes two blocks");
	return true;
}

static bool
parse_repeat(struct parser *p, struct udd_stmt *s)
{
	struct udd_word w[2];

	if (!parse_punct(p, '(', "behind repeat") || !parse_word(p, WORD_NUMBER, "a number", &w[0]))
		return false;
	s->n_words = 1;
	if (lex_is(&p->x, '.')) {
		lex_next(&p->x);
		if (!lex_is(&p->x, '.') || !p->x.now.glued)
			return parse_fail(p, "'..'", "between two numbers");
		lex_next(&p->x);
		if (!parse_word(p, WORD_NUMBER, "a number", &w[1]))
			return false;
		s->n_words = 2;
	}
	s->word = arena_copy(p->arena, w, s->n_words * sizeof *w);
	return parse_punct_or(p, ')', s->n_words == 1 ? "'..' or " : "", "behind the number")
	       && parse_block(p, "behind repeat (…)", &s->block[0]);
}

static bool
parse_count(struct parser *p, struct udd_stmt *s)
{
	struct udd_word w[2];

	if (!parse_word(p, WORD_COUNTER, "a counter", &w[0]))
		return false;
	s->n_words = 1;
	if (lex_is(&p->x, '*')) {
		lex_next(&p->x);
		if (!parse_word(p, WORD_NUMBER, "a number", &w[1]))
			return false;
		s->n_words = 2;
	}
	s->word = arena_copy(p->arena, w, s->n_words * sizeof *w);
	return parse_punct_or(
		p, ';', s->n_words == 1 ? "'*' or " : "", s->n_words == 1 ? "behind the counter" : "behind the number");
}

/* Words between commas and ';': event E; before L, M; */
static bool
parse_plain(struct parser *p, struct udd_stmt *s, uint32_t n, const char *what, const char *behind)
{
	s->n_words = n;
	s->word = arena_alloc(p->arena, n * sizeof *s->word);
	for (uint32_t i = 0; i < n; i++) {
		if (i && !parse_punct(p, ',', behind))
			return false;
		if (!parse_word(p, WORD_NAME, what, &s->word[i]))
			return false;
	}
	return parse_punct(p, ';', behind);
}

/* `swich (P) {` looks like a call until the brace. */
static bool
end_call(struct parser *p, const struct udd_word *name)
{
	static const char *const heads[] = {"switch", "when", "repeat"};
	const char *near = lex_is(&p->x, '{') ? near_name(name->text, heads, sizeof heads / sizeof *heads) : NULL;
	char *hint;

	if (!near)
		return parse_punct(p, ';', "behind the call");
	hint = str_format("nearest: %s", near);
	complain_at(p, name, hint, "no call is followed by '{'");
	free(hint);
	return false;
}

static bool
parse_call(struct parser *p, struct udd_stmt *s, const struct udd_word *name)
{
	struct udd_word *args = NULL;
	size_t n = 0;

	lex_next(&p->x);
	if (!lex_is(&p->x, ')') && !parse_words(p, WORD_ARGUMENT, "an argument", &args, &n))
		return false;
	s->n_words = (uint32_t)n + 1;
	s->word = arena_alloc(p->arena, s->n_words * sizeof *s->word);
	s->word[0] = *name;
	for (size_t i = 0; i < n; i++)
		s->word[i + 1] = args[i];
	return parse_punct_or(p, ')', n ? "',' or " : "", n ? "behind the argument" : "behind '('") &&
		end_call(p, name);
}

static bool
parse_end(struct parser *p, const char *word)
{
	struct str behind = {0};
	bool good;

	str_addf(&behind, "behind %s", word);
	good = parse_punct(p, ';', str_text(&behind));
	str_free(&behind);
	return good;
}

static bool
parse_break(struct parser *p, struct list *in, const struct udd_word *w)
{
	if (!in->in_case && !in->in_choice) {
		complain_at(p, w, "leave it out, or say done or return", "break stands only at the end of a case");
		return false;
	}
	in->broke = udd_place(p->ast, p->file, w->at, w->len);
	return parse_end(p, "break");
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

static bool
parse_rest(struct parser *p, struct udd_stmt *s, const struct udd_word *first)
{
	switch (s->kind) {
	case STMT_EVENT:
		return parse_plain(p, s, 1, "an event", "behind the event");
	case STMT_COUNT:
		return parse_count(p, s);
	case STMT_SWITCH:
		return parse_switch(p, s);
	case STMT_CHOOSE:
		return parse_cases(p, s, true);
	case STMT_WHEN:
		return parse_when(p, s);
	case STMT_BOTH:
		return parse_both(p, s);
	case STMT_CALL:
		return parse_call(p, s, first);
	case STMT_REPEAT:
		return parse_repeat(p, s);
	case STMT_RETURN:
	case STMT_IMPOSSIBLE:
	case STMT_DONE:
		return parse_end(p, first->text);
	case STMT_BEFORE:
		return parse_plain(p, s, 2, "a label", "behind the label");
	case STMT_TARGET: /* no word of the language makes these */
	case STMT_JUMP:
		break;
	}
	return false;
}

static const struct {
	const char *word, *text, *hint;
} misplaced[] = {
	{"if", "there is no if", "when (…) asks for features, switch and choose decide what a µop does"},
	{"else", "else without when (…) { … } before it", NULL},
	{"and", "and without both { … } before it", NULL},
	{"case", "case stands only in switch and choose", NULL},
	{"default", "default stands only in switch", NULL},
};

/* Which statement a first word begins; false with a diagnostic when none. */
static bool
find_kind(struct parser *p, const struct udd_word *w, enum udd_stmt_kind *kind)
{
	const char *near, *names[sizeof keywords / sizeof *keywords];
	char *hint;

	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
		names[i] = keywords[i].word;
		if (!w->pieces && str_eq(w->text, keywords[i].word)) {
			*kind = keywords[i].kind;
			return true;
		}
	}
	if (lex_is(&p->x, '(') && !(word_is_reserved(w->text) && !w->pieces)) {
		*kind = STMT_CALL;
		return true;
	}
	for (size_t i = 0; i < sizeof misplaced / sizeof *misplaced; i++)
		if (!w->pieces && str_eq(w->text, misplaced[i].word)) {
			complain_at(p, w, misplaced[i].hint, misplaced[i].text);
			return false;
		}
	if (!w->pieces && word_is_reserved(w->text)) {
		complain_at(p, w, "is a '}' missing before it?", "this begins no statement");
		return false;
	}
	near = near_name(w->text, names, sizeof names / sizeof *names);
	hint = near ? str_format("nearest: %s", near) : NULL;
	complain_at(p, w, hint ? hint : "a call needs parentheses, a label a colon", "a statement expected");
	free(hint);
	return false;
}

static void
check_label(struct parser *p, const struct udd_stmt *s)
{
	switch (s->kind) {
	case STMT_EVENT:
	case STMT_COUNT:
	case STMT_SWITCH:
	case STMT_CHOOSE:
	case STMT_DONE:
		return;
	case STMT_WHEN:
	case STMT_BOTH:
	case STMT_CALL:
	case STMT_REPEAT:
	case STMT_RETURN:
	case STMT_IMPOSSIBLE:
	case STMT_BEFORE:
	case STMT_TARGET:
	case STMT_JUMP:
		break;
	}
	complain_at(p, s->label, NULL, "a label stands before event, count, switch, choose or done only");
}

/* A first word: keyword, def or label. Names are checked when it is known what they are. */
static bool
parse_first(struct parser *p, struct udd_word *w)
{
	bool pieces;
	struct place at = lex_join(&p->x, "", &pieces);

	if (!at.len)
		return parse_fail(p, "a statement", "");
	w->text = word_text(&p->ast->words, at.source->text + at.at, at.len);
	w->at = at.at;
	w->len = at.len & 0x3fffffff;
	w->pieces = pieces;
	return true;
}

static bool
parse_name_again(struct parser *p, struct udd_word *w)
{
	const struct lexer here = p->x;
	bool good;

	/* Read the word once more as a name, for its checks. */
	p->x.at = w->at;
	p->x.now = (struct token){0};
	lex_next(&p->x);
	good = parse_word(p, WORD_NAME, "a name", w);
	p->x = here;
	return good;
}

static bool
has_blocks(const struct udd_stmt *s)
{
	return s->kind == STMT_SWITCH || s->kind == STMT_CHOOSE || s->kind == STMT_WHEN || s->kind == STMT_BOTH;
}

static bool
parse_statement(struct parser *p, struct list *in)
{
	struct udd_word first = {0};
	struct udd_stmt *s = arena_alloc(p->arena, sizeof *s);
	bool good;

	if (!parse_first(p, &first))
		return false;
	if (str_eq(first.text, "break") && !first.pieces)
		return parse_break(p, in, &first);
	if (lex_is(&p->x, ':') && (first.pieces || !word_is_reserved(first.text))) {
		if (!parse_name_again(p, &first))
			return false;
		s->label = arena_copy(p->arena, &first, sizeof first);
		lex_next(&p->x);
		if (!parse_first(p, &first))
			return false;
	}
	if (!find_kind(p, &first, &s->kind) || (s->kind == STMT_CALL && !parse_name_again(p, &first)))
		return false;
	s->at = first.at;
	s->len = first.len;
	good = parse_rest(p, s, &first);
	if (s->label)
		check_label(p, s);
	if (good || has_blocks(s)) { /* what stands in its blocks is worth looking at, even when it does not end well */
		*in->tail = s;
		in->tail = &s->next;
	}
	return good;
}

static void
warn_unreached(struct parser *p, struct list *in)
{
	struct place at = lex_place(&p->x);

	if (!in->ended || in->told || lex_is_word(&p->x, "before") || lex_is_word(&p->x, "break"))
		return;
	in->told = true;
	diag_add(p->diags, DIAG_WARNING, &at, NULL, "nothing gets here: %s stands before it", in->ended);
}

static void
note_end(struct list *in, struct udd_stmt *const *was)
{
	const struct udd_stmt *s = *was;

	if (!s || in->ended)
		return;
	if (s->kind == STMT_DONE || s->kind == STMT_RETURN || s->kind == STMT_IMPOSSIBLE)
		in->ended = s->kind == STMT_DONE ? "done" : s->kind == STMT_RETURN ? "return" : "impossible";
}

/* A bare `{ … }` only groups: its statements are the list's. */
static void
parse_group(struct parser *p, struct list *in)
{
	bool in_case = in->in_case, in_choice = in->in_choice;
	struct place opened;

	if (!open_block(p, "here", &opened)) {
		parse_recover(p);
		return;
	}
	in->in_case = false;
	in->in_choice = in_choice || in_case;
	parse_list(p, in);
	in->in_case = in_case;
	in->in_choice = in_choice;
	if (!close_block(p, &opened))
		parse_recover(p);
}

/* Behind a broken `when` or `both` its further blocks are no statements of their own. */
static void
recover_statement(struct parser *p)
{
	do
		parse_recover(p);
	while (lex_is_word(&p->x, "else") || lex_is_word(&p->x, "and"));
}

static void
parse_list(struct parser *p, struct list *in)
{
	while (p->x.now.kind != TOKEN_END && !lex_is(&p->x, '}') && !parse_at_item(p)) {
		struct udd_stmt **was = in->tail;
		uint32_t at = p->x.now.at;

		if (in->in_case && (lex_is_word(&p->x, "case") || lex_is_word(&p->x, "default")))
			return;
		if (in->broke.source) {
			diag_add(p->diags, DIAG_ERROR, &in->broke, NULL, "break stands only at the end of a case");
			in->broke.source = NULL;
		}
		warn_unreached(p, in);
		if (lex_is(&p->x, '{')) {
			parse_group(p, in);
			continue;
		}
		if (!parse_statement(p, in)) {
			if (p->x.now.at == at)
				lex_next(&p->x);
			recover_statement(p);
		}
		note_end(in, was);
	}
}
