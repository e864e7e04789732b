/* Probes: code that puts rising pressure on one feature of a core, written once and made for each machine.
 *
 * A pass of a probe at pressure x, with `block`:
 *
 *     load that misses (first chain)   head   body, body, … (x of them)   tail
 *     load that misses (second chain)  head   body, body, … (x of them)   tail
 *
 * Each chain waits for its own load of the previous pass. If all instructions between the two loads fit into the core,
 * the loads are under way together, and a pass takes the time of one load. Otherwise it takes the time of two. Without
 * `block` a pass is only head, body and tail: its time rises with x by the latency of a chain, or by the share of a
 * unit that each instruction takes.
 *
 * Source: Cliff-BACT, section 4.2 of "Benchmarking for Single Feature Attribution with Microarchitecture Cliffs"; for
 * the two loads: H. Wong, "Measuring Reorder Buffer Capacity" (2013). docs/probes.md describes the language. */
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

/* X(id, name): the operations of a probe's instructions */
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
	X(ECHO, "echo") /* a conditional branch like coin, by the bit of the last coin */ \
	X(SITE, "site") /* a conditional branch like coin, by a random bit of its own that never changes */ \
	X(CALL, "call") /* of the next instruction; a pass ends with its calls' returns, in reverse order */ \
	X(RETURN, "return") /* a return to the next instruction, without a call: no predictor knows the target */

enum probe_op {
#define X(id, name) PROBE_##id,
	PROBE_OPS(X)
#undef X
	PROBE_N_OPS
};
const char *probe_op_name(enum probe_op);
bool probe_op_is_access(enum probe_op); /* of memory */

/* Which value a probe reads from its curve. */
enum probe_value {
	PROBE_KNEE,  /* the largest x at which everything fits, plus `counts` */
	PROBE_SLOPE, /* cycles for each x: a latency */
	PROBE_RATE,  /* x in a cycle: a bandwidth */
	PROBE_LEVEL, /* height of a plateau, in cycles */
	PROBE_RATIO, /* for a pair: time of the fill divided by time of `against`, on the longest plateau */
};

enum probe_place {
	PROBE_NOWHERE,
	PROBE_NEAR,  /* a line that the first level always has, at `offset` */
	PROBE_FAR,   /* the next line of a chain of lines that no cache has */
	PROBE_FRESH, /* a line that no cache has; its address is known at once */
	PROBE_SAME,  /* the line of the previous PROBE_FAR or PROBE_FRESH, at `offset` */
	PROBE_CHASE, /* the next line of the footprint */
};

#define PROBE_STEPS_MAX 16
#define PROBE_NEAR_BYTES 16384 /* near offsets are below this */

/* A sequence of steps, each of which is `count` equal instructions. */
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
	PROBE_CHAINED,  /* for the result of the previous instruction */
	PROBE_TOGETHER, /* for the last instruction of the previous turn of the body */
	PROBE_WAVES,    /* for the last instruction of the previous pass */
	PROBE_WAITING,  /* for the load of `block` before them */
};

/* Instructions of a pass: a head, the body repeated until it has contributed x instructions, and a tail. */
struct probe_fill {
	struct probe_part head, body, tail;
	enum probe_link link;
	bool late;       /* a store's address is known a cycle after that of the load that follows it */
	/* bytes between near accesses; for jumps, bytes of code between them; for `against` of a footprint, bytes
	 * between its lines; 0: none */
	unsigned stride;
	bool stride_is_x;/* the stride is x, and the body has PROBE_TURNS turns */
};
#define PROBE_TURNS 32
#define PROBE_STRIDED 2048
#define PROBE_LINE_NOPS 4 /* the last one is a jump if the next line of code is not adjacent */

struct probe {
	struct arena *arena;        /* owner of the texts */
	const char *name, *text;    /* text: what the probe measures */
	enum probe_value value;
	uint64_t first, last, step; /* of x */
	unsigned per_doubling;      /* if step is 0: number of equal steps from each power of two to the next */
	bool block;                 /* the fill stands between two loads that miss all caches */
	struct probe_fill fill;
	/* for a pair: the fill's time is divided by the time of `against` for a ratio or knee; for other values the
	 * latter is subtracted. A footprint is compared with another one of equally many lines. Without body and
	 * stride: the probe is no pair */
	struct probe_fill against;
	struct probe_fill native;   /* replaces the fill on this machine's processor; body.n 0: it does not */
	bool needs_native;          /* runs only on this machine's processor */
	bool needs_sim;             /* runs only on a simulated core */
	bool subtracts;             /* the time of `against` is subtracted in any case */
	bool footprint;             /* x is in bytes: one load after another, each of another line */
	bool hot;                   /* every second load is of one additional line, always the same */
	/* two lines at each multiple of the stride, as far apart as the lines of `against` */
	bool pairs;
	bool of_code;               /* lines of PROBE_LINE_NOPS instructions, in the order of their addresses */
	bool sequential;            /* lines of the footprint in the order of their addresses; false: in random order */
	/* memory has 4 KiB pages, to exercise address translation; a footprint has one line in each page */
	bool small_pages;
	unsigned stride;            /* bytes between lines of the footprint */
	/* x is the stride, instead of bytes, between PROBE_STRIDED lines that no cache has */
	bool stride_is_x;
	unsigned level;             /* PROBE_LEVEL: which plateau, from 1 */
	unsigned counts;            /* number of entries of the feature that the probe's own instructions take */
	unsigned times, over;       /* the answer is multiplied by `times` and divided by `over` */
	const char *unit, *parameter, *says; /* parameter: its name in a .machine file; "": none */
	const char *group;          /* heading in lists: "window"; "": none */
};

/* Parses a .probe file. Takes over `name` (for messages) and `text`. Returns NULL after adding diagnostics. Free with
 * probe_free(). */
struct probe *probe_parse(char *name, char *text, size_t n, struct diags *);
void probe_free(struct probe *);

/* An instruction of a pass. Chain 0 means no chain: it is always ready, and a result written to it is not read. All
 * chains begin ready. */
struct probe_insn {
	enum probe_op op;
	enum probe_place place;
	unsigned from;   /* the chain that gives its operand, a load's address or a store's data */
	unsigned chain;  /* the chain whose result it writes */
	unsigned after;  /* the chain that a store's address waits for */
	uint32_t offset; /* of a near or same place, in bytes; for a jump, bytes of code to skip */
};

/* Chains 1 and 2 are the loads of `block`, 3 is the fill, 4 is what runs next to it. A far load reads and writes the
 * same chain. */
#define PROBE_FILL_CHAIN 3
#define PROBE_ASIDE_CHAIN 4
#define PROBE_CHAINS 5

struct probe_code {
	struct probe_insn *insn; /* n */
	size_t n, cap;
};

/* Returns the number of instructions of a part; for a body, of one turn. */
uint64_t probe_part_length(const struct probe_part *);
/* Writes a pass at pressure x, with the given fill: the probe's own or `against`. Free it with probe_code_free(). */
void probe_code_write(struct probe_code *, const struct probe *, const struct probe_fill *, uint64_t x);
void probe_code_free(struct probe_code *);

/* Returns the next x after this one, which must be above 0. After the last x the result is above `last`. */
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

/* Returns true if the probe has calls or returns, which only simulated cores run. */
bool probe_has_calls(const struct probe *);

/* Returns the y value of a point of a pair's curve, from the times of both. */
static inline double
probe_pair_value(const struct probe *p, double fill, double against)
{
	return !p->subtracts && (p->value == PROBE_RATIO || p->value == PROBE_KNEE) ? fill / against : fill - against;
}

/* Returns true if the curve of a probe with `block` has jumped for good, so that further points add nothing. */
bool probe_has_enough(const struct probe *, const struct curve *);

/* What a curve shows about the feature, with an interval at 99 %. */
struct probe_answer {
	bool found; /* false: the curve has no such knee, or does not rise */
	double value, low, high; /* high INFINITY: the value is a lower bound */
	/* for a lower bound: the probe of the resource that may be full first; that probe owns the name. NULL: unknown
	 */
	const char *hidden_by;
	bool bend;               /* the curve of a probe with `block` bends at the knee instead of jumping */
};
struct probe_answer probe_answer_of(const struct probe *, const struct knees *);

static inline bool
probe_answer_at_least(const struct probe_answer *a)
{
	return a->found && isinf(a->high);
}

/* Returns why the answer should be doubted, as a sentence; NULL: no reason. */
const char *probe_answer_doubt(const struct probe *, const struct probe_answer *);

/* A probe's answer, to be compared with those of other probes on the same machine. */
struct probe_finding {
	const struct probe *probe;
	struct probe_answer *answer;
	double high; /* private: the answer's upper end, kept while the answer is marked as a lower bound */
};

/* Turns an answer into a lower bound if, by the other answers, another resource is full at that x, too. `native`: the
 * probes ran on this machine's processor. */
void probe_answers_compare(struct probe_finding *, size_t n, bool native);

#endif
