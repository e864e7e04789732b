/* Stores counts of perf stat in observations as they arrive.
 *
 * Events and observations turn up one after the other: each new event adds a column to the table, and the decimals of
 * an observation grow with its counts. The counts of an interval wait until the next one begins, because an event that
 * is counted twice in an interval needs a second row. */
#ifndef COLLECT_IMPORT_PERF_SHEET_H
#define COLLECT_IMPORT_PERF_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/budget.h"
#include "base/names.h"
#include "collect/import/decimal.h"
#include "collect/import/perf_record.h"
#include "core/obs/gather.h"

struct err;
struct obs;
struct obs_table;

/* What the reader of perf stat's output left out or corrected, and the notes about it. */

/* Number of occurrences, and the line of the first. */
struct perf_tally {
	size_t n, line;
};

#define PERF_LOST_SHOWN 6

struct perf_findings {
	struct perf_tally foreign, metric, summary, cut; /* lines that are no samples */
	/* further runs: those begun by a heading; those begun by a time that goes back */
	struct perf_tally again, back;
	struct perf_tally lost;    /* lines with a number that could not be read */
	/* line numbers of the first of these lines; number of lines that have a number at all */
	size_t lost_line[PERF_LOST_SHOWN], lines;
	/* lines with a prefix; wrapped lines; tables without their last line */
	struct perf_tally prefix, wrapped, unended;
	struct perf_tally above, nan;                    /* shares above 100 %; "nan" in the place of a count */
	struct perf_tally twice, late, scaled, mean;     /* counts that need care */
	struct perf_tally below_zero;                    /* counts so large that the counter fell below 0 */
	double least;                                    /* smallest share of time counted, among the scaled counts */
	struct names unsupported, scaled_events, late_events, below_zero_events;
	struct names inexact;                            /* events without exact totals: "EVENT (WHY)" */
	struct names starved;                            /* events that never had a counter while the others ran */
	struct names wide;                               /* events whose decimals do not fit next to large counts */
};

void perf_findings_count(struct perf_tally *, size_t line);
void perf_findings_lose(struct perf_findings *, size_t line); /* a line with a number could not be read */
/* Adds the notes to the table. `name` is the file. */
void perf_findings_add_notes(const struct perf_findings *, const char *name, bool exact, struct obs_table *);
void perf_findings_free(struct perf_findings *);

/* The range of one event's counts. */
struct perf_extent {
	double largest;
	int decimals;   /* most digits after the point; -1: left out, because they do not fit next to the others */
};

/* One observation, and its current interval. Arrays over events have perf_sheet.events.n elements. */
struct perf_group {
	char *name;
	int decimals;
	struct perf_extent *seen;
	struct obs *obs;
	double time;
	double first, second;   /* times of the first two intervals; NAN, 0: none yet */
	bool open;              /* the current interval has a record */
	bool of_cpus;           /* it counts CPUs, not tasks */
	size_t n_rows, cap;     /* rows of the interval; more than one if an event was counted twice */
	int64_t *count;         /* n_rows × events, like counted, running and error */
	unsigned char *counted;
	double *running, *error;
	bool some_running, some_error;
	unsigned char *inexact; /* per event: why its count is not an exact total */
	bool *unsupported;      /* per event: <not supported> */
	bool *had;              /* per event: it was counted at least once */
	size_t parts;
	size_t run;
	/* of a total without intervals, 0 where unknown: the longest time on counters or CPUs, of all parts together;
	 * and the time that passed meanwhile */
	double seconds, elapsed;
};

struct perf_sheet {
	const char *name;          /* the file, for messages */
	char *base;                /* the beginning of the observations' names */
	bool exact;
	bool together;             /* all counters start and stop together, as a simulator's do */
	struct obs_table *table;
	struct obs_room room;
	struct names events, keys; /* keys: "RUN/GROUP", one for each observation */
	char **unit;               /* unit of each event; "": a plain count */
	struct perf_group *group;
	size_t groups_cap;
	struct perf_findings found;
	size_t line;               /* line number of the current record */
	struct budget budget;
	struct err *e;
};

struct perf_count {
	size_t group, event;       /* numbers from perf_sheet_group() and perf_sheet_event() */
	double time;
	enum perf_state state;
	struct decimal value;      /* valid with PERF_COUNTED */
	double running, variance, runs, seconds; /* the same as in struct perf_record */
	size_t parts;
};

void perf_sheet_begin(struct perf_sheet *, const char *name, bool exact, size_t near, struct err *);
/* Polls the budget of reading. perf_sheet_add() does so, too, and fails. */
bool perf_sheet_is_full(struct perf_sheet *);
void perf_sheet_free(struct perf_sheet *); /* everything except the table */

size_t perf_sheet_group(struct perf_sheet *, size_t run, const char *name, size_t n);
/* Returns the number of an event; a new one adds a column. `late`: the run has intervals already. */
size_t perf_sheet_event(struct perf_sheet *, const char *name, size_t n, bool late);

/* Adds one count. On failure returns false and sets *e. */
bool perf_sheet_add(struct perf_sheet *, const struct perf_count *);
/* Sets the duration of a run, according to the lines below its table: the time elapsed, and the CPU time of its tasks.
 * 0: not printed. */
void perf_sheet_lasted(struct perf_sheet *, size_t run, const struct perf_dialect *);
/* Updates health and exactness of the observations so far, for a drain that stores their rows. */
void perf_sheet_settle(struct perf_sheet *);
/* Stores the pending interval, settles what depends on all rows, and adds the notes to the table, after the last
 * record. On failure returns false and sets *e. */
bool perf_sheet_finish(struct perf_sheet *);

#endif
