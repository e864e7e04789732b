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
grown_cone(struct draft_search *search, const bool *keep)
{
	size_t width = search->a->model->n_counters;
	const struct cone *base = cones_get(search->a->cones, &search->d->on, keep);
	struct cone_limits limits = {.seconds = search->without_facets ? -1 : search->a->opt.cone_seconds};
	struct cone *cone;
	int64_t *row, *at;

	for (size_t i = 0; i < search->n_grown; i++)
		if (memcmp(search->grown[i].keep, keep, width * sizeof *keep) == 0)
			return search->grown[i].cone;
	row = mem_new_array((base->n_signatures + search->n_vectors) * base->n_counters, sizeof *row);
	memcpy(row, base->signature, base->n_signatures * base->n_counters * sizeof *row);
	at = row + base->n_signatures * base->n_counters;
	for (size_t k = 0; k < search->n_vectors; k++)
		for (size_t i = 0; i < width; i++)
			if (keep[i])
				*at++ = search->vector[k * width + i];
	cone = cone_grow(&base, 1, base->n_counters, base->n_signatures + search->n_vectors, row, &limits);
	search->without_facets |= cone->seconds > SECONDS_MAX;
	mem_grow(&search->grown, &search->cap_grown, search->n_grown + 1, sizeof *search->grown);
	search->grown[search->n_grown++] = (struct grown){mem_copy(keep, width * sizeof *keep), cone};
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
	struct draft_search *search = ctx;
	const struct prepared *prepared = analysis_observation(search->a, search->d->finding[observation]);
	enum propose_answer answer = PROPOSE_UNKNOWN;
	struct verdict *verdict;

	if (search->watch && !search->watch->go_on(search->watch->ctx, "signatures", search->asked, 0))
		return PROPOSE_STOPPED;
	search->asked++;
	note_vectors(search, n, vector);
	verdict = judge_grown(search, prepared);
	if (verdict->verdict == VERDICT_INFEASIBLE &&
		prepared->less) { /* a refutation must not rest on doubted zeros */
		prepared = prepared->less;
		verdict_free(verdict);
		verdict = judge_grown(search, prepared);
	}
	if (verdict->verdict == VERDICT_FEASIBLE)
		answer = PROPOSE_TAKEN;
	if (verdict->verdict == VERDICT_INFEASIBLE) {
		answer = PROPOSE_REFUTED;
		for (size_t i = 0, k = 0; i < search->a->model->n_counters; i++)
			certificate[i] = prepared->keep[i] ? verdict->certificate[k++] : 0;
	}
	verdict_free(verdict);
	return answer;
}

/* Finds the observations that refute the choice family-wise, even if each decides by itself elsewhere: a draft must not
 * explain chance. CounterPoint has no family. False when stopped. */
static bool
find_refuted(struct draft_search *search)
{
	size_t n = analysis_n_observations(search->a);
	struct verdict **v = mem_new_array(n, sizeof(struct verdict *));
	const struct cone **cone = mem_new_array(n, sizeof(const struct cone *));
	bool whole = judge_all(search->a, &search->d->on, true, v, cone, search->watch);

	if (whole)
		judge_family(search->a, v, cone, n);
	search->d->finding = mem_new_array(n, sizeof *search->d->finding);
	for (size_t i = 0; i < n && whole; i++)
		if ((search->a->opt.counterpoint ? v[i]->verdict : v[i]->family_wise) == VERDICT_INFEASIBLE)
			search->d->finding[search->d->n_findings++] = i;
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
add_feature(const struct udd_model *model, const char *name, const struct proposal *proposal, struct str *out)
{
	str_addf(out, "feature %s \"draft: to be named\";\npath %s when %s {", name, name, name);
	for (size_t i = 0; i < model->n_counters; i++) {
		if (!proposal->vector[i])
			continue;
		str_add(out, " count ");
		udd_counter_word(model->counter[i].name, out);
		if (proposal->vector[i] > 1)
			str_addf(out, " * %lld", (long long)proposal->vector[i]);
		str_addc(out, ';');
	}
	str_add(out, " done; }\n");
}

static void
drafts_write_text(struct draft_search *search)
{
	struct drafts *drafts = search->d;
	const struct udd_model *model = search->a->model;
	struct str out = {0};
	size_t number = 0, some = 0, features = model->n_features;

	drafts->name = mem_new_array(drafts->found->n, sizeof *drafts->name);
	for (size_t i = 0; i < drafts->found->n; i++)
		if (features + i < FSET_MAX) {
			drafts->name[i] = free_name(model, "draft", &number);
			add_feature(model, drafts->name[i], &drafts->found->one[i].own, &out);
		} else {
			drafts->name[i] = mem_str("");
		}
	if (drafts->found->n) {
		number = 0;
		drafts->variant = drafts_is_taken(model, "drafts") ? free_name(model, "drafts", &number)
								   : mem_str("drafts");
		str_addf(&out, "variant %s {", drafts->variant);
		for (size_t i = 0; i < model->n_features; i++)
			if (fset_has(&drafts->on, i))
				str_addf(&out, "%s %s", some++ ? "," : "", model->feature[i].name);
		for (size_t i = 0; i < drafts->found->n; i++)
			if (*drafts->name[i])
				str_addf(&out, "%s %s", some++ ? "," : "", drafts->name[i]);
		str_add(&out, " };\n");
	}
	drafts->text = mem_str(str_text(&out));
	str_free(&out);
}

static bool
propose_for_refuted(struct draft_search *search)
{
	size_t n = search->a->model->n_counters;
	bool *use = mem_new_array(n, sizeof *use);
	struct propose_problem p = {.n_counters = n,
		.n_observations = search->d->n_findings,
		.use = use,
		.judge = drafts_judge,
		.ctx = search};

	for (size_t k = 0; k < search->d->n_findings; k++)
		for (size_t i = 0; i < n; i++)
			use[i] |= analysis_observation(search->a, search->d->finding[k])->keep[i];
	search->d->found = propose(&p);
	free(use);
	return search->d->found != NULL;
}

struct drafts *
analysis_drafts(struct analysis *analysis, const struct fset *on, const struct analysis_watch *watch)
{
	struct draft_search w = {.a = analysis, .d = mem_new(sizeof *w.d), .watch = watch};
	char *error = NULL;
	bool good;

	w.d->on = *on;
	w.threshold2 = mem_new_array(analysis->model->n_counters + 1, sizeof *w.threshold2);
	cones_begin(analysis->cones);
	good = cones_signatures(analysis->cones, on, &error) && find_refuted(&w) && propose_for_refuted(&w);
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
drafts_vector(const struct udd_model *model, const struct proposal *proposal, struct str *out)
{
	size_t some = 0;

	for (size_t i = 0; i < model->n_counters; i++) {
		if (!proposal->vector[i])
			continue;
		str_add(out, some++ ? " + " : "");
		if (proposal->vector[i] > 1)
			str_addf(out, "%lld ", (long long)proposal->vector[i]);
		str_add(out, model->counter[i].name);
	}
}

void
drafts_free(struct drafts *drafts)
{
	if (!drafts)
		return;
	for (size_t i = 0; drafts->name && i < drafts->found->n; i++)
		free(drafts->name[i]);
	free(drafts->name);
	free(drafts->text);
	free(drafts->variant);
	free(drafts->finding);
	proposals_free(drafts->found);
	free(drafts);
}
