/* How two cones over the same counters lie to each other, decided exactly, with what shows it: the constraints of one
 * that µpaths of the other break. */
#ifndef APP_SEARCH_RELATION_H
#define APP_SEARCH_RELATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cone;
struct str;

enum relation_kind {
	RELATION_EQUAL,
	RELATION_INSIDE,    /* the first lies in the second, and is not all of it */
	RELATION_CONTAINS,  /* the other way round */
	RELATION_NEITHER,
	RELATION_UNKNOWN,   /* a cone without facets, and a point that could not be decided in time */
};

/* A cone, and the signatures that it was made of, over the same columns; they tell which µpath breaks a constraint. */
struct relation_side {
	const struct cone *cone;
	const int64_t *signature; /* n × cone->n_counters */
	size_t n;
};

/* A constraint that one side keeps and the other breaks. */
struct relation_row {
	int64_t *coef;     /* n_counters; Σ coef·v = 0 or ≥ 0 on the side that keeps it */
	bool equality;
	bool facet;        /* it is one of the constraints of that cone; else a certificate: that cone has no facets */
	size_t breaking;   /* signatures of the other side that break it */
	size_t simplest;   /* … the one of them with the fewest counters, then the smallest sum */
	int64_t value;     /* Σ coef·signature of that one, saturated */
};

struct relation {
	enum relation_kind kind;
	/* by the side that keeps them: fewest counters first, then the smallest Σ|coef|, then the cone's order */
	struct relation_row *row[2];
	size_t n[2];
};

#define RELATION_SECONDS 2.0 /* for one point against a cone without facets */

void relation_find(const struct relation_side side[2], struct relation *out);
void relation_free(struct relation *);

/* "equal", "inside", "contains", "neither", "unknown" */
const char *relation_name(enum relation_kind);

/* What data must show to break a row, the way a signature of that value does: "PGF > MIN + MAJ". ASCII but for names.
 */
void relation_broken_text(const int64_t *coef, int64_t value, const char *const *name, size_t n, struct str *out);

#endif
