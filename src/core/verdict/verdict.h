/* Region against cone: does the model survive the observation?
 *
 * There are four ways to decide. Three are regions of the mean, which hold for all models at once: ellipsoid, rotated
 * box, independent box. The fourth is a test of the cone itself (REGION_CONE), which finds more.
 *
 * The cone test: the point of the cone nearest to the mean lies on a face. If r constraints meet there, the squared
 * distance is that of r dimensions, not of all N. So the cone is refuted if P(T²_r ≥ d²) ≤ 1 − confidence. Given the
 * face, this keeps the level for every point of the cone, because distance and face are independent. That is true for
 * noise of any covariance, estimated from the same rows or not. (Sources: Cox and Shi, Review of Economic Studies 90,
 * 2023, for a known covariance; Hotelling's T² for an estimated one.) The cone test refutes every model that the
 * ellipsoid refutes. It may refute a model but not a smaller one inside it, if more constraints of the larger model
 * meet at the nearest point; `strong` says that no model inside can survive.
 *
 * A refutation is then tested against slow noise (core/stats/noise.h). If the rows cannot exclude noise that would
 * explain it, the verdict is undecided. It is also undecided if counters took turns in step with the program (struct
 * samples: locked).
 *
 * An infeasible verdict needs a certificate: an integer inequality Σ coef·v ≥ 0 that every signature satisfies and that
 * the whole region violates. certify_gmp.c checks both facts in exact arithmetic and shares no code with the solvers.
 * Sources: CounterPoint section 4, appendix A; docs/numerics.md. */
#ifndef CORE_VERDICT_VERDICT_H
#define CORE_VERDICT_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/stats/noise.h"

struct cone;
struct region;
struct witness;

enum verdict_kind { VERDICT_FEASIBLE, VERDICT_INFEASIBLE, VERDICT_BORDERLINE, VERDICT_UNDECIDED };
enum region_kind { REGION_ELLIPSOID, REGION_BOX, REGION_INDEPENDENT, REGION_CONE };
#define REGION_KINDS ((size_t)4)

/* A constraint of the cone that the whole region violates. */
struct violation {
	bool equality;
	size_t row;    /* index in cone->equality or cone->inequality */
	double margin; /* −(maximum of ±coef·v over the region) / (Σ|coef|·mean) */
	double excess; /* coef·mean, in counts */
	/* number of counters in the row; of two equally violated rows, the row with fewer counters comes first */
	size_t counters;
};

/* Result of the cone test. */
struct cone_test {
	size_t dimensions; /* number of constraints that meet at the nearest point of the cone, equalities included */
	/* squared distance in the covariance of the mean, that is, the region's covariance without its inflation */
	double distance2;
	/* quantile of T² for these dimensions; INFINITY if there are too few rows */
	double threshold2;
	double freedom;    /* degrees of freedom of the covariance of the mean */
	double p;          /* P(T² ≥ distance2); larger if slow noise explains more */
};

struct verdict {
	enum verdict_kind verdict;               /* by the deciding region */
	enum verdict_kind region[REGION_KINDS];  /* by each region_kind; all equal for a point */
	enum verdict_kind family_wise;           /* set by verdicts_holm(); until then the same as verdict */
	char *reason;                            /* why the verdict is undecided or borderline; else NULL */
	/* results for the ellipsoid; NAN if there is none; threshold2 is 0 for a point. If the region is tested
	 * repeatedly while data grow, threshold2 and p hold for all tests together. */
	double distance2, threshold2, p;
	/* squared radius of the deciding region, in the region's covariance: argument of verdict_across() */
	double reach2;
	/* result of REGION_CONE; test.dimensions is 0 if it was not computed */
	struct cone_test test;
	/* form of noise that best explains the observation: the reason for doubt, if there is one */
	struct noise_form noise;
	/* p-value with the noise of `noise`; NAN if nothing was refuted */
	double doubt;
	/* p-value if rows were independent, and about how many samples of the same kind would suffice to refute in
	 * spite of that noise; both NAN if `doubt` is NAN */
	double p_independent, samples_needed;
	/* why the independence of rows is in doubt; NOISE_NO_DOUBT: it is not */
	enum noise_doubt why;
	/* infeasible, and so is every model whose cone is inside this one */
	bool strong;
	struct violation *violated;              /* worst first; may be empty although infeasible */
	size_t n_violated;
	/* if undecided because of slow noise: the constraint that independent rows would refute, or the one violated
	 * most; otherwise NULL */
	struct violation *suspected;
	int64_t *certificate;                    /* n_counters integers, NULL unless infeasible */
	/* the certificate passed the exact check (always true if infeasible) */
	bool verified;
	/* lowest level at which the deciding region refutes; NAN: unknown (boxes) */
	double p_decides;
	/* µpath flow (witness.h), if requested and feasible; NULL if none was found */
	struct witness *flow;
};

struct verdict_options {
	double confidence;       /* 0 < c < 1 */
	enum region_kind decides;
	bool flow;
	bool alone;              /* compute only the region `decides`; the others stay undecided */
	bool bare;               /* only the verdict is needed: `violated` may be omitted */
	/* χ² quantile, if the caller keeps it (computing it takes longer than a verdict); 0: compute it. Unused for
	 * regions that are tested repeatedly, which have a threshold of their own. */
	double threshold2;
};

/* Decide. The cone and the region have the same counters in the same order. Free with verdict_free(). */
struct verdict *verdict_new(const struct cone *, const struct region *, const struct verdict_options *);
/* Returns an undecided verdict with this reason. */
struct verdict *verdict_undecided(const char *reason);
void verdict_free(struct verdict *);
/* Returns a copy of the verdict without the memory that it owns: all pointers in the copy are NULL. */
struct verdict verdict_numbers(const struct verdict *);

/* Holm's step-down procedure over observations: sets family_wise of each verdict. cone[i] and region[i] are those given
 * to verdict_new(). Of a verdict, only `verdict` and p_decides are read; cones are read only for refuted verdicts.
 * known[i]: the rejection of verdict i is already known, because a region that rejects a cone rejects each cone inside
 * it. `known` NULL: none is known. */
void verdicts_holm(struct verdict **, const struct cone *const *, const struct region *const *, size_t n,
	const bool *known, const struct verdict_options *);

/* Position of a region across a row Σ coef·v: from at − reach to at + reach, in counts. `reach2` is that of the
 * verdict. A point, or a region without a noise model, has reach 0. `size` is Σ |coef|·mean. */
struct across {
	double at, reach, size;
};
struct across verdict_across(const struct region *, const int64_t *coef, enum region_kind, double reach2);

extern const char *const verdict_words[VERDICT_UNDECIDED + 1];
const char *verdict_name(enum verdict_kind);
const char *region_name(enum region_kind);

/* Returns the region to draw, or to compute flows for, when `k` decides: for the cone test, the ellipsoid. */
static inline enum region_kind
region_shown(enum region_kind k)
{
	return k == REGION_CONE ? REGION_ELLIPSOID : k;
}

#endif
