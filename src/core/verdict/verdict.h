/* Region against cone: does the model survive the observation?
 *
 * An infeasible verdict is issued only with a certificate: an integer inequality Σ coef·v ≥ 0 that every signature
 * satisfies and the whole region violates, both checked in exact arithmetic by certify_gmp.c, which shares no code
 * with the solvers. Sources: CounterPoint section 4, appendix A; docs/numerics.md. */
#ifndef CORE_VERDICT_VERDICT_H
#define CORE_VERDICT_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cone;
struct region;

enum verdict_kind { VERDICT_FEASIBLE, VERDICT_INFEASIBLE, VERDICT_BORDERLINE, VERDICT_UNDECIDED };
enum region_kind { REGION_ELLIPSOID, REGION_BOX, REGION_INDEPENDENT };

/* A constraint of the cone that the whole region violates. */
struct violation {
	bool equality;
	size_t row;    /* of cone->equality or cone->inequality */
	double margin; /* minus the maximum of ±coef·v over the region, over Σ|coef|·mean */
	double excess; /* coef·mean: how far off, in counts */
	size_t counters; /* in the row: of two equally bad ones the simpler comes first */
};

struct verdict {
	enum verdict_kind verdict;               /* by the region that decides */
	enum verdict_kind region[3];             /* by each region_kind; all equal for a point */
	enum verdict_kind family_wise;           /* set by verdicts_holm(); until then the same as verdict */
	char *reason;                            /* undecided, borderline: why; else NULL */
	double distance2, threshold2, p;         /* the ellipsoid's; NAN where there is none; a point has threshold2 0. Of a region
	                                          * that is peeked at, threshold and p hold at every look */
	struct violation *violated;              /* worst first; possibly none though infeasible */
	size_t n_violated;
	int64_t *certificate;                    /* n_counters integers, NULL unless infeasible */
	bool verified;                           /* the certificate was checked exactly (always so when infeasible) */
	double *flow;                            /* on request, feasible: µops per cone signature, n_signatures */
};

struct verdict_options {
	double confidence;       /* 0 < c < 1 */
	enum region_kind decides;
	bool flow;
	bool alone;              /* only that region is judged: the others stay undecided */
	bool bare;               /* only the verdict is asked for: `violated` may be left out */
	double threshold2;       /* the χ² quantile, where the caller keeps it (it takes longer than a verdict); 0: computed. Regions that are peeked at have their own */
};

/* The cone and the region are over the same counters in the same order. */
struct verdict *verdict_new(const struct cone *, const struct region *, const struct verdict_options *);
/* Nothing could be decided; the sentence says why. */
struct verdict *verdict_undecided(const char *reason);
void verdict_free(struct verdict *);

/* Holm's step-down procedure over the observations: sets family_wise of each. cone[i], region[i] as given to verdict_new(); of a verdict no more is used than
 * `verdict` and p (NAN where it is not known), and the cone only of those that are refuted. known[i]: it is known to be rejected, as what is
 * rejected for a cone is for each inside of it, since no p-value is larger there; NULL: of none. */
void verdicts_holm(struct verdict **, const struct cone *const *, const struct region *const *, size_t n, const bool *known, const struct verdict_options *);

/* Where a region lies across a row Σ coef·v: from at − reach to at + reach, in counts. threshold2 is the verdict's. A point,
 * and a region without a noise model, have no reach. `size` is Σ |coef|·mean. */
struct across {
	double at, reach, size;
};
struct across verdict_across(const struct region *, const int64_t *coef, enum region_kind, double threshold2);

const char *verdict_name(enum verdict_kind);
const char *region_name(enum region_kind);

#endif
