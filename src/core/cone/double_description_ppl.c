#include "core/cone/double_description.h"

#include <gmp.h>
#include <limits.h>
#include <ppl_c.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/cone/ppl_session.h"

/* The objects of one derivation. Everything is NULL until it exists, so one cleanup serves every failure. */
struct derivation {
	size_t n;
	mpz_t z;
	ppl_Coefficient_t c;
	ppl_Generator_System_t system;
	ppl_Polyhedron_t cone;
};

/* Adds one generator: the ray v, or the origin when v is NULL. Returns PPL's code. */
static int
add_generator(struct derivation *w, const int64_t *v)
{
	ppl_Linear_Expression_t e = NULL;
	ppl_Generator_t g = NULL;
	int rc = ppl_new_Linear_Expression_with_dimension(&e, w->n);

	for (size_t j = 0; rc >= 0 && v && j < w->n; j++)
		if (v[j]) {
			mpz_set_si(w->z, v[j]);
			rc = ppl_assign_Coefficient_from_mpz_t(w->c, w->z);
			if (rc >= 0)
				rc = ppl_Linear_Expression_add_to_coefficient(e, j, w->c);
		}
	mpz_set_ui(w->z, 1);
	if (rc >= 0)
		rc = ppl_assign_Coefficient_from_mpz_t(w->c, w->z);
	if (rc >= 0)
		rc = ppl_new_Generator(&g, e, v ? PPL_GENERATOR_TYPE_RAY : PPL_GENERATOR_TYPE_POINT, w->c);
	if (rc >= 0)
		rc = ppl_Generator_System_insert_Generator(w->system, g);
	if (g)
		ppl_delete_Generator(g);
	if (e)
		ppl_delete_Linear_Expression(e);
	return rc;
}

/* Reads the value of c as 64 bits; false when it does not fit. */
static bool
double_description_ppl_take(struct derivation *w, int64_t *out)
{
	ppl_Coefficient_to_mpz_t(w->c, w->z);
	*out = mpz_get_si(w->z);
	return mpz_fits_slong_p(w->z) && *out != LONG_MIN;
}

static int
read_facets(struct derivation *derivation, struct double_description *out)
{
	ppl_const_Constraint_System_t system;
	ppl_Constraint_System_const_iterator_t at = NULL, end = NULL;
	size_t cap = 0;
	int rc = ppl_Polyhedron_get_minimized_constraints(derivation->cone, &system);

	if (rc >= 0)
		rc = ppl_new_Constraint_System_const_iterator(&at);
	if (rc >= 0)
		rc = ppl_new_Constraint_System_const_iterator(&end);
	if (rc >= 0)
		rc = ppl_Constraint_System_begin(system, at);
	if (rc >= 0)
		rc = ppl_Constraint_System_end(system, end);
	while (rc >= 0 && !ppl_Constraint_System_const_iterator_equal_test(at, end)) {
		ppl_const_Constraint_t row;
		bool fits = true, zero = true;

		rc = ppl_Constraint_System_const_iterator_dereference(at, &row);
		mem_grow(&out->facet, &cap, (out->n_facets + 1) * derivation->n, sizeof *out->facet);
		for (size_t j = 0; rc >= 0 && j < derivation->n; j++) {
			int64_t *to = &out->facet[out->n_facets * derivation->n + j];

			rc = ppl_Constraint_coefficient(row, j, derivation->c);
			fits &= double_description_ppl_take(derivation, to);
			zero &= *to == 0 && fits;
		}
		out->n_lost += !fits;
		out->n_facets += fits && !zero;
		if (rc >= 0)
			rc = ppl_Constraint_System_const_iterator_increment(at);
	}
	if (at)
		ppl_delete_Constraint_System_const_iterator(at);
	if (end)
		ppl_delete_Constraint_System_const_iterator(end);
	return rc < 0 ? rc : 0;
}

/* Every ray comes from the input, divided by its greatest common divisor, so it always fits. */
static int
read_rays(struct derivation *derivation, struct double_description *out)
{
	ppl_const_Generator_System_t system;
	ppl_Generator_System_const_iterator_t at = NULL, end = NULL;
	size_t cap = 0;
	int rc = ppl_Polyhedron_get_minimized_generators(derivation->cone, &system);

	if (rc >= 0)
		rc = ppl_new_Generator_System_const_iterator(&at);
	if (rc >= 0)
		rc = ppl_new_Generator_System_const_iterator(&end);
	if (rc >= 0)
		rc = ppl_Generator_System_begin(system, at);
	if (rc >= 0)
		rc = ppl_Generator_System_end(system, end);
	while (rc >= 0 && !ppl_Generator_System_const_iterator_equal_test(at, end)) {
		ppl_const_Generator_t row;

		rc = ppl_Generator_System_const_iterator_dereference(at, &row);
		if (rc >= 0 && ppl_Generator_type(row) == PPL_GENERATOR_TYPE_RAY) {
			mem_grow(&out->ray, &cap, (out->n_rays + 1) * derivation->n, sizeof *out->ray);
			for (size_t j = 0; rc >= 0 && j < derivation->n; j++) {
				rc = ppl_Generator_coefficient(row, j, derivation->c);
				double_description_ppl_take(derivation, &out->ray[out->n_rays * derivation->n + j]);
			}
			out->n_rays++;
		}
		if (rc >= 0)
			rc = ppl_Generator_System_const_iterator_increment(at);
	}
	if (at)
		ppl_delete_Generator_System_const_iterator(at);
	if (end)
		ppl_delete_Generator_System_const_iterator(end);
	return rc < 0 ? rc : 0;
}

static int
derive(struct derivation *derivation, size_t m, const int64_t *ray, struct double_description *out)
{
	int rc = ppl_new_Coefficient(&derivation->c);

	if (rc >= 0)
		rc = ppl_new_Generator_System(&derivation->system);
	if (rc >= 0)
		rc = add_generator(derivation, NULL);
	for (size_t i = 0; rc >= 0 && i < m; i++)
		rc = add_generator(derivation, ray + i * derivation->n);
	if (rc >= 0)
		rc = ppl_new_C_Polyhedron_recycle_Generator_System(&derivation->cone, derivation->system);
	if (rc >= 0)
		rc = read_facets(derivation, out);
	if (rc >= 0)
		rc = read_rays(derivation, out);
	return rc;
}

void
double_description_find(size_t n, size_t m, const int64_t *ray, double seconds, struct double_description *out)
{
	struct derivation w = {.n = n};
	struct ppl_session session;
	int rc;

	_Static_assert(sizeof(long) == sizeof(int64_t), "mpz_set_si and mpz_get_si carry 64 bits");
	*out = (struct double_description){0};
	if (n == 0 || m == 0)
		return;
	if (!ppl_session_open(&session, seconds)) {
		out->failure = "PPL could not be started";
		return;
	}
	mpz_init(w.z);
	rc = derive(&w, m, ray, out);
	if (rc < 0) {
		out->failure = ppl_session_reason(rc);
		out->n_facets = out->n_rays = 0;
	}
	if (w.cone)
		ppl_delete_Polyhedron(w.cone);
	if (w.system)
		ppl_delete_Generator_System(w.system);
	if (w.c)
		ppl_delete_Coefficient(w.c);
	mpz_clear(w.z);
	ppl_session_close(&session);
}

void
double_description_free(struct double_description *d)
{
	free(d->facet);
	free(d->ray);
}
