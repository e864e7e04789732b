/* What became of events when they were counted last: does an event that opens count? Kept for each processor and event
 * as text, a line each, which is believed as a whole or not at all. */
#ifndef CORE_DOCTOR_HEALTH_H
#define CORE_DOCTOR_HEALTH_H

#include <stdbool.h>
#include <stddef.h>

struct str;

enum health {
	HEALTH_COUNTS,
	HEALTH_ONE,   /* counts, but a second one of it at the same time reads 0 */
	HEALTH_ZERO,  /* it ran, and read 0 */
	HEALTH_NEVER, /* it opens, and gets no counter, or reads 0 where no program runs without it */
	HEALTH_KINDS
};

struct health_entry {
	char *cpu;    /* the processor, as perf identifies it */
	char *pmu;    /* as sysfs names it; "": a core's */
	char *event;  /* the name in the form for comparison (event/name.h) */
	char *kernel; /* its release */
	enum health health;
	double share; /* least share of the time on a counter, 0 … 1 */
	long long at; /* seconds since 1970 */
};

struct health_book {
	struct health_entry *entry; /* sorted by event */
	size_t n, cap;
};

#define HEALTH_MOST 2000 /* entries that are kept, the latest ones */

/* Reads a book. Returns false, and an empty book, if the text is damaged. */
bool health_read(const char *text, struct health_book *);
void health_write(const struct health_book *, struct str *out);
void health_free(struct health_book *);

/* Notes what became of an event, under any of its names. It replaces what was known, with one exception: an event that
 * counted under this kernel is not distrusted for reading 0, because it may be rare. */
void health_note(struct health_book *, const char *cpu, const char *name, const char *kernel, enum health, double share,
	long long at);

/* Returns what is known of an event of this processor, by its name or by its code ("event=0x12"; "": not known), which
 * belong to `pmu`; NULL: nothing. */
const struct health_entry *
health_find(const struct health_book *, const char *cpu, const char *name, const char *pmu, const char *code);

const char *health_word(enum health); /* "counts", "one at once", "reads 0", "never counts" */
/* "never counts: it opens, and gets no counter (2026-11-29, Linux 6.1.0)" */
void health_write_entry(const struct health_entry *, struct str *out);

#endif
