/* The members of an analysis, and the functions that put its answers into words. Private to work/analysis and
 * work/search. */
#ifndef WORK_ANALYSIS_DESCRIBE_H
#define WORK_ANALYSIS_DESCRIBE_H

#include "core/series/beat.h"
#include "work/analysis/analysis.h"

struct changes;
struct cone;
struct cones;
struct columns_match;
struct obs;
struct region;
struct signatures;
struct verdict;
struct verdict_options;
struct witness;

/* Where an observation comes from: its table, its number there, and the first row of its phase (0 without phases). */
struct prepared_origin {
	size_t table, place, row;
};

/* How much an observation's numbers can be trusted, independent of features. The members are those of struct
 * finding. */
struct quality {
	double *deviation, *running; /* per counter of the model */
	double correlation, correlation_mean;
	size_t correlated[2];
	double *series;
	size_t n_series;
};

/* An observation that is ready to be judged: its counters, and the region of their means. */
struct prepared {
	const struct obs *obs;     /* the observation as it is judged */
	const struct obs *given;   /* the observation as the table has it */
	struct prepared_trust *trust; /* how `obs` differs from `given`; NULL: not at all */
	/* the same without the counters whose zeros are in doubt (zeros.h); NULL: no zero is in doubt, or all are */
	struct prepared *less;
	struct prepared_origin from;
	const struct columns_match *match; /* the match of its table */
	bool *keep;            /* per counter of the model */
	/* counters that would be kept if constraints might relate all of them (unrelated.h); NULL: same as `keep` */
	bool *related;
	bool *dead;
	size_t n_kept;
	struct region *region; /* over the kept counters; NULL when nothing can be decided */
	int64_t added;         /* rows that the region is the sum of; 1: it is their mean */
	const char *reason;    /* why `region` is NULL */
	double *value;         /* per counter: mean, NAN where absent */
	double least_running;  /* smallest share of the time in which a column was counted; 1: all were all the time */
	bool exact;            /* rows are taken as exact totals */
	bool was_exact;        /* rows would be exact totals if no cell were an estimate */
	bool kernel_total;     /* exact because the kernel counted everything in it (zeros.h) */
	struct quality quality;
	/* beat between counters in rotation whose turns are not recorded; counters are numbered as in the model */
	struct beat beat;
	/* changes of level; counters are numbered as in the model; NULL without a region */
	struct changes *changes;
};

struct trust_plan;

struct analysis_table {
	struct obs_table *data;   /* the table as it was given */
	struct obs_table *phases; /* `data` with each phase as an observation; NULL: not split into phases */
	struct columns_match *match;
	struct trust_plan **plans; /* the rules that apply to its columns (trusted.h) */
	/* per counter: it reads 0 throughout; it was perhaps not counted, so that its 0 refutes nothing (zeros.h) */
	bool *zero, *doubted;
	struct prepared *ready;
	size_t n_ready;
};

struct analysis {
	const struct udd_model *model;
	struct analysis_options opt;
	struct analysis_table *table;
	size_t n_tables, cap;
	struct cones *cones;
	struct spectra_book *forms; /* of noise, for all observations */
	const struct prepared **judged; /* per observation, what judge_all() judged: itself or its `less` */
	struct past *past;        /* refutations of earlier runs, owned by the caller; NULL: each run stands alone */
};

size_t analysis_n_observations(const struct analysis *);
const struct prepared *analysis_observation(const struct analysis *, size_t i);

/* Makes an observation ready. Call prepared_clear() before its table is freed. */
void prepare_observation(const struct analysis *, const struct analysis_table *, struct prepared *, const struct obs *);
void prepared_clear(struct prepared *);
/* Computes deviations, time running, correlation and activity: the last step of prepare_observation(). */
void prepare_quality(const struct analysis *, struct prepared *);
/* Makes the region of the kept counters, or sets the reason why there is none, and finds the changes of level: a step
 * of prepare_observation(). */
void prepare_region(const struct analysis *, const struct analysis_table *, struct prepared *p);
/* Returns, per kept counter, by how many counts its exact total may be wrong; the caller frees. */
double *prepare_tolerances(const struct analysis *, const struct prepared *);
bool prepare_wanted(const struct analysis *, const struct obs *);
/* Returns the table's data with each phase as an observation. (*from)[i] is where observation i comes from, without the
 * table's number. The caller frees both. */
struct obs_table *prepare_split(const struct analysis *, const struct analysis_table *, struct prepared_origin **from);

/* Returns, per counter of the model, whether the shown constraints are about it: the user asked for it, and some data
 * have it. The caller frees the array. */
bool *analysis_used_counters(const struct analysis *);

/* Judges all observations on one choice of features, which must have signatures, on several threads. v and cone have an
 * entry per observation. `alone`: use the deciding region only. False when stopped: some entries are NULL then. */
bool judge_all(struct analysis *, const struct fset *, bool alone, struct verdict **v, const struct cone **cone,
	const struct analysis_watch *);
/* Sets the family-wise verdicts, after judge_all(). */
void judge_family(const struct analysis *, struct verdict **v, const struct cone **cone, size_t n);
/* Returns the verdict that counts: family-wise, or the observation's own if each decides by itself. */
enum verdict_kind judge_decides(const struct analysis *, const struct verdict *);
/* A refutation must not rest on zeros that are in doubt. If `v` refutes the observation *p, and it is not refuted
 * without these counters, frees v and returns the verdict without them; *p becomes `less`. Otherwise returns v. */
struct verdict *judge_without_zeros(struct analysis *, const struct fset *, const struct prepared **p,
	const struct verdict_options *, struct verdict *v);
/* Returns the observation, or its `less` if that decides the verdict on this choice of features. */
const struct prepared *judge_chosen(struct analysis *, const struct fset *, const struct prepared *);
void judge_free_verdicts(struct verdict **, size_t n);

/* Does some signature break the constraint on the side on which the data break it? */
bool constraint_relaxed(const struct constraint *, const struct signatures *);

/* Returns the refutations of earlier runs, or NULL where they may not be used: analysis_keep_past(). */
struct past *analysis_past(const struct analysis *);

/* Adds notes about the data: missing and extra columns, and what else affects the verdicts. */
void describe_data(const struct analysis *, struct result *);
/* Adds notes about noise: correlation in time, phases, few samples, estimated cells and torn rows. */
void describe_noise(const struct analysis *, struct result *);
/* Adds the same doubts about one observation as its warnings. */
void describe_doubts(const struct analysis *, const struct prepared *, struct finding *);
/* Returns the code of the warning that makes a refutation of this observation baseless; the caller frees it. NULL: no
 * warning does. */
char *describe_broken_premise(const struct analysis *, const struct prepared *);
/* Notes and keeps what the missing counters would have tested. `whole` is the cone over all counters asked for. */
void describe_loss(const struct analysis *, struct result *, const struct cone *whole);
/* Renumbers a row over the kept counters to the model's, with its text; free it with constraints_free(). */
struct constraint describe_row(const struct analysis *, const bool *keep, const int64_t *coef, bool equality);
void describe_cone(const struct analysis *, struct result *, const struct cone *);
void describe_observation(const struct analysis *, const struct prepared *, struct finding *);
void describe_verdict(const struct analysis *, const struct prepared *, const struct cone *, const struct verdict *,
	struct finding *);
/* Computes where a finding that has its verdict lies relative to each constraint of the result. */
void describe_slack(const struct analysis *, const struct result *, const struct prepared *, struct finding *);
/* Says of an undecided finding which constraint its counts contradict by more than scaling explains. */
void describe_shares(const struct result *, struct finding *);
/* Adds the witness flow, in µops of real signatures. */
void describe_flow(const struct prepared *, const struct cone *, const struct signatures *,
	const struct witness *, struct finding *);

/* Finds a certificate as a combination of the cone's constraints, for refutations that violate no single one
 * (combine.c): integers with times · coef = Σ weight_k · row_k, checked exactly. The rows are the equalities, with
 * weights of any sign, and then the inequalities, with weights ≥ 0. `weight` has room for all rows of the cone. False
 * when no combination with small weights is found; the certificate is valid nevertheless. */
bool combine_rows(const struct cone *, const int64_t *coef, int64_t *weight, int64_t *times);

#endif
