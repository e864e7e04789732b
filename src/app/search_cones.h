/* The distinct cones of a search, by number: equal cones are one, and inclusion is decided exactly. */
#ifndef APP_SEARCH_CONES_H
#define APP_SEARCH_CONES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cone;
struct search_cones;

struct search_cones *search_cones_new(void);
void search_cones_free(struct search_cones *);

/* The number of a cone; all must be over the same counters. What is needed of it is copied. */
size_t search_cones_id(struct search_cones *, const struct cone *);
size_t search_cones_n(const struct search_cones *);

/* A hash of a cone's rays and of the counters that it is over (n of `used`, by their number in the model). Equal numbers have equal ones; of
 * equal cones in two searches it is the same when both have all their facets. */
uint64_t search_cones_fingerprint(const struct search_cones *, size_t id, const bool *used, size_t n);

/* Is every point of one cone in the other? Exact. Where an inclusion without facets takes too long the answer is yes: it was not seen to fail. */
bool search_cones_inside(const struct search_cones *, size_t smaller, size_t larger);

#endif
