/* The result of analysing one choice of features: the cone's constraints, and a finding per observation. The engine
 * sends it to the explorer, and reports print it. Counters are numbered as in the model. */
#ifndef WORK_ANALYSIS_RESULT_H
#define WORK_ANALYSIS_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/udd/fset.h"
#include "core/verdict/verdict.h"

struct shape;
struct uop_ranges;
struct wire;

struct constraint {
	bool equality;
	int64_t *coef; /* n_counters coefficients: Σ coef·v = 0, or ≥ 0 */
	size_t n;
	char *text;    /* the constraint in ASCII: "load.ret_stlb_miss <= load.walk_done" */
	double margin; /* margin of a violated constraint: see struct violation */
	double excess; /* Σ coef·mean, in counts */
	double off;    /* left side minus right side of the text, printed as "off by"; 0 unless violated */
};

/* A region's place relative to one constraint: in it, Σ coef·v takes the values from at − reach to at + reach. */
struct constraint_slack {
	double at;    /* Σ coef·mean, in counts; NAN where the observation lacks one of the counters */
	double reach; /* half the region's width, in counts; 0 for a point */
	double size;  /* Σ |coef|·mean; distances from constraints are divided by it to be comparable */
};

/* µops of one signature in a witness flow. */
struct witness_uops {
	int64_t *coef; /* over the model's counters that the observation has */
	size_t n;
	double uops;
};

struct result_note {
	char *code; /* stable word for scripts: "user-only", "missing", "undeclared", … */
	char *text; /* a sentence for people */
};

/* The numbers behind a verdict: squared distance, its threshold, the p-value, and the number of dimensions. */
struct measure {
	double distance2, threshold2, p; /* NAN: none */
	size_t dimensions;
};

/* Place and number of a finding's samples. */
struct finding_data {
	size_t table, place, row; /* table, number of the observation there, first row (of a phase; otherwise 0) */
	size_t samples, rows;     /* there are fewer rows than samples if each row sums up many samples */
	double effective;         /* effective number of samples */
	bool exact;
	bool random_turns;        /* its rows are independent by design: counters took turns at random */
	/* the observation is judged repeatedly while it grows: threshold2 and p are valid for all these tests */
	bool peeked;
};

/* The evidence of a refutation. */
struct finding_proof {
	struct constraint *violated;     /* worst first */
	size_t n_violated;
	/* if slow noise makes the verdict undecided: the constraint that independent rows would violate; or none */
	struct constraint *suspected;
	size_t n_suspected;
	struct constraint *certificate;  /* one, or none */
	size_t n_certificates;
	/* constraints that add up to the certificate: times · certificate = Σ weight · part; none: unknown */
	struct constraint *part;
	size_t n_parts;
	int64_t *weight;                 /* weights, one for each part */
	size_t n_weights;
	int64_t times;
};

/* A flow that gives the counts of a feasible observation; only on request. */
struct finding_witness {
	struct witness_uops *uops; /* signatures with a positive flow, largest first */
	size_t n;
	struct uop_ranges *ranges; /* see analysis_flow_ranges(); not sent to the explorer; NULL: not requested */
};

/* The observation's numbers, one for each counter of the model. */
struct finding_counters {
	double *value;        /* mean; NAN where the observation lacks the counter */
	size_t n_values;
	int64_t *total;       /* exact totals if all are whole numbers of 64 bits; otherwise none: see `value` */
	size_t n_totals;
	bool *dead;           /* counted, but always 0 */
	size_t n_dead;
	enum verdict_kind with_zeros; /* the verdict if a 0 that is in doubt is believed (zeros.h) */
	enum verdict_kind without_trust; /* the verdict on uncorrected counts; that of `own` if none was corrected */
	double *deviation;    /* standard error of the mean; NAN where there is none */
	size_t n_deviations;
	double *running;      /* mean share of the time in which it was counted; NAN where the observation lacks it */
	size_t n_running;
};

struct finding_correlation {
	double mean;          /* mean strength of the correlations between the means, 0 … 1; NAN: none */
	double most;          /* correlation of the two most correlated counters; NAN: none */
	size_t of[2];         /* numbers of these two counters */
};

struct finding_time {
	double *series;       /* activity relative to its mean, in as many stretches of rows as a sparkline shows */
	size_t n_series;
	double lag;           /* see struct region */
	size_t *phase;        /* first row of each phase after the first; none: steady, or too short to decide */
	size_t n_phases;
};

/* What is known to be wrong with a counter, and what was made of that (core/trust/correct.h). */
struct finding_trust {
	size_t counter;
	double subtracted; /* counts by which its mean was lowered; below 0: raised */
	double widened;    /* counts by which the corrected mean may be off; INFINITY: not used in the verdict */
	char *because;     /* "1 per page-faults (Weaver 2021, table 6)" */
};

/* One observation against the model. */
struct finding {
	char *name, *source, *reason;
	struct finding_data data;
	/* the verdict that counts: its own verdict, by itself or family-wise */
	enum verdict_kind verdict;
	/* Its own verdict, without the members that a verdict owns: `reason`, `proof` and `witness` have those in terms
	 * of the model. The explorer gets the fields that result.c lists. */
	struct verdict own;
	/* measure of the test of the cone if that decides, otherwise of the ellipsoid */
	struct measure measure;
	/* code of the warning that makes the refutation baseless; NULL: no warning does, or nothing is refuted */
	char *in_doubt;
	struct finding_proof proof;
	struct finding_witness witness;
	struct finding_counters counter;
	struct constraint_slack *slack; /* per constraint of the result; empty when nothing was judged */
	size_t n_slacks;
	struct finding_correlation correlation;
	struct finding_time time;
	struct finding_trust *trust;    /* counters that were corrected */
	size_t n_trust;
	struct result_note *warning;    /* doubts to know about before believing the verdict */
	size_t n_warnings;
};

/* Counters that no observation has, and what is not tested without them. */
struct result_missing {
	bool *counter;               /* per counter of the model: does no observation have it? */
	size_t n;
	/* per counter: it was counted unlike those that verdicts use, so that no verdict uses it (unrelated.h) */
	bool *apart;
	size_t n_apart;
	struct constraint *untested; /* constraints of the whole model over such a counter */
	size_t n_untested;
};

struct result {
	uint64_t request;    /* number of the request that this result answers */
	struct fset on;
	char *error;         /* printed diagnostics of a choice that makes an error; everything below is empty then */
	char *paths;         /* number of µpaths, decimal */
	size_t signatures;   /* distinct non-zero signatures of the whole model */
	size_t rays;
	bool *used;          /* per counter of the model: is it in the cone of the constraints? */
	size_t n_counters;
	uint64_t cone;       /* that cone's fingerprint, as in struct search_graph_model */
	struct constraint *constraint; /* equalities first, then inequalities */
	size_t n_constraints, n_equalities;
	bool complete;       /* all constraints are there */
	char *reason;        /* why the constraints are not complete */
	double seconds;      /* seconds for expansion, walk and derivation */
	struct result_missing missing;
	char **extra;        /* columns of the data that the model does not know */
	size_t n_extra;
	struct result_note *note;
	size_t n_notes;
	struct finding *finding;
	size_t n_findings;
	size_t count[4];     /* number of findings by enum verdict_kind */
	struct {
		size_t one_by_one, family_wise; /* findings infeasible by each rule; one of the two is in `count` */
		size_t in_doubt;                /* those of `count` whose refutation has a premise in doubt */
	} refuted;
};

/* What changes if one feature of a result's choice is switched (udd_flip()). */
struct neighbour {
	bool legal;        /* the switched choice is legal (requires, excludes) and makes no error */
	char *why;         /* the repair, when it is not legal */
	char *paths;       /* µpaths of the switched choice */
	int64_t more;      /* µpaths added (negative: removed), saturated */
	size_t infeasible; /* infeasible observations of the switched choice */
	size_t undecided;  /* undecided ones of it */
	size_t frees;      /* observations that are infeasible now, and would no longer be */
	bool *relaxes;     /* per finding: its worst violated constraint would not hold for all signatures */
	size_t n_relaxes;
};

struct neighbours {
	uint64_t request;
	struct neighbour *feature; /* one per feature of the model */
	size_t n;
};

/* Shapes, defined in result.c, by which these are sent, freed and written as JSON. */
extern const struct shape constraint_shape, finding_shape;

/* Adds a note, unless it is there, and takes over its text. */
void result_add_note(struct result *, const char *code, char *text);
void constraints_free(struct constraint *, size_t n);
size_t constraint_counters(const struct constraint *); /* number of counters with a coefficient */
/* Returns how many warnings are about the finding itself. They come first; the others are about its file. */
size_t finding_doubts(const struct finding *);
void result_wire(struct wire *, struct result *);
void result_free(struct result *);
void neighbours_wire(struct wire *, struct neighbours *);
void neighbours_free(struct neighbours *);

#endif
