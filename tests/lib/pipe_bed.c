#include "pipe_bed.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "test.h"
#include "text/diag.h"

static const char text[] =
	"machine bed; clock 1 GHz;\n"
	"fetch 16; fetch_branches 16; fetch_taken 1; front_end 5 cycles; redirect 3 cycles;\n"
	"width 4; issue 8; commit 8; rob 64; load_queue 64; store_queue 64; branches 64;\n"
	"ports 8 alu, mul, div, fadd, fmul, fdiv, fma, branch, move, nop;\n"
	"ports 8 load, store, atomic;\n"
	"latency mul 3 cycles; latency div 20 cycles, blocking; latency fadd 3 cycles; latency fmul 4 cycles;\n"
	"latency fma 4 cycles; latency fdiv 15 cycles, blocking; forward 5 cycles;\n"
	"predictor bimodal 1024 entries;\n"
	"l1i 4 KiB, 1 ways, 1 cycles;\n"
	"l1 4 KiB, 1 ways, 4 cycles; l2 64 KiB, 4 ways, 14 cycles; l3 1 MiB, 8 ways, 44 cycles; memory 204 cycles;\n"
	"fill_buffers 16;\n"
	"itlb 16 entries, 4 ways; dtlb 4k 16 entries, 4 ways; walkers 2; mshrs 4; walk_start 5 cycles;\n"
	"pde 4 entries, 4 ways; pdpte 4 entries, 4 ways; rob_pack 4;\n"
	"counters 8; fixed 3;\n"
	"may wrong_path, rob_compression, move_elimination, fma_split, sta_std, nuke_replay, merging;\n";

static struct sim_machine *
parse(const char *from, size_t len, const char *changes)
{
	struct diags d = {0};
	struct sim_machine *m = sim_machine_parse("bed.machine", from, len, changes, &d);

	test_check(m != NULL, __FILE__, __LINE__, "the bed with '%s': %s", changes ? changes : "",
		d.n ? d.item[0].text : "?");
	diags_free(&d);
	return m;
}

static void
init(struct pipe_bed *b, const char *from, size_t len, const char *changes)
{
	*b = (struct pipe_bed){.perfect = BED_PERFECT, .pc = BED_CODE};
	b->machine = parse(from, len, changes);
	if (!b->machine)
		b->machine = parse(text, sizeof text - 1, NULL);
	b->plants = b->machine->has;
}

void
pipe_bed_init(struct pipe_bed *b, const char *changes)
{
	init(b, text, sizeof text - 1, changes);
}

void
pipe_bed_init_core(struct pipe_bed *b, const char *changes)
{
	unsigned long len = 0;
	char *core = test_read("../models/machines/core.machine", &len);

	init(b, core ? core : "", len, changes);
	free(core);
}

void
pipe_bed_free(struct pipe_bed *b)
{
	sim_machine_free(b->machine);
	free(b->op);
}

struct sim_op *
bed_op(struct pipe_bed *b, enum sim_op_kind kind, uint8_t dst, uint8_t src)
{
	struct sim_op *o;

	mem_grow(&b->op, &b->cap, b->n + 1, sizeof *b->op);
	o = &b->op[b->n++];
	*o = (struct sim_op){
		.pc = b->pc, .next = b->pc + 4, .length = 4, .kind = (uint8_t)kind, .flags = SIM_OP_LAST, .dst = dst,
		.src = {src, BED_NONE, BED_NONE},
	};
	b->pc += 4;
	return o;
}

void
bed_ops(struct pipe_bed *b, size_t n, enum sim_op_kind kind)
{
	while (n--)
		bed_op(b, kind, BED_NONE, BED_NONE);
}

struct sim_op *
bed_read(struct pipe_bed *b, uint64_t at, uint8_t dst, uint8_t src)
{
	struct sim_op *o = bed_op(b, SIM_OP_LOAD, dst, src);

	o->at = at;
	o->size = 8;
	return o;
}

struct sim_op *
bed_write(struct pipe_bed *b, uint64_t at, uint8_t address, uint8_t data)
{
	struct sim_op *o = bed_op(b, SIM_OP_STORE, BED_NONE, address);

	o->src[2] = data;
	o->at = at;
	o->size = 8;
	return o;
}

struct sim_op *
bed_branch(struct pipe_bed *b, enum sim_branch kind, bool taken, uint64_t to, uint8_t src)
{
	struct sim_op *o = bed_op(b, SIM_OP_BRANCH, BED_NONE, src);

	o->branch = (uint8_t)kind;
	if (taken) {
		o->flags |= SIM_OP_TAKEN;
		o->next = b->pc = to;
	}
	return o;
}

uint64_t
pipe_bed_run(struct pipe_bed *b)
{
	return pipe_bed_run_with(b, b->perfect);
}

uint64_t
pipe_bed_run_with(struct pipe_bed *b, sim_perfect perfect)
{
	struct sim_pipe *p = sim_pipe_new(b->machine, b->plants, perfect);

	sim_pipe_run(p, b->op, b->n);
	sim_pipe_drain(p);
	memcpy(b->count, sim_pipe_counts(p), sizeof b->count);
	sim_pipe_free(p);
	return b->count[SIM_CYCLES];
}
