/* How many µops may have taken some µpaths, over all flows that an observation allows.
 *
 *     flows    f ≥ 0 with Σ_p f_p · column_p in the region: the possible numbers of µops by signature
 *     total    Σ f_p over the columns in question
 *     share    Σ f_p w_p over the columns in question, of Σ f_p w_p over all;
 *              w_p is what column p raises a counter by, or 1
 *
 * Each question is the maximum of a linear function; for a share, of a quotient, by Dinkelbach's method (Management
 * Science 13, 1967). By duality, any vector a with a·column_p ≥ cost_p for every p bounds it by the maximum of a·v over
 * the region. The solvers only propose a. It is rounded to integers and repaired until it holds for every column, and
 * its bound is computed in rational arithmetic and rounded outward. So a bound is never on the wrong side of the truth,
 * whatever a solver did; `reached` says how close an actual flow comes. */
#ifndef CORE_VERDICT_UOP_RANGE_H
#define CORE_VERDICT_UOP_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/verdict/verdict.h"

struct region;
struct uop_program;

#define UOP_COUNTERS_MAX ((size_t)1024)
#define UOP_SIZE_MAX ((size_t)1 << 20)   /* columns times counters; the ellipsoid needs about 32 bytes for each */
#define UOP_ENTRY_MAX (INT64_C(1) << 53) /* so that the checks fit 128 bits */
#define UOP_UOPS SIZE_MAX                /* in place of a counter: the share of all µops */

/* n columns against a feasible region over the same counters, which is a point or has a noise model. Columns are row by
 * row, n_counters entries each: not negative, no two equal, each with a positive entry. `kind` and q (the χ² quantile)
 * are as in the verdict. Copies the columns; the region must outlive the program. Only one program may exist at a time.
 * Returns NULL if there are more than UOP_COUNTERS_MAX counters or UOP_SIZE_MAX entries, or an entry exceeds
 * UOP_ENTRY_MAX. Free with uop_program_free(). */
struct uop_program *uop_program_new(
	size_t n_counters, size_t n, const int64_t *column, const struct region *, enum region_kind, double q);
void uop_program_free(struct uop_program *);

/* The true least value is between `least` and reached_least, and likewise for the greatest. The reached values are NAN
 * if no flow was found. */
struct uop_range {
	double least, greatest;
	double reached_least, reached_greatest;
};

/* Whether a column's flow belongs to the µpaths in question: none of the flow, possibly some, or all. The least counts
 * UOP_ALL columns; the greatest counts UOP_SOME and UOP_ALL. */
enum uop_part { UOP_NONE, UOP_SOME, UOP_ALL };

void uop_range_total(struct uop_program *, const unsigned char *part, struct uop_range *);

/* Range of the share, within 0 … 1. It is 0 … 1 if the region allows the counter (or all flow) to be 0. */
void uop_range_share(struct uop_program *, const unsigned char *part, size_t counter, struct uop_range *);

#endif
