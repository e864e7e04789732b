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
complain_twice(const struct udd_ast *ast, struct diags *d, const struct udd_item *first, const struct udd_item *second)
{
	struct place at = udd_place(ast, second->file, second->name.at, second->name.len);
	const struct source *s = &ast->file[first->file];
	char *hint = str_format(
		"the first is at %s:%d:%d", s->name, source_line(s, first->name.at), source_column(s, first->name.at));

	if (second->kind == ITEM_MODEL)
		diag_add(d, DIAG_ERROR, &at, hint, "the model is named twice");
	else
		diag_add(d, DIAG_ERROR, &at, hint, "%s %.80s is defined twice", kind_name(second->kind),
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
space_of(struct udd_ast *a, enum udd_item_kind kind)
{
	switch (kind) {
	case ITEM_COUNTER:
		return (struct space){&a->counter_names, &a->counter, &a->cap_counter};
	case ITEM_GROUP:
		return (struct space){&a->group_names, &a->group, &a->cap_group};
	case ITEM_FEATURE:
		return (struct space){&a->feature_names, &a->feature, &a->cap_feature};
	case ITEM_VARIANT:
		return (struct space){&a->variant_names, &a->variant, &a->cap_variant};
	case ITEM_DEF:
		return (struct space){&a->def_names, &a->def, &a->cap_def};
	case ITEM_MODEL: /* not used: a file has one model */
	case ITEM_PATH:
		break;
	}
	return (struct space){&a->root_names, &a->root, &a->cap_root};
}

/* Make the item known by its name before the rest of it is parsed, so that an error in the rest causes no further
 * ones. */
void
udd_item_declare(struct udd_ast *ast, struct udd_item *item, struct diags *d)
{
	struct space s = space_of(ast, item->kind);
	size_t n = strlen(item->name.text), known = names_find(s.names, item->name.text, n);

	if (known != NAMES_NONE) {
		complain_twice(ast, d, (*s.list)[known], item);
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
parse_item_parse_model(struct parser *p)
{
	struct place at = lex_place(&p->x);
	struct udd_item *item = new_item(p, ITEM_MODEL);

	p->ast->some_model = true;
	lex_next(&p->x);
	if (!parse_word(p, WORD_NAME, "the model's name", &item->name))
		return false;
	if (p->file != 0)
		diag_add(p->diags, DIAG_ERROR, &at, "leave it to the file that includes this one",
			"an included file names no model");
	else if (p->ast->model)
		complain_twice(p->ast, p->diags, p->ast->model, item);
	else
		p->ast->model = item;
	return parse_text(p, &item->text) &&
		parse_punct_or(p, ';', *item->text ? "" : "a text or ",
			*item->text ? "after the text" : "after the model's name");
}

/* Parse EVENT: a quoted event `[if "FILTER"]`. */
static bool
parse_mapping(struct parser *p, struct udd_item *item)
{
	struct udd_event_word *list = NULL;
	size_t cap = 0;
	bool good;

	do {
		struct udd_event_word *e;

		lex_next(&p->x);
		mem_grow(&list, &cap, item->n_events + 1, sizeof *list);
		e = &list[item->n_events];
		*e = (struct udd_event_word){0};
		good = parse_string(p, "an event in double quotes", &e->name);
		if (good && lex_is_word(&p->x, "if")) {
			lex_next(&p->x);
			e->filtered = true;
			good = parse_string(p, "a filter in double quotes", &e->filter);
		}
		item->n_events += good;
	} while (good && lex_is(&p->x, ','));
	item->event = arena_copy(p->arena, list, item->n_events * sizeof *list);
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
parse_item_parse_counter(struct parser *p)
{
	struct udd_item *item;
	struct udd_word name;

	lex_next(&p->x);
	if (!parse_word(p, WORD_COUNTER, "a counter", &name))
		return false;
	item = new_item(p, ITEM_COUNTER);
	item->name = name;
	udd_item_declare(p->ast, item, p->diags);
	if (lex_is(&p->x, '=') && !(parse_mapping(p, item) && check_events(p, item)))
		return false;
	return parse_text(p, &item->text) &&
		parse_punct_or(p, ';', item->n_events || *item->text ? "" : "'=' or ", "after the counter");
}

static bool
parse_group_item(struct parser *p)
{
	struct udd_item *item;
	struct udd_word name;

	lex_next(&p->x);
	if (!parse_word(p, WORD_NAME, "the group's name", &name))
		return false;
	item = new_item(p, ITEM_GROUP);
	item->name = name;
	udd_item_declare(p->ast, item, p->diags);
	return parse_punct(p, '{', "after the group's name") &&
		parse_words(p, WORD_COUNTER, "a counter", &item->word, &item->n_words) &&
		parse_punct_or(p, '}', "',' or ", "after the counter") && parse_punct(p, ';', "after the group");
}

static bool
parse_feature(struct parser *p)
{
	struct udd_item *item;
	struct udd_word name;

	lex_next(&p->x);
	if (!parse_word(p, WORD_NAME, "the feature's name", &name))
		return false;
	item = new_item(p, ITEM_FEATURE);
	item->name = name;
	udd_item_declare(p->ast, item, p->diags);
	if (p->ast->feature_names.n == FSET_MAX + 1 && p->ast->feature[FSET_MAX] == item) {
		struct place at = udd_place(p->ast, p->file, name.at, name.len);

		diag_add(p->diags, DIAG_ERROR, &at, NULL, "more than %d features", FSET_MAX);
	}
	if (!parse_text(p, &item->text))
		return false;
	while (lex_is_word(&p->x, "requires") || lex_is_word(&p->x, "excludes")) {
		bool needs = lex_is_word(&p->x, "requires");

		if (needs ? item->when != NULL : item->n_words > 0)
			return parse_fail(p, "';'", needs ? "after requires, which is allowed once"
							  : "after excludes, which is allowed once");
		lex_next(&p->x);
		if (needs && !(item->when = bexpr_parse(&p->x, p->arena)))
			return false;
		if (!needs && !parse_words(p, WORD_NAME, "a feature", &item->word, &item->n_words))
			return false;
	}
	return parse_punct(p, ';', "after the feature");
}

/* Parse `= W + F - G`. */
static bool
parse_terms(struct parser *p, struct udd_item *item)
{
	struct udd_word *term = NULL, base;
	bool *minus = NULL, good = true;
	size_t cap = 0, cap_minus = 0, n = 0;

	lex_next(&p->x);
	if (lex_is_word(&p->x, "default")) {
		base = (struct udd_word){.text = "default", .at = p->x.now.at, .len = p->x.now.len & 0x3fffffff};
		lex_next(&p->x);
	} else if (!parse_word(p, WORD_NAME, "a variant", &base)) {
		return false;
	}
	item->base = arena_copy(p->arena, &base, sizeof base);
	while (good && (lex_is(&p->x, '+') || lex_is(&p->x, '-'))) {
		mem_grow(&term, &cap, n + 1, sizeof *term);
		mem_grow(&minus, &cap_minus, n + 1, sizeof *minus);
		minus[n] = lex_is(&p->x, '-');
		lex_next(&p->x);
		good = parse_word(p, WORD_NAME, "a feature", &term[n]);
		n += good;
	}
	item->word = arena_copy(p->arena, term, n * sizeof *term);
	item->minus = arena_copy(p->arena, minus, n * sizeof *minus);
	item->n_words = n;
	free(term);
	free(minus);
	return good;
}

static bool
parse_variant(struct parser *p)
{
	struct udd_item *item;
	struct udd_word name;

	lex_next(&p->x);
	if (lex_is_word(&p->x, "default")) {
		name = (struct udd_word){.text = "default", .at = p->x.now.at, .len = p->x.now.len & 0x3fffffff};
		lex_next(&p->x);
	} else if (!parse_word(p, WORD_NAME, "the variant's name", &name)) {
		return false;
	}
	item = new_item(p, ITEM_VARIANT);
	item->name = name;
	udd_item_declare(p->ast, item, p->diags);
	if (lex_is(&p->x, '='))
		return parse_terms(p, item) && parse_punct_or(p, ';', "'+', '-' or ", "after the variant");
	if (!lex_is(&p->x, '{'))
		return parse_fail(p, "'{' or '='", "after the variant's name");
	lex_next(&p->x);
	if (!lex_is(&p->x, '}') && !parse_words(p, WORD_NAME, "a feature", &item->word, &item->n_words))
		return false;
	return parse_punct_or(p, '}', "',' or ", "after the feature") && parse_punct(p, ';', "after the variant");
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
parse_parameters(struct parser *p, struct udd_item *item)
{
	const char *fault = NULL;

	if (!parse_punct(p, '(', "after the def's name"))
		return false;
	if (!lex_is(&p->x, ')') && !parse_words(p, WORD_NAME, "a parameter", &item->word, &item->n_words))
		return false;
	for (size_t i = 0; i < item->n_words && !fault; i++) {
		struct place at = udd_place(p->ast, p->file, item->word[i].at, item->word[i].len);

		fault = parameter_fault(item, i);
		if (fault)
			diag_add(p->diags, DIAG_ERROR, &at, NULL, "%.80s %s", item->word[i].text, fault);
	}
	return parse_punct_or(p, ')', "',' or ", "after the parameter");
}

static bool
parse_def(struct parser *p)
{
	struct udd_item *item;
	struct udd_word name;
	bool good;

	lex_next(&p->x);
	if (!parse_word(p, WORD_NAME, "the def's name", &name))
		return false;
	item = new_item(p, ITEM_DEF);
	item->name = name;
	udd_item_declare(p->ast, item, p->diags);
	if (!parse_parameters(p, item))
		return false;
	p->body = item;
	good = parse_block(p, "after the def's parameters", &item->body);
	p->body = NULL;
	return good;
}

static bool
parse_path(struct parser *p)
{
	struct udd_item *item;
	struct udd_word name;
	bool good;

	p->ast->some_path = true;
	lex_next(&p->x);
	if (!parse_word(p, WORD_NAME, "the path's name", &name))
		return false;
	item = new_item(p, ITEM_PATH);
	item->name = name;
	udd_item_declare(p->ast, item, p->diags);
	if (lex_is_word(&p->x, "when")) {
		lex_next(&p->x);
		item->when = bexpr_parse(&p->x, p->arena);
		if (!item->when)
			return false;
	}
	p->body = item;
	good = parse_block(p, item->when ? "after the condition" : "after the path's name", &item->body);
	p->body = NULL;
	return good;
}

static bool
parse_include(struct parser *p)
{
	struct udd_include *here = arena_alloc(p->arena, sizeof *here);
	struct udd_word path;

	here->file = p->file;
	here->at = p->x.now.at;
	lex_next(&p->x);
	if (!parse_string(p, "a file name in double quotes", &path) || !parse_punct(p, ';', "after the file name"))
		return false;
	here->end = p->x.last_end;
	here->path = path.text;
	*p->ast->last_include = here;
	p->ast->last_include = &here->next;
	here->into = include_file(p, &path);
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
parse_item(struct parser *p)
{
	struct place at = lex_place(&p->x);
	const char *near, *names[sizeof items / sizeof *items];
	char *hint, *word;

	for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
		names[i] = items[i].word;
		if (lex_is_word(&p->x, items[i].word))
			return items[i].parse(p);
	}
	if (p->x.now.kind != TOKEN_WORD)
		return parse_fail(p, "model, include, counter, group, feature, variant, def or path", "");
	word = mem_strn(at.source->text + at.at, at.len < 60 ? at.len : 60);
	near = near_name(word, names, sizeof names / sizeof *names);
	hint = near ? str_format("nearest: %s", near)
		    : mem_str("model, include, counter, group, feature, variant, def and path do");
	diag_add(p->diags, DIAG_ERROR, &at, hint, "'%s' begins no item", word);
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
parse_items(struct parser *p)
{
	while (p->x.now.kind != TOKEN_END) {
		uint32_t at = p->x.now.at;

		if (lex_is(&p->x, '}') || lex_is(&p->x, ';')) {
			skip_stray(p);
			continue;
		}
		if (parse_item(p))
			continue;
		if (p->x.now.at == at)
			lex_next(&p->x);
		parse_recover(p);
		if (lex_is(&p->x, '}')) /* the end of the skipped item */
			lex_next(&p->x);
		if (lex_is(&p->x, ';') && p->x.now.at > at)
			lex_next(&p->x);
	}
}
