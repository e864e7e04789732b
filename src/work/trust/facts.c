#include "work/trust/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "collect/host/cpu.h"
#include "core/obs/obs.h"
#include "core/trust/correct.h"
#include "text/diag.h"
#include "work/files/files.h"

#define BOOKS_MAX 64 /* processors of one set of data; a session file may come from anybody */

bool
trust_facts_cpu(struct trust_cpuid *id)
{
	return host_cpu(id);
}

struct trust_book *
trust_facts_read(const char *path, struct diags *d, struct err *e)
{
	struct trust_book *b;
	size_t n;
	char *text = file_read(path, TRUST_FILE_MAX, &n, e);

	if (!text)
		return NULL;
	b = trust_book_parse(path, text, n, d);
	free(text);
	return b;
}

/* Appends a file's pages. A file that cannot be read becomes a remark. */
static void
facts_add_file(const char *path, bool measured, struct trust_book *all, struct str *remarks)
{
	struct diags d = {0};
	struct err e = {0};
	struct trust_book *book = trust_facts_read(path, &d, &e);

	for (size_t i = 0; book && i < book->n; i++)
		for (size_t k = 0; k < book->page[i].n; k++)
			book->page[i].entry[k].measured = measured;
	if (book)
		trust_book_add(all, book);
	else if (d.n)
		str_addf(remarks, "%s:%d:%d: %s; the whole file is left out\n", d.item[0].file, d.item[0].line,
			d.item[0].col, d.item[0].text);
	else
		str_addf(remarks, "%s; the file is left out\n", e.what);
	trust_book_free(book);
	diags_free(&d);
}

/* Returns the folder of measured books, with '/' at its end; NULL without a home. */
static char *
own_folder(void)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");

	if (data && *data)
		return str_format("%s/hecate/trust/", data);
	return home && *home ? str_format("%s/.local/share/hecate/trust/", home) : NULL;
}

char *
trust_facts_file(const struct trust_cpuid *id, struct err *e)
{
	char *folder = own_folder(), *path;
	struct str name = {0};

	if (!folder) {
		err_set(e, "there is no place for what was measured: neither XDG_DATA_HOME nor HOME is set");
		err_hint(e, "set HOME");
		return NULL;
	}
	trust_cpuid_file(id, &name);
	path = str_format("%s%s.trust", folder, str_text(&name));
	free(folder);
	str_free(&name);
	return path;
}

struct trust_book *
trust_facts_load(struct str *remarks)
{
	struct trust_book *all = mem_new(sizeof *all);
	char **name = file_names(TRUST_FOLDERS, ".trust"), *own = own_folder();

	for (int measured = 0; measured <= 1; measured++)
		for (size_t i = 0; name[i]; i++) {
			char *path = file_find(name[i], TRUST_FOLDERS, ".trust", NULL);

			if (path && (own && str_starts(path, own)) == measured)
				facts_add_file(path, measured, all, remarks);
			free(path);
		}
	str_split_free(name);
	free(own);
	return all;
}

struct trust_page *
trust_facts_page(const struct trust_book *b, const struct trust_cpuid *id)
{
	return trust_book_gather(
		b, *id->name ? id->name : NULL, *id->vendor ? id->vendor : NULL, id->family, id->model);
}

static void
trust_facts_add_cpu(struct trust_books *books, const struct trust_book *book, const char *cpu)
{
	struct trust_cpuid id;
	struct trust_page *page = NULL;

	if (!cpu || books->n >= BOOKS_MAX || trust_books_rules(books, cpu))
		return;
	if (trust_cpuid_parse(cpu, &id))
		page = trust_facts_page(book, &id);
	if (page)
		trust_books_add(books, cpu, page);
	trust_page_free(page);
}

void
trust_facts_add_here(struct trust_books *b, const struct trust_book *book)
{
	char *cpu = host_cpu_text();

	trust_facts_add_cpu(b, book, cpu);
	free(cpu);
}

void
trust_facts_add_tables(struct trust_books *b, const struct trust_book *book, struct obs_table *const *table, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < table[i]->n; k++)
			trust_facts_add_cpu(b, book, table[i]->obs[k]->origin.cpu);
}

/* Says that nothing is known of `which`, and which names are. */
static void
explain_unknown(const struct trust_book *book, const char *which, struct err *e)
{
	const char **known = NULL, *near;
	size_t n = 0, cap = 0;
	struct str list = {0};

	for (size_t i = 0; i < book->n; i++) {
		const struct trust_cpu *cpu = &book->page[i].cpu;

		for (size_t k = 0; k <= cpu->n_aliases; k++) {
			mem_grow(&known, &cap, n + 1, sizeof *known);
			known[n++] = k ? cpu->alias[k - 1] : cpu->name;
			str_addf(&list, "%s%s", n > 1 ? ", " : "", known[n - 1]);
		}
	}
	near = near_name(which, known, n);
	err_set(e, "nothing is known of a processor %s", which);
	if (near)
		err_hint(e, "nearest: %s", near);
	else
		err_hint(e, "known: %s", n ? str_text(&list) : "none; are the files of facts installed?");
	free(known);
	str_free(&list);
}

static void
explain_here(const struct trust_cpuid *id, struct err *e)
{
	struct str text = {0};

	trust_cpuid_text(id, &text);
	err_set(e, "nothing is known of this processor, %s", str_text(&text));
	err_hint(e, "hecate determinism measures it; --facts all shows what is known of others");
	str_free(&text);
}

struct trust_book *
trust_facts_of(const char *which, struct str *remarks, struct diags *diags, struct err *e)
{
	struct trust_book *all, *one;
	struct trust_page *page;
	struct trust_cpuid id;

	if (which && file_is_path(which))
		return trust_facts_read(which, diags, e);
	all = trust_facts_load(remarks);
	if (which && str_eq(which, "all"))
		return all;
	if (which) {
		page = trust_book_gather(all, which, NULL, -1, -1);
		if (!page)
			explain_unknown(all, which, e);
	} else {
		trust_facts_cpu(&id);
		page = trust_facts_page(all, &id);
		if (!page)
			explain_here(&id, e);
	}
	trust_book_free(all);
	if (!page)
		return NULL;
	one = mem_new(sizeof *one);
	one->page = page; /* an array of one, from the same allocator */
	one->n = 1;
	return one;
}
