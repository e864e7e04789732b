/* The parts of items in a .machine file: numbers with units, ways, sizes. machine.c puts them together. */
#ifndef COLLECT_SIM_MACHINE_READ_H
#define COLLECT_SIM_MACHINE_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/sim/machine.h"
#include "core/lang/item.h"

enum sim_item {
	ITEM_MACHINE, ITEM_CLOCK, ITEM_WIDTH, ITEM_ROB, ITEM_LOAD_QUEUE, ITEM_STORE_QUEUE, ITEM_BRANCH_PENALTY,
	ITEM_DTLB_4K, ITEM_DTLB_2M, ITEM_DTLB_1G, /* in the order of enum sim_page */
	ITEM_STLB, ITEM_PDE, ITEM_PDPTE, ITEM_PML4E, ITEM_WALKERS, ITEM_MSHRS, ITEM_WALK_START, ITEM_PREFETCH,
	ITEM_L1, ITEM_L2, ITEM_L3, ITEM_MEMORY, ITEM_FILL_BUFFERS,
	ITEM_COUNTERS, ITEM_FIXED, ITEM_TIMER, ITEM_FAULT, ITEM_MAY, ITEM_HAS, N_ITEMS
};

struct sim_reader {
	struct item_reader r;
	struct sim_machine *m;
	uint32_t at[N_ITEMS], len[N_ITEMS]; /* where each item stands; len 0: not read yet */
};

extern const char *const sim_page_word[SIM_PAGES]; /* 4k, 2m, 1g */

/* All functions except sim_read_page() return false after a diagnostic. */
bool sim_read_first(struct sim_reader *, enum sim_item, const struct place *); /* fails when the item was read before */
/* the same for the current word, which is consumed */
bool sim_read_once(struct sim_reader *, enum sim_item);
/* Reads a whole number and its place, then its unit if it has one. `what` is for the message. */
bool sim_read_number(struct sim_reader *, const char *what, const char *unit, unsigned least, unsigned most,
	unsigned *out, struct place *at);
bool sim_read_comma(struct sim_reader *, const char *after);
bool sim_read_ways(struct sim_reader *, const char *whose, struct sim_ways *out);            /* 64 entries, 4 ways */
/* l1 32 KiB, 8 ways, 4 cycles; */
bool sim_read_cache(struct sim_reader *, enum sim_item, struct sim_cache *out);
bool sim_read_clock(struct sim_reader *);                                                    /* clock 3.4 GHz; */
bool sim_read_lines(struct sim_reader *, const char *word, int step, unsigned line[2]);      /* up 51 52 */

/* Reads 4k, 2m or 1g if it is the next word. */
bool sim_read_page(struct sim_reader *, enum sim_page *out);

#endif
