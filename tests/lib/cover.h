/* Streams of normal counters whose true mean is known, and how often a region of them misses it. Used by bench/coverage.c, by peeks.c, and by
 * tests/unit/cover.c in small. */
#ifndef TESTS_LIB_COVER_H
#define TESTS_LIB_COVER_H

#include <stddef.h>
#include <stdint.h>

struct region;

/* rows × n counts, each like its neighbour in time by `lag` (an AR(1) process), half of their variance in common. The caller frees. */
int64_t *cover_rows(size_t n, double lag, size_t rows, uint64_t *seed);

/* (v−Y)ᵀ Σ⁻¹ (v−Y) of the true mean v of such rows; z has room for as many numbers as the region has counters. */
double cover_distance2(const struct region *, double *z);

/* What one look at 99 % confidence makes of `streams` streams, each looked at once. */
struct cover_count {
	size_t streams;
	size_t missed;    /* the region did not hold the true mean: 1 % of them may */
	size_t found;     /* the correlation was noticed */
	size_t shrunk;
	double freedom;   /* mean degrees of freedom of Σ */
	double width;     /* geometric mean of the regions' half-widths over all directions, by those of the ellipsoid whose Σ is known */
};
struct cover_count cover_run(size_t n, double lag, size_t rows, size_t streams, uint64_t seed);

#endif
