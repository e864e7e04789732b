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
explain_side(struct explanations *explanations, struct analysis *analysis, struct relax *relax, const struct fset *on,
	const struct constraint_row *row, int side)
{
	struct explanation e = {.side = side, .certificate = row->certificate,
		.finding = mem_new_array(row->n_breaches, sizeof *e.finding)};
	bool *breaking = mem_new_array(analysis_n_observations(analysis), sizeof *breaking);

	for (size_t i = 0; i < row->n_breaches; i++) {
		const struct constraint_breach *breach = &row->breach[i];

		if (!relax_refuted(relax, breach->finding) || (breach->violated->excess > 0 ? 1 : -1) != side)
			continue;
		if (e.n_findings == 0) {
			e.worst = breach->violated->margin;
			e.off = breach->violated->off;
		}
		e.finding[e.n_findings++] = breach->finding;
		breaking[breach->finding] = true;
	}
	if (e.n_findings)
		e.touch = touch_new(relax, analysis, on, row->c->coef, row->c->equality, side, breaking);
	free(breaking);
	if (!e.touch) {
		free(e.finding);
		return e.n_findings == 0;
	}
	e.constraint = copy_constraint(row->c);
	explanations->one[explanations->n++] = e;
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
analysis_explain(struct analysis *analysis, const struct result *now, const struct analysis_watch *watch)
{
	struct explanations *explanations = mem_new(sizeof *explanations);
	struct constraint_table *table = constraints_new(now, NULL);
	struct relax *relax = relax_new(analysis, &now->on, watch);
	bool whole = relax != NULL;

	explanations->one = mem_new_array(2 * table->n, sizeof *explanations->one);
	for (size_t i = 0; i < table->n && whole; i++)
		if (table->row[i].n_breaches)
			whole = explain_side(explanations, analysis, relax, &now->on, &table->row[i], -1) &&
				explain_side(explanations, analysis, relax, &now->on, &table->row[i], 1);
	if (explanations->n)
		qsort(explanations->one, explanations->n, sizeof *explanations->one, explain_compare);
	relax_free(relax);
	constraints_table_free(table);
	if (whole)
		return explanations;
	explanations_free(explanations);
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
