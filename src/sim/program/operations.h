/* Writes straight-line code: arithmetic, loads and stores in the shares that the parameters ask for, with the
 * dependences between them.
 *
 * Logical registers have fixed purposes, so that a dependence means what the parameters say:
 *
 *   0       stack pointer, never written        16 to 63   results of integer operations and loads, in turn
 *   1 to 3  bases of data, never written        64 to 111  results of floating-point operations and loads, in turn
 *   4       the chain of `serial`, integers     112        the chain of `serial`, floating-point
 *   8 to 15 current node of each list
 *
 * Because results take registers in turn, the register d before the next one holds the result d operations ago. */
#ifndef SIM_PROGRAM_OPERATIONS_H
#define SIM_PROGRAM_OPERATIONS_H

#include "sim/program/code.h"

#define SIM_QUOTA_PARTS 8

/* Draws parts in given proportions, evenly: any stretch of draws has nearly the right number of each. */
struct sim_quota {
	double weight[SIM_QUOTA_PARTS], due[SIM_QUOTA_PARTS];
};
unsigned sim_quota_draw(struct sim_quota *, uint64_t *random);

struct sim_operations {
	struct sim_code *code;
	const struct sim_parameters *set;
	uint64_t random;
	struct sim_quota kind, fp, load, other, serial[2], depends, indexed;
	unsigned next[2];    /* results so far: integers, floating-point */
	unsigned chain, stream, base;
	uint8_t loaded;      /* destination of the last load of an integer, or SIM_NO_REGISTER */
};

void sim_operations_init(
	struct sim_operations *, struct sim_code *, const struct sim_parameters *, uint64_t seed);
/* Appends n operations other than branches, or n + 1 if the last is a gather. */
void sim_operations_write(struct sim_operations *, unsigned n);
/* Returns the register of the integer result `back` results before the last one; `back` is below 40. */
uint8_t sim_operations_result(const struct sim_operations *, unsigned back);

/* Returns a number from 0 to below 1. */
double sim_operations_random(uint64_t *random);

#endif
