/* The lightest set of elements that meets each of several sets. Examples: observations that no model explains together,
 * signatures that break all certificates.
 *
 * Branch and bound: the set with the fewest remaining elements is hit by each of these in turn. The cost of disjoint
 * sets is a lower bound of the remaining weight. Sets that contain another set, and elements that another element can
 * replace, are removed first. */
#ifndef CORE_SEARCH_HITTING_H
#define CORE_SEARCH_HITTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HITTING_WORK_MAX 300000000 /* visited words of 64 bits: less than a second */

struct search_graph;

struct hitting {
	size_t *element; /* ascending */
	size_t n;
	uint64_t weight; /* total weight of the elements */
	bool proven;     /* proven to be the lightest; false: the work limit was reached, and it may be too heavy */
};

/* Find the lightest set. `set`: n_sets rows of (n_elements + 63) / 64 words, a bit for each element. `weight`: each at
 * least 1; NULL: all 1. *work: budget of visited words; those used are subtracted. Returns false if a set is empty. The
 * caller frees out->element. */
bool hitting_find(size_t n_elements, const uint64_t *weight, size_t n_sets, const uint64_t *set, size_t *work,
	struct hitting *out);

/* Finds the fewest observations such that each usable tested model is refuted by one of them. Returns false if a model
 * survives, or none is usable. If the lattice is complete, no legal model survives all of them: whatever refutes a
 * tested model also refutes the untested models below it. */
bool hitting_refusal(const struct search_graph *, size_t n_observations, struct hitting *out);

#endif
