/* The model cone: every non-negative combination of the signatures, by generators and by constraints.
 *
 * Derived exactly: equalities by elimination, facets and extreme rays by double description, with a time limit behind
 * which the cone is used without facets. Source: CounterPoint sections 3 and 6 (Minkowski–Weyl). */
#ifndef CORE_CONE_CONE_H
#define CORE_CONE_CONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;

struct cone {
	size_t n_counters;
	/* Distinct signatures over these counters, divided by their greatest common divisor, zero vectors left out. */
	size_t n_signatures;
	int64_t *signature;      /* n_signatures × n_counters */
	/* Extreme rays; when !complete these and some signatures more. They span the cone. */
	size_t n_rays;
	int64_t *ray;            /* n_rays × n_counters */
	size_t n_equalities;
	/* reduced row echelon form in counter order, leading coefficient positive; always complete */
	int64_t *equality;
	size_t n_inequalities;
	int64_t *inequality;     /* every facet once, non-negativity facets too; !complete: what is known to be valid */
	bool complete;           /* all facets are here */
	char *reason;            /* !complete: why; else NULL */
	double seconds;          /* wall time of the derivation */
};

/* The k-th of its constraints, equalities first: n_counters integers with greatest common divisor 1; Σ coef·v = 0 or ≥
 * 0. */
static inline const int64_t *
cone_row(const struct cone *c, size_t k)
{
	return k < c->n_equalities ? c->equality + k * c->n_counters
				   : c->inequality + (k - c->n_equalities) * c->n_counters;
}

struct cone_limits {
	double seconds; /* of wall time, for the facets; 0: the default of 2 s; negative: go without facets at once */
};

/* The cone of n signatures over n_counters counters (row major, no negative entries; rows of zeros are allowed and
 * ignored). Signatures and rays keep the order of first appearance; inequalities stand by number of counters, then
 * Σ|coef|, then list of counters in counter order, then coefficients. Facets whose form the equalities leave open are
 * given with the fewest counters, then the smallest Σ|coef|, then the lexicographically first list of counters
 * (docs/command-line.md). Never fails on well-formed input; panics on no memory. */
struct cone *cone_new(size_t n_counters, size_t n, const int64_t *signature, const struct cone_limits *);

/* The same, bit for bit, made from another cone over the same counters: from the first of `from` whose rays are all
 * among the signatures, by adding only what lies outside of it. Without such a one, or when it does not work out, from
 * scratch. */
struct cone *cone_grow(const struct cone *const *from, size_t n_from, size_t n_counters, size_t n,
	const int64_t *signature, const struct cone_limits *);

/* The same over fewer counters: keep[i] says whether counter i stays. */
struct cone *cone_project(const struct cone *, const bool *keep, const struct cone_limits *);

/* The cone of a model in which one counter counts times/of as much: { v with v_counter · times / of : v in the cone }.
 * times and of are > 0. Rays and constraints keep their order and are divided by their greatest common divisor. NULL if
 * an entry does not fit into 64 bits. */
struct cone *cone_scale(const struct cone *, size_t counter, int64_t times, int64_t of);

void cone_free(struct cone *);

/* Memory that it holds. */
size_t cone_bytes(const struct cone *);

/* What stands left of the relation: terms with positive (1) or negative (-1) coefficients. An inequality has the
 * negative ones left; an equality the side with fewer counters ("a = b + 2 c"), else that of the first counter. */
int cone_row_left(const int64_t *coef, size_t n, bool equality);

/* "load.ret_stlb_miss <= load.walk_done", "a = b + 2 c", "0 <= x". With `utf8` the relation is ≤. Zero rows give "0 =
 * 0". */
void cone_row_text(const int64_t *coef, const char *const *name, size_t n, bool equality, bool utf8, struct str *out);

#endif
