/* Runs a search, from the request to its result.
 *
 *     analysis of the start ──▶ lattice (core/search): discovery adds features until choices survive,
 *                               elimination removes them while they do        test(): search_judge.c
 *           ──▶ the same with the other way to count refutations, where that differs
 *           ──▶ features that no counter can tell apart                     search_alike.c
 *           ──▶ single counters that would explain the refutations          analysis/suspects.c
 *           ──▶ words (search_words.c) */
#include "work/search/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/int128.h"
#include "base/mem.h"
#include "base/panic.h"
#include "base/str.h"
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
test(void *ctx, struct search_graph_model *model)
{
	return search_judge(ctx, model);
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
	return fset_minus(w->s->graph->proposed, *on);
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
search_report(void *ctx, struct search_graph *graph)
{
	struct search_work *work = ctx;
	double now = clock_seconds();
	bool unsaid = !graph->reason;

	if (!work->s->request.report ||
		now - work->reported_at < fmax(REPORT_SECONDS, REPORT_SHARE * work->report_seconds))
		return;
	lattice_sum(graph);
	graph->seconds = now - work->begun_at;
	graph->running = true;
	if (unsaid)
		search_graph_set_reason(graph, "it goes on");
	work->s->request.report(work->s->request.ctx, graph);
	graph->running = false;
	if (unsaid)
		search_graph_set_reason(graph, NULL);
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

/* Do the two ways to count differ for a tested model? If not, sets classified by these models do not differ either. */
static bool
differ(const struct search *s)
{
	for (size_t i = 0; i < s->graph->n_models; i++) {
		const struct search_graph_model *m = &s->graph->model[i];
		const struct search_cone *cone = &s->cone[m->cone_number];

		if (m->usable && (cone->each == 0) != (cone->family_wise == 0))
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
	s->other = search_graph_new();
	lattice_search(&p, s->other);
	if (!s->other->own.stopped)
		return;
	search_graph_free(s->other);
	s->other = NULL;
}

static void
run(struct search_work *work)
{
	struct search *search = work->s;
	struct search_graph *graph = search->graph;
	const struct search_request *request = &search->request;
	struct lattice_problem p = {.n_features = work->a->model->n_features,
		.n_observations = work->n,
		.task = request->task,
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
	lattice_search(&p, graph);
	if (request->task == SEARCH_AUTO && !graph->own.stopped && differ(search))
		run_the_other_way(work, p);
	graph->undecided = work->n;
	for (size_t i = 0; i < work->n; i++)
		graph->undecided -= work->decided[i];
	if (graph->own.stopped || request->task == SEARCH_DISCOVER)
		return;
	if (!search_find_alike(search, work->a, work->cones, work->used, work->watch)) {
		graph->complete = graph->own.whole = false;
		graph->own.stopped = true;
		search_graph_set_reason(
			graph, "it was stopped while it searched for features that cannot be told apart");
	}
}

/* Returns the model with the most features among those that are refuted as rarely as this one. */
static size_t
richest_like(const struct search_graph *l, size_t at)
{
	size_t best = at;

	for (size_t i = 0; i < l->n_models; i++)
		if (l->model[i].usable && l->model[i].infeasible == l->model[at].infeasible &&
			fset_count(&l->model[i].on) > fset_count(&l->model[best].on))
			best = i;
	return best;
}

static bool
suspect(struct search_work *w, size_t at)
{
	struct search *s = w->s;

	s->suspected = s->graph->model[at].on;
	s->suspects = suspects_find(w->a, &s->suspected, w->watch);
	return s->suspects.n > 0;
}

/* Looks for a single counter that explains the refutations, before features are blamed. An error so small that it
 * refutes every model everywhere stands out only against a model that has the features, too. */
static void
find_suspects(struct search_work *w)
{
	const struct search_graph *l = w->s->graph;
	bool none = w->s->request.task == SEARCH_AUTO && !l->needs.n_minimal;
	size_t at = none ? search_nearest(l) : 0, rich;

	if (l->own.stopped || at >= l->n_models || !l->model[at].usable || !l->model[at].infeasible)
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

static void
name_observations(struct search_graph *graph, const struct result *start)
{
	graph->n_observations = start->n_findings;
	graph->undecided = start->count[VERDICT_UNDECIDED];
	graph->observation = mem_new_array(graph->n_observations, sizeof *graph->observation);
	for (size_t i = 0; i < graph->n_observations; i++)
		graph->observation[i] = mem_str(start->finding[i].name);
}

struct search *
search_run_task(struct analysis *analysis, const struct search_request *request, const struct analysis_watch *watch)
{
	struct search *search = mem_new(sizeof *search);
	struct search_work w = {.a = analysis, .s = search, .watch = watch, .n = analysis_n_observations(analysis)};
	double begin = clock_seconds();

	search->request = *request;
	search->graph = search_graph_new();
	search->graph->task = (int)request->task;
	search->graph->fixed = request->fixed;
	search->proven = udd_growing(analysis->model);
	search->start = analysis_run(analysis, &request->on, watch);
	if (!search->start) {
		search_graph_set_reason(search->graph, "it was stopped before its first set was judged");
	} else if (search->start->error) {
		search->graph->reason =
			str_format("the features of its first set make an error: %s", search->start->error);
	} else {
		name_observations(search->graph, search->start);
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
	search->graph->seconds = clock_seconds() - begin;
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
	for (size_t i = 0; i < search->cones; i++)
		free(search->cone[i].worst);
	free(search->cone);
	suspects_clear(&search->suspects);
	worth_free(search->worth);
	search_graph_free(search->other);
	search_graph_free(search->graph);
	result_free(search->start);
	free(search);
}

struct search_graph *
search_take_graph(struct search *search)
{
	struct search_graph *graph = search->graph;

	search->graph = NULL;
	return graph;
}

/* True when graph and result have the same observations. With other observations the question is a different one. */
bool
search_same_observations(const struct search_graph *g, const struct result *r)
{
	size_t found = 0;

	for (size_t i = 0; i < g->n_observations; i++)
		for (size_t j = 0; j < r->n_findings; j++)
			if (str_eq(g->observation[i], r->finding[(i + j) % r->n_findings].name)) {
				found++;
				break;
			}
	return found == g->n_observations && found == r->n_findings;
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
