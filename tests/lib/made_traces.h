/* Traces that are made for tests, byte by byte, and what readers make of them. */
#ifndef TESTS_LIB_MADE_TRACES_H
#define TESTS_LIB_MADE_TRACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "sim/trace/op_trace.h"

struct str;

#define MADE_GUESS ((int)SIM_N_TRACE_FORMATS) /* the format is guessed */

struct made_result {
	struct sim_op *op;
	size_t n;
	struct err e; /* empty: the trace ended */
	struct sim_trace_facts facts;
};

/* Reads a trace with buffers for `at_once` µops, and checks what holds for all µops, ends and errors. The caller frees
 * `op` of the result. */
struct made_result made_read_fd(int fd, int format, size_t at_once);
struct made_result made_read(const struct str *bytes, int format, size_t at_once);

/* Members are compared one by one: bytes between them have any value. */
bool made_same_op(const struct sim_op *, const struct sim_op *);
bool made_same(const struct made_result *, const struct made_result *);

/* A descriptor from which the bytes can be read. */
int made_file(const void *bytes, size_t n);

struct made_champ {
	uint64_t ip;
	uint8_t branch, taken, dst[2], src[4];
	uint64_t store[2], load[4];
};

void made_add_champs(struct str *, const struct made_champ *, size_t n);

/* Adds records of CBP. Registers are a string of their numbers + 1: "\2" is x1, "\41" (octal, 33) v0, "\101" the flags,
 * "\102" the zero register. Each has a value, vectors two. */
void made_add_load(struct str *, uint64_t pc, uint64_t at, unsigned size, unsigned update, const char *in,
	const char *out, const uint64_t *values);
void made_add_store(struct str *, uint64_t pc, uint64_t at, unsigned size, unsigned update, unsigned offset,
	const char *in, const char *out, const uint64_t *values);
void made_add_branch(struct str *, uint64_t pc, unsigned class, unsigned taken, uint64_t target, const char *in,
	const char *out);

/* Adds a trace that has all kinds of records; 17 of ChampSim, 21 of CBP, which are 30 µops. */
void made_trace(struct str *, enum sim_trace_format);

#endif
