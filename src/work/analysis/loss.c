/* Finds what is lost without one counter. The cone and the regions are projected onto the other counters. Constraints
 * of the projected cone that the whole cone lacks are what remains of those that contained the counter. Each refuted
 * observation is judged again with its projected region, because a projection may still miss the cone. */
#include "work/analysis/loss.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/series/changes.h"
#include "core/stats/region.h"
#include "core/udd/model.h"
#include "core/verdict/verdict.h"
#include "shape/shape.h"
#include "work/analysis/cones.h"
#include "work/analysis/describe.h"

/* Copies the constraints of `from` that `other` lacks. Both are over the model's counters. */
static struct constraint *
only_in(const struct result *from, const struct result *other, size_t *n)
{
	struct constraint *out = mem_new_array(from->n_constraints, sizeof *out);

	*n = 0;
	for (size_t i = 0; i < from->n_constraints; i++) {
		const struct constraint *constraint = &from->constraint[i];
		bool there = false;

		for (size_t k = 0; k < other->n_constraints && !there; k++)
			there = constraint->equality == other->constraint[k].equality &&
				memcmp(constraint->coef, other->constraint[k].coef,
					constraint->n * sizeof *constraint->coef) == 0;
		if (!there)
			out[(*n)++] = (struct constraint){.equality = constraint->equality,
				.coef = mem_copy(constraint->coef, constraint->n * sizeof *constraint->coef),
				.n = constraint->n,
				.text = mem_str(constraint->text)};
	}
	return out;
}

static struct result *
describe_over(const struct analysis *a, const struct fset *on, const bool *keep)
{
	struct result *r = mem_new(sizeof *r);

	r->n_counters = a->model->n_counters;
	r->used = mem_copy(keep, r->n_counters * sizeof *keep);
	describe_cone(a, r, cones_get(a->cones, on, keep));
	return r;
}

static void
compare_cones(const struct analysis *analysis, const struct fset *on, struct counter_loss *loss)
{
	bool *keep = analysis_used_counters(analysis);
	struct result *whole = describe_over(analysis, on, keep), *less;

	keep[loss->counter] = false;
	less = describe_over(analysis, on, keep);
	loss->equalities = less->n_equalities;
	loss->inequalities = less->n_constraints - less->n_equalities;
	loss->complete = whole->complete && less->complete;
	loss->come = only_in(less, whole, &loss->n_come);
	loss->gone = only_in(whole, less, &loss->n_gone);
	result_free(whole);
	result_free(less);
	free(keep);
}

bool
loss_refuted_without(struct analysis *analysis, const struct fset *on, const struct analysis_table *table,
	const struct prepared *prepared, size_t counter, double confidence)
{
	struct verdict_options how = {.confidence = confidence, .decides = (enum region_kind)analysis->opt.decides,
		.alone = true, .bare = true};
	struct prepared less = *prepared;
	bool refuted = false;

	if (!prepared->keep[counter])
		return true; /* the observation lacks the counter */
	less.keep = mem_copy(prepared->keep, analysis->model->n_counters * sizeof *prepared->keep);
	less.value = mem_copy(prepared->value, analysis->model->n_counters * sizeof *prepared->value);
	less.keep[counter] = false;
	less.n_kept--;
	less.region = NULL;
	less.changes = NULL;
	if (less.n_kept)
		prepare_region(analysis, table, &less);
	if (less.region) {
		struct verdict *verdict = verdict_new(cones_get(analysis->cones, on, less.keep), less.region, &how);

		refuted = verdict->verdict == VERDICT_INFEASIBLE;
		verdict_free(verdict);
	}
	region_free(less.region);
	changes_free(less.changes);
	free(less.keep);
	free(less.value);
	return refuted;
}

/* The confidence at which Holm's procedure over all observations rejects the ones that are refuted. */
static double
confidence_of(const struct analysis *a, const bool *refuted, size_t n)
{
	size_t left = 0;

	for (size_t i = 0; i < n && i < analysis_n_observations(a); i++) {
		const struct prepared *p = analysis_observation(a, i);

		left += p->region && !p->region->point && !refuted[i];
	}
	return a->opt.one_by_one || left == 0 ? a->opt.confidence : 1 - (1 - a->opt.confidence) / (double)(left + 1);
}

struct counter_loss *
analysis_loss(struct analysis *analysis, const struct fset *on, size_t counter, const bool *refuted, size_t n,
	const struct analysis_watch *watch)
{
	struct counter_loss *loss = mem_new(sizeof *loss);
	size_t at = 0;
	double confidence = analysis->opt.confidence;
	char *error = NULL;

	loss->counter = counter;
	cones_begin(analysis->cones);
	if (counter >= analysis->model->n_counters || !cones_signatures(analysis->cones, on, &error))
		goto stopped;
	if (watch && !watch->go_on(watch->ctx, "without", 0, 0))
		goto stopped;
	compare_cones(analysis, on, loss);
	loss->lost = mem_new_array(n, sizeof *loss->lost);
	confidence = confidence_of(analysis, refuted, n);
	for (size_t t = 0; t < analysis->n_tables; t++)
		for (size_t i = 0; i < analysis->table[t].n_ready && at < n; i++, at++) {
			if (!refuted[at])
				continue;
			if (watch && !watch->go_on(watch->ctx, "without", at, n))
				goto stopped;
			loss->asked++;
			if (!loss_refuted_without(analysis, on, &analysis->table[t], &analysis->table[t].ready[i],
				    counter, confidence))
				loss->lost[loss->n_lost++] = at;
		}
	return loss;
stopped:
	free(error);
	loss_free(loss);
	return NULL;
}

static const struct shape_row LOSS_ROWS[] = {
	{SHAPE_FIELD(struct counter_loss, counter)},
	{SHAPE_ARRAY(struct counter_loss, gone, n_gone), .of = &constraint_shape},
	{SHAPE_ARRAY(struct counter_loss, come, n_come), .of = &constraint_shape},
	{SHAPE_FIELD(struct counter_loss, equalities)}, {SHAPE_FIELD(struct counter_loss, inequalities)},
	{SHAPE_FIELD(struct counter_loss, complete)}, {SHAPE_FIELD(struct counter_loss, asked)},
	{SHAPE_ARRAY(struct counter_loss, lost, n_lost)},
};
static const struct shape LOSS = SHAPE(struct counter_loss, LOSS_ROWS);

void
loss_wire(struct wire *w, struct counter_loss *l)
{
	shape_wire(w, &LOSS, l);
}

void
loss_free(struct counter_loss *l)
{
	shape_free(&LOSS, l);
}
