/* What the reader of perf stat's output left out or put right, and the sentences that say it. */
#ifndef COLLECT_IMPORT_PERF_FINDINGS_H
#define COLLECT_IMPORT_PERF_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/names.h"

struct obs_table;

/* How many there are, and the line of the first. */
struct perf_tally {
	size_t n, line;
};

struct perf_findings {
	struct perf_tally foreign, metric, summary, cut; /* lines that are no samples */
	struct perf_tally again, back;                   /* further runs: by a heading, by their times */
	struct perf_tally twice, late, scaled, mean;     /* counts that need care */
	double least;                                    /* scaled: the smallest share of time on a counter */
	struct names unsupported, scaled_events, late_events;
	struct names stained;                            /* no exact totals: "EVENT (WHY)" */
	struct names wide;                               /* too many decimals beside large counts */
};

void perf_findings_count(struct perf_tally *, size_t line);
/* Adds the sentences to the table's notes. `name` is the file. */
void perf_findings_say(const struct perf_findings *, const char *name, bool exact, struct obs_table *);
void perf_findings_free(struct perf_findings *);

#endif
