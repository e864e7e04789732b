/* How much larger values of B are than values of A, from runs in blocks of random order.
 *
 * A block is four runs, two of A and two of B, in one of the six orders, drawn at random and with equal chances. If B
 * is A shifted by a constant, then the values of a block, with the shift taken from those of B, do not depend on
 * which of them were B. So their chance of being arranged as they are is known: 1/6 each, whatever the noise (slow,
 * in bursts, heavy-tailed), because hecate drew the order (Fisher, The Design of Experiments, 1935). For each shift,
 * the product over blocks
 *
 *     exp(λ x) / mean over the six orders of exp(λ x'),    x = scores of B less scores of A,
 *
 * has expectation 1 if that is the shift. By Ville's inequality it reaches 1/α with a chance of at most α at any time,
 * so the shifts whose product is below 1/α are a confidence sequence: one may look after each block, and stop when one
 * wants (Howard, Ramdas, McAuliffe and Sekhon, Annals of Statistics 49, 2021). The product is averaged over both signs
 * and five sizes of λ. Scores are values less their block's median, over the median deviation in the blocks before, and
 * limited to ±3, so that a run that was disturbed counts little. Scores do not depend on which runs are B, so the level
 * is exact with them, too.
 *
 * If B differs by more than a shift, for instance in its spread, the level is approximate. */
#ifndef CORE_DIFF_SHIFT_H
#define CORE_DIFF_SHIFT_H

#include <stdbool.h>
#include <stddef.h>

#define SHIFT_BLOCK ((size_t)4)

/* Runs in the order in which they ran. `is_b[i]` is 1 for a run of B. Only whole blocks count. */
struct shift_runs {
	const double *value; /* blocks * SHIFT_BLOCK */
	const unsigned char *is_b;
	size_t blocks;
};

struct shift {
	double estimate;
	double low, high; /* -INFINITY, INFINITY: no bound yet, there are too few blocks */
};

/* The interval of the shift with confidence 1 - alpha, at this and all other looks together. Values are finite. */
struct shift shift_interval(const struct shift_runs *, double alpha);

/* The logarithm of the evidence against this shift: at most log(1/α) for ever with a chance of 1 - α, if it is true. */
double shift_evidence(const struct shift_runs *, double shift);

#endif
