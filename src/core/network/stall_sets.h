/* Where stalls can arise and get to, as known from the network alone: two sets of modules for each cell. Private to
 * core/network. */
#ifndef CORE_NETWORK_STALL_SETS_H
#define CORE_NETWORK_STALL_SETS_H

#include <stddef.h>
#include <stdint.h>

struct net_plan;

/* Sets of modules as bits, `words` for each. */
struct stall_sets {
	size_t modules, kinds, words;
	uint64_t *arising; /* module × kind: modules that report stalls and get requests from it */
	uint64_t *leading; /* destination × kind: modules whose requests get there */
	size_t *first;     /* destination × module × kind: where its origins begin in `origin`, and one more entry */
	size_t *origin;
};

/* The destinations are modules. */
struct stall_sets *stall_sets_new(const struct net_plan *, const size_t *destination, size_t n);
void stall_sets_free(struct stall_sets *);

/* The modules where a cell's stalls for the d-th destination may have arisen: those in both sets, in rising order. */
struct stall_origins {
	const size_t *at;
	size_t n;
};
static inline struct stall_origins
stall_origins(const struct stall_sets *sets, size_t d, size_t module, size_t kind)
{
	const size_t *first = &sets->first[(d * sets->modules + module) * sets->kinds + kind];

	return (struct stall_origins){sets->origin + first[0], first[1] - first[0]};
}

#endif
