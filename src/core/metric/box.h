/* A metric over a box: an interval for each leaf. */
#ifndef CORE_METRIC_BOX_H
#define CORE_METRIC_BOX_H

#include <stddef.h>

#include "core/metric/span.h"

struct metric_set;

/* Enclosures of all nodes of metric `number` alone: its own, whose needs must have theirs already. */
void box_values_of(const struct metric_set *, size_t number, const struct span *leaf, struct span *value);
/* The same for the metric and all that it needs; returns the enclosure of its value. */
struct span box_values(const struct metric_set *, size_t number, const struct span *leaf, struct span *value);

/* Encloses all slopes of the metric in each leaf that it uses, (f(x) - f(y)) / (x - y) for x and y in the box that
 * `value` is of. A step has an infinite slope. leaf_slope has an entry for each leaf of the set, and only those of the
 * metric are written; node_slope is room for all nodes. */
void box_slopes(const struct metric_set *, size_t number, const struct span *value, struct span *node_slope,
	struct span *leaf_slope);

#endif
