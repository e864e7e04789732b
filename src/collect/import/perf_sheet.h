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

#include "base/names.h"
#include "collect/import/decimal.h"
#include "collect/import/perf_findings.h"
#include "collect/import/perf_record.h"
#include "core/obs/gather.h"

struct err;
struct obs;
struct obs_table;

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
	bool open;              /* the interval has a record */
	size_t n_rows, cap;     /* rows of the interval; more than one where an event was counted twice */
	int64_t *count;         /* n_rows × events, like counted, running and error */
	unsigned char *counted;
	double *running, *error;
	bool some_running, some_error;
	unsigned char *inexact; /* per event: reason why it is no exact total */
	bool *unsupported;      /* per event: <not supported> */
	bool *had;              /* per event: it was counted once */
	size_t parts;
	size_t run;
	double seconds;         /* how long a total without intervals took; 0: unknown */
};

struct perf_sheet {
	const char *name;          /* the file, for messages */
	char *base;                /* the beginning of the observations' names */
	bool exact;
	bool together;             /* its counters start and stop together, as a simulator's */
	struct obs_table *table;
	struct obs_room room;
	struct names events, keys; /* keys: "RUN/GROUP", one for each observation */
	char **unit;               /* of each event; "": a plain count */
	struct perf_group *group;
	size_t groups_cap;
	struct perf_findings found;
	size_t line;               /* line number of the current record */
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
void perf_sheet_free(struct perf_sheet *); /* everything except the table */

size_t perf_sheet_group(struct perf_sheet *, size_t run, const char *name, size_t n);
/* Returns the number of an event; a new one adds a column. `late`: the run has intervals already. */
size_t perf_sheet_event(struct perf_sheet *, const char *name, size_t n, bool late);

/* Adds one count. False and *e on failure. */
bool perf_sheet_add(struct perf_sheet *, const struct perf_count *);
/* Takes over how long a run took, according to the lines below its table. */
void perf_sheet_lasted(struct perf_sheet *, size_t run, double seconds);
/* Updates health and exactness of the observations so far, for a drain that stores their rows. */
void perf_sheet_settle(struct perf_sheet *);
/* Stores the pending interval, settles what depends on all rows, and adds the notes to the table, after the last
 * record. False and *e on failure. */
bool perf_sheet_finish(struct perf_sheet *);

#endif
