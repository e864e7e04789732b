/* Probes: code that puts rising pressure on one feature of a core, written once and made for each machine.
 *
 * A pass of a probe at pressure x, with `block`:
 *
 *     load that misses (first chain)   head   body, body, … (x of them)   tail
 *     load that misses (second chain)  head   body, body, … (x of them)   tail
 *
 * Each chain waits for its own load of the pass before. If all between them fits into the core, the two loads are
 * under way together, and a pass takes the time of one. If it does not, it takes that of two. Without `block` a pass is
 * head, body and tail alone: its time rises with x by the latency of a chain, or by the share of a unit that each one
 * takes.
 *
 * Source: Cliff-BACT, section 4.2 of "Benchmarking for Single Feature Attribution with Microarchitecture Cliffs"; for
 * the two loads: H. Wong, "Measuring Reorder Buffer Capacity" (2013). docs/probes.md has the language. */
#ifndef CORE_PROBE_PROBE_H
#define CORE_PROBE_PROBE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct curve;
struct diags;
struct knees;

/* X(id, name): what an instruction of a probe does */
#define PROBE_OPS(X) \
	X(NOP, "nop") \
	X(ADD, "add") \
	X(MUL, "mul") \
	X(DIV, "div") \
	X(MOVE, "move") \
	X(FADD, "fadd") \
	X(FMUL, "fmul") \
	X(FDIV, "fdiv") \
	X(FMA, "fma") \
	X(LOAD, "load") \
	X(FLOAD, "fload") /* into a floating-point register */ \
	X(STORE, "store") \
	X(BRANCH, "branch") /* conditional, never taken */ \
	X(JUMP, "jump") /* to the next instruction, or to the next `stride` bytes of code */ \
	X(ATOMIC, "atomic") \
	X(PREFETCH, "prefetch") /* a load whose result goes nowhere */ \
	X(COIN, "coin") /* conditional branch over a nop, by a new random bit in each pass */ \
	X(ECHO, "echo") /* the same, by the bit of the last coin */ \
	X(SITE, "site") /* the same, by a random bit of its own that never changes */ \
	X(CALL, "call") /* of the instruction that follows; a pass ends with the returns, the last one first */ \
	X(RETURN, "return") /* to the next instruction, where no call came from: no predictor knows it */

enum probe_op {
#define X(id, name) PROBE_##id,
	PROBE_OPS(X)
#undef X
	PROBE_N_OPS
};
const char *probe_op_name(enum probe_op);
bool probe_op_is_access(enum probe_op); /* of memory */

/* What of its curve a probe looks for. */
enum probe_value {
	PROBE_KNEE,  /* the x up to which all fits, plus `counts` */
	PROBE_SLOPE, /* cycles for each x: a latency */
	PROBE_RATE,  /* x in a cycle: a bandwidth */
	PROBE_LEVEL, /* height of a plateau, in cycles */
	PROBE_RATIO, /* of a pair: time of the fill over time of `against`, on the longest plateau */
};

enum probe_place {
	PROBE_NOWHERE,
	PROBE_NEAR,  /* a line that the first level always has, at `offset` */
	PROBE_FAR,   /* the next line of a chain of lines that no cache has */
	PROBE_FRESH, /* a line that no cache has, whose address is known at once */
	PROBE_SAME,  /* the line of the last PROBE_FAR or PROBE_FRESH before it, at `offset` */
	PROBE_CHASE, /* the next line of the footprint */
};

#define PROBE_STEPS_MAX 16
#define PROBE_NEAR_BYTES 16384 /* near offsets are below */

/* Some equal instructions, and those that follow them in turn. */
struct probe_part {
	struct probe_step {
		enum probe_op op;
		enum probe_place place;
		unsigned count;
	} step[PROBE_STEPS_MAX];
	unsigned n;
};

/* What instructions of a fill wait for. */
enum probe_link {
	PROBE_FREE,
	PROBE_CHAINED,  /* for the result of the one before */
	PROBE_TOGETHER, /* for the last one of the turn before */
	PROBE_WAVES,    /* for the last one of the pass before */
	PROBE_WAITING,  /* for the load of `block` before them */
};

/* Instructions of a pass: a head, the body in turn until there are x instructions of it, and a tail. */
struct probe_fill {
	struct probe_part head, body, tail;
	enum probe_link link;
	bool late;       /* a store's address is known a cycle after that of the load that follows it */
	/* bytes between near accesses; of jumps: bytes of code between them; of `against` of a footprint: bytes between
	 * its lines; 0: none */
	unsigned stride;
	bool stride_is_x;/* the stride is x, and the body has PROBE_TURNS turns */
};
#define PROBE_TURNS 32
#define PROBE_STRIDED 2048
#define PROBE_LINE_NOPS 4 /* the last one is a jump if the next line of code is not adjacent */

struct probe {
	struct arena *arena;        /* owner of the texts */
	const char *name, *text;    /* text: what it measures */
	enum probe_value value;
	uint64_t first, last, step; /* of x */
	unsigned per_doubling;      /* step 0: so many equal steps from each power of two to the next */
	bool block;                 /* between two loads that miss all caches */
	struct probe_fill fill;
	/* of a pair: its time divides that of the fill in a ratio or knee, and is subtracted for other values. A
	 * footprint is compared with another one of as many lines. Without body and stride: none */
	struct probe_fill against;
	struct probe_fill native;   /* instead of the fill on the processor here; body.n 0: none */
	bool needs_native;          /* runs only there */
	bool needs_sim;             /* runs only on a simulated core */
	bool subtracts;             /* the time of `against` is subtracted in any case */
	bool footprint;             /* x is bytes: one load after another, each of another line */
	bool hot;                   /* each second load is of one line more, always the same */
	bool pairs;                 /* two lines at each multiple of the stride, as far apart as those of `against` */
	bool of_code;               /* lines of PROBE_LINE_NOPS instructions, in the order of their addresses */
	bool sequential;            /* lines of the footprint in the order of their addresses; false: in random order */
	bool small_pages;           /* addresses of 4 KiB pages are translated; a footprint has a line of each page */
	unsigned stride;            /* bytes between lines of the footprint */
	bool stride_is_x;           /* x is the stride instead, of PROBE_STRIDED lines that no cache has */
	unsigned level;             /* PROBE_LEVEL: which plateau, from 1 */
	unsigned counts;            /* what the probe's own instructions take of the feature */
	unsigned times, over;       /* the answer is multiplied by the one and divided by the other */
	const char *unit, *parameter, *says; /* parameter: of a .machine file; "": none */
	const char *group;          /* what lists show it under: "window"; "": none */
};

/* Parses a .probe file. Takes `name` (for messages) and `text` over. NULL after diagnostics. Free with probe_free(). */
struct probe *probe_parse(char *name, char *text, size_t n, struct diags *);
void probe_free(struct probe *);

/* An instruction of a pass. Chain 0 is none: it is always ready, and nothing reads it. Chains begin ready. */
struct probe_insn {
	enum probe_op op;
	enum probe_place place;
	unsigned from;   /* the chain that it reads: its operand; a load's address; a store's data */
	unsigned chain;  /* the chain whose result it writes */
	unsigned after;  /* the chain that a store's address waits for */
	uint32_t offset; /* of a near or same place; of a jump: bytes of code to skip */
};

/* 1, 2: the loads of `block`; the fill; beside it. A far load reads and writes the same chain. */
#define PROBE_FILL_CHAIN 3
#define PROBE_ASIDE_CHAIN 4
#define PROBE_CHAINS 5

struct probe_code {
	struct probe_insn *insn; /* n */
	size_t n, cap;
};

/* Instructions of a part; of a body, of one turn. */
uint64_t probe_part_length(const struct probe_part *);
/* Writes a pass at pressure x: of the fill, or of `against`. Free it with probe_code_free(). */
void probe_code_write(struct probe_code *, const struct probe *, const struct probe_fill *, uint64_t x);
void probe_code_free(struct probe_code *);

/* The x after this one, which is above 0; above `last` at the end. */
static inline uint64_t
probe_next_x(const struct probe *p, uint64_t x)
{
	uint64_t step = p->step ? p->step : ((uint64_t)1 << (63 - __builtin_clzll(x))) / p->per_doubling;

	return x + (step ? step : 1);
}

static inline bool
probe_is_pair(const struct probe *p)
{
	return p->against.body.n != 0 || (p->footprint && p->against.stride);
}

/* True if it has calls or returns, which only simulated cores run. */
bool probe_has_calls(const struct probe *);

/* A point of the curve of a pair, from the times of both. */
static inline double
probe_pair_value(const struct probe *p, double fill, double against)
{
	return !p->subtracts && (p->value == PROBE_RATIO || p->value == PROBE_KNEE) ? fill / against : fill - against;
}

/* True if a curve between two loads that miss has jumped for good: what follows says no more. */
bool probe_has_enough(const struct probe *, const struct curve *);

/* What a curve says of the feature, with an interval at 99 %. */
struct probe_answer {
	bool found; /* false: the curve has no such knee, or does not rise */
	double value, low, high; /* high INFINITY: the value is a lower bound */
	const char *hidden_by;   /* the probe of what may be full first, then; it owns the name. NULL: unknown */
	bool bend;               /* the curve of a probe with `block` only bends there */
};
struct probe_answer probe_answer_of(const struct probe *, const struct knees *);

static inline bool
probe_answer_at_least(const struct probe_answer *a)
{
	return a->found && isinf(a->high);
}

/* Why the answer should be doubted, as a sentence; NULL: nothing speaks against it. */
const char *probe_answer_doubt(const struct probe *, const struct probe_answer *);

/* An answer of a probe, among others of the same machine. */
struct probe_finding {
	const struct probe *probe;
	struct probe_answer *answer;
	double high; /* private: its upper end, while the answer says that it is a lower bound */
};

/* Makes lower bounds of the answers at which, by the others, another resource is full, too. `native`: the probes ran on
 * the processor here. */
void probe_answers_compare(struct probe_finding *, size_t n, bool native);

#endif
