/* Let E v = 0 be the equalities of a cone, with k independent rows. A facet a·v ≥ 0 may be written as (a + c E)·v ≥ 0
 * for every c, and all these forms mean the same on the cone.
 *
 * A form with the fewest counters vanishes on k independent columns of E. Proof: suppose the columns on which it
 * vanishes have a smaller rank. Then some combination of equalities is 0 on all of them, and adding a multiple of it
 * removes one more counter. So it is enough to try each choice of k independent columns and to subtract the equalities
 * that clear them.
 *
 * When there are too many such choices, the search goes the other way: supports.h tries small sets of counters that a
 * form may keep. Equalities that share no counter do not influence each other, so each connected block of equalities is
 * searched by itself. Only the second criterion, the sum of the coefficients scaled to integers, concerns the whole
 * facet and joins the blocks again. */
#include "core/cone/normal_form.h"

#include <gmp.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "core/cone/supports.h"

#define WORK_MAX 2000000.0 /* rational operations that one block may cost over all facets */
#define STEPS_MAX 3000000  /* steps of supports_find() over all facets, if WORK_MAX is exceeded */
#define STEPS_EACH 300000  /* and for one facet: some hundredths of a second between two reads of the clock */
#define TIES_MAX 4096      /* equally short forms of one facet that are compared as a whole */

/* A block of equalities that are connected by common columns. Basis b is a choice of k independent columns, col[basis[b
 * × k + i]]. For each basis, `clear` holds k rows over the block's columns. Row i is 1 in column i of the basis and 0
 * in its other columns. */
struct eq_block {
	size_t k, n;
	size_t *col;
	int64_t *row; /* k × n: the equalities */
	size_t n_bases;
	size_t *basis;
	mpq_t *clear; /* n_bases × k × n */
	/* the equally short forms of the facet that is being treated, over the block's columns */
	size_t n_ties, cap_ties;
	mpq_t *tie; /* cap_ties × n */
};

static mpq_t *
rationals(size_t n)
{
	mpq_t *q = mem_new_array(n, sizeof *q);

	for (size_t i = 0; i < n; i++)
		mpq_init(q[i]);
	return q;
}

static void
rationals_free(mpq_t *q, size_t n)
{
	for (size_t i = 0; i < n; i++)
		mpq_clear(q[i]);
	free(q);
}

/* Gauss–Jordan elimination of k × n numbers. It clears the first k independent of the given columns to the unit matrix
 * and lists them in `basis`. Returns false when there are fewer. */
static bool
clear_columns(size_t k, size_t n, mpq_t *e, size_t n_columns, const size_t *column, size_t *basis, mpq_t t)
{
	size_t done = 0;
	mpq_t f;

	mpq_init(f);
	for (size_t c = 0; c < n_columns && done < k; c++) {
		size_t col = column[c], p = done;

		while (p < k && !mpq_sgn(e[p * n + col]))
			p++;
		if (p == k)
			continue;
		for (size_t j = 0; j < n; j++)
			mpq_swap(e[p * n + j], e[done * n + j]);
		mpq_inv(t, e[done * n + col]);
		for (size_t j = 0; j < n; j++)
			mpq_mul(e[done * n + j], e[done * n + j], t);
		for (size_t r = 0; r < k; r++) {
			if (r == done || !mpq_sgn(e[r * n + col]))
				continue;
			mpq_set(f, e[r * n + col]);
			for (size_t j = 0; j < n; j++)
				if (mpq_sgn(e[done * n + j])) {
					mpq_mul(t, f, e[done * n + j]);
					mpq_sub(e[r * n + j], e[r * n + j], t);
				}
		}
		basis[done++] = col;
	}
	mpq_clear(f);
	return done == k;
}

/* Steps to the next k-subset of 0 … n−1 in lexicographic order. */
static bool
next_subset(size_t k, size_t n, size_t *s)
{
	size_t i = k;

	while (i > 0 && s[i - 1] == n - k + i - 1)
		i--;
	if (i == 0)
		return false;
	s[i - 1]++;
	for (; i < k; i++)
		s[i] = s[i - 1] + 1;
	return true;
}

static void
block_find_bases(struct eq_block *block, size_t m)
{
	double subsets = 1;
	size_t *s, *basis;
	mpq_t *copy, t;

	for (size_t i = 0; i < block->k; i++)
		subsets = subsets * (double)(block->n - i) / (double)(i + 1);
	if (subsets * (double)(block->k * block->n) * (double)(m + block->k) > WORK_MAX)
		return;
	s = mem_new_array(block->k, sizeof *s);
	block->basis = mem_new_array((size_t)(subsets + 0.5) * block->k, sizeof *block->basis);
	block->clear = mem_new_array((size_t)(subsets + 0.5) * block->k * block->n, sizeof *block->clear);
	basis = mem_new_array(block->k, sizeof *basis);
	copy = rationals(block->k * block->n);
	mpq_init(t);
	for (size_t i = 0; i < block->k; i++)
		s[i] = i;
	do {
		for (size_t i = 0; i < block->k * block->n; i++)
			mpq_set_si(copy[i], block->row[i], 1);
		if (!clear_columns(block->k, block->n, copy, block->k, s, basis, t))
			continue;
		memcpy(block->basis + block->n_bases * block->k, s, block->k * sizeof *s);
		for (size_t i = 0; i < block->k * block->n; i++) {
			mpq_init(block->clear[block->n_bases * block->k * block->n + i]);
			mpq_swap(block->clear[block->n_bases * block->k * block->n + i], copy[i]);
		}
		block->n_bases++;
	} while (next_subset(block->k, block->n, s));
	mpq_clear(t);
	rationals_free(copy, block->k * block->n);
	free(basis);
	free(s);
}

static void
block_free(struct eq_block *b)
{
	free(b->col);
	free(b->row);
	free(b->basis);
	rationals_free(b->clear, b->n_bases * b->k * b->n);
	rationals_free(b->tie, b->cap_ties * b->n);
}

/* Labels columns and rows of the equalities by connected block; returns the number of blocks. */
static size_t
normal_form_gmp_find_blocks(size_t n, size_t n_eq, const int64_t *eq, size_t *of_row, size_t *of_col)
{
	size_t blocks = 0;
	bool grew;

	for (size_t j = 0; j < n; j++)
		of_col[j] = SIZE_MAX;
	for (size_t i = 0; i < n_eq; i++)
		of_row[i] = SIZE_MAX;
	for (size_t seed = 0; seed < n_eq; seed++) {
		if (of_row[seed] != SIZE_MAX)
			continue;
		of_row[seed] = blocks;
		do {
			grew = false;
			for (size_t i = 0; i < n_eq; i++) {
				bool joined = of_row[i] == blocks;

				for (size_t j = 0; !joined && j < n; j++)
					joined = eq[i * n + j] && of_col[j] == blocks && of_row[i] == SIZE_MAX;
				if (!joined)
					continue;
				grew |= of_row[i] != blocks;
				of_row[i] = blocks;
				for (size_t j = 0; j < n; j++)
					if (eq[i * n + j]) {
						grew |= of_col[j] != blocks;
						of_col[j] = blocks;
					}
			}
		} while (grew);
		blocks++;
	}
	return blocks;
}

static void
block_new(struct eq_block *block, size_t which, size_t n, size_t n_eq, const int64_t *eq, const size_t *of_row,
	const size_t *of_col, size_t m)
{
	size_t row = 0;

	*block = (struct eq_block){.col = mem_new_array(n, sizeof *block->col)};
	for (size_t j = 0; j < n; j++)
		if (of_col[j] == which)
			block->col[block->n++] = j;
	for (size_t i = 0; i < n_eq; i++)
		block->k += of_row[i] == which;
	block->row = mem_new_array(block->k * block->n, sizeof *block->row);
	for (size_t i = 0; i < n_eq; i++) {
		if (of_row[i] != which)
			continue;
		for (size_t j = 0; j < block->n; j++)
			block->row[row * block->n + j] = eq[i * n + block->col[j]];
		row++;
	}
	block_find_bases(block, m);
}

/* x := x − Σ x[basis_i] · clear_i, over the block's columns. Afterwards x is 0 in the basis columns. */
static void
clear_form(const struct eq_block *block, const mpq_t *clear, const size_t *basis, mpq_t *x, mpq_t t, mpq_t f)
{
	for (size_t i = 0; i < block->k; i++) {
		const mpq_t *d = clear + i * block->n;
		size_t at = basis[i];

		if (!mpq_sgn(x[at]))
			continue;
		mpq_set(f, x[at]);
		for (size_t j = 0; j < block->n; j++)
			if (mpq_sgn(d[j])) {
				mpq_mul(t, f, d[j]);
				mpq_sub(x[j], x[j], t);
			}
	}
}

/* Keeps a form as short as those found, unless it is one of them. */
static void
block_keep(struct eq_block *block, mpq_t *x)
{
	for (size_t i = 0; i < block->n_ties; i++) {
		size_t j = 0;

		while (j < block->n && mpq_equal(block->tie[i * block->n + j], x[j]))
			j++;
		if (j == block->n)
			return;
	}
	if (block->n_ties == block->cap_ties) {
		size_t old = block->cap_ties * block->n;

		mem_grow(&block->tie, &block->cap_ties, block->n_ties + 1, block->n * sizeof *block->tie);
		for (size_t i = old; i < block->cap_ties * block->n; i++)
			mpq_init(block->tie[i]);
	}
	for (size_t j = 0; j < block->n; j++)
		mpq_set(block->tie[block->n_ties * block->n + j], x[j]);
	block->n_ties++;
}

static void
set_form(const struct eq_block *b, const int64_t *facet, mpq_t *x)
{
	for (size_t j = 0; j < b->n; j++)
		mpq_set_si(x[j], facet[b->col[j]], 1);
}

static void
search_bases(struct eq_block *block, const int64_t *facet, mpq_t *x, mpq_t t, mpq_t f)
{
	size_t best = SIZE_MAX;

	for (size_t s = 0; s < block->n_bases; s++) {
		size_t used = 0;

		set_form(block, facet, x);
		clear_form(block, (const mpq_t *)block->clear + s * block->k * block->n, block->basis + s * block->k, x,
			t, f);
		for (size_t j = 0; j < block->n; j++)
			used += mpq_sgn(x[j]) != 0;
		if (used > best)
			continue;
		if (used < best)
			block->n_ties = 0;
		best = used;
		block_keep(block, x);
	}
}

/* Adds the form that vanishes outside the set, if there is one. */
static void
try_support(struct eq_block *block, const int64_t *facet, size_t size, const size_t *set, mpq_t *x, mpq_t t, mpq_t f)
{
	size_t *others = mem_new_array(block->n, sizeof *others), *basis = mem_new_array(block->k, sizeof *basis),
	       n = 0;
	mpq_t *e = rationals(block->k * block->n);

	for (size_t j = 0, k = 0; j < block->n; j++)
		if (k < size && set[k] == j)
			k++;
		else
			others[n++] = j;
	for (size_t i = 0; i < block->k * block->n; i++)
		mpq_set_si(e[i], block->row[i], 1);
	set_form(block, facet, x);
	if (clear_columns(block->k, block->n, e, n, others, basis, t)) {
		bool vanishes = true;

		clear_form(block, (const mpq_t *)e, basis, x, t, f);
		for (size_t i = 0; i < n; i++)
			vanishes &= !mpq_sgn(x[others[i]]);
		if (vanishes)
			block_keep(block, x);
	}
	rationals_free(e, block->k * block->n);
	free(others);
	free(basis);
}

static void
search_supports(struct eq_block *block, const int64_t *facet, size_t *budget, mpq_t *x, mpq_t t, mpq_t f)
{
	int64_t *own = mem_new_array(block->n, sizeof *own);
	size_t steps = *budget < STEPS_EACH ? *budget : STEPS_EACH, given = steps;
	struct supports s;

	for (size_t j = 0; j < block->n; j++)
		own[j] = facet[block->col[j]];
	if (supports_find(block->n, block->k, block->row, own, &steps, &s))
		for (size_t i = 0; i < s.n; i++)
			try_support(block, facet, s.size, s.size ? s.column + i * s.size : NULL, x, t, f);
	if (block->n_ties == 0) {
		set_form(block, facet, x);
		block_keep(block, x);
	}
	*budget -= given - steps;
	free(s.column);
	free(own);
}

static void
block_search(struct eq_block *block, const int64_t *facet, size_t *budget)
{
	mpq_t *x = rationals(block->n), t, f;

	mpq_inits(t, f, NULL);
	block->n_ties = 0;
	if (block->n_bases)
		search_bases(block, facet, x, t, f);
	else
		search_supports(block, facet, budget, x, t, f);
	mpq_clears(t, f, NULL);
	rationals_free(x, block->n);
}

/* A whole facet as integers, with the sum of its absolute values. */
struct whole {
	mpz_t *c, sum;
};

static void
whole_set(struct whole *w, size_t n, const int64_t *facet, const struct eq_block *block, size_t n_blocks,
	const size_t *choice)
{
	mpz_t scale;

	mpz_init_set_ui(scale, 1);
	for (size_t i = 0; i < n_blocks; i++)
		for (size_t j = 0; j < block[i].n; j++)
			mpz_lcm(scale, scale, mpq_denref(block[i].tie[choice[i] * block[i].n + j]));
	for (size_t j = 0; j < n; j++)
		mpz_mul_si(w->c[j], scale, facet[j]);
	for (size_t i = 0; i < n_blocks; i++)
		for (size_t j = 0; j < block[i].n; j++) {
			mpq_srcptr q = block[i].tie[choice[i] * block[i].n + j];
			mpz_ptr c = w->c[block[i].col[j]];

			mpz_divexact(c, scale, mpq_denref(q));
			mpz_mul(c, c, mpq_numref(q));
		}
	mpz_set_ui(scale, 0);
	for (size_t j = 0; j < n; j++)
		mpz_gcd(scale, scale, w->c[j]);
	mpz_set_ui(w->sum, 0);
	for (size_t j = 0; j < n; j++) {
		if (mpz_cmp_ui(scale, 1) > 0)
			mpz_divexact(w->c[j], w->c[j], scale);
		if (mpz_sgn(w->c[j]) < 0)
			mpz_sub(w->sum, w->sum, w->c[j]);
		else
			mpz_add(w->sum, w->sum, w->c[j]);
	}
	mpz_clear(scale);
}

/* Compares two facets with equally many counters: first the sums; then the facet wins that has the lower counter where
 * the lists of counters differ first. */
static bool
whole_before(const struct whole *a, const struct whole *b, size_t n)
{
	int c = mpz_cmp(a->sum, b->sum);

	for (size_t j = 0; c == 0 && j < n; j++)
		c = (mpz_sgn(b->c[j]) != 0) - (mpz_sgn(a->c[j]) != 0);
	return c < 0;
}

/* Chooses among all combinations of the blocks' ties; `best` gets the facet. */
static void
normal_form_gmp_choose(size_t n, const int64_t *facet, struct eq_block *block, size_t n_blocks, size_t *choice,
	struct whole *best, struct whole *other)
{
	size_t product = 1, i;

	for (i = 0; i < n_blocks; i++) {
		if (product * block[i].n_ties > TIES_MAX)
			block[i].n_ties = 1;
		product *= block[i].n_ties;
		choice[i] = 0;
	}
	whole_set(best, n, facet, block, n_blocks, choice);
	while (product > 1) {
		for (i = 0; i < n_blocks && ++choice[i] == block[i].n_ties; i++)
			choice[i] = 0;
		if (i == n_blocks)
			return;
		whole_set(other, n, facet, block, n_blocks, choice);
		if (whole_before(other, best, n)) {
			struct whole t = *best;

			*best = *other;
			*other = t;
		}
	}
}

static bool
whole_take(const struct whole *w, size_t n, int64_t *out)
{
	bool fits = true;

	for (size_t j = 0; j < n; j++) {
		fits &= mpz_fits_slong_p(w->c[j]) && mpz_cmp_si(w->c[j], LONG_MIN) != 0;
		out[j] = mpz_get_si(w->c[j]);
	}
	return fits;
}

static void
whole_open(struct whole *w, size_t n)
{
	mpz_init(w->sum);
	w->c = mem_new_array(n, sizeof *w->c);
	for (size_t j = 0; j < n; j++)
		mpz_init(w->c[j]);
}

static void
whole_close(struct whole *w, size_t n)
{
	mpz_clear(w->sum);
	for (size_t j = 0; j < n; j++)
		mpz_clear(w->c[j]);
	free(w->c);
}

size_t
normal_form_choose(size_t n, size_t n_equalities, const int64_t *equality, size_t m, int64_t *facet, double deadline)
{
	size_t *of_row = mem_new_array(n_equalities, sizeof *of_row), *of_col = mem_new_array(n, sizeof *of_col);
	size_t n_blocks = normal_form_gmp_find_blocks(n, n_equalities, equality, of_row, of_col), kept = 0;
	struct eq_block *block = mem_new_array(n_blocks, sizeof *block);
	size_t *choice = mem_new_array(n_blocks, sizeof *choice), budget = STEPS_MAX;
	struct whole best, other;

	whole_open(&best, n);
	whole_open(&other, n);
	for (size_t i = 0; i < n_blocks; i++)
		block_new(&block[i], i, n, n_equalities, equality, of_row, of_col, m);
	for (size_t f = 0; f < m; f++) {
		if (clock_seconds() >= deadline) {
			memmove(facet + kept++ * n, facet + f * n, n * sizeof *facet);
			continue;
		}
		for (size_t i = 0; i < n_blocks; i++)
			block_search(&block[i], facet + f * n, &budget);
		normal_form_gmp_choose(n, facet + f * n, block, n_blocks, choice, &best, &other);
		kept += whole_take(&best, n, facet + kept * n);
	}
	for (size_t i = 0; i < n_blocks; i++)
		block_free(&block[i]);
	whole_close(&best, n);
	whole_close(&other, n);
	free(choice);
	free(block);
	free(of_row);
	free(of_col);
	return m - kept;
}
