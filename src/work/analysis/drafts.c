#include "work/analysis/drafts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/stats/region.h"
#include "core/stats/tails.h"
#include "core/udd/model.h"
#include "core/verdict/verdict.h"
#include "work/analysis/cones.h"
#include "work/analysis/describe.h"

/* s; after a cone that took longer, cones are made without facets, because there may be thousands of them */
#define SECONDS_MAX 0.1

/* A cone with the vectors of the last question. Observations with the same counters share it. */
struct grown {
	bool *keep;
	struct cone *cone;
};

struct draft_search {
	struct analysis *a;
	struct drafts *d;
	const struct analysis_watch *watch;
	size_t asked;
	int64_t *vector;   /* what `grown` was made for */
	size_t n_vectors;
	struct grown *grown;
	size_t n_grown, cap_grown;
	bool without_facets;
	double *threshold2; /* squared threshold by number of counters; 0: not computed yet */
};

static void
forget_grown(struct draft_search *w)
{
	for (size_t i = 0; i < w->n_grown; i++) {
		free(w->grown[i].keep);
		cone_free(w->grown[i].cone);
	}
	w->n_grown = 0;
}

static void
note_vectors(struct draft_search *w, size_t n, const int64_t *vector)
{
	size_t width = w->a->model->n_counters;

	if (w->vector && n == w->n_vectors && memcmp(w->vector, vector, n * width * sizeof *vector) == 0)
		return;
	forget_grown(w);
	free(w->vector);
	w->vector = mem_copy(vector, n * width * sizeof *vector);
	w->n_vectors = n;
}

static const struct cone *
grown_cone(struct draft_search *w, const bool *keep)
{
	size_t width = w->a->model->n_counters;
	const struct cone *base = cones_get(w->a->cones, &w->d->on, keep);
	struct cone_limits limits = {.seconds = w->without_facets ? -1 : w->a->opt.cone_seconds};
	struct cone *cone;
	int64_t *row, *at;

	for (size_t i = 0; i < w->n_grown; i++)
		if (memcmp(w->grown[i].keep, keep, width * sizeof *keep) == 0)
			return w->grown[i].cone;
	row = mem_new_array((base->n_signatures + w->n_vectors) * base->n_counters, sizeof *row);
	memcpy(row, base->signature, base->n_signatures * base->n_counters * sizeof *row);
	at = row + base->n_signatures * base->n_counters;
	for (size_t k = 0; k < w->n_vectors; k++)
		for (size_t i = 0; i < width; i++)
			if (keep[i])
				*at++ = w->vector[k * width + i];
	cone = cone_grow(&base, 1, base->n_counters, base->n_signatures + w->n_vectors, row, &limits);
	w->without_facets |= cone->seconds > SECONDS_MAX;
	mem_grow(&w->grown, &w->cap_grown, w->n_grown + 1, sizeof *w->grown);
	w->grown[w->n_grown++] = (struct grown){mem_copy(keep, width * sizeof *keep), cone};
	free(row);
	return cone;
}

static struct verdict *
judge_grown(struct draft_search *w, const struct prepared *p)
{
	struct verdict_options how = {
		.confidence = w->a->opt.confidence, .decides = (enum region_kind)w->a->opt.decides};

	if (w->threshold2[p->n_kept] <= 0)
		w->threshold2[p->n_kept] = chi2_quantile(how.confidence, p->n_kept);
	how.threshold2 = w->threshold2[p->n_kept];
	return verdict_new(grown_cone(w, p->keep), p->region, &how);
}

static enum propose_answer
drafts_judge(void *ctx, size_t observation, size_t n, const int64_t *vector, int64_t *certificate)
{
	struct draft_search *w = ctx;
	const struct prepared *p = analysis_observation(w->a, w->d->finding[observation]);
	enum propose_answer answer = PROPOSE_UNKNOWN;
	struct verdict *v;

	if (w->watch && !w->watch->go_on(w->watch->ctx, "signatures", w->asked, 0))
		return PROPOSE_STOPPED;
	w->asked++;
	note_vectors(w, n, vector);
	v = judge_grown(w, p);
	if (v->verdict == VERDICT_INFEASIBLE && p->less) { /* a refutation must not rest on doubted zeros */
		p = p->less;
		verdict_free(v);
		v = judge_grown(w, p);
	}
	if (v->verdict == VERDICT_FEASIBLE)
		answer = PROPOSE_TAKEN;
	if (v->verdict == VERDICT_INFEASIBLE) {
		answer = PROPOSE_REFUTED;
		for (size_t i = 0, k = 0; i < w->a->model->n_counters; i++)
			certificate[i] = p->keep[i] ? v->certificate[k++] : 0;
	}
	verdict_free(v);
	return answer;
}

/* Finds the observations that refute the choice family-wise, even if each decides by itself elsewhere: a draft must not
 * explain chance. CounterPoint has no family. False when stopped. */
static bool
find_refuted(struct draft_search *w)
{
	size_t n = analysis_n_observations(w->a);
	struct verdict **v = mem_new_array(n, sizeof(struct verdict *));
	const struct cone **cone = mem_new_array(n, sizeof(const struct cone *));
	bool whole = judge_all(w->a, &w->d->on, true, v, cone, w->watch);

	if (whole)
		judge_family(w->a, v, cone, n);
	w->d->finding = mem_new_array(n, sizeof *w->d->finding);
	for (size_t i = 0; i < n && whole; i++)
		if ((w->a->opt.counterpoint ? v[i]->verdict : v[i]->family_wise) == VERDICT_INFEASIBLE)
			w->d->finding[w->d->n_findings++] = i;
	judge_free_verdicts(v, n);
	free(cone);
	return whole;
}

static bool
drafts_is_taken(const struct udd_model *m, const char *name)
{
	bool taken = false;

	for (size_t i = 0; i < m->n_features; i++)
		taken |= str_eq(m->feature[i].name, name);
	for (size_t i = 0; i < m->n_roots; i++)
		taken |= str_eq(m->root[i].name, name);
	for (size_t i = 0; i < m->n_variants; i++)
		taken |= str_eq(m->variant[i].name, name);
	return taken;
}

/* Returns a name that the model does not use: "draft1", "draft2", … */
static char *
free_name(const struct udd_model *m, const char *stem, size_t *number)
{
	char *name = str_format("%s%zu", stem, ++*number);

	while (drafts_is_taken(m, name)) {
		free(name);
		name = str_format("%s%zu", stem, ++*number);
	}
	return name;
}

/* Appends a draft feature and its path. A diagram's amounts end at 2^31 - 1; sums of proposals are far below that. */
static void
add_feature(const struct udd_model *m, const char *name, const struct proposal *p, struct str *out)
{
	str_addf(out, "feature %s \"draft: to be named\";\npath %s when %s {", name, name, name);
	for (size_t i = 0; i < m->n_counters; i++) {
		if (!p->vector[i])
			continue;
		str_add(out, " count ");
		udd_counter_word(m->counter[i].name, out);
		if (p->vector[i] > 1)
			str_addf(out, " * %lld", (long long)p->vector[i]);
		str_addc(out, ';');
	}
	str_add(out, " done; }\n");
}

static void
drafts_write_text(struct draft_search *w)
{
	struct drafts *d = w->d;
	const struct udd_model *m = w->a->model;
	struct str out = {0};
	size_t number = 0, some = 0, features = m->n_features;

	d->name = mem_new_array(d->found->n, sizeof *d->name);
	for (size_t i = 0; i < d->found->n; i++)
		if (features + i < FSET_MAX) {
			d->name[i] = free_name(m, "draft", &number);
			add_feature(m, d->name[i], &d->found->one[i].own, &out);
		} else {
			d->name[i] = mem_str("");
		}
	if (d->found->n) {
		number = 0;
		d->variant = drafts_is_taken(m, "drafts") ? free_name(m, "drafts", &number) : mem_str("drafts");
		str_addf(&out, "variant %s {", d->variant);
		for (size_t i = 0; i < m->n_features; i++)
			if (fset_has(&d->on, i))
				str_addf(&out, "%s %s", some++ ? "," : "", m->feature[i].name);
		for (size_t i = 0; i < d->found->n; i++)
			if (*d->name[i])
				str_addf(&out, "%s %s", some++ ? "," : "", d->name[i]);
		str_add(&out, " };\n");
	}
	d->text = mem_str(str_text(&out));
	str_free(&out);
}

static bool
propose_for_refuted(struct draft_search *w)
{
	size_t n = w->a->model->n_counters;
	bool *use = mem_new_array(n, sizeof *use);
	struct propose_problem p = {
		.n_counters = n, .n_observations = w->d->n_findings, .use = use, .judge = drafts_judge, .ctx = w};

	for (size_t k = 0; k < w->d->n_findings; k++)
		for (size_t i = 0; i < n; i++)
			use[i] |= analysis_observation(w->a, w->d->finding[k])->keep[i];
	w->d->found = propose(&p);
	free(use);
	return w->d->found != NULL;
}

struct drafts *
analysis_drafts(struct analysis *a, const struct fset *on, const struct analysis_watch *watch)
{
	struct draft_search w = {.a = a, .d = mem_new(sizeof *w.d), .watch = watch};
	char *error = NULL;
	bool good;

	w.d->on = *on;
	w.threshold2 = mem_new_array(a->model->n_counters + 1, sizeof *w.threshold2);
	cones_begin(a->cones);
	good = cones_signatures(a->cones, on, &error) && find_refuted(&w) && propose_for_refuted(&w);
	if (good)
		drafts_write_text(&w);
	free(error);
	forget_grown(&w);
	free(w.grown);
	free(w.vector);
	free(w.threshold2);
	if (good)
		return w.d;
	drafts_free(w.d);
	return NULL;
}

void
drafts_vector(const struct udd_model *m, const struct proposal *p, struct str *out)
{
	size_t some = 0;

	for (size_t i = 0; i < m->n_counters; i++) {
		if (!p->vector[i])
			continue;
		str_add(out, some++ ? " + " : "");
		if (p->vector[i] > 1)
			str_addf(out, "%lld ", (long long)p->vector[i]);
		str_add(out, m->counter[i].name);
	}
}

void
drafts_free(struct drafts *d)
{
	if (!d)
		return;
	for (size_t i = 0; d->name && i < d->found->n; i++)
		free(d->name[i]);
	free(d->name);
	free(d->text);
	free(d->variant);
	free(d->finding);
	proposals_free(d->found);
	free(d);
}
