/* Holm's step-down procedure without p-values.
 *
 * With m tests at family-wise level α, reject everything that a test at level α / m rejects. Then reject everything
 * that a test at level α / (m − rejected) rejects, and repeat until nothing is added. For p-values this is Holm's
 * procedure in its order-wise form. Because it works on verdicts with certificates, it also applies to boxes, which
 * have no p-value. If there is a p-value above the level, the test is skipped. Exact totals are not part of the
 * family: no noise, no α.
 *
 * Source: S. Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scand. J. Statist. 6 (1979). */
#include "core/verdict/verdict.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/stats/region.h"

/* True for an observation that is refuted at the plain level, but not yet at the stricter one. */
static bool
is_open(const struct verdict *v, const struct region *r, bool rejected)
{
	return v->verdict == VERDICT_INFEASIBLE && !r->point && !rejected;
}

/* Returns true if the p-value shows that a test at this level would not refute. Boxes have no p-value. Close to the
 * level only the test itself decides. */
static bool
is_above(const struct verdict *v, const struct verdict_options *o)
{
	return isfinite(v->p_decides) && v->p_decides > 1.001 * (1 - o->confidence);
}

void
verdicts_holm(struct verdict **v, const struct cone *const *cone, const struct region *const *region, size_t n,
	const bool *known, const struct verdict_options *options)
{
	bool *rejected = mem_new_array(n, sizeof *rejected);
	struct verdict_options strict = *options;
	size_t family = 0, done = 0, before;

	strict.flow = false;
	strict.alone = strict.bare = true;
	strict.threshold2 = 0;
	for (size_t i = 0; i < n; i++) {
		v[i]->family_wise = v[i]->verdict;
		if (v[i]->verdict == VERDICT_UNDECIDED || region[i]->point)
			continue;
		family++;
		rejected[i] = known && known[i];
		done += rejected[i];
	}
	if (done == family) {
		free(rejected);
		return;
	}
	do {
		before = done;
		strict.confidence = 1 - (1 - options->confidence) / (double)(family - before);
		for (size_t i = 0; i < n; i++) {
			struct verdict *again;

			if (!is_open(v[i], region[i], rejected[i]))
				continue;
			v[i]->family_wise = VERDICT_FEASIBLE;
			if (is_above(v[i], &strict))
				continue;
			again = verdict_new(cone[i], region[i], &strict);
			v[i]->family_wise = again->verdict;
			rejected[i] = again->verdict == VERDICT_INFEASIBLE;
			done += rejected[i];
			verdict_free(again);
		}
	} while (done > before && done < family);
	free(rejected);
}
