/* Region against cone: does the model survive the observation?
 *
 * There are four ways to decide. Three are regions of the mean, which hold for all models at once: ellipsoid, rotated
 * box, independent box. The fourth is a test of the cone itself (REGION_CONE), which finds more.
 *
 * The cone test: the point of the cone nearest to the mean lies on a face. If r constraints meet there, the squared
 * distance is that of r dimensions, not of all N. So the cone is refuted if P(T²_r ≥ d²) ≤ 1 − confidence. Given the
 * face, this keeps the level for every point of the cone, because distance and face are independent. That is true for
 * noise of any covariance, estimated from the same rows or not. (Sources: Cox and Shi, Review of Economic Studies 90,
 * 2023, for a known covariance; Hotelling's T² for an estimated one.) A model that the ellipsoid refutes, the cone test
 * refutes too. It may refute a model and not a smaller one inside it, if more constraints of the larger one meet;
 * `strong` says that no model inside can survive.
 *
 * A refutation is then tested against slow noise (core/stats/noise.h). If the rows cannot exclude noise that would
 * explain it, the verdict is undecided. It is also undecided if counters took turns in step with the program (struct
 * samples: locked).
 *
 * An infeasible verdict needs a certificate: an integer inequality Σ coef·v ≥ 0 that every signature satisfies and the
 * whole region violates. certify_gmp.c checks both in exact arithmetic and shares no code with the solvers. Sources:
 * CounterPoint section 4, appendix A; docs/numerics.md. */
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
	/* number of counters in the row; of two equally violated rows the one with fewer comes first */
	size_t counters;
};

/* Result of the cone test. */
struct cone_test {
	size_t dimensions; /* number of constraints that meet at the nearest point of the cone, equalities included */
	double distance2;  /* in the covariance of the mean: the region's without its inflation */
	/* quantile of T² with so many dimensions; INFINITY if there are too few rows */
	double threshold2;
	double freedom;    /* degrees of freedom of that covariance */
	double p;          /* P(T² ≥ distance2); larger if slow noise explains more */
};

struct verdict {
	enum verdict_kind verdict;               /* by the deciding region */
	enum verdict_kind region[REGION_KINDS];  /* by each region_kind; all equal for a point */
	enum verdict_kind family_wise;           /* set by verdicts_holm(); until then the same as verdict */
	char *reason;                            /* why it is undecided or borderline; else NULL */
	/* of the ellipsoid; NAN if there is none; threshold2 is 0 for a point. If the region is tested repeatedly
	 * while data grow, threshold and p hold for all tests together. */
	double distance2, threshold2, p;
	/* squared radius of the deciding region, in the region's covariance: argument of verdict_across() */
	double reach2;
	struct cone_test test;                   /* of REGION_CONE; dimensions is 0 if it was not computed */
	/* form of noise that best explains the observation: the reason for doubt, if there is one */
	struct noise_form noise;
	/* p-value with that noise; NAN if nothing was refuted */
	double doubt;
	/* the p-value if rows were independent, and about how many samples of the same kind would refute against that
	 * noise; NAN where `doubt` is */
	double p_independent, samples_needed;
	enum noise_doubt why;                    /* why independent rows are in doubt; NOISE_NO_DOUBT: they are not */
	/* infeasible, and so is every model whose cone is inside this one */
	bool strong;
	struct violation *violated;              /* worst first; may be empty although infeasible */
	size_t n_violated;
	/* undecided because of slow noise: the constraint that independent rows would refute, or that is violated most;
	 * NULL otherwise */
	struct violation *suspected;
	int64_t *certificate;                    /* n_counters integers, NULL unless infeasible */
	/* the certificate passed the exact check (always true if infeasible) */
	bool verified;
	/* the deciding region refutes at no level below this; NAN: unknown (boxes) */
	double p_decides;
	struct witness *flow;                    /* if requested and feasible (witness.h); NULL if none was found */
};

struct verdict_options {
	double confidence;       /* 0 < c < 1 */
	enum region_kind decides;
	bool flow;
	bool alone;              /* compute only that region; the others stay undecided */
	bool bare;               /* only the verdict is needed: `violated` may be omitted */
	/* χ² quantile if the caller keeps it (computing it takes longer than a verdict); 0: compute it. Regions that
	 * are tested repeatedly have their own. */
	double threshold2;
};

/* Decide. The cone and the region have the same counters in the same order. Free with verdict_free(). */
struct verdict *verdict_new(const struct cone *, const struct region *, const struct verdict_options *);
/* An undecided verdict with this reason. */
struct verdict *verdict_undecided(const char *reason);
void verdict_free(struct verdict *);
/* Returns the verdict without what it owns: those fields are empty. */
struct verdict verdict_numbers(const struct verdict *);

/* Holm's step-down procedure over observations: sets family_wise of each. cone[i] and region[i] are those given to
 * verdict_new(). Only `verdict` and p_decides of a verdict are used, and cones only of refuted ones. known[i]: its
 * rejection is already known, because a region that rejects a cone rejects each cone inside it. NULL: none is known. */
void verdicts_holm(struct verdict **, const struct cone *const *, const struct region *const *, size_t n,
	const bool *known, const struct verdict_options *);

/* Position of a region across a row Σ coef·v: from at − reach to at + reach, in counts. reach2 is the verdict's. A
 * point, or a region without a noise model, has reach 0. `size` is Σ |coef|·mean. */
struct across {
	double at, reach, size;
};
struct across verdict_across(const struct region *, const int64_t *coef, enum region_kind, double reach2);

extern const char *const verdict_words[VERDICT_UNDECIDED + 1];
const char *verdict_name(enum verdict_kind);
const char *region_name(enum region_kind);

/* The region to draw, or to compute flows for, for a way to decide: the cone test uses the ellipsoid. */
static inline enum region_kind
region_shown(enum region_kind k)
{
	return k == REGION_CONE ? REGION_ELLIPSOID : k;
}

#endif
