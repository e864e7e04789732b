/* Which columns of the data stand for which counters of the model (docs/data.md). */
#ifndef CORE_VERDICT_MATCH_H
#define CORE_VERDICT_MATCH_H

#include "core/obs/columns.h"

struct udd_model;

/* Match columns as columns_match_sums() does, with the sums that the model declares for all its roots. An event
 * with a filter has no column, because column names contain no filters. Free with columns_match_free(). */
struct columns_match *match_new(const struct udd_model *, const struct obs_table *);

#endif
