/* When no declared feature helps: the smallest signatures that a µpath would have to have for the data to be taken.
 *
 * Adding the vector s to a cone helps an observation only if it breaks every certificate a that refutes it: a·s < 0. So
 * small vectors are gone through in order of size, and those that leave a known certificate whole are passed over
 * without a test; what is left is tested, and when it fails the new certificate rules out others. Where no single
 * vector does it, the same is done for sets of them: the lightest set that meets all known certificates is tested,
 * until one stands (implicit hitting sets: Moreno-Centeno and Karp, Operations Research 61, 2013). */
#ifndef CORE_SEARCH_PROPOSE_H
#define CORE_SEARCH_PROPOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum propose_answer {
	PROPOSE_TAKEN,
	PROPOSE_REFUTED, /* and the certificate is filled in */
	PROPOSE_UNKNOWN, /* neither: counts as not taken */
	PROPOSE_STOPPED,
};

struct propose_problem {
	size_t n_counters, n_observations;
	const bool *use; /* n_counters: it may be raised */
	/* Is the observation taken by the cone with n vectors (rows of n_counters) more? A certificate has n_counters
	 * integers. */
	enum propose_answer (*judge)(
		void *ctx, size_t observation, size_t n, const int64_t *vector, int64_t *certificate);
	void *ctx;
	size_t tests_max, looked_max; /* 0: the defaults below */
};

#define PROPOSE_SUM_MAX 12         /* Σ of a vector that is to help alone */
#define PROPOSE_POOL_SUM_MAX 6     /* … and of one that is to help with others, */
#define PROPOSE_POOL_COUNTERS_MAX 3 /* … and how many counters it may raise */
#define PROPOSE_POOL_MAX 20000     /* vectors of that kind */
#define PROPOSE_ALTERNATIVES 4
#define PROPOSE_TESTS_MAX 2000     /* questions to judge() about single vectors, then about sets */
#define PROPOSE_LOOKED_MAX 20000000 /* vectors and choices of counters looked at */

struct proposal {
	int64_t *vector;       /* n_counters, none negative, without a common divisor */
	size_t repairs;        /* observations taken with it alone */
	bool *repaired;        /* n_observations */
};

struct proposed {
	struct proposal own;
	size_t needed;                /* observations that are refuted with the others of the set alone */
	/* of the same size, and with the other vectors they do as well; those that repair most first */
	struct proposal *alternative;
	size_t n_alternatives;
};

struct proposals {
	size_t n_counters, n_observations;
	struct proposed *one;  /* what repairs most first */
	size_t n;
	bool whole;            /* together all observations are taken */
	/* no smaller vector, or, of several, no fewer of the pool's, do it. Each of several is needed in any case */
	bool smallest;
	const char *reason;    /* !whole or !smallest: a literal */
	size_t tests;
};

/* All observations must be refuted by the cone as it is. NULL only when judge() said STOPPED. */
struct proposals *propose(const struct propose_problem *);
void proposals_free(struct proposals *);

#endif
