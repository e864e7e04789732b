/* Which parts of a workload make an event count too many or too few: the binary search of Weaver, Terpstra and Moore
 * (2021), section 2.4, made automatic. They commented out parts of their program and ran it again until the variation
 * was localised.
 *
 * Errors of parts add up. So the search runs groups of parts of one kind alone, halves those that have an error, and
 * ends with single parts. A part's error is then measured with half as many iterations: the part of the error that
 * grows with the iterations belongs to the instructions, and the rest to the run. The search begins with groups, not
 * with all parts at once, because errors of different kinds may cancel. */
#ifndef CORE_TRUST_ATTRIBUTE_H
#define CORE_TRUST_ATTRIBUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The error of a set of parts: error: mean of count minus expected over some runs; width: how far the truth may be from
 * it, because of noise and of interrupts. */
struct attribute_level {
	double error, width;
};

/* Measures the parts with on[k], each with 1/divisor of its iterations. Returns false if the search must stop (Ctrl-C).
 */
typedef bool attribute_measure(void *ctx, const bool *on, uint32_t divisor, struct attribute_level *);

struct attribute_problem {
	size_t n;              /* parts */
	const unsigned *group; /* n: parts of a kind have the same number, 0 … n - 1 */
	const uint32_t *loops; /* n: iterations of a whole run; 0: the part cannot run here */
};

struct attribute_found {
	size_t part;
	/* excess counts for each iteration; below 0: too few; all 0: no error */
	double slope, low, high;
	double constant, constant_low, constant_high; /* excess counts for each run of the part; all 0: no error */
};

/* Parts that have an error together, although neither half of them has it alone. */
struct attribute_together {
	size_t *part;
	size_t n;
	struct attribute_level level;
};

struct attribute_result {
	struct attribute_level none, all; /* level without any part; level with all parts */
	struct attribute_found *found;    /* in the order of the parts of a group */
	size_t n_found, found_cap;
	struct attribute_together *together;
	size_t n_together, together_cap;
	/* the error of all parts minus the sum of the groups' errors, above `none`; if it is outside ±rest_width,
	 * errors do not add up */
	double rest, rest_width;
	size_t n_measured;                /* sets that were measured */
	/* false: the search was stopped, and the result covers what was measured until then */
	bool whole;
};

/* Searches. The caller frees the result with attribute_free(). */
void attribute_search(
	const struct attribute_problem *, attribute_measure *, void *ctx, struct attribute_result *);
void attribute_free(struct attribute_result *);

/* Returns the mean and width of the errors of repeated runs: Student's t at 0.006 %, so that a search of some hundred
 * sets hardly ever finds a part wrongly. The width of equal errors is 0. One run has an infinite width. */
struct attribute_level attribute_level_of(const double *error, size_t n);

#endif
