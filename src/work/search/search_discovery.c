/* One step of discovery (CounterPoint, section 5): finds the constraint that most observations break, and proposes all
 * features whose µpaths break it, with the features that these require. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/search/clauses.h"
#include "core/udd/model.h"
#include "work/analysis/cones.h"
#include "work/analysis/describe.h"
#include "work/search/search_work.h"

#define NODES_MAX 100000 /* most choices tested to find what a feature requires */

/* A constraint, or the certificate of an observation that breaks no single one; borrowed from the start's findings. */
struct cause {
	const struct constraint *c;
	size_t n; /* number of observations that break it */
	double margin;
};

struct proposal {
	struct search_work *w;
	size_t n_features;
	struct fset all, on;
	struct fset *with; /* per feature: the set that is on with it, including itself; empty: it cannot be on */
	struct cause *cause;
	size_t n_causes, cap;
	bool *relaxes;     /* n_features × n_causes */
	uint64_t *refuted; /* a bit for each observation */
};

/* Are both the same constraint, broken on the same side? An equality counts as two, because it may be broken on either
 * side. */
static bool
search_discovery_is_same(const struct constraint *a, const struct constraint *b)
{
	return a->equality == b->equality && (!a->equality || (a->excess > 0) == (b->excess > 0)) &&
		memcmp(a->coef, b->coef, a->n * sizeof *a->coef) == 0;
}

static void
add_cause(struct proposal *proposal, const struct constraint *constraint)
{
	size_t i = 0;

	while (i < proposal->n_causes && !search_discovery_is_same(proposal->cause[i].c, constraint))
		i++;
	if (i == proposal->n_causes) {
		mem_grow(&proposal->cause, &proposal->cap, i + 1, sizeof *proposal->cause);
		proposal->cause[proposal->n_causes++] = (struct cause){.c = constraint};
	}
	proposal->cause[i].n++;
	if (constraint->margin > proposal->cause[i].margin)
		proposal->cause[i].margin = constraint->margin;
}

static int
compare_causes(const void *a, const void *b)
{
	const struct cause *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	if (x->margin < y->margin || x->margin > y->margin)
		return x->margin > y->margin ? -1 : 1;
	return strcmp(x->c->text, y->c->text);
}

static void
find_causes(struct proposal *proposal)
{
	const struct result *result = proposal->w->s->start;

	for (size_t i = 0; i < result->n_findings; i++) {
		const struct finding *finding = &result->finding[i];

		if (finding->verdict != VERDICT_INFEASIBLE)
			continue;
		proposal->refuted[i / 64] |= UINT64_C(1) << (i % 64);
		for (size_t k = 0; k < finding->proof.n_violated; k++)
			add_cause(proposal, &finding->proof.violated[k]);
		if (!finding->proof.n_violated && finding->proof.n_certificates)
			add_cause(proposal, finding->proof.certificate);
	}
	if (proposal->n_causes)
		qsort(proposal->cause, proposal->n_causes, sizeof *proposal->cause, compare_causes);
}

static bool
legal(void *ctx, const struct fset *on, const struct fset *known)
{
	const struct proposal *p = ctx;

	return udd_may_be_legal(p->w->a->model, on, known);
}

/* Finds a legal choice with `on` and nothing that is not required, by removing features from the largest one. False
 * when there is none. */
static bool
close_choice(struct proposal *proposal, struct fset on, struct fset *out)
{
	const struct fset *held = &proposal->w->s->request.fixed;
	const struct clauses no = {0};
	size_t nodes = NODES_MAX;
	struct clauses_query q = {.n_features = proposal->n_features,
		.fixed = fset_or(on, *held),
		.value = on,
		.legal = legal,
		.ctx = proposal,
		.nodes = &nodes};

	if (clauses_next(&no, &q, out) != CLAUSES_FOUND)
		return false;
	for (size_t f = 0; f < proposal->n_features; f++) {
		struct fset less;

		if (fset_has(&q.fixed, f))
			continue;
		fset_put(&q.fixed, f, true);
		if (fset_has(out, f) && clauses_next(&no, &q, &less) == CLAUSES_FOUND)
			*out = less;
		else if (fset_has(out, f))
			fset_put(&q.value, f, true);
	}
	return true;
}

/* Finds for each feature which constraints it relaxes. False when stopped. */
static bool
test_features(struct proposal *proposal)
{
	for (size_t f = 0; f < proposal->n_features; f++) {
		struct fset more = proposal->on;
		const struct signatures *sig;
		char *error = NULL;

		if (!search_goes_on(proposal->w, "features", f, proposal->n_features))
			return false;
		fset_put(&more, f, true);
		if (fset_has(&proposal->on, f) || fset_has(&proposal->w->s->request.fixed, f) ||
			!close_choice(proposal, more, &more))
			continue;
		cones_begin(proposal->w->a->cones);
		sig = cones_signatures(proposal->w->a->cones, &more, &error);
		free(error);
		if (!sig)
			continue;
		proposal->with[f] = more;
		for (size_t k = 0; k < proposal->n_causes; k++)
			proposal->relaxes[f * proposal->n_causes + k] = constraint_relaxed(proposal->cause[k].c, sig);
	}
	return true;
}

/* "a = b, which 4 observations break (1 more the other way)". The caller frees. */
static char *
cause_words(const struct proposal *proposal, size_t k)
{
	const struct cause *cause = &proposal->cause[k];
	size_t other = 0;
	struct str out = {0};

	for (size_t i = 0; i < proposal->n_causes; i++)
		if (i != k && cause->c->equality && proposal->cause[i].c->equality &&
			memcmp(cause->c->coef, proposal->cause[i].c->coef, cause->c->n * sizeof *cause->c->coef) == 0)
			other += proposal->cause[i].n;
	str_addf(&out, "%s, which %zu observation%s break%s", cause->c->text, cause->n, plural_s(cause->n),
		cause->n == 1 ? "s" : "");
	if (other)
		str_addf(&out, " (%zu more the other way)", other);
	return str_take(&out);
}

static bool
is_relaxed(const struct proposal *p, size_t cause)
{
	bool some = false;

	for (size_t f = 0; f < p->n_features; f++)
		some |= p->relaxes[f * p->n_causes + cause];
	return some;
}

static int
compare_repairs(const void *a, const void *b)
{
	const struct search_graph_repair *x = a, *y = b;

	if (x->frees != y->frees)
		return x->frees > y->frees ? -1 : 1;
	return x->feature < y->feature ? -1 : x->feature > y->feature;
}

/* Counts the observations that the feature frees with what it requires, and nothing else. False when stopped. */
static bool
judge_alone(struct proposal *proposal, size_t f)
{
	struct search_work *work = proposal->w;
	struct search_graph_model m = {.on = proposal->with[f], .n_words = work->n_words,
		.refuted = mem_new_array(work->n_words, sizeof *m.refuted)};
	struct search_graph_repair r = {.feature = f};
	bool good = search_judge(work, &m);

	for (size_t i = 0; i < work->n_words && m.usable; i++)
		r.frees += (size_t)__builtin_popcountll(proposal->refuted[i] & ~m.refuted[i]);
	if (good)
		work->s->graph->repair[work->s->graph->n_repairs++] = r;
	graph_model_clear(&m);
	return good;
}

/* Proposes all features that relax the constraint, most useful first. A feature that excludes one already proposed is
 * left out. */
static void
unite(struct proposal *proposal)
{
	struct search_graph *search = proposal->w->s->graph;

	search->proposed = proposal->on;
	for (size_t i = 0; i < search->n_repairs; i++) {
		size_t f = search->repair[i].feature;
		struct fset more = fset_or(search->proposed, proposal->with[f]);

		if (legal(proposal, &more, &proposal->all) || close_choice(proposal, more, &more))
			search->proposed = more;
		else
			fset_put(&proposal->w->cause.left_out, f, true);
	}
}

static void
search_discovery_choose(struct proposal *proposal)
{
	struct search_work *work = proposal->w;
	struct search_graph *graph = work->s->graph;
	size_t k = 0;
	bool good = true;

	while (k < proposal->n_causes && !is_relaxed(proposal, k))
		k++;
	if (k == proposal->n_causes)
		k = 0;
	work->cause.text = cause_words(proposal, k);
	if (k > 0)
		work->cause.passed = cause_words(proposal, 0);
	graph->repair = mem_new_array(proposal->n_features, sizeof *graph->repair);
	for (size_t f = 0; f < proposal->n_features && good; f++)
		if (proposal->relaxes[f * proposal->n_causes + k])
			good = judge_alone(proposal, f);
	if (!good) {
		graph->n_repairs = 0;
		return;
	}
	if (graph->n_repairs) {
		qsort(graph->repair, graph->n_repairs, sizeof *graph->repair, compare_repairs);
		unite(proposal);
	}
}

void
search_propose(struct search_work *work)
{
	struct proposal p = {.w = work, .n_features = work->a->model->n_features, .on = work->s->request.on};

	for (size_t i = 0; i < p.n_features; i++)
		fset_put(&p.all, i, true);
	p.with = mem_new_array(p.n_features, sizeof *p.with);
	p.refuted = mem_new_array(work->n_words, sizeof *p.refuted);
	find_causes(&p);
	p.relaxes = mem_new_array(p.n_features * p.n_causes, sizeof *p.relaxes);
	if (p.n_causes && test_features(&p))
		search_discovery_choose(&p);
	free(p.cause);
	free(p.relaxes);
	free(p.refuted);
	free(p.with);
}
