#include "oracle.h"

#include <glpk.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

static bool
has_solution(glp_prob *p)
{
	glp_smcp parm;
	bool found;

	glp_term_out(GLP_OFF);
	glp_init_smcp(&parm);
	parm.msg_lev = GLP_MSG_OFF;
	/* The floating-point simplex only finds a starting basis; the exact one decides. */
	parm.presolve = GLP_OFF;
	glp_simplex(p, &parm);
	if (glp_exact(p, &parm) != 0)
		abort();
	found = glp_get_status(p) == GLP_OPT || glp_get_status(p) == GLP_FEAS;
	glp_delete_prob(p);
	return found;
}

bool
oracle_point(size_t n, size_t m, const int64_t *ray, const double *v)
{
	glp_prob *p = glp_create_prob();
	int *index = mem_new_array(m + 1, sizeof *index);
	double *value = mem_new_array(m + 1, sizeof *value);

	glp_add_rows(p, (int)n);
	glp_add_cols(p, (int)m + 1); /* plus a column of zeros, because GLPK needs at least one */
	for (size_t j = 0; j < m; j++)
		glp_set_col_bnds(p, (int)j + 1, GLP_LO, 0, 0);
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < m; j++) {
			index[j + 1] = (int)j + 1;
			value[j + 1] = (double)ray[j * n + i];
		}
		glp_set_row_bnds(p, (int)i + 1, GLP_FX, v[i], v[i]);
		glp_set_mat_row(p, (int)i + 1, (int)m, index, value);
	}
	free(index);
	free(value);
	return has_solution(p);
}

/* Columns: n counter values, then m flows. Rows: n counter flow equations, then n sides of the box. */
bool
oracle_box(size_t n, size_t m, const int64_t *ray, const double *mean, const double *axis, const double *half)
{
	glp_prob *p = glp_create_prob();
	int *index = mem_new_array(n + m + 1, sizeof *index);
	double *value = mem_new_array(n + m + 1, sizeof *value);

	glp_add_rows(p, (int)(2 * n));
	glp_add_cols(p, (int)(n + m));
	for (size_t j = 0; j < n + m; j++)
		glp_set_col_bnds(p, (int)j + 1, GLP_LO, 0, 0);
	for (size_t i = 0; i < n; i++) {
		double centre = 0;

		index[1] = (int)i + 1;
		value[1] = -1;
		for (size_t j = 0; j < m; j++) {
			index[j + 2] = (int)(n + j) + 1;
			value[j + 2] = (double)ray[j * n + i];
		}
		glp_set_row_bnds(p, (int)i + 1, GLP_FX, 0, 0);
		glp_set_mat_row(p, (int)i + 1, (int)m + 1, index, value);
		for (size_t j = 0; j < n; j++) {
			index[j + 1] = (int)j + 1;
			value[j + 1] = axis ? axis[i * n + j] : i == j;
			centre += value[j + 1] * mean[j];
		}
		glp_set_row_bnds(p, (int)(n + i) + 1, GLP_DB, centre - half[i], centre + half[i]);
		glp_set_mat_row(p, (int)(n + i) + 1, (int)n, index, value);
	}
	free(index);
	free(value);
	return has_solution(p);
}

/* Solves a x = b of k unknowns in place. False: a is singular. */
static bool
solve(size_t k, long double *a, long double *b)
{
	for (size_t c = 0; c < k; c++) {
		size_t p = c;

		for (size_t i = c + 1; i < k; i++)
			if (fabsl(a[i * k + c]) > fabsl(a[p * k + c]))
				p = i;
		if (fabsl(a[p * k + c]) < 1e-14L)
			return false;
		for (size_t j = 0; j < k; j++) {
			long double t = a[p * k + j];

			a[p * k + j] = a[c * k + j];
			a[c * k + j] = t;
		}
		long double t = b[p];

		b[p] = b[c];
		b[c] = t;
		for (size_t i = 0; i < k; i++) {
			long double f = i == c ? 0 : a[i * k + c] / a[c * k + c];

			for (size_t j = 0; j < k && f != 0; j++)
				a[i * k + j] -= f * a[c * k + j];
			b[i] -= f * b[c];
		}
	}
	for (size_t c = 0; c < k; c++)
		b[c] /= a[c * k + c];
	return true;
}

double
oracle_distance2(size_t n, size_t m, const int64_t *ray, const double *mean, const double *cov)
{
	long double inverse[16 * 16], a[16 * 16], best = INFINITY;

	for (size_t j = 0; j < n; j++) {
		long double column[16] = {0};

		for (size_t i = 0; i < n * n; i++)
			a[i] = cov[i];
		column[j] = 1;
		if (!solve(n, a, column))
			abort();
		for (size_t i = 0; i < n; i++)
			inverse[i * n + j] = column[i];
	}
	for (unsigned set = 0; set < 1u << m; set++) {
		size_t k = 0, which[12];
		long double gram[12 * 12], f[12], d[16], d2 = 0;
		bool good = true;

		for (size_t j = 0; j < m; j++)
			if (set >> j & 1)
				which[k++] = j;
		if (k > n)
			continue;
		for (size_t x = 0; x < k; x++) {
			f[x] = 0;
			for (size_t y = 0; y < k; y++)
				gram[x * k + y] = 0;
			for (size_t i = 0; i < n; i++)
				for (size_t j = 0; j < n; j++) {
					long double t = (long double)ray[which[x] * n + i] * inverse[i * n + j];

					f[x] += t * mean[j];
					for (size_t y = 0; y < k; y++)
						gram[x * k + y] += t * (long double)ray[which[y] * n + j];
				}
		}
		if (k && !solve(k, gram, f))
			continue;
		for (size_t x = 0; x < k; x++)
			good &= f[x] >= 0;
		for (size_t i = 0; i < n; i++) {
			d[i] = -mean[i];
			for (size_t x = 0; x < k; x++)
				d[i] += f[x] * (long double)ray[which[x] * n + i];
		}
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				d2 += d[i] * inverse[i * n + j] * d[j];
		if (good && d2 < best)
			best = d2;
	}
	return (double)best;
}
