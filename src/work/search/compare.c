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
add_signature(const struct comparison *c, const struct udd_model *m, const int64_t *v, struct str *out)
{
	size_t n = 0;

	for (size_t i = 0, k = 0; i < m->n_counters; i++) {
		int64_t count = c->used[i] ? v[k++] : 0;

		if (count)
			str_add(out, n++ ? " + " : "");
		if (count > 1)
			str_addf(out, "%lld ", (long long)count);
		if (count)
			str_add(out, m->counter[i].name);
	}
}

/* Returns a signature of one side as the sum of two of the other: "Xur + Fu + PGF = (Xur + Fu) + (PGF)". */
static char *
sum_of_two(const struct pair *p, const int64_t *v, const int64_t *sorted, size_t n, size_t width)
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

			add_signature(p->c, p->a->model, v, &out);
			str_add(&out, " = (");
			add_signature(p->c, p->a->model, sorted + k * width, &out);
			str_add(&out, ") + (");
			add_signature(p->c, p->a->model, rest, &out);
			str_add(&out, ")");
			text = str_take(&out);
		}
	}
	free(rest);
	return text;
}

/* Counts the signatures that only one side has. */
static void
count_own(struct pair *p)
{
	size_t width = p->side[0].cone->n_counters, size = width * sizeof(int64_t);

	for (int k = 0; k < 2; k++) {
		const struct cone *mine = p->side[k].cone, *other = p->side[1 - k].cone;
		int64_t *sorted = mem_copy(other->signature, other->n_signatures * size);

		if (other->n_signatures)
			qsort_r(sorted, other->n_signatures, size, compare_vectors, &width);
		for (size_t i = 0; i < mine->n_signatures; i++) {
			const int64_t *v = mine->signature + i * width;

			if (has_vector(sorted, other->n_signatures, width, v))
				continue;
			p->c->own[k]++;
			if (!p->c->example && p->c->relation == RELATION_EQUAL)
				p->c->example = sum_of_two(p, v, sorted, other->n_signatures, width);
		}
		free(sorted);
	}
}

static void
describe_path(
	const struct pair *p, const struct udd_diagram *g, int side, size_t signature, struct compare_difference *d)
{
	struct signature_witness *x = signatures_witness(p->sig[side], g, signature);
	struct str line = {0}, steps = {0};

	witness_line(x, &line);
	witness_steps(x, &steps);
	d->line = str_take(&line);
	d->steps = str_take(&steps);
	signature_witness_free(x);
	d->n = p->a->model->n_counters;
	d->signature = mem_new_array(d->n, sizeof *d->signature);
	for (size_t i = 0; i < d->n; i++)
		if (p->c->used[i])
			d->signature[i] = p->sig[side]->coef[signature * p->sig[side]->n_counters + i];
}

static struct compare_difference
describe_difference(const struct pair *p, const struct udd_diagram *g, int keeper, const struct relation_row *r)
{
	struct compare_difference d = {
		.keeper = (size_t)keeper, .facet = r->facet, .breaking = r->breaking, .value = r->value};
	size_t n = p->a->model->n_counters;
	const char **name = mem_new_array(n, sizeof *name);
	struct str broken = {0};

	for (size_t i = 0; i < n; i++)
		name[i] = p->a->model->counter[i].name;
	d.constraint = describe_row(p->a, p->c->used, r->coef, r->equality);
	relation_broken_text(d.constraint.coef, r->value, name, n, &broken);
	d.broken = str_take(&broken);
	describe_path(p, g, 1 - keeper, p->number[1 - keeper][r->simplest], &d);
	free(name);
	return d;
}

/* Merges both sides' rows into one list. Each is already sorted by simplicity. */
static void
describe_differences(const struct pair *p, const struct relation *r)
{
	struct comparison *c = p->c;
	struct diags d = {0};
	struct udd_diagram *g[2];
	struct compare_difference *list[2];
	size_t at[2] = {0, 0};

	for (int k = 0; k < 2; k++)
		/* the choice made a cone before, so it makes one again */
		g[k] = udd_expand(p->a->model, &c->on[k], &d);
	for (int k = 0; k < 2; k++) {
		list[k] = mem_new_array(r->n[k], sizeof *list[k]);
		for (size_t i = 0; i < r->n[k]; i++)
			list[k][i] = describe_difference(p, g[1 - k], k, &r->row[k][i]);
	}
	c->difference = mem_new_array(r->n[0] + r->n[1], sizeof *c->difference);
	while (at[0] < r->n[0] || at[1] < r->n[1]) {
		int k = at[0] == r->n[0] ? 1 : 0;

		if (at[0] < r->n[0] && at[1] < r->n[1])
			k = constraint_counters(&list[1][at[1]].constraint) <
				constraint_counters(&list[0][at[0]].constraint);
		c->difference[c->n_differences++] = list[k][at[k]++];
	}
	for (int k = 0; k < 2; k++) {
		free(list[k]);
		udd_diagram_free(g[k]);
	}
	diags_free(&d);
}

struct comparison *
compare_run(struct analysis *a, const struct fset on[2], const struct analysis_watch *watch)
{
	struct comparison *c = mem_new(sizeof *c);
	struct pair p = {.a = a, .c = c};
	struct relation r;
	double start = clock_seconds();

	memcpy(c->on, on, sizeof c->on);
	c->used = analysis_used_counters(a);
	for (size_t i = 0; i < a->model->n_counters; i++)
		c->n_used += c->used[i];
	if (watch && !watch->go_on(watch->ctx, "cones", 0, 2))
		goto stopped;
	cones_begin(a->cones);
	for (int k = 0; k < 2; k++) {
		p.sig[k] = cones_signatures(a->cones, &on[k], &c->error);
		if (!p.sig[k])
			return c;
	}
	for (int k = 0; k < 2; k++)
		take_side(&p, k);
	relation_find(p.side, &r);
	c->relation = r.kind;
	count_own(&p);
	describe_differences(&p, &r);
	relation_free(&r);
	for (int k = 0; k < 2; k++) {
		free(p.row[k]);
		free(p.number[k]);
	}
	if (watch && !watch->go_on(watch->ctx, "counters", 0, 0))
		goto stopped;
	if (c->relation == RELATION_EQUAL)
		compare_find_remedies(a, c);
	else if (!compare_judge(a, c, watch))
		goto stopped;
	c->seconds = clock_seconds() - start;
	return c;
stopped:
	comparison_free(c);
	return NULL;
}

void
comparison_free(struct comparison *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n_differences; i++) {
		struct compare_difference *d = &c->difference[i];

		free(d->constraint.coef);
		free(d->constraint.text);
		free(d->broken);
		free(d->signature);
		free(d->line);
		free(d->steps);
	}
	for (size_t i = 0; i < c->n_remedies; i++) {
		free(c->remedy[i].what);
		free(c->remedy[i].counter);
		free(c->remedy[i].text);
	}
	for (size_t i = 0; i < c->n_observations; i++) {
		free(c->observation[i].name);
		free(c->observation[i].text);
	}
	free(c->difference);
	free(c->remedy);
	free(c->observation);
	free(c->example);
	free(c->paths[0]);
	free(c->paths[1]);
	free(c->used);
	free(c->error);
	free(c);
}
