/* A pass is run again and again as straight code with a jump at its end, in groups of two lengths, each until all has
 * committed. What a group costs beyond its passes is the same for both lengths, so the difference has none of it. */
#include "collect/sim/probe_run.h"

#include <stdlib.h>

#include "base/mem.h"
#include "collect/sim/orders.h"
#include "collect/sim/pipeline/pipe.h"
#include "core/curve/curve.h"
#include "core/probe/probe.h"

#define CODE_BASE UINT64_C(0x400000)
#define NEAR_BASE ((uint64_t)1 << 40)
#define FAR_BASE ((uint64_t)2 << 40)     /* chain k is k times as far */
#define FAR_LINES ((uint64_t)1 << 21)    /* 128 MiB: more than any cache holds */
#define CHASE_BASE ((uint64_t)16 << 40)
#define WORD 8
#define FEW 4                            /* passes of a short group */
#define MANY 16                          /* of a long group */
#define CHASE_PASSES 2000                /* loads of a long group of a footprint, beyond the short one */
#define RESULTS 32u                      /* registers that independent results take in turn */
#define FIRST_RESULT 16u
#define CHAIN_REGISTER 4u                /* chain k is in register 4 + k */
#define READY 1u                         /* is never written */

struct runner {
	struct sim_pipe *pipe;
	struct probe_code code;
	struct sim_op *op; /* one pass, and the jump at its end */
	size_t n;
	uint64_t far[PROBE_CHAINS];  /* lines that each chain has had */
	struct sim_order lines;      /* of a chain */
	struct sim_order footprint;  /* its lines, and the next place in their order */
	uint64_t at, stride;
};

static const struct { enum sim_op_kind kind; bool fp; } op_kind[PROBE_N_OPS] = {
	[PROBE_NOP] = {SIM_OP_NOP, false},
	[PROBE_ADD] = {SIM_OP_ALU, false},
	[PROBE_MUL] = {SIM_OP_MUL, false},
	[PROBE_MOVE] = {SIM_OP_MOVE, false},
	[PROBE_FADD] = {SIM_OP_FADD, true},
	[PROBE_FMUL] = {SIM_OP_FMUL, true},
	[PROBE_FMA] = {SIM_OP_FMA, true},
	[PROBE_LOAD] = {SIM_OP_LOAD, false},
	[PROBE_FLOAD] = {SIM_OP_LOAD, true},
	[PROBE_STORE] = {SIM_OP_STORE, false},
	[PROBE_BRANCH] = {SIM_OP_BRANCH, false},
	[PROBE_JUMP] = {SIM_OP_BRANCH, false},
	[PROBE_ATOMIC] = {SIM_OP_ATOMIC, false},
};

static bool
has_result(enum sim_op_kind kind)
{
	return kind != SIM_OP_NOP && kind != SIM_OP_STORE && kind != SIM_OP_BRANCH;
}

/* The µop of an instruction; addresses that change follow in fill_addresses(). */
static struct sim_op
op_of(const struct probe_insn *insn, size_t i)
{
	bool fp = op_kind[insn->op].fp;
	enum sim_op_kind kind = op_kind[insn->op].kind;
	uint8_t base = fp ? SIM_FIRST_FP : 0, result = (uint8_t)(base + FIRST_RESULT + i % RESULTS);
	uint8_t chain = (uint8_t)(base + CHAIN_REGISTER + insn->chain);
	uint8_t ready = (uint8_t)((insn->place == PROBE_NOWHERE ? base : 0) + READY);
	struct sim_op op = {.pc = CODE_BASE + 4 * i, .next = CODE_BASE + 4 * (i + 1), .length = 4,
		.kind = (uint8_t)kind, .flags = SIM_OP_LAST, .dst = SIM_NO_REGISTER,
		.src = {SIM_NO_REGISTER, SIM_NO_REGISTER, SIM_NO_REGISTER}};

	if (has_result(kind)) {
		op.dst = insn->chain ? chain : result;
		op.src[0] = insn->chain ? chain : ready;
	}
	if (kind == SIM_OP_STORE) {
		op.src[0] = READY;
		op.src[2] = READY;
	}
	if (kind == SIM_OP_BRANCH) {
		op.branch = insn->op == PROBE_JUMP ? SIM_JUMP : SIM_CONDITIONAL;
		op.flags |= insn->op == PROBE_JUMP ? SIM_OP_TAKEN : 0;
	}
	if (insn->place != PROBE_NOWHERE)
		op.size = WORD;
	if (insn->place == PROBE_NEAR)
		op.at = NEAR_BASE + insn->offset;
	return op;
}

/* A pass, and the jump back to its beginning. */
static void
write_pass(struct runner *r)
{
	static const struct probe_insn back = {.op = PROBE_JUMP};

	r->n = r->code.n + 1;
	r->op = mem_resize(r->op, r->n, sizeof *r->op);
	for (size_t i = 0; i < r->code.n; i++)
		r->op[i] = op_of(&r->code.insn[i], i);
	r->op[r->n - 1] = op_of(&back, r->n - 1);
	r->op[r->n - 1].next = CODE_BASE;
}

/* Lines in an order that no prefetcher knows, none of them twice. */
static uint64_t
far_address(struct runner *r, unsigned chain)
{
	return FAR_BASE * chain + sim_order_at(&r->lines, r->far[chain]++ % r->lines.n) * SIM_LINE;
}

static void
fill_addresses(struct runner *r)
{
	for (size_t i = 0; i < r->code.n; i++) {
		const struct probe_insn *insn = &r->code.insn[i];

		if (insn->place == PROBE_FAR)
			r->op[i].at = far_address(r, insn->chain);
		if (insn->place == PROBE_CHASE) {
			r->op[i].at = CHASE_BASE + sim_order_at(&r->footprint, r->at) * r->stride;
			r->at = r->at + 1 < r->footprint.n ? r->at + 1 : 0;
		}
	}
}

/* Cycles until so many passes have committed. */
static double
cycles_of(struct runner *r, size_t passes)
{
	uint64_t before = sim_pipe_counts(r->pipe)[SIM_CYCLES];

	for (size_t i = 0; i < passes; i++) {
		fill_addresses(r);
		sim_pipe_run(r->pipe, r->op, r->n);
	}
	sim_pipe_drain(r->pipe);
	return (double)(sim_pipe_counts(r->pipe)[SIM_CYCLES] - before);
}

static double
measure(struct runner *r, const struct probe *p, uint64_t x)
{
	size_t extra = MANY - FEW;
	double few;

	probe_code_write(&r->code, p, &p->fill, x);
	write_pass(r);
	if (p->footprint) {
		r->stride = p->stride;
		r->footprint = sim_order_of(x > p->stride ? x / p->stride : 1, x);
		r->at = 0;
		cycles_of(r, 2 * r->footprint.n); /* everything is where it belongs */
		extra = CHASE_PASSES;
	}
	cycles_of(r, FEW);
	few = cycles_of(r, FEW);
	return (cycles_of(r, FEW + extra) - few) / (double)extra;
}

bool
sim_probe_run(const struct sim_machine *m, sim_plants plants, const struct probe *p,
	bool (*hear)(void *ctx, const struct curve *), void *ctx, struct curve *c)
{
	static const sim_perfect perfect = 1u << SIM_PART_L1I | 1u << SIM_PART_L2I | 1u << SIM_PART_L3I |
		1u << SIM_PART_ITLB | 1u << SIM_PART_DTLB;
	struct runner r = {.pipe = sim_pipe_new(m, plants, perfect), .lines = sim_order_of(FAR_LINES, 1)};
	bool whole = true;

	for (uint64_t x = p->first; x <= p->last && whole; x += p->step) {
		double y = measure(&r, p, x);

		curve_add(c, &(struct curve_point){.x = (double)x, .min = y, .mean = y, .max = y});
		whole = !hear || hear(ctx, c);
	}
	sim_pipe_free(r.pipe);
	probe_code_free(&r.code);
	free(r.op);
	return whole;
}
