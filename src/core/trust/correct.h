/* Corrects counts by the known errors of their events.
 *
 * An event that counts s too many for each occurrence of a cause, and a share f of its own count too many, reads
 *
 *     count = (1 + f) true + Σ s_k cause_k        s_k in [low_k, high_k], f in [low, high]
 *
 * so that the true count lies between two bounds, which differ only because s and f are not known exactly. The
 * corrected count is their middle, and half their distance is how far it may be off. A true count is never below 0.
 *
 *     count − Σ high·cause        middle         count − Σ low·cause    count
 *     ├──────────────────────────────┼──────────────────────────────┤      │
 *                  widened                       widened
 *
 * A cause that was not counted occurred between 0 times and as often as the time allows (trust_cause_rate()). If the
 * time is unknown, the whole count of the event may be wrong. So the correction of such a cause only lowers counts.
 * Source of the causes: Weaver, Terpstra and Moore, ISPASS 2013. */
#ifndef CORE_TRUST_CORRECT_H
#define CORE_TRUST_CORRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/trust/trust.h"

struct obs;
struct obs_table;
struct trust_page;

/* The known errors of one event. */
struct trust_rule {
	char *event;      /* name, as of a column or a counter's event; compared by event_name_same() */
	struct trust_term term[TRUST_TERMS_MAX];
	size_t n_terms;
	char *source;     /* where the terms come from; NULL: not stated */
};

struct trust_rules {
	struct trust_rule *rule;
	size_t n;
};

/* Adds a term to the rule for this event, and makes the rule if there is none. */
void trust_rules_add(struct trust_rules *, const char *event, struct trust_term, const char *source);
/* Adds the terms of a page of a book, under each name that it gives to an event. */
void trust_rules_add_page(struct trust_rules *, const struct trust_page *);
struct trust_rules trust_rules_copy(const struct trust_rules *);
void trust_rules_clear(struct trust_rules *);

/* Rules by processor, for data that name the processor on which they were counted. */
struct trust_books {
	struct trust_book_rules {
		char *cpu;        /* as in struct obs */
		struct trust_rules rules;
	} *item;
	size_t n;
};

/* Adds the rules of a page; NULL: no rules. */
void trust_books_add(struct trust_books *, const char *cpu, const struct trust_page *);
/* Returns the rules for a processor; NULL: it was not added. */
const struct trust_rules *trust_books_rules(const struct trust_books *, const char *cpu);
struct trust_books trust_books_copy(const struct trust_books *);
void trust_books_clear(struct trust_books *);

/* Which rule applies to which column of a table. */
struct trust_plan {
	size_t n_columns;
	const struct trust_rule **rule;  /* n_columns; NULL: none */
	size_t cause[TRUST_N_CAUSES];    /* column of the cause; n_columns: not counted */
	bool upper[TRUST_N_CAUSES];      /* the column of the cause is an upper bound */
};

/* `event` (n_columns, or NULL) gives the events of columns that are not named after their event; NULL: unknown. Returns
 * NULL if no rule applies. The rules and the table must outlive the plan. */
struct trust_plan *trust_plan_new(const struct trust_rules *, const struct obs_table *, const char *const *event);
void trust_plan_free(struct trust_plan *);

/* What was done to one column of an observation, in counts per sample. */
struct trust_change {
	size_t column;
	const struct trust_rule *rule;
	double subtracted;  /* amount by which the mean was lowered; below 0: raised */
	double widened;     /* how far the corrected mean may be off, in either direction; never too small */
	uint32_t guessed;   /* set of causes that were not counted but bounded: bit 1 << enum trust_cause */
};

struct trust_corrected {
	int64_t *count;     /* n_rows × n_columns, in the observation's units */
	struct trust_change *change;
	size_t n;
};

/* Corrects an observation whose cells are in memory. Returns false if nothing changes; then *out is empty. */
bool trust_correct(const struct trust_plan *, const struct obs *, struct trust_corrected *out);
void trust_corrected_clear(struct trust_corrected *);

/* Appends the reason for a rule: "1 per page-faults and 0 to 1 per interrupts (not counted)". */
struct str;
void trust_change_words(const struct trust_change *, struct str *out);

#endif
