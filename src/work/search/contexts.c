#include "work/search/contexts.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/random.h"
#include "core/search/search_graph.h"
#include "core/udd/model.h"

static bool
agrees(const struct contexts *c, const struct fset *on)
{
	return fset_is_empty(fset_and(fset_xor(*on, c->start), c->fixed)) && udd_may_be_legal(c->model, on, &c->all);
}

static void
contexts_add(struct contexts *c, const struct fset *on)
{
	mem_grow(&c->set, &c->cap, c->n + 1, sizeof *c->set);
	c->set[c->n++] = *on;
}

/* Visits every legal set in which the features before `f` are as in `on`. */
static void
contexts_add_all(struct contexts *contexts, struct fset on, struct fset known, size_t f)
{
	if (!udd_may_be_legal(contexts->model, &on, &known))
		return;
	if (f == contexts->model->n_features) {
		contexts_add(contexts, &on);
		return;
	}
	fset_put(&known, f, true);
	for (int value = 0; value < 2; value++) {
		if (fset_has(&contexts->fixed, f) && fset_has(&contexts->start, f) != value)
			continue;
		fset_put(&on, f, value);
		contexts_add_all(contexts, on, known, f + 1);
	}
}

/* Draws a legal set: the features are chosen one after another, cyclically from `first` on, so that each choice leaves
 * a legal set. */
static bool
contexts_draw(const struct contexts *contexts, uint64_t *state, struct fset *on)
{
	size_t n = contexts->model->n_features, first = (size_t)(random_next(state) % n);
	struct fset known = contexts->fixed;

	*on = fset_and(contexts->start, contexts->fixed);
	for (size_t k = 0; k < n; k++) {
		size_t f = (first + k) % n;
		bool value = random_next(state) & 1;

		if (fset_has(&contexts->fixed, f))
			continue;
		fset_put(&known, f, true);
		fset_put(on, f, value);
		if (udd_may_be_legal(contexts->model, on, &known))
			continue;
		fset_put(on, f, !value);
		if (!udd_may_be_legal(contexts->model, on, &known))
			return false;
	}
	return true;
}

static void
add_sample(struct contexts *contexts, const struct search_graph *graph)
{
	uint64_t state = 1;
	size_t step = graph->n_models / (CONTEXTS_SAMPLE / 2) + 1;

	/* At most half of the sample are sets that the search has tested already, which cost nothing. */
	for (size_t i = 0; i < graph->n_models; i += step)
		if (graph->model[i].usable)
			contexts_add(contexts, &graph->model[i].on);
	for (size_t tries = 0; tries < 4 * CONTEXTS_SAMPLE && contexts->n < CONTEXTS_SAMPLE; tries++) {
		struct fset on;

		if (contexts_draw(contexts, &state, &on))
			contexts_add(contexts, &on);
	}
}

struct contexts *
contexts_new(const struct udd_model *model, const struct fset *start, const struct search_graph *graph)
{
	struct contexts *contexts = mem_new(sizeof *contexts);
	struct fset none = {0};

	*contexts = (struct contexts){.model = model, .fixed = graph->fixed, .start = *start};
	for (size_t f = 0; f < model->n_features; f++)
		fset_put(&contexts->all, f, true);
	contexts->whole = graph->sets <= CONTEXTS_MAX;
	if (contexts->whole)
		contexts_add_all(contexts, none, none, 0);
	else
		add_sample(contexts, graph);
	return contexts;
}

void
contexts_free(struct contexts *c)
{
	if (!c)
		return;
	free(c->set);
	free(c);
}

static void
try_one(const struct contexts *contexts, enum contexts_claim claim, const struct fset *one, const struct fset *other,
	const struct fset *rest, contexts_cone *cone, void *ctx, struct contexts_count *count)
{
	struct fset to = fset_or(*rest, *other), from = fset_or(claim == CONTEXTS_EQUAL ? *rest : to, *one);
	size_t a, b;

	if (!agrees(contexts, &to) || !agrees(contexts, &from))
		return;
	a = cone(ctx, &to);
	b = cone(ctx, &from);
	if (a == CONTEXTS_NONE || b == CONTEXTS_NONE)
		return;
	if (a != b && (count->held == count->tested || fset_count(rest) < fset_count(&count->but)))
		count->but = *rest;
	count->tested++;
	count->held += a == b;
}

struct contexts_count
contexts_try(const struct contexts *contexts, enum contexts_claim claim, const struct fset *one,
	const struct fset *other, const struct fset *besides, bool wholly, contexts_cone *cone, void *ctx)
{
	struct fset named = fset_or(*one, *other);
	struct fset *seen = mem_new_array(contexts->n + 1, sizeof *seen);
	struct contexts_count t = {0};
	size_t n = 0;

	for (size_t i = 0; i <= contexts->n && (!wholly || t.held == t.tested); i++) {
		size_t k = 0;

		seen[n] = fset_minus(i ? contexts->set[i - 1] : *besides, named);
		while (!fset_equal(&seen[k], &seen[n]))
			k++;
		if (k < n)
			continue;
		try_one(contexts, claim, one, other, &seen[n++], cone, ctx, &t);
	}
	free(seen);
	return t;
}
