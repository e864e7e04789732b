/* How much larger values of B are than values of A, from runs in blocks of random order.
 *
 * A block is four runs, two of A and two of B, in one of the six orders, drawn at random and with equal chances. If B
 * is A shifted by a constant, then the values of a block, with the shift taken from those of B, do not depend on
 * which of them were B. So their chance of being arranged as they are is known: 1/6 each, whatever the noise (slow,
 * in bursts, heavy-tailed), because hecate drew the order (Fisher, The Design of Experiments, 1935). Against each
 * shift, wealth is bet on the order of each block, at fair odds: in the mean over the six orders, a bet of 1 pays 1. So
 * if that is the shift, the wealth, 1 at first, ever reaches 1/α with a chance of at most α (Ville's inequality). The
 * shifts against which it did not are a confidence sequence: one may look after each block, and stop when one wants
 * (Howard, Ramdas, McAuliffe and Sekhon, Annals of Statistics 49, 2021; Waudby-Smith and Ramdas, JRSS B 86, 2024).
 *
 * A bet of size λ pays exp(λ x) / mean over the six orders of exp(λ x'), where x is scores of B less scores of A. The
 * wealth is divided at first among bets of both signs and seven sizes of λ. Close to 1/α, no order pays more than what
 * leads there, and the rest goes to the other orders: otherwise what is won above 1/α would be lost.
 *
 * A score is a value less the level, over the deviation of runs of one kind in the blocks before. It is limited, more
 * so the longer the tails of the blocks before are, so that a run that was disturbed counts little. The level is the
 * median of the block, drawn towards that of the eight blocks before as far as levels do not differ. Scores do not
 * depend on which of the block's runs are B, so the level α is exact.
 *
 * If B differs by more than a shift, the level is approximate; symmetric noise that is twice as wide in B does not
 * change it. */
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

/* The logarithm of the wealth won against this shift: below log(1/α) for ever with a chance of 1 - α, if it is true. */
double shift_evidence(const struct shift_runs *, double shift, double alpha);

#endif
