/* The model cone: all non-negative combinations of the signatures. It is stored by its generators (signatures and
 * extreme rays) and by its constraints (equalities and facets).
 *
 * The derivation is exact: elimination gives the equalities, double description gives facets and extreme rays. When its
 * time limit passes, the cone is used without facets. Source: CounterPoint sections 3 and 6 (Minkowski–Weyl). */
#ifndef CORE_CONE_CONE_H
#define CORE_CONE_CONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;

struct cone {
	size_t n_counters;
	/* distinct signatures over these counters, divided by their greatest common divisor, without zero vectors */
	size_t n_signatures;
	int64_t *signature;      /* n_signatures × n_counters */
	/* extreme rays, which span the cone; when !complete, the extreme rays and some more signatures */
	size_t n_rays;
	int64_t *ray;            /* n_rays × n_counters */
	size_t n_equalities;
	/* all equalities, even when !complete: reduced row echelon form in counter order, leading coefficients positive
	 */
	int64_t *equality;
	size_t n_inequalities;
	/* every facet once, including those that say a counter is ≥ 0; when !complete, some valid inequalities */
	int64_t *inequality;
	bool complete;           /* all facets are known */
	char *reason;            /* why the cone is not complete; NULL if it is */
	double seconds;          /* wall time of the derivation */
};

/* Constraint number k; equalities come first. It has n_counters integers with greatest common divisor 1, and means Σ
 * coef·v = 0 or ≥ 0. */
static inline const int64_t *
cone_row(const struct cone *c, size_t k)
{
	return k < c->n_equalities ? c->equality + k * c->n_counters
				   : c->inequality + (k - c->n_equalities) * c->n_counters;
}

struct cone_limits {
	/* wall time limit for computing facets; 0: the default of 2 s; negative: compute no facets */
	double seconds;
};

/* The cone of n signatures over n_counters counters; free it with cone_free(). The signatures are row major without
 * negative entries; zero rows are ignored. Well-formed input never fails.
 *
 * Signatures and rays keep the order of first appearance. Inequalities are ordered by number of counters, then Σ|coef|,
 * then list of counters in counter order, then coefficients. If the equalities allow several forms of a facet, it gets
 * the form with the fewest counters. Ties are decided by the smallest Σ|coef|, then by the lexicographically first list
 * of counters (docs/command-line.md). */
struct cone *cone_new(size_t n_counters, size_t n, const int64_t *signature, const struct cone_limits *);

/* Returns the same cone as cone_new(), bit for bit, made from an older cone where that is possible. The first cone in
 * `from` whose rays are all among the signatures is extended by those signatures that lie outside it. If there is none,
 * or if numbers become too large, the cone is made from scratch. */
struct cone *cone_grow(const struct cone *const *from, size_t n_from, size_t n_counters, size_t n,
	const int64_t *signature, const struct cone_limits *);

/* The same cone over fewer counters: keep[i] says whether counter i stays. */
struct cone *cone_project(const struct cone *, const bool *keep, const struct cone_limits *);

/* Returns the cone of a model in which one counter counts times/of times as much: { v with v_counter · times / of : v
 * in the cone }. `times` and `of` are > 0. Rays and constraints keep their order, and each is divided by its greatest
 * common divisor. Returns NULL if an entry does not fit into 64 bits. */
struct cone *cone_scale(const struct cone *, size_t counter, int64_t times, int64_t of);

void cone_free(struct cone *);

/* The memory of a cone, in bytes. */
size_t cone_bytes(const struct cone *);

/* Returns which terms stand to the left of the relation: those with positive (1) or negative (-1) coefficients. An
 * inequality has its negative terms on the left. An equality has the side with fewer counters on the left ("a = b + 2
 * c"); if both sides have equally many, the side with the first counter. */
int cone_row_left(const int64_t *coef, size_t n, bool equality);

/* Writes a constraint: "load.ret_stlb_miss <= load.walk_done", "a = b + 2 c", "0 <= x". With `utf8` it writes ≤ for <=.
 * A zero row gives "0 = 0". */
void cone_row_text(const int64_t *coef, const char *const *name, size_t n, bool equality, bool utf8, struct str *out);

#endif
