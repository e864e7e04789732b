/* Books of trust for recorded machines. What they say about a machine is looked up once, by its name. */
#ifndef WORK_TRUST_SHELF_H
#define WORK_TRUST_SHELF_H

#include <stddef.h>

#include "core/trust/book.h"

struct trust_shelf_page {
	char *machine;
	struct trust_page *page; /* NULL: nothing is known about it */
};

struct trust_shelf {
	struct trust_book *book;
	struct trust_shelf_page *page; /* n pages of the machines that were looked up */
	size_t n, cap;
};

struct trust_shelf *trust_shelf_new(struct trust_book *); /* takes the book over */
void trust_shelf_free(struct trust_shelf *);

/* Sets what is known about a machine, whatever its name; takes the page over. NULL: nothing. */
void trust_shelf_put(struct trust_shelf *, const char *machine, struct trust_page *);

/* What is known about an event on a machine: by its counter as tools write it, by its name, or by the class that it
 * stands for. NULL: nothing. The machine may be TRUST_ANY_MACHINE. The entry lives as long as the shelf; `shelf` is a
 * struct trust_shelf. It is a trust_lookup of core/trust/judge.h. */
const struct trust_entry *trust_shelf_entry(
	void *shelf, const char *machine, const char *event, const char *counter);

#endif
