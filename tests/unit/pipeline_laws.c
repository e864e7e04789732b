/* Laws that hold on any pipeline and any program: made machines whose every size is drawn, and made programs, which are
 * walks through random code. */
#include "sim/pipeline/pipe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "probe_bed.h"
#include "sim/machine.h"
#include "sim/program/program.h"
#include "test.h"
#include "text/diag.h"

#define OPS 6000u
#define BIT(part) ((sim_perfect)1 << SIM_PART_##part)
#define ALL (((sim_perfect)1 << SIM_PART_UNIT) - 2)

/* --- programs ---------------------------------------------------------------------------------------------------- */

#define BLOCKS 40u
#define BLOCK_OPS 12u

struct block {
	uint64_t pc;
	unsigned n;
	struct sim_op op[BLOCK_OPS];
	unsigned to[2]; /* blocks that follow, if its branch is taken or not */
	unsigned bias;  /* of 16: how often it is taken */
};

static unsigned
pick(uint64_t *seed, unsigned n)
{
	return (unsigned)(test_random(seed) % n);
}

static uint8_t
pick_register(uint64_t *seed, bool fp)
{
	return (uint8_t)((fp ? SIM_FIRST_FP : 0) + pick(seed, 12));
}

/* A µop of an instruction. Loads, stores and the rest in the usual shares. */
static void
draw_op(struct sim_op *o, uint64_t *seed)
{
	static const uint8_t kind[16] = {SIM_OP_ALU, SIM_OP_ALU, SIM_OP_ALU, SIM_OP_ALU, SIM_OP_LOAD, SIM_OP_LOAD,
		SIM_OP_LOAD, SIM_OP_STORE, SIM_OP_STORE, SIM_OP_MUL, SIM_OP_FADD, SIM_OP_FMUL, SIM_OP_FMA, SIM_OP_MOVE,
		SIM_OP_NOP, SIM_OP_ALU};
	bool fp;

	o->kind = kind[pick(seed, 16)];
	if (pick(seed, 64) == 0)
		o->kind = pick(seed, 2) ? SIM_OP_DIV : SIM_OP_FDIV;
	if (pick(seed, 128) == 0)
		o->kind = SIM_OP_ATOMIC;
	fp = o->kind == SIM_OP_FADD || o->kind == SIM_OP_FMUL || o->kind == SIM_OP_FDIV || o->kind == SIM_OP_FMA;
	o->dst = o->kind == SIM_OP_STORE || o->kind == SIM_OP_NOP || pick(seed, 5) == 0 ? SIM_NO_REGISTER
		: pick_register(seed, fp);
	for (int i = 0; i < 3; i++)
		o->src[i] = o->kind == SIM_OP_NOP || pick(seed, 2) ? SIM_NO_REGISTER
			: pick_register(seed, fp && !sim_op_reads(o));
	if (o->kind == SIM_OP_MOVE)
		o->src[1] = o->src[2] = SIM_NO_REGISTER;
}

static void
draw_blocks(struct block *b, uint64_t *seed)
{
	uint64_t pc = 0x400000;

	for (unsigned k = 0; k < BLOCKS; k++, pc += pick(seed, 4) ? 0 : 4096) {
		unsigned branch = pick(seed, 8);
		struct sim_op *last;

		b[k].pc = pc;
		b[k].n = 2 + pick(seed, BLOCK_OPS - 2);
		b[k].to[0] = pick(seed, BLOCKS);
		b[k].to[1] = k + 1 < BLOCKS ? k + 1 : 0;
		b[k].bias = pick(seed, 3) ? 15 : pick(seed, 17);
		for (unsigned i = 0; i < b[k].n; i++) {
			struct sim_op *o = &b[k].op[i];

			*o = (struct sim_op){.pc = pc, .length = (uint8_t)(1 + pick(seed, 8)), .flags = SIM_OP_LAST};
			draw_op(o, seed);
			if (i + 2 < b[k].n && pick(seed, 5) == 0) /* an instruction of several µops */
				o->flags = 0;
			if (i && !(b[k].op[i - 1].flags & SIM_OP_LAST))
				o->pc = b[k].op[i - 1].pc, o->length = b[k].op[i - 1].length;
			pc = o->pc + o->length;
		}
		last = &b[k].op[b[k].n - 1];
		last->kind = SIM_OP_BRANCH;
		last->dst = SIM_NO_REGISTER;
		last->flags = SIM_OP_LAST;
		last->branch = (uint8_t)(branch < 5 || k + 1 == BLOCKS ? SIM_CONDITIONAL : branch == 5 ? SIM_JUMP
			: branch == 6 ? SIM_INDIRECT : SIM_CALL);
		if (k + 1 == BLOCKS)
			last->branch = SIM_JUMP, b[k].to[0] = 0;
	}
}

/* Gives an access its address: of a stride, of a small region, or of a large one. */
static void
draw_address(struct sim_op *o, uint64_t *seed, unsigned i)
{
	static const uint16_t size[] = {8, 8, 8, 4, 1, 2, 16, 32};
	uint64_t region = (o->pc >> 3) % 3;

	o->size = size[pick(seed, 8)];
	o->at = region == 0 ? 0x10000000 + 64 * (uint64_t)i
		: region == 1    ? 0x20000000 + test_random(seed) % 2048
				 : 0x30000000 + test_random(seed) % (1 << 24);
}

/* Returns n µops of a program. */
static struct sim_op *
draw_program(uint64_t seed, size_t n)
{
	struct block *b = mem_new_array(BLOCKS, sizeof *b);
	struct sim_op *op = mem_new_array(n, sizeof *op);
	unsigned block = 0, i = 0;

	draw_blocks(b, &seed);
	for (size_t k = 0; k < n; k++) {
		struct sim_op *o = &op[k];

		*o = b[block].op[i];
		o->next = o->pc + o->length;
		if (sim_op_reads(o) || sim_op_writes(o))
			draw_address(o, &seed, (unsigned)k);
		if (++i < b[block].n)
			continue;
		i = 0;
		if (o->branch == SIM_INDIRECT)
			b[block].to[0] = pick(&seed, 3) ? b[block].to[0] : pick(&seed, BLOCKS);
		if (o->branch != SIM_CONDITIONAL || pick(&seed, 16) < b[block].bias) {
			o->flags |= SIM_OP_TAKEN;
			block = b[block].to[0];
		} else {
			block = b[block].to[1];
		}
		o->next = b[block].pc;
		if (!(o->flags & SIM_OP_TAKEN) && o->next != o->pc + o->length) /* the next block is elsewhere */
			o->flags |= SIM_OP_TAKEN;
	}
	free(b);
	return op;
}

/* --- machines ---------------------------------------------------------------------------------------------------- */

static unsigned
between(uint64_t *seed, unsigned least, unsigned most)
{
	return least + pick(seed, most - least + 1);
}

static void
draw_sizes(struct str *t, uint64_t *seed)
{
	unsigned width = between(seed, 1, 8);

	str_addf(t, "machine drawn; clock 1 GHz; width %u; rob %u; load_queue %u; store_queue %u; ", width,
		width + between(seed, 0, 100), between(seed, 1, 40), between(seed, 1, 40));
	str_addf(t,
		"fetch %u; fetch_branches %u; fetch_taken %u; front_end %u cycles; redirect %u cycles; issue %u; "
		"commit %u; branches %u; forward %u cycles; ",
		between(seed, 1, 16), between(seed, 1, 4), between(seed, 1, 4), between(seed, 1, 20),
		between(seed, 1, 9), between(seed, 1, 12), between(seed, 1, 12), between(seed, 1, 60),
		between(seed, 1, 9));
	if (pick(seed, 2))
		str_addf(t, "window %u; ", width + between(seed, 0, 100));
	if (pick(seed, 2))
		str_addf(t, "scheduler %u; ", between(seed, 1, 60));
	if (pick(seed, 2))
		str_addf(t, "int_registers %u; fp_registers %u; ", width + between(seed, 0, 50),
			width + between(seed, 0, 50));
	if (pick(seed, 2))
		str_addf(t, "banks %u; ", 1u << pick(seed, 5));
	if (pick(seed, 2))
		str_addf(t, "write_back %u; ", between(seed, 1, 4));
	if (pick(seed, 2))
		str_addf(t, "fp_dispatch %u; ", between(seed, 1, 4));
	if (pick(seed, 3) == 0)
		str_addf(t, "stride_prefetch %u entries, ahead %u; ", between(seed, 1, 64), between(seed, 1, 8));
	if (pick(seed, 3) == 0)
		str_add(t, "lookup at fetch; ");
	str_addf(t, "rob_pack %u; ", between(seed, 2, 8));
	switch (pick(seed, 4)) {
	case 0:
		str_add(t, "disambiguation wait; ");
		break;
	case 1:
		str_add(t, "disambiguation blind; ");
		break;
	case 2:
		str_addf(t, "disambiguation blind; store_sets %u entries; ", between(seed, 1, 64));
		break;
	default:
		break;
	}
}

static void
draw_memory(struct str *t, uint64_t *seed)
{
	unsigned l1 = between(seed, 1, 6), l2 = l1 + between(seed, 1, 20), l3 = l2 + between(seed, 1, 50);
	bool third = pick(seed, 3) != 0;

	str_addf(t, "l1i %u KiB, %u ways, 1 cycles; l1 %u KiB, %u ways, %u cycles; l2 %u KiB, %u ways, %u cycles; ",
		1u << pick(seed, 6), 1u << pick(seed, 3), 1u << pick(seed, 6), 1u << pick(seed, 3), l1,
		16u << pick(seed, 5), 1u << pick(seed, 4), l2);
	if (third)
		str_addf(
			t, "l3 %u KiB, 8 ways, %u cycles, %u bytes; ", 256u << pick(seed, 4), l3, 64u << pick(seed, 2));
	str_addf(t, "memory %u cycles; fill_buffers %u; ", l3 + between(seed, 1, 2000), between(seed, 1, 20));
	if (pick(seed, 4))
		str_addf(t,
			"itlb %u entries, 2 ways; dtlb 4k %u entries, 2 ways; walkers %u; mshrs %u; walk_start %u "
			"cycles; "
			"pde 4 entries, 4 ways; ",
			2u << pick(seed, 6), 2u << pick(seed, 6), between(seed, 1, 3), between(seed, 1, 8),
			between(seed, 0, 20));
	str_add(t, "counters 4; fixed 3; may wrong_path, rob_compression, move_elimination, fma_split, sta_std, "
		"nuke_replay, merging; ");
}

static void
draw_units(struct str *t, uint64_t *seed)
{
	static const char *const predictor[] = {"perfect", "bimodal 256 entries", "gshare 256 entries, history 8",
		"hybrid 256 entries, history 8", "tage 8 KiB, history 100"};

	str_addf(t,
		"ports %u alu, mul, branch, move, nop; ports %u div, fdiv, fadd; ports %u fadd, fmul, fma, alu; "
		"ports %u load; ports %u store, atomic, load; ",
		between(seed, 1, 4), between(seed, 1, 2), between(seed, 1, 2), between(seed, 1, 3),
		between(seed, 1, 3));
	str_addf(t, "latency mul %u cycles; latency div %u cycles%s; latency fma %u cycles; latency load %u cycles; ",
		between(seed, 1, 5), between(seed, 1, 40), pick(seed, 2) ? ", blocking" : "", between(seed, 1, 6),
		between(seed, 1, 3));
	str_addf(t, "predictor %s; ", predictor[pick(seed, 5)]);
	if (pick(seed, 2))
		str_addf(t, "btb %u entries, 2 ways; ", 2u << pick(seed, 8));
	if (pick(seed, 2))
		str_addf(t, "returns %u entries; indirect %u entries; ", between(seed, 1, 16), 1u << pick(seed, 8));
}

/* Returns the text of the machine with this seed. */
static char *
draw_machine(uint64_t seed)
{
	struct str t = {0};

	draw_sizes(&t, &seed);
	draw_memory(&t, &seed);
	draw_units(&t, &seed);
	return str_take(&t);
}

static struct sim_machine *
parse(const char *text)
{
	struct diags d = {0};
	struct sim_machine *m = sim_machine_parse("drawn", text, strlen(text), NULL, &d);

	test_check(m != NULL, __FILE__, __LINE__, "%s: %s", text, d.n ? d.item[0].text : "?");
	diags_free(&d);
	return m;
}

/* --- laws -------------------------------------------------------------------------------------------------------- */

struct watched {
	uint64_t cycles, committed, dispatched, issued, next;
	unsigned rob, width, commit;
	bool gap, full;
};

static void
watch(void *ctx, const struct sim_pipe_cycle *c)
{
	struct watched *w = ctx;

	w->gap |= w->next && c->at != w->next;
	w->next = c->at + c->signals.cycles;
	w->cycles += c->signals.cycles;
	w->committed += c->signals.committed;
	w->dispatched += c->signals.dispatched;
	w->issued += c->issued;
	w->full |= c->signals.dispatched > w->width || c->signals.committed > w->commit || c->rob > w->rob ||
		(c->signals.cycles > 1 && (c->signals.dispatched || c->signals.committed || c->issued));
}

/* Runs the µops, cut into pieces of about `piece`. Checks after each that no count has fallen. */
static void
run(struct sim_pipe *p, const struct sim_op *op, size_t n, size_t piece, uint64_t *count)
{
	uint64_t seed = piece;

	memset(count, 0, SIM_N_COUNTS * sizeof *count);
	for (size_t done = 0; done < n;) {
		size_t some = 1 + pick(&seed, (unsigned)(2 * piece));

		some = some < n - done ? some : n - done;
		sim_pipe_run(p, op + done, some);
		done += some;
		for (int i = 0; i < (int)SIM_N_COUNTS; i++)
			if (sim_pipe_counts(p)[i] < count[i])
				test_check(false, __FILE__, __LINE__, "%s falls", sim_event_name((enum sim_event)i));
		memcpy(count, sim_pipe_counts(p), SIM_N_COUNTS * sizeof *count);
	}
	sim_pipe_drain(p);
	memcpy(count, sim_pipe_counts(p), SIM_N_COUNTS * sizeof *count);
}

static uint64_t
sum_of(const uint64_t *count, enum sim_event first)
{
	uint64_t sum = 0;

	for (int i = 0; i < (int)SIM_N_PARTS; i++)
		sum += count[(int)first + i];
	return sum;
}

/* Each slot of dispatch has one cause, and each µop retires once. The events of top-down, counted apart, give the same
 * back end. `n`: µops of the program, all of which committed. */
static void
check_slots(const struct sim_machine *m, size_t n, const uint64_t *c)
{
	uint64_t sum = 0, back_end = 0;

	for (int i = SIM_SLOT_RETIRING; i <= (int)SIM_SLOT_COMMIT; i++) {
		sum += c[i];
		back_end += i >= (int)SIM_SLOT_LOAD_L1 ? c[i] : 0;
	}
	CHECK_INT(sum, m->width * c[SIM_CYCLES]);
	CHECK_INT(back_end, m->width * (c[SIM_CYCLES] - c[SIM_PIPE_RECOVERY]) - c[SIM_PIPE_DISPATCHED] -
		c[SIM_PIPE_UNDELIVERED]);
	CHECK_INT(c[SIM_SLOT_RETIRING], n);
	CHECK(c[SIM_SLOT_RECOVERY] + c[SIM_SLOT_CLEARED] >= m->width * c[SIM_PIPE_RECOVERY]);
	CHECK(c[SIM_SLOT_WRONG_PATH] + c[SIM_SLOT_CLEARED] >= c[SIM_PIPE_DISPATCHED] - n);
	CHECK((c[SIM_SLOT_CLEARED] != 0) <= (c[SIM_PIPE_CLEARS] != 0));
}

/* What the program itself says. */
static void
check_retired(const struct sim_op *op, size_t n, const uint64_t *c)
{
	uint64_t instructions = 0, loads = 0, stores = 0, branches = 0, conditionals = 0;

	for (size_t i = 0; i < n; i++) {
		instructions += op[i].flags & SIM_OP_LAST ? 1 : 0;
		loads += sim_op_reads(&op[i]);
		stores += sim_op_writes(&op[i]);
		branches += op[i].branch != SIM_NO_BRANCH;
		conditionals += op[i].branch == SIM_CONDITIONAL;
	}
	CHECK_INT(c[SIM_PIPE_UOPS], n);
	CHECK_INT(c[SIM_INSTRUCTIONS], instructions);
	CHECK_INT(c[SIM_LOAD_RET], loads);
	CHECK_INT(c[SIM_STORE_RET], stores);
	CHECK_INT(c[SIM_PIPE_BRANCHES], branches);
	CHECK_INT(c[SIM_PIPE_CONDITIONALS], conditionals);
}

/* Counts against each other. */
static void
check_counts(const struct sim_machine *m, sim_plants plants, sim_perfect perfect, size_t n, const uint64_t *c)
{
	static const struct {
		enum sim_event less, more;
	} row[] = {
		{SIM_PIPE_L1D_MISS, SIM_PIPE_L1D_ACCESS}, {SIM_PIPE_L1I, SIM_PIPE_L1I_ACCESS},
		{SIM_PIPE_L2_MISS, SIM_PIPE_L2_ACCESS}, {SIM_PIPE_L3_MISS, SIM_PIPE_L3_ACCESS},
		{SIM_PIPE_PREFETCH_MISS, SIM_PIPE_PREFETCH}, {SIM_PIPE_L2I, SIM_PIPE_L1I}, {SIM_PIPE_L3I, SIM_PIPE_L2I},
		{SIM_PIPE_L1D, SIM_PIPE_L1D_MISS}, {SIM_PIPE_L2D, SIM_PIPE_L1D}, {SIM_PIPE_L3D, SIM_PIPE_L2D},
		{SIM_PIPE_L1I_RETIRED, SIM_PIPE_L1I}, {SIM_PIPE_ITLB_RETIRED, SIM_PIPE_ITLB},
		{SIM_PIPE_L2D_RETIRED, SIM_PIPE_L1D_RETIRED}, {SIM_PIPE_L3D_RETIRED, SIM_PIPE_L2D_RETIRED},
		{SIM_PIPE_L1D_RETIRED, SIM_PIPE_L1D}, {SIM_PIPE_DTLB_RETIRED, SIM_PIPE_DTLB},
		{SIM_PIPE_BRANCH_RETIRED, SIM_PIPE_BRANCHES}, {SIM_PIPE_BRANCH_RETIRED, SIM_PIPE_BRANCH},
		{SIM_PIPE_DISPATCHED, SIM_PIPE_FETCHED}, {SIM_PIPE_ISSUED, SIM_PIPE_DISPATCHED},
		{SIM_PIPE_UOPS, SIM_PIPE_DISPATCHED}, {SIM_PIPE_WRONG_FETCH, SIM_PIPE_FETCHED},
		{SIM_PIPE_EXEC_NONE, SIM_CYCLES}, {SIM_PIPE_LOAD_WAIT, SIM_PIPE_EXEC_NONE},
		{SIM_PIPE_L1D_WAIT, SIM_PIPE_LOAD_WAIT}, {SIM_PIPE_L2D_WAIT, SIM_PIPE_L1D_WAIT},
		{SIM_PIPE_L3D_WAIT, SIM_PIPE_L2D_WAIT}, {SIM_PIPE_DTLB_WAIT, SIM_PIPE_LOAD_WAIT},
		{SIM_PIPE_RECOVERY, SIM_CYCLES}, {SIM_PIPE_NONE_DELIVERED, SIM_CYCLES}, {SIM_PIPE_STORE_FULL,
			SIM_CYCLES},
		{SIM_PIPE_DIV_BUSY, SIM_CYCLES}, {SIM_PIPE_FORWARDED, SIM_PIPE_ISSUED},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		test_check(c[row[i].less] <= c[row[i].more], __FILE__, __LINE__, "%s: %llu of %s: %llu",
			sim_event_name(row[i].less), (unsigned long long)c[row[i].less], sim_event_name(row[i].more),
			(unsigned long long)c[row[i].more]);
	check_slots(m, n, c);
	CHECK(c[SIM_CYCLES] * m->width >= n);
	CHECK(c[SIM_CYCLES] * m->pipe.commit >= n);
	CHECK(c[SIM_CYCLES] * m->pipe.fetch >= c[SIM_INSTRUCTIONS]);
	CHECK(c[SIM_PIPE_UNDELIVERED] <= c[SIM_CYCLES] * m->width);
	CHECK_INT(sum_of(c, SIM_TEA_BASE), c[SIM_CYCLES]);
	CHECK(sum_of(c, SIM_POWER5_BASE) <= c[SIM_CYCLES]);
	CHECK(sum_of(c, SIM_FMT_BASE) <= c[SIM_CYCLES]);
	CHECK_INT(c[SIM_PIPE_BRANCH_RETIRED], c[SIM_BRANCH_MISSES]);
	if (!(plants >> SIM_PLANT_WRONG_PATH & 1))
		CHECK_INT(c[SIM_PIPE_WRONG_FETCH], 0);
	if (!(plants >> SIM_PLANT_WRONG_PATH & 1) && !c[SIM_PIPE_CLEARS]) {
		CHECK_INT(c[SIM_PIPE_FETCHED], n);
		CHECK_INT(c[SIM_PIPE_DISPATCHED], n);
		if (!(perfect >> SIM_PART_L1D & 1)) /* atomics are one access */
			CHECK(c[SIM_PIPE_L1D_ACCESS] <= c[SIM_LOAD_RET] + c[SIM_STORE_RET]);
	}
}

#define SEEDS 40u

static void
laws(void)
{
	uint64_t seed = 7;

	for (unsigned k = 0; k < test_rounds(SEEDS, 30 * SEEDS); k++) {
		uint64_t of_machine = test_random(&seed), of_program = test_random(&seed);
		char *text = draw_machine(of_machine);
		struct sim_machine *m = parse(text);
		struct sim_op *op = draw_program(of_program, OPS);
		sim_plants plants = m ? (sim_plants)test_random(&seed) & m->may : 0;
		sim_perfect perfect = k % 3 ? 0 : (sim_perfect)test_random(&seed) & ALL;
		uint64_t first[SIM_N_COUNTS], again[SIM_N_COUNTS];

		for (unsigned i = 0; i < 3 && m; i++) {
			static const size_t piece[] = {OPS, 100, 1};
			struct sim_pipe *p = sim_pipe_new(m, plants, perfect);
			struct watched w = {
				.rob = m->rob * (plants >> SIM_PLANT_ROB_COMPRESSION & 1 ? m->pipe.rob_pack : 1),
				.width = m->width,
				.commit = m->pipe.commit};

			test_label("%u, cut %u: plants %x, perfect %x, %s", k, i, plants, perfect, text);
			if (i == 1)
				sim_pipe_watch(p, watch, &w);
			run(p, op, OPS, piece[i], i ? again : first);
			if (i == 0) {
				check_retired(op, OPS, first);
				check_counts(m, plants, perfect, OPS, first);
			} else {
				for (int e = 0; e < (int)SIM_N_COUNTS; e++)
					if (first[e] != again[e]) {
						test_check(false, __FILE__, __LINE__, "%s is %llu, at first %llu",
							sim_event_name((enum sim_event)e), (unsigned long long)again[e],
							(unsigned long long)first[e]);
						break;
					}
			}
			if (i == 1) {
				CHECK(!w.gap && !w.full);
				CHECK_INT(w.cycles, again[SIM_CYCLES]);
				CHECK_INT(w.committed, OPS);
				CHECK_INT(w.dispatched, again[SIM_PIPE_DISPATCHED]);
				CHECK(w.issued <= again[SIM_PIPE_ISSUED]); /* the former: of the right path */
				if (!again[SIM_PIPE_WRONG_FETCH])
					CHECK_INT(w.issued, again[SIM_PIPE_ISSUED]);
			}
			sim_pipe_free(p);
		}
		sim_machine_free(m);
		free(op);
		free(text);
	}
}

/* All installed programs, on the core that is and on one with more that can be full. */
static void
every_program_has_a_cause_for_each_slot(void)
{
	static const char *const changes[] = {NULL, "fp_dispatch 1; window 90; int_registers 40; disambiguation blind"};
	struct sim_op *op = mem_new_array(OPS, sizeof *op);
	struct err e = {0};

	for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
		struct sim_machine *m = bed_core(changes[k]);

		for (size_t i = 0; m && sim_program_name(i); i++) {
			struct sim_stream *s = sim_program_new(sim_program_name(i), 1, &e);
			struct sim_pipe *p = sim_pipe_new(m, m->has, 0);
			uint64_t count[SIM_N_COUNTS];
			size_t n = s ? sim_stream_fill(s, op, OPS, &e) : 0;

			test_label("%s, %s", sim_program_name(i), changes[k] ? changes[k] : "core");
			if (CHECK(n && n <= OPS)) {
				run(p, op, n, n, count);
				check_slots(m, n, count);
			}
			sim_pipe_free(p);
			sim_stream_free(s);
		}
		sim_machine_free(m);
	}
	free(op);
}

#define LINES ((OPS + 255) / 256)

/* A very wide machine, and instructions of many µops: a cycle fetches hundreds of them. */
static void
wide_fetch_does_not_see_cuts(void)
{
	static const char text[] =
		"machine wide; clock 1 GHz; width 64; rob 2000; load_queue 32; store_queue 32; fetch 64; "
		"fetch_buffer 4000; front_end 5 cycles; ports 64 alu, mul, div, fadd, fmul, fdiv, fma, branch, move, "
		"nop, load, store, atomic; predictor perfect; l1i 1 KiB, 1 ways, 1 cycles; l1 1 KiB, 1 ways, 3 cycles; "
		"l2 4 KiB, 2 ways, 12 cycles; memory 200 cycles; fill_buffers 8; counters 4; fixed 3;";
	static const size_t piece[] = {1, 13, 169, 2197, OPS};
	struct sim_machine *m = parse(text);
	struct sim_op *op = mem_new_array(OPS, sizeof *op);

	for (unsigned i = 0; i < OPS; i++)
		op[i] = (struct sim_op){.pc = 0x1000 + i / 16 * 4, .next = 0x1004 + i / 16 * 4, .length = 4,
			.flags = i % 16 == 15 ? SIM_OP_LAST : 0, .dst = SIM_NO_REGISTER,
			.src = {SIM_NO_REGISTER, SIM_NO_REGISTER, SIM_NO_REGISTER}};
	for (size_t i = 0; m && i < sizeof piece / sizeof *piece; i++) {
		struct sim_pipe *p = sim_pipe_new(m, m->has, ALL & ~BIT(L1I));
		uint64_t count[SIM_N_COUNTS];

		test_label("pieces of %zu", piece[i]);
		run(p, op, OPS, piece[i], count);
		CHECK_INT(count[SIM_PIPE_L1I], LINES);
		/* Each line has 256 µops, which are fetched in one cycle, and dispatched in 4. The next line is
		 * requested in the cycle of their fetch, and there 9 cycles later. */
		CHECK_INT(count[SIM_CYCLES], LINES * 9 + 8 + (OPS % 256 + 63) / 64 - 1);
		sim_pipe_free(p);
	}
	free(op);
	sim_machine_free(m);
}

/* Each perfect structure has no misses, and with all of them the rest never waits for one. */
static void
perfect_structures_have_no_misses(void)
{
	static const struct {
		sim_perfect perfect;
		enum sim_event none;
	} row[] = {
		{BIT(BRANCH), SIM_PIPE_BRANCH}, {BIT(BRANCH), SIM_PIPE_BRANCH_RETIRED}, {BIT(L1I), SIM_PIPE_L1I},
		{BIT(L1I), SIM_PIPE_L1I_ACCESS}, {BIT(L2I), SIM_PIPE_L2I}, {BIT(L3I), SIM_PIPE_L3I}, {BIT(ITLB),
			SIM_PIPE_ITLB},
		{BIT(L1D), SIM_PIPE_L1D_MISS}, {BIT(L1D), SIM_PIPE_L1D}, {BIT(L1D), SIM_PIPE_L1D_ACCESS},
		{BIT(L2D), SIM_PIPE_L2D}, {BIT(L3D), SIM_PIPE_L3D}, {BIT(DTLB), SIM_PIPE_DTLB},
		{BIT(DTLB), SIM_PIPE_DTLB_RETIRED}, {ALL, SIM_PIPE_L2_ACCESS}, {ALL, SIM_PIPE_L1I_WAIT},
		{ALL, SIM_PIPE_L1D_WAIT}, {ALL, SIM_PIPE_RECOVERY},
	};
	static const char text[] =
		"machine m; clock 1 GHz; width 4; rob 64; load_queue 32; store_queue 32; fetch 8; front_end 5 cycles; "
		"ports 4 alu, mul, div, fadd, fmul, fdiv, fma, branch, move, nop; ports 3 load, store, atomic; "
		"predictor gshare 256 entries, history 8; indirect 8 entries; l1i 1 KiB, 1 ways, 1 cycles; "
		"l1 1 KiB, 1 ways, 3 cycles; l2 4 KiB, 2 ways, 12 cycles; l3 64 KiB, 4 ways, 30 cycles; memory 200 "
		"cycles; "
		"fill_buffers 8; itlb 4 entries, 2 ways; dtlb 4k 8 entries, 2 ways; walkers 1; mshrs 4; walk_start 5 "
		"cycles; "
		"counters 4; fixed 3; has wrong_path;";
	struct sim_machine *m = parse(text);
	struct sim_op *op = draw_program(5, OPS);

	for (size_t i = 0; m && i < sizeof row / sizeof *row; i++) {
		struct sim_pipe *all = sim_pipe_new(m, m->has, 0), *p = sim_pipe_new(m, m->has, row[i].perfect);
		uint64_t before[SIM_N_COUNTS], after[SIM_N_COUNTS];

		test_label("%s", sim_event_name(row[i].none));
		run(all, op, OPS, OPS, before);
		run(p, op, OPS, OPS, after);
		CHECK(before[row[i].none] > 0);
		CHECK_INT(after[row[i].none], 0);
		/* Wrong paths may bring lines that the right path needs, so a hundredth is granted. */
		test_check(after[SIM_CYCLES] * 100 < before[SIM_CYCLES] * 101, __FILE__, __LINE__,
			"%llu cycles, with misses %llu", (unsigned long long)after[SIM_CYCLES],
			(unsigned long long)before[SIM_CYCLES]);
		sim_pipe_free(all);
		sim_pipe_free(p);
	}
	free(op);
	sim_machine_free(m);
}

TEST_MAIN(CASE(laws), CASE(every_program_has_a_cause_for_each_slot), CASE(wide_fetch_does_not_see_cuts),
	CASE(perfect_structures_have_no_misses))
