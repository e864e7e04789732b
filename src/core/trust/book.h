/* A book of trust: what is known about the events of processors, from tables of facts (models/trust/NAME.trust) or from
 * runs on this machine. One text format serves both (hecate-trust(5)). */
#ifndef CORE_TRUST_BOOK_H
#define CORE_TRUST_BOOK_H

#include <stdbool.h>
#include <stddef.h>

#include "core/trust/trust.h"

struct diags;
struct str;

/* Which processors an entry is about, as CPUID or /proc/cpuinfo says. */
struct trust_cpu {
	char *name;     /* "nehalem"; also matches machines of recorded data, "nehalem-0" */
	char **alias;   /* other names, "istanbul" of fam10h; n_aliases */
	size_t n_aliases;
	char *vendor;   /* "GenuineIntel"; NULL: any, or an architecture without families */
	int family;     /* -1: any */
	int *model;     /* n_models; none: any */
	size_t n_models;
};

struct trust_entry {
	char **event;   /* names and raw codes of the event, as perf or a table writes them; n_events */
	size_t n_events;
	/* names of classes that this event stands for: "inst_retired", "loads_retired"; may be NULL */
	char *stands_for;
	enum trust_verdict verdict;
	trust_letters letters;
	struct trust_term term[TRUST_TERMS_MAX];
	size_t n_terms;
	char *note;     /* sentences that a user must know; NULL: none */
	char *errata;   /* the vendor's numbers of published errors of the event, "HSM63, HSM80"; NULL: none */
	char *source;   /* "Weaver 2021, table 6", "measured here 2026-11-23, 40 runs" */
	bool measured;  /* measured by this user on this machine; follows from the file's place, not from its text */
};

struct trust_page {
	struct trust_cpu cpu;
	struct trust_entry *entry;
	size_t n;
};

struct trust_book {
	struct trust_page *page;
	size_t n;
};

#define TRUST_FILE_MAX ((size_t)1 << 22) /* bytes of one file */

/* The word for a verdict in files: "correctable". */
const char *trust_verdict_word(enum trust_verdict);

/* Parses a book. `name` is the file as messages show it. Returns NULL and adds diagnostics if the text is faulty. */
struct trust_book *trust_book_parse(const char *name, const char *text, size_t n, struct diags *);
void trust_book_free(struct trust_book *);
/* Appends the text that trust_book_parse() reads. */
void trust_book_print(const struct trust_book *, struct str *out);
/* Appends a copy of the pages of another book. If two entries are for one event, the later one holds. */
void trust_book_add(struct trust_book *, const struct trust_book *);

/* Returns the page for a processor, or NULL if there is none. `machine` is a name such as "nehalem-0", or NULL. If only
 * the name is known, vendor is NULL and family -1. Of several pages that fit, the most specific one is returned, and of
 * equally specific ones the last. */
const struct trust_page *trust_book_page(
	const struct trust_book *, const char *machine, const char *vendor, int family, int model);
/* Returns one page with copies of the entries of every page that fits a processor, those of the most specific page
 * last. The most specific page (of equally specific ones, the first) gives it its name. Returns NULL if no page fits.
 * Free it with trust_page_free(). */
struct trust_page *trust_book_gather(
	const struct trust_book *, const char *machine, const char *vendor, int family, int model);
void trust_page_free(struct trust_page *);
/* Copies the entries of `newer` into `older`. A copy replaces the entries of `older` that name one of the same events;
 * the other copies are appended. */
void trust_page_merge(struct trust_page *older, const struct trust_page *newer);
/* Removes the entries that were measured here, so that only published facts remain. */
void trust_page_drop_measured(struct trust_page *);
/* Returns the last entry for an event, by any of its names (event/name.h), or NULL if there is none. */
const struct trust_entry *trust_page_entry(const struct trust_page *, const char *event);
/* For counts of an unknown processor: returns the first entry, on any page, that has errata of an event, or NULL. *cpu
 * gets the name of the page. */
const struct trust_entry *trust_book_errata(const struct trust_book *, const char *event, const char **cpu);

#endif
