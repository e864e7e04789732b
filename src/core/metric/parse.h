/* Reads one expression into the nodes of a set. */
#ifndef CORE_METRIC_PARSE_H
#define CORE_METRIC_PARSE_H

#include <stdbool.h>
#include <stddef.h>

struct metric_set;
struct names;

/* Appends the nodes of the expression of a metric, and leaves that are new. `known` has the names of all metrics, in
 * lower case; leaf_names the leaves. Returns false if it is not understood; then metric->why is set and no node is
 * added. */
bool metric_parse(struct metric_set *, size_t metric, const struct names *known, struct names *leaf_names);

#endif
