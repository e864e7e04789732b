#include "work/trust/shelf.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/trust/judge.h"
#include "core/trust/runs.h"

struct trust_shelf *
trust_shelf_new(struct trust_book *book)
{
	struct trust_shelf *s = mem_new(sizeof *s);

	s->book = book;
	return s;
}

void
trust_shelf_free(struct trust_shelf *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n; i++) {
		free(s->page[i].machine);
		trust_page_free(s->page[i].page);
	}
	free(s->page);
	trust_book_free(s->book);
	free(s);
}

/* The entry for a counter as tools write it: "instructions:u INSTRUCTION_RETIRED" or "raw 0x53010b". */
static const struct trust_entry *
entry_of_counter(const struct trust_page *page, const char *counter)
{
	size_t n;
	char **word = str_split(counter, ' ', &n);
	const struct trust_entry *entry = NULL;

	for (size_t i = 0; i < n && !entry; i++) {
		char *code = str_starts(word[i], "0x") ? str_format("r%s", word[i] + 2) : mem_str(word[i]);

		if (*code && !str_eq(code, "raw"))
			entry = trust_page_entry(page, code);
		free(code);
	}
	str_split_free(word);
	return entry;
}

/* The entry that stands for a class of events. */
static const struct trust_entry *
entry_of_class(const struct trust_page *page, const char *event)
{
	char *wanted = trust_event_class(event);
	const struct trust_entry *entry = NULL;

	for (size_t i = 0; i < page->n && !entry; i++) {
		char *class = page->entry[i].stands_for ? trust_event_class(page->entry[i].stands_for) : NULL;

		if (class && str_eq(class, wanted))
			entry = &page->entry[i];
		free(class);
	}
	free(wanted);
	return entry;
}

void
trust_shelf_put(struct trust_shelf *s, const char *machine, struct trust_page *page)
{
	mem_grow(&s->page, &s->cap, s->n + 1, sizeof *s->page);
	s->page[s->n++] = (struct trust_shelf_page){mem_str(machine), page};
}

static const struct trust_page *
page_of(struct trust_shelf *s, const char *machine)
{
	size_t i = 0;

	while (i < s->n && !str_eq(s->page[i].machine, machine))
		i++;
	if (i == s->n)
		trust_shelf_put(s, machine, trust_book_gather(s->book, machine, NULL, -1, -1));
	return s->page[i].page;
}

const struct trust_entry *
trust_shelf_entry(void *shelf, const char *machine, const char *event, const char *counter)
{
	bool any = str_eq(machine, TRUST_ANY_MACHINE);
	const struct trust_page *page = *machine && !any ? page_of(shelf, machine) : NULL;
	const struct trust_entry *entry = page ? entry_of_counter(page, counter) : NULL;
	const char *cpu;

	if (any)
		return trust_book_errata(((struct trust_shelf *)shelf)->book, event, &cpu);

	if (page && !entry)
		entry = trust_page_entry(page, event);
	return entry || !page ? entry : entry_of_class(page, event);
}
