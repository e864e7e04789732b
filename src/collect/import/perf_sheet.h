/* Counts of perf stat into observations, as they come.
 *
 * Events and observations are met one after the other: columns are added to the table, and an observation's decimals
 * grow with its counts. An interval's counts wait until the next one begins, since an event that is counted twice in it
 * gives a second row. */
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

/* How much room the counts of one event need: the largest, and the most decimals. */
struct perf_extent {
	double largest;
	int decimals;   /* -1: they do not fit beside others, and the event is left out */
};

/* An observation, and the interval that is being read. Arrays over events have perf_sheet.events.n entries. */
struct perf_group {
	char *name;
	int decimals;
	struct perf_extent *seen;
	struct obs *obs;
	double time;
	bool open;              /* the interval has a record */
	size_t n_rows, cap;     /* rows of the interval: more than one where an event came twice */
	int64_t *count;         /* n_rows × events, as counted, running, error */
	unsigned char *counted;
	double *running, *error;
	bool some_running, some_error;
	unsigned char *stain;   /* per event: why it is no exact total */
	bool *unsupported;      /* per event */
	size_t parts;
};

struct perf_sheet {
	const char *name;          /* the file, for messages */
	char *base;                /* … as it begins the names of observations */
	bool exact;
	struct obs_table *table;
	struct obs_room room;
	struct names events, keys; /* keys: "RUN/GROUP", one for each observation */
	struct perf_group *group;
	size_t groups_cap;
	struct perf_findings found;
	size_t line;               /* that is being read */
	struct err *e;
};

struct perf_count {
	size_t group, event;       /* numbers, by the functions below */
	double time;
	enum perf_state state;
	struct decimal value;      /* counted */
	double running, variance, runs; /* as in struct perf_record */
	size_t parts;
};

void perf_sheet_begin(struct perf_sheet *, const char *name, bool exact, size_t near, struct err *);
void perf_sheet_free(struct perf_sheet *); /* but for the table */

size_t perf_sheet_group(struct perf_sheet *, size_t run, const char *name, size_t n);
/* `late`: the run has intervals already. */
size_t perf_sheet_event(struct perf_sheet *, const char *name, size_t n, bool late);

/* False and *e. */
bool perf_sheet_add(struct perf_sheet *, const struct perf_count *);
/* What is known of the observations so far, for who puts their rows away. */
void perf_sheet_settle(struct perf_sheet *);
/* What was still open, and what only the whole tells; the sentences go to the table's notes. False and *e. */
bool perf_sheet_finish(struct perf_sheet *);

#endif
