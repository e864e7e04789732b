/* A model against observations, for one choice of features at a time.
 *
 *     options, model ─┐
 *     tables ─────────┴▶ analysis_run(features) ──▶ struct result: the cone's constraints and a finding per observation
 *
 * It is pure computation: it runs in the engine process of the explorer, and in-process for the subcommands and the
 * tests. A region is made once per observation and shared by every choice; signatures and cones are kept in bounded
 * caches. */
#ifndef WORK_ANALYSIS_ANALYSIS_H
#define WORK_ANALYSIS_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/trust/correct.h"
#include "work/analysis/result.h"

struct obs_table;
struct str;
struct udd_model;
struct wire;

struct analysis_options {
	double confidence;
	int decides;          /* enum region_kind */
	bool one_by_one;      /* each observation decides by itself; false: Holm's procedure over all of them */
	bool flow, exact;
	bool split_phases;    /* phases as observations of their own: NAME@1, NAME@2, … */
	/* every observation counts as judged repeatedly while it grew; false: only those whose data say so */
	bool peeking;
	bool trust_zeros;     /* a counter that reads 0 throughout counts as 0; false: it may be dead (zeros.h) */
	bool increments;      /* rows are increments, even if every column only rises */
	bool independent_rows; /* samples are independent, as the user states: no noise in time is estimated */
	/* counts by which an exact total may be off; TOLERANCE_BY_EVENT: as prepare.c assumes for hardware events */
	double tolerance;
	/* CounterPoint's verdicts (counterpoint_options()), whatever the other options say about regions */
	bool counterpoint;
	double runs;          /* number of runs over which rows with stated errors are means; 0: as the data say */
	double cone_seconds;  /* s, time limit for computing facets; 0: the default */
	/* what is known about the errors of events; empty: counts are taken as they are; owned */
	struct trust_rules trust;
	/* what is known per processor, for data that were counted on it; other data use `trust` alone; owned */
	struct trust_books books;
	bool no_books;        /* the user said what to trust, so nothing is added to `books`; the engine ignores it */
	char *observations;   /* a glob over observation names, or NULL for all; owned */
	bool *counter;        /* per counter of the model: is it used? NULL: all are; owned */
	size_t n_counters;
};

#define CONFIDENCE_DEFAULT 0.99
#define TOLERANCE_BY_EVENT (-1.0)

/* Returns the default options. */
struct analysis_options analysis_options_default(void);

/* Sets the options so that verdicts follow CounterPoint's rules (core/stats/counterpoint.h): its box decides, at its
 * confidence. For comparison. */
void counterpoint_options(struct analysis_options *);
/* Appends how CounterPoint judges, as part of a sentence: "30 complete samples or more, …". */
void counterpoint_words(struct str *out);

void analysis_options_wire(struct wire *, struct analysis_options *);
void analysis_options_free(struct analysis_options *);

/* Called between observations, models and solver calls; returning false stops the computation. `of` is 0 while the
 * number of steps is unknown. */
struct analysis_watch {
	bool (*go_on)(void *ctx, const char *stage, size_t done, size_t of);
	void *ctx;
};

struct analysis;

/* Makes an analysis without data. The model stays the caller's and must outlive the analysis; the options are copied.
 */
struct analysis *analysis_new(const struct udd_model *, const struct analysis_options *);
void analysis_free(struct analysis *);

/* Puts a table at place `at`, from 0 to the number of tables; for another place nothing is changed. Takes the table
 * over, and frees the table that was there. */
void analysis_set_table(struct analysis *, size_t at, struct obs_table *);

/* Returns a list of all tables; the caller frees the list. */
struct obs_table **analysis_tables(const struct analysis *, size_t *n);

/* Appends rows to observation `index` of the table at `at`; the next index after the last begins an observation. Only
 * this observation's region is made again. `rows` stays the caller's. False when there is no such place, or the columns
 * differ. */
struct obs;
bool analysis_add_rows(struct analysis *, size_t at, size_t index, const struct obs *rows);

/* Sets where searches record what growing observations refute, and find such refutations again; NULL: nowhere. `past`
 * must outlive the analysis. It is ignored where several observations are judged family-wise, because the family may
 * grow too, and with phases, because each run may split the rows differently. */
struct past;
void analysis_keep_past(struct analysis *, struct past *);

/* Analyses one choice of features. Returns NULL only when the watch stopped it. An error gives a result with `error`
 * set. */
struct result *analysis_run(struct analysis *, const struct fset *, const struct analysis_watch *);

/* Appends, as lines for people, one of the shortest µpaths that raise the counter: its steps and both kinds of edge. */
void analysis_witness(struct analysis *, const struct fset *, size_t counter, struct str *out);

/* Returns how switching each feature would change `now`, a result of this analysis. NULL only when stopped. */
struct neighbours *analysis_neighbours(struct analysis *, const struct result *now, const struct analysis_watch *);

#endif
