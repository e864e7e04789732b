/* What the sources of a machine's events and metrics know, as one table: rows of events, rows of metrics.
 *
 * All texts belong to the table; none is NULL, "" is "not known". They are as the source wrote them, and so may hold
 * anything: print them with utf8_add_visible(). */
#ifndef EVENT_TABLE_H
#define EVENT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct str;

/* In the order in which a name is looked up. */
enum event_source { EVENT_FROM_SYSFS, EVENT_FROM_PERF, EVENT_FROM_LIBPFM, EVENT_FROM_FOLDER };
#define EVENT_SOURCES 4

struct event_row {
	const char *name;     /* "dtlb_load_misses.walk_completed", in the case of its source */
	const char *pmu;      /* "cpu", "cpu_atom"; for boxes that count alike, what they share: "uncore_cha" */
	const char *topic;    /* "virtual memory" */
	const char *text;     /* the description */
	const char *code;     /* its terms, "event=0x12,umask=0xe,cmask=1", without a period; "": not known in full */
	const char *unit;     /* "MiB", "Bytes" */
	const char *counters; /* the counters that can hold it, "0,1,2,3", "Fixed counter 0" */
	const char *errata;   /* "HSD25, HSM30" */
	double scale;         /* one count is so many units; 1 where nothing is said */
	bool taken_alone;     /* it must be the only one of its kind in a set */
	bool deprecated;
	enum event_source source;
};

struct event_metric {
	const char *name;
	const char *groups;    /* "TopdownL1;tma_L1_group" */
	const char *expr;      /* in perf's language */
	const char *threshold; /* a condition in the same language */
	const char *unit;      /* "%", "GHz" */
	const char *text;
	double scale;          /* the value of the expression times this is in `unit`; 1 where nothing is said */
	enum event_source source;
};

/* Zero-initialise it, add rows, sort it, free it. */
struct event_table {
	struct event_row *row; /* by name without regard to case, then by source and PMU */
	size_t n, cap;
	struct event_metric *metric; /* by name without regard to case, then by source */
	size_t n_metrics, cap_metrics;
	char cpu[64];          /* the processor, as perf identifies it: "GenuineIntel-6-8F-4"; "": not known */
	struct arena *arena;
	char *block;           /* a file's text that rows point into; NULL: none */
};

void event_table_free(struct event_table *);

/* Copy a row with its texts, of which NULL becomes "". A scale of 0 becomes 1. */
void event_table_add(struct event_table *, const struct event_row *);
void event_table_add_metric(struct event_table *, const struct event_metric *);

/* Returns a copy of a text that lives as long as the table. */
const char *event_table_text(struct event_table *, const char *);

/* Puts the rows into order, and takes out rows that are equal to the one before; a metric that stands there once for
 * each of its groups gets all of them. Needed before a search. */
void event_table_sort(struct event_table *);

/* Return the first row with this name, without regard to case; NULL: none. `pmu` is a PMU or one of its boxes
 * ("uncore_cha_3"); NULL or "": any. The rows of a name stand next to each other, that of the first source first. */
const struct event_row *event_table_find(const struct event_table *, const char *name, const char *pmu);
const struct event_metric *event_table_find_metric(const struct event_table *, const char *name);

/* Appends the table in a form for files, and reads that. `bytes` (n of them, with a 0 after the last; from malloc)
 * become the table's. Returns false if they are no such form; then the table is as it was, and the caller still has
 * them. */
void event_table_pack(const struct event_table *, struct str *out);
bool event_table_unpack(char *bytes, size_t n, struct event_table *);

/* "sysfs", "perf", "libpfm4", "HECATE_EVENTS" */
const char *event_source_name(enum event_source);

/* --- choosing rows, in table_find.c --- */

struct event_filter {
	char *const *
		word; /* each stands in the name or the description, in any case; one with * or ? fits the whole name */
	size_t n;
	const char *pmu;    /* the PMU or one of its boxes; NULL: any */
	const char *code;   /* "0x60f9", "r60f9", "event=0xf9,umask=0x60", "cpu/event=0xf9,umask=0x60/"; NULL: any */
};

/* Returns the numbers of the rows that fit, those whose names have all words first, otherwise in the table's order. The
 * caller frees. */
size_t *event_table_select(const struct event_table *, const struct event_filter *, size_t *n);

/* Returns the numbers of the other rows with the same code on the same PMU. The caller frees. */
size_t *event_table_same_code(const struct event_table *, const struct event_row *, size_t *n);

#endif
