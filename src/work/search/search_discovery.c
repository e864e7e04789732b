/* One step of discovery (CounterPoint, section 5): finds the constraint that most observations break, and proposes all
 * features whose µpaths break it, with the features that these require. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
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
add_cause(struct proposal *p, const struct constraint *c)
{
	size_t i = 0;

	while (i < p->n_causes && !search_discovery_is_same(p->cause[i].c, c))
		i++;
	if (i == p->n_causes) {
		mem_grow(&p->cause, &p->cap, i + 1, sizeof *p->cause);
		p->cause[p->n_causes++] = (struct cause){.c = c};
	}
	p->cause[i].n++;
	if (c->margin > p->cause[i].margin)
		p->cause[i].margin = c->margin;
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
find_causes(struct proposal *p)
{
	const struct result *r = p->w->s->start;

	for (size_t i = 0; i < r->n_findings; i++) {
		const struct finding *f = &r->finding[i];

		if (f->verdict != VERDICT_INFEASIBLE)
			continue;
		p->refuted[i / 64] |= UINT64_C(1) << (i % 64);
		for (size_t k = 0; k < f->proof.n_violated; k++)
			add_cause(p, &f->proof.violated[k]);
		if (!f->proof.n_violated && f->proof.n_certificates)
			add_cause(p, f->proof.certificate);
	}
	if (p->n_causes)
		qsort(p->cause, p->n_causes, sizeof *p->cause, compare_causes);
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
close_choice(struct proposal *p, struct fset on, struct fset *out)
{
	const struct fset *held = &p->w->s->request.fixed;
	const struct clauses no = {0};
	size_t nodes = NODES_MAX;
	struct clauses_query q = {.n_features = p->n_features, .fixed = fset_or(on, *held), .value = on, .legal = legal,
		.ctx = p, .nodes = &nodes};

	if (clauses_next(&no, &q, out) != CLAUSES_FOUND)
		return false;
	for (size_t f = 0; f < p->n_features; f++) {
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
test_features(struct proposal *p)
{
	for (size_t f = 0; f < p->n_features; f++) {
		struct fset more = p->on;
		const struct signatures *sig;
		char *error = NULL;

		if (!search_goes_on(p->w, "features", f, p->n_features))
			return false;
		fset_put(&more, f, true);
		if (fset_has(&p->on, f) || fset_has(&p->w->s->request.fixed, f) || !close_choice(p, more, &more))
			continue;
		cones_begin(p->w->a->cones);
		sig = cones_signatures(p->w->a->cones, &more, &error);
		free(error);
		if (!sig)
			continue;
		p->with[f] = more;
		for (size_t k = 0; k < p->n_causes; k++)
			p->relaxes[f * p->n_causes + k] = constraint_relaxed(p->cause[k].c, sig);
	}
	return true;
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
judge_alone(struct proposal *p, size_t f)
{
	struct search_work *w = p->w;
	struct lattice_tested t = {.infeasible = mem_new_array(w->n_words, sizeof *t.infeasible)};
	struct search_graph_repair r = {.feature = f};
	bool good = search_judge(w, &p->with[f], &t);

	for (size_t i = 0; i < w->n_words && t.usable; i++)
		r.frees += (size_t)__builtin_popcountll(p->refuted[i] & ~t.infeasible[i]);
	if (good)
		w->s->repair[w->s->n_repairs++] = r;
	free(t.infeasible);
	return good;
}

/* Proposes all features that relax the constraint, most useful first. A feature that excludes one already proposed is
 * left out. */
static void
unite(struct proposal *p)
{
	struct search *s = p->w->s;

	s->proposed = p->on;
	for (size_t i = 0; i < s->n_repairs; i++) {
		size_t f = s->repair[i].feature;
		struct fset more = fset_or(s->proposed, p->with[f]);

		if (legal(p, &more, &p->all) || close_choice(p, more, &more))
			s->proposed = more;
		else
			fset_put(&p->w->cause.left_out, f, true);
	}
}

static void
search_discovery_choose(struct proposal *p)
{
	struct search_work *w = p->w;
	size_t k = 0;
	bool good = true;

	while (k < p->n_causes && !is_relaxed(p, k))
		k++;
	if (k == p->n_causes)
		k = 0;
	w->cause.text = mem_str(p->cause[k].c->text);
	w->cause.by = p->cause[k].n;
	if (k > 0) {
		w->cause.passed = mem_str(p->cause[0].c->text);
		w->cause.passed_by = p->cause[0].n;
	}
	w->s->repair = mem_new_array(p->n_features, sizeof *w->s->repair);
	for (size_t f = 0; f < p->n_features && good; f++)
		if (p->relaxes[f * p->n_causes + k])
			good = judge_alone(p, f);
	if (!good) {
		w->s->n_repairs = 0;
		return;
	}
	if (w->s->n_repairs) {
		qsort(w->s->repair, w->s->n_repairs, sizeof *w->s->repair, compare_repairs);
		unite(p);
	}
}

void
search_propose(struct search_work *w)
{
	struct proposal p = {.w = w, .n_features = w->a->model->n_features, .on = w->s->request.on};

	for (size_t i = 0; i < p.n_features; i++)
		fset_put(&p.all, i, true);
	p.with = mem_new_array(p.n_features, sizeof *p.with);
	p.refuted = mem_new_array(w->n_words, sizeof *p.refuted);
	find_causes(&p);
	p.relaxes = mem_new_array(p.n_features * p.n_causes, sizeof *p.relaxes);
	if (p.n_causes && test_features(&p))
		search_discovery_choose(&p);
	free(p.cause);
	free(p.relaxes);
	free(p.refuted);
	free(p.with);
}
