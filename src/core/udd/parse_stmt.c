/* Parses statements. Blocks nest, so these functions are recursive; parse_block() counts the depth. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "core/udd/parser.h"
#include "text/bexpr.h"

/* A list of statements that is being parsed. */
struct list {
	struct udd_stmt **tail;
	bool in_case;           /* in a case: case and default end it, too */
	bool in_choice;         /* somewhere inside a case: break may end it */
	const char *ended;      /* "done" if later statements are unreachable */
	bool warned;            /* the warning about that was given */
	struct place broke;     /* place of a break: nothing may follow */
};

static void parse_list(struct parser *, struct list *);

/* Parse `(EXPR)`. */
static bool
parse_condition(struct parser *p, const char *where, struct bexpr **out)
{
	*out = NULL;
	if (!parse_punct(p, '(', where))
		return false;
	*out = bexpr_parse(&p->x, p->arena);
	return *out && parse_punct(p, ')', "after the condition");
}

/* Open a block whose brace is next. */
static bool
open_block(struct parser *parser, const char *where, struct place *opened)
{
	struct place at = lex_place(&parser->x);

	*opened = at;
	if (lex_is(&parser->x, '{') && parser->depth == UDD_NESTING_MAX) {
		diag_add(parser->diags, DIAG_ERROR, &at, "put inner parts into a def", "blocks nest deeper than %d",
			UDD_NESTING_MAX);
		return false;
	}
	if (!parse_punct(parser, '{', where))
		return false;
	parser->depth++;
	return true;
}

static bool
close_block(struct parser *parser, const struct place *opened)
{
	struct place at = lex_place(&parser->x);
	struct str seen = {0};
	char *hint;

	parser->depth--;
	if (lex_is(&parser->x, '}')) {
		lex_next(&parser->x);
		return true;
	}
	lex_describe(&parser->x, &seen);
	hint = str_format("the block that is open begins at %s:%d:%d", parser->x.source->name,
		source_line(parser->x.source, opened->at), source_column(parser->x.source, opened->at));
	diag_add(parser->diags, DIAG_ERROR, &at, hint, "'}' expected, not %s", str_text(&seen));
	free(hint);
	str_free(&seen);
	return false;
}

bool
parse_block(struct parser *p, const char *where, struct udd_stmt **out)
{
	struct list in = {.tail = out};
	struct place opened;

	*out = NULL;
	if (!open_block(p, where, &opened))
		return false;
	parse_list(p, &in);
	return close_block(p, &opened);
}

/* Parse `case V, W when EXPR: statements` or `default when EXPR: statements`. */
static bool
parse_case(struct parser *parser, bool choose, struct udd_case **out)
{
	struct udd_case *udd_case = arena_alloc(parser->arena, sizeof *udd_case);
	struct list in = {.tail = &udd_case->body, .in_case = true};
	bool fallback = lex_is_word(&parser->x, "default");
	struct place at = lex_place(&parser->x);
	size_t n = 0;

	udd_case->at = at.at;
	udd_case->len = at.len;
	if (!fallback && !lex_is_word(&parser->x, "case"))
		return parse_fail(parser, choose ? "'case' or '}'" : "'case', 'default' or '}'", "");
	if (fallback && choose) {
		diag_add(parser->diags, DIAG_ERROR, &at, "name the values, or use switch",
			"choose has no default: there is no other value");
		return false;
	}
	lex_next(&parser->x);
	if (!fallback && !parse_words(parser, WORD_VALUE, "a value", &udd_case->value, &n))
		return false;
	udd_case->n_values = (uint32_t)n;
	if (lex_is_word(&parser->x, "when")) {
		lex_next(&parser->x);
		udd_case->when = bexpr_parse(&parser->x, parser->arena);
		if (!udd_case->when)
			return false;
	}
	if (!lex_is(&parser->x, ':'))
		return parse_fail(parser,
			fallback || udd_case->when ? udd_case->when ? "'&&', '||' or ':'" : "'when' or ':'"
						   : "',', 'when' or ':'",
			"in the case");
	lex_next(&parser->x);
	*out = udd_case;
	parse_list(parser, &in);
	return true;
}

/* After an error, skip to the next case of this block, or its end. */
static void
recover_case(struct parser *p)
{
	while (p->x.now.kind != TOKEN_END && !lex_is(&p->x, '}') && !parse_at_item(p) && !lex_is_word(&p->x, "case") &&
		!lex_is_word(&p->x, "default")) {
		uint32_t at = p->x.now.at;

		parse_recover(p);
		if (p->x.now.at == at)
			lex_next(&p->x);
	}
}

static bool
parse_cases(struct parser *parser, struct udd_stmt *stmt, bool choose)
{
	struct udd_case **tail = &stmt->cases;
	struct place opened;

	if (!open_block(parser, choose ? "after choose" : "after switch (…)", &opened))
		return false;
	while (parser->x.now.kind != TOKEN_END && !lex_is(&parser->x, '}') && !parse_at_item(parser)) {
		struct place before = lex_place(&parser->x);

		if (!parse_case(parser, choose, tail)) {
			if (parser->x.now.at == before.at)
				lex_next(&parser->x);
			recover_case(parser);
		}
		if (*tail)
			tail = &(*tail)->next;
	}
	return close_block(parser, &opened);
}

static bool
parse_stmt_parse_switch(struct parser *p, struct udd_stmt *s)
{
	s->n_words = 1;
	s->word = arena_alloc(p->arena, sizeof *s->word);
	return parse_punct(p, '(', "after switch") && parse_word(p, WORD_NAME, "a property", &s->word[0]) &&
		parse_punct(p, ')', "after the property") && parse_cases(p, s, false);
}

static bool
parse_when(struct parser *parser, struct udd_stmt *stmt)
{
	struct udd_arm **tail = &stmt->arms;
	bool otherwise = false;

	for (;;) {
		struct udd_arm *arm = arena_alloc(parser->arena, sizeof *arm);

		if (!otherwise && !parse_condition(parser, "after when", &arm->when))
			return false;
		*tail = arm;
		tail = &arm->next;
		if (!parse_block(parser, otherwise ? "or 'when' after else" : "after when (…)", &arm->body))
			return false;
		if (otherwise || !lex_is_word(&parser->x, "else"))
			return true;
		lex_next(&parser->x);
		otherwise = !lex_is_word(&parser->x, "when");
		if (!otherwise)
			lex_next(&parser->x);
	}
}

static bool
parse_both(struct parser *parser, struct udd_stmt *stmt)
{
	if (!parse_block(parser, "after both", &stmt->block[0]))
		return false;
	if (!lex_is_word(&parser->x, "and"))
		return parse_fail(parser, "'and {'", "after both { … }");
	lex_next(&parser->x);
	if (!parse_block(parser, "after and", &stmt->block[1]))
		return false;
	if (lex_is_word(&parser->x, "and"))
		return parse_fail(parser, "the next statement", "after both { … } and { … }, which takes two blocks");
	return true;
}

static bool
parse_repeat(struct parser *parser, struct udd_stmt *stmt)
{
	struct udd_word w[2];

	if (!parse_punct(parser, '(', "after repeat") || !parse_word(parser, WORD_NUMBER, "a number", &w[0]))
		return false;
	stmt->n_words = 1;
	if (lex_is(&parser->x, '.')) {
		lex_next(&parser->x);
		if (!lex_is(&parser->x, '.') || !parser->x.now.glued)
			return parse_fail(parser, "'..'", "between two numbers");
		lex_next(&parser->x);
		if (!parse_word(parser, WORD_NUMBER, "a number", &w[1]))
			return false;
		stmt->n_words = 2;
	}
	stmt->word = arena_copy(parser->arena, w, stmt->n_words * sizeof *w);
	return parse_punct_or(parser, ')', stmt->n_words == 1 ? "'..' or " : "", "after the number") &&
		parse_block(parser, "after repeat (…)", &stmt->block[0]);
}

static bool
parse_count(struct parser *parser, struct udd_stmt *stmt)
{
	struct udd_word w[2];

	if (!parse_word(parser, WORD_COUNTER, "a counter", &w[0]))
		return false;
	stmt->n_words = 1;
	if (lex_is(&parser->x, '*')) {
		lex_next(&parser->x);
		if (!parse_word(parser, WORD_NUMBER, "a number", &w[1]))
			return false;
		stmt->n_words = 2;
	}
	stmt->word = arena_copy(parser->arena, w, stmt->n_words * sizeof *w);
	return parse_punct_or(parser, ';', stmt->n_words == 1 ? "'*' or " : "",
		stmt->n_words == 1 ? "after the counter" : "after the number");
}

/* Parse words separated by commas, then ';': event E; before L, M; */
static bool
parse_plain(struct parser *p, struct udd_stmt *s, uint32_t n, const char *what, const char *where)
{
	s->n_words = n;
	s->word = arena_alloc(p->arena, n * sizeof *s->word);
	for (uint32_t i = 0; i < n; i++) {
		if (i && !parse_punct(p, ',', where))
			return false;
		if (!parse_word(p, WORD_NAME, what, &s->word[i]))
			return false;
	}
	return parse_punct(p, ';', where);
}

/* `swich (P) {` looks like a call up to the brace. */
static bool
end_call(struct parser *parser, const struct udd_word *name)
{
	static const char *const heads[] = {"switch", "when", "repeat"};
	const char *near = lex_is(&parser->x, '{') ? near_name(name->text, heads, sizeof heads / sizeof *heads) : NULL;
	char *hint;

	if (!near)
		return parse_punct(parser, ';', "after the call");
	hint = str_format("nearest: %s", near);
	parse_complain(parser, name, hint, "no call is followed by '{'");
	free(hint);
	return false;
}

static bool
parse_call(struct parser *parser, struct udd_stmt *stmt, const struct udd_word *name)
{
	struct udd_word *args = NULL;
	size_t n = 0;

	lex_next(&parser->x);
	if (!lex_is(&parser->x, ')') && !parse_words(parser, WORD_ARGUMENT, "an argument", &args, &n))
		return false;
	stmt->n_words = (uint32_t)n + 1;
	stmt->word = arena_alloc(parser->arena, stmt->n_words * sizeof *stmt->word);
	stmt->word[0] = *name;
	for (size_t i = 0; i < n; i++)
		stmt->word[i + 1] = args[i];
	return parse_punct_or(parser, ')', n ? "',' or " : "", n ? "after the argument" : "after '('") &&
		end_call(parser, name);
}

static bool
parse_end(struct parser *p, const char *word)
{
	struct str where = {0};
	bool good;

	str_addf(&where, "after %s", word);
	good = parse_punct(p, ';', str_text(&where));
	str_free(&where);
	return good;
}

static bool
parse_break(struct parser *p, struct list *in, const struct udd_word *w)
{
	if (!in->in_case && !in->in_choice) {
		parse_complain(p, w, "leave it out, or say done or return",
			"break is allowed only at the end of a case");
		return false;
	}
	in->broke = udd_place(p->ast, p->file, w->at, w->len);
	return parse_end(p, "break");
}

static bool
parse_rest(struct parser *parser, struct udd_stmt *stmt, const struct udd_word *first)
{
	switch (stmt->kind) {
	case STMT_EVENT:
		return parse_plain(parser, stmt, 1, "an event", "after the event");
	case STMT_COUNT:
		return parse_count(parser, stmt);
	case STMT_SWITCH:
		return parse_stmt_parse_switch(parser, stmt);
	case STMT_CHOOSE:
		return parse_cases(parser, stmt, true);
	case STMT_WHEN:
		return parse_when(parser, stmt);
	case STMT_BOTH:
		return parse_both(parser, stmt);
	case STMT_CALL:
		return parse_call(parser, stmt, first);
	case STMT_REPEAT:
		return parse_repeat(parser, stmt);
	case STMT_RETURN:
	case STMT_IMPOSSIBLE:
	case STMT_DONE:
		return parse_end(parser, first->text);
	case STMT_BEFORE:
		return parse_plain(parser, stmt, 2, "a label", "after the label");
	case STMT_TARGET: /* no keyword makes these */
	case STMT_JUMP:
		break;
	}
	return false;
}

static bool
has_blocks(const struct udd_stmt *s)
{
	return s->kind == STMT_SWITCH || s->kind == STMT_CHOOSE || s->kind == STMT_WHEN || s->kind == STMT_BOTH;
}

static bool
parse_statement(struct parser *parser, struct list *in)
{
	struct udd_word first = {0};
	struct udd_stmt *stmt = arena_alloc(parser->arena, sizeof *stmt);
	bool good;

	if (!parse_first(parser, &first))
		return false;
	if (str_eq(first.text, "break") && !first.pieces)
		return parse_break(parser, in, &first);
	if (lex_is(&parser->x, ':') && (first.pieces || !word_is_reserved(first.text))) {
		if (!parse_name_again(parser, &first))
			return false;
		stmt->label = arena_copy(parser->arena, &first, sizeof first);
		lex_next(&parser->x);
		if (!parse_first(parser, &first))
			return false;
	}
	if (!parse_kind(parser, &first, &stmt->kind) || (stmt->kind == STMT_CALL && !parse_name_again(parser, &first)))
		return false;
	stmt->at = first.at;
	stmt->len = first.len;
	good = parse_rest(parser, stmt, &first);
	if (stmt->label)
		parse_check_label(parser, stmt);
	if (good || has_blocks(stmt)) { /* its blocks are worth checking even if the end is wrong */
		*in->tail = stmt;
		in->tail = &stmt->next;
	}
	return good;
}

static void
warn_unreached(struct parser *p, struct list *in)
{
	struct place at = lex_place(&p->x);

	if (!in->ended || in->warned || lex_is_word(&p->x, "before") || lex_is_word(&p->x, "break"))
		return;
	in->warned = true;
	diag_add(p->diags, DIAG_WARNING, &at, NULL, "nothing gets here: %s comes before it", in->ended);
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

/* A bare `{ … }` only groups: its statements belong to the list. */
static void
parse_stmt_parse_group(struct parser *parser, struct list *in)
{
	bool in_case = in->in_case, in_choice = in->in_choice;
	struct place opened;

	if (!open_block(parser, "here", &opened)) {
		parse_recover(parser);
		return;
	}
	in->in_case = false;
	in->in_choice = in_choice || in_case;
	parse_list(parser, in);
	in->in_case = in_case;
	in->in_choice = in_choice;
	if (!close_block(parser, &opened))
		parse_recover(parser);
}

/* After a broken `when` or `both`, skip its other blocks: they are no statements of their own. */
static void
recover_statement(struct parser *p)
{
	do
		parse_recover(p);
	while (lex_is_word(&p->x, "else") || lex_is_word(&p->x, "and"));
}

static void
parse_list(struct parser *parser, struct list *in)
{
	while (parser->x.now.kind != TOKEN_END && !lex_is(&parser->x, '}') && !parse_at_item(parser)) {
		struct udd_stmt **was = in->tail;
		uint32_t at = parser->x.now.at;

		if (in->in_case && (lex_is_word(&parser->x, "case") || lex_is_word(&parser->x, "default")))
			return;
		if (in->broke.source) {
			diag_add(parser->diags, DIAG_ERROR, &in->broke, NULL,
				"break is allowed only at the end of a case");
			in->broke.source = NULL;
		}
		warn_unreached(parser, in);
		if (lex_is(&parser->x, '{')) {
			parse_stmt_parse_group(parser, in);
			continue;
		}
		if (!parse_statement(parser, in)) {
			if (parser->x.now.at == at)
				lex_next(&parser->x);
			recover_statement(parser);
		}
		note_end(in, was);
	}
}
