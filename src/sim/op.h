/* The input of a simulated pipeline: µops of the right path in program order, each with all that a pipeline needs to
 * know. Programs (sim/program/) and traces (sim/trace/) make them; sim/pipeline/ runs them.
 *
 * sim/uop.h has the input of the MMU's core, which knows memory accesses only. */
#ifndef SIM_OP_H
#define SIM_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct sim_memory;

/* X(id, name): which units execute it */
#define SIM_OPS(X) \
	X(ALU, "alu") \
	X(MUL, "mul") \
	X(DIV, "div") \
	X(FADD, "fadd") \
	X(FMUL, "fmul") \
	X(FDIV, "fdiv") \
	X(FMA, "fma") \
	X(LOAD, "load") \
	X(STORE, "store") \
	X(BRANCH, "branch") \
	X(MOVE, "move") /* copies a register */ \
	X(NOP, "nop") \
	X(ATOMIC, "atomic") /* a load and a store at once */

enum sim_op_kind {
#define X(id, name) SIM_OP_##id,
	SIM_OPS(X)
#undef X
	SIM_N_OP_KINDS
};

enum sim_branch {
	SIM_NO_BRANCH,
	SIM_CONDITIONAL,
	SIM_JUMP,
	SIM_INDIRECT,
	SIM_CALL,
	SIM_INDIRECT_CALL,
	SIM_RETURN,
	SIM_N_BRANCHES
};

enum sim_op_flag {
	SIM_OP_TAKEN = 1, /* a branch that is taken; branches other than conditional ones always are */
	SIM_OP_LAST = 2,  /* the last µop of its instruction */
};

/* Logical registers. Integer registers come first, then those of floating point and vectors. */
#define SIM_FIRST_FP 64u
#define SIM_REGISTERS 128u
#define SIM_NO_REGISTER 0xffu

struct sim_op {
	uint64_t pc;      /* address of its instruction */
	uint64_t at;      /* address of its data; 0 if it has none. Below 2^48 */
	/* address of the next instruction in program order; the same for all µops of an instruction */
	uint64_t next;
	uint16_t size;    /* bytes of data */
	uint8_t length;   /* bytes of the instruction; never 0 */
	uint8_t kind;     /* enum sim_op_kind */
	uint8_t branch;   /* enum sim_branch; only the last µop of an instruction branches */
	uint8_t flags;    /* set of enum sim_op_flag */
	uint8_t dst;      /* logical register, or SIM_NO_REGISTER */
	uint8_t src[3];   /* for stores src[0], src[1] make the address, src[2] is the data */
};

static inline bool
sim_op_reads(const struct sim_op *o)
{
	return o->kind == SIM_OP_LOAD || o->kind == SIM_OP_ATOMIC;
}

static inline bool
sim_op_writes(const struct sim_op *o)
{
	return o->kind == SIM_OP_STORE || o->kind == SIM_OP_ATOMIC;
}

/* A stream of µops. First member of each program and each trace. */
struct sim_stream {
	/* Writes the next µops, up to n (above 0), and returns their number; 0 at the end. From the first record that
	 * cannot be read on, returns SIZE_MAX and sets *e. The stream does not depend on n. */
	size_t (*fill)(struct sim_stream *, struct sim_op *, size_t n, struct err *e);
	void (*free)(struct sim_stream *);
};

static inline size_t
sim_stream_fill(struct sim_stream *s, struct sim_op *out, size_t n, struct err *e)
{
	return s->fill(s, out, n, e);
}

static inline void
sim_stream_free(struct sim_stream *s)
{
	if (s)
		s->free(s);
}

#endif
