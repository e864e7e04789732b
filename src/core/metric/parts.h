/* What the files of this folder need of each other: how an expression is read, and its value and slopes over a box,
 * which has an interval for each leaf. */
#ifndef CORE_METRIC_PARTS_H
#define CORE_METRIC_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/metric/span.h"

struct metric_set;
struct names;

/* Appends the nodes of the expression of a metric, and leaves that are new. `known` has the names of all metrics, in
 * lower case; leaf_names the leaves. Returns false if it is not understood; then metric->why is set and no node is
 * added. */
bool metric_parse(struct metric_set *, size_t metric, const struct names *known, struct names *leaf_names);

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
