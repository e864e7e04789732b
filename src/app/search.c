/* What the search of core/search asks, answered with cones and verdicts. */
#include "app/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/cones.h"
#include "app/describe.h"
#include "app/past.h"
#include "app/search_alike.h"
#include "app/search_cones.h"
#include "base/clock.h"
#include "base/int128.h"
#include "base/mem.h"
#include "core/cone/signatures.h"
#include "core/stats/region.h"
#include "core/udd/model.h"
#include "core/verdict/verdict.h"

/* What observations say of a cone, by its number: a bit for each. Neither: borderline or undecided. All NULL: not judged. */
struct judged {
	uint64_t *infeasible, *feasible;
	uint64_t *family_wise; /* those of the infeasible that Holm's procedure over all rejects */
};

struct work {
	struct analysis *a;
	struct search *s;
	struct search_cones *cones;
	const struct watch *watch;
	bool *used;        /* the counters that cones are told apart by */
	size_t n, tests;
	struct judged *judged;
	size_t n_judged, cap_judged, n_words;
	double *threshold2; /* by number of counters; 0: not asked for yet */
	bool *decided;     /* per observation */
	bool family_wise;  /* the lattice at hand goes by Holm's procedure */
	double *p;         /* per observation, of the set tested last; NAN: not known */
	int64_t **certificate; /* per observation, over the model's counters, of the set tested last; NULL: not refuted */
};

static bool
legal(void *ctx, const struct fset *on, const struct fset *known)
{
	const struct work *w = ctx;

	return udd_may_be_legal(w->a->model, on, known);
}

static void
keep_certificate(struct work *w, size_t i, const struct verdict *v)
{
	const struct prepared *p = nth_observation(w->a, i);
	size_t n = w->a->model->n_counters;

	w->certificate[i] = mem_new_array(n, sizeof **w->certificate);
	for (size_t c = 0, k = 0; c < n; c++)
		if (p->keep[c])
			w->certificate[i][c] = v->certificate[k++];
}

static void
forget_certificates(struct work *w)
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

static void
note_verdict(struct work *w, struct judged *j, size_t i, const struct verdict *v)
{
	w->decided[i] |= v->verdict != VERDICT_UNDECIDED;
	w->p[i] = v->p;
	if (v->verdict == VERDICT_FEASIBLE)
		put_bit(j->feasible, i);
	if (v->verdict != VERDICT_INFEASIBLE)
		return;
	put_bit(j->infeasible, i);
	keep_certificate(w, i, v);
}

/* What misses a cone misses all that lies inside of it, with the same certificate; what meets a cone meets all that it lies inside of. Holm's
 * procedure rejects for a cone what it rejects for a larger one, since no observation is nearer to it. */
static void
inherit(const struct work *w, size_t id, struct judged *j)
{
	for (size_t k = 0; k < w->n_judged; k++) {
		bool below = w->judged[k].infeasible && search_cones_inside(w->cones, id, k);
		bool above = w->judged[k].infeasible && search_cones_inside(w->cones, k, id);

		for (size_t i = 0; i < w->n_words && below; i++) {
			j->infeasible[i] |= w->judged[k].infeasible[i];
			j->family_wise[i] |= w->judged[k].family_wise[i];
		}
		for (size_t i = 0; i < w->n_words && above; i++)
			j->feasible[i] |= w->judged[k].feasible[i];
	}
}

static bool
judge_rest(struct work *w, const struct fset *on, struct judged *j)
{
	struct verdict_options how = {.confidence = w->a->opt.confidence, .decides = (enum region_kind)w->a->opt.decides};

	for (size_t i = 0; i < w->n; i++) {
		const struct prepared *p = nth_observation(w->a, i);
		struct verdict *v;

		if (!p->region || has_bit(j->infeasible, i) || has_bit(j->feasible, i))
			continue;
		if (w->watch && !w->watch->go_on(w->watch->ctx, "check", i, w->n))
			return false;
		if (w->threshold2[p->n_kept] <= 0)
			w->threshold2[p->n_kept] = chi2_quantile(how.confidence, p->n_kept);
		how.threshold2 = w->threshold2[p->n_kept];
		v = verdict_new(cones_get(w->a->cones, on, p->keep), p->region, &how);
		note_verdict(w, j, i, v);
		if (w->a->past && v->verdict == VERDICT_INFEASIBLE)
			past_add(w->a->past, w->a->model, p, on, v->certificate);
		verdict_free(v);
	}
	return true;
}

/* What an earlier look refuted stays refuted, by its certificate. */
static void
recall(struct work *w, const struct fset *on, struct judged *j)
{
	char *error = NULL;
	const struct signatures *sig = w->a->past && w->a->past->n ? cones_signatures(w->a->cones, on, &error) : NULL;

	free(error);
	for (size_t i = 0; i < w->n && sig; i++) {
		const struct past_refutation *r = past_find(w->a->past, nth_observation(w->a, i), sig);

		if (!r)
			continue;
		w->decided[i] = true;
		put_bit(j->infeasible, i);
		w->certificate[i] = mem_copy(r->coef, sig->n_counters * sizeof *r->coef);
	}
}

/* The observations' verdicts, as far as Holm's procedure wants to know. */
static struct verdict *
light_verdicts(const struct work *w, const struct judged *j, bool *open)
{
	struct verdict *v = mem_new_array(w->n, sizeof *v);

	*open = false;
	for (size_t i = 0; i < w->n; i++) {
		const struct region *r = nth_observation(w->a, i)->region;
		bool infeasible = has_bit(j->infeasible, i);

		v[i].verdict = infeasible ? VERDICT_INFEASIBLE : r && w->decided[i] ? VERDICT_FEASIBLE : VERDICT_UNDECIDED;
		v[i].p = w->p[i];
		*open |= infeasible && !r->point && !has_bit(j->family_wise, i);
	}
	return v;
}

/* Only what is refuted is judged again, by the stricter levels; of that neither what its p-value settles nor what a larger cone does. */
static void
judge_family_wise(struct work *w, const struct fset *on, struct judged *j)
{
	const struct verdict_options how = {.confidence = w->a->opt.confidence, .decides = (enum region_kind)w->a->opt.decides};
	struct verdict **v = mem_new_array(w->n, sizeof(struct verdict *));
	const struct cone **cone = mem_new_array(w->n, sizeof(const struct cone *));
	const struct region **region = mem_new_array(w->n, sizeof(const struct region *));
	bool *known = mem_new_array(w->n, sizeof *known), open;
	struct verdict *light = light_verdicts(w, j, &open);

	for (size_t i = 0; i < w->n; i++) {
		const struct prepared *p = nth_observation(w->a, i);

		v[i] = &light[i];
		region[i] = p->region;
		known[i] = has_bit(j->family_wise, i);
		if (open && has_bit(j->infeasible, i) && !known[i] && !p->region->point)
			cone[i] = cones_get(w->a->cones, on, p->keep);
	}
	if (open)
		verdicts_holm(v, cone, region, w->n, known, &how);
	for (size_t i = 0; i < w->n; i++)
		if (has_bit(j->infeasible, i) && (known[i] || region[i]->point || light[i].family_wise == VERDICT_INFEASIBLE))
			put_bit(j->family_wise, i);
	free(light);
	free(known);
	free(region);
	free(cone);
	free(v);
}

static const uint64_t *
deciding(const struct work *w, const struct judged *j)
{
	return w->family_wise ? j->family_wise : j->infeasible;
}

/* Equal cones are judged once. */
static bool
judge(struct work *w, const struct fset *on, size_t id, uint64_t *infeasible)
{
	struct judged j = {0};
	bool whole = true;

	if (id >= w->n_judged || !w->judged[id].infeasible) {
		j.infeasible = mem_new_array(w->n_words, sizeof *j.infeasible);
		j.feasible = mem_new_array(w->n_words, sizeof *j.feasible);
		j.family_wise = mem_new_array(w->n_words, sizeof *j.family_wise);
		for (size_t i = 0; i < w->n; i++)
			w->p[i] = NAN;
		recall(w, on, &j);
		inherit(w, id, &j);
		whole = judge_rest(w, on, &j);
		if (whole)
			judge_family_wise(w, on, &j);
		mem_grow(&w->judged, &w->cap_judged, id + 1, sizeof *w->judged);
		while (w->n_judged <= id)
			w->judged[w->n_judged++] = (struct judged){0};
		w->judged[id] = j;
	}
	memcpy(infeasible, deciding(w, &w->judged[id]), w->n_words * sizeof *infeasible);
	for (size_t i = 0; i < w->n; i++)
		if (w->certificate[i] && !has_bit(infeasible, i)) {
			free(w->certificate[i]);
			w->certificate[i] = NULL;
		}
	return whole;
}

static bool
test(void *ctx, const struct fset *on, size_t *cone, uint64_t *infeasible, bool *usable)
{
	struct work *w = ctx;
	char *error = NULL;

	if (w->watch && !w->watch->go_on(w->watch->ctx, "models", w->tests, 0))
		return false;
	w->tests++;
	forget_certificates(w);
	cones_begin(w->a->cones);
	*usable = cones_signatures(w->a->cones, on, &error) != NULL;
	free(error);
	if (!*usable)
		return true;
	*cone = search_cones_id(w->cones, cones_get(w->a->cones, on, w->used));
	return judge(w, on, *cone, infeasible);
}

/* Does some µpath break what refuted an observation? Only then can the feature help it. */
static bool
breaks_some(const struct work *w, const struct signatures *sig)
{
	for (size_t i = 0; i < w->n; i++)
		for (size_t k = 0; w->certificate[i] && k < sig->n; k++) {
			i128 sum = 0;

			for (size_t c = 0; c < sig->n_counters; c++)
				sum += (i128)w->certificate[i][c] * sig->coef[k * sig->n_counters + c];
			if (sum < 0)
				return true;
		}
	return false;
}

static struct fset
repairs(void *ctx, const struct fset *on)
{
	struct work *w = ctx;
	struct fset found = {0}, all = {0};

	for (size_t f = 0; f < w->a->model->n_features; f++)
		fset_put(&all, f, true);
	for (size_t f = 0; f < w->a->model->n_features; f++) {
		struct fset more = *on;
		const struct signatures *sig;
		char *error = NULL;

		fset_put(&more, f, true);
		if (fset_has(on, f) || !legal(w, &more, &all))
			continue;
		cones_begin(w->a->cones);
		sig = cones_signatures(w->a->cones, &more, &error);
		free(error);
		fset_put(&found, f, sig && breaks_some(w, sig));
	}
	return found;
}

static bool
inside(void *ctx, size_t smaller, size_t larger)
{
	const struct work *w = ctx;

	return search_cones_inside(w->cones, smaller, larger);
}

static size_t
count_bits(const uint64_t *bits, size_t n_words)
{
	size_t n = 0;

	for (size_t i = 0; i < n_words; i++)
		n += (size_t)__builtin_popcountll(bits[i]);
	return n;
}

static void
count_refuters(struct work *w)
{
	struct search *s = w->s;

	s->count = mem_resize(s->count, w->n_judged, sizeof *s->count);
	for (; s->n_counts < w->n_judged; s->n_counts++) {
		const struct judged *j = &w->judged[s->n_counts];

		s->count[s->n_counts] = (struct search_count){0};
		if (j->infeasible)
			s->count[s->n_counts] = (struct search_count){count_bits(j->infeasible, w->n_words), count_bits(j->family_wise, w->n_words)};
	}
}

/* Where each tested model survives both ways or neither, so does each set that was classified by them. */
static bool
differ(const struct search *s)
{
	for (size_t i = 0; i < s->lattice->n_models; i++) {
		const struct lattice_model *m = &s->lattice->model[i];

		if (m->usable && (s->count[m->cone].each == 0) != (s->count[m->cone].family_wise == 0))
			return true;
	}
	return false;
}

static bool
run(struct work *w, const struct fset *start, size_t tests_max)
{
	struct search *s = w->s;
	struct lattice_problem p = {.n_features = w->a->model->n_features, .n_observations = w->n, .start = *start, .grows = s->proven,
		.tests_max = tests_max, .legal = legal, .test = test, .repairs = repairs, .inside = inside, .ctx = w};

	w->family_wise = w->a->opt.family_wise;
	s->lattice = lattice_search(&p);
	if (!s->lattice)
		return false;
	count_refuters(w);
	w->family_wise = !w->family_wise;
	if (differ(s) && !(s->other = lattice_search(&p)))
		return false;
	count_refuters(w);
	s->cones = search_cones_n(w->cones);
	for (size_t i = 0; i < w->n; i++)
		s->decided += w->decided[i];
	return search_find_alike(s, w->a, w->cones, w->used, w->watch);
}

struct search *
search_run(struct analysis *a, const struct fset *start, size_t tests_max, const struct watch *watch)
{
	struct search *s = mem_new(sizeof *s);
	struct work w = {.a = a, .s = s, .watch = watch, .n = total_observations(a)};
	double begin = clock_seconds();
	bool whole;

	s->proven = udd_growing(a->model);
	s->start = analysis_run(a, start, watch);
	if (!s->start || s->start->error)
		goto out;
	w.used = used_counters(a);
	w.cones = search_cones_new();
	w.n_words = (w.n + 63) / 64;
	w.threshold2 = mem_new_array(a->model->n_counters + 1, sizeof *w.threshold2);
	w.decided = mem_new_array(w.n, sizeof *w.decided);
	w.certificate = mem_new_array(w.n, sizeof *w.certificate);
	w.p = mem_new_array(w.n, sizeof *w.p);
	whole = run(&w, start, tests_max);
	forget_certificates(&w);
	for (size_t i = 0; i < w.n_judged; i++) {
		free(w.judged[i].infeasible);
		free(w.judged[i].feasible);
		free(w.judged[i].family_wise);
	}
	free(w.judged);
	free(w.threshold2);
	free(w.certificate);
	free(w.p);
	free(w.decided);
	search_cones_free(w.cones);
	free(w.used);
	s->seconds = clock_seconds() - begin;
	if (whole)
		return s;
out:
	if (s->start && s->start->error)
		return s;
	search_free(s);
	return NULL;
}

void
search_free(struct search *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n_alike; i++)
		free(s->alike[i].why);
	free(s->alike);
	free(s->count);
	lattice_free(s->other);
	lattice_free(s->lattice);
	result_free(s->start);
	free(s);
}
