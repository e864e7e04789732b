/* The active columns are kept as Q R, where Q has orthonormal rows q_k, by Gram–Schmidt done twice. Only products
 * with y are known. So s = Qᵀy follows from Rᵀ s = g, the fit is Σ s_k q_k, and the multipliers solve R z = s.
 * Removing a column keeps those before it and appends the others again. */
#include "core/verdict/nnls.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stats/dot_product.h"

#define DEPENDENT 1e-11 /* a column of length 1 that is this close to the span of the others adds nothing */

struct nnls_state {
	size_t n, dim, n_free, k; /* k: number of active columns */
	const double *c, *g;
	size_t *active;
	bool *in, *barred;
	double *q; /* dim × dim: row i is q_i */
	double *r; /* dim × dim: row i is column i of R */
	double *s, *z, *next, *fit, *column;
};

static bool
nnls_append(struct nnls_state *w, size_t j)
{
	double *v = w->column, *r, length, s = w->g[j];

	if (w->k == w->dim)
		return false;
	r = w->r + w->k * w->dim;
	memcpy(v, w->c + j * w->dim, w->dim * sizeof *v);
	memset(r, 0, w->dim * sizeof *r);
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < w->k; i++) {
			const double *q = w->q + i * w->dim;
			double t = dot(q, v, w->dim);

			r[i] += t;
			dot_subtract(v, t, q, w->dim);
		}
	length = sqrt(dot(v, v, w->dim));
	if (length < DEPENDENT)
		return false;
	r[w->k] = length;
	memcpy(w->q + w->k * w->dim, v, w->dim * sizeof *v);
	dot_scale(w->q + w->k * w->dim, 1 / length, w->dim);
	for (size_t i = 0; i < w->k; i++)
		s -= r[i] * w->s[i];
	w->s[w->k] = s / length;
	w->active[w->k++] = j;
	w->in[j] = true;
	return true;
}

/* Remove the marked active columns; the others keep their order. */
static void
remove_marked(struct nnls_state *state, const bool *mark)
{
	size_t first = 0, k = state->k;

	while (first < k && !mark[first])
		first++;
	state->k = first;
	for (size_t i = first; i < k; i++) {
		size_t j = state->active[i];
		double z = state->z[i];

		state->in[j] = false;
		if (!mark[i] && nnls_append(state, j))
			state->z[state->k - 1] = z;
	}
}

/* Set w->next to the unconstrained multipliers of the active columns. */
static void
solve(struct nnls_state *w)
{
	for (size_t i = w->k; i-- > 0;) {
		double t = w->s[i];

		for (size_t j = i + 1; j < w->k; j++)
			t -= w->r[j * w->dim + i] * w->next[j];
		w->next[i] = t / w->r[i * w->dim + i];
	}
}

/* Move from z towards the unconstrained solution as far as all multipliers stay non-negative, drop those that become
 * 0, and repeat. */
static void
nnls_settle(struct nnls_state *state, bool *mark)
{
	for (;;) {
		double step = 1;
		size_t block = state->k;

		solve(state);
		for (size_t i = 0; i < state->k; i++)
			if (state->active[i] >= state->n_free && !(state->next[i] > 0)) {
				double t = state->z[i] - state->next[i] > 0
					? state->z[i] / (state->z[i] - state->next[i])
					: 0;

				if (t < step || block == state->k) {
					step = t;
					block = i;
				}
			}
		if (block == state->k) {
			memcpy(state->z, state->next, state->k * sizeof *state->z);
			return;
		}
		for (size_t i = 0; i < state->k; i++) {
			state->z[i] += step * (state->next[i] - state->z[i]);
			mark[i] = state->active[i] >= state->n_free && (i == block || state->z[i] <= 0);
		}
		remove_marked(state, mark);
	}
}

static void
update_fit(struct nnls_state *w)
{
	memset(w->fit, 0, w->dim * sizeof *w->fit);
	for (size_t i = 0; i < w->k; i++)
		dot_subtract(w->fit, -w->s[i], w->q + i * w->dim, w->dim);
}

/* The inactive column along which the misfit falls fastest; n if there is none. */
static size_t
steepest(const struct nnls_state *w, double tolerance)
{
	size_t best = w->n;
	double most = tolerance;

	for (size_t j = w->n_free; j < w->n; j++)
		if (!w->in[j] && !w->barred[j]) {
			double t = w->g[j] - dot(w->c + j * w->dim, w->fit, w->dim);

			if (t > most) {
				most = t;
				best = j;
			}
		}
	return best;
}

/* Returns false if the iteration limit was reached. */
static bool
iterate(struct nnls_state *state, bool *mark)
{
	size_t limit = 100 + 10 * state->dim + 3 * (state->n < 1000 ? state->n : 1000);
	double largest = 0;

	for (size_t j = 0; j < state->n; j++)
		largest = fmax(largest, fabs(state->g[j]));
	for (size_t j = 0; j < state->n_free; j++)
		nnls_append(state, j);
	solve(state);
	memcpy(state->z, state->next, state->k * sizeof *state->z);
	for (size_t round = 0; round < limit; round++) {
		size_t j;

		update_fit(state);
		j = steepest(
			state, 1e-10 * (1 + sqrt(dot(state->fit, state->fit, state->dim))) + 8 * DBL_EPSILON * largest);
		if (j == state->n)
			return true;
		if (!nnls_append(state, j)) {
			state->barred[j] = true;
			continue;
		}
		state->z[state->k - 1] = 0;
		nnls_settle(state, mark);
		/* A column that is dropped as soon as it was added came in by rounding. It is barred, because the
		 * search could loop. */
		if (state->in[j])
			memset(state->barred, 0, state->n * sizeof *state->barred);
		else
			state->barred[j] = true;
	}
	return false;
}

void
nnls_solve(size_t n, size_t dim, size_t n_free, const double *c, const double *g, struct nnls *out)
{
	/* each value is written before it is read */
	double *block = mem_resize(NULL, 2 * dim * dim + 5 * dim, sizeof *block);
	bool *flags = mem_new_array(2 * n + dim, sizeof *flags);
	struct nnls_state w = {.n = n, .dim = dim, .n_free = n_free, .c = c, .g = g};

	w.q = block;
	w.r = w.q + dim * dim;
	w.s = w.r + dim * dim;
	w.z = w.s + dim;
	w.next = w.z + dim;
	w.fit = w.next + dim;
	w.column = w.fit + dim;
	w.in = flags;
	w.barred = flags + n;
	w.active = mem_new_array(dim, sizeof *w.active);
	out->converged = iterate(&w, flags + 2 * n);
	out->n_active = w.k;
	out->active = w.active;
	out->z = mem_copy(w.z, w.k * sizeof *w.z);
	out->fit = mem_copy(w.fit, dim * sizeof *w.fit);
	out->norm2 = dot(w.fit, w.fit, dim);
	free(block);
	free(flags);
}

void
nnls_free(struct nnls *s)
{
	free(s->active);
	free(s->z);
	free(s->fit);
}
