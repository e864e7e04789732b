#include "work/search/compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "text/diag.h"
#include "work/analysis/cones.h"
#include "work/analysis/describe.h"
#include "work/analysis/witness.h"

/* The two sides. Cones and rows are valid until the next cones_begin(). */
struct pair {
	struct analysis *a;
	struct comparison *c;
	const struct signatures *sig[2];
	struct relation_side side[2];
	int64_t *row[2];
	size_t *number[2];
};

static void
take_side(struct pair *p, int k)
{
	struct relation_side *s = &p->side[k];

	s->cone = cones_get(p->a->cones, &p->c->on[k], p->c->used);
	p->row[k] = compare_rows(p->sig[k], p->c->used, s->cone->n_counters, &s->n, &p->number[k]);
	s->signature = p->row[k];
	p->c->paths[k] = mem_str(p->sig[k]->total);
	p->c->signatures[k] = s->cone->n_signatures;
	p->c->rays[k] = s->cone->n_rays;
	p->c->complete[k] = s->cone->complete;
}

static int
compare_vectors(const void *a, const void *b, void *width)
{
	const int64_t *x = a, *y = b;

	for (size_t i = 0; i < *(const size_t *)width; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

static bool
has_vector(const int64_t *sorted, size_t n, size_t width, const int64_t *v)
{
	size_t low = 0;

	while (low < n) {
		size_t mid = low + (n - low) / 2;
		int order = compare_vectors(v, sorted + mid * width, &width);

		if (order == 0)
			return true;
		if (order < 0)
			n = mid;
		else
			low = mid + 1;
	}
	return false;
}

static void
add_signature(const struct comparison *comparison, const struct udd_model *model, const int64_t *v, struct str *out)
{
	size_t n = 0;

	for (size_t i = 0, k = 0; i < model->n_counters; i++) {
		int64_t count = comparison->used[i] ? v[k++] : 0;

		if (count)
			str_add(out, n++ ? " + " : "");
		if (count > 1)
			str_addf(out, "%lld ", (long long)count);
		if (count)
			str_add(out, model->counter[i].name);
	}
}

/* Returns a signature of one side as the sum of two of the other: "Xur + Fu + PGF = (Xur + Fu) + (PGF)". */
static char *
sum_of_two(const struct pair *pair, const int64_t *v, const int64_t *sorted, size_t n, size_t width)
{
	int64_t *rest = mem_new_array(width, sizeof *rest);
	char *text = NULL;

	for (size_t k = 0; k < n && !text; k++) {
		bool fits = true;

		for (size_t i = 0; i < width; i++) {
			rest[i] = v[i] - sorted[k * width + i];
			fits &= rest[i] >= 0;
		}
		if (fits && has_vector(sorted, n, width, rest)) {
			struct str out = {0};

			add_signature(pair->c, pair->a->model, v, &out);
			str_add(&out, " = (");
			add_signature(pair->c, pair->a->model, sorted + k * width, &out);
			str_add(&out, ") + (");
			add_signature(pair->c, pair->a->model, rest, &out);
			str_add(&out, ")");
			text = str_take(&out);
		}
	}
	free(rest);
	return text;
}

/* Counts the signatures that only one side has. */
static void
count_own(struct pair *pair)
{
	size_t width = pair->side[0].cone->n_counters, size = width * sizeof(int64_t);

	for (int k = 0; k < 2; k++) {
		const struct cone *mine = pair->side[k].cone, *other = pair->side[1 - k].cone;
		int64_t *sorted = mem_copy(other->signature, other->n_signatures * size);

		if (other->n_signatures)
			qsort_r(sorted, other->n_signatures, size, compare_vectors, &width);
		for (size_t i = 0; i < mine->n_signatures; i++) {
			const int64_t *v = mine->signature + i * width;

			if (has_vector(sorted, other->n_signatures, width, v))
				continue;
			pair->c->own[k]++;
			if (!pair->c->example && pair->c->relation == RELATION_EQUAL)
				pair->c->example = sum_of_two(pair, v, sorted, other->n_signatures, width);
		}
		free(sorted);
	}
}

static void
describe_path(const struct pair *pair, const struct udd_diagram *diagram, int side, size_t signature,
	struct compare_difference *difference)
{
	struct signature_witness *witness = signatures_witness(pair->sig[side], diagram, signature);
	struct str line = {0}, steps = {0};

	witness_line(witness, &line);
	witness_steps(witness, &steps);
	difference->line = str_take(&line);
	difference->steps = str_take(&steps);
	signature_witness_free(witness);
	difference->n = pair->a->model->n_counters;
	difference->signature = mem_new_array(difference->n, sizeof *difference->signature);
	for (size_t i = 0; i < difference->n; i++)
		if (pair->c->used[i])
			difference->signature[i] = pair->sig[side]->coef[signature * pair->sig[side]->n_counters + i];
}

static struct compare_difference
describe_difference(
	const struct pair *pair, const struct udd_diagram *diagram, int keeper, const struct relation_row *row)
{
	struct compare_difference d = {
		.keeper = (size_t)keeper, .facet = row->facet, .breaking = row->breaking, .value = row->value};
	size_t n = pair->a->model->n_counters;
	const char **name = mem_new_array(n, sizeof *name);
	struct str broken = {0};

	for (size_t i = 0; i < n; i++)
		name[i] = pair->a->model->counter[i].name;
	d.constraint = describe_row(pair->a, pair->c->used, row->coef, row->equality);
	relation_broken_text(d.constraint.coef, row->value, name, n, &broken);
	d.broken = str_take(&broken);
	describe_path(pair, diagram, 1 - keeper, pair->number[1 - keeper][row->simplest], &d);
	free(name);
	return d;
}

/* Merges both sides' rows into one list. Each is already sorted by simplicity. */
static void
describe_differences(const struct pair *pair, const struct relation *relation)
{
	struct comparison *comparison = pair->c;
	struct diags d = {0};
	struct udd_diagram *diagram[2];
	struct compare_difference *list[2];
	size_t at[2] = {0, 0};

	for (int k = 0; k < 2; k++)
		/* the choice made a cone before, so it makes one again */
		diagram[k] = udd_expand(pair->a->model, &comparison->on[k], &d);
	for (int k = 0; k < 2; k++) {
		list[k] = mem_new_array(relation->n[k], sizeof *list[k]);
		for (size_t i = 0; i < relation->n[k]; i++)
			list[k][i] = describe_difference(pair, diagram[1 - k], k, &relation->row[k][i]);
	}
	comparison->difference = mem_new_array(relation->n[0] + relation->n[1], sizeof *comparison->difference);
	while (at[0] < relation->n[0] || at[1] < relation->n[1]) {
		int k = at[0] == relation->n[0] ? 1 : 0;

		if (at[0] < relation->n[0] && at[1] < relation->n[1])
			k = constraint_counters(&list[1][at[1]].constraint) <
				constraint_counters(&list[0][at[0]].constraint);
		comparison->difference[comparison->n_differences++] = list[k][at[k]++];
	}
	for (int k = 0; k < 2; k++) {
		free(list[k]);
		udd_diagram_free(diagram[k]);
	}
	diags_free(&d);
}

struct comparison *
compare_run(struct analysis *analysis, const struct fset on[2], const struct analysis_watch *watch)
{
	struct comparison *comparison = mem_new(sizeof *comparison);
	struct pair p = {.a = analysis, .c = comparison};
	struct relation r;
	double start = clock_seconds();

	memcpy(comparison->on, on, sizeof comparison->on);
	comparison->used = analysis_used_counters(analysis);
	for (size_t i = 0; i < analysis->model->n_counters; i++)
		comparison->n_used += comparison->used[i];
	if (watch && !watch->go_on(watch->ctx, "cones", 0, 2))
		goto stopped;
	cones_begin(analysis->cones);
	for (int k = 0; k < 2; k++) {
		p.sig[k] = cones_signatures(analysis->cones, &on[k], &comparison->error);
		if (!p.sig[k])
			return comparison;
	}
	for (int k = 0; k < 2; k++)
		take_side(&p, k);
	relation_find(p.side, &r);
	comparison->relation = r.kind;
	count_own(&p);
	describe_differences(&p, &r);
	relation_free(&r);
	for (int k = 0; k < 2; k++) {
		free(p.row[k]);
		free(p.number[k]);
	}
	if (watch && !watch->go_on(watch->ctx, "counters", 0, 0))
		goto stopped;
	if (comparison->relation == RELATION_EQUAL)
		compare_find_remedies(analysis, comparison);
	else if (!compare_judge(analysis, comparison, watch))
		goto stopped;
	comparison->seconds = clock_seconds() - start;
	return comparison;
stopped:
	comparison_free(comparison);
	return NULL;
}

void
comparison_free(struct comparison *comparison)
{
	if (!comparison)
		return;
	for (size_t i = 0; i < comparison->n_differences; i++) {
		struct compare_difference *difference = &comparison->difference[i];

		free(difference->constraint.coef);
		free(difference->constraint.text);
		free(difference->broken);
		free(difference->signature);
		free(difference->line);
		free(difference->steps);
	}
	for (size_t i = 0; i < comparison->n_remedies; i++) {
		free(comparison->remedy[i].what);
		free(comparison->remedy[i].counter);
		free(comparison->remedy[i].text);
	}
	for (size_t i = 0; i < comparison->n_observations; i++) {
		free(comparison->observation[i].name);
		free(comparison->observation[i].text);
	}
	free(comparison->difference);
	free(comparison->remedy);
	free(comparison->observation);
	free(comparison->example);
	free(comparison->paths[0]);
	free(comparison->paths[1]);
	free(comparison->used);
	free(comparison->error);
	free(comparison);
}
