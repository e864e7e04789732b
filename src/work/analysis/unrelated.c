/* A constraint may relate only counters of one group. So an observation is judged over one of its groups: the model's
 * cone is projected onto it, as it is onto the counters that the data have, and what refutes the projection refutes the
 * model. The largest group is taken, because the constraints between its counters are most. What does not refute says
 * nothing about the constraints across groups: if the model has any, the verdict is undecided. Where the groups are not
 * connected by a constraint, nothing is lost but the constraints within the other groups. */
#include "work/analysis/unrelated.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/udd/model.h"
#include "core/verdict/match.h"
#include "core/verdict/verdict.h"
#include "work/analysis/cones.h"
#include "work/analysis/describe.h"

void
unrelated_choose(const struct analysis *analysis, struct prepared *prepared)
{
	size_t n = analysis->model->n_counters, in[256] = {0};
	unsigned char best = 0;

	if (prepared->match->n_groups < 2)
		return;
	for (size_t i = 0; i < n; i++)
		if (prepared->keep[i] && ++in[prepared->match->group[i]] > in[best])
			best = prepared->match->group[i];
	if (in[best] == prepared->n_kept)
		return;
	prepared->related = mem_copy(prepared->keep, n * sizeof *prepared->keep);
	for (size_t i = 0; i < n; i++)
		prepared->keep[i] = prepared->keep[i] && prepared->match->group[i] == best;
	prepared->n_kept = in[best];
}

/* Whether some constraint relates counters of different groups. */
static bool
crosses(const struct cone *cone, const struct prepared *prepared, size_t n_counters)
{
	for (size_t r = 0; r < cone->n_equalities + cone->n_inequalities; r++) {
		const int64_t *row = cone_row(cone, r);
		unsigned char group = 0;

		for (size_t i = 0, k = 0; i < n_counters; i++) {
			if (!prepared->related[i] || !row[k++])
				continue;
			if (group && group != prepared->match->group[i])
				return true;
			group = prepared->match->group[i];
		}
	}
	return !cone->complete;
}

void
unrelated_judge(struct analysis *a, const struct fset *on, const struct prepared *p, struct verdict *v)
{
	if (!p->related || v->verdict == VERDICT_INFEASIBLE || v->verdict == VERDICT_UNDECIDED ||
		!crosses(cones_get(a->cones, on, p->related), p, a->model->n_counters))
		return;
	free(v->reason);
	v->verdict = v->family_wise = VERDICT_UNDECIDED;
	v->reason = str_format("the model relates counters that were not counted alike: %s", p->match->apart);
}
