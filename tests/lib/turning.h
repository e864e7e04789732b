/* Programs with a period, counted by a simulated PMU whose events take turns: how often a true model is refuted, by
 * the ratio of the program's period to that of the rotation. Each setting is a row of data. `make bench-rotation`
 * prints what docs/rotation.md sums up; tests/unit/rotation_locks.c tries a few of each. */
#ifndef TESTS_LIB_TURNING_H
#define TESTS_LIB_TURNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/rotation.h"

struct turning_setting {
	const char *name;
	double ratio; /* the program's period over that of the kernel's rotation; 0: the program has none */
};
extern const struct turning_setting turning_setting[];
extern const size_t turning_n_settings;

struct turning_count {
	size_t runs;
	size_t blind;     /* refutations by the test of the cone when it does not look for programs that keep step */
	size_t refuted, undecided;
	size_t warned;    /* runs that were found to keep step */
	/* largest relative error of the program's period, over runs with a period in which one was found */
	double period_off;
};

struct turning;
struct turning *turning_new(void);
void turning_free(struct turning *);

/* Runs with seeds from `seed` on. `shift` is the share that is added to the counts of one counter, so that the model
 * is false; 0: none. */
struct turning_count turning_run(struct turning *, const struct turning_setting *, enum rotation_how, size_t runs,
	uint64_t seed, double shift);

#endif
