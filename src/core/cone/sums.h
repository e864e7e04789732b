/* Checks counters that a model declares to be sums of others (udd_model.sum). Private to core/cone. */
#ifndef CORE_CONE_SUMS_H
#define CORE_CONE_SUMS_H

#include <stdbool.h>

struct diags;
struct signatures;
struct udd_diagram;

/* Whether every signature keeps each sum whose total and parts are all counters of the model. If not, adds an error at
 * the sum that shows a µpath. */
bool sums_check(const struct signatures *, const struct udd_diagram *, struct diags *);

#endif
