/* Streams of normal counters whose true mean is known, and how far a region of them is from it. Used by peeks.c. */
#ifndef TESTS_LIB_COVER_H
#define TESTS_LIB_COVER_H

#include <stddef.h>
#include <stdint.h>

struct region;

/* rows × n counts, each like its neighbour in time by `lag` (an AR(1) process), half of their variance in common. The
 * caller frees. */
int64_t *cover_rows(size_t n, double lag, size_t rows, uint64_t *seed);

/* (v−Y)ᵀ Σ⁻¹ (v−Y) of the true mean v of such rows; z has room for as many numbers as the region has counters. */
double cover_distance2(const struct region *, double *z);

#endif
