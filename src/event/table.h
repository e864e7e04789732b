/* What the sources of a machine's events and metrics know, as one table: rows of events, rows of metrics.
 *
 * All texts belong to the table; none is NULL, "" is "not known". They are as the source wrote them, and so may hold
 * anything: print them with utf8_add_visible(). */
#ifndef EVENT_TABLE_H
#define EVENT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct str;

/* In the order in which a name is looked up. */
enum event_source { EVENT_FROM_SYSFS, EVENT_FROM_PERF, EVENT_FROM_FOLDER, EVENT_FROM_LIBPFM };
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
	const char *form;     /* of the code, equal for equal codes of a core: "r60f9"; set by event_table_sort() */
	double scale;         /* one count is so many units; 1 where nothing is said */
	bool taken_alone;     /* it must be the only one of its kind in a set */
	bool deprecated;
	enum event_source source;
	unsigned sources; /* bits 1 << source of this one and of all that agree with it */
};

struct event_metric {
	const char *name;
	const char *groups;    /* "TopdownL1;tma_L1_group" */
	const char *expr;      /* in perf's language */
	const char *threshold; /* a condition in the same language */
	const char *unit;      /* "%", "GHz" */
	const char *text;
	const char *pmu;       /* of a processor with several kinds of cores: "cpu_atom"; "": the only one */
	double scale;          /* the value of the expression times this is in `unit`; 1 where nothing is said */
	enum event_source source;
};

/* Zero-initialise it, add rows, sort it, free it. */
struct event_table {
	struct event_row *row; /* by name without regard to case, then by source and PMU */
	size_t n, cap;
	struct event_metric *metric; /* by name without regard to case, then by PMU and source */
	size_t n_metrics, cap_metrics;
	char cpu[64];          /* the processor, as perf identifies it: "GenuineIntel-6-8F-4"; "": not known */
	struct arena *arena;
	char *block;           /* a file's text that rows point into; NULL: none */
};

void event_table_free(struct event_table *);

/* Copy a row with its texts, of which NULL becomes "". A scale of 0 becomes 1. A metric without a PMU gets that of the
 * kind of cores that its expression names, "cpu_atom@…@". */
void event_table_add(struct event_table *, const struct event_row *);
void event_table_add_metric(struct event_table *, const struct event_metric *);

/* Returns a copy of a text that lives as long as the table. */
const char *event_table_text(struct event_table *, const char *);

/* Puts the rows into order, and makes one row of those that give an event the same code, with what each of them
 * knows; a metric that stands there once for each of its groups gets all of them. Needed before a search. */
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

/* "sysfs", "perf", "HECATE_EVENTS", "libpfm4" */
const char *event_source_name(enum event_source);
/* Appends the names of all sources of a row: "perf, libpfm4". */
void event_sources_list(const struct event_row *, struct str *out);

/* --- choosing rows, in table_find.c --- */

struct event_filter {
	char *const *
		word; /* each stands in the name or the description, in any case; one with * or ? fits the whole name */
	size_t n;
	const char *pmu;    /* the PMU or one of its boxes; NULL: any */
	const char *code;   /* "0x60f9", "r60f9", "event=0xf9,umask=0x60", "cpu/event=0xf9,umask=0x60/"; NULL: any */
};

/* Appends a code in a form that is equal for equal codes of a core, whatever the order of its terms: "r60f9". */
void event_code_form(const char *code, struct str *out);

/* Returns the numbers of the rows that fit, those whose names have all words first, otherwise in the table's order. The
 * caller frees. */
size_t *event_table_select(const struct event_table *, const struct event_filter *, size_t *n);

/* Returns the numbers of the other rows with another name for the same code on the same PMU. The caller frees. */
size_t *event_table_same_code(const struct event_table *, const struct event_row *, size_t *n);

/* Returns the row in which another source gives an event of a core another code; NULL: none. The same event is one of
 * the same PMU with the same name. libpfm4's EVENT:UMASK is event.umask; a name that it words in its own way is another
 * event, which may have the same code. */
const struct event_row *event_table_other_code(const struct event_table *, const struct event_row *);

/* Returns whether two forms are of the same code. */
bool event_forms_agree(const char *form, const char *other);

/* Returns whether one of two codes of x86 stands for a fixed counter, event 0x00 with umask 1 (instructions) or 2
 * (cycles), and the other is the event that the kernel puts there, 0xc0 or 0x3c. */
bool event_codes_are_fixed(uint64_t config, uint64_t other);

#endif
