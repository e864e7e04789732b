/* Signatures and cones by choice of features and counters, kept in a bounded cache. */
#ifndef APP_CONES_H
#define APP_CONES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/udd/fset.h"

struct cone;
struct cones;
struct signatures;
struct udd_model;

/* The model must outlive the cache. `seconds`: time limit for facets, 0 the default. */
struct cones *cones_new(const struct udd_model *, double seconds);
void cones_free(struct cones *);

/* What is handed out from here on stays valid until the next cones_begin(), which may forget the oldest. */
void cones_begin(struct cones *);

/* NULL when the choice makes an error; *error then holds the printed diagnostics, which the caller frees. */
const struct signatures *cones_signatures(struct cones *, const struct fset *, char **error);

/* Seconds that the expansion and walk of a choice took when it was made. */
double cones_walk_seconds(struct cones *, const struct fset *);

/* The cone over the counters that `keep` names; the choice must have signatures. */
const struct cone *cones_get(struct cones *, const struct fset *, const bool *keep);

#endif
