/* A model against observations, for one choice of features at a time. Pure computation: it runs in the engine process
 * of the explorer, and in-process for the subcommands and the tests. Regions are made once per observation and shared
 * by every choice; signatures and cones are kept in bounded caches. */
#ifndef APP_ANALYSIS_ANALYSIS_H
#define APP_ANALYSIS_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>

#include "app/analysis/result.h"

struct obs_table;
struct udd_model;
struct wire;

struct analysis_options {
	double confidence;
	int decides;          /* enum region_kind */
	bool family_wise, flow, exact;
	bool split_phases;    /* an observation that changes its level is split there: NAME@1, NAME@2 … */
	/* all observations are judged as if they had been looked at while they grew, not only those that say so */
	bool peeking;
	bool independent_rows;/* the user knows that they are: noise in time is not asked for */
	/* counts by which an exact total may be off; TOLERANCE_BY_EVENT: as prepare.c takes hardware events to be */
	double tolerance;
	bool counterpoint;    /* verdicts are CounterPoint's (counterpoint.h), whatever the rest says of regions */
	double runs;          /* rows of means with stated errors are of so many runs; 0: as the data say */
	double cone_seconds;  /* time limit of the facets; 0: the default */
	char *observations;   /* a glob over observation names, or NULL; owned */
	bool *counter;        /* per counter of the model: use it; NULL: all; owned */
	size_t n_counters;
};

#define CONFIDENCE_DEFAULT 0.99
#define TOLERANCE_BY_EVENT (-1.0)

/* What hecate does unless it is told otherwise. */
struct analysis_options analysis_options_default(void);
void analysis_options_wire(struct wire *, struct analysis_options *);
void analysis_options_free(struct analysis_options *);

/* Asked between observations, models and solver calls; false stops the computation. `of` 0: no end in sight. */
struct watch {
	bool (*go_on)(void *ctx, const char *stage, size_t done, size_t of);
	void *ctx;
};

struct analysis;

/* The model stays the caller's and must outlive the analysis; the options are copied. */
struct analysis *analysis_new(const struct udd_model *, const struct analysis_options *);
void analysis_free(struct analysis *);

/* Put a table at place `at` (0 … number of tables); takes it, and frees what stood there. */
void analysis_set_table(struct analysis *, size_t at, struct obs_table *);

/* Append rows to observation `index` of the table at `at`, or begin it, where that is the next one. Only its region is
 * made anew. `rows` stays the caller's. False when there is no such place, or the columns differ. */
struct obs;
bool analysis_add_rows(struct analysis *, size_t at, size_t index, const struct obs *rows);

/* Searches from here on keep what growing observations refute, and refute by it; NULL: no more. It must outlive the
 * analysis. Neither with family-wise verdicts, where the family may grow too, nor with phases, which are others at
 * every look. */
struct past;
void analysis_keep_past(struct analysis *, struct past *);

/* NULL only when the watch stopped it. A choice that makes an error gives a result with `error` set. */
struct result *analysis_run(struct analysis *, const struct fset *, const struct watch *);

/* Lines for people: a µpath that raises the counter, as short as there is one, step by step with both kinds of edge. */
struct str;
void analysis_witness(struct analysis *, const struct fset *, size_t counter, struct str *out);

/* What each feature would change from `now`, a result of this analysis. NULL only when stopped. */
struct neighbours *analysis_neighbours(struct analysis *, const struct result *now, const struct watch *);

#endif
