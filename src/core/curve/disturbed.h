/* Points of a curve that tell about something else than its parameter: a repetition that an interrupt made long, and
 * levels that differ between odd and even points. */
#ifndef CORE_CURVE_DISTURBED_H
#define CORE_CURVE_DISTURBED_H

#include <stddef.h>

struct curve;

/* Writes the means of the curve to y. Where those of all repetitions are much further from the minimum than at the
 * points around, some repetitions were disturbed: y is the minimum, and the distance that is usual there. */
void disturbed_means(const struct curve *, double *y);
/* Removes a clear zig-zag from point to point, so that odd and even points are on one curve. Only evenly spaced points
 * have a parity. */
void disturbed_level_pairs(const double *x, double *y, size_t n);
/* Puts up to three points in a row that are further than `limit` from those around where these are. Those around must
 * agree, so points of a slope or a step stay. */
void disturbed_remove_spikes(const double *x, double *y, size_t n, double limit);

#endif
