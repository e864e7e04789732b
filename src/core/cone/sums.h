/* Counters that a model declares to be sums of others (udd_model.sum). Private to core/cone. */
#ifndef CORE_CONE_SUMS_H
#define CORE_CONE_SUMS_H

#include <stdbool.h>

struct diags;
struct signatures;
struct udd_diagram;

/* Does every signature keep each sum whose total and parts are all counters of the model? False, and an error at
 * the sum that shows a µpath, for one that does not. */
bool sums_check(const struct signatures *, const struct udd_diagram *, struct diags *);

#endif
