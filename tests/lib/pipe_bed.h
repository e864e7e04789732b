/* A test bed for a simulated pipeline: a machine whose times are easy to work out, µops one by one, and their counts.
 *
 * Without misses a µop that is fetched in cycle 1 is dispatched in 6, begins in 7, and commits in 7 + its latency. */
#ifndef TESTS_LIB_PIPE_BED_H
#define TESTS_LIB_PIPE_BED_H

#include <stddef.h>
#include <stdint.h>

#include "sim/pipeline/pipe.h"

/* Bits of perfect structures. BED_PERFECT: all of them. */
#define PERFECT(part) ((sim_perfect)1 << SIM_PART_##part)
#define BED_PERFECT \
	(PERFECT(BRANCH) | PERFECT(L1I) | PERFECT(L2I) | PERFECT(L3I) | PERFECT(ITLB) | PERFECT(L1D) | PERFECT(L2D) | \
		PERFECT(L3D) | PERFECT(DTLB))
#define PLANT(p) ((sim_plants)1 << SIM_PLANT_##p)

#define BED_CODE ((uint64_t)0x400000) /* address of the first instruction; each has 4 bytes */
#define BED_NONE SIM_NO_REGISTER
#define BED_FP ((uint8_t)SIM_FIRST_FP)

struct pipe_bed {
	struct sim_machine *machine;
	sim_perfect perfect; /* at first BED_PERFECT */
	sim_plants plants;   /* at first those that the machine has */
	struct sim_op *op;   /* the µops so far */
	size_t n, cap;
	uint64_t pc;         /* of the next one */
	uint64_t count[SIM_N_COUNTS]; /* of the last run */
};

/* The machine of the bed with changes as by --set ("rob 8; width 2"); NULL or "": none. A failed check and the
 * unchanged machine if they are wrong. */
void pipe_bed_init(struct pipe_bed *, const char *changes);
/* The same with the installed machine `core`. */
void pipe_bed_init_core(struct pipe_bed *, const char *changes);
void pipe_bed_free(struct pipe_bed *);

/* Append a µop, which is an instruction, and return it for changes until the next one. */
struct sim_op *bed_op(struct pipe_bed *, enum sim_op_kind, uint8_t dst, uint8_t src);
void bed_ops(struct pipe_bed *, size_t n, enum sim_op_kind); /* independent ones, without registers */
struct sim_op *bed_read(struct pipe_bed *, uint64_t at, uint8_t dst, uint8_t src);
struct sim_op *bed_write(struct pipe_bed *, uint64_t at, uint8_t address, uint8_t data);
/* A branch; if it is taken, the next instruction is at `to`. */
struct sim_op *bed_branch(struct pipe_bed *, enum sim_branch, bool taken, uint64_t to, uint8_t src);

/* Runs all µops on an empty core until the last commits; returns the cycles. */
uint64_t pipe_bed_run(struct pipe_bed *);
/* The same with other perfect structures, only this time. */
uint64_t pipe_bed_run_with(struct pipe_bed *, sim_perfect);

#endif
