/* The elimination of rref.c in integers without limit. */
#include "core/cone/rref.h"

#include <gmp.h>
#include <limits.h>
#include <stdlib.h>

#include "base/mem.h"

struct forms {
	size_t n, n_forms;
	mpz_t *c;    /* n_forms × n */
	mpz_t *dot;  /* n_forms: each form's value on the current vector */
	mpz_t t, u;
};

static void
forms_open(struct forms *f, size_t n)
{
	f->n = f->n_forms = n;
	f->c = mem_new_array(n * n, sizeof *f->c);
	f->dot = mem_new_array(n, sizeof *f->dot);
	for (size_t i = 0; i < n * n; i++)
		mpz_init_set_ui(f->c[i], i / n == i % n);
	for (size_t i = 0; i < n; i++)
		mpz_init(f->dot[i]);
	mpz_inits(f->t, f->u, NULL);
}

static void
forms_close(struct forms *f)
{
	for (size_t i = 0; i < f->n * f->n; i++)
		mpz_clear(f->c[i]);
	for (size_t i = 0; i < f->n; i++)
		mpz_clear(f->dot[i]);
	mpz_clears(f->t, f->u, NULL);
	free(f->c);
	free(f->dot);
}

/* Divides form i by the greatest common divisor of its coefficients. */
static void
form_reduce(struct forms *f, size_t i)
{
	mpz_t *c = f->c + i * f->n;

	mpz_set_ui(f->t, 0);
	for (size_t j = 0; j < f->n; j++)
		mpz_gcd(f->t, f->t, c[j]);
	if (mpz_cmp_ui(f->t, 1) > 0)
		for (size_t j = 0; j < f->n; j++)
			mpz_divexact(c[j], c[j], f->t);
}

/* Form i := a·(form i) − b·(form k), divided by its greatest common divisor. */
static void
form_combine(struct forms *f, size_t i, const mpz_t a, size_t k, const mpz_t b)
{
	for (size_t j = 0; j < f->n; j++) {
		mpz_ptr c = f->c[i * f->n + j];

		mpz_mul(c, c, a);
		mpz_submul(c, b, f->c[k * f->n + j]);
	}
	form_reduce(f, i);
}

static void
form_swap(struct forms *f, size_t i, size_t k)
{
	for (size_t j = 0; j < f->n; j++)
		mpz_swap(f->c[i * f->n + j], f->c[k * f->n + j]);
	mpz_swap(f->dot[i], f->dot[k]);
}

/* Keeps the forms, and combinations of forms, that vanish on v. */
static void
forms_meet(struct forms *forms, const int64_t *v)
{
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < forms->n_forms; i++) {
		mpz_set_ui(forms->dot[i], 0);
		for (size_t j = 0; j < forms->n; j++)
			if (v[j] && mpz_sgn(forms->c[i * forms->n + j])) {
				mpz_set_si(forms->t, v[j]);
				mpz_addmul(forms->dot[i], forms->t, forms->c[i * forms->n + j]);
			}
		if (mpz_sgn(forms->dot[i]) && (best == SIZE_MAX || mpz_cmpabs(forms->dot[i], forms->dot[best]) < 0))
			best = i;
	}
	if (best == SIZE_MAX)
		return;
	form_swap(forms, best, --forms->n_forms);
	for (size_t i = 0; i < forms->n_forms; i++)
		if (mpz_sgn(forms->dot[i]))
			form_combine(forms, i, forms->dot[forms->n_forms], forms->n_forms, forms->dot[i]);
}

/* Gauss–Jordan elimination over the columns in order. */
static void
forms_echelon(struct forms *forms, size_t *pivot)
{
	size_t done = 0;

	for (size_t col = 0; col < forms->n && done < forms->n_forms; col++) {
		size_t k = done;

		while (k < forms->n_forms && !mpz_sgn(forms->c[k * forms->n + col]))
			k++;
		if (k == forms->n_forms)
			continue;
		form_swap(forms, k, done);
		form_reduce(forms, done);
		if (mpz_sgn(forms->c[done * forms->n + col]) < 0)
			for (size_t j = 0; j < forms->n; j++)
				mpz_neg(forms->c[done * forms->n + j], forms->c[done * forms->n + j]);
		for (size_t i = 0; i < forms->n_forms; i++)
			if (i != done && mpz_sgn(forms->c[i * forms->n + col])) {
				mpz_set(forms->u, forms->c[i * forms->n + col]);
				form_combine(forms, i, forms->c[done * forms->n + col], done, forms->u);
			}
		pivot[done++] = col;
	}
}

void
rref_wide(size_t n, size_t m, const int64_t *vector, struct rref *out)
{
	struct forms f;

	_Static_assert(sizeof(long) == sizeof(int64_t), "mpz_set_si and mpz_get_si carry 64 bits");
	forms_open(&f, n);
	for (size_t i = 0; i < m; i++)
		forms_meet(&f, vector + i * n);
	*out = (struct rref){.n_rows = f.n_forms, .exact = true};
	out->row = mem_new_array(f.n_forms * n, sizeof *out->row);
	out->pivot = mem_new_array(f.n_forms, sizeof *out->pivot);
	forms_echelon(&f, out->pivot);
	for (size_t i = 0; i < f.n_forms * n; i++) {
		out->exact &= mpz_fits_slong_p(f.c[i]) && mpz_cmp_si(f.c[i], LONG_MIN) != 0;
		out->row[i] = mpz_get_si(f.c[i]);
	}
	if (!out->exact)
		out->n_rows = 0;
	forms_close(&f);
}
