/* How two cones over the same counters relate, decided exactly, and the evidence: constraints of one cone that µpaths
 * of the other break.
 *
 *     equal       both cones are the same
 *     inside      the first lies in the second and is smaller
 *     contains    the second lies in the first and is smaller
 *     neither     each has points outside the other
 *     unknown     a cone has no facets, and a point could not be decided in time */
#ifndef WORK_SEARCH_RELATION_H
#define WORK_SEARCH_RELATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cone;
struct str;

enum relation_kind {
	RELATION_EQUAL,
	RELATION_INSIDE,    /* the first is inside the second, and smaller */
	RELATION_CONTAINS,  /* the second is inside the first, and smaller */
	RELATION_NEITHER,
	RELATION_UNKNOWN,   /* a cone has no facets, and a point could not be decided in time */
};

/* A cone and the signatures that it was made of, over the same columns. Signatures show which µpath breaks a
 * constraint. */
struct relation_side {
	const struct cone *cone;
	const int64_t *signature; /* n × cone->n_counters coefficients */
	size_t n;
};

/* A constraint that one side keeps and the other breaks. */
struct relation_row {
	int64_t *coef;     /* n_counters coefficients: Σ coef·v = 0 or ≥ 0 on the side that keeps it */
	bool equality;
	bool facet;        /* a constraint of that cone; false: a certificate, because that cone has no facets */
	size_t breaking;   /* number of the other side's signatures that break it */
	size_t simplest;   /* the signature among them with the fewest counters, then the smallest sum */
	int64_t value;     /* Σ coef·signature of `simplest`, saturated */
};

struct relation {
	enum relation_kind kind;
	/* rows by the side that keeps them: fewest counters first, then the smallest Σ|coef|, then the cone's order */
	struct relation_row *row[2];
	size_t n[2];
};

#define RELATION_SECONDS 2.0 /* seconds for one point against a cone without facets */

void relation_find(const struct relation_side side[2], struct relation *out);
void relation_free(struct relation *);

/* Returns "equal", "inside", "contains", "neither", "unknown". */
const char *relation_name(enum relation_kind);

/* Appends what data must show to break a row in the direction of `value`: "PGF > MIN + MAJ". ASCII except for names. */
void relation_broken_text(const int64_t *coef, int64_t value, const char *const *name, size_t n, struct str *out);

#endif
