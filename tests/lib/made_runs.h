/* Made runs of two commands in blocks of random order, as hecate diff makes them: the noise of findings in docs and
 * issues, and of benchmarks. Its unit is a deviation of the plain noise. Used by tests/unit/diff.c and bench/diff.c. */
#ifndef TESTS_LIB_MADE_RUNS_H
#define TESTS_LIB_MADE_RUNS_H

#include <stddef.h>
#include <stdint.h>

#include "core/diff/shift.h"

enum made_noise {
	MADE_NORMAL,
	MADE_SKEWED, /* exponential: a sharp edge below, a tail above, as times of runs have */
	MADE_WALK,
	MADE_CAUCHY,
	MADE_BURSTS,     /* a run in ten takes much longer */
	MADE_SLOW,       /* 30 % of the variance is an autoregression of 0.97 */
	MADE_ONE_SLOW,   /* half of the variance is an autoregression of 0.9 */
	MADE_MEMORY,     /* long memory, near 1/f: autoregressions of five time scales */
	MADE_STATES,     /* two speeds, of which one lasts for 20 runs in the mean */
	MADE_FEW_VALUES, /* rounded to steps of two deviations */
	MADE_LOAD,       /* other load comes and goes */
	MADE_TREND,      /* grows by five deviations in 100 runs */
	MADE_MISSING,    /* half of the largest values are missing */
	MADE_NOISES
};
extern const char *const made_noise_name[MADE_NOISES];

#define MADE_SCALES 5
struct made_noise_state {
	double slow[MADE_SCALES];
	int mode;
	size_t n;
};

/* The next value of the noise; NAN: missing. */
double made_noise(struct made_noise_state *, enum made_noise, uint64_t *seed);

enum { MADE_MOST = 1024 }; /* blocks */
struct made_runs {
	double value[MADE_MOST * SHIFT_BLOCK];
	unsigned char is_b[MADE_MOST * SHIFT_BLOCK];
	size_t blocks;
	struct made_noise_state state;
};

/* One of the six orders. */
void made_order(unsigned char is_b[SHIFT_BLOCK], uint64_t *seed);
/* Appends a block, in which runs of B are `shift` larger. A block with a missing value is made again. */
void made_block(struct made_runs *, enum made_noise, double shift, uint64_t *seed);
struct shift_runs made_shift_runs(const struct made_runs *);
/* Blocks after which a look after each of them refutes the shift; 0: none does. */
size_t made_refuted(const struct made_runs *, double shift, double alpha);

#endif
