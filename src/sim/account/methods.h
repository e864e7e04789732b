/* The methods as account.c calls them. Each has its global counters, and sees the events that it needs; account.h has
 * their rules. */
#ifndef SIM_ACCOUNT_METHODS_H
#define SIM_ACCOUNT_METHODS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/account/account.h"
#include "sim/account/branches.h"

/* Fetch misses: SIM_PART_L1I … SIM_PART_ITLB. */
#define SIM_FETCH_PARTS (SIM_PART_ITLB - SIM_PART_L1I + 1)

/* fmt.c */
struct sim_fmt {
	struct sim_branches branches;
	uint16_t (*miss)[SIM_FETCH_PARTS]; /* of each row */
	uint64_t counts[SIM_N_PARTS];
};

void sim_fmt_init(struct sim_fmt *, unsigned rows, unsigned rob);
void sim_fmt_free(struct sim_fmt *);
void sim_fmt_fetch(struct sim_fmt *);
void sim_fmt_mispredict(struct sim_fmt *, unsigned rob_id);
void sim_fmt_squash(struct sim_fmt *, unsigned branches);
void sim_fmt_commit(struct sim_fmt *, bool mispredicted); /* of a branch */
void sim_fmt_cycle(struct sim_fmt *, const struct sim_signals *);
uint64_t sim_fmt_bits(const struct sim_fmt *);

/* sfmt.c */
struct sim_sfmt {
	struct sim_branches branches;
	uint16_t miss[SIM_FETCH_PARTS];
	uint64_t in_rob; /* µops in the reorder buffer */
	uint64_t clear;  /* the oldest of them, whose miss bits were cleared */
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
	bool flushed;       /* the same */
	uint8_t stalled_on; /* last thing that the oldest µop waited for; SIM_PART_BASE: nothing yet */
	enum sim_part charged; /* what the last cycle was charged to, for instructions.h: no storage of the method */
	uint64_t counts[SIM_N_PARTS];
};

void sim_tea_flush(struct sim_tea *, bool branch);
void sim_tea_cycle(struct sim_tea *, const struct sim_signals *);
uint64_t sim_tea_bits(void);

/* The back end's part of both tables (sections 4.2 and 4.3 of the source): while the reorder buffer is full, a cycle is
 * that of what the oldest µop waits for. This makes overlapping misses cost one, and a short miss nothing unless it
 * blocks a full reorder buffer. These cycles never count for the front end. */
static inline void
sim_count_back_end(uint64_t counts[static SIM_N_PARTS], const struct sim_signals *s)
{
	if (s->rob_full && s->head_waits != SIM_PART_BASE)
		counts[s->head_waits] += s->cycles;
}

#endif
