#include "work/analysis/constraints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "work/analysis/result.h"

/* share of the constraint's size within which a mean counts as on the line; smaller distances are rounding */
#define ON_THE_LINE 1e-9

const struct constraint_breach *
constraint_breach(const struct constraint_row *row, size_t finding)
{
	for (size_t i = 0; i < row->n_breaches; i++)
		if (row->breach[i].finding == finding)
			return &row->breach[i];
	return NULL;
}

static bool
same(const struct constraint *a, const struct constraint *b)
{
	return a->equality == b->equality && a->n == b->n && memcmp(a->coef, b->coef, a->n * sizeof *a->coef) == 0;
}

/* Returns the row of a constraint. A violated constraint that the cone does not have gets a new row after the cone's.
 */
static struct constraint_row *
row_for(struct constraint_table *t, size_t *cap, const struct constraint *c)
{
	for (size_t i = 0; i < t->n; i++)
		if (same(t->row[i].c, c))
			return &t->row[i];
	mem_grow(&t->row, cap, t->n + 1, sizeof *t->row);
	t->row[t->n] = (struct constraint_row){
		.c = c, .index = CONSTRAINT_NONE, .n_counters = constraint_counters(c), .tightest = NAN};
	return &t->row[t->n++];
}

static void
add_breach(struct constraint_row *row, size_t n_findings, size_t finding, const struct constraint *c)
{
	if (!row->breach)
		row->breach = mem_new_array(n_findings, sizeof *row->breach);
	if (row->n_breaches == 0 || c->margin > row->worst) {
		row->worst = c->margin;
		row->off = c->off;
	}
	row->breach[row->n_breaches++] = (struct constraint_breach){finding, c};
}

static int
worse_breach(const void *va, const void *vb)
{
	const struct constraint_breach *a = va, *b = vb;

	if (a->violated->margin < b->violated->margin || a->violated->margin > b->violated->margin)
		return a->violated->margin > b->violated->margin ? -1 : 1;
	return a->finding < b->finding ? -1 : a->finding > b->finding;
}

/* Returns how far one observation lies from the constraint, as a share of the constraint's size. */
static double
slack_share(const struct constraint_row *row, const struct finding *finding, bool broken)
{
	const struct constraint_slack *slack;
	double share;

	if (row->index == CONSTRAINT_NONE || row->index >= finding->n_slacks || isnan(finding->slack[row->index].at))
		return NAN;
	slack = &finding->slack[row->index];
	share = slack->size > 0 ? slack->at / slack->size : 0;
	if (!row->c->equality)
		return share;
	return broken ? -fabs(share) : 0;
}

static void
measure_slack(struct constraint_row *row, const struct result *result, const bool *marked)
{
	bool *broken = mem_new_array(result->n_findings, sizeof *broken), beyond = false, some = false;

	for (size_t i = 0; i < row->n_breaches; i++)
		broken[row->breach[i].finding] = true;
	row->slack = mem_new_array(result->n_findings, sizeof *row->slack);
	for (size_t i = 0; i < result->n_findings; i++) {
		double s = row->slack[i] = !marked || marked[i] ? slack_share(row, &result->finding[i], broken[i])
								: NAN;

		some |= !isnan(s);
		if (isnan(s) || broken[i])
			continue;
		beyond |= s < -ON_THE_LINE;
		if (!(s >= row->tightest)) {
			row->tightest = s;
			row->tightest_finding = i;
		}
	}
	row->verdict = row->n_breaches ? VERDICT_INFEASIBLE
		: beyond               ? VERDICT_BORDERLINE
		: some                 ? VERDICT_FEASIBLE
				       : VERDICT_UNDECIDED;
	free(broken);
}

struct constraint_table *
constraints_new(const struct result *result, const bool *marked)
{
	struct constraint_table *table = mem_new(sizeof *table);
	size_t cap = 0;

	for (size_t i = 0; i < result->n_constraints; i++)
		row_for(table, &cap, &result->constraint[i])->index = i;
	for (size_t i = 0; i < result->n_findings; i++) {
		const struct finding *finding = &result->finding[i];

		if ((marked && !marked[i]) || finding->verdict != VERDICT_INFEASIBLE)
			continue;
		for (size_t k = 0; k < finding->proof.n_violated; k++)
			add_breach(row_for(table, &cap, &finding->proof.violated[k]), result->n_findings, i,
				&finding->proof.violated[k]);
		if (finding->proof.n_violated == 0 && finding->proof.n_certificates) {
			struct constraint_row *row = row_for(table, &cap, finding->proof.certificate);

			row->certificate = row->index == CONSTRAINT_NONE;
			add_breach(row, result->n_findings, i, finding->proof.certificate);
		}
	}
	for (size_t i = 0; i < table->n; i++) {
		if (table->row[i].n_breaches)
			qsort(table->row[i].breach, table->row[i].n_breaches, sizeof *table->row[i].breach,
				worse_breach);
		table->violated += table->row[i].n_breaches > 0;
		measure_slack(&table->row[i], result, marked);
	}
	return table;
}

void
constraints_table_free(struct constraint_table *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n; i++) {
		free(t->row[i].breach);
		free(t->row[i].slack);
	}
	free(t->row);
	free(t);
}

static int
larger(double a, double b)
{
	return a > b ? -1 : a < b;
}

/* Order of the rows; those that no observation decides come last. */
static int
tighter(const struct constraint_row *a, const struct constraint_row *b)
{
	if (isnan(a->tightest) || isnan(b->tightest))
		return isnan(a->tightest) - isnan(b->tightest);
	return larger(b->tightest, a->tightest);
}

static int
form_of(const struct constraint_row *r)
{
	return r->c->equality ? 0 : r->n_counters > 1 ? 1 : 2;
}

/* Ties are broken by the form of the constraint, then by its place in the cone. */
static int
constraints_compare(const struct constraint_row *a, const struct constraint_row *b, enum constraint_sort by)
{
	int c = 0;

	switch (by) {
	case CONSTRAINTS_BY_VIOLATION:
		c = (a->n_breaches < b->n_breaches) - (a->n_breaches > b->n_breaches);
		c = c ? c : larger(a->worst, b->worst);
		c = c ? c : (b->verdict == VERDICT_BORDERLINE) - (a->verdict == VERDICT_BORDERLINE);
		c = c ? c : tighter(a, b);
		break;
	case CONSTRAINTS_BY_TIGHTNESS:
		c = tighter(a, b);
		break;
	case CONSTRAINTS_BY_COUNTERS:
		c = (a->n_counters > b->n_counters) - (a->n_counters < b->n_counters);
		break;
	case CONSTRAINTS_BY_FORM:
	case CONSTRAINT_SORTS:
		break;
	}
	c = c ? c : form_of(a) - form_of(b);
	return c ? c : a < b ? -1 : a > b;
}

struct sorting {
	const struct constraint_table *t;
	enum constraint_sort by;
};

static int
compare_numbers(const void *va, const void *vb, void *ctx)
{
	const struct sorting *s = ctx;

	return constraints_compare(&s->t->row[*(const size_t *)va], &s->t->row[*(const size_t *)vb], s->by);
}

size_t *
constraints_order(const struct constraint_table *table, enum constraint_sort by, const char *words, size_t *n)
{
	size_t *order = mem_new_array(table ? table->n : 0, sizeof *order);
	struct sorting s = {table, by};

	*n = 0;
	for (size_t i = 0; table && i < table->n; i++)
		if (!words || strcasestr(table->row[i].c->text, words) ||
			strcasestr(verdict_name(table->row[i].verdict), words))
			order[(*n)++] = i;
	qsort_r(order, *n, sizeof *order, compare_numbers, &s);
	return order;
}

const char *
constraint_sort_name(enum constraint_sort by)
{
	switch (by) {
	case CONSTRAINTS_BY_VIOLATION:
		return "violation";
	case CONSTRAINTS_BY_TIGHTNESS:
		return "tightness";
	case CONSTRAINTS_BY_COUNTERS:
		return "counters";
	case CONSTRAINTS_BY_FORM:
	case CONSTRAINT_SORTS:
		break;
	}
	return "form";
}
