/* Parses items, the parts of a file. Included files are parsed at the place of their include. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "core/udd/build.h"
#include "core/udd/include.h"
#include "core/udd/parser.h"
#include "text/bexpr.h"

struct udd_item *
udd_item_new(struct udd_ast *ast, struct arena *arena, enum udd_item_kind kind, uint32_t file)
{
	struct udd_item *item = arena_alloc(arena, sizeof *item);

	item->kind = kind;
	item->file = file;
	item->text = "";
	*ast->tail = item;
	ast->tail = &item->next;
	return item;
}

static struct udd_item *
new_item(struct parser *p, enum udd_item_kind kind)
{
	return udd_item_new(p->ast, p->arena, kind, p->file);
}

static const char *
kind_name(enum udd_item_kind k)
{
	static const char *const name[] = {"model", "counter", "group", "feature", "variant", "def", "path"};

	return name[k];
}

/* Report the second item of a name, and show where the first is. */
static void
complain_twice(
	const struct udd_ast *ast, struct diags *diags, const struct udd_item *first, const struct udd_item *second)
{
	struct place at = udd_place(ast, second->file, second->name.at, second->name.len);
	const struct source *s = &ast->file[first->file];
	char *hint = str_format(
		"the first is at %s:%d:%d", s->name, source_line(s, first->name.at), source_column(s, first->name.at));

	if (second->kind == ITEM_MODEL)
		diag_add(diags, DIAG_ERROR, &at, hint, "the model is named twice");
	else
		diag_add(diags, DIAG_ERROR, &at, hint, "%s %.80s is defined twice", kind_name(second->kind),
			second->name.text);
	free(hint);
}

/* The name space of a kind of item. */
struct space {
	struct names *names;
	struct udd_item ***list;
	size_t *cap;
};

static struct space
space_of(struct udd_ast *ast, enum udd_item_kind kind)
{
	switch (kind) {
	case ITEM_COUNTER:
		return (struct space){&ast->counter_names, &ast->counter, &ast->cap_counter};
	case ITEM_GROUP:
		return (struct space){&ast->group_names, &ast->group, &ast->cap_group};
	case ITEM_FEATURE:
		return (struct space){&ast->feature_names, &ast->feature, &ast->cap_feature};
	case ITEM_VARIANT:
		return (struct space){&ast->variant_names, &ast->variant, &ast->cap_variant};
	case ITEM_DEF:
		return (struct space){&ast->def_names, &ast->def, &ast->cap_def};
	case ITEM_MODEL: /* not used: a file has one model */
	case ITEM_PATH:
		break;
	}
	return (struct space){&ast->root_names, &ast->root, &ast->cap_root};
}

/* Make the item known by its name before the rest of it is parsed, so that an error in the rest causes no further
 * ones. */
void
udd_item_declare(struct udd_ast *ast, struct udd_item *item, struct diags *diags)
{
	struct space s = space_of(ast, item->kind);
	size_t n = strlen(item->name.text), known = names_find(s.names, item->name.text, n);

	if (known != NAMES_NONE) {
		complain_twice(ast, diags, (*s.list)[known], item);
		return;
	}
	known = names_add(s.names, item->name.text, n);
	mem_grow(s.list, s.cap, known + 1, sizeof **s.list);
	(*s.list)[known] = item;
}

static bool
parse_text(struct parser *p, const char **out)
{
	struct udd_word w;
	bool good;

	if (p->x.now.kind != TOKEN_STRING)
		return true;
	good = parse_string(p, "a text", &w);
	*out = w.text;
	return good;
}

static bool
parse_item_parse_model(struct parser *parser)
{
	struct place at = lex_place(&parser->x);
	struct udd_item *item = new_item(parser, ITEM_MODEL);

	parser->ast->some_model = true;
	lex_next(&parser->x);
	if (!parse_word(parser, WORD_NAME, "the model's name", &item->name))
		return false;
	if (parser->file != 0)
		diag_add(parser->diags, DIAG_ERROR, &at, "leave it to the file that includes this one",
			"an included file names no model");
	else if (parser->ast->model)
		complain_twice(parser->ast, parser->diags, parser->ast->model, item);
	else
		parser->ast->model = item;
	return parse_text(parser, &item->text) &&
		parse_punct_or(parser, ';', *item->text ? "" : "a text or ",
			*item->text ? "after the text" : "after the model's name");
}

/* Parse EVENT: a quoted event `[if "FILTER"]`. */
static bool
parse_mapping(struct parser *parser, struct udd_item *item)
{
	struct udd_event_word *list = NULL;
	size_t cap = 0;
	bool good;

	do {
		struct udd_event_word *word;

		lex_next(&parser->x);
		mem_grow(&list, &cap, item->n_events + 1, sizeof *list);
		word = &list[item->n_events];
		*word = (struct udd_event_word){0};
		good = parse_string(parser, "an event in double quotes", &word->name);
		if (good && lex_is_word(&parser->x, "if")) {
			lex_next(&parser->x);
			word->filtered = true;
			good = parse_string(parser, "a filter in double quotes", &word->filter);
		}
		item->n_events += good;
	} while (good && lex_is(&parser->x, ','));
	item->event = arena_copy(parser->arena, list, item->n_events * sizeof *list);
	free(list);
	return good;
}

static bool
check_events(struct parser *p, const struct udd_item *item)
{
	for (size_t i = 0; i < item->n_events; i++) {
		struct place at = udd_place(p->ast, p->file, item->event[i].name.at, item->event[i].name.len);

		if (*item->event[i].name.text)
			continue;
		diag_add(p->diags, DIAG_ERROR, &at, NULL, "an event's name cannot be empty");
		return false;
	}
	return true;
}

static bool
parse_item_parse_counter(struct parser *parser)
{
	struct udd_item *item;
	struct udd_word name;

	lex_next(&parser->x);
	if (!parse_word(parser, WORD_COUNTER, "a counter", &name))
		return false;
	item = new_item(parser, ITEM_COUNTER);
	item->name = name;
	udd_item_declare(parser->ast, item, parser->diags);
	if (lex_is(&parser->x, '=') && !(parse_mapping(parser, item) && check_events(parser, item)))
		return false;
	return parse_text(parser, &item->text) &&
		parse_punct_or(parser, ';', item->n_events || *item->text ? "" : "'=' or ", "after the counter");
}

static bool
parse_group_item(struct parser *parser)
{
	struct udd_item *item;
	struct udd_word name;

	lex_next(&parser->x);
	if (!parse_word(parser, WORD_NAME, "the group's name", &name))
		return false;
	item = new_item(parser, ITEM_GROUP);
	item->name = name;
	udd_item_declare(parser->ast, item, parser->diags);
	return parse_punct(parser, '{', "after the group's name") &&
		parse_words(parser, WORD_COUNTER, "a counter", &item->word, &item->n_words) &&
		parse_punct_or(parser, '}', "',' or ", "after the counter") &&
		parse_punct(parser, ';', "after the group");
}

static bool
parse_feature(struct parser *parser)
{
	struct udd_item *item;
	struct udd_word name;

	lex_next(&parser->x);
	if (!parse_word(parser, WORD_NAME, "the feature's name", &name))
		return false;
	item = new_item(parser, ITEM_FEATURE);
	item->name = name;
	udd_item_declare(parser->ast, item, parser->diags);
	if (parser->ast->feature_names.n == FSET_MAX + 1 && parser->ast->feature[FSET_MAX] == item) {
		struct place at = udd_place(parser->ast, parser->file, name.at, name.len);

		diag_add(parser->diags, DIAG_ERROR, &at, NULL, "more than %d features", FSET_MAX);
	}
	if (!parse_text(parser, &item->text))
		return false;
	while (lex_is_word(&parser->x, "requires") || lex_is_word(&parser->x, "excludes")) {
		bool needs = lex_is_word(&parser->x, "requires");

		if (needs ? item->when != NULL : item->n_words > 0)
			return parse_fail(parser, "';'", needs ? "after requires, which is allowed once"
							  : "after excludes, which is allowed once");
		lex_next(&parser->x);
		if (needs && !(item->when = bexpr_parse(&parser->x, parser->arena)))
			return false;
		if (!needs && !parse_words(parser, WORD_NAME, "a feature", &item->word, &item->n_words))
			return false;
	}
	return parse_punct(parser, ';', "after the feature");
}

/* Parse `= W + F - G`. */
static bool
parse_terms(struct parser *parser, struct udd_item *item)
{
	struct udd_word *term = NULL, base;
	bool *minus = NULL, good = true;
	size_t cap = 0, cap_minus = 0, n = 0;

	lex_next(&parser->x);
	if (lex_is_word(&parser->x, "default")) {
		base = (struct udd_word){
			.text = "default", .at = parser->x.now.at, .len = parser->x.now.len & 0x3fffffff};
		lex_next(&parser->x);
	} else if (!parse_word(parser, WORD_NAME, "a variant", &base)) {
		return false;
	}
	item->base = arena_copy(parser->arena, &base, sizeof base);
	while (good && (lex_is(&parser->x, '+') || lex_is(&parser->x, '-'))) {
		mem_grow(&term, &cap, n + 1, sizeof *term);
		mem_grow(&minus, &cap_minus, n + 1, sizeof *minus);
		minus[n] = lex_is(&parser->x, '-');
		lex_next(&parser->x);
		good = parse_word(parser, WORD_NAME, "a feature", &term[n]);
		n += good;
	}
	item->word = arena_copy(parser->arena, term, n * sizeof *term);
	item->minus = arena_copy(parser->arena, minus, n * sizeof *minus);
	item->n_words = n;
	free(term);
	free(minus);
	return good;
}

static bool
parse_variant(struct parser *parser)
{
	struct udd_item *item;
	struct udd_word name;

	lex_next(&parser->x);
	if (lex_is_word(&parser->x, "default")) {
		name = (struct udd_word){
			.text = "default", .at = parser->x.now.at, .len = parser->x.now.len & 0x3fffffff};
		lex_next(&parser->x);
	} else if (!parse_word(parser, WORD_NAME, "the variant's name", &name)) {
		return false;
	}
	item = new_item(parser, ITEM_VARIANT);
	item->name = name;
	udd_item_declare(parser->ast, item, parser->diags);
	if (lex_is(&parser->x, '='))
		return parse_terms(parser, item) && parse_punct_or(parser, ';', "'+', '-' or ", "after the variant");
	if (!lex_is(&parser->x, '{'))
		return parse_fail(parser, "'{' or '='", "after the variant's name");
	lex_next(&parser->x);
	if (!lex_is(&parser->x, '}') && !parse_words(parser, WORD_NAME, "a feature", &item->word, &item->n_words))
		return false;
	return parse_punct_or(parser, '}', "',' or ", "after the feature") &&
		parse_punct(parser, ';', "after the variant");
}

/* The fault of the i-th parameter, as the end of a sentence; NULL if there is none. */
static const char *
parameter_fault(const struct udd_item *item, size_t i)
{
	if (i == UDD_PARAMETERS_MAX)
		return "is one more than the 64 parameters that a def may have";
	for (size_t k = 0; k < i; k++)
		if (item->word[i].text == item->word[k].text)
			return "is the name of two parameters";
	return NULL;
}

static bool
parse_parameters(struct parser *parser, struct udd_item *item)
{
	const char *fault = NULL;

	if (!parse_punct(parser, '(', "after the def's name"))
		return false;
	if (!lex_is(&parser->x, ')') && !parse_words(parser, WORD_NAME, "a parameter", &item->word, &item->n_words))
		return false;
	for (size_t i = 0; i < item->n_words && !fault; i++) {
		struct place at = udd_place(parser->ast, parser->file, item->word[i].at, item->word[i].len);

		fault = parameter_fault(item, i);
		if (fault)
			diag_add(parser->diags, DIAG_ERROR, &at, NULL, "%.80s %s", item->word[i].text, fault);
	}
	return parse_punct_or(parser, ')', "',' or ", "after the parameter");
}

static bool
parse_def(struct parser *parser)
{
	struct udd_item *item;
	struct udd_word name;
	bool good;

	lex_next(&parser->x);
	if (!parse_word(parser, WORD_NAME, "the def's name", &name))
		return false;
	item = new_item(parser, ITEM_DEF);
	item->name = name;
	udd_item_declare(parser->ast, item, parser->diags);
	if (!parse_parameters(parser, item))
		return false;
	parser->body = item;
	good = parse_block(parser, "after the def's parameters", &item->body);
	parser->body = NULL;
	return good;
}

static bool
parse_path(struct parser *parser)
{
	struct udd_item *item;
	struct udd_word name;
	bool good;

	parser->ast->some_path = true;
	lex_next(&parser->x);
	if (!parse_word(parser, WORD_NAME, "the path's name", &name))
		return false;
	item = new_item(parser, ITEM_PATH);
	item->name = name;
	udd_item_declare(parser->ast, item, parser->diags);
	if (lex_is_word(&parser->x, "when")) {
		lex_next(&parser->x);
		item->when = bexpr_parse(&parser->x, parser->arena);
		if (!item->when)
			return false;
	}
	parser->body = item;
	good = parse_block(parser, item->when ? "after the condition" : "after the path's name", &item->body);
	parser->body = NULL;
	return good;
}

static bool
parse_include(struct parser *parser)
{
	struct udd_include *here = arena_alloc(parser->arena, sizeof *here);
	struct udd_word path;

	here->file = parser->file;
	here->at = parser->x.now.at;
	lex_next(&parser->x);
	if (!parse_string(parser, "a file name in double quotes", &path) ||
		!parse_punct(parser, ';', "after the file name"))
		return false;
	here->end = parser->x.last_end;
	here->path = path.text;
	*parser->ast->last_include = here;
	parser->ast->last_include = &here->next;
	here->into = include_file(parser, &path);
	return true;
}

static const struct {
	const char *word;
	bool (*parse)(struct parser *);
} items[] = {
	{"model", parse_item_parse_model}, {"include", parse_include}, {"counter", parse_item_parse_counter}, {"group",
		parse_group_item}, {"feature", parse_feature},
	{"variant", parse_variant}, {"def", parse_def}, {"path", parse_path},
};

static bool
parse_item(struct parser *parser)
{
	struct place at = lex_place(&parser->x);
	const char *near, *names[sizeof items / sizeof *items];
	char *hint, *word;

	for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
		names[i] = items[i].word;
		if (lex_is_word(&parser->x, items[i].word))
			return items[i].parse(parser);
	}
	if (parser->x.now.kind != TOKEN_WORD)
		return parse_fail(parser, "model, include, counter, group, feature, variant, def or path", "");
	word = mem_strn(at.source->text + at.at, at.len < 60 ? at.len : 60);
	near = near_name(word, names, sizeof names / sizeof *names);
	hint = near ? str_format("nearest: %s", near)
		    : mem_str("model, include, counter, group, feature, variant, def and path do");
	diag_add(parser->diags, DIAG_ERROR, &at, hint, "'%s' begins no item", word);
	free(hint);
	free(word);
	return false;
}

/* Skip a brace or semicolon that ends nothing. */
static void
skip_stray(struct parser *p)
{
	struct place at = lex_place(&p->x);

	diag_add(p->diags, DIAG_ERROR, &at, "leave it out",
		lex_is(&p->x, '}') ? "no block is open here" : "there is nothing that this could end");
	lex_next(&p->x);
}

void
parse_items(struct parser *parser)
{
	while (parser->x.now.kind != TOKEN_END) {
		uint32_t at = parser->x.now.at;

		if (lex_is(&parser->x, '}') || lex_is(&parser->x, ';')) {
			skip_stray(parser);
			continue;
		}
		if (parse_item(parser))
			continue;
		if (parser->x.now.at == at)
			lex_next(&parser->x);
		parse_recover(parser);
		if (lex_is(&parser->x, '}')) /* the end of the skipped item */
			lex_next(&parser->x);
		if (lex_is(&parser->x, ';') && parser->x.now.at > at)
			lex_next(&parser->x);
	}
}
