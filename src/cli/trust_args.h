/* --trust: what is known about the errors of events, by which their counts are corrected (core/trust/correct.h). */
#ifndef CLI_TRUST_ARGS_H
#define CLI_TRUST_ARGS_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct obs_table;
struct options;
struct result;
struct trust_book;
struct trust_books;
struct trust_page;
struct trust_rules;
struct udd_model;

/* Adds the rules of all files that --trust names. False when one cannot be used, which was reported. */
bool trust_args_take(const struct options *, struct trust_rules *);
/* Sets *page to what these files say about events; NULL without --trust. The caller frees it with trust_page_free(). */
bool trust_args_page(const struct options *, struct trust_page **);
/* Adds what is known about the processors that the tables were counted on, and with `here` about this machine's. Adds
 * nothing with --trust, which says what to apply, or with --counterpoint. */
void trust_args_books(
	const struct options *, struct obs_table *const *, size_t n, bool here, struct trust_books *);

/* Published errata of the events that refute a model, where a maintainer looks first. */

/* Adds a note for each event of a counter that a refuting constraint uses, if errata of it are published. `cpu` is the
 * processor that was counted (trust_cpuid_text()); NULL: unknown, so that any processor of the book counts. */
void trust_errata_note(const struct trust_book *, const struct udd_model *, const char *cpu, struct result *);

#endif
