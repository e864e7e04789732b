/* The time-proportional account (tea.c) of each instruction: the parts that were charged with the cycles in which the
 * instruction was next to commit.
 *
 * TEA reads an instruction's events when it commits, so each cycle belongs to instructions as well as to parts:
 *
 *   computing  the instructions whose µops commit, in equal shares
 *   stalled    the oldest instruction
 *   drained    the instruction that is dispatched next
 *   flushed    the branch that was mispredicted
 *
 * Shares are counted in units of a cycle, so that all sums are exact: summed over the instructions, each part is what
 * tea.c counts.
 *
 * Source: Gottschall, Eeckhout, Jahre: TEA: Time-Proportional Event Analysis, ISCA 2023. */
#ifndef SIM_ACCOUNT_INSTRUCTIONS_H
#define SIM_ACCOUNT_INSTRUCTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "sim/account/account.h"
#include "sim/op.h"

#define SIM_CYCLE_UNITS 720720u /* units of a cycle; a multiple of 1 to 16 */

struct sim_instruction {
	struct sim_op op;     /* its µop that was charged first, with the instruction's pc */
	uint64_t uops;        /* its µops that committed */
	uint64_t units[SIM_N_PARTS];
};

struct sim_instructions;

struct sim_instructions *sim_instructions_new(void);
void sim_instructions_free(struct sim_instructions *);

/* Charges a part of one instruction with units. */
void sim_instructions_charge(struct sim_instructions *, const struct sim_op *, enum sim_part, uint64_t units);
/* n µops (above 0) commit in a cycle, the oldest first. They share the cycle, and the oldest takes the remainder. */
void sim_instructions_commit(struct sim_instructions *, const struct sim_op *, size_t n);

/* Returns all instructions that were charged, in the order in which they were charged first, and their number in *n. */
const struct sim_instruction *sim_instructions_all(const struct sim_instructions *, size_t *n);

#endif
