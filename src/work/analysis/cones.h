/* A bounded cache of signatures and cones, by choice of features and counters. */
#ifndef WORK_ANALYSIS_CONES_H
#define WORK_ANALYSIS_CONES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/udd/fset.h"

struct cone;
struct cones;
struct signatures;
struct udd_model;

#define CONES_MAX 128                    /* number of choices with signatures or cones */
#define CONES_BYTES_MAX ((size_t)24 << 20)

/* Makes an empty cache. The model must outlive it. `seconds` is the time limit for facets; 0: the default. */
struct cones *cones_new(const struct udd_model *, double seconds);
void cones_free(struct cones *);

/* Replaces the bounds above. */
void cones_set_bounds(struct cones *, size_t n, size_t bytes);

/* Begins a round. What the cache returns stays valid until the next cones_begin(). Beyond the bounds, the entries that
 * were unused longest are dropped, except those of the current round, which may therefore exceed the bounds. */
void cones_begin(struct cones *);

/* Returns the signatures of a choice. NULL when the choice makes an error; *error then holds the printed diagnostics,
 * which the caller frees. */
const struct signatures *cones_signatures(struct cones *, const struct fset *, char **error);

/* Returns the seconds that expanding and walking the diagram of a choice took when it was made. */
double cones_walk_seconds(struct cones *, const struct fset *);

/* Returns the cone over the counters in `keep`. The choice must have signatures. It is derived from the cone of a
 * similar choice where the cache has one over the same counters; choices with equal signatures share a cone. */
const struct cone *cones_get(struct cones *, const struct fset *, const bool *keep);

/* Returns the same cone for callers that need only its rays and constraints. It holds no more signatures than were
 * needed to make it (signatures_spanning()), which takes a fraction of the time. Errors are reported as by
 * cones_signatures(). */
const struct cone *cones_span(struct cones *, const struct fset *, const bool *keep, char **error);

/* The size of the cache. */
struct cones_size {
	size_t choices; /* signatures and cones, one per choice */
	size_t cones;   /* distinct cones among them */
	size_t bytes;   /* bytes that the cones use, without malloc's overhead */
};
struct cones_size cones_size(const struct cones *);

#endif
