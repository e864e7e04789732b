/* Streams of normal counters whose true mean is known, and the distance of a region from this mean. Used by peeks.c. */
#ifndef TESTS_LIB_COVER_H
#define TESTS_LIB_COVER_H

#include <stddef.h>
#include <stdint.h>

struct region;

/* rows × n counts. Each counter is an AR(1) process with coefficient `lag`; half of the counters' variance is
 * common. The caller frees. */
int64_t *cover_rows(size_t n, double lag, size_t rows, uint64_t *seed);

/* (v−Y)ᵀ Σ⁻¹ (v−Y) of such rows' true mean v. z is scratch for as many numbers as the region has counters. */
double cover_distance2(const struct region *, double *z);

#endif
