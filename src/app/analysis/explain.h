/* Why the data refute a choice of features: each violated constraint, or the certificate of an observation that
 * violates no single one, who breaks it, which µpaths make the model demand it, and which features would relax it.
 * Source: CounterPoint section 5, figure 6. */
#ifndef APP_ANALYSIS_EXPLAIN_H
#define APP_ANALYSIS_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "app/analysis/analysis.h"
#include "app/analysis/relax.h"

struct explanation {
	struct constraint *constraint; /* owned: as the result has it */
	int side;                      /* of an equality: -1 where Σ coef·v is too small, 1 where it is too large */
	bool certificate;              /* no single constraint is violated: it is a combination of some */
	size_t *finding;               /* observations that break it, worst first */
	size_t n_findings;
	double worst, off;             /* of the first: margin, and how far off in counts (struct constraint) */
	struct touch *touch;           /* µpaths that are tight on it, and the features that relax it */
};

/* Those that most observations break come first. An equality that is broken on both sides is there twice: other µpaths
 * break it there. */
struct explanations {
	struct explanation *one;
	size_t n;
};

/* `now` is a result of this analysis, without error. NULL only when stopped. */
struct explanations *analysis_explain(struct analysis *, const struct result *now, const struct watch *);
void explanations_free(struct explanations *);

#endif
