/* Finds equalities by shrinking the set of all linear forms.
 *
 * Elimination over hundreds of signatures would need a large matrix. Instead this keeps a basis of the forms that
 * vanish on all vectors seen so far. It begins with the n unit forms. When forms do not vanish on a new vector, one of
 * them is dropped. Multiples of it are subtracted from the others so that these vanish there. After as many such
 * vectors as the rank, every further vector only confirms the forms and costs a few sparse dot products. */
#include "core/cone/rref.h"

#include <stdlib.h>
#include <string.h>

#include "base/int128.h"
#include "base/mem.h"
#include "core/cone/rows.h"

struct forms {
	size_t n, n_forms;
	int64_t *c;    /* n_forms × n */
	int64_t *dot;  /* n_forms: each form's value on the current vector */
	size_t *entry; /* n: the columns where the current vector is not 0 */
};

static void
swap_forms(struct forms *f, size_t a, size_t b)
{
	for (size_t j = 0; j < f->n; j++) {
		int64_t t = f->c[a * f->n + j];

		f->c[a * f->n + j] = f->c[b * f->n + j];
		f->c[b * f->n + j] = t;
	}
}

/* Form i := a·(form i) − b·(form k), divided by its greatest common divisor. */
static bool
rref_combine(struct forms *forms, size_t i, int64_t a, size_t k, int64_t b)
{
	int64_t *x = forms->c + i * forms->n;
	const int64_t *y = forms->c + k * forms->n;

	for (size_t j = 0; j < forms->n; j++) {
		i128 t = (i128)a * x[j] - (i128)b * y[j];

		if (t > INT64_MAX || t < -INT64_MAX)
			return false;
		x[j] = (int64_t)t;
	}
	rows_reduce(x, forms->n);
	return true;
}

/* Keeps the forms, and combinations of forms, that vanish on v. */
static bool
meet(struct forms *forms, const int64_t *v)
{
	size_t best = SIZE_MAX, used = 0;
	int64_t t;

	for (size_t j = 0; j < forms->n; j++)
		if (v[j])
			forms->entry[used++] = j;
	for (size_t i = 0; i < forms->n_forms; i++) {
		i128 sum = 0;

		for (size_t k = 0; k < used; k++)
			if (__builtin_add_overflow(
				    sum, (i128)v[forms->entry[k]] * forms->c[i * forms->n + forms->entry[k]], &sum))
				return false;
		if (sum > INT64_MAX || sum < -INT64_MAX)
			return false;
		forms->dot[i] = (int64_t)sum;
		if (sum && (best == SIZE_MAX || llabs(forms->dot[i]) < llabs(forms->dot[best])))
			best = i;
	}
	if (best == SIZE_MAX)
		return true;
	swap_forms(forms, best, --forms->n_forms);
	t = forms->dot[best];
	forms->dot[best] = forms->dot[forms->n_forms];
	for (size_t i = 0; i < forms->n_forms; i++)
		if (forms->dot[i] && !rref_combine(forms, i, t, forms->n_forms, forms->dot[i]))
			return false;
	return true;
}

/* Gauss–Jordan elimination over the columns in order. */
static bool
echelon(struct forms *forms, size_t *pivot)
{
	size_t done = 0;

	for (size_t col = 0; col < forms->n && done < forms->n_forms; col++) {
		size_t k = done;
		int64_t *row = forms->c + done * forms->n;

		while (k < forms->n_forms && !forms->c[k * forms->n + col])
			k++;
		if (k == forms->n_forms)
			continue;
		swap_forms(forms, k, done);
		rows_reduce(row, forms->n);
		if (row[col] < 0)
			for (size_t j = 0; j < forms->n; j++)
				row[j] = -row[j];
		for (size_t i = 0; i < forms->n_forms; i++)
			if (i != done && forms->c[i * forms->n + col] &&
				!rref_combine(forms, i, row[col], done, forms->c[i * forms->n + col]))
				return false;
		pivot[done++] = col;
	}
	return true;
}

bool
rref_narrow(size_t n, size_t n_forms, const int64_t *form, size_t m, const int64_t *vector, struct rref *out)
{
	struct forms f = {.n = n, .n_forms = n_forms};
	bool fits = true;

	f.c = mem_copy(form, n_forms * n * sizeof *form);
	f.dot = mem_new_array(n_forms, sizeof *f.dot);
	f.entry = mem_new_array(n, sizeof *f.entry);
	for (size_t i = 0; i < m && fits && f.n_forms > 0; i++)
		fits = meet(&f, vector + i * n);
	*out = (struct rref){.exact = true};
	out->pivot = mem_new_array(n_forms, sizeof *out->pivot);
	fits = fits && echelon(&f, out->pivot);
	out->row = f.c;
	out->n_rows = f.n_forms;
	free(f.dot);
	free(f.entry);
	if (!fits)
		rref_free(out);
	return fits;
}

void
rref_equalities(size_t n, size_t m, const int64_t *vector, struct rref *out)
{
	int64_t *unit = mem_new_array(n * n, sizeof *unit);

	for (size_t i = 0; i < n; i++)
		unit[i * n + i] = 1;
	if (!rref_narrow(n, n, unit, m, vector, out))
		rref_wide(n, m, vector, out);
	free(unit);
}

void
rref_free(struct rref *r)
{
	free(r->row);
	free(r->pivot);
	*r = (struct rref){0};
}
