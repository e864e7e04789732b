/* A point v is outside exactly if some a with −1 ≤ a_i ≤ 1 has a·r ≥ 0 for every ray r, and a·v < 0. PPL's exact
 * simplex minimises a·v.
 *
 * The program holds only some of the rays at first. If the minimum is 0 even so, the point is a combination of these
 * rays and lies inside. Otherwise the rays with a·r < 0 are added and the program is solved again. When no ray is left
 * to add, a separates the point from the cone.
 *
 * The variables of the program are x_i = a_i + 1, between 0 and 2. Free variables would have to be split by the
 * simplex. */
#include "core/cone/separate.h"

#include <gmp.h>
#include <limits.h>
#include <ppl_c.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/cone/ppl_session.h"

#define RAYS_PER_ROUND 12

struct separation {
	size_t n, m;
	const int64_t *ray;
	mpz_t *v;      /* the point, scaled to integers */
	mpz_t *a, d;   /* the best a is a_i / d */
	mpz_t z, t;
	ppl_Coefficient_t c;
	ppl_MIP_Problem_t program;
	bool *used;
};

static int
set_term(struct separation *w, ppl_Linear_Expression_t e, size_t j, const mpz_t value)
{
	int rc;

	mpz_set(w->t, value);
	rc = ppl_assign_Coefficient_from_mpz_t(w->c, w->t);
	if (rc < 0)
		return rc;
	return j < w->n ? ppl_Linear_Expression_add_to_coefficient(e, j, w->c)
			: ppl_Linear_Expression_add_to_inhomogeneous(e, w->c);
}

/* Adds the constraint e ≥ 0 to the program. The caller still owns e. */
static int
add_constraint(struct separation *w, ppl_Linear_Expression_t e)
{
	ppl_Constraint_t row = NULL;
	int rc = ppl_new_Constraint(&row, e, PPL_CONSTRAINT_TYPE_GREATER_OR_EQUAL);

	if (rc >= 0)
		rc = ppl_MIP_Problem_add_constraint(w->program, row);
	if (row)
		ppl_delete_Constraint(row);
	return rc;
}

/* Adds 0 ≤ x_j ≤ 2. */
static int
add_bounds(struct separation *separation)
{
	int rc = 0;

	for (size_t k = 0; rc >= 0 && k < 2 * separation->n; k++) {
		ppl_Linear_Expression_t e = NULL;

		rc = ppl_new_Linear_Expression_with_dimension(&e, separation->n);
		mpz_set_si(separation->z, k % 2 ? -1 : 1);
		if (rc >= 0)
			rc = set_term(separation, e, k / 2, separation->z);
		mpz_set_si(separation->z, k % 2 ? 2 : 0);
		if (rc >= 0)
			rc = set_term(separation, e, separation->n, separation->z);
		if (rc >= 0)
			rc = add_constraint(separation, e);
		if (e)
			ppl_delete_Linear_Expression(e);
	}
	return rc;
}

/* Adds a·r ≥ 0, that is Σ r_j x_j − Σ r_j ≥ 0. */
static int
add_ray(struct separation *w, size_t i)
{
	ppl_Linear_Expression_t e = NULL;
	int rc = ppl_new_Linear_Expression_with_dimension(&e, w->n);

	for (size_t j = 0; rc >= 0 && j < w->n; j++) {
		int64_t r = w->ray[i * w->n + j];

		if (r == 0)
			continue;
		mpz_set_si(w->z, r);
		rc = set_term(w, e, j, w->z);
		mpz_neg(w->z, w->z);
		if (rc >= 0)
			rc = set_term(w, e, w->n, w->z);
	}
	if (rc >= 0)
		rc = add_constraint(w, e);
	if (e)
		ppl_delete_Linear_Expression(e);
	w->used[i] = true;
	return rc;
}

static int
set_objective(struct separation *w)
{
	ppl_Linear_Expression_t e = NULL;
	int rc = ppl_new_Linear_Expression_with_dimension(&e, w->n);

	for (size_t j = 0; rc >= 0 && j < w->n; j++)
		rc = set_term(w, e, j, w->v[j]);
	if (rc >= 0)
		rc = ppl_MIP_Problem_set_objective_function(w->program, e);
	if (rc >= 0)
		rc = ppl_MIP_Problem_set_optimization_mode(w->program, PPL_OPTIMIZATION_MODE_MINIMIZATION);
	if (e)
		ppl_delete_Linear_Expression(e);
	return rc;
}

/* Solves the program and reads a. */
static int
separate_ppl_solve(struct separation *separation)
{
	ppl_const_Generator_t best;
	int rc = ppl_MIP_Problem_solve(separation->program);

	if (rc >= 0)
		rc = ppl_MIP_Problem_optimizing_point(separation->program, &best);
	if (rc >= 0)
		rc = ppl_Generator_divisor(best, separation->c);
	if (rc >= 0)
		rc = ppl_Coefficient_to_mpz_t(separation->c, separation->d);
	for (size_t j = 0; rc >= 0 && j < separation->n; j++) {
		rc = ppl_Generator_coefficient(best, j, separation->c);
		if (rc >= 0)
			rc = ppl_Coefficient_to_mpz_t(separation->c, separation->a[j]);
		mpz_sub(separation->a[j], separation->a[j], separation->d);
	}
	return rc;
}

/* w->z := d (a·x). */
static void
product_ray(struct separation *w, size_t i)
{
	mpz_set_ui(w->z, 0);
	for (size_t j = 0; j < w->n; j++)
		if (w->ray[i * w->n + j] && mpz_sgn(w->a[j])) {
			mpz_mul_si(w->t, w->a[j], w->ray[i * w->n + j]);
			mpz_add(w->z, w->z, w->t);
		}
}

static bool
below_zero_at_point(struct separation *w)
{
	mpz_set_ui(w->z, 0);
	for (size_t j = 0; j < w->n; j++)
		mpz_addmul(w->z, w->a[j], w->v[j]);
	return mpz_sgn(w->z) < 0;
}

/* Adds up to RAYS_PER_ROUND rays with a·r < 0, spread over the list; *added gets their number. */
static int
add_offended(struct separation *separation, size_t *added)
{
	size_t *bad = mem_new_array(separation->m, sizeof *bad), n = 0;
	int rc = 0;

	*added = 0;
	for (size_t i = 0; i < separation->m; i++)
		if (!separation->used[i]) {
			product_ray(separation, i);
			if (mpz_sgn(separation->z) < 0)
				bad[n++] = i;
		}
	for (size_t k = 0; rc >= 0 && k < RAYS_PER_ROUND && k < n; k++) {
		size_t i = bad[n <= RAYS_PER_ROUND ? k : k * n / RAYS_PER_ROUND];

		rc = add_ray(separation, i);
		++*added;
	}
	free(bad);
	return rc;
}

static bool
take_answer(struct separation *separation, int64_t *a)
{
	bool fits = true;

	mpz_set_ui(separation->z, 0);
	for (size_t j = 0; j < separation->n; j++)
		mpz_gcd(separation->z, separation->z, separation->a[j]);
	for (size_t j = 0; j < separation->n; j++) {
		if (mpz_sgn(separation->z))
			mpz_divexact(separation->a[j], separation->a[j], separation->z);
		fits &= mpz_fits_slong_p(separation->a[j]) && mpz_cmp_si(separation->a[j], LONG_MIN) != 0;
		a[j] = mpz_get_si(separation->a[j]);
	}
	return fits;
}

static enum separate_answer
cut_all(struct separation *separation, const bool *likely, int64_t *a)
{
	size_t added;
	int rc = ppl_new_Coefficient(&separation->c);

	if (rc >= 0)
		rc = ppl_new_MIP_Problem_from_space_dimension(&separation->program, separation->n);
	if (rc >= 0)
		rc = add_bounds(separation);
	if (rc >= 0)
		rc = set_objective(separation);
	for (size_t i = 0; rc >= 0 && i < separation->m; i++)
		if (likely[i])
			rc = add_ray(separation, i);
	while (rc >= 0) {
		rc = separate_ppl_solve(separation);
		if (rc < 0)
			break;
		if (!below_zero_at_point(separation))
			return SEPARATE_INSIDE;
		rc = add_offended(separation, &added);
		if (rc >= 0 && added == 0)
			return take_answer(separation, a) ? SEPARATE_OUTSIDE : SEPARATE_TOO_LONG;
	}
	return SEPARATE_GAVE_UP;
}

static void
set_i128(mpz_t z, i128 x)
{
	uint64_t low = (uint64_t)x;

	mpz_set_si(z, (int64_t)(x >> 64));
	mpz_mul_2exp(z, z, 64);
	mpz_add_ui(z, z, low);
}

/* Multiplies the point by the least common multiple of its weights. */
static void
set_point(struct separation *separation, const i128 *sum, const int64_t *weight)
{
	mpz_set_ui(separation->d, 1);
	for (size_t j = 0; j < separation->n; j++)
		if (weight[j] > 0)
			mpz_lcm_ui(separation->d, separation->d, (unsigned long)weight[j]);
	for (size_t j = 0; j < separation->n; j++)
		if (weight[j] > 0) {
			set_i128(separation->v[j], sum[j]);
			mpz_divexact_ui(separation->t, separation->d, (unsigned long)weight[j]);
			mpz_mul(separation->v[j], separation->v[j], separation->t);
		}
}

enum separate_answer
cone_separate(size_t n, size_t m, const int64_t *ray, const i128 *sum, const int64_t *weight, const bool *likely,
	double seconds, int64_t *a)
{
	struct separation w = {.n = n, .m = m, .ray = ray};
	struct ppl_session session;
	enum separate_answer answer;

	if (!ppl_session_open(&session, seconds))
		return SEPARATE_GAVE_UP;
	mpz_inits(w.d, w.z, w.t, NULL);
	w.v = mem_new_array(n, sizeof *w.v);
	w.a = mem_new_array(n, sizeof *w.a);
	w.used = mem_new_array(m, sizeof *w.used);
	for (size_t j = 0; j < n; j++)
		mpz_inits(w.v[j], w.a[j], NULL);
	set_point(&w, sum, weight);
	answer = cut_all(&w, likely, a);
	if (w.program)
		ppl_delete_MIP_Problem(w.program);
	if (w.c)
		ppl_delete_Coefficient(w.c);
	for (size_t j = 0; j < n; j++)
		mpz_clears(w.v[j], w.a[j], NULL);
	mpz_clears(w.d, w.z, w.t, NULL);
	free(w.v);
	free(w.a);
	free(w.used);
	ppl_session_close(&session);
	return answer;
}
