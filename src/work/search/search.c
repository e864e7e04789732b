/* Runs a search, from the request to its result.
 *
 *     analysis of the start ──▶ lattice (core/search): discovery adds features until choices survive,
 *                               elimination removes them while they do        test(): search_judge.c
 *           ──▶ the same with the other way to count refutations, where that differs
 *           ──▶ features that no counter can tell apart                     search_alike.c
 *           ──▶ single counters that would explain the refutations          analysis/suspects.c
 *           ──▶ words (search_words.c) and graph (search_result.c) */
#include "work/search/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/int128.h"
#include "base/mem.h"
#include "base/panic.h"
#include "core/cone/signatures.h"
#include "core/udd/model.h"
#include "work/analysis/cones.h"
#include "work/analysis/describe.h"
#include "work/analysis/search_cones.h"
#include "work/search/search_alike.h"
#include "work/search/search_work.h"
#include "work/search/worth.h"

#define REPORT_SECONDS 0.1
#define REPORT_SHARE 10.0 /* pause between reports, as a multiple of the time that the last one took */

static bool
legal(void *ctx, const struct fset *on, const struct fset *known)
{
	const struct search_work *w = ctx;

	return udd_may_be_legal(w->a->model, on, known);
}

static bool
test(void *ctx, const struct fset *on, struct lattice_tested *out)
{
	return search_judge(ctx, on, out);
}

/* Does some µpath break a constraint that refuted an observation? Only then can the feature help that observation. */
static bool
breaks_some(const struct search_work *w, const struct signatures *sig)
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
repairs_model(void *ctx, const struct fset *on)
{
	struct search_work *w = ctx;
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

/* Proposes features for a single step of discovery, which chooses them more carefully: by one constraint, and by what
 * they free. */
static struct fset
proposal(void *ctx, const struct fset *on)
{
	struct search_work *w = ctx;

	search_propose(w);
	return fset_minus(w->s->proposed, *on);
}

static bool
search_inside(void *ctx, size_t smaller, size_t larger)
{
	const struct search_work *w = ctx;

	return search_cones_inside(w->cones, smaller, larger);
}

static bool
search_go_on(void *ctx)
{
	struct search_work *w = ctx;

	return search_goes_on(w, "models", w->tests, 0);
}

static void
search_report(void *ctx, struct lattice *l)
{
	struct search_work *w = ctx;
	double now = clock_seconds();

	if (!w->s->request.report || now - w->reported_at < fmax(REPORT_SECONDS, REPORT_SHARE * w->report_seconds))
		return;
	lattice_sum(l);
	w->s->lattice = l;
	w->s->seconds = now - w->begun_at;
	w->s->request.report(w->s->request.ctx, search_graph_of(w->s, true));
	w->s->lattice = NULL;
	w->reported_at = clock_seconds();
	w->report_seconds = w->reported_at - now;
}

static const struct cone *
cone_again(void *ctx, const struct fset *on)
{
	struct search_work *w = ctx;
	char *error = NULL;
	const struct cone *c;

	cones_begin(w->a->cones);
	c = cones_span(w->a->cones, on, w->used, &error);
	if (!c)
		panic("a choice of features that made a cone makes an error: %s", error);
	return c;
}

static enum lattice_task
lattice_task_of(enum search_task t)
{
	switch (t) {
	case SEARCH_DISCOVER:
		return LATTICE_DISCOVER;
	case SEARCH_ELIMINATE:
		return LATTICE_PRUNE;
	case SEARCH_NONE:
	case SEARCH_AUTO:
		break;
	}
	return LATTICE_ALL;
}

/* Do the two ways to count differ for a tested model? If not, sets classified by these models do not differ either. */
static bool
differ(const struct search *s)
{
	for (size_t i = 0; i < s->lattice->n_models; i++) {
		const struct lattice_model *m = &s->lattice->model[i];

		if (m->usable && (s->cone[m->cone].each == 0) != (s->cone[m->cone].family_wise == 0))
			return true;
	}
	return false;
}

/* Repeats the search with the other way to count; verdicts on known cones are reused. */
static void
run_the_other_way(struct search_work *w, struct lattice_problem p)
{
	struct search *s = w->s;

	w->family_wise = !w->family_wise;
	p.report = NULL;
	s->other = lattice_search(&p);
	if (!s->other->stopped)
		return;
	lattice_free(s->other);
	s->other = NULL;
}

static void
run(struct search_work *w)
{
	struct search *s = w->s;
	const struct search_request *r = &s->request;
	struct lattice_problem p = {.n_features = w->a->model->n_features,
		.n_observations = w->n,
		.task = lattice_task_of(r->task),
		.start = r->on,
		.fixed = r->fixed,
		.grows = s->proven,
		.tests_max = r->tests_max,
		.legal = legal,
		.test = test,
		.repairs = r->task == SEARCH_DISCOVER ? proposal : repairs_model,
		.inside = search_inside,
		.report = search_report,
		.go_on = search_go_on,
		.ctx = w};

	w->family_wise = !w->a->opt.one_by_one;
	s->lattice = lattice_search(&p);
	if (r->task == SEARCH_AUTO && !s->lattice->stopped && differ(s))
		run_the_other_way(w, p);
	for (size_t i = 0; i < w->n; i++)
		s->decided += w->decided[i];
	if (s->lattice->stopped || r->task == SEARCH_DISCOVER)
		return;
	if (!search_find_alike(s, w->a, w->cones, w->used, w->watch)) {
		s->lattice->complete = s->lattice->whole = false;
		s->lattice->stopped = true;
		s->lattice->reason = "it was stopped while it searched for features that cannot be told apart";
	}
}

/* Returns the model with the most features among those that are refuted as rarely as this one. */
static size_t
richest_like(const struct lattice *l, size_t at)
{
	size_t best = at;

	for (size_t i = 0; i < l->n_models; i++)
		if (l->model[i].usable && l->model[i].n_infeasible == l->model[at].n_infeasible &&
			fset_count(&l->model[i].on) > fset_count(&l->model[best].on))
			best = i;
	return best;
}

static bool
suspect(struct search_work *w, size_t at)
{
	struct search *s = w->s;

	s->suspected = s->lattice->model[at].on;
	s->suspects = suspects_find(w->a, &s->suspected, w->watch);
	return s->suspects.n > 0;
}

/* Looks for a single counter that explains the refutations, before features are blamed. An error so small that it
 * refutes every model everywhere stands out only against a model that has the features, too. */
static void
find_suspects(struct search_work *w)
{
	const struct lattice *l = w->s->lattice;
	bool none = w->s->request.task == SEARCH_AUTO && !l->n_minimal;
	size_t at = none ? search_nearest(l) : 0, rich;

	if (l->stopped || at >= l->n_models || !l->model[at].usable || !l->model[at].n_infeasible)
		return;
	rich = none ? richest_like(l, at) : at;
	if (!suspect(w, at) && rich != at)
		suspect(w, rich);
}

static void
work_free(struct search_work *w)
{
	search_forget_certificates(w);
	for (size_t i = 0; i < w->n_judged; i++) {
		free(w->judged[i].infeasible);
		free(w->judged[i].strong);
		free(w->judged[i].feasible);
		free(w->judged[i].family_wise);
	}
	free(w->judged);
	free(w->threshold2);
	free(w->cause.text);
	free(w->cause.passed);
	free(w->certificate);
	free(w->p);
	free(w->decided);
	search_cones_free(w->cones);
	free(w->used);
}

bool
search_can(const struct udd_model *m, struct err *e)
{
	if (m->form != UDD_FORM_FDL_FOLDER)
		return true;
	err_set(e, "%s is a folder of models, which have no features in common that a search could switch", m->file);
	return err_hint(e, "hecate compare shows how they relate, check --variant judges data against one of them");
}

struct search *
search_run_task(struct analysis *a, const struct search_request *request, const struct analysis_watch *watch)
{
	struct search *s = mem_new(sizeof *s);
	struct search_work w = {.a = a, .s = s, .watch = watch, .n = analysis_n_observations(a)};
	double begin = clock_seconds();

	s->request = *request;
	s->proven = udd_growing(a->model);
	s->start = analysis_run(a, &request->on, watch);
	if (s->start && !s->start->error) {
		w.used = analysis_used_counters(a);
		w.cones = search_cones_new(cone_again, &w);
		w.n_words = (w.n + 63) / 64;
		w.threshold2 = mem_new_array(a->model->n_counters + 1, sizeof *w.threshold2);
		w.decided = mem_new_array(w.n, sizeof *w.decided);
		w.certificate = mem_new_array(w.n, sizeof *w.certificate);
		w.p = mem_new_array(w.n, sizeof *w.p);
		w.begun_at = w.reported_at = begin;
		run(&w);
		find_suspects(&w);
		search_write_words(&w);
		work_free(&w);
	}
	s->seconds = clock_seconds() - begin;
	return s;
}

struct search *
search_run(struct analysis *a, const struct fset *start, size_t tests_max, const struct analysis_watch *watch)
{
	struct search_request r = {.task = SEARCH_AUTO, .on = *start, .tests_max = tests_max};

	return search_run_task(a, &r, watch);
}

void
search_free(struct search *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n_alike; i++) {
		free(s->alike[i].says);
		free(s->alike[i].why);
	}
	for (size_t i = 0; i < s->cones; i++)
		free(s->cone[i].worst);
	free(s->alike);
	free(s->cone);
	free(s->repair);
	free(s->says);
	free(s->suspects_text);
	suspects_clear(&s->suspects);
	worth_free(s->worth);
	lattice_free(s->other);
	lattice_free(s->lattice);
	result_free(s->start);
	free(s);
}

void
worth_free(struct worth *w)
{
	if (!w)
		return;
	free(w->counter);
	free(w->kept);
	free(w);
}
