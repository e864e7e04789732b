#include "app/search/search_hidden.h"

#include <stdlib.h>

#include "app/analysis/cones.h"
#include "app/analysis/describe.h"
#include "app/analysis/search_cones.h"
#include "app/search/search.h"
#include "base/err.h"
#include "core/udd/model.h"

#define NO_CONE ((size_t)-1)

static size_t
cone_of(struct analysis *a, struct search_cones *c, const struct fset *on, const bool *used)
{
	const struct signatures *sig;
	char *error = NULL;

	cones_begin(a->cones);
	sig = cones_signatures(a->cones, on, &error);
	free(error);
	return sig ? search_cones_id(c, on, cones_get(a->cones, on, used)) : NO_CONE;
}

/* The largest choice without the feature; features that the search did not change stay as they were. False where that
 * is not legal. */
static struct fset
largest_without(const struct analysis *a, const struct search *s, size_t feature)
{
	struct fset on = s->request.on;

	for (size_t i = 0; i < a->model->n_features; i++)
		if (!fset_has(&s->request.fixed, i) && i != feature)
			fset_put(&on, i, true);
	return udd_without(a->model, &on, feature);
}

bool
search_hidden(struct analysis *a, const struct search *s, const struct fset *truth, size_t feature)
{
	struct search_cones *c = search_cones_new(NULL, NULL);
	bool *used = analysis_used_counters(a), hidden = false;
	struct fset most = largest_without(a, s, feature);
	struct err e;
	size_t all = udd_legal(a->model, truth, &e) ? cone_of(a, c, truth, used) : NO_CONE, without;

	if (all != NO_CONE && udd_legal(a->model, &most, &e)) {
		without = cone_of(a, c, &most, used);
		hidden = without != NO_CONE && search_cones_inside(c, all, without);
	}
	for (size_t i = 0; all != NO_CONE && i < s->lattice->n_models && !hidden; i++) {
		const struct lattice_model *m = &s->lattice->model[i];

		if (!m->usable || m->n_infeasible || fset_has(&m->on, feature))
			continue;
		without = cone_of(a, c, &m->on, used);
		hidden = without != NO_CONE && search_cones_inside(c, all, without);
	}
	search_cones_free(c);
	free(used);
	return hidden;
}
