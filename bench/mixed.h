/* The mixed set of docs/numerics.md: 400 observations, some of m0, some with a share of flow that m0 does not know. */
#ifndef BENCH_MIXED_H
#define BENCH_MIXED_H

#include <stddef.h>
#include <stdint.h>

struct cone;
struct obs_table;
struct udd_model;

#define MIXED 400
#define MIXED_ROWS 60

struct mixed {
	size_t n;               /* counters */
	struct cone *m0;
	size_t n_outside;
	int64_t *outside;       /* n_outside × n: flows that m0 does not know */
	const char *from;       /* the origin of these */
	int64_t *count[MIXED];  /* MIXED_ROWS × n samples */
	double share[MIXED];    /* share of the flow that is not m0's */
};

/* Outside are the rays of the model's variant m4 that m0 does not have, or, without that variant, a list of names. */
struct mixed *mixed_new(const struct udd_model *haswell);
void mixed_free(struct mixed *);

/* One observation of m0 itself, of any kind in the set. MIXED_ROWS × n; the caller frees. */
int64_t *mixed_feasible(const struct mixed *, uint64_t *seed);

/* The first n observations as a table. The caller frees. */
struct obs_table *mixed_table(const struct mixed *, const struct udd_model *haswell, size_t n);

/* Runs bench/baseline.py on the first observations and prints its figures next to ours; seconds: our median, unit:
 * bench_unit(). */
void mixed_baseline(const struct mixed *, double seconds, double threshold2);

#endif
