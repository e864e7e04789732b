/* Probes: code that puts rising pressure on one feature of a core, written once and made for each machine.
 *
 * A pass of a probe at pressure x, with `block`:
 *
 *     load that misses (first chain)   prefill   fill, fill, … (x of them)
 *     load that misses (second chain)  prefill   fill, fill, … (x of them)
 *
 * Each chain waits for its own load of the pass before. If all between them fits into the core, the two loads are
 * under way together, and a pass takes the time of one. If it does not, it takes that of two. Without `block` a pass is
 * the fill alone: its time rises with x by the latency of a chain, or by the share of a unit that each one takes.
 *
 * Source: Cliff-BACT, section 4.2 of "Benchmarking for Single Feature Attribution with Microarchitecture Cliffs"; for
 * the two loads: H. Wong, "Measuring Reorder Buffer Capacity" (2013). docs/probes.md has the language. */
#ifndef CORE_PROBE_PROBE_H
#define CORE_PROBE_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct diags;
struct knees;

/* X(id, name): what an instruction of a probe does */
#define PROBE_OPS(X) \
	X(NOP, "nop") \
	X(ADD, "add") \
	X(MUL, "mul") \
	X(MOVE, "move") \
	X(FADD, "fadd") \
	X(FMUL, "fmul") \
	X(FMA, "fma") \
	X(LOAD, "load") \
	X(FLOAD, "fload") /* into a floating-point register */ \
	X(STORE, "store") \
	X(BRANCH, "branch") /* conditional, never taken */ \
	X(JUMP, "jump") /* to the next instruction, or to the next `stride` bytes of code */ \
	X(ATOMIC, "atomic") \
	X(COIN, "coin") /* conditional branch over nothing, by a new random bit in each pass */ \
	X(ECHO, "echo") /* the same, by the bit of the last coin */ \
	X(SITE, "site") /* the same, by a random bit of its own that never changes */

enum probe_op {
#define X(id, name) PROBE_##id,
	PROBE_OPS(X)
#undef X
	PROBE_N_OPS
};
const char *probe_op_name(enum probe_op);

/* What of its curve a probe looks for. */
enum probe_value {
	PROBE_KNEE,  /* the x up to which all fits, plus `counts` */
	PROBE_SLOPE, /* cycles for each x: a latency */
	PROBE_RATE,  /* x in a cycle: a bandwidth */
	PROBE_LEVEL, /* height of a plateau, in cycles */
	PROBE_RATIO, /* of a pair: time of the fill over time of `against`, on the longest plateau */
};

#define PROBE_FILL_MAX 8

/* Instructions that are repeated in turn, x of them. */
struct probe_fill {
	enum probe_op op[PROBE_FILL_MAX];
	unsigned n;
	bool chained;    /* each waits for the result of the one before */
	bool late;       /* addresses of stores wait for the blocking load, and loads read what the store before wrote */
	unsigned stride; /* bytes between accesses; of jumps: bytes of code between them; 0: none */
};

struct probe {
	struct arena *arena;        /* owner of the texts */
	const char *name, *text;    /* text: what it measures */
	enum probe_value value;
	uint64_t first, last, step; /* of x */
	bool block;                 /* between two loads that miss all caches */
	enum probe_op prefill_op;
	unsigned prefill;           /* number of such instructions before the fill */
	struct probe_fill fill;
	struct probe_fill against;  /* of a pair: the curve is the time of the fill over the time of this one; n 0: none */
	bool footprint;             /* x is bytes: one load after another, each of another line */
	bool sequential;            /* lines of the footprint in the order of their addresses; false: in random order */
	unsigned stride;            /* bytes between lines of the footprint */
	unsigned level;             /* PROBE_LEVEL: which plateau, from 1 */
	unsigned counts;            /* what the probe's own instructions take of the feature */
	const char *unit, *parameter, *says; /* parameter: of a .machine file; "": none */
	const char *group;          /* what lists show it under: "window"; "": none */
};

/* Parses a .probe file. Takes `name` (for messages) and `text` over. NULL after diagnostics. Free with probe_free(). */
struct probe *probe_parse(char *name, char *text, size_t n, struct diags *);
void probe_free(struct probe *);

enum probe_place {
	PROBE_NOWHERE,
	PROBE_NEAR,  /* a line that the first level always has, at `offset` */
	PROBE_FAR,   /* the next line of a chain of lines that no cache has */
	PROBE_FRESH, /* a line that no cache has, whose address is known at once */
	PROBE_SAME,  /* the line of the last PROBE_FAR or PROBE_FRESH before it, at `offset` */
	PROBE_CHASE, /* the next line of the footprint */
};

/* An instruction of a pass. It reads and writes the result of its chain; a store's data is that result. Chain 0 is
 * none: it reads what is always ready, and nothing reads its result. */
struct probe_insn {
	enum probe_op op;
	enum probe_place place;
	unsigned chain;
	unsigned after;  /* the chain that its address waits for, beside the place; 0: none */
	uint32_t offset; /* of a near or same line; of a jump: bytes of code to skip */
};

#define PROBE_CHAINS 4 /* 1, 2: the loads of `block`; 3: the fill */

struct probe_code {
	struct probe_insn *insn; /* n */
	size_t n, cap;
};

/* Writes a pass at pressure x: of the fill, or of `against`. Free it with probe_code_free(). */
void probe_code_write(struct probe_code *, const struct probe *, const struct probe_fill *, uint64_t x);
void probe_code_free(struct probe_code *);

/* What a curve says of the feature, with an interval at 99 %. */
struct probe_answer {
	bool found; /* false: the curve has no such knee, or does not rise */
	double value, low, high;
};
struct probe_answer probe_answer_of(const struct probe *, const struct knees *);

#endif
