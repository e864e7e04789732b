/* The books of trust of this machine: tables of facts that are installed (models/trust), and what `hecate determinism`
 * measured here ($XDG_DATA_HOME/hecate/trust/MACHINE.trust). The format is described in hecate-trust(5). */
#ifndef WORK_TRUST_FACTS_H
#define WORK_TRUST_FACTS_H

#include <stdbool.h>

#include "core/trust/book.h"
#include "core/trust/cpuinfo.h"

struct diags;
struct err;
struct obs_table;
struct str;
struct trust_books;

#define TRUST_FOLDERS "trust:models/trust"

/* Finds out which processor this machine has (/proc/cpuinfo, below $HECATE_PROC in tests). False, and an id that fits
 * nothing, when that is not known. */
bool trust_facts_cpu(struct trust_cpuid *);

/* Reads all books: installed ones first, measured ones last, so that the measured ones prevail. A file that cannot be
 * read is left out, and a line in *remarks says why. Never returns NULL. */
struct trust_book *trust_facts_load(struct str *remarks);

/* Returns what a book says about a processor; NULL if it says nothing. Free with trust_page_free(). */
struct trust_page *trust_facts_page(const struct trust_book *, const struct trust_cpuid *);

/* Adds the rules for the processors that the tables were counted on, unless they are there or the book says nothing. At
 * most 64 processors have rules. */
void trust_facts_add_tables(
	struct trust_books *, const struct trust_book *, struct obs_table *const *, size_t n);
void trust_facts_add_here(struct trust_books *, const struct trust_book *); /* adds this machine's */

/* Reads one file. On failure returns NULL, with diagnostics about its text or *e about the file. */
struct trust_book *trust_facts_read(const char *path, struct diags *, struct err *e);

/* Returns what is known about `which`: "all", a file that ends in .trust or has a '/', the name of a processor
 * ("nehalem", "haswell-0"), or NULL for the processor of this machine. For a processor, the book has one page. On
 * failure returns NULL, with diagnostics about a file's text or *e. */
struct trust_book *trust_facts_of(const char *which, struct str *remarks, struct diags *, struct err *e);

/* Returns the file for what is measured on a processor. The caller frees. NULL and *e if there is no place for it. */
char *trust_facts_file(const struct trust_cpuid *, struct err *e);

/* Stores what was measured on this processor. Its entries replace those of the same events, others stay; the `cpu` of
 * the page is not used. The file is replaced as a whole or not at all. False and *e on failure; a file that cannot be
 * parsed is kept as it is. */
bool trust_facts_save(const struct trust_cpuid *, const struct trust_page *measured, struct err *e);

#endif
