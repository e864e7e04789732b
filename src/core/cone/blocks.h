/* A root's nodes as blocks: maximal runs that are entered at their first node only and left at their last. Private to
 * core/cone. */
#ifndef CORE_CONE_BLOCKS_H
#define CORE_CONE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct udd_diagram;

#define BLOCK_NONE UINT32_MAX

struct block {
	uint32_t first, last; /* nodes; from first along the only edges to last */
};

/* Blocks of the nodes from `from` to before `to`, in topological order. */
struct blocks {
	const struct udd_diagram *g;
	uint32_t from, to;
	struct block *block;
	size_t n;
	uint32_t *of;             /* node - from → the block that begins there, or BLOCK_NONE */
	uint32_t first_property;  /* the root's properties are numbered from here */
	size_t n_properties;
	/* n × words bits: properties that a switch reached from the block looks at; NULL: too large */
	uint64_t *live;
	size_t words;
	uint32_t *last_use;       /* then: per property, its last switch */
};

void blocks_init(struct blocks *, const struct udd_diagram *, size_t root);
void blocks_free(struct blocks *);
bool blocks_live(const struct blocks *, size_t block, uint32_t property);

#endif
