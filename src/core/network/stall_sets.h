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
};

/* The destinations are modules. */
struct stall_sets *stall_sets_new(const struct net_plan *, const size_t *destination, size_t n);
void stall_sets_free(struct stall_sets *);

/* The modules where a cell's stalls for the d-th destination may have arisen: those in both sets. */
struct stall_origins {
	const uint64_t *arising, *leading;
	size_t modules;
};
struct stall_origins stall_origins(const struct stall_sets *, size_t d, size_t module, size_t kind);
/* Returns the first origin from module `at` on; `modules` if there is none. */
size_t stall_origin_from(const struct stall_origins *, size_t at);

#endif
