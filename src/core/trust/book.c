/* Pages and entries: copies, lookups, and what comes of two books. */
#include "core/trust/book.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/str.h"
#include "event/name.h"

static void
book_free_names(char **name, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(name[i]);
	free(name);
}

static void
free_entry(struct trust_entry *e)
{
	book_free_names(e->event, e->n_events);
	free(e->stands_for);
	free(e->note);
	free(e->errata);
	free(e->source);
}

static void
free_page_parts(struct trust_page *p)
{
	free(p->cpu.name);
	book_free_names(p->cpu.alias, p->cpu.n_aliases);
	free(p->cpu.vendor);
	free(p->cpu.model);
	for (size_t i = 0; i < p->n; i++)
		free_entry(&p->entry[i]);
	free(p->entry);
}

void
trust_page_free(struct trust_page *p)
{
	if (!p)
		return;
	free_page_parts(p);
	free(p);
}

void
trust_book_free(struct trust_book *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->n; i++)
		free_page_parts(&b->page[i]);
	free(b->page);
	free(b);
}

static char *
copy_text(const char *s)
{
	return s ? mem_str(s) : NULL;
}

static char **
copy_names(char *const *name, size_t n)
{
	char **copy = mem_new_array(n, sizeof *copy);

	for (size_t i = 0; i < n; i++)
		copy[i] = mem_str(name[i]);
	return copy;
}

static struct trust_entry
copy_entry(const struct trust_entry *e)
{
	struct trust_entry copy = *e;

	copy.event = copy_names(e->event, e->n_events);
	copy.stands_for = copy_text(e->stands_for);
	copy.note = copy_text(e->note);
	copy.errata = copy_text(e->errata);
	copy.source = copy_text(e->source);
	return copy;
}

static struct trust_cpu
copy_cpu(const struct trust_cpu *c)
{
	struct trust_cpu copy = *c;

	copy.name = copy_text(c->name);
	copy.alias = copy_names(c->alias, c->n_aliases);
	copy.vendor = copy_text(c->vendor);
	copy.model = c->n_models ? mem_copy(c->model, c->n_models * sizeof *c->model) : NULL;
	return copy;
}

/* Appends copies of the entries of another page. */
static void
append_entries(struct trust_page *p, const struct trust_page *from)
{
	if (!from->n)
		return;
	p->entry = mem_resize(p->entry, p->n + from->n, sizeof *p->entry);
	for (size_t i = 0; i < from->n; i++)
		p->entry[p->n++] = copy_entry(&from->entry[i]);
}

void
trust_book_add(struct trust_book *book, const struct trust_book *from)
{
	size_t n = from->n;

	if (!n)
		return;
	book->page = mem_resize(book->page, book->n + n, sizeof *book->page);
	for (size_t i = 0; i < n; i++) {
		struct trust_page p = {.cpu = copy_cpu(&from->page[i].cpu)};

		append_entries(&p, &from->page[i]);
		book->page[book->n++] = p;
	}
}

/* Returns the length of `name` if it names the machine, 0 otherwise: "nehalem" names nehalem, nehalem-0 and, unless a
 * longer name fits, nehalem-ex-1. */
static size_t
fit_of_name(const char *name, const char *machine)
{
	size_t n = strlen(name);

	return n && strncasecmp(name, machine, n) == 0 && (!machine[n] || machine[n] == '-') ? n : 0;
}

static size_t
fit_of_names(const struct trust_cpu *c, const char *machine)
{
	size_t best = c->name ? fit_of_name(c->name, machine) : 0;

	for (size_t i = 0; i < c->n_aliases; i++) {
		size_t n = fit_of_name(c->alias[i], machine);

		best = n > best ? n : best;
	}
	return best;
}

/* Returns how much a page says about a processor, 0 if it is about others. */
static size_t
book_fit(const struct trust_cpu *cpu, const char *machine, const char *vendor, int family, int model)
{
	bool by_id = (vendor && cpu->vendor) || (family >= 0 && cpu->family >= 0), has_model = cpu->n_models == 0;

	if (!by_id)
		return machine ? fit_of_names(cpu, machine) : 0;
	if (cpu->vendor && (!vendor || strcasecmp(cpu->vendor, vendor) != 0))
		return 0;
	if (cpu->family >= 0 && cpu->family != family)
		return 0;
	for (size_t i = 0; i < cpu->n_models; i++)
		has_model |= cpu->model[i] == model;
	return has_model ? (size_t)1 + (cpu->family >= 0) + (cpu->n_models > 0) : 0;
}

const struct trust_page *
trust_book_page(const struct trust_book *book, const char *machine, const char *vendor, int family, int model)
{
	const struct trust_page *found = NULL;
	size_t best = 1;

	for (size_t i = 0; i < book->n; i++) {
		size_t now = book_fit(&book->page[i].cpu, machine, vendor, family, model);

		if (now >= best) {
			best = now;
			found = &book->page[i];
		}
	}
	return found;
}

struct trust_page *
trust_book_gather(const struct trust_book *book, const char *machine, const char *vendor, int family, int model)
{
	const struct trust_page *most = trust_book_page(book, machine, vendor, family, model);
	struct trust_page *all;
	size_t best;

	if (!most)
		return NULL;
	best = book_fit(&most->cpu, machine, vendor, family, model);
	for (size_t i = book->n; i-- > 0;)
		if (book_fit(&book->page[i].cpu, machine, vendor, family, model) == best)
			most = &book->page[i];
	all = mem_new(sizeof *all);
	all->cpu = copy_cpu(&most->cpu);
	for (size_t now = vendor || family >= 0 ? 1 : best; now <= best; now++)
		for (size_t i = 0; i < book->n; i++)
			if (book_fit(&book->page[i].cpu, machine, vendor, family, model) == now)
				append_entries(all, &book->page[i]);
	return all;
}

static bool
has_event(const struct trust_entry *entry, const char *form)
{
	struct str own = {0};
	bool found = false;

	for (size_t i = 0; i < entry->n_events && !found; i++) {
		str_clear(&own);
		event_name_form(entry->event[i], &own);
		found = str_eq(str_text(&own), form);
	}
	str_free(&own);
	return found;
}

const struct trust_entry *
trust_page_entry(const struct trust_page *p, const char *event)
{
	const struct trust_entry *found = NULL;
	struct str form = {0};

	event_name_form(event, &form);
	for (size_t i = p->n; i-- > 0 && !found;)
		if (has_event(&p->entry[i], str_text(&form)))
			found = &p->entry[i];
	str_free(&form);
	return found;
}

void
trust_page_drop_measured(struct trust_page *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->n; i++)
		if (p->entry[i].measured)
			free_entry(&p->entry[i]);
		else
			p->entry[kept++] = p->entry[i];
	p->n = kept;
}

static bool
share_event(const struct trust_entry *a, const struct trust_entry *b)
{
	struct str form = {0};
	bool found = false;

	for (size_t i = 0; i < a->n_events && !found; i++) {
		str_clear(&form);
		event_name_form(a->event[i], &form);
		found = has_event(b, str_text(&form));
	}
	str_free(&form);
	return found;
}

void
trust_page_merge(struct trust_page *older, const struct trust_page *newer)
{
	size_t kept = 0;

	for (size_t i = 0; i < older->n; i++) {
		bool again = false;

		for (size_t k = 0; k < newer->n && !again; k++)
			again = share_event(&older->entry[i], &newer->entry[k]);
		if (again)
			free_entry(&older->entry[i]);
		else
			older->entry[kept++] = older->entry[i];
	}
	older->n = kept;
	append_entries(older, newer);
}

const struct trust_entry *
trust_book_errata(const struct trust_book *b, const char *event, const char **cpu)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct trust_entry *e = trust_page_entry(&b->page[i], event);

		if (!e || !e->errata)
			continue;
		*cpu = b->page[i].cpu.name;
		return e;
	}
	return NULL;
}
