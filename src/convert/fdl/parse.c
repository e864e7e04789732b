/* The grammar (docs/fdl-language.md):
 *
 * 	file      = { "ACTIONS" "{" { NAME ";" } "}"
 * 	            | "COUNTER_GROUPS" "{" { COUNTER ":" COUNTER { "," COUNTER } ";" } "}"
 * 	            | "FLOW" "{" { NAME ":" | statement } "}" }
 * 	statement = "do" NAME ";" | "incr" COUNTER ";" | "next" NAME ";" | "pass" ";" | "done" ";"
 * 	            | "switch" NAME "{" case { case } "}" ";"
 * 	case      = NAME "=>" statement { statement }
 *
 * Each block appears at most once, in any order. FLOW is required. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/near.h"
#include "base/str.h"
#include "convert/fdl/fdl_flow.h"
#include "convert/fdl/lexer.h"
#include "core/udd/model.h"
#include "core/udd/word.h"
#include "text/diag.h"

struct parser {
	struct fdl_lexer x;
	struct arena *arena;
	struct names *words;
	struct diags *diags;
	struct fdl_flow *flow;
	int depth; /* number of open switches */
};

static const char *const keywords[] = {"do", "incr", "switch", "next", "pass", "done"};
static const char *const blocks[] = {"ACTIONS", "COUNTER_GROUPS", "FLOW"};
#define COUNT(a) (sizeof(a) / sizeof *(a))

struct place
fdl_place(const struct fdl_flow *f, uint32_t at, uint32_t len)
{
	return udd_place(f->ast, f->file, at, len);
}

/* Reports "EXPECTED expected after WHERE, not 'x'"; always returns false. */
static bool
fail(struct parser *p, const char *expected, const char *where)
{
	struct place at = fdl_lex_place(&p->x);
	struct str found = {0};

	fdl_lex_describe(&p->x, &found);
	diag_add(p->diags, DIAG_ERROR, &at, NULL, "%s expected %s, not %s", expected, where, str_text(&found));
	str_free(&found);
	return false;
}

static bool
take_punct(struct parser *p, char c, const char *where)
{
	char expected[] = {'\'', c, '\'', '\0'};

	if (!fdl_lex_is(&p->x, c))
		return fail(p, expected, where);
	fdl_lex_next(&p->x);
	return true;
}

static bool
is_one_of(const struct fdl_lexer *x, const char *const *word, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (fdl_lex_is_word(x, word[i]))
			return true;
	return false;
}

/* Moves a list from the heap into the arena. */
static void *
move_list(struct parser *p, void *list, size_t size)
{
	void *kept = size ? arena_copy(p->arena, list, size) : NULL;

	free(list);
	return kept;
}

static struct udd_word
word_here(struct parser *p)
{
	struct place at = fdl_lex_place(&p->x);

	return (struct udd_word){.text = word_text(p->words, p->x.text + at.at, at.len), .at = at.at,
		.len = at.len & 0x3fffffff};
}

/* Reads a name of any kind. */
static bool
parse_take_word(struct parser *parser, const char *what, const char *where, struct udd_word *out)
{
	struct place at = fdl_lex_place(&parser->x);
	char first = at.len ? parser->x.text[at.at] : '\0';
	const char *fault = NULL;

	if (parser->x.now.kind != FDL_WORD)
		return fail(parser, what, where);
	if (!((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '_'))
		fault = "a name or value begins with a letter or '_', as KB4 does";
	else if (at.len > UDD_WORD_MAX)
		fault = "a word has at most 4096 bytes";
	if (fault) {
		diag_add(parser->diags, DIAG_ERROR, &at, fault, "'%.*s' is not a name",
			(int)(at.len < 60 ? at.len : 60), parser->x.text + at.at);
		return false;
	}
	if (is_one_of(&parser->x, keywords, COUNT(keywords)) || is_one_of(&parser->x, blocks, COUNT(blocks)))
		return fail(parser, what, where);
	*out = word_here(parser);
	fdl_lex_next(&parser->x);
	return true;
}

/* Skips the rest of a broken statement: to after the next ';' of this level, or to before the '}' that closes the
 * level. */
static void
recover(struct parser *parser)
{
	int open = 0;

	for (; parser->x.now.kind != FDL_END; fdl_lex_next(&parser->x)) {
		if (fdl_lex_is(&parser->x, '{')) {
			open++;
		} else if (fdl_lex_is(&parser->x, '}')) {
			if (open-- == 0)
				return;
		} else if (fdl_lex_is(&parser->x, ';') && open == 0) {
			fdl_lex_next(&parser->x);
			return;
		}
	}
}

static struct udd_stmt *parse_statements(struct parser *, bool in_case);

static struct udd_stmt *
new_statement(struct parser *p, enum udd_stmt_kind kind, struct place at)
{
	struct udd_stmt *s = arena_alloc(p->arena, sizeof *s);

	s->kind = kind;
	s->at = at.at;
	s->len = at.len;
	return s;
}

static void
set_word(struct parser *p, struct udd_stmt *s, struct udd_word w)
{
	s->word = arena_copy(p->arena, &w, sizeof w);
	s->n_words = 1;
}

/* Reports a value with two cases in a switch. */
static void
check_value(struct parser *parser, const struct udd_case *first, const struct udd_case *last)
{
	for (const struct udd_case *udd_case = first; udd_case != last; udd_case = udd_case->next)
		if (udd_case->value->text == last->value->text) {
			struct place at = fdl_place(parser->flow, last->at, last->len);
			const struct source *s = parser->x.source;
			char *hint = str_format("the other is at %s:%d:%d", s->name, source_line(s, udd_case->at),
				source_column(s, udd_case->at));

			diag_add(parser->diags, DIAG_ERROR, &at, hint, "value %.80s has two cases in one switch",
				last->value->text);
			free(hint);
			return;
		}
}

static bool
parse_case(struct parser *parser, struct udd_stmt *stmt, struct udd_case ***tail)
{
	struct udd_case *udd_case = arena_alloc(parser->arena, sizeof *udd_case);
	struct place at = fdl_lex_place(&parser->x);
	struct udd_word value;

	if (!parse_take_word(parser, "a value", "for a case of the switch", &value))
		return false;
	udd_case->value = arena_copy(parser->arena, &value, sizeof value);
	udd_case->n_values = 1;
	udd_case->at = at.at;
	udd_case->len = at.len;
	if (parser->x.now.kind != FDL_ARROW)
		return fail(parser, "'=>'", "after the value of a case");
	fdl_lex_next(&parser->x);
	at = fdl_lex_place(&parser->x);
	udd_case->body = parse_statements(parser, true);
	if (at.at == parser->x.now.at)
		return fail(parser, "a statement", "after '=>' (pass; does nothing)");
	**tail = udd_case;
	*tail = &udd_case->next;
	check_value(parser, stmt->cases, udd_case);
	return true;
}

/* Reads `{ cases };` of a switch whose property has been read. */
static void
parse_cases(struct parser *parser, struct udd_stmt *stmt)
{
	struct udd_case **tail = &stmt->cases;

	if (!take_punct(parser, '{', "after the property of a switch")) {
		recover(parser);
		return;
	}
	if (fdl_lex_is(&parser->x, '}'))
		fail(parser, "VALUE => …", "in a switch, at least once");
	while (parser->x.now.kind != FDL_END && !fdl_lex_is(&parser->x, '}')) {
		uint32_t at = parser->x.now.at;

		if (parse_case(parser, stmt, &tail))
			continue;
		recover(parser);
		if (parser->x.now.at == at)
			fdl_lex_next(&parser->x);
	}
	if (!take_punct(parser, '}', "at the end of a switch"))
		return;
	take_punct(parser, ';', "after the '}' of a switch");
}

static struct udd_stmt *
parse_switch(struct parser *parser)
{
	struct place at = fdl_lex_place(&parser->x);
	struct udd_stmt *stmt = new_statement(parser, STMT_SWITCH, at);
	struct udd_word w;

	fdl_lex_next(&parser->x);
	if (!parse_take_word(parser, "a property", "after switch", &w)) {
		recover(parser);
		return NULL;
	}
	set_word(parser, stmt, w);
	if (parser->depth == UDD_NESTING_MAX) {
		diag_add(parser->diags, DIAG_ERROR, &at, NULL, "switches nest deeper than %d", UDD_NESTING_MAX);
		recover(parser);
		return NULL;
	}
	parser->depth++;
	parse_cases(parser, stmt);
	parser->depth--;
	return stmt;
}

/* Reads a keyword and its name: `do A;` */
static struct udd_stmt *
parse_simple(struct parser *parser, enum udd_stmt_kind kind, const char *what, const char *where)
{
	struct udd_stmt *stmt = new_statement(parser, kind, fdl_lex_place(&parser->x));
	struct udd_word w;

	fdl_lex_next(&parser->x);
	if (what && !parse_take_word(parser, what, where, &w)) {
		recover(parser);
		return NULL;
	}
	if (what)
		set_word(parser, stmt, w);
	if (!take_punct(parser, ';', "at the end of a statement") &&
		!is_one_of(&parser->x, keywords, COUNT(keywords)) && !fdl_lex_is(&parser->x, '}'))
		recover(parser); /* what follows is no statement by itself */
	return stmt;
}

/* Reads NAME: in FLOW itself; *out is NULL after an error that was reported. */
static struct udd_stmt *
parse_label(struct parser *parser, bool in_case)
{
	struct udd_stmt *stmt = new_statement(parser, STMT_TARGET, fdl_lex_place(&parser->x));
	struct place at = fdl_lex_place(&parser->x);
	struct udd_word w;

	if (!parse_take_word(parser, "a label", "before ':'", &w)) {
		fdl_lex_next(&parser->x);
		fdl_lex_next(&parser->x);
		return NULL;
	}
	set_word(parser, stmt, w);
	fdl_lex_next(&parser->x);
	if (!in_case)
		return stmt;
	diag_add(parser->diags, DIAG_ERROR, &at, "put it after the switch and jump there with next",
		"label %.80s is inside a switch; labels belong to FLOW itself", w.text);
	return NULL;
}

static void
complain_statement(struct parser *parser)
{
	struct place at = fdl_lex_place(&parser->x);
	struct str found = {0};
	char *word = mem_strn(parser->x.text + at.at, at.len < 60 ? at.len : 60), *hint = NULL;
	const char *near = parser->x.now.kind == FDL_WORD ? near_name(word, keywords, COUNT(keywords)) : NULL;

	if (near)
		hint = str_format("nearest: %s", near);
	fdl_lex_describe(&parser->x, &found);
	diag_add(parser->diags, DIAG_ERROR, &at,
		hint ? hint : "statements begin with do, incr, switch, next, pass or done",
		"no statement begins with %s", str_text(&found));
	str_free(&found);
	free(hint);
	free(word);
	recover(parser);
	if (parser->x.now.at == at.at)
		fdl_lex_next(&parser->x);
}

/* Reads one statement or label; NULL after an error, or when it makes no statement. */
static struct udd_stmt *
parse_statement(struct parser *parser, bool in_case)
{
	if (parser->x.now.kind == FDL_WORD && parser->x.next.kind == FDL_PUNCT && parser->x.next.punct == ':')
		return parse_label(parser, in_case);
	if (fdl_lex_is_word(&parser->x, "do"))
		return parse_simple(parser, STMT_EVENT, "an action", "after do");
	if (fdl_lex_is_word(&parser->x, "incr"))
		return parse_simple(parser, STMT_COUNT, "a counter", "after incr");
	if (fdl_lex_is_word(&parser->x, "next"))
		return parse_simple(parser, STMT_JUMP, "a label", "after next");
	if (fdl_lex_is_word(&parser->x, "done"))
		return parse_simple(parser, STMT_DONE, NULL, NULL);
	if (fdl_lex_is_word(&parser->x, "switch"))
		return parse_switch(parser);
	if (fdl_lex_is_word(&parser->x, "pass"))
		parse_simple(parser, STMT_DONE, NULL, NULL);
	else
		complain_statement(parser);
	return NULL;
}

/* Reads statements up to '}' or the next case. */
static struct udd_stmt *
parse_statements(struct parser *parser, bool in_case)
{
	struct udd_stmt *first = NULL, **tail = &first;

	while (parser->x.now.kind != FDL_END && !fdl_lex_is(&parser->x, '}') &&
		!(in_case && parser->x.now.kind == FDL_WORD && parser->x.next.kind == FDL_ARROW)) {
		struct udd_stmt *stmt = parse_statement(parser, in_case);

		if (!stmt)
			continue;
		*tail = stmt;
		tail = &stmt->next;
	}
	return first;
}

static bool
parse_actions(struct parser *parser)
{
	size_t cap = 0;
	struct udd_word *list = NULL, w;

	parser->flow->has_actions = true;
	while (parser->x.now.kind != FDL_END && !fdl_lex_is(&parser->x, '}')) {
		if (parse_take_word(parser, "an action", "in ACTIONS", &w) &&
			take_punct(parser, ';', "after an action")) {
			mem_grow(&list, &cap, parser->flow->n_actions + 1, sizeof *list);
			list[parser->flow->n_actions++] = w;
			continue;
		}
		recover(parser);
	}
	parser->flow->action = move_list(parser, list, parser->flow->n_actions * sizeof *list);
	return take_punct(parser, '}', "at the end of ACTIONS");
}

static bool
parse_group(struct parser *parser, struct fdl_group *group)
{
	struct udd_word *list = NULL, w;
	size_t cap = 0;
	bool good = parse_take_word(parser, "a counter", "in COUNTER_GROUPS", &group->total) &&
		take_punct(parser, ':', "after the total of a group");

	while (good) {
		good = parse_take_word(parser, "a counter", "among the parts of a group", &w);
		if (!good)
			break;
		mem_grow(&list, &cap, group->n + 1, sizeof *list);
		list[group->n++] = w;
		if (fdl_lex_is(&parser->x, ';'))
			break;
		if (!fdl_lex_is(&parser->x, ','))
			good = fail(parser, "',' or ';'", "after a part of a group");
		else
			fdl_lex_next(&parser->x);
	}
	group->part = move_list(parser, list, group->n * sizeof *list);
	if (good)
		fdl_lex_next(&parser->x);
	return good;
}

static bool
parse_groups(struct parser *parser)
{
	size_t cap = 0;
	struct fdl_group *list = NULL;

	while (parser->x.now.kind != FDL_END && !fdl_lex_is(&parser->x, '}')) {
		struct fdl_group g = {0};

		if (!parse_group(parser, &g)) {
			recover(parser);
			continue;
		}
		mem_grow(&list, &cap, parser->flow->n_groups + 1, sizeof *list);
		list[parser->flow->n_groups++] = g;
	}
	parser->flow->group = move_list(parser, list, parser->flow->n_groups * sizeof *list);
	return take_punct(parser, '}', "at the end of COUNTER_GROUPS");
}

static bool
parse_flow(struct parser *p)
{
	p->flow->has_flow = true;
	p->flow->body = parse_statements(p, false);
	return take_punct(p, '}', "at the end of FLOW");
}

static const struct {
	const char *word;
	bool (*parse)(struct parser *);
} block[] = {{"ACTIONS", parse_actions}, {"COUNTER_GROUPS", parse_groups}, {"FLOW", parse_flow}};

/* Reads one block with its braces; false when nothing more can be read. */
static bool
parse_block(struct parser *p, struct udd_word seen[COUNT(block)])
{
	struct place at = fdl_lex_place(&p->x);
	size_t i = 0;

	while (i < COUNT(block) && !fdl_lex_is_word(&p->x, block[i].word))
		i++;
	if (i == COUNT(block))
		return fail(p, "ACTIONS, COUNTER_GROUPS or FLOW", "here");
	if (seen[i].text) {
		char *hint = str_format("the first is at %s:%d:%d", p->x.source->name,
			source_line(p->x.source, seen[i].at), source_column(p->x.source, seen[i].at));

		diag_add(p->diags, DIAG_ERROR, &at, hint, "%s appears twice", block[i].word);
		free(hint);
		return false;
	}
	seen[i] = word_here(p);
	if (i == 2)
		p->flow->where = seen[i];
	fdl_lex_next(&p->x);
	return take_punct(p, '{', "after the name of a block") && block[i].parse(p);
}

bool
fdl_parse_flow(const struct udd_ast *ast, struct arena *arena, struct names *words, uint32_t file, const char *text,
	struct diags *diags, struct fdl_flow *out)
{
	struct parser p = {.arena = arena, .words = words, .diags = diags, .flow = out};
	struct udd_word seen[COUNT(block)] = {0};
	size_t errors = diags->errors;
	struct place at;
	bool good = true;

	*out = (struct fdl_flow){.ast = ast, .file = file};
	fdl_lex_begin(&p.x, &ast->file[file], text);
	while (p.x.now.kind != FDL_END && good)
		good = parse_block(&p, seen);
	if (!out->has_flow && diags->errors == errors) {
		at = fdl_place(out, 0, 0);
		diag_add(
			diags, DIAG_ERROR, &at, "FLOW { … } says what happens to one micro-op", "the file has no FLOW");
	}
	return diags->errors == errors;
}
