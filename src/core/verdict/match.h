/* Which columns of the data stand for which counters of the model (docs/data.md). */
#ifndef CORE_VERDICT_MATCH_H
#define CORE_VERDICT_MATCH_H

#include "core/obs/columns.h"

struct udd_model;

/* As match_columns_and_sums(), by the sums that the model says of all its roots. An event with a filter has no column:
 * a name says nothing of filters. Freed with match_free(). */
struct match *match_new(const struct udd_model *, const struct obs_table *);

#endif
