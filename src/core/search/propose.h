/* If no declared feature helps: the smallest signatures that an additional µpath would need to make the data
 * feasible.
 *
 * Adding the vector s to a cone helps an observation only if it breaks every certificate a that refutes the
 * observation: a·s < 0. So small vectors are visited in order of size. Those that do not break a known certificate
 * are skipped without a test. The others are tested, and each failed test adds a certificate that excludes further
 * vectors.
 *
 * If no single vector helps, the same is done for sets of vectors: the lightest set that breaks all known
 * certificates is tested, until one helps. These are implicit hitting sets (Moreno-Centeno and Karp, Operations
 * Research 61, 2013). */
#ifndef CORE_SEARCH_PROPOSE_H
#define CORE_SEARCH_PROPOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum propose_answer {
	PROPOSE_TAKEN,
	PROPOSE_REFUTED, /* refuted, and the certificate is filled in */
	PROPOSE_UNKNOWN, /* neither could be shown; counts as not feasible */
	PROPOSE_STOPPED,
};

struct propose_problem {
	size_t n_counters, n_observations;
	const bool *use; /* n_counters: whether a signature may raise the counter */
	/* Decide whether the observation is feasible for the cone with n more vectors (rows of n_counters). Fills in a
	 * certificate of n_counters integers if it is refuted. */
	enum propose_answer (*judge)(
		void *ctx, size_t observation, size_t n, const int64_t *vector, int64_t *certificate);
	void *ctx;
	size_t tests_max, visited_max; /* 0: the defaults below */
};

#define PROPOSE_SUM_MAX 12          /* largest sum of a vector that helps alone */
#define PROPOSE_POOL_SUM_MAX 6      /* largest sum of a vector in a set */
#define PROPOSE_POOL_COUNTERS_MAX 3 /* most counters that a vector in a set may raise */
#define PROPOSE_POOL_MAX 20000      /* number of vectors that sets are made from */
#define PROPOSE_ALTERNATIVES 4
#define PROPOSE_TESTS_MAX 2000       /* calls of judge() for single vectors, and again for sets */
#define PROPOSE_VISITED_MAX 20000000 /* vectors and choices of counters visited */

struct proposal {
	int64_t *vector;       /* n_counters entries, none negative, without a common divisor */
	size_t repairs;        /* number of observations that are feasible with this vector alone */
	bool *repaired;        /* n_observations */
};

struct proposed {
	struct proposal own;
	size_t needed;                /* number of observations that are refuted with the rest of the set */
	/* vectors of the same size that could replace it; those that repair most come first */
	struct proposal *alternative;
	size_t n_alternatives;
};

struct proposals {
	size_t n_counters, n_observations;
	struct proposed *one;  /* sorted: those that repair most come first */
	size_t n;
	bool whole;            /* all observations are feasible with these vectors together */
	/* no smaller vector, or no smaller set from the pool, is enough. Each vector of a set is needed in any case. */
	bool smallest;
	const char *reason;    /* if !whole or !smallest: the reason, a literal */
	size_t tests;
};

/* Search for signatures. Every observation must be refuted by the cone as it is. NULL only if judge() answered
 * STOPPED. */
struct proposals *propose(const struct propose_problem *);
void proposals_free(struct proposals *);

#endif
