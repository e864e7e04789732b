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
parse_take_word(struct parser *p, const char *what, const char *where, struct udd_word *out)
{
	struct place at = fdl_lex_place(&p->x);
	char first = at.len ? p->x.text[at.at] : '\0';
	const char *fault = NULL;

	if (p->x.now.kind != FDL_WORD)
		return fail(p, what, where);
	if (!((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '_'))
		fault = "a name or value begins with a letter or '_', as KB4 does";
	else if (at.len > UDD_WORD_MAX)
		fault = "a word has at most 4096 bytes";
	if (fault) {
		diag_add(p->diags, DIAG_ERROR, &at, fault, "'%.*s' is not a name", (int)(at.len < 60 ? at.len : 60),
			p->x.text + at.at);
		return false;
	}
	if (is_one_of(&p->x, keywords, COUNT(keywords)) || is_one_of(&p->x, blocks, COUNT(blocks)))
		return fail(p, what, where);
	*out = word_here(p);
	fdl_lex_next(&p->x);
	return true;
}

/* Skips the rest of a broken statement: to after the next ';' of this level, or to before the '}' that closes the
 * level. */
static void
recover(struct parser *p)
{
	int open = 0;

	for (; p->x.now.kind != FDL_END; fdl_lex_next(&p->x)) {
		if (fdl_lex_is(&p->x, '{')) {
			open++;
		} else if (fdl_lex_is(&p->x, '}')) {
			if (open-- == 0)
				return;
		} else if (fdl_lex_is(&p->x, ';') && open == 0) {
			fdl_lex_next(&p->x);
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
check_value(struct parser *p, const struct udd_case *first, const struct udd_case *last)
{
	for (const struct udd_case *c = first; c != last; c = c->next)
		if (c->value->text == last->value->text) {
			struct place at = fdl_place(p->flow, last->at, last->len);
			const struct source *s = p->x.source;
			char *hint = str_format("the other is at %s:%d:%d", s->name, source_line(s, c->at),
				source_column(s, c->at));

			diag_add(p->diags, DIAG_ERROR, &at, hint, "value %.80s has two cases in one switch",
				last->value->text);
			free(hint);
			return;
		}
}

static bool
parse_case(struct parser *p, struct udd_stmt *s, struct udd_case ***tail)
{
	struct udd_case *c = arena_alloc(p->arena, sizeof *c);
	struct place at = fdl_lex_place(&p->x);
	struct udd_word value;

	if (!parse_take_word(p, "a value", "for a case of the switch", &value))
		return false;
	c->value = arena_copy(p->arena, &value, sizeof value);
	c->n_values = 1;
	c->at = at.at;
	c->len = at.len;
	if (p->x.now.kind != FDL_ARROW)
		return fail(p, "'=>'", "after the value of a case");
	fdl_lex_next(&p->x);
	at = fdl_lex_place(&p->x);
	c->body = parse_statements(p, true);
	if (at.at == p->x.now.at)
		return fail(p, "a statement", "after '=>' (pass; does nothing)");
	**tail = c;
	*tail = &c->next;
	check_value(p, s->cases, c);
	return true;
}

/* Reads `{ cases };` of a switch whose property has been read. */
static void
parse_cases(struct parser *p, struct udd_stmt *s)
{
	struct udd_case **tail = &s->cases;

	if (!take_punct(p, '{', "after the property of a switch")) {
		recover(p);
		return;
	}
	if (fdl_lex_is(&p->x, '}'))
		fail(p, "VALUE => …", "in a switch, at least once");
	while (p->x.now.kind != FDL_END && !fdl_lex_is(&p->x, '}')) {
		uint32_t at = p->x.now.at;

		if (parse_case(p, s, &tail))
			continue;
		recover(p);
		if (p->x.now.at == at)
			fdl_lex_next(&p->x);
	}
	if (!take_punct(p, '}', "at the end of a switch"))
		return;
	take_punct(p, ';', "after the '}' of a switch");
}

static struct udd_stmt *
parse_switch(struct parser *p)
{
	struct place at = fdl_lex_place(&p->x);
	struct udd_stmt *s = new_statement(p, STMT_SWITCH, at);
	struct udd_word w;

	fdl_lex_next(&p->x);
	if (!parse_take_word(p, "a property", "after switch", &w)) {
		recover(p);
		return NULL;
	}
	set_word(p, s, w);
	if (p->depth == UDD_NESTING_MAX) {
		diag_add(p->diags, DIAG_ERROR, &at, NULL, "switches nest deeper than %d", UDD_NESTING_MAX);
		recover(p);
		return NULL;
	}
	p->depth++;
	parse_cases(p, s);
	p->depth--;
	return s;
}

/* Reads a keyword and its name: `do A;` */
static struct udd_stmt *
parse_simple(struct parser *p, enum udd_stmt_kind kind, const char *what, const char *where)
{
	struct udd_stmt *s = new_statement(p, kind, fdl_lex_place(&p->x));
	struct udd_word w;

	fdl_lex_next(&p->x);
	if (what && !parse_take_word(p, what, where, &w)) {
		recover(p);
		return NULL;
	}
	if (what)
		set_word(p, s, w);
	if (!take_punct(p, ';', "at the end of a statement") && !is_one_of(&p->x, keywords, COUNT(keywords)) &&
		!fdl_lex_is(&p->x, '}'))
		recover(p); /* what follows is no statement by itself */
	return s;
}

/* Reads NAME: in FLOW itself; *out is NULL after an error that was reported. */
static struct udd_stmt *
parse_label(struct parser *p, bool in_case)
{
	struct udd_stmt *s = new_statement(p, STMT_TARGET, fdl_lex_place(&p->x));
	struct place at = fdl_lex_place(&p->x);
	struct udd_word w;

	if (!parse_take_word(p, "a label", "before ':'", &w)) {
		fdl_lex_next(&p->x);
		fdl_lex_next(&p->x);
		return NULL;
	}
	set_word(p, s, w);
	fdl_lex_next(&p->x);
	if (!in_case)
		return s;
	diag_add(p->diags, DIAG_ERROR, &at, "put it after the switch and jump there with next",
		"label %.80s is inside a switch; labels belong to FLOW itself", w.text);
	return NULL;
}

static void
complain_statement(struct parser *p)
{
	struct place at = fdl_lex_place(&p->x);
	struct str found = {0};
	char *word = mem_strn(p->x.text + at.at, at.len < 60 ? at.len : 60), *hint = NULL;
	const char *near = p->x.now.kind == FDL_WORD ? near_name(word, keywords, COUNT(keywords)) : NULL;

	if (near)
		hint = str_format("nearest: %s", near);
	fdl_lex_describe(&p->x, &found);
	diag_add(p->diags, DIAG_ERROR, &at, hint ? hint : "statements begin with do, incr, switch, next, pass or done",
		"no statement begins with %s", str_text(&found));
	str_free(&found);
	free(hint);
	free(word);
	recover(p);
	if (p->x.now.at == at.at)
		fdl_lex_next(&p->x);
}

/* Reads one statement or label; NULL after an error, or when it makes no statement. */
static struct udd_stmt *
parse_statement(struct parser *p, bool in_case)
{
	if (p->x.now.kind == FDL_WORD && p->x.next.kind == FDL_PUNCT && p->x.next.punct == ':')
		return parse_label(p, in_case);
	if (fdl_lex_is_word(&p->x, "do"))
		return parse_simple(p, STMT_EVENT, "an action", "after do");
	if (fdl_lex_is_word(&p->x, "incr"))
		return parse_simple(p, STMT_COUNT, "a counter", "after incr");
	if (fdl_lex_is_word(&p->x, "next"))
		return parse_simple(p, STMT_JUMP, "a label", "after next");
	if (fdl_lex_is_word(&p->x, "done"))
		return parse_simple(p, STMT_DONE, NULL, NULL);
	if (fdl_lex_is_word(&p->x, "switch"))
		return parse_switch(p);
	if (fdl_lex_is_word(&p->x, "pass"))
		parse_simple(p, STMT_DONE, NULL, NULL);
	else
		complain_statement(p);
	return NULL;
}

/* Reads statements up to '}' or the next case. */
static struct udd_stmt *
parse_statements(struct parser *p, bool in_case)
{
	struct udd_stmt *first = NULL, **tail = &first;

	while (p->x.now.kind != FDL_END && !fdl_lex_is(&p->x, '}') &&
		!(in_case && p->x.now.kind == FDL_WORD && p->x.next.kind == FDL_ARROW)) {
		struct udd_stmt *s = parse_statement(p, in_case);

		if (!s)
			continue;
		*tail = s;
		tail = &s->next;
	}
	return first;
}

static bool
parse_actions(struct parser *p)
{
	size_t cap = 0;
	struct udd_word *list = NULL, w;

	p->flow->has_actions = true;
	while (p->x.now.kind != FDL_END && !fdl_lex_is(&p->x, '}')) {
		if (parse_take_word(p, "an action", "in ACTIONS", &w) && take_punct(p, ';', "after an action")) {
			mem_grow(&list, &cap, p->flow->n_actions + 1, sizeof *list);
			list[p->flow->n_actions++] = w;
			continue;
		}
		recover(p);
	}
	p->flow->action = move_list(p, list, p->flow->n_actions * sizeof *list);
	return take_punct(p, '}', "at the end of ACTIONS");
}

static bool
parse_group(struct parser *p, struct fdl_group *g)
{
	struct udd_word *list = NULL, w;
	size_t cap = 0;
	bool good = parse_take_word(p, "a counter", "in COUNTER_GROUPS", &g->total) &&
		take_punct(p, ':', "after the total of a group");

	while (good) {
		good = parse_take_word(p, "a counter", "among the parts of a group", &w);
		if (!good)
			break;
		mem_grow(&list, &cap, g->n + 1, sizeof *list);
		list[g->n++] = w;
		if (fdl_lex_is(&p->x, ';'))
			break;
		if (!fdl_lex_is(&p->x, ','))
			good = fail(p, "',' or ';'", "after a part of a group");
		else
			fdl_lex_next(&p->x);
	}
	g->part = move_list(p, list, g->n * sizeof *list);
	if (good)
		fdl_lex_next(&p->x);
	return good;
}

static bool
parse_groups(struct parser *p)
{
	size_t cap = 0;
	struct fdl_group *list = NULL;

	while (p->x.now.kind != FDL_END && !fdl_lex_is(&p->x, '}')) {
		struct fdl_group g = {0};

		if (!parse_group(p, &g)) {
			recover(p);
			continue;
		}
		mem_grow(&list, &cap, p->flow->n_groups + 1, sizeof *list);
		list[p->flow->n_groups++] = g;
	}
	p->flow->group = move_list(p, list, p->flow->n_groups * sizeof *list);
	return take_punct(p, '}', "at the end of COUNTER_GROUPS");
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
	struct diags *d, struct fdl_flow *out)
{
	struct parser p = {.arena = arena, .words = words, .diags = d, .flow = out};
	struct udd_word seen[COUNT(block)] = {0};
	size_t errors = d->errors;
	struct place at;
	bool good = true;

	*out = (struct fdl_flow){.ast = ast, .file = file};
	fdl_lex_begin(&p.x, &ast->file[file], text);
	while (p.x.now.kind != FDL_END && good)
		good = parse_block(&p, seen);
	if (!out->has_flow && d->errors == errors) {
		at = fdl_place(out, 0, 0);
		diag_add(d, DIAG_ERROR, &at, "FLOW { … } says what happens to one micro-op", "the file has no FLOW");
	}
	return d->errors == errors;
}
