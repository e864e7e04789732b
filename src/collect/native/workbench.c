#include "collect/native/workbench.h"

#include <stdlib.h>

#include "base/mem.h"

/* With huge pages all lines are in 16 of them, in places of 2 KiB: no prefetcher sees two lines near each other. With
 * small pages all are in 256 pages, so that each core since Nehalem finds the translations in its second level. */
#define PLACES ((size_t)16384)
#define PLACE_HUGE ((size_t)2048)
#define PLACE_SMALL ((size_t)64)
#define WORDS (NATIVE_LINE / sizeof(void *))

/* Every word of memory is the address of near memory (encode.h). */
static void
fill(const struct native_map *m)
{
	void **word = m->at;

	for (size_t i = 0; i < m->size / sizeof *word; i++)
		word[i] = m->at;
}

/* Draws the lines of all kinds from the same places: each fourth belongs to a chain, the others are fresh. */
static void
share_lines(struct native_bench *b)
{
	unsigned char *first = (unsigned char *)b->data.at + NATIVE_NEAR;
	struct native_chain all = {0};
	size_t chained = (PLACES - NATIVE_FRESH) / 2;

	native_chain_make(&all, first, PLACES, b->data.huge ? PLACE_HUGE : PLACE_SMALL, true, false, 1);
	for (unsigned c = 0; c < 2; c++) {
		b->far[c].n = chained;
		b->far[c].line = mem_copy(all.line + c * chained, chained * sizeof *all.line);
		native_chain_link(&b->far[c]);
	}
	b->fresh.n = NATIVE_FRESH;
	b->fresh.line = mem_copy(all.line + 2 * chained, NATIVE_FRESH * sizeof *all.line);
	for (size_t i = 0; i < NATIVE_FRESH; i++)
		*(void **)b->fresh.line[i] = b->data.at;
	native_chain_free(&all);
}

bool
native_bench_open(struct native_bench *b, struct err *e)
{
	*b = (struct native_bench){0};
	if (!native_timer_open(&b->timer, e) ||
		!native_map_data(&b->data, NATIVE_NEAR + PLACES * PLACE_HUGE, NATIVE_HUGE, e))
		return false;
	fill(&b->data);
	share_lines(b);
	return true;
}

void
native_bench_close(struct native_bench *b)
{
	native_timer_close(&b->timer);
	native_unmap(&b->data);
	for (unsigned c = 0; c < 2; c++)
		native_chain_free(&b->far[c]);
	native_chain_free(&b->fresh);
}

void
native_bench_lay(struct native_bench *b, const struct native_lines *lines, struct native_frame *frame)
{
	for (unsigned c = 0; c < 2; c++) {
		native_chain_flush(&b->far[c], b->at[c], lines->far[c]);
		frame->far[c] = b->far[c].line[b->at[c]];
		b->at[c] = (b->at[c] + lines->far[c]) % b->far[c].n;
	}
	if (b->fresh_at + lines->fresh > b->fresh.n)
		b->fresh_at = 0;
	native_chain_flush(&b->fresh, b->fresh_at, lines->fresh);
	frame->fresh = (const void *const *)b->fresh.line + b->fresh_at;
	b->fresh_at += lines->fresh;
	frame->near = b->data.at;
	frame->one = 1;
}
