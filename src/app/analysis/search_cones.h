/* The distinct cones of a search, by number: equal cones are one, and inclusion is decided exactly. They are kept
 * within a bound: of what was not looked at for longest only a hash is left, and it is made again when it is asked for.
 */
#ifndef APP_ANALYSIS_SEARCH_CONES_H
#define APP_ANALYSIS_SEARCH_CONES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/udd/fset.h"

struct cone;
struct search_cones;

#define SEARCH_CONES_BYTES_MAX ((size_t)16 << 20)

/* Makes the cone of a choice once more; what it gives is needed until the next call only. */
typedef const struct cone *search_cones_again(void *ctx, const struct fset *on);

/* NULL: they cannot be made again, and are all kept. */
struct search_cones *search_cones_new(search_cones_again *, void *ctx);
void search_cones_free(struct search_cones *);

/* Another bound than the one above; one cone or two that are being compared may exceed it. */
void search_cones_set_bytes(struct search_cones *, size_t bytes);
size_t search_cones_bytes(const struct search_cones *);

/* The number of the cone of a choice; all must be over the same counters. What is needed of it is copied first, so it
 * may die with a call of the function that makes cones again. */
size_t search_cones_id(struct search_cones *, const struct fset *on, const struct cone *);
size_t search_cones_n(const struct search_cones *);

/* A hash of a cone's rays, in any order, and of the counters that it is over (n of `used`, by their number in the
 * model). Equal cones that have all their facets have equal ones. By number: that of the cone which first had it. */
uint64_t search_cone_fingerprint(const struct cone *, const bool *used, size_t n);
uint64_t search_cones_fingerprint(const struct search_cones *, size_t id, const bool *used, size_t n);

/* Is every point of one cone in the other? Exact. Where an inclusion without facets takes too long the answer is yes:
 * it was not seen to fail. */
bool search_cones_inside(struct search_cones *, size_t smaller, size_t larger);

/* Can that be answered without making a cone again? */
bool search_cones_at_hand(const struct search_cones *, size_t id);

#endif
