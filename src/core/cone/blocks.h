/* Divides a root's nodes into blocks. A block is a maximal run of nodes without branches: edges from outside lead to
 * its first node only, and it is left at its last node only. Private to core/cone.
 *
 *   0 ── 1 ── 2 ─┬─ 3 ── 4 ─┬─ 6 ── 7      blocks {0 1 2}, {3 4}, {5} and {6 7}:
 *                └─ 5 ──────┘              node 2 is a decision, and two edges meet at node 6
 */
#ifndef CORE_CONE_BLOCKS_H
#define CORE_CONE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diags;
struct signatures;
struct udd_diagram;

#define BLOCK_NONE UINT32_MAX

struct block {
	uint32_t first, last; /* first and last node; the only path between them leads along single edges */
};

/* The blocks of the nodes from `from` to `to` − 1, in topological order. */
struct blocks {
	const struct udd_diagram *g;
	uint32_t from, to;
	struct block *block;
	size_t n;
	uint32_t *of;             /* node - from → the block that begins at the node, or BLOCK_NONE */
	uint32_t first_property;  /* the lowest property number of the root */
	size_t n_properties;
	/* n × words bits: the properties that a switch in or after the block reads; NULL when that would need too much
	 * memory */
	uint64_t *live;
	size_t words;
	uint32_t *last_use;       /* if live is NULL: per property, the last switch that reads it */
};

void blocks_init(struct blocks *, const struct udd_diagram *, size_t root);
void blocks_free(struct blocks *);
bool blocks_live(const struct blocks *, size_t block, uint32_t property);

/* Checks counters that a model declares to be sums of others (udd_model.sum). Private to core/cone. */

/* Returns whether every signature satisfies each sum whose total and parts are all counters of the model. If not, adds
 * an error at the sum that shows a µpath. */
bool sums_check(const struct signatures *, const struct udd_diagram *, struct diags *);

#endif
