/* The parts of items in a .machine file: numbers with units, ways, sizes. machine.c puts them together. */
#ifndef SIM_MACHINE_READ_H
#define SIM_MACHINE_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/machine.h"
#include "text/item.h"

enum sim_item {
	SIM_ITEM_MACHINE, SIM_ITEM_CLOCK, SIM_ITEM_WIDTH, SIM_ITEM_ROB, SIM_ITEM_LOAD_QUEUE, SIM_ITEM_STORE_QUEUE,
	SIM_ITEM_BRANCH_PENALTY, SIM_ITEM_DTLB_4K, SIM_ITEM_DTLB_2M, SIM_ITEM_DTLB_1G, /* as in enum sim_page */
	SIM_ITEM_STLB, SIM_ITEM_PDE, SIM_ITEM_PDPTE, SIM_ITEM_PML4E, SIM_ITEM_WALKERS, SIM_ITEM_MSHRS,
	SIM_ITEM_WALK_START, SIM_ITEM_PREFETCH, SIM_ITEM_L1, SIM_ITEM_L2, SIM_ITEM_L3, SIM_ITEM_MEMORY,
	SIM_ITEM_FILL_BUFFERS, SIM_ITEM_COUNTERS, SIM_ITEM_FIXED, SIM_ITEM_TIMER, SIM_ITEM_FAULT, SIM_ITEM_MAY,
	SIM_ITEM_HAS,
	SIM_ITEM_FETCH, SIM_ITEM_FETCH_BRANCHES, SIM_ITEM_FETCH_TAKEN, SIM_ITEM_FRONT_END, SIM_ITEM_FETCH_BUFFER,
	SIM_ITEM_REDIRECT, SIM_ITEM_ISSUE, SIM_ITEM_COMMIT, SIM_ITEM_WINDOW, SIM_ITEM_SCHEDULER,
	SIM_ITEM_INT_REGISTERS, SIM_ITEM_FP_REGISTERS, SIM_ITEM_BRANCHES, SIM_ITEM_FORWARD, SIM_ITEM_DISAMBIGUATION,
	SIM_ITEM_L1I, SIM_ITEM_ITLB, SIM_ITEM_PREDICTOR, SIM_ITEM_BTB, SIM_ITEM_INDIRECT, SIM_ITEM_RETURNS,
	SIM_ITEM_STRIDE, SIM_ITEM_LOOKUP, SIM_ITEM_REPLACEMENT, SIM_ITEM_STACKS, SIM_ITEM_STORE_SETS,
	SIM_ITEM_ROB_PACK, SIM_ITEM_BANKS,
	SIM_ITEM_WRITE_BACK, SIM_ITEM_FP_DISPATCH, SIM_N_ITEMS
};

struct sim_reader {
	struct item_reader r;
	struct sim_machine *m;
	uint32_t at[SIM_N_ITEMS], len[SIM_N_ITEMS]; /* where each item stands; len 0: not read yet */
	enum sim_item item;            /* whose first number comes next; SIM_N_ITEMS: of none */
	bool replaces, ports_replaced; /* items replace those that were read before; the ports were */
};

extern const char *const sim_page_word[SIM_PAGES]; /* 4k, 2m, 1g */

/* All functions except sim_read_page() return false after a diagnostic. */
bool sim_read_first(struct sim_reader *, enum sim_item, const struct place *); /* false when the item was read before */
/* The same for the current word, which is consumed. */
bool sim_read_once(struct sim_reader *, enum sim_item);
/* Reads a whole number and its place, then its unit if it has one. `what` is for the message. */
bool sim_read_number(struct sim_reader *, const char *what, const char *unit, unsigned least, unsigned most,
	unsigned *out, struct place *at);
bool sim_read_comma(struct sim_reader *, const char *after);
bool sim_read_ways(struct sim_reader *, const char *whose, struct sim_ways *out);            /* 64 entries, 4 ways */
/* l1 32 KiB, 8 ways, 4 cycles; or l1 32 KiB, 8 ways, 4 cycles, 64 bytes; */
bool sim_read_cache(struct sim_reader *, enum sim_item, const char *name, struct sim_cache *out);
bool sim_read_clock(struct sim_reader *);                                                    /* clock 3.4 GHz; */
bool sim_read_lines(struct sim_reader *, const char *word, int step, unsigned line[2]);      /* up 51 52 */

/* Items of a pipeline (machine_pipe.c). The first returns false if the current word begins none of them; then *good
 * says whether the item was read without an error. The second checks that the items fit together. */
bool sim_read_pipe_item(struct sim_reader *, bool *good);
void sim_check_pipe(struct sim_reader *);
void sim_machine_forget_stacks(struct sim_machine *);
#define SIM_PIPE_WORDS_MAX 40
/* Writes the words of these items, at most SIM_PIPE_WORDS_MAX, and returns their number. */
size_t sim_pipe_item_words(const char **out);

/* Reads 4k, 2m or 1g if it is the next word. */
bool sim_read_page(struct sim_reader *, enum sim_page *out);

#endif
