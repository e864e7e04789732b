/* The mixed set of docs/numerics.md: 400 observations, some of m0, some with a share of flow that m0 does not know. */
#ifndef BENCH_MIXED_H
#define BENCH_MIXED_H

#include <stddef.h>
#include <stdint.h>

struct cone;
struct udd_model;

#define MIXED 400
#define MIXED_ROWS 60

struct mixed {
	size_t n;               /* counters */
	struct cone *m0;
	size_t n_outside;
	int64_t *outside;       /* n_outside × n: what m0 does not know */
	const char *from;       /* what these are */
	int64_t *count[MIXED];  /* MIXED_ROWS × n samples */
	double share[MIXED];    /* of the flow that is not m0's */
};

/* Outside are the rays of the model's variant m4 that m0 does not hold, or, without such a variant, a list by name. */
struct mixed *mixed_new(const struct udd_model *haswell);
void mixed_free(struct mixed *);

/* One observation of m0 itself, of as many kinds as the set has. MIXED_ROWS × n, the caller frees. */
int64_t *mixed_feasible(const struct mixed *, uint64_t *seed);

/* Runs bench/baseline.py on the first observations and prints its figures beside ours; seconds: our median, unit:
 * bench_unit(). */
void mixed_baseline(const struct mixed *, double seconds, double threshold2);

#endif
