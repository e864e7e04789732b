#include "cli/trust_args.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "core/obs/obs.h"
#include "core/trust/book.h"
#include "core/trust/correct.h"
#include "text/diag.h"
#include "work/files/files.h"
#include "work/trust/facts.h"

#define NOTHING "none" /* --trust none: counts are taken as they are */

/* Appends "haswell, nehalem": the processors that a book is about. */
static void
add_cpus(const struct trust_book *b, struct str *out)
{
	for (size_t i = 0; i < b->n; i++)
		str_addf(out, "%s%s", i ? ", " : "", b->page[i].cpu.name);
}

/* Where entries go: either may be NULL. */
struct taken {
	struct trust_rules *rules;
	struct trust_page **page;
};

static void
trust_args_add_page(struct taken *t, const struct trust_book *b, const struct trust_page *p)
{
	if (t->rules)
		trust_rules_add_page(t->rules, p);
	if (t->page && *t->page)
		trust_page_merge(*t->page, p);
	else if (t->page)
		*t->page = trust_book_gather(b, p->cpu.name, NULL, -1, -1);
}

/* Adds the entries for one processor. Without its name the book must be about a single one, or have a page of the
 * file's name. */
static bool
take_page(const struct trust_book *book, const char *file, const char *cpu, struct taken *taken, struct err *e)
{
	const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
	char *named = mem_strn(base, strcspn(base, "."));
	struct trust_page *page = trust_book_gather(book,
		cpu                    ? cpu
			: book->n == 1 ? book->page[0].cpu.name
				       : named,
		NULL, -1, -1);
	struct str cpus = {0};

	if (page) {
		trust_args_add_page(taken, book, page);
	} else {
		add_cpus(book, &cpus);
		if (cpu)
			err_set(e, "--trust: %s knows no processor %s", file, cpu);
		else
			err_set(e, "--trust: %s is about several processors", file);
		err_hint(e, "write --trust %s:CPU with one of: %s", file, str_text(&cpus));
		str_free(&cpus);
	}
	trust_page_free(page);
	free(named);
	return page != NULL;
}

/* FILE, FILE:CPU, or the name of a processor that is known here. */
static bool
take(const struct options *options, const char *arg, struct taken *taken)
{
	const char *colon = strrchr(arg, ':');
	char *file = mem_strn(arg, colon ? (size_t)(colon - arg) : strlen(arg));
	bool is_file = file_is_path(file);
	struct str remarks = {0};
	struct diags d = {0};
	struct err e = {0};
	struct trust_book *book = trust_facts_of(is_file ? file : arg, &remarks, &d, &e);
	bool good = false;

	if (taken->rules) { /* the same is taken twice where a screen shows it */
		print_diagnostics(options, &d);
		print_remarks(options, &remarks);
	}
	if (book && is_file)
		good = take_page(book, file, colon ? colon + 1 : NULL, taken, &e);
	for (size_t i = 0; book && !is_file && i < book->n; i++) {
		trust_args_add_page(taken, book, &book->page[i]);
		good = true;
	}
	if (!good && *e.what)
		print_failure(&e);
	trust_book_free(book);
	diags_free(&d);
	free(file);
	return good;
}

bool
trust_args_take(const struct options *o, struct trust_rules *r)
{
	struct taken t = {.rules = r};

	for (size_t i = 0; i < o->trust.n; i++)
		if (!str_eq(o->trust.item[i], NOTHING) && !take(o, o->trust.item[i], &t))
			return false;
	return true;
}

bool
trust_args_page(const struct options *o, struct trust_page **page)
{
	struct taken t = {.page = page};

	*page = NULL;
	for (size_t i = 0; i < o->trust.n; i++)
		if (!str_eq(o->trust.item[i], NOTHING) && !take(o, o->trust.item[i], &t))
			return false;
	return true;
}

static bool
name_processor(struct obs_table *const *table, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < table[i]->n; k++)
			if (table[i]->obs[k]->origin.cpu)
				return true;
	return false;
}

void
trust_args_books(
	const struct options *options, struct obs_table *const *table, size_t n, bool here, struct trust_books *books)
{
	struct str remarks = {0};
	struct trust_book *book;

	if (options->trust.n || options->counterpoint || !(here || name_processor(table, n)))
		return;
	book = trust_facts_load(&remarks);
	trust_facts_add_tables(books, book, table, n);
	if (here)
		trust_facts_add_here(books, book);
	print_remarks(options, &remarks);
	trust_book_free(book);
}
