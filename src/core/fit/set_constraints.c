/* Constraints over the units that are counted. */
#include <stdlib.h>

#include "base/mem.h"
#include "core/fit/sets.h"

void
set_constraint_free(struct set_constraint *constraint)
{
	free(constraint->unit);
	free(constraint->spread);
	free(constraint->text);
}

bool
set_constraint_scale(struct set_constraint *constraint)
{
	double sum = 0;

	for (size_t i = 0; i < constraint->n; i++)
		sum += constraint->spread[i * constraint->n + i];
	for (size_t i = 0; i < constraint->n * constraint->n && sum > 0; i++)
		constraint->spread[i] /= sum;
	return sum > 0;
}

/* Writes the units of a counter; one that is always counted if it has none. Returns their number. */
static size_t
units_of(size_t counter, const size_t *of, size_t n_units, size_t *unit)
{
	size_t n = 0;

	for (size_t u = 0; u < n_units; u++)
		if (of[u] == counter)
			unit[n++] = u;
	if (n == 0)
		unit[n++] = SETS_ALWAYS;
	return n;
}

/* Replaces the counters of a constraint by their units, which have equal parts of its terms. */
static struct set_constraint
constraint_over(const struct set_constraint *from, const size_t *counter, size_t n_units)
{
	struct set_constraint out = {.unit = mem_new_array(from->n + n_units, sizeof *out.unit), .row = from->row,
		.text = from->text ? mem_str(from->text) : NULL};
	size_t *term = mem_new_array(from->n + n_units, sizeof *term);
	double *part = mem_new_array(from->n + n_units, sizeof *part);

	for (size_t i = 0; i < from->n; i++)
		for (size_t left = units_of(from->unit[i], counter, n_units, out.unit + out.n), all = left; left > 0;
			left--) {
			term[out.n] = i;
			part[out.n++] = 1 / (double)all;
		}
	out.spread = mem_new_array(out.n * out.n, sizeof *out.spread);
	for (size_t i = 0; i < out.n; i++)
		for (size_t j = 0; j < out.n; j++)
			out.spread[i * out.n + j] = part[i] * part[j] * from->spread[term[i] * from->n + term[j]];
	free(term);
	free(part);
	return out;
}

static bool
some_turn(const struct set_constraint *constraint)
{
	for (size_t i = 0; i < constraint->n; i++)
		if (constraint->unit[i] != SETS_ALWAYS)
			return true;
	return false;
}

struct set_constraints
set_constraints_over(const struct set_constraints *from, const size_t *counter, size_t n_units)
{
	struct set_constraints out = {.at = mem_new_array(from->n, sizeof *out.at)};

	for (size_t k = 0; k < from->n; k++) {
		out.at[out.n] = constraint_over(&from->at[k], counter, n_units);
		if (some_turn(&out.at[out.n]) && set_constraint_scale(&out.at[out.n]))
			out.n++;
		else
			set_constraint_free(&out.at[out.n]);
	}
	return out;
}

void
set_constraints_free(struct set_constraints *constraints)
{
	for (size_t k = 0; k < constraints->n; k++)
		set_constraint_free(&constraints->at[k]);
	free(constraints->at);
	*constraints = (struct set_constraints){0};
}
