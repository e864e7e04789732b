/* The distinct cones of a search, by number. Equal cones have one number, and inclusion is decided exactly. Memory is
 * bounded: cones that were unused longest are reduced to a hash, and made again when needed. */
#ifndef WORK_ANALYSIS_SEARCH_CONES_H
#define WORK_ANALYSIS_SEARCH_CONES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/udd/fset.h"

struct cone;
struct search_cones;

#define SEARCH_CONES_BYTES_MAX ((size_t)16 << 20)

/* Makes the cone of a choice again. The result is used only until the next call. */
typedef const struct cone *search_cones_again(void *ctx, const struct fset *on);

/* Makes an empty set of cones. `again` NULL: cones cannot be made again, so all are kept. */
struct search_cones *search_cones_new(search_cones_again *, void *ctx);
void search_cones_free(struct search_cones *);

/* Replaces the bound above. One cone, or two that are being compared, may exceed it. */
void search_cones_set_bytes(struct search_cones *, size_t bytes);
size_t search_cones_bytes(const struct search_cones *);

/* Returns the number of a choice's cone. All cones must be over the same counters. The set copies what it needs before
 * it calls the function that makes cones again, so the cone may become invalid in that call. */
size_t search_cones_id(struct search_cones *, const struct fset *on, const struct cone *);
size_t search_cones_n(const struct search_cones *);

/* Returns a hash of a cone's rays, in any order, and of the n counters with `used`. Equal cones that have all their
 * facets have equal hashes. search_cones_hash_of() returns the hash of the cone that first had the number. */
uint64_t search_cone_fingerprint(const struct cone *, const bool *used, size_t n);
uint64_t search_cones_fingerprint(const struct search_cones *, size_t id, const bool *used, size_t n);

/* Is every point of the smaller cone in the larger? Exact, except that the answer is yes where testing without facets
 * takes too long. */
bool search_cones_inside(struct search_cones *, size_t smaller, size_t larger);

/* Can search_cones_inside() answer without making a cone again? */
bool search_cones_at_hand(const struct search_cones *, size_t id);

#endif
