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
breaks_some(const struct search_work *work, const struct signatures *sig)
{
	for (size_t i = 0; i < work->n; i++)
		for (size_t k = 0; work->certificate[i] && k < sig->n; k++) {
			i128 sum = 0;

			for (size_t c = 0; c < sig->n_counters; c++)
				sum += (i128)work->certificate[i][c] * sig->coef[k * sig->n_counters + c];
			if (sum < 0)
				return true;
		}
	return false;
}

static struct fset
repairs_model(void *ctx, const struct fset *on)
{
	struct search_work *work = ctx;
	struct fset found = {0}, all = {0};

	for (size_t f = 0; f < work->a->model->n_features; f++)
		fset_put(&all, f, true);
	for (size_t f = 0; f < work->a->model->n_features; f++) {
		struct fset more = *on;
		const struct signatures *sig;
		char *error = NULL;

		fset_put(&more, f, true);
		if (fset_has(on, f) || !legal(work, &more, &all))
			continue;
		cones_begin(work->a->cones);
		sig = cones_signatures(work->a->cones, &more, &error);
		free(error);
		fset_put(&found, f, sig && breaks_some(work, sig));
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
search_report(void *ctx, struct lattice *lattice)
{
	struct search_work *work = ctx;
	double now = clock_seconds();

	if (!work->s->request.report ||
		now - work->reported_at < fmax(REPORT_SECONDS, REPORT_SHARE * work->report_seconds))
		return;
	lattice_sum(lattice);
	work->s->lattice = lattice;
	work->s->seconds = now - work->begun_at;
	work->s->request.report(work->s->request.ctx, search_graph_of(work->s, true));
	work->s->lattice = NULL;
	work->reported_at = clock_seconds();
	work->report_seconds = work->reported_at - now;
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
run(struct search_work *work)
{
	struct search *search = work->s;
	const struct search_request *request = &search->request;
	struct lattice_problem p = {.n_features = work->a->model->n_features,
		.n_observations = work->n,
		.task = lattice_task_of(request->task),
		.start = request->on,
		.fixed = request->fixed,
		.grows = search->proven,
		.tests_max = request->tests_max,
		.legal = legal,
		.test = test,
		.repairs = request->task == SEARCH_DISCOVER ? proposal : repairs_model,
		.inside = search_inside,
		.report = search_report,
		.go_on = search_go_on,
		.ctx = work};

	work->family_wise = !work->a->opt.one_by_one;
	search->lattice = lattice_search(&p);
	if (request->task == SEARCH_AUTO && !search->lattice->stopped && differ(search))
		run_the_other_way(work, p);
	for (size_t i = 0; i < work->n; i++)
		search->decided += work->decided[i];
	if (search->lattice->stopped || request->task == SEARCH_DISCOVER)
		return;
	if (!search_find_alike(search, work->a, work->cones, work->used, work->watch)) {
		search->lattice->complete = search->lattice->whole = false;
		search->lattice->stopped = true;
		search->lattice->reason = "it was stopped while it searched for features that cannot be told apart";
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
work_free(struct search_work *work)
{
	search_forget_certificates(work);
	for (size_t i = 0; i < work->n_judged; i++) {
		free(work->judged[i].infeasible);
		free(work->judged[i].strong);
		free(work->judged[i].feasible);
		free(work->judged[i].family_wise);
	}
	free(work->judged);
	free(work->threshold2);
	free(work->cause.text);
	free(work->cause.passed);
	free(work->certificate);
	free(work->p);
	free(work->decided);
	search_cones_free(work->cones);
	free(work->used);
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
search_run_task(struct analysis *analysis, const struct search_request *request, const struct analysis_watch *watch)
{
	struct search *search = mem_new(sizeof *search);
	struct search_work w = {.a = analysis, .s = search, .watch = watch, .n = analysis_n_observations(analysis)};
	double begin = clock_seconds();

	search->request = *request;
	search->proven = udd_growing(analysis->model);
	search->start = analysis_run(analysis, &request->on, watch);
	if (search->start && !search->start->error) {
		w.used = analysis_used_counters(analysis);
		w.cones = search_cones_new(cone_again, &w);
		w.n_words = (w.n + 63) / 64;
		w.threshold2 = mem_new_array(analysis->model->n_counters + 1, sizeof *w.threshold2);
		w.decided = mem_new_array(w.n, sizeof *w.decided);
		w.certificate = mem_new_array(w.n, sizeof *w.certificate);
		w.p = mem_new_array(w.n, sizeof *w.p);
		w.begun_at = w.reported_at = begin;
		run(&w);
		find_suspects(&w);
		search_write_words(&w);
		work_free(&w);
	}
	search->seconds = clock_seconds() - begin;
	return search;
}

struct search *
search_run(struct analysis *a, const struct fset *start, size_t tests_max, const struct analysis_watch *watch)
{
	struct search_request r = {.task = SEARCH_AUTO, .on = *start, .tests_max = tests_max};

	return search_run_task(a, &r, watch);
}

void
search_free(struct search *search)
{
	if (!search)
		return;
	for (size_t i = 0; i < search->n_alike; i++) {
		free(search->alike[i].says);
		free(search->alike[i].why);
	}
	for (size_t i = 0; i < search->cones; i++)
		free(search->cone[i].worst);
	free(search->alike);
	free(search->cone);
	free(search->repair);
	free(search->says);
	free(search->suspects_text);
	suspects_clear(&search->suspects);
	worth_free(search->worth);
	lattice_free(search->other);
	lattice_free(search->lattice);
	result_free(search->start);
	free(search);
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
