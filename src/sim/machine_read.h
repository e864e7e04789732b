/* Reads the parts of items in a .machine file: numbers with units, ways, sizes. machine.c puts them together. */
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
	SIM_ITEM_WRITE_BACK, SIM_ITEM_FP_DISPATCH, SIM_ITEM_PORTS, SIM_ITEM_LATENCY, SIM_N_ITEMS
};

struct sim_reader;

/* An item: how the text between its word and its ';' is read. */
struct sim_item_row {
	const char *word;
	bool (*read)(struct sim_reader *); /* false after a diagnostic */
	const char *what, *unit; /* the structure or number, for messages; the unit of a number, or NULL */
	size_t field;            /* offset in struct sim_machine */
	unsigned least, most;    /* limits of a number */
	bool needed, many;       /* every machine must have it; it may occur several times */
	const char *end;         /* what the ';' comes after, for messages; NULL: the number */
	const char *without;     /* hint if the first number is 0: "leave 'WORD' out WITHOUT"; NULL: none */
	const char *const *words; /* words of a choice, NULL at the end */
};

struct sim_reader {
	struct item_reader r;
	struct sim_machine *m;
	uint32_t at[SIM_N_ITEMS], len[SIM_N_ITEMS]; /* where each item stands; len 0: not read yet */
	const struct sim_item_row *row; /* the item that is being read */
	struct place word;             /* place of its word */
	bool first;                    /* its first number is still to come */
	bool replaces, ports_replaced; /* items replace those read before; the ports were replaced */
};

extern const char *const sim_page_word[SIM_PAGES]; /* 4k, 2m, 1g */

/* All functions except sim_read_page() return false after a diagnostic. */
/* Notes the place of the item's word. False when the item was read before. */
bool sim_read_first(struct sim_reader *, enum sim_item);
/* Reads a whole number and its place, then its unit if it has one. `what` is for the message. */
bool sim_read_number(struct sim_reader *, const char *what, const char *unit, unsigned least, unsigned most,
	unsigned *out, struct place *at);
bool sim_read_comma(struct sim_reader *, const char *after);
bool sim_read_ways(struct sim_reader *, const char *whose, struct sim_ways *out);            /* 64 entries, 4 ways */
/* Returns the field of struct sim_machine for the item that is being read. */
void *sim_item_field(const struct sim_reader *);
bool sim_read_lines(struct sim_reader *, const char *word, int step, unsigned line[2]);      /* up 51 52 */

/* Each of these reads an item from after its word up to its ';'. */
bool sim_read_cache(struct sim_reader *); /* 32 KiB, 8 ways, 4 cycles[, 64 bytes] */
bool sim_read_clock(struct sim_reader *); /* 3.4 GHz */
bool sim_read_ports(struct sim_reader *);
bool sim_read_latency(struct sim_reader *);
bool sim_read_predictor(struct sim_reader *);
bool sim_read_btb(struct sim_reader *);
bool sim_read_stride(struct sim_reader *);
bool sim_read_lookup(struct sim_reader *);
bool sim_read_stacks(struct sim_reader *);

/* Checks that the items of a pipeline fit together. */
void sim_check_pipe(struct sim_reader *);
void sim_machine_forget_stacks(struct sim_machine *);

/* Reads 4k, 2m or 1g if it is the next word. */
bool sim_read_page(struct sim_reader *, enum sim_page *out);

#endif
