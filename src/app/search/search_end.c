#include "app/search/search_end.h"

#include <stdlib.h>

#include "app/analysis/drafts.h"
#include "app/analysis/explain.h"
#include "app/search/search.h"
#include "base/mem.h"

size_t
search_nearest(const struct lattice *l)
{
	size_t best = l->n_models;

	for (size_t i = 0; i < l->n_models; i++) {
		const struct lattice_model *m = &l->model[i], *b = best < l->n_models ? &l->model[best] : NULL;

		if (m->usable && (!b || m->n_infeasible < b->n_infeasible
				  || (m->n_infeasible == b->n_infeasible && fset_count(&m->on) < fset_count(&b->on))))
			best = i;
	}
	return best;
}

struct search_end *
search_end_new(struct analysis *a, const struct search *s, bool explain, const struct watch *watch)
{
	struct search_end *e = mem_new(sizeof *e);
	bool whole = true;

	if (explain && !s->lattice->stopped) {
		e->start = analysis_explain(a, s->start, watch);
		whole = e->start != NULL;
	}
	e->refused = whole && s->request.task == SEARCH_AUTO && !s->lattice->stopped && s->lattice->n_minimal == 0 &&
		hitting_refusal(s->lattice, s->start->n_findings, &e->refusal);
	if (e->refused) {
		e->nearest = search_nearest(s->lattice);
		e->drafts = analysis_drafts(a, &s->lattice->model[e->nearest].on, watch);
		whole = e->drafts != NULL;
	}
	if (whole)
		return e;
	search_end_free(e);
	return NULL;
}

void
search_end_free(struct search_end *e)
{
	if (!e)
		return;
	explanations_free(e->start);
	free(e->refusal.element);
	drafts_free(e->drafts);
	free(e);
}
