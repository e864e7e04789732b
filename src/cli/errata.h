/* Published errata of the events that refute a model: a maintainer looks there first. */
#ifndef CLI_ERRATA_H
#define CLI_ERRATA_H

struct result;
struct trust_book;
struct udd_model;

/* Adds a note for each event of a counter that a refuting constraint uses, if errata of it are published. `cpu` is the
 * processor that was counted (trust_cpuid_text()); NULL: unknown, so that any processor of the book counts. */
void trust_errata_note(const struct trust_book *, const struct udd_model *, const char *cpu, struct result *);

#endif
