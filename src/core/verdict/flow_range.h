/* How much flow may take some µpaths, over all flows that an observation allows.
 *
 *   flows    f ≥ 0 with Σ_p f_p · column_p in the region: what may have happened, µops by signature
 *   total    Σ f_p over the columns in question
 *   share    Σ f_p w_p over the columns in question, of Σ f_p w_p over all, w_p being what column p raises a counter
 * by, or 1
 *
 * Each question is the most of a linear function (for a share: of a quotient, by Dinkelbach's method, Management
 * Science 13, 1967). By duality any vector a with a·column_p ≥ cost_p for every p bounds it by the most of a·v over the
 * region. The solvers only propose a; it is rounded to integers, repaired until it holds for every column, and its
 * bound is computed in rational arithmetic and rounded outward. So a bound is never on the wrong side of the truth,
 * however a solver did; `reached` says how near a flow comes. */
#ifndef CORE_VERDICT_FLOW_RANGE_H
#define CORE_VERDICT_FLOW_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/verdict/verdict.h"

struct region;
struct flow_program;

#define FLOW_COUNTERS_MAX ((size_t)1024)
#define FLOW_SIZE_MAX ((size_t)1 << 20) /* columns times counters: the ellipsoid needs some 32 bytes for each */
#define FLOW_ENTRY_MAX (INT64_C(1) << 53) /* so that 128 bits are enough for what is checked */
#define FLOW_UOPS SIZE_MAX /* instead of a counter: shares of all µops seen */

/* n columns (row by row, n_counters entries each, not negative, no two alike, none without a positive entry) against a
 * region over the same counters, which has a noise model or is a point, and is feasible. `kind` and q (the χ² quantile)
 * as in the verdict. Copies the columns; the region must outlive it. At most one program at a time. NULL for more than
 * FLOW_COUNTERS_MAX counters or FLOW_SIZE_MAX entries, or an entry above FLOW_ENTRY_MAX. */
struct flow_program *flow_program_new(
	size_t n_counters, size_t n, const int64_t *column, const struct region *, enum region_kind, double q);
void flow_program_free(struct flow_program *);

/* least ≤ the true least ≤ reached_least, and so on. NAN for `reached` where no flow was found. */
struct flow_range {
	double least, greatest;
	double reached_least, reached_greatest;
};

/* What each column is to what is asked about: none of its flow belongs to it, some may, or all must. The least counts
 * what takes columns of FLOW_ALL, the greatest what takes FLOW_SOME and FLOW_ALL. */
enum flow_part { FLOW_NONE, FLOW_SOME, FLOW_ALL };

void flow_range_total(struct flow_program *, const unsigned char *part, struct flow_range *);

/* 0 … 1. The whole of it where the counter (or all flow) may as well be 0 as far as the region says. */
void flow_range_share(struct flow_program *, const unsigned char *part, size_t counter, struct flow_range *);

#endif
