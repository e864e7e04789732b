/* A pass is run again and again as straight code with a jump at its end, in groups of two lengths, each until all has
 * committed. What a group costs beyond its passes is the same for both lengths, so the difference has none of it. */
#include "sim/probe_run.h"

#include <stdlib.h>

#include "base/mem.h"
#include "core/curve/curve.h"
#include "core/probe/probe.h"
#include "sim/orders.h"
#include "sim/pipeline/pipe.h"

#define CODE_BASE UINT64_C(0x400000)
#define NEAR_BASE ((uint64_t)1 << 40)
#define FAR_BASE ((uint64_t)2 << 40)     /* chain k is k times as far */
#define FAR_LINES ((uint64_t)1 << 21)    /* 128 MiB: more than any cache holds */
#define FRESH_BASE ((uint64_t)14 << 40)
#define CHASE_BASE ((uint64_t)16 << 40)
#define PAGE 4096
#define WORD 8
#define LENGTH 4                         /* bytes of an instruction */
#define NOT_WRITTEN UINT32_MAX
#define FEW 1                            /* passes of a short group */
#define MANY 6                           /* of a long group */
#define CHASE_PASSES 1000                /* loads of a long group of a footprint, beyond the short one, … */
#define CHASE_TOURS 8                    /* … or so many times through it, where that is less */
#define HOT_PASSES 4000                  /* where there is a hot line, which may be replaced at random */
#define COIN_WARM 1000                   /* passes before those of a group that has coins: the predictor learns */
#define COIN_PASSES 400                  /* of its long group beyond the short one */
#define RESULTS 32u                      /* registers that independent results take in turn */
#define FIRST_RESULT 16u
#define CHAIN_REGISTER 4u                /* chain k is in register 4 + k */
#define READY 1u                         /* is never written */

struct runner {
	struct sim_pipe *pipe;
	const enum sim_event *event; /* n_events that are counted */
	size_t n_events;
	struct probe_code code;
	struct sim_op *op;           /* a pass, the nops that its branches skip, and the jump at its end */
	struct sim_op *pass;         /* what the present pass has of them */
	uint32_t *insn;              /* of each of `op`: its number, or NOT_WRITTEN */
	size_t n, room;
	bool has_coins;
	bool coin;                   /* the last one */
	uint64_t random;
	uint64_t far[PROBE_CHAINS], fresh; /* lines that each chain has had, and of no chain */
	uint64_t line;               /* address of the last of them */
	struct sim_order lines;      /* of a chain */
	struct sim_order footprint;  /* its lines, and the next place in their order */
	uint64_t at;
	unsigned stride;             /* bytes between them */
	unsigned within;             /* bytes between two lines of a pair; 0: no pairs */
	bool hot;                    /* each second load is of the line beyond them */
	bool odd;                    /* the next one is */
};

static const struct { enum sim_op_kind kind; bool fp; } op_kind[PROBE_N_OPS] = {
	[PROBE_NOP] = {SIM_OP_NOP, false},
	[PROBE_ADD] = {SIM_OP_ALU, false},
	[PROBE_MUL] = {SIM_OP_MUL, false},
	[PROBE_DIV] = {SIM_OP_DIV, false},
	[PROBE_MOVE] = {SIM_OP_MOVE, false},
	[PROBE_FADD] = {SIM_OP_FADD, true},
	[PROBE_FMUL] = {SIM_OP_FMUL, true},
	[PROBE_FDIV] = {SIM_OP_FDIV, true},
	[PROBE_FMA] = {SIM_OP_FMA, true},
	[PROBE_LOAD] = {SIM_OP_LOAD, false},
	[PROBE_FLOAD] = {SIM_OP_LOAD, true},
	[PROBE_STORE] = {SIM_OP_STORE, false},
	[PROBE_BRANCH] = {SIM_OP_BRANCH, false},
	[PROBE_JUMP] = {SIM_OP_BRANCH, false},
	[PROBE_ATOMIC] = {SIM_OP_ATOMIC, false},
	[PROBE_PREFETCH] = {SIM_OP_LOAD, false},
	[PROBE_COIN] = {SIM_OP_BRANCH, false},
	[PROBE_ECHO] = {SIM_OP_BRANCH, false},
	[PROBE_SITE] = {SIM_OP_BRANCH, false},
	[PROBE_CALL] = {SIM_OP_BRANCH, false},
	[PROBE_RETURN] = {SIM_OP_BRANCH, false},
};

static const enum sim_branch op_branch[PROBE_N_OPS] = {
	[PROBE_BRANCH] = SIM_CONDITIONAL,
	[PROBE_JUMP] = SIM_JUMP,
	[PROBE_COIN] = SIM_CONDITIONAL,
	[PROBE_ECHO] = SIM_CONDITIONAL,
	[PROBE_SITE] = SIM_CONDITIONAL,
	[PROBE_CALL] = SIM_CALL,
	[PROBE_RETURN] = SIM_RETURN,
};

static bool
has_result(const struct probe_insn *insn)
{
	enum sim_op_kind kind = op_kind[insn->op].kind;

	return kind != SIM_OP_NOP && kind != SIM_OP_STORE && kind != SIM_OP_BRANCH && insn->op != PROBE_PREFETCH;
}

static bool
skips_a_nop(enum probe_op op)
{
	return op == PROBE_COIN || op == PROBE_ECHO || op == PROBE_SITE;
}

static uint8_t
chain_register(uint8_t base, unsigned chain)
{
	return (uint8_t)(base + (chain ? CHAIN_REGISTER + chain : READY));
}

/* The µop of an instruction at `pc`; addresses that change follow in fill_addresses(). */
static struct sim_op
op_of(const struct probe_insn *insn, uint64_t pc, size_t i)
{
	bool fp = op_kind[insn->op].fp;
	enum sim_op_kind kind = op_kind[insn->op].kind;
	uint8_t base = fp ? SIM_FIRST_FP : 0;
	struct sim_op op = {.pc = pc, .next = pc + LENGTH + insn->offset * (insn->op == PROBE_JUMP), .length = LENGTH,
		.kind = (uint8_t)kind, .flags = SIM_OP_LAST, .dst = SIM_NO_REGISTER,
		.src = {SIM_NO_REGISTER, SIM_NO_REGISTER, SIM_NO_REGISTER}};

	if (has_result(insn))
		op.dst = insn->chain ? chain_register(base, insn->chain) :
			(uint8_t)(base + FIRST_RESULT + i % RESULTS);
	if (kind != SIM_OP_NOP && kind != SIM_OP_BRANCH)
		op.src[0] = chain_register(insn->place == PROBE_NOWHERE ? base : 0, insn->from);
	if (kind == SIM_OP_STORE) {
		op.src[0] = chain_register(0, insn->after);
		op.src[2] = chain_register(0, insn->from);
	}
	if (kind == SIM_OP_BRANCH) {
		op.branch = (uint8_t)op_branch[insn->op];
		op.flags |= op.branch != SIM_CONDITIONAL ? SIM_OP_TAKEN : 0;
	}
	if (insn->place != PROBE_NOWHERE)
		op.size = WORD;
	if (insn->place == PROBE_NEAR)
		op.at = NEAR_BASE + insn->offset;
	return op;
}

/* Appends a µop that goes to `pc`, its instruction's address. `i`: number of the instruction in the probe's code, or
 * SIZE_MAX. Returns it. */
static struct sim_op *
write_op(struct runner *r, const struct probe_insn *insn, uint64_t pc, size_t i)
{
	if (r->n == r->room) {
		r->room = r->room ? 2 * r->room : 64;
		r->op = mem_resize(r->op, r->room, sizeof *r->op);
		r->pass = mem_resize(r->pass, r->room, sizeof *r->pass);
		r->insn = mem_resize(r->insn, r->room, sizeof *r->insn);
	}
	r->insn[r->n] = i == SIZE_MAX ? NOT_WRITTEN : (uint32_t)i;
	r->op[r->n] = op_of(insn, pc, r->n);
	return &r->op[r->n++];
}

static void
write_jump(struct runner *r, uint64_t from, uint64_t to)
{
	static const struct probe_insn jump = {.op = PROBE_JUMP};

	write_op(r, &jump, from, SIZE_MAX)->next = to;
}

/* What follows the last instruction of a pass, at `pc`: each call is followed by the place of an instruction, which the
 * return to it executes. That is the next return, and of the first call a jump to the end. Returns the end. */
static uint64_t
write_returns(struct runner *runner, uint64_t pc)
{
	static const struct probe_insn back = {.op = PROBE_RETURN};
	uint64_t at = pc;

	for (size_t i = runner->n; i-- > 0;) {
		if (runner->op[i].branch != SIM_CALL)
			continue;
		write_op(runner, &back, at, SIZE_MAX)->next = runner->op[i].pc + LENGTH;
		at = runner->op[i].pc + LENGTH;
	}
	if (at == pc)
		return pc;
	write_jump(runner, at, pc + LENGTH);
	return pc + LENGTH;
}

/* A pass through lines of code. */
static void
write_lines(struct runner *runner, const struct probe *probe)
{
	for (uint64_t i = 0; i < runner->footprint.n; i++) {
		bool last = i + 1 == runner->footprint.n;
		uint64_t pc = CODE_BASE + i * probe->stride;

		for (size_t k = 0; k < runner->code.n; k++, pc += SIM_LINE / PROBE_LINE_NOPS) {
			struct sim_op *op = write_op(runner, &runner->code.insn[k], pc, SIZE_MAX);

			op->length = SIM_LINE / PROBE_LINE_NOPS;
			op->next = pc + op->length;
		}
		pc -= SIM_LINE / PROBE_LINE_NOPS;
		if (!last && probe->stride == SIM_LINE)
			continue;
		runner->n--;
		write_jump(runner, pc, last ? CODE_BASE : CODE_BASE + (i + 1) * probe->stride);
	}
}

/* A pass, and the jump back to its beginning. */
static void
write_pass(struct runner *runner, const struct probe *probe)
{
	static const struct probe_insn nop = {.op = PROBE_NOP};
	uint64_t pc = CODE_BASE;

	runner->n = 0;
	runner->has_coins = false;
	runner->random = 1;
	if (probe->of_code) {
		write_lines(runner, probe);
		return;
	}
	for (size_t i = 0; i < runner->code.n; i++) {
		const struct probe_insn *insn = &runner->code.insn[i];

		write_op(runner, insn, pc, i);
		pc = runner->op[runner->n - 1].next;
		runner->has_coins |= insn->op == PROBE_COIN;
		if (insn->op == PROBE_CALL)
			pc = runner->op[runner->n - 1].next += LENGTH;
		if (!skips_a_nop(insn->op))
			continue;
		if (insn->op == PROBE_SITE && random_next(&runner->random) & 1)
			runner->op[runner->n - 1].flags |= SIM_OP_TAKEN;
		write_op(runner, &nop, pc, SIZE_MAX);
		pc += LENGTH;
	}
	write_jump(runner, write_returns(runner, pc), CODE_BASE);
}

/* Lines in an order that no prefetcher knows, none of them twice. */
static uint64_t
probe_run_line_of(struct runner *r, uint64_t base, uint64_t *had)
{
	r->line = base + sim_order_at(&r->lines, (*had)++ % r->lines.n) * SIM_LINE;
	return r->line;
}

/* Lines of small pages, one of each, are at different places of them, so that they share no set of a cache. */
static uint64_t
chase_address(struct runner *r, const struct probe *p)
{
	uint64_t i = p->sequential ? r->at : sim_order_at(&r->footprint, r->at);

	r->odd = r->hot && !r->odd;
	if (r->hot && !r->odd)
		return CHASE_BASE + r->footprint.n * r->stride;
	r->at = r->at + 1 < r->footprint.n ? r->at + 1 : 0;
	if (r->within)
		return CHASE_BASE + i / 2 * r->stride + i % 2 * r->within;
	return CHASE_BASE + i * r->stride + (p->small_pages && r->stride >= PAGE ? i * SIM_LINE % PAGE : 0);
}

static void
fill_address(struct runner *runner, const struct probe *probe, const struct probe_insn *insn, struct sim_op *op)
{
	switch (insn->place) {
	case PROBE_NOWHERE:
	case PROBE_NEAR:
		return;
	case PROBE_FAR:
		op->at = probe_run_line_of(runner, FAR_BASE * insn->chain, &runner->far[insn->chain]);
		return;
	case PROBE_FRESH:
		op->at = probe_run_line_of(runner, FRESH_BASE, &runner->fresh);
		return;
	case PROBE_SAME:
		op->at = runner->line + insn->offset;
		return;
	case PROBE_CHASE:
		op->at = chase_address(runner, probe);
		return;
	}
}

/* Writes what the next pass executes. Returns the number of µops. */
static size_t
next_pass(struct runner *runner, const struct probe *probe)
{
	size_t n = 0;

	for (size_t i = 0; i < runner->n; i++) {
		struct sim_op *op = &runner->pass[n++];
		const struct probe_insn *insn = runner->insn[i] == NOT_WRITTEN ? NULL
									       : &runner->code.insn[runner->insn[i]];

		*op = runner->op[i];
		if (!insn)
			continue;
		fill_address(runner, probe, insn, op);
		if (!skips_a_nop(insn->op))
			continue;
		if (insn->op == PROBE_COIN)
			runner->coin = random_next(&runner->random) >> 63;
		if (insn->op != PROBE_SITE && runner->coin)
			op->flags |= SIM_OP_TAKEN;
		if (op->flags & SIM_OP_TAKEN) {
			op->next += LENGTH;
			i++;
		}
	}
	return n;
}

/* Runs so many passes until all have committed. Writes what each event that the runner counts counted meanwhile. */
static void
run_passes(struct runner *r, const struct probe *p, size_t passes, double *count)
{
	for (size_t i = 0; i < r->n_events; i++)
		count[i] = -(double)sim_pipe_counts(r->pipe)[r->event[i]];
	for (size_t i = 0; i < passes && !sim_pipe_is_spent(r->pipe); i++)
		sim_pipe_run(r->pipe, r->pass, next_pass(r, p));
	sim_pipe_drain(r->pipe);
	for (size_t i = 0; i < r->n_events; i++)
		count[i] += (double)sim_pipe_counts(r->pipe)[r->event[i]];
}

/* Writes what each event counts in a pass. */
static void
count_of(struct runner *runner, const struct probe *probe, const struct probe_fill *fill, uint64_t x, double *count)
{
	double *few = mem_new_array(runner->n_events, sizeof *few);
	size_t extra = MANY - FEW;

	probe_code_write(&runner->code, probe, fill, x);
	if (probe->footprint)
		runner->footprint = sim_order_of((x + probe->stride - 1) / probe->stride, x);
	write_pass(runner, probe);
	if (probe->of_code) {
		run_passes(runner, probe, FEW, few);
	} else if (probe->footprint) {
		runner->at = 0;
		runner->within = probe->pairs && fill == &probe->fill ? probe->against.stride : 0;
		runner->hot = probe->hot && fill == &probe->fill;
		runner->odd = false;
		runner->stride = fill == &probe->against ? fill->stride : probe->stride;
		run_passes(runner, probe, runner->footprint.n, few); /* everything is where it belongs */
		extra = probe->hot ? HOT_PASSES : CHASE_TOURS * runner->footprint.n < CHASE_PASSES ?
			CHASE_TOURS * runner->footprint.n : CHASE_PASSES;
	}
	if (runner->has_coins) {
		run_passes(runner, probe, COIN_WARM, few);
		extra = COIN_PASSES;
	}
	run_passes(runner, probe, FEW, few);
	run_passes(runner, probe, FEW, few);
	run_passes(runner, probe, FEW + extra, count);
	for (size_t i = 0; i < runner->n_events; i++)
		count[i] = (count[i] - few[i]) / (double)extra / (probe->of_code ? (double)runner->footprint.n : 1);
	free(few);
}

static double
probe_run_time_of(struct runner *r, const struct probe *p, const struct probe_fill *f, uint64_t x)
{
	double cycles;

	count_of(r, p, f, x, &cycles);
	return cycles;
}

static double
probe_run_measure(struct runner *r, const struct probe *p, uint64_t x)
{
	double y = probe_run_time_of(r, p, &p->fill, x);

	return probe_is_pair(p) ? probe_pair_value(p, y, probe_run_time_of(r, p, &p->against, x)) : y;
}

static struct runner
runner_of(const struct sim_machine *machine, sim_plants plants, const struct probe *probe, uint64_t most,
	const enum sim_event *event, size_t n)
{
	sim_perfect perfect = 1u << SIM_PART_L2I | 1u << SIM_PART_L3I |
		(probe->of_code && !probe->small_pages ? 0 : 1u << SIM_PART_L1I) |
		(probe->of_code && probe->small_pages ? 0 : 1u << SIM_PART_ITLB) |
		(probe->small_pages ? 0 : 1u << SIM_PART_DTLB);

	struct runner r = {.pipe = sim_pipe_new(machine, plants, perfect), .event = event, .n_events = n,
		.lines = sim_order_of(FAR_LINES, 1)};

	sim_pipe_bound(r.pipe, most);
	return r;
}

static void
runner_free(struct runner *r)
{
	sim_pipe_free(r->pipe);
	probe_code_free(&r->code);
	free(r->op);
	free(r->pass);
	free(r->insn);
}

bool
sim_probe_run(const struct sim_machine *machine, sim_plants plants, const struct probe *p, uint64_t most,
	bool (*hear)(void *ctx, const struct curve *), void *ctx, struct curve *curve)
{
	static const enum sim_event cycles = SIM_CYCLES;
	struct runner r = runner_of(machine, plants, p, most, &cycles, 1);
	bool goes_on = true, spent = false;

	for (uint64_t x = p->first; x <= p->last && goes_on && !probe_has_enough(p, curve); x = probe_next_x(p, x)) {
		double y = probe_run_measure(&r, p, x);

		spent = sim_pipe_is_spent(r.pipe);
		if (spent)
			break;
		curve_add(curve, &(struct curve_point){.x = (double)x, .min = y, .mean = y, .max = y});
		goes_on = !hear || hear(ctx, curve);
	}
	runner_free(&r);
	return !spent;
}

bool
sim_probe_count(const struct sim_machine *machine, sim_plants plants, const struct probe *probe, uint64_t most,
	const struct curve *at, const enum sim_event *event, size_t n, bool (*go_on)(void *ctx), void *ctx,
	struct curve *curve)
{
	struct runner r = runner_of(machine, plants, probe, most, event, n);
	double *count = mem_new_array(n, sizeof *count);
	bool spent = false;

	for (size_t k = 0; k < at->n && !spent && (!go_on || go_on(ctx)); k++) {
		count_of(&r, probe, &probe->fill, (uint64_t)at->point[k].x, count);
		spent = sim_pipe_is_spent(r.pipe);
		for (size_t i = 0; i < n && !spent; i++)
			curve_add(&curve[i], &(struct curve_point){at->point[k].x, count[i], count[i], count[i]});
	}
	free(count);
	runner_free(&r);
	return !spent;
}
