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
take_page(const struct trust_book *b, const char *file, const char *cpu, struct taken *t, struct err *e)
{
	const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
	char *named = mem_strn(base, strcspn(base, "."));
	struct trust_page *p = trust_book_gather(b, cpu ? cpu : b->n == 1 ? b->page[0].cpu.name : named, NULL, -1, -1);
	struct str cpus = {0};

	if (p) {
		trust_args_add_page(t, b, p);
	} else {
		add_cpus(b, &cpus);
		if (cpu)
			err_set(e, "--trust: %s knows no processor %s", file, cpu);
		else
			err_set(e, "--trust: %s is about several processors", file);
		err_hint(e, "write --trust %s:CPU with one of: %s", file, str_text(&cpus));
		str_free(&cpus);
	}
	trust_page_free(p);
	free(named);
	return p != NULL;
}

/* FILE, FILE:CPU, or the name of a processor that is known here. */
static bool
take(const struct options *o, const char *arg, struct taken *t)
{
	const char *colon = strrchr(arg, ':');
	char *file = mem_strn(arg, colon ? (size_t)(colon - arg) : strlen(arg));
	bool is_file = file_is_path(file);
	struct str remarks = {0};
	struct diags d = {0};
	struct err e = {0};
	struct trust_book *b = trust_facts_of(is_file ? file : arg, &remarks, &d, &e);
	bool good = false;

	if (t->rules) { /* the same is taken twice where a screen shows it */
		print_diagnostics(o, &d);
		print_remarks(o, &remarks);
	}
	if (b && is_file)
		good = take_page(b, file, colon ? colon + 1 : NULL, t, &e);
	for (size_t i = 0; b && !is_file && i < b->n; i++) {
		trust_args_add_page(t, b, &b->page[i]);
		good = true;
	}
	if (!good && *e.what)
		print_failure(&e);
	trust_book_free(b);
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
			if (table[i]->obs[k]->cpu)
				return true;
	return false;
}

void
trust_args_books(
	const struct options *o, struct obs_table *const *table, size_t n, bool here, struct trust_books *books)
{
	struct str remarks = {0};
	struct trust_book *b;

	if (o->trust.n || o->counterpoint || !(here || name_processor(table, n)))
		return;
	b = trust_facts_load(&remarks);
	trust_facts_add_tables(books, b, table, n);
	if (here)
		trust_facts_add_here(books, b);
	print_remarks(o, &remarks);
	trust_book_free(b);
}
