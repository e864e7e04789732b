/* What the benchmarks share: medians, and how fast this machine is. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stddef.h>

struct udd_model;

#define PROTOTYPE_SECONDS 3.3e-3 /* PPL's facets of m0 from all signatures, on the machine that the reach is stated for */

/* Sorts them. */
double bench_median(double *t, size_t n);

/* Seconds of PPL's double description of all 488 signatures of m0: the same work as on the prototype's machine. */
double bench_unit(void);

/* The installed model of that name; ends the program when there is none. */
struct udd_model *bench_model(const char *name);

/* "what   1.23 µs   0.68 µs at the prototype's speed   reach 3 µs   yes"; seconds; reach 0: none. */
void bench_row(const char *what, double seconds, double unit, double reach);

#endif
