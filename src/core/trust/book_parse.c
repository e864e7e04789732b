/* Parses the items of a .trust file. After an error it goes on with the next item, so that all errors of a file are
 * reported at once. */
#include "core/trust/book.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "text/diag.h"
#include "text/item.h"

#define NUMBER_MAX 0xffff

struct parser {
	struct item_reader r;
	struct trust_book *book;
	size_t cap_pages, cap_entries, cap_names, cap_models;
	bool verdict_given, letters_given;
};

struct item {
	const char *word;
	bool (*parse)(struct parser *, struct trust_page *, struct trust_entry *);
};

/* Parses a name, bare or quoted. Bare names may have '-', '.' and ':' in them. The caller frees. */
static bool
parse_name(struct parser *parser, const char *what, char **out, struct place *at)
{
	const char *text;
	bool pieces;

	*at = lex_place(&parser->r.x);
	if (parser->r.x.now.kind == TOKEN_STRING) {
		if (!item_text(&parser->r, what, &text))
			return false;
		if (!*text) {
			diag_add(parser->r.diags, DIAG_ERROR, at, NULL, "there is nothing between the quotes");
			return false;
		}
		*out = mem_str(text);
		return true;
	}
	*at = lex_join(&parser->r.x, "-.:", &pieces);
	if (!at->len)
		return item_fail(&parser->r, what, "");
	*out = mem_strn(parser->r.source.text + at->at, at->len);
	return true;
}

static bool
parse_whole(struct parser *p, const char *what, int *out)
{
	int64_t v;

	if (!item_number(&p->r, what, NOTATION_CODE, 0, NUMBER_MAX, &v, "/proc/cpuinfo shows it"))
		return false;
	*out = (int)v;
	return true;
}

/* Parses texts one after another. They are parts of one text, with a blank between them. */
static bool
book_parse_text(struct parser *parser, const char *what, char **out)
{
	struct str all = {0};

	*out = NULL;
	if (item_joined_text(&parser->r, what, &all))
		*out = str_take(&all);
	str_free(&all);
	return *out != NULL;
}

static bool
parse_verdict(struct parser *parser, struct trust_page *page, struct trust_entry *entry)
{
	struct str all = {0};

	(void)page;
	if (!item_once(&parser->r, parser->verdict_given))
		return false;
	parser->verdict_given = true;
	for (int v = 0; v < TRUST_N_VERDICTS; v++) {
		if (lex_is_word(&parser->r.x, trust_verdict_word((enum trust_verdict)v))) {
			entry->verdict = (enum trust_verdict)v;
			lex_next(&parser->r.x);
			return item_punct(&parser->r, ';', "after the verdict");
		}
	}
	for (int v = 0; v < TRUST_N_VERDICTS; v++)
		str_addf(&all, "%s%s", v == 0 ? "" : v + 1 < TRUST_N_VERDICTS ? ", " : " or ",
			trust_verdict_word((enum trust_verdict)v));
	item_fail(&parser->r, str_text(&all), "after 'verdict'");
	str_free(&all);
	return false;
}

static bool
parse_letters(struct parser *parser, struct trust_page *page, struct trust_entry *entry)
{
	struct place at;
	struct str all = {0};
	char *text;
	bool good;

	(void)page;
	if (!item_once(&parser->r, parser->letters_given) || !parse_name(parser, "letters, as \"hpEF\",", &text, &at))
		return false;
	parser->letters_given = true;
	good = trust_letters_parse(text, &entry->letters);
	if (!good) {
		trust_letters_print(((trust_letters)1 << TRUST_N_LETTERS) - 1, &all);
		diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "'%s' has a letter that is not one of %s", text,
			str_text(&all));
	}
	free(text);
	str_free(&all);
	return good && item_punct(&parser->r, ';', "after the letters");
}

/* Reads 1 or 1..2. */
static bool
parse_amount(struct parser *parser, struct trust_term *term)
{
	static const char hint[] = "a number, or a range as 0..2";
	struct place at = lex_place(&parser->r.x);

	if (!item_decimal(&parser->r, "what it adds", -INFINITY, INFINITY, &term->low, hint))
		return false;
	term->high = term->low;
	if (!item_take_punct(&parser->r, '.'))
		return true;
	if (!item_punct(&parser->r, '.', "in the range") ||
		!item_decimal(&parser->r, "the end of what it adds", -INFINITY, INFINITY, &term->high, hint))
		return false;
	if (term->low > term->high)
		diag_add(parser->r.diags, DIAG_ERROR, &at, "write the lower number first, as 0..2",
			"the range runs backwards");
	return term->low <= term->high;
}

static bool
parse_cause(struct parser *parser, struct trust_term *term)
{
	struct place at;
	struct str all = {0};
	char *name;
	bool good;

	if (!parse_name(parser, "a cause", &name, &at))
		return false;
	good = trust_cause_find(name, &term->cause);
	for (int c = 0; c < TRUST_N_CAUSES && !good; c++)
		str_addf(&all, "%s%s", c ? ", " : "", trust_cause_name((enum trust_cause)c));
	if (!good)
		diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "'%.60s' is no cause: %s are", name, str_text(&all));
	str_free(&all);
	free(name);
	return good;
}

static bool
parse_adds(struct parser *parser, struct trust_page *page, struct trust_entry *entry)
{
	struct trust_term t = {0};
	struct place at;

	(void)page;
	lex_next(&parser->r.x);
	if (!parse_amount(parser, &t))
		return false;
	if (!item_take_word(&parser->r, "per"))
		return item_fail(&parser->r, "'per'", "after the number: what it is added for");
	at = lex_place(&parser->r.x);
	if (!parse_cause(parser, &t))
		return false;
	for (size_t i = 0; i < entry->n_terms; i++)
		if (entry->term[i].cause == t.cause) {
			diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "the entry has this cause already");
			return false;
		}
	entry->term[entry->n_terms++] = t; /* each cause once: there is room for all */
	return item_punct(&parser->r, ';', "after the cause");
}

static bool
parse_class(struct parser *p, struct trust_page *page, struct trust_entry *e)
{
	struct place at;

	(void)page;
	return item_once(&p->r, e->stands_for != NULL) && parse_name(p, "the name of a class", &e->stands_for, &at) &&
		item_punct(&p->r, ';', "after the class");
}

static bool
parse_note(struct parser *p, struct trust_page *page, struct trust_entry *e)
{
	(void)page;
	return item_once(&p->r, e->note != NULL) && book_parse_text(p, "a note in quotes", &e->note) &&
		item_punct(&p->r, ';', "after the note");
}

static bool
parse_errata(struct parser *p, struct trust_page *page, struct trust_entry *e)
{
	(void)page;
	return item_once(&p->r, e->errata != NULL) &&
		book_parse_text(p, "the numbers of errata in quotes", &e->errata) &&
		item_punct(&p->r, ';', "after the errata");
}

static bool
parse_source(struct parser *p, struct trust_page *page, struct trust_entry *e)
{
	(void)page;
	return item_once(&p->r, e->source != NULL) && book_parse_text(p, "a source in quotes", &e->source) &&
		item_punct(&p->r, ';', "after the source");
}

/* Parses the items between braces. */
static bool
parse_body(struct parser *parser, const struct item *item, size_t n, const char *after, struct trust_page *page,
	struct trust_entry *entry)
{
	if (!item_punct(&parser->r, '{', after))
		return false;
	while (!lex_is(&parser->r.x, '}')) {
		size_t i;

		if (parser->r.x.now.kind == TOKEN_END)
			return item_fail(&parser->r, "'}'", "at the end of the block");
		i = item_choose(&parser->r, item, n, sizeof *item);
		if (i == n || !item[i].parse(parser, page, entry))
			item_recover(&parser->r, 1);
	}
	lex_next(&parser->r.x);
	return true;
}

static bool
parse_event(struct parser *parser, struct trust_page *page, struct trust_entry *unused)
{
	static const struct item item[] = {
		{"verdict", parse_verdict}, {"letters", parse_letters}, {"adds", parse_adds}, {"class", parse_class},
		{"errata", parse_errata}, {"note", parse_note}, {"source", parse_source},
	};
	struct trust_entry e = {.verdict = TRUST_UNKNOWN}, *kept;
	struct place first = {0}, at;
	bool good;

	(void)unused;
	lex_next(&parser->r.x);
	parser->verdict_given = parser->letters_given = false;
	parser->cap_names = 0;
	do {
		char *name = NULL;

		good = parse_name(parser, "an event's name", &name, &at);
		if (!good)
			break;
		if (!first.source)
			first = at;
		mem_grow(&e.event, &parser->cap_names, e.n_events + 1, sizeof *e.event);
		e.event[e.n_events++] = name;
	} while (item_take_punct(&parser->r, ','));
	/* The page owns the entry from here on, whole or not. */
	mem_grow(&page->entry, &parser->cap_entries, page->n + 1, sizeof *page->entry);
	kept = &page->entry[page->n++];
	*kept = e;
	if (!good || !parse_body(parser, item, sizeof item / sizeof *item, "after the event's names", page, kept))
		return false;
	if (!kept->source)
		diag_add(parser->r.diags, DIAG_ERROR, &first, "add: source \"where this is known from\";",
			"the entry has no source");
	if (!parser->verdict_given)
		diag_add(parser->r.diags, DIAG_ERROR, &first, "add: verdict unknown; if nothing more is known",
			"the entry has no verdict");
	return true;
}

static bool
parse_vendor(struct parser *p, struct trust_cpu *c)
{
	struct place at;

	return item_once(&p->r, c->vendor != NULL) && parse_name(p, "a vendor's name", &c->vendor, &at);
}

static bool
parse_models(struct parser *parser, struct trust_cpu *cpu)
{
	if (!item_once(&parser->r, cpu->n_models > 0))
		return false;
	parser->cap_models = 0;
	do {
		int m;

		if (!parse_whole(parser, "a model", &m))
			return false;
		mem_grow(&cpu->model, &parser->cap_models, cpu->n_models + 1, sizeof *cpu->model);
		cpu->model[cpu->n_models++] = m;
	} while (item_take_punct(&parser->r, ','));
	return true;
}

static bool
parse_names(struct parser *parser, struct trust_cpu *cpu)
{
	struct place at;

	parser->cap_names = 0;
	if (!parse_name(parser, "the processor's name", &cpu->name, &at))
		return false;
	while (item_take_punct(&parser->r, ',')) {
		char *name;

		if (!parse_name(parser, "another name of the processor", &name, &at))
			return false;
		mem_grow(&cpu->alias, &parser->cap_names, cpu->n_aliases + 1, sizeof *cpu->alias);
		cpu->alias[cpu->n_aliases++] = name;
	}
	return true;
}

static bool
parse_cpu(struct parser *parser, struct trust_page *unused, struct trust_entry *unused_entry)
{
	static const struct item item[] = {{"event", parse_event}};
	struct trust_page *page;

	(void)unused;
	(void)unused_entry;
	lex_next(&parser->r.x);
	mem_grow(&parser->book->page, &parser->cap_pages, parser->book->n + 1, sizeof *parser->book->page);
	page = &parser->book->page[parser->book->n++];
	*page = (struct trust_page){.cpu.family = -1};
	parser->cap_entries = 0;
	if (!parse_names(parser, &page->cpu))
		return false;
	while (!lex_is(&parser->r.x, '{')) {
		if (lex_is_word(&parser->r.x, "vendor")) {
			if (!parse_vendor(parser, &page->cpu))
				return false;
		} else if (lex_is_word(&parser->r.x, "family")) {
			if (!item_once(&parser->r, page->cpu.family >= 0) ||
				!parse_whole(parser, "a family", &page->cpu.family))
				return false;
		} else if (lex_is_word(&parser->r.x, "model")) {
			if (!parse_models(parser, &page->cpu))
				return false;
		} else {
			return item_fail(&parser->r, "vendor, family, model or '{'", "after the processor's name");
		}
	}
	return parse_body(parser, item, sizeof item / sizeof *item, "after the processor", page, NULL);
}

struct trust_book *
trust_book_parse(const char *name, const char *text, size_t n, struct diags *diags)
{
	static const struct item item[] = {{"cpu", parse_cpu}};
	struct parser p = {.r.diags = diags, .book = mem_new(sizeof *p.book)};
	size_t before = diags->errors;

	p.r.arena = arena_new();
	source_init(&p.r.source, mem_str(name), mem_strn(text, n), n);
	lex_begin(&p.r.x, &p.r.source, diags);
	while (p.r.x.now.kind != TOKEN_END) {
		size_t i = item_choose(&p.r, item, sizeof item / sizeof *item, sizeof *item);

		if (i == sizeof item / sizeof *item || !item[i].parse(&p, NULL, NULL))
			item_recover(&p.r, 0);
	}
	source_free(&p.r.source);
	arena_free(p.r.arena);
	if (diags->errors == before)
		return p.book;
	trust_book_free(p.book);
	return NULL;
}
