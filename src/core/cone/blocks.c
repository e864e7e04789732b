#include "core/cone/blocks.h"

#include <stdlib.h>

#include "base/mem.h"
#include "core/udd/diagram.h"

/* the most memory for exact live sets; above it a property counts as live up to the last switch in the text that names
 * it */
#define LIVE_BYTES_MAX ((size_t)64 << 20)

/* The properties of a root have consecutive numbers. Finds the first number and how many numbers the switches span. */
static void
find_properties(struct blocks *blocks)
{
	uint32_t lowest = UDD_NO_PROPERTY, highest = 0;

	for (uint32_t n = blocks->from; n < blocks->to; n++) {
		uint32_t p = blocks->g->node[n].property;

		if (blocks->g->node[n].kind != UDD_DECISION || p == UDD_NO_PROPERTY)
			continue;
		lowest = p < lowest ? p : lowest;
		highest = p > highest ? p : highest;
	}
	blocks->first_property = lowest;
	blocks->n_properties = lowest == UDD_NO_PROPERTY ? 0 : highest - lowest + 1;
}

/* A block begins at the root, where an edge of a decision ends, and where several edges meet. */
static void
blocks_find_blocks(struct blocks *blocks)
{
	const struct udd_diagram *diagram = blocks->g;
	/* per node, the edges into it seen so far: 0, 1, or 2 for several or for a decision's edge */
	unsigned char *begins = mem_new_array(blocks->to - blocks->from, 1);
	size_t cap = 0;

	begins[0] = 2;
	for (uint32_t n = blocks->from; n < blocks->to; n++)
		for (uint32_t i = 0; i < diagram->node[n].n_edges; i++) {
			unsigned char *seen = &begins[diagram->edge[diagram->node[n].first_edge + i].to - blocks->from];

			*seen = *seen || diagram->node[n].kind == UDD_DECISION ? 2 : 1;
		}
	blocks->of = mem_new_array(blocks->to - blocks->from, sizeof *blocks->of);
	for (uint32_t n = blocks->from; n < blocks->to; n++) {
		struct block new = {n, n};

		blocks->of[n - blocks->from] = BLOCK_NONE;
		if (begins[n - blocks->from] != 2)
			continue;
		while (diagram->node[new.last].kind != UDD_DECISION && diagram->node[new.last].n_edges == 1) {
			uint32_t to = diagram->edge[diagram->node[new.last].first_edge].to;

			if (begins[to - blocks->from] == 2)
				break;
			new.last = to;
		}
		blocks->of[n - blocks->from] = (uint32_t)blocks->n;
		mem_grow(&blocks->block, &cap, blocks->n + 1, sizeof *blocks->block);
		blocks->block[blocks->n++] = new;
	}
	free(begins);
}

/* Walks the blocks backwards. A property is live in a block if a successor's set has it, or if the block's own switch
 * reads it. */
static void
find_live(struct blocks *blocks)
{
	const struct udd_diagram *diagram = blocks->g;

	blocks->live = mem_new_array(blocks->n * blocks->words, sizeof *blocks->live);
	for (size_t k = blocks->n; k-- > 0;) {
		const struct udd_node *last = &diagram->node[blocks->block[k].last];
		uint64_t *live = blocks->live + k * blocks->words;

		for (uint32_t i = 0; i < last->n_edges; i++) {
			const uint64_t *next = blocks->live +
				blocks->of[diagram->edge[last->first_edge + i].to - blocks->from] * blocks->words;

			for (size_t w = 0; w < blocks->words; w++)
				live[w] |= next[w];
		}
		if (last->kind == UDD_DECISION && last->property != UDD_NO_PROPERTY) {
			uint32_t p = last->property - blocks->first_property;

			live[p / 64] |= UINT64_C(1) << (p % 64);
		}
	}
}

static void
find_last_uses(struct blocks *b)
{
	b->last_use = mem_new_array(b->n_properties, sizeof *b->last_use);
	for (uint32_t n = b->from; n < b->to; n++)
		if (b->g->node[n].kind == UDD_DECISION && b->g->node[n].property != UDD_NO_PROPERTY)
			b->last_use[b->g->node[n].property - b->first_property] = n;
}

void
blocks_init(struct blocks *b, const struct udd_diagram *g, size_t root)
{
	*b = (struct blocks){.g = g, .from = g->root_node[root]};
	b->to = root + 1 < g->n_roots ? g->root_node[root + 1] : (uint32_t)g->n_nodes;
	find_properties(b);
	blocks_find_blocks(b);
	b->words = (b->n_properties + 63) / 64;
	if (b->words && b->n > LIVE_BYTES_MAX / sizeof *b->live / b->words)
		find_last_uses(b);
	else
		find_live(b);
}

void
blocks_free(struct blocks *b)
{
	free(b->block);
	free(b->of);
	free(b->live);
	free(b->last_use);
	*b = (struct blocks){0};
}

bool
blocks_live(const struct blocks *b, size_t block, uint32_t property)
{
	uint32_t p = property - b->first_property;

	if (b->last_use)
		return b->block[block].first <= b->last_use[p];
	return b->live[block * b->words + p / 64] >> (p % 64) & 1;
}
