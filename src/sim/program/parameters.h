/* Parameters of synthetic programs: their names, ranges, and how texts give them. */
#ifndef SIM_PROGRAM_PARAMETERS_H
#define SIM_PROGRAM_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/notation.h"

struct err;
struct str;

#define SIM_PROGRAM_REACH ((int64_t)1 << 44) /* the largest region of data: several fit into 48 bits of address */
#define SIM_CHAINS_MAX 8
#define SIM_STREAMS_MAX 16

/* X(id, name, form, least, most, default, text). Shares without a further word are of all executed µops. Shares of
 * branches are of those in the code: loops execute some more often than others. */
#define SIM_PROGRAM_PARAMETERS(X) \
	X(CODE, "code", NOTATION_BYTES, 1024, 4 << 20, 64 << 10, "bytes of code") \
	X(FUNCTION, "function", NOTATION_BYTES, 64, 64 << 10, 512, "bytes of a function, on average") \
	X(GROUP, "group", NOTATION_COUNT, 1, 1024, 8, "calls in each loop of the main function") \
	X(REPEATS, "repeats", NOTATION_COUNT, 1, 1000000, 4, "iterations of each loop of the main function") \
	X(SKEW, "skew", NOTATION_SHARE, 0, 2 * SHARE_ONE, 800000, \
		"Zipf's exponent of the functions' popularity, from 0 (all equal) to 2") \
	X(LOOPS, "loops", NOTATION_SHARE, 0, 900000, 100000, "share of branches that close a loop") \
	X(TRIPS, "trips", NOTATION_COUNT, 1, 1000000, 6, "iterations of a loop, on average") \
	X(VARYING, "varying", NOTATION_SHARE, 0, SHARE_ONE, 100000, "share of loops whose iterations vary") \
	X(CALLS, "calls", NOTATION_SHARE, 0, 500000, 80000, "share of branches that call a helper function") \
	X(INDIRECT, "indirect", NOTATION_SHARE, 0, 500000, 0, "share of branches that call or jump by a register") \
	X(TARGETS, "targets", NOTATION_COUNT, 2, 32, 4, "targets of an indirect branch") \
	X(WILD, "wild", NOTATION_SHARE, 0, SHARE_ONE, 200000, \
		"share of indirect branches' executions that go to a random target, not to the usual one") \
	X(BRANCHES, "branches", NOTATION_SHARE, 20000, 400000, 150000, "share of branches") \
	X(LOADS, "loads", NOTATION_SHARE, 0, 900000, 250000, "share of loads") \
	X(STORES, "stores", NOTATION_SHARE, 0, 900000, 100000, "share of stores") \
	X(MUL, "mul", NOTATION_SHARE, 0, 900000, 5000, "share of multiplications of integers") \
	X(DIV, "div", NOTATION_SHARE, 0, 900000, 0, "share of divisions of integers") \
	X(MOVES, "moves", NOTATION_SHARE, 0, 900000, 20000, "share of moves between registers") \
	X(FP, "fp", NOTATION_SHARE, 0, 900000, 0, "share of floating-point operations") \
	X(FMA, "fma", NOTATION_SHARE, 0, SHARE_ONE, 0, "share of fused multiply-adds in floating-point operations") \
	X(FDIV, "fdiv", NOTATION_SHARE, 0, SHARE_ONE, 0, "share of divisions in floating-point operations") \
	X(DISTANCE, "distance", NOTATION_COUNT, 1, 40, 3, "results between an operation and its input, on average") \
	X(SERIAL, "serial", NOTATION_SHARE, 0, SHARE_ONE, 0, "share of arithmetic that forms one chain") \
	X(HARD, "hard", NOTATION_SHARE, 0, SHARE_ONE, 50000, "share of conditional branches with random outcome") \
	X(CHANCE, "chance", NOTATION_SHARE, 0, 500000, 300000, "probability of their rarer outcome") \
	X(DATA, "data", NOTATION_SHARE, 0, SHARE_ONE, 500000, "share of them that wait for the load before") \
	X(PERIODIC, "periodic", NOTATION_SHARE, 0, SHARE_ONE, 20000, \
		"share of conditional branches whose outcomes repeat a short pattern") \
	X(CORRELATED, "correlated", NOTATION_SHARE, 0, SHARE_ONE, 100000, \
		"share of conditional branches that follow an earlier branch") \
	X(SURPRISE, "surprise", NOTATION_SHARE, 0, 500000, 2000, \
		"probability of the rarer outcome of all other conditional branches") \
	X(CHASE, "chase", NOTATION_SHARE, 0, SHARE_ONE, 0, \
		"share of loads that go to the next node of a list through the footprint") \
	X(CHAINS, "chains", NOTATION_COUNT, 1, SIM_CHAINS_MAX, 1, "lists that are followed at the same time") \
	X(FIELDS, "fields", NOTATION_SHARE, 0, SHARE_ONE, 0, \
		"share of loads that read another word of the node of a list") \
	X(GATHER, "gather", NOTATION_SHARE, 0, SHARE_ONE, 0, \
		"share of loads anywhere in the footprint, by an index that is loaded just before") \
	X(STACK, "stack", NOTATION_SHARE, 0, SHARE_ONE, 300000, "share of the other accesses that go to the stack") \
	X(SEQUENTIAL, "sequential", NOTATION_SHARE, 0, SHARE_ONE, 100000, \
		"share of the other accesses that go through arrays") \
	X(STREAMS, "streams", NOTATION_COUNT, 1, SIM_STREAMS_MAX, 4, "arrays at the same time") \
	X(STRIDE, "stride", NOTATION_STEPS, -(1 << 20), 1 << 20, 8, "bytes from an element to the next") \
	X(ARRAY, "array", NOTATION_BYTES, 4096, SIM_PROGRAM_REACH, 64 << 10, "bytes of all arrays") \
	X(TO_WARM, "to_warm", NOTATION_SHARE, 0, SHARE_ONE, 20000, \
		"share of the other accesses that go anywhere in the warm region") \
	X(WARM, "warm", NOTATION_BYTES, 64, SIM_PROGRAM_REACH, 64 << 10, "bytes of the warm region") \
	X(TO_FAR, "to_far", NOTATION_SHARE, 0, SHARE_ONE, 0, \
		"share of the other accesses that go anywhere in the footprint") \
	X(BURST, "burst", NOTATION_COUNT, 1, 1024, 1, "of these, how many come one after the other") \
	X(FOOTPRINT, "footprint", NOTATION_BYTES, 4096, SIM_PROGRAM_REACH, 4 << 20, \
		"bytes of far data and of the lists") \
	X(HOT, "hot", NOTATION_BYTES, 64, SIM_PROGRAM_REACH, 6 << 10, \
		"bytes of the region of all accesses that are left") \
	X(DEPENDS, "depends", NOTATION_SHARE, 0, SHARE_ONE, 50000, \
		"share of the other loads whose address comes from the load before") \
	X(INDEXED, "indexed", NOTATION_SHARE, 0, SHARE_ONE, 300000, \
		"share of accesses to arrays, hot, warm and far data whose address is computed just before") \
	X(PERIOD, "period", NOTATION_COUNT, 512, 6144, 4096, "instructions from an event to the next") \
	X(GAP, "gap", NOTATION_COUNT, 1, 56, 16, "instructions from the first long miss to the second") \
	X(WAYS, "ways", NOTATION_COUNT, 1, 15, 1, "ways of the instruction cache that is to miss")

enum sim_program_parameter {
#define X(id, ...) SIM_P_##id,
	SIM_PROGRAM_PARAMETERS(X)
#undef X
	SIM_N_PROGRAM_PARAMETERS
};

typedef uint64_t sim_parameter_set; /* bit 1 << enum sim_program_parameter */
#define SIM_P_BIT(id) ((sim_parameter_set)1 << SIM_P_##id)
#define SIM_P_LESSONS (SIM_P_BIT(PERIOD) | SIM_P_BIT(GAP) | SIM_P_BIT(WAYS))
#define SIM_P_PROGRAMS ((((sim_parameter_set)1 << SIM_N_PROGRAM_PARAMETERS) - 1) & ~SIM_P_LESSONS)

struct sim_parameters {
	int64_t value[SIM_N_PROGRAM_PARAMETERS];
	sim_parameter_set given; /* parameters in the user's text */
};

const char *sim_parameter_about(enum sim_program_parameter); /* its text, for help */
void sim_parameters_preset(struct sim_parameters *);
/* Parses "code=64K,loads=0.3"; `whose` is for messages. Returns false and sets *e on a name that is not in `may` or
 * comes twice, or a value that is missing or out of range. */
bool sim_parameters_parse(
	struct sim_parameters *, const char *whose, sim_parameter_set may, const char *text, struct err *e);
/* False and *e: shares of the same whole exceed 1 together, or leave no room for arithmetic. */
bool sim_parameters_check(const struct sim_parameters *, const char *whose, struct err *e);
/* Prints the parameters of a set as sim_parameters_parse() reads them. */
void sim_parameters_print(const struct sim_parameters *, sim_parameter_set, struct str *out);

/* Returns a share as a number from 0 to 1. */
static inline double
sim_parameter_share(const struct sim_parameters *p, enum sim_program_parameter which)
{
	return (double)p->value[which] / SHARE_ONE;
}

#endif
