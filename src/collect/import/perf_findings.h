/* What the reader of perf stat's output left out or corrected, and the notes about it. */
#ifndef COLLECT_IMPORT_PERF_FINDINGS_H
#define COLLECT_IMPORT_PERF_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/names.h"

struct obs_table;

/* Number of occurrences, and the line of the first. */
struct perf_tally {
	size_t n, line;
};

#define PERF_LOST_SHOWN 6

struct perf_findings {
	struct perf_tally foreign, metric, summary, cut; /* lines that are no samples */
	/* further runs: begun by a heading, by a time that goes back */
	struct perf_tally again, back;
	struct perf_tally lost;    /* lines with a number that could not be read */
	size_t lost_line[PERF_LOST_SHOWN], lines; /* the first of them; all lines with a number */
	/* lines with a prefix, or wrapped; tables without their last line */
	struct perf_tally prefix, wrapped, unended;
	struct perf_tally above, nan;                    /* shares above 100 %; "nan" in the place of a count */
	struct perf_tally twice, late, scaled, mean;     /* counts that need care */
	struct perf_tally below_zero;                    /* counts so large that the counter fell below 0 */
	double least;                                    /* smallest share of time on a counter among scaled counts */
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

#endif
