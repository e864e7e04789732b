/* The constraints of a cone as sets of events see them: how the counts of each vary where it is tight. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/fit/sets.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "text/diag.h"

/* Adds the spread of a flow: the outer product of its terms aᵢ rᵢ. */
static void
add_flow(struct set_constraint *constraint, const double *term)
{
	for (size_t i = 0; i < constraint->n; i++)
		for (size_t j = 0; j < constraint->n; j++)
			constraint->spread[i * constraint->n + j] += term[i] * term[j];
}

static bool
row_is_tight(const struct cone *cone, const int64_t *row, const int64_t *ray)
{
	double at = 0, size = 0;

	for (size_t i = 0; i < cone->n_counters; i++) {
		at += (double)row[i] * (double)ray[i];
		size += fabs((double)row[i] * (double)ray[i]);
	}
	return fabs(at) <= 1e-12 * size;
}

static bool
constraint_of_row(const struct cone *cone, const int64_t *row, struct set_constraint *out)
{
	double *term, *all;
	bool good;

	*out = (struct set_constraint){.unit = mem_new_array(cone->n_counters, sizeof *out->unit)};
	for (size_t i = 0; i < cone->n_counters; i++)
		if (row[i])
			out->unit[out->n++] = i;
	out->spread = mem_new_array(out->n * out->n, sizeof *out->spread);
	term = mem_new_array(out->n + 1, sizeof *term);
	all = mem_new_array(out->n + 1, sizeof *all);
	for (size_t k = 0; k < cone->n_rays && out->n > 1; k++) {
		const int64_t *ray = cone->ray + k * cone->n_counters;
		double size = 0;

		if (!row_is_tight(cone, row, ray))
			continue;
		for (size_t i = 0; i < cone->n_counters; i++)
			size += (double)ray[i];
		for (size_t i = 0; i < out->n; i++)
			all[i] += term[i] = (double)row[out->unit[i]] * (double)ray[out->unit[i]] / size;
		add_flow(out, term);
	}
	add_flow(out, all);
	good = out->n > 1 && set_constraint_scale(out);
	free(term);
	free(all);
	return good;
}

struct set_constraints
set_constraints_of_cone(const struct cone *cone)
{
	struct set_constraints out = {.at = mem_new_array(SETS_CONSTRAINTS, sizeof *out.at)};

	for (size_t k = 0; k < cone->n_equalities + cone->n_inequalities && out.n < SETS_CONSTRAINTS; k++) {
		if (constraint_of_row(cone, cone_row(cone, k), &out.at[out.n]))
			out.at[out.n++].row = k;
		else
			set_constraint_free(&out.at[out.n]);
	}
	return out;
}

struct set_constraints
set_constraints_of_model(const struct udd_model *model, const struct fset *on, const bool *keep)
{
	const struct cone_limits none = {.seconds = -1}, limits = {.seconds = SETS_CONE_SECONDS};
	struct diags d = {0};
	struct udd_diagram *diagram = udd_expand(model, on, &d);
	struct signatures *all = diagram ? signatures_spanning(diagram, &d) : NULL;
	struct cone *whole = all ? cone_new(all->n_counters, all->n, all->coef, &none) : NULL,
		    *kept = whole ? cone_project(whole, keep, &limits) : NULL;
	struct set_constraints out = {0};
	const char **name = mem_new_array(model->n_counters, sizeof *name);
	size_t *number = mem_new_array(model->n_counters, sizeof *number), n = 0;

	for (size_t i = 0; i < model->n_counters; i++)
		if (keep[i]) {
			name[n] = model->counter[i].name;
			number[n++] = i;
		}
	if (kept)
		out = set_constraints_of_cone(kept);
	for (size_t k = 0; k < out.n; k++) {
		const size_t row = out.at[k].row;
		struct str text = {0};

		cone_row_text(cone_row(kept, row), name, n, row < kept->n_equalities, false, &text);
		out.at[k].text = str_take(&text);
		for (size_t i = 0; i < out.at[k].n; i++)
			out.at[k].unit[i] = number[out.at[k].unit[i]];
	}
	free(name);
	free(number);
	cone_free(whole);
	cone_free(kept);
	signatures_free(all);
	udd_diagram_free(diagram);
	diags_free(&d);
	return out;
}
