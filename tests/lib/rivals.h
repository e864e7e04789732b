/* Tests by which other programs compare two sets of runs: chances of a difference at least as large if there is none,
 * on two sides. They take runs for independent, and hold for one look. */
#ifndef TESTS_LIB_RIVALS_H
#define TESTS_LIB_RIVALS_H

#include <stddef.h>

/* Welch's t-test, as hyperfine's scripts/welch_ttest.py has it from scipy.stats.ttest_ind (equal_var=False); there 5 %
 * is a difference. */
double rival_welch(const double *a, size_t n_a, const double *b, size_t n_b);

/* Student's t-test with one variance, as ministat(1) has it; with more than 100 degrees of freedom it takes the normal
 * distribution. Its default is a confidence of 95 %. */
double rival_ministat(const double *a, size_t n_a, const double *b, size_t n_b);

/* Mann and Whitney's U, as google/benchmark's tools/compare.py has it from scipy.stats.mannwhitneyu: exact up to eight
 * values without ties, else the normal approximation with corrections for continuity and ties. 5 % is a difference. */
double rival_mann_whitney(const double *a, size_t n_a, const double *b, size_t n_b);

#endif
