/* Explains why the data refute a choice of features. It lists, for each violated constraint, and for each certificate
 * of an observation that violates no single constraint:
 *
 * - the observations that break it,
 * - the µpaths from which the model derives it,
 * - the features that would relax it.
 *
 * Source: CounterPoint section 5, figure 6. */
#ifndef WORK_ANALYSIS_EXPLAIN_H
#define WORK_ANALYSIS_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "work/analysis/analysis.h"
#include "work/analysis/relax.h"

struct explanation {
	struct constraint *constraint; /* owned copy of the result's constraint */
	int side;                      /* for an equality: -1 if Σ coef·v is too small, 1 if it is too large */
	bool certificate;              /* a combination of constraints, none of which is violated alone */
	size_t *finding;               /* the observations that break it, worst first */
	size_t n_findings;
	double worst, off;             /* margin of the first, and its distance in counts (struct constraint) */
	struct constraint_detail *touch; /* the µpaths that are tight on it, and the features that relax it */
};

/* Constraints that most observations break come first. An equality that is broken on both sides is there twice, because
 * different µpaths break each side. */
struct explanations {
	struct explanation *one;
	size_t n;
};

/* Explains `now`, a result of this analysis without error. NULL only when stopped. */
struct explanations *analysis_explain(struct analysis *, const struct result *now, const struct analysis_watch *);
void explanations_free(struct explanations *);

#endif
