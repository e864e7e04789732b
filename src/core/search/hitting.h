/* The lightest set of elements that meets each of some sets: which observations no model takes, which signatures cut
 * all certificates.
 *
 * Branch and bound: the set with the fewest elements left is met by each of them in turn; what disjoint sets must cost
 * bounds what is still to come. Sets that hold another one, and elements that another one stands for, are left out
 * first. */
#ifndef CORE_SEARCH_HITTING_H
#define CORE_SEARCH_HITTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HITTING_WORK_MAX 300000000 /* words of 64 bits looked at: less than a second */

struct lattice;

struct hitting {
	size_t *element; /* rising */
	size_t n;
	uint64_t weight; /* of all of them */
	bool proven;     /* no other is lighter; false: more choices than could be looked at, and it may be too heavy */
};

/* `set`: n_sets rows of (n_elements + 63) / 64 words, a bit for each element. `weight`: each at least 1; NULL: all 1.
 * False when a set is empty. *work: how many words may be looked at; what was is taken off. The caller frees
 * out->element. */
bool hitting_find(size_t n_elements, const uint64_t *weight, size_t n_sets, const uint64_t *set, size_t *work,
	struct hitting *out);

/* The fewest observations of which each usable tested model is refuted by one. False when some model survives, or none
 * is usable. Where the lattice is complete no legal model takes them all: what is not tested is refuted by whatever
 * refutes a tested one above it. */
bool hitting_refusal(const struct lattice *, size_t n_observations, struct hitting *out);

#endif
