/* Does a choice of features survive? Cones and verdicts for core/search, which sees neither. */
#include <stdlib.h>
#include <string.h>

#include "app/cones.h"
#include "app/describe.h"
#include "app/search_cones.h"
#include "app/search_work.h"
#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/stats/region.h"
#include "core/udd/model.h"
#include "core/verdict/verdict.h"

static void
keep_certificate(struct search_work *w, size_t i, const struct verdict *v)
{
	const struct prepared *p = nth_observation(w->a, i);
	size_t n = w->a->model->n_counters;

	w->certificate[i] = mem_new_array(n, sizeof **w->certificate);
	for (size_t c = 0, k = 0; c < n; c++)
		if (p->keep[c])
			w->certificate[i][c] = v->certificate[k++];
}

void
search_forget_certificates(struct search_work *w)
{
	for (size_t i = 0; i < w->n; i++) {
		free(w->certificate[i]);
		w->certificate[i] = NULL;
	}
}

static void
put_bit(uint64_t *bits, size_t i)
{
	bits[i / 64] |= UINT64_C(1) << (i % 64);
}

static bool
has_bit(const uint64_t *bits, size_t i)
{
	return bits[i / 64] >> (i % 64) & 1;
}

/* Where the verdicts on a cone go. */
struct judging {
	struct search_judged *judged;
	struct search_cone *cone;
};

/* A certificate stands where no single constraint is violated by anyone. */
static void
note_worst(const struct search_work *w, struct search_cone *to, size_t i, const struct cone *c, const struct verdict *v)
{
	const struct violation *k = v->n_violated ? v->violated : NULL;
	double margin = k ? k->margin : 0;
	struct constraint row;

	if (margin <= to->margin)
		return;
	row = describe_row(w->a, nth_observation(w->a, i)->keep,
		k ? (k->equality ? c->equality : c->inequality) + k->row * c->n_counters : v->certificate, k && k->equality);
	free(to->worst);
	free(row.coef);
	*to = (struct search_cone){.fingerprint = to->fingerprint, .worst = row.text, .worst_by = i, .margin = margin};
}

static void
note_verdict(struct search_work *w, struct judging *to, size_t i, const struct cone *c, const struct verdict *v, enum verdict_kind kind)
{
	struct search_judged *j = to->judged;

	w->decided[i] |= kind != VERDICT_UNDECIDED;
	if (kind == VERDICT_FEASIBLE)
		put_bit(j->feasible, i);
	if (kind != VERDICT_INFEASIBLE)
		return;
	put_bit(j->infeasible, i);
	keep_certificate(w, i, v);
	note_worst(w, to->cone, i, c, v);
}

/* Holm's verdict of one observation is one of all: each is judged. */
static bool
judge_by_holm(struct search_work *w, const struct fset *on, struct judging *to)
{
	struct verdict **v = mem_new_array(w->n, sizeof(struct verdict *));
	const struct cone **cone = mem_new_array(w->n, sizeof(const struct cone *));
	bool whole = judge_all(w->a, on, v, cone, w->watch);

	w->stopped |= !whole;
	if (whole)
		judge_family(w->a, v, cone, w->n);
	for (size_t i = 0; i < w->n && whole; i++)
		note_verdict(w, to, i, cone[i], v[i], v[i]->family_wise);
	free_verdicts(v, w->n);
	free(cone);
	return whole;
}

/* What misses a cone misses all that lies inside of it, with the same constraint or certificate; what meets a cone meets all that it lies
 * inside of. */
static void
inherit(const struct search_work *w, size_t id, struct judging *to)
{
	struct search_judged *j = to->judged;

	for (size_t k = 0; k < w->n_judged; k++) {
		bool known = w->judged[k].infeasible && search_cones_at_hand(w->cones, k); /* making it again would take longer than it saves */
		bool below = known && search_cones_inside(w->cones, id, k);
		bool above = known && search_cones_inside(w->cones, k, id);

		for (size_t i = 0; i < w->n_words && below; i++)
			j->infeasible[i] |= w->judged[k].infeasible[i];
		if (below && w->s->cone[k].margin > to->cone->margin) {
			free(to->cone->worst);
			to->cone->worst = mem_str(w->s->cone[k].worst);
			to->cone->worst_by = w->s->cone[k].worst_by;
			to->cone->margin = w->s->cone[k].margin;
		}
		for (size_t i = 0; i < w->n_words && above; i++)
			j->feasible[i] |= w->judged[k].feasible[i];
	}
}

static bool
judge_rest(struct search_work *w, const struct fset *on, struct judging *to)
{
	const struct search_judged *j = to->judged;
	struct verdict_options how = {.confidence = w->a->opt.confidence, .decides = (enum region_kind)w->a->opt.decides};
	char *error = NULL;

	cones_begin(w->a->cones); /* others may have been made again meanwhile */
	cones_signatures(w->a->cones, on, &error);
	free(error);
	for (size_t i = 0; i < w->n; i++) {
		const struct prepared *p = nth_observation(w->a, i);
		const struct cone *cone;
		struct verdict *v;

		if (!p->region || has_bit(j->infeasible, i) || has_bit(j->feasible, i))
			continue;
		if (!search_goes_on(w, "check", i, w->n))
			return false;
		if (w->threshold2[p->n_kept] <= 0)
			w->threshold2[p->n_kept] = chi2_quantile(how.confidence, p->n_kept);
		how.threshold2 = w->threshold2[p->n_kept];
		cone = cones_get(w->a->cones, on, p->keep);
		v = verdict_new(cone, p->region, &how);
		note_verdict(w, to, i, cone, v, v->verdict);
		verdict_free(v);
	}
	return true;
}

/* A cone that is new gets its place beside the others. */
static void
meet_cone(struct search_work *w, size_t id)
{
	if (id < w->n_judged)
		return;
	mem_grow(&w->judged, &w->cap_judged, id + 1, sizeof *w->judged);
	mem_grow(&w->s->cone, &w->cap_cones, id + 1, sizeof *w->s->cone);
	for (; w->n_judged <= id; w->n_judged++) {
		w->judged[w->n_judged] = (struct search_judged){0};
		w->s->cone[w->n_judged] = (struct search_cone){.fingerprint = search_cones_fingerprint(w->cones, w->n_judged, w->used, w->a->model->n_counters), .margin = -1};
	}
	w->s->cones = w->n_judged;
}

/* Equal cones are judged once. */
static bool
judge(struct search_work *w, const struct fset *on, size_t id, uint64_t *infeasible)
{
	struct search_judged j = {0};
	struct judging to = {.judged = &j, .cone = &w->s->cone[id]};
	bool whole;

	if (!w->judged[id].infeasible) {
		j.infeasible = mem_new_array(w->n_words, sizeof *j.infeasible);
		j.feasible = mem_new_array(w->n_words, sizeof *j.feasible);
		if (w->a->opt.family_wise) {
			whole = judge_by_holm(w, on, &to);
		} else {
			inherit(w, id, &to);
			whole = judge_rest(w, on, &to);
		}
		if (!whole) {
			free(j.infeasible);
			free(j.feasible);
			return false;
		}
		w->judged[id] = j;
	}
	memcpy(infeasible, w->judged[id].infeasible, w->n_words * sizeof *infeasible);
	return true;
}

bool
search_judge(struct search_work *w, const struct fset *on, size_t *cone, uint64_t *infeasible, bool *usable)
{
	char *error = NULL;

	if (!search_goes_on(w, "models", w->tests, 0))
		return false;
	w->tests++;
	search_forget_certificates(w);
	cones_begin(w->a->cones);
	*usable = cones_signatures(w->a->cones, on, &error) != NULL;
	free(error);
	if (!*usable)
		return true;
	*cone = search_cones_id(w->cones, on, cones_get(w->a->cones, on, w->used));
	meet_cone(w, *cone);
	return judge(w, on, *cone, infeasible);
}
