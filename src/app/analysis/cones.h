/* Signatures and cones by choice of features and counters, kept in a bounded cache. */
#ifndef APP_ANALYSIS_CONES_H
#define APP_ANALYSIS_CONES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/udd/fset.h"

struct cone;
struct cones;
struct signatures;
struct udd_model;

#define CONES_MAX 128                    /* choices with their cones or signatures */
#define CONES_BYTES_MAX ((size_t)24 << 20)

/* The model must outlive the cache. `seconds`: time limit for facets, 0 the default. */
struct cones *cones_new(const struct udd_model *, double seconds);
void cones_free(struct cones *);

/* Other bounds than those above. */
void cones_set_bounds(struct cones *, size_t n, size_t bytes);

/* What is handed out from here on stays valid until the next cones_begin(). Beyond the bounds what was not asked for
 * longest is forgotten, but never what was asked for since the last cones_begin(): one round's own needs may exceed
 * them. */
void cones_begin(struct cones *);

/* NULL when the choice makes an error; *error then holds the printed diagnostics, which the caller frees. */
const struct signatures *cones_signatures(struct cones *, const struct fset *, char **error);

/* Seconds that the expansion and walk of a choice took when it was made. */
double cones_walk_seconds(struct cones *, const struct fset *);

/* The cone over the counters that `keep` names; the choice must have signatures. It is made from that of a similar
 * choice, where one over the same counters is there; choices with equal signatures share one. */
const struct cone *cones_get(struct cones *, const struct fset *, const bool *keep);

/* The same cone for who asks for nothing but its rays and constraints: it has no more signatures than were needed to
 * make it (signatures_spanning()), and is made in a fraction of the time. NULL and *error as cones_signatures(). */
const struct cone *cones_span(struct cones *, const struct fset *, const bool *keep, char **error);

/* What is kept. */
struct cones_size {
	size_t choices; /* signatures and cones, by choice */
	size_t cones;   /* distinct ones among them */
	size_t bytes;   /* of their own, without malloc's */
};
struct cones_size cones_size(const struct cones *);

#endif
