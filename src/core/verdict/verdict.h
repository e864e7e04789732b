/* Region against cone: does the model survive the observation?
 *
 * Four ways to decide. Three regions of the mean, which hold for all models at once: ellipsoid, rotated box,
 * independent box. And a test of the cone itself (REGION_CONE), which finds more: the point of the cone nearest to
 * the mean lies on a face; if r constraints meet there, the squared distance is that of r dimensions and not of all
 * N, so it is refuted if P(T²_r ≥ d²) ≤ 1 − confidence. Given the face, that holds the level for every point of the
 * cone: the distance and the face are independent for noise of any covariance, estimated from the same rows or not
 * (Cox and Shi, Review of Economic Studies 90, 2023, for a known covariance; Hotelling's T² for one that is
 * estimated). What the ellipsoid refutes it refutes too. Of two models, one inside the other, it may refute the
 * larger one alone, where more constraints meet; `strong` says that no model inside can survive.
 *
 * What is refuted is then held against slow noise (core/stats/noise.h). Where the rows cannot exclude noise that
 * would explain it, the verdict is undecided. So it is where counters took turns that the program keeps step with
 * (struct samples: locked).
 *
 * An infeasible verdict is issued only with a certificate: an integer inequality Σ coef·v ≥ 0 that every signature
 * satisfies and the whole region violates, both checked in exact arithmetic by certify_gmp.c, which shares no code
 * with the solvers. Sources: CounterPoint section 4, appendix A; docs/numerics.md. */
#ifndef CORE_VERDICT_VERDICT_H
#define CORE_VERDICT_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/stats/noise.h"

struct cone;
struct region;
struct witness_flow;

enum verdict_kind { VERDICT_FEASIBLE, VERDICT_INFEASIBLE, VERDICT_BORDERLINE, VERDICT_UNDECIDED };
enum region_kind { REGION_ELLIPSOID, REGION_BOX, REGION_INDEPENDENT, REGION_CONE };
#define REGION_KINDS ((size_t)4)

/* A constraint of the cone that the whole region violates. */
struct violation {
	bool equality;
	size_t row;    /* of cone->equality or cone->inequality */
	double margin; /* minus the maximum of ±coef·v over the region, over Σ|coef|·mean */
	double excess; /* coef·mean: how far off, in counts */
	size_t counters; /* in the row: of two equally bad ones the simpler comes first */
};

/* The test of the cone. */
struct cone_test {
	size_t dimensions; /* constraints that meet at the nearest point of the cone, equalities among them */
	double distance2;  /* in the covariance of the mean, which is the region's without its inflation */
	/* of T² with so many dimensions at the confidence; INFINITY where rows are too few for any */
	double threshold2;
	double freedom;    /* degrees of freedom of that covariance */
	double p;          /* P(T² ≥ distance2), or more where slow noise explains more */
};

struct verdict {
	enum verdict_kind verdict;               /* by the region that decides */
	enum verdict_kind region[REGION_KINDS];  /* by each region_kind; all equal for a point */
	enum verdict_kind family_wise;           /* set by verdicts_holm(); until then the same as verdict */
	char *reason;                            /* undecided, borderline: why; else NULL */
	double distance2, threshold2, p; /* the ellipsoid's; NAN where there is none; a point has threshold2 0. Of a
					  * region that is peeked at, threshold and p hold at every look */
	/* the squared radius, in the covariance of the region, that the way to decide has: what verdict_across() takes
	 */
	double reach2;
	struct cone_test test;                   /* REGION_CONE's; dimensions 0: it was not made */
	/* the form of noise by which the observation explains itself best: the verdict's doubt, if it is one */
	struct noise_form noise;
	/* the p-value with that noise; NAN: nothing was refuted, so none was asked for */
	double doubt;
	/* infeasible, and so is every model whose cone lies inside of this one */
	bool strong;
	struct violation *violated;              /* worst first; possibly none though infeasible */
	size_t n_violated;
	int64_t *certificate;                    /* n_counters integers, NULL unless infeasible */
	bool verified;                           /* the certificate was checked exactly (always so when infeasible) */
	/* the way that decides refutes at no level below this; NAN: not known (boxes) */
	double p_decides;
	struct witness_flow *flow;               /* on request, feasible: see flow.h; NULL where none was found */
};

struct verdict_options {
	double confidence;       /* 0 < c < 1 */
	enum region_kind decides;
	bool flow;
	bool alone;              /* only that region is judged: the others stay undecided */
	bool bare;               /* only the verdict is asked for: `violated` may be left out */
	/* the χ² quantile, where the caller keeps it (it takes longer than a verdict); 0: computed. Regions that are
	 * peeked at have their own */
	double threshold2;
};

/* The cone and the region are over the same counters in the same order. */
struct verdict *verdict_new(const struct cone *, const struct region *, const struct verdict_options *);
/* Nothing could be decided; the sentence says why. */
struct verdict *verdict_undecided(const char *reason);
void verdict_free(struct verdict *);

/* Holm's step-down procedure over the observations: sets family_wise of each. cone[i], region[i] as given to
 * verdict_new(); of a verdict no more is used than `verdict` and p_decides, and the cone only of those that are
 * refuted. known[i]: it is known to be rejected, as what a region rejects for a cone it rejects for each inside of
 * it; NULL: of none. */
void verdicts_holm(struct verdict **, const struct cone *const *, const struct region *const *, size_t n,
	const bool *known, const struct verdict_options *);

/* Where a region lies across a row Σ coef·v: from at − reach to at + reach, in counts. reach2 is the verdict's. A
 * point, and a region without a noise model, have no reach. `size` is Σ |coef|·mean. */
struct across {
	double at, reach, size;
};
struct across verdict_across(const struct region *, const int64_t *coef, enum region_kind, double reach2);

const char *verdict_name(enum verdict_kind);
const char *region_name(enum region_kind);

/* The region that stands for a way to decide, where one is drawn or asked for flows: the ellipsoid for the test of
 * the cone, which has none. */
static inline enum region_kind
region_shown(enum region_kind k)
{
	return k == REGION_CONE ? REGION_ELLIPSOID : k;
}

#endif
