#include "collect/native/workbench.h"

#include <stdlib.h>

#include "base/mem.h"
#include "core/probe/probe.h"

/* With huge pages all lines are in 16 of them, in places of 2 KiB: no prefetcher sees two lines near each other. With
 * small pages all are in 256 pages, so that each core since Nehalem finds the translations in its second level. */
#define PLACES ((size_t)16384)
#define PLACE_HUGE ((size_t)2048)
#define PLACE_SMALL ((size_t)64)
#define RATE_TURNS 256   /* instructions of one kind */
#define RATE_TIMES 200
#define RATE_ROUNDS 100  /* several thousand cycles: a tick of some clocks is 36 */
#define FUSED 1.6        /* nops for each copy in the same time, from which nops must be fused */

/* Every word of memory is the address of near memory (encode.h). */
static void
workbench_fill(const struct native_map *m)
{
	void **word = m->at;

	for (size_t i = 0; i < m->size / sizeof *word; i++)
		word[i] = m->at;
}

/* Draws the lines of all chains, and the fresh ones, from the same places. */
static void
share_lines(struct native_bench *bench)
{
	unsigned char *first = (unsigned char *)bench->data.at + NATIVE_NEAR;
	struct native_chain all = {0};
	size_t chained = (PLACES - NATIVE_FRESH) / NATIVE_FAR;

	native_chain_make(&all, first, PLACES, bench->data.huge ? PLACE_HUGE : PLACE_SMALL, true, false, 1);
	for (unsigned c = 0; c < NATIVE_FAR; c++) {
		bench->far[c].n = chained;
		bench->far[c].line = mem_copy(all.line + c * chained, chained * sizeof *all.line);
		native_chain_link(&bench->far[c]);
	}
	bench->fresh.n = NATIVE_FRESH;
	bench->fresh.line = mem_copy(all.line + NATIVE_FAR * chained, NATIVE_FRESH * sizeof *all.line);
	for (size_t i = 0; i < NATIVE_FRESH; i++)
		*(void **)bench->fresh.line[i] = bench->data.at;
	native_chain_free(&all);
}

/* Code that runs so many equal instructions. */
static bool
map_rate(struct native_map *map, enum probe_op op, struct err *e)
{
	struct probe_insn insn[RATE_TURNS];
	struct probe_code code = {.insn = insn, .n = RATE_TURNS};
	struct native_style style = {.unroll = 1};
	struct native_lines lines;
	struct native_text text = {0};
	bool good;

	*map = (struct native_map){0};
	for (int i = 0; i < RATE_TURNS; i++)
		insn[i] = (struct probe_insn){.op = op};
	good = native_encode(&text, &code, &style, &lines, e) && native_map_code(map, text.byte, text.n, e);
	free(text.byte);
	return good;
}

static double
cycles_of(struct native_bench *b, const struct native_map *m, struct native_frame *frame)
{
	return native_time_of(&b->timer, native_map_function(m, 0), frame, 1, RATE_ROUNDS).cycles;
}

/* Zen 4 makes one operation of a nop and its neighbour, so a nop takes no entry of its own in the reorder buffer.
 * Copies of registers do there, and need nothing else. Cores that fuse no nops can run hardly more nops than copies.
 * Another thread of the core may halve the rate for a while: each comparison is of two times that follow each other,
 * and most of them decide. */
static bool
look_for_fused_nops(struct native_bench *bench, struct err *e)
{
	struct native_map nops = {0}, moves = {0};
	struct native_frame frame = {.near = bench->data.at};
	bool good = map_rate(&nops, PROBE_NOP, e) && map_rate(&moves, PROBE_MOVE, e);
	int fused = 0;

	for (int i = 0; i < RATE_TIMES && good; i++)
		fused += cycles_of(bench, &moves, &frame) > FUSED * cycles_of(bench, &nops, &frame);
	bench->moves_as_nops = fused > RATE_TIMES / 2;
	native_unmap(&nops);
	native_unmap(&moves);
	return good;
}

bool
native_bench_open(struct native_bench *b, struct err *e)
{
	*b = (struct native_bench){0};
	if (!native_timer_open(&b->timer, e) ||
		!native_map_data(&b->data, NATIVE_NEAR + PLACES * PLACE_HUGE, NATIVE_HUGE, e))
		return false;
	workbench_fill(&b->data);
	share_lines(b);
	return look_for_fused_nops(b, e);
}

void
native_bench_close(struct native_bench *b)
{
	native_timer_close(&b->timer);
	native_unmap(&b->data);
	for (unsigned c = 0; c < NATIVE_FAR; c++)
		native_chain_free(&b->far[c]);
	native_chain_free(&b->fresh);
}

void
native_bench_lay(struct native_bench *bench, const struct native_lines *lines, struct native_frame *frame)
{
	for (unsigned c = 0; c < NATIVE_FAR; c++) {
		native_chain_flush(&bench->far[c], bench->at[c], lines->far[c]);
		frame->far[c] = bench->far[c].line[bench->at[c]];
		bench->at[c] = (bench->at[c] + lines->far[c]) % bench->far[c].n;
	}
	if (bench->fresh_at + lines->fresh > bench->fresh.n)
		bench->fresh_at = 0;
	native_chain_flush(&bench->fresh, bench->fresh_at, lines->fresh);
	frame->fresh = (const void *const *)bench->fresh.line + bench->fresh_at;
	bench->fresh_at += lines->fresh;
	frame->near = bench->data.at;
	frame->one = 1;
}
