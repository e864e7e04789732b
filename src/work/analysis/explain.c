#include "work/analysis/explain.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "work/analysis/cones.h"
#include "work/analysis/constraints.h"
#include "work/analysis/describe.h"
#include "work/analysis/touch.h"

static struct constraint *
copy_constraint(const struct constraint *c)
{
	struct constraint *k = mem_copy(c, sizeof *c);

	k->coef = mem_copy(c->coef, c->n * sizeof *c->coef);
	k->text = mem_str(c->text);
	return k;
}

/* Explains an inequality, or one side of an equality: side 1 where Σ coef·v is too large. Adds nothing where no
 * observation breaks that side, or none after Holm's procedure. False when stopped. */
static bool
explain_side(struct explanations *x, struct analysis *a, struct relax *relax, const struct fset *on,
	const struct constraint_row *row, int side)
{
	struct explanation e = {.side = side, .certificate = row->certificate,
		.finding = mem_new_array(row->n_breaches, sizeof *e.finding)};
	bool *breaking = mem_new_array(analysis_n_observations(a), sizeof *breaking);

	for (size_t i = 0; i < row->n_breaches; i++) {
		const struct constraint_breach *b = &row->breach[i];

		if (!relax_refuted(relax, b->finding) || (b->violated->excess > 0 ? 1 : -1) != side)
			continue;
		if (e.n_findings == 0) {
			e.worst = b->violated->margin;
			e.off = b->violated->off;
		}
		e.finding[e.n_findings++] = b->finding;
		breaking[b->finding] = true;
	}
	if (e.n_findings)
		e.touch = touch_new(relax, a, on, row->c->coef, row->c->equality, side, breaking);
	free(breaking);
	if (!e.touch) {
		free(e.finding);
		return e.n_findings == 0;
	}
	e.constraint = copy_constraint(row->c);
	x->one[x->n++] = e;
	return true;
}

/* Order: most observations first, then the largest violation, then the simplest constraint. Stable. */
static int
explain_compare(const void *va, const void *vb)
{
	const struct explanation *a = va, *b = vb;

	if (a->n_findings != b->n_findings)
		return a->n_findings > b->n_findings ? -1 : 1;
	if (a->worst > b->worst || a->worst < b->worst)
		return a->worst > b->worst ? -1 : 1;
	if (a->off > b->off || a->off < b->off)
		return a->off > b->off ? -1 : 1;
	return strcmp(a->constraint->text, b->constraint->text);
}

struct explanations *
analysis_explain(struct analysis *a, const struct result *now, const struct analysis_watch *watch)
{
	struct explanations *x = mem_new(sizeof *x);
	struct constraint_table *t = constraints_new(now, NULL);
	struct relax *relax = relax_new(a, &now->on, watch);
	bool whole = relax != NULL;

	x->one = mem_new_array(2 * t->n, sizeof *x->one);
	for (size_t i = 0; i < t->n && whole; i++)
		if (t->row[i].n_breaches)
			whole = explain_side(x, a, relax, &now->on, &t->row[i], -1) &&
				explain_side(x, a, relax, &now->on, &t->row[i], 1);
	if (x->n)
		qsort(x->one, x->n, sizeof *x->one, explain_compare);
	relax_free(relax);
	constraints_table_free(t);
	if (whole)
		return x;
	explanations_free(x);
	return NULL;
}

void
explanations_free(struct explanations *x)
{
	if (!x)
		return;
	for (size_t i = 0; i < x->n; i++) {
		constraints_free(x->one[i].constraint, 1);
		free(x->one[i].finding);
		touch_free(x->one[i].touch);
	}
	free(x->one);
	free(x);
}
