/* The insides of an analysis, and how its answers are put into words. Used by analysis.c and describe.c. */
#ifndef APP_ANALYSIS_DESCRIBE_H
#define APP_ANALYSIS_DESCRIBE_H

#include "app/analysis/analysis.h"
#include "core/series/beat.h"

struct changes;
struct cone;
struct cones;
struct match;
struct obs;
struct region;
struct signatures;
struct verdict;
struct witness_flow;

/* Where an observation comes from: the table, its number there, and the first row of the phase that it is; else 0. */
struct prepared_origin {
	size_t table, place, row;
};

/* How its numbers look, whatever the model's features: see struct finding, which has the same. */
struct quality {
	double *deviation, *running; /* per counter of the model */
	double correlation, correlation_mean;
	size_t correlated[2];
	double *series;
	size_t n_series;
};

/* One observation made ready: which counters it has, and the region of their means. */
struct prepared {
	const struct obs *obs;
	struct prepared_origin from;
	const struct match *match; /* of its table */
	bool *keep;            /* per counter of the model */
	bool *dead;
	size_t n_kept;
	struct region *region; /* over the kept counters; NULL when nothing can be decided */
	const char *reason;    /* … and why */
	double *value;         /* per counter: mean, NAN where absent */
	bool exact;            /* its rows are taken as exact totals */
	bool was_exact;        /* … or would be, if none of their cells were an estimate */
	struct quality quality;
	/* of counters that took turns, where nothing is known of these; its counters are those of the model */
	struct beat beat;
	/* where its level changes; NULL without a region. The counters are those of the model */
	struct changes *changes;
};

struct analysis_table {
	struct obs_table *data;   /* as it came */
	struct obs_table *phases; /* … with each phase an observation of its own; NULL: phases are not told apart */
	struct match *match;
	struct prepared *ready;
	size_t n_ready;
};

struct analysis {
	const struct udd_model *model;
	struct analysis_options opt;
	struct analysis_table *table;
	size_t n_tables, cap;
	struct cones *cones;
	struct past *past;        /* what earlier looks refuted; NULL: each look stands by itself. The caller's */
};

size_t analysis_n_observations(const struct analysis *);
const struct prepared *analysis_observation(const struct analysis *, size_t i);

/* An observation made ready; clear it before its table goes. */
void prepare_observation(const struct analysis *, const struct analysis_table *, struct prepared *, const struct obs *);
void prepared_clear(struct prepared *);
/* Its quality, when all else is ready: deviations, running, correlation and activity. */
void prepare_quality(const struct analysis *, struct prepared *);
/* Part of it: the region of p's kept counters, or the reason why there is none, and its changes. */
void prepare_region(const struct analysis *, const struct analysis_table *, struct prepared *p);
bool prepare_wanted(const struct analysis *, const struct obs *);
/* The table's data with each phase an observation of its own, and where each comes from, but for the table; the caller
 * frees both. */
struct obs_table *prepare_split(const struct analysis *, const struct analysis_table *, struct prepared_origin **from);

/* The counters that the shown constraints are about: what was asked for, as far as any data has it. The caller frees.
 */
bool *analysis_used_counters(const struct analysis *);

/* All verdicts for one choice, which must have signatures; v and cone have an entry per observation. `alone`: by the
 * deciding region only. False when stopped: some are NULL then. Observations are judged side by side on several
 * threads. */
bool judge_all(struct analysis *, const struct fset *, bool alone, struct verdict **v, const struct cone **cone,
	const struct watch *);
/* Then: their family-wise verdicts. */
void judge_family(const struct analysis *, struct verdict **v, const struct cone **cone, size_t n);
void judge_free_verdicts(struct verdict **, size_t n);

/* A row over the kept counters as a constraint of the model's, with its text; the caller frees both. */
struct constraint describe_row(const struct analysis *, const bool *keep, const int64_t *coef, bool equality);
/* Does some signature break the constraint, on the side on which the data break it? */
bool constraint_relaxed(const struct constraint *, const struct signatures *);

/* What the user must know about the data before believing a verdict: notes, missing and extra columns. */
void describe_data(const struct analysis *, struct result *);
/* How noise was taken: notes about correlation in time, phases, few samples, estimated cells and torn rows. */
void describe_noise(const struct analysis *, struct result *);
/* The same of one observation, as its warnings. */
void describe_doubts(const struct analysis *, const struct prepared *, struct finding *);
void describe_note(struct result *, const char *code, char *text); /* takes the text */
/* What is lost without the counters that are missing: `whole` is the cone over all that were asked for. */
void describe_loss(const struct analysis *, struct result *, const struct cone *whole);
/* A row over the kept counters as a constraint over the model's, with its text; the caller frees with
 * constraints_free(). */
struct constraint describe_row(const struct analysis *, const bool *keep, const int64_t *coef, bool equality);
void describe_cone(const struct analysis *, struct result *, const struct cone *);
void describe_observation(const struct analysis *, const struct prepared *, struct finding *);
void describe_verdict(const struct analysis *, const struct prepared *, const struct cone *, const struct verdict *,
	struct finding *);
/* For a finding with its verdict: where it lies across each constraint of the result. */
void describe_slack(const struct analysis *, const struct result *, const struct prepared *, struct finding *);
/* A witness flow in µops of real signatures. */
void describe_flow(const struct prepared *, const struct cone *, const struct signatures *,
	const struct witness_flow *, struct finding *);

#endif
