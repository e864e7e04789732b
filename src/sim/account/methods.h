/* The methods as account.c calls them. Each has its global counters, and sees the events that it needs; account.h has
 * their rules. */
#ifndef SIM_ACCOUNT_METHODS_H
#define SIM_ACCOUNT_METHODS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/account/account.h"

/* The table of branches in flight, which both miss event tables (fmt.c, sfmt.c) are built on. A row has
 *
 *     ROB id │ mispredict bit │ branch penalty counter
 *
 * and the FMT adds counters of fetch misses to it. Three pointers run around the table:
 *
 *        dispatch head          dispatch tail            fetch pointer
 *              ▼                      ▼                        ▼
 *     ───┬───────────┬─────────┬─────────────┬───────────┬───────────┬───
 *        │ oldest in │         │ youngest in │  fetched  │ open row  │
 *     ───┴───────────┴─────────┴─────────────┴───────────┴───────────┴───
 *         └──── in the reorder buffer ──────┘ └─ not yet ┘
 *
 *   fetch      the branch takes the open row; the fetch pointer advances, and the row there is zeroed and now open
 *   dispatch   the tail advances to the branch, whose ROB id is written
 *   mispredict the row with this ROB id gets its bit; the tail goes to it, and the fetch pointer to the row after it,
 *              which is zeroed. So all rows of the wrong path are gone, the open one among them
 *   commit     the head advances
 *
 * The branch penalty is the time from a mispredicted branch's dispatch to the dispatch of the first µop of the right
 * path: its resolution, and the refilling of the front end. It is unknown at dispatch which branch is mispredicted, so
 * all rows between head and tail count each cycle, unless the reorder buffer is full (section 4.1.1 of the source).
 *
 * The source lets a row count until its branch commits, and the global counter from then until new µops are dispatched.
 * A branch that waits long between its resolution and its commit would count cycles in which the right path is being
 * executed, twice if the next branch is mispredicted, too. Here a row stops when the first µop of the right path is
 * dispatched; if its branch has committed by then, the global counter has taken over. A cycle after the resolution in
 * which the fetch stage waits for a miss belongs to the miss. So no cycle counts twice.
 *
 * Hardware increments the counters of all rows. Here a single running counter is incremented, and each row keeps its
 * value at dispatch. Pointers are numbers of branches, which only rise, so that they can be compared. A row is such a
 * number modulo the table's size. */

struct sim_branch_row {
	uint64_t since;    /* running counter at dispatch */
	uint16_t penalty;  /* the branch penalty counter, once mispredicted */
	bool mispredicted;
};

struct sim_branches {
	struct sim_branch_row *row;
	uint64_t *of_entry;   /* number of the branch that last entered each entry of the reorder buffer */
	uint64_t mask;        /* rows are numbers of branches & mask */
	uint64_t head, tail;  /* oldest branch, and one past the youngest branch, in the reorder buffer */
	uint64_t fetch;       /* the open row */
	uint64_t running;     /* cycles in which the reorder buffer was not full */
	unsigned rows, rob;
	bool refill;          /* branch tail - 1 was mispredicted, and no µop was dispatched since */
};

void sim_branches_init(struct sim_branches *, unsigned rows, unsigned rob);
void sim_branches_free(struct sim_branches *);

/* See account.h for the rules. A call that breaks them ends in panic(). */
void sim_branches_fetch(struct sim_branches *);
void sim_branches_dispatch(struct sim_branches *, unsigned rob_id);
void sim_branches_mispredict(struct sim_branches *, unsigned rob_id);
/* Drops all rows but those of the oldest `n` branches. */
void sim_branches_squash(struct sim_branches *, unsigned n);
/* The oldest branch commits. Returns the cycles that it adds to the global branch counter, 0 if it was predicted. */
unsigned sim_branches_commit(struct sim_branches *, bool mispredicted);
/* Counts a cycle. After a commit, adds to *global the cycles that no row counts any more. */
void sim_branches_cycle(struct sim_branches *, const struct sim_signals *, uint64_t *global);

/* Return the storage of a row without counters of fetch misses, and of the pointers into a table of `rows` rows. */
unsigned sim_branches_row_bits(const struct sim_branches *);
unsigned sim_branches_pointer_bits(unsigned rows);

/* Increments a local counter by a number of cycles. */
static inline void
sim_local_add(uint16_t *counter, uint64_t cycles)
{
	_Static_assert(SIM_LOCAL_BITS == 8 * sizeof *counter, "a local counter has its bits");
	*counter = cycles > (uint64_t)(UINT16_MAX - *counter) ? UINT16_MAX : (uint16_t)(*counter + cycles);
}

/* Fetch misses: SIM_PART_L1I … SIM_PART_ITLB. */
#define SIM_FETCH_PARTS (SIM_PART_ITLB - SIM_PART_L1I + 1)

/* fmt.c */
struct sim_fmt {
	struct sim_branches branches;
	uint16_t (*miss)[SIM_FETCH_PARTS]; /* counters of fetch misses, for each row */
	uint64_t counts[SIM_N_PARTS];
};

void sim_fmt_init(struct sim_fmt *, unsigned rows, unsigned rob);
void sim_fmt_free(struct sim_fmt *);
void sim_fmt_fetch(struct sim_fmt *);
void sim_fmt_mispredict(struct sim_fmt *, unsigned rob_id);
void sim_fmt_squash(struct sim_fmt *, unsigned branches);
void sim_fmt_commit(struct sim_fmt *, bool mispredicted); /* a branch commits */
void sim_fmt_cycle(struct sim_fmt *, const struct sim_signals *);
uint64_t sim_fmt_bits(const struct sim_fmt *);

/* sfmt.c */
struct sim_sfmt {
	struct sim_branches branches;
	uint16_t miss[SIM_FETCH_PARTS];
	uint64_t in_rob; /* µops in the reorder buffer */
	uint64_t clear;  /* the oldest µops among them, whose miss bits were cleared */
	uint64_t counts[SIM_N_PARTS];
};

void sim_sfmt_init(struct sim_sfmt *, unsigned rows, unsigned rob);
void sim_sfmt_free(struct sim_sfmt *);
void sim_sfmt_mispredict(struct sim_sfmt *, unsigned rob_id, unsigned left);
void sim_sfmt_squash(struct sim_sfmt *, unsigned left, unsigned branches);
void sim_sfmt_commit(struct sim_sfmt *, bool branch, bool mispredicted, unsigned missed);
void sim_sfmt_cycle(struct sim_sfmt *, const struct sim_signals *);
uint64_t sim_sfmt_bits(const struct sim_sfmt *);

/* power5.c */
struct sim_power5 {
	bool flushed; /* a branch was mispredicted, and no µop was dispatched since */
	uint64_t counts[SIM_N_PARTS];
};

void sim_power5_flush(struct sim_power5 *, bool branch);
void sim_power5_cycle(struct sim_power5 *, const struct sim_signals *);
uint64_t sim_power5_bits(void);

/* tea.c */
struct sim_tea {
	bool flushed;       /* a branch was mispredicted, and no µop was dispatched since */
	uint8_t stalled_on; /* last thing that the oldest µop waited for; SIM_PART_BASE: nothing yet */
	enum sim_part charged; /* part charged with the last cycle; for instructions.h, no storage of the method */
	uint64_t counts[SIM_N_PARTS];
};

void sim_tea_flush(struct sim_tea *, bool branch);
void sim_tea_cycle(struct sim_tea *, const struct sim_signals *);
uint64_t sim_tea_bits(void);

/* The back end's part of both tables (sections 4.2 and 4.3 of the source). While the reorder buffer is full, a cycle is
 * charged to what the oldest µop waits for. So overlapping misses cost as much as one, and a short miss costs nothing
 * unless it blocks a full reorder buffer. These cycles never count for the front end. */
static inline void
sim_count_back_end(uint64_t counts[static SIM_N_PARTS], const struct sim_signals *s)
{
	if (s->rob_full && s->head_waits != SIM_PART_BASE)
		counts[s->head_waits] += s->cycles;
}

#endif
