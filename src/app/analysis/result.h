/* What the analysis of one choice of features says: the cone's constraints, and a finding per observation. Travels
 * from the engine to the explorer, and is what the reports print. Counters are numbered as in the model. */
#ifndef APP_ANALYSIS_RESULT_H
#define APP_ANALYSIS_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/udd/fset.h"
#include "core/verdict/verdict.h"

struct flow_ranges;
struct wire;

struct constraint {
	bool equality;
	int64_t *coef; /* n_counters: Σ coef·v = 0, or ≥ 0 */
	size_t n;
	char *text;    /* ASCII: "load.ret_stlb_miss <= load.walk_done" */
	double margin; /* of a violated one: see struct violation */
	double excess; /* Σ coef·mean, in counts */
	double off;    /* left side minus right side of the text: what "off by" says; 0 unless violated */
};

/* Where a region lies across one constraint: Σ coef·v takes the values at − reach … at + reach. */
struct slack {
	double at;    /* Σ coef·mean, in counts; NAN where the observation lacks one of the counters */
	double reach; /* 0 for a point */
	double size;  /* Σ |coef|·mean: what to divide by to compare constraints */
};

/* µops that take µpaths of one signature, in a witness flow. */
struct uop_flow {
	int64_t *coef; /* over the model's counters, as far as the observation has them */
	size_t n;
	double uops;
};

struct note {
	char *code; /* "user-only", "missing", "undeclared" … : stable words for scripts */
	char *text; /* a sentence for people */
};

/* What a verdict goes by: a squared distance, what it may be, and its p-value; in so many dimensions. */
struct measure {
	double distance2, threshold2, p; /* NAN: none */
	size_t dimensions;
};

struct finding {
	char *name, *source;
	/* where its samples stand: table, number of the observation there, first row (of a phase; else 0) */
	size_t table, place, row;
	size_t samples, rows;     /* fewer rows than samples where many samples were added up */
	double effective_samples;
	bool exact;
	bool peeked;              /* judged again and again while it grows: threshold2 and p hold at every look */
	enum verdict_kind verdict, family_wise, region[REGION_KINDS];
	char *reason;
	double distance2, threshold2, p; /* the ellipsoid's; NAN: none */
	/* what verdict_across() takes: of the region that decides, or of the test of the cone */
	double reach2;
	struct cone_test test;           /* dimensions 0: not made */
	/* of the test of the cone where that decides and was made, else of the ellipsoid */
	struct measure measure;
	struct noise_form noise;         /* by which noise in time could explain a refutation best */
	double doubt;                    /* … with this p-value; NAN: nothing was refuted */
	struct constraint *violated;     /* worst first */
	size_t n_violated;
	struct constraint *certificate;  /* one, or none */
	size_t n_certificates;
	/* what the certificate adds up from: times · certificate = Σ weight · part; none: not known */
	struct constraint *part;
	size_t n_parts;
	int64_t *weight;                 /* n_parts */
	size_t n_weights;
	int64_t times;
	bool verified;
	struct uop_flow *flow; /* on request: signatures with a positive flow, largest first */
	size_t n_flow;
	/* on request, of feasible ones: see analysis_flow_ranges(); does not travel; NULL */
	struct flow_ranges *ranges;
	double *value; /* per counter of the model: its mean; NAN where the observation lacks it */
	size_t n_values;
	bool *dead; /* per counter: counted, but never live */
	size_t n_dead;
	double *deviation;    /* per counter: standard error of its mean; NAN where there is none */
	size_t n_deviations;
	double *running;      /* per counter: mean share of the time on a counter; NAN where the observation lacks it */
	size_t n_running;
	struct slack *slack;  /* per constraint of the result; empty when nothing was judged */
	size_t n_slacks;
	/* mean size of the correlations between the means: 0 independent, 1 all of one; NAN: none */
	double correlation_mean;
	double correlation;   /* between the means of the two counters that move together most; NAN: none */
	size_t correlated[2]; /* … which */
	/* activity over time, 1 being the mean: over the rows, in as many stretches as a sparkline needs */
	double *series;
	size_t n_series;
	double lag;           /* see struct region */
	struct note *warning; /* what must be known of this observation before its verdict is believed */
	size_t n_warnings;
	size_t *phase;        /* first row of each phase after the first; none: steady, or too short to tell */
	size_t n_phases;
};

struct result {
	uint64_t request;    /* the number of the request it answers */
	struct fset on;
	char *error;         /* this choice makes an error: the printed diagnostics; everything below is empty then */
	char *paths;         /* µpaths, decimal */
	size_t signatures;   /* distinct non-zero, of the whole model */
	size_t rays;
	bool *used;          /* per counter of the model: it is in the cone that the constraints are about */
	size_t n_counters;
	uint64_t cone;       /* that cone's fingerprint, as in struct graph_model */
	struct constraint *constraint; /* equalities first, then inequalities */
	size_t n_constraints, n_equalities;
	bool complete;
	char *reason;        /* !complete: why */
	double seconds;      /* expansion, walk and derivation */
	bool *missing;       /* per counter: no observation has it */
	size_t n_missing;
	char **extra;        /* columns of the data that the model does not know */
	size_t n_extra;
	struct note *note;
	size_t n_notes;
	struct finding *finding;
	size_t n_findings;
	size_t count[4];     /* findings by enum verdict_kind, family-wise where that was asked for */
};

/* What one feature, switched from the state of a result, would do. */
struct neighbour {
	bool legal;        /* the switched choice keeps requires and excludes and makes no error */
	char *why;         /* !legal: the repair named */
	char *paths;       /* µpaths of the switched choice */
	int64_t more;      /* µpaths added (removed: negative), saturated */
	size_t infeasible; /* infeasible observations of the switched choice */
	size_t frees;      /* infeasible now, and not then */
	bool *relaxes;     /* per finding: its worst violated constraint no longer holds for all signatures */
	size_t n_relaxes;
};

struct neighbours {
	uint64_t request;
	struct neighbour *feature; /* one per feature of the model */
	size_t n;
};

void constraints_wire(struct wire *, struct constraint **, size_t *n);
void constraints_free(struct constraint *, size_t n);
/* How many of its warnings are about itself: they stand first. The others are about the file that it comes from. */
size_t finding_doubts(const struct finding *);
void result_wire(struct wire *, struct result *);
void result_free(struct result *);
void neighbours_wire(struct wire *, struct neighbours *);
void neighbours_free(struct neighbours *);

#endif
