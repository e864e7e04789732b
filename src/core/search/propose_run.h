/* A running search for signatures. Private to core/search: propose.c finds them, propose_alternatives.c describes
 * them. */
#ifndef CORE_SEARCH_PROPOSE_RUN_H
#define CORE_SEARCH_PROPOSE_RUN_H

#include "core/search/propose.h"

struct propose_certificate {
	int64_t *a;
	size_t end;  /* index after its last negative entry */
	bool broken; /* broken by the granted vectors, so no other vector has to break it */
};

struct propose_run {
	const struct propose_problem *p;
	struct proposals *out;
	size_t n, tests_max, visited, visited_max;
	struct propose_certificate *known;
	size_t n_known, cap_known, stopper; /* stopper: the certificate that the last vector did not break */
	int64_t *scratch;        /* receives a certificate from judge() */
	int64_t *vector;         /* at most n rows: the granted vectors, then the vector under test */
	size_t n_granted;
	size_t work;             /* work left for sets of vectors */
	/* observations in the order in which they are tested: those that failed last come first */
	size_t *failed_last;
	bool stopped, spent;     /* spent: a limit was reached */
	/* State of the walk over vectors. */
	size_t size, *at;
	bool (*visit)(struct propose_run *, const int64_t *); /* called for each vector; returning true ends the walk */
	void *ctx;
};

/* Ask the problem whether an observation is feasible with the first n rows of `vector`. */
enum propose_answer propose_judge(struct propose_run *, size_t observation, size_t n);
/* From now on the first n rows of `vector` are part of every test. */
void propose_grant(struct propose_run *, size_t n);
/* Visit all vectors of one size and sum. `s` must be all zeros at first, and holds the vector that ended the walk
 * afterwards. Returns true if `visit` ended it. */
bool propose_walk(struct propose_run *, int64_t *s, size_t size, int64_t sum);
/* Returns true if all observations are feasible with this vector and the granted ones. */
bool propose_try_alone(struct propose_run *, const int64_t *s);

/* propose_alternatives.c: fills the result from the n vectors in `vector`. */
void propose_describe_all(struct propose_run *, size_t n);

#endif
