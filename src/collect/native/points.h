/* The points of a probe's curve as machine code, and the times that were measured at each. */
#ifndef COLLECT_NATIVE_POINTS_H
#define COLLECT_NATIVE_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/native/memory.h"

struct curve;
struct err;
struct native_bench;
struct native_counters;
struct probe;

struct native_points;

/* Returns NULL and sets *e if the processor or its memory cannot run the probe. */
struct native_points *native_points_new(struct native_bench *, const struct probe *, struct err *e);
void native_points_free(struct native_points *);
size_t native_points_n(const struct native_points *);

/* Measures one more time at a point. Returns false if every attempt was disturbed. */
bool native_points_measure(struct native_points *, size_t i);
/* Writes what each counter counts in a pass of the fill, or for a load of a footprint, as the median of runs that are
 * not timed. */
void native_points_count(struct native_points *, size_t i, const struct native_counters *, double *per_pass);
/* Appends the points that have been measured, ascending by x. */
void native_points_curve(const struct native_points *, struct curve *);
/* Returns whether huge pages were wanted for the footprint, but not given. */
bool native_points_small(const struct native_points *);
/* Returns the number of points that have only disturbed times, of which the curve shows the median. */
size_t native_points_disturbed(const struct native_points *);

#endif
