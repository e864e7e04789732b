/* ChampSim's traces: a record of 64 bytes for each instruction of an x86 program, little-endian, without a header
 * (ChampSim's inc/trace_instruction.h, struct input_instr, as its Pin tool writes it):
 *
 *	 0  ip                       8 bytes
 *	 8  is_branch, branch_taken  1 each, 0 or 1
 *	10  destination registers    2 × 1, 0: none; numbered as Pin does: 6 is the stack pointer, 25 flags, 26 ip
 *	12  source registers         4 × 1
 *	16  destination memory       2 × 8, addresses, 0: none
 *	32  source memory            4 × 8
 *
 * Branches are classified by the registers that they read and write, as ChampSim does (its inc/instruction.h, in the
 * version with conditional branches that read a register instead of the flags). The rest of a record is less than a
 * pipeline needs. What it leaves open is decided here:
 *
 *   kind      All that computes is SIM_OP_ALU. With registers from 64 on it is SIM_OP_FADD.
 *   µops      One instruction is its loads, what it computes, its stores, its branch. A load writes a destination
 *             register itself if no flags are written and no vector register is read. Otherwise one µop per
 *             destination register computes; the flags are another name of what the first of them writes. In
 *             instructions that access memory, the stack pointer is written for free, as by x86's stack engine
 *             (Fog, The microarchitecture of Intel, AMD and VIA CPUs, "Stack engine").
 *   store     Vector registers are data. Of several others the last is data. The record does not say.
 *   size      8 bytes, but never beyond a line of 64.
 *   length    The distance to the next record's ip, if the branch was not taken. Of taken branches it is learned: from
 *             when they are not taken, and of calls from the address to which the callee returns. Until then calls
 *             have 5 bytes, other branches 2, and returns 1.
 *   registers Those of Pin up to 63 are integer registers here. The others are vector registers; above 127 two
 *             share one. */
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "sim/trace/places.h"
#include "sim/trace/reader.h"

#define RECORD_BYTES ((size_t)64)
#define N_DST 2
#define N_SRC 4
#define PIN_SP 6
#define PIN_FLAGS 25
#define PIN_IP 26
/* registers that hold loaded values for the other µops of an instruction: Pin uses neither for data */
#define TEMP_A 0
#define TEMP_B PIN_IP
#define LONGEST 15 /* bytes of the longest instruction of x86 (Intel's manual, volume 2, 2.3.11) */
#define CALLS 64   /* calls whose return is awaited */

struct champ_instr {
	uint64_t pc, load[N_SRC], store[N_DST];
	uint8_t dst[N_DST], src[N_SRC];           /* without zeros and ip, of dst also without flags */
	uint8_t n_dst, n_src, n_load, n_store;
	bool writes_flags;
	uint8_t branch;
	bool taken;
};

struct champsim {
	struct sim_op_reader reader;
	struct champ_instr held;  /* waits for the next record, which shows where it went */
	bool holds, failed;
	uint8_t flags;            /* the register in which flags are, or SIM_NO_REGISTER */
	struct sim_places *lengths;
	uint64_t call[CALLS];     /* addresses of the last calls, a ring */
	size_t n_calls;
	struct err e;
};

static struct sim_op_reader *
champsim_new(void)
{
	struct champsim *c = mem_new(sizeof *c);

	c->flags = PIN_FLAGS;
	c->lengths = sim_places_new();
	return &c->reader;
}

static void
champsim_free(struct sim_op_reader *r)
{
	struct champsim *c = (struct champsim *)r;

	sim_places_free(c->lengths);
	free(c);
}

static uint8_t
register_of(uint8_t pin)
{
	return pin < SIM_FIRST_FP ? pin : (uint8_t)(SIM_FIRST_FP + pin % (SIM_REGISTERS - SIM_FIRST_FP));
}

static bool
is_vector(uint8_t r)
{
	return r >= SIM_FIRST_FP && r != SIM_NO_REGISTER;
}

/* What a record reads and writes, as far as ChampSim's classification goes. */
struct champ_use {
	bool reads_sp, reads_flags, reads_ip, reads_other, writes_sp, writes_ip;
};

static struct champ_use
use_of(const uint8_t *record)
{
	struct champ_use u = {0};

	for (int i = 0; i < N_DST; i++) {
		u.writes_sp |= record[10 + i] == PIN_SP;
		u.writes_ip |= record[10 + i] == PIN_IP;
	}
	for (int i = 0; i < N_SRC; i++) {
		uint8_t r = record[12 + i];

		u.reads_sp |= r == PIN_SP;
		u.reads_flags |= r == PIN_FLAGS;
		u.reads_ip |= r == PIN_IP;
		u.reads_other |= r && r != PIN_SP && r != PIN_FLAGS && r != PIN_IP;
	}
	return u;
}

/* Returns the kind of branch. Those that ChampSim calls "other" (loop, system calls) may be taken or not, so they are
 * conditional here. */
static enum sim_branch
branch_of(const struct champ_use *use)
{
	bool calls = use->reads_sp && use->reads_ip && use->writes_sp && !use->reads_flags;

	if (!use->writes_ip)
		return SIM_NO_BRANCH;
	if (!use->reads_sp && !use->reads_flags && !use->reads_other)
		return SIM_JUMP;
	if (!use->reads_sp && !use->reads_ip && !use->reads_flags)
		return SIM_INDIRECT;
	if (calls)
		return use->reads_other ? SIM_INDIRECT_CALL : SIM_CALL;
	if (use->reads_sp && !use->reads_ip && use->writes_sp)
		return SIM_RETURN;
	return SIM_CONDITIONAL;
}

static bool
champ_broken(uint64_t offset, const char *why, struct err *e)
{
	err_set(e, "byte %llu of the trace: %s", (unsigned long long)offset, why);
	return err_hint(e, "records of ChampSim have 64 bytes, without a header; check that the file is such a trace, "
		"and whole");
}

/* Collects the addresses that are not 0. Returns their number; −1: one of them is not canonical. */
static int
addresses_of(const uint8_t *from, int n, uint64_t *out)
{
	int k = 0;

	for (int i = 0; i < n; i++) {
		out[k] = sim_le64(from + 8 * i);
		if (out[k] == 0)
			continue;
		if (!sim_fold_address(&out[k]) || out[k] == 0)
			return -1;
		k++;
	}
	return k;
}

static bool
decode_record(const uint8_t *record, uint64_t offset, struct champ_instr *instr, struct err *e)
{
	struct champ_use use = use_of(record);
	int loads, stores;

	*instr = (struct champ_instr){.pc = sim_le64(record)};
	if (record[8] > 1 || record[9] > 1)
		return champ_broken(offset + 8, "is_branch and branch_taken must be 0 or 1", e);
	if (record[9] && !record[8])
		return champ_broken(offset + 9, "a branch is taken, but this instruction is none", e);
	if (!sim_fold_address(&instr->pc) || instr->pc == 0)
		return champ_broken(offset, "no instruction has such an address; addresses have 48 bits", e);
	stores = addresses_of(record + 16, N_DST, instr->store);
	loads = addresses_of(record + 32, N_SRC, instr->load);
	if (stores < 0 || loads < 0)
		return champ_broken(offset + (stores < 0 ? 16 : 32),
			"an address of data has more than 48 bits, and is not one of the kernel", e);
	instr->n_store = (uint8_t)stores;
	instr->n_load = (uint8_t)loads;
	for (int k = 0; k < N_DST; k++) {
		uint8_t r = record[10 + k];

		instr->writes_flags |= r == PIN_FLAGS;
		if (r && r != PIN_IP && r != PIN_FLAGS && !(r == PIN_SP && loads + stores))
			instr->dst[instr->n_dst++] = register_of(r);
	}
	for (int k = 0; k < N_SRC; k++)
		if (record[12 + k] && record[12 + k] != PIN_IP)
			instr->src[instr->n_src++] = register_of(record[12 + k]);
	instr->branch = (uint8_t)branch_of(&use);
	instr->taken = instr->branch && (instr->branch != SIM_CONDITIONAL || record[9]);
	return true;
}

/* Remembers the length of a branch that cannot be seen when it is taken. */
static void
learn_length(struct champsim *c, uint64_t pc, uint64_t end)
{
	struct sim_place *p;

	if (end <= pc || end - pc > LONGEST || !(p = sim_places_add(c->lengths, pc)))
		return;
	p->length = (uint8_t)(end - pc);
}

/* Learns how long the call was to which this return leads. Calls that it skips have been left by other means. */
static void
learn_call(struct champsim *champsim, uint64_t to)
{
	size_t least = champsim->n_calls < CALLS ? 0 : champsim->n_calls - CALLS;

	for (size_t k = champsim->n_calls; k > least; k--) {
		uint64_t pc = champsim->call[(k - 1) % CALLS];

		if (to > pc && to - pc <= LONGEST) {
			learn_length(champsim, pc, to);
			champsim->n_calls = k - 1;
			return;
		}
	}
}

static uint8_t
length_of(struct champsim *champsim, const struct champ_instr *instr, uint64_t next)
{
	static const uint8_t usual[SIM_N_BRANCHES] = {[SIM_NO_BRANCH] = 4, [SIM_CONDITIONAL] = 2, [SIM_JUMP] = 2,
		[SIM_INDIRECT] = 2, [SIM_CALL] = 5, [SIM_INDIRECT_CALL] = 2, [SIM_RETURN] = 1};
	const struct sim_place *known;

	if (!instr->taken && next > instr->pc && next - instr->pc <= LONGEST) {
		if (instr->branch)
			learn_length(champsim, instr->pc, next);
		return (uint8_t)(next - instr->pc);
	}
	known = instr->branch ? sim_places_find(champsim->lengths, instr->pc) : NULL;
	return known ? known->length : usual[instr->branch];
}

/* The µops of one instruction while they are made. */
struct champ_crack {
	struct sim_op *out;
	int n;
	const struct champ_instr *of;
	struct sim_op like;
};

static struct sim_op *
add_op(struct champ_crack *k, enum sim_op_kind kind)
{
	struct sim_op *o = &k->out[k->n++];

	*o = k->like;
	o->kind = (uint8_t)kind;
	return o;
}

static struct sim_op *
add_access(struct champ_crack *k, enum sim_op_kind kind, uint64_t at)
{
	struct sim_op *o = add_op(k, kind);
	uint64_t left = 64 - at % 64;

	o->at = at;
	o->size = (uint16_t)(left < 8 ? left : 8);
	return o;
}

static uint8_t
read_register(const struct champsim *c, uint8_t r)
{
	return r == PIN_FLAGS ? c->flags : r;
}

/* Puts the registers that make an address into src[0] and src[1]: not those of vectors, and not the flags. If the
 * instruction computes, registers that it also writes are operands, unless there are no others. */
static void
set_address(struct champ_crack *crack, struct sim_op *op, bool computes, size_t most)
{
	size_t n = 0;

	for (int pass = computes ? 0 : 1; pass < 2 && !n; pass++)
		for (int s = 0; s < crack->of->n_src && n < most; s++) {
			uint8_t r = crack->of->src[s];
			bool written = false;

			for (int d = 0; d < crack->of->n_dst; d++)
				written |= crack->of->dst[d] == r;
			if (!is_vector(r) && r != PIN_FLAGS && (pass || !written))
				op->src[n++] = r;
		}
}

static void
add_loads(struct champ_crack *k, bool computes)
{
	for (int l = 0; l < k->of->n_load; l++) {
		struct sim_op *o = add_access(k, SIM_OP_LOAD, k->of->load[l]);

		set_address(k, o, computes, 3);
		if (computes || k->of->n_store || k->of->branch)
			o->dst = l % 2 ? TEMP_B : TEMP_A;
		else if (l < k->of->n_dst)
			o->dst = k->of->dst[l];
	}
}

/* Makes the operands of what the instruction computes: the loaded values first. */
static void
set_operands(const struct champsim *c, const struct champ_crack *k, struct sim_op *o)
{
	size_t n = 0;

	if (k->of->n_load)
		o->src[n++] = TEMP_A;
	if (k->of->n_load > 1)
		o->src[n++] = TEMP_B;
	for (int s = 0; s < k->of->n_src && n < 3; s++)
		o->src[n++] = read_register(c, k->of->src[s]);
}

static void
add_computing(struct champsim *champsim, struct champ_crack *crack)
{
	const struct champ_instr *instr = crack->of;
	uint8_t flags = champsim->flags;

	for (int d = 0; d < (instr->n_dst ? instr->n_dst : 1); d++) {
		uint8_t dst = instr->n_dst ? instr->dst[d] : instr->writes_flags ? PIN_FLAGS : SIM_NO_REGISTER;
		bool vector = dst == SIM_NO_REGISTER ? instr->n_src && is_vector(instr->src[0]) : is_vector(dst);
		struct sim_op *op = add_op(crack, vector ? SIM_OP_FADD : SIM_OP_ALU);

		set_operands(champsim, crack, op);
		op->dst = dst;
		if (!instr->n_dst && !instr->n_src && !instr->writes_flags && !instr->n_load)
			op->kind = SIM_OP_NOP;
		if (d == 0 && instr->writes_flags)
			flags = dst;
	}
	champsim->flags = flags;
}

static void
add_stores(struct champsim *champsim, struct champ_crack *crack, bool computes)
{
	const struct champ_instr *instr = crack->of;
	uint8_t data = SIM_NO_REGISTER;
	size_t plain = 0;

	for (int s = 0; s < instr->n_src; s++) {
		plain += !is_vector(instr->src[s]) && instr->src[s] != PIN_FLAGS;
		if (is_vector(instr->src[s]) || (plain > 1 && instr->src[s] != PIN_SP && !is_vector(data)))
			data = read_register(champsim, instr->src[s]);
	}
	if (computes && instr->n_load)
		data = instr->n_dst ? instr->dst[0] : instr->writes_flags ? PIN_FLAGS : TEMP_A;
	else if (instr->n_load)
		data = TEMP_A;
	for (int s = 0; s < instr->n_store; s++) {
		struct sim_op *op = add_access(crack, SIM_OP_STORE, instr->store[s]);

		set_address(crack, op, true, 2);
		if (op->src[1] == data)
			op->src[1] = SIM_NO_REGISTER;
		op->src[2] = instr->branch ? SIM_NO_REGISTER : data; /* a call stores its own address */
	}
}

static int
crack(struct champsim *champsim, const struct champ_instr *instr, uint64_t next, struct sim_op *out)
{
	struct champ_crack k = {.out = out,
		.of = instr,
		.like = {.pc = instr->pc,
			.next = next,
			.dst = SIM_NO_REGISTER,
			.src = {SIM_NO_REGISTER, SIM_NO_REGISTER, SIM_NO_REGISTER},
			.length = length_of(champsim, instr, next)}};
	bool reads_vector = false, computes;

	for (int s = 0; s < instr->n_src; s++)
		reads_vector |= is_vector(instr->src[s]);
	computes = !instr->branch &&
		(instr->writes_flags || (!instr->n_load && !instr->n_store) ||
			(instr->n_load && !instr->n_store &&
				(instr->n_dst > instr->n_load || (instr->n_dst && reads_vector))) ||
			(instr->n_store && instr->n_dst));
	if (champsim->flags != PIN_FLAGS && champsim->flags != SIM_NO_REGISTER && !instr->writes_flags)
		for (int d = 0; d < instr->n_dst; d++)
			if (instr->dst[d] == champsim->flags)
				/* overwritten: they were ready long ago, as far as is known */
				champsim->flags = SIM_NO_REGISTER;
	add_loads(&k, computes);
	if (computes)
		add_computing(champsim, &k);
	add_stores(champsim, &k, computes);
	if (instr->branch) {
		struct sim_op *op = add_op(&k, SIM_OP_BRANCH);

		set_operands(champsim, &k, op);
		op->dst = instr->n_dst ? instr->dst[0] : SIM_NO_REGISTER;
		op->branch = instr->branch;
		op->flags = instr->taken ? SIM_OP_TAKEN : 0;
		champsim->reader.facts.branches++;
		champsim->reader.facts.taken += instr->taken;
	}
	k.out[k.n - 1].flags |= SIM_OP_LAST;
	champsim->reader.facts.instructions++;
	return k.n;
}

/* Lets the held instruction go, now that its successor is known. */
static int
let_go(struct champsim *champsim, uint64_t next, struct sim_op *out)
{
	const struct champ_instr *instr = &champsim->held;
	int n;

	if (instr->branch == SIM_CALL || instr->branch == SIM_INDIRECT_CALL)
		champsim->call[champsim->n_calls++ % CALLS] = instr->pc;
	else if (instr->branch == SIM_RETURN)
		learn_call(champsim, next);
	n = crack(champsim, instr, next, out);
	champsim->holds = false;
	return n;
}

/* The last instruction has no successor: it is taken to go on. */
static int
let_last_go(struct champsim *c, struct sim_op *out)
{
	int n = let_go(c, c->held.pc, out);

	for (int k = 0; k < n; k++)
		out[k].next = out[k].pc + out[k].length;
	return n;
}

static bool
read_record(struct champsim *c, struct sim_input *in, struct champ_instr *now)
{
	if (in->n >= RECORD_BYTES)
		return decode_record(in->at, in->offset, now, &c->e);
	err_set(&c->e, "the trace ends inside a record: the one at byte %llu has %zu bytes, not 64",
		(unsigned long long)in->offset, in->n);
	return err_hint(&c->e, "copy or uncompress the trace again, or cut it at a multiple of 64 bytes");
}

static int
champsim_take(struct sim_op_reader *reader, struct sim_input *in, struct sim_op *out, struct err *e)
{
	struct champsim *champsim = (struct champsim *)reader;

	for (;;) {
		struct champ_instr now;
		int n = 0;

		if (champsim->failed) {
			*e = champsim->e;
			return -1;
		}
		if (in->n < RECORD_BYTES && !in->ended)
			return 0;
		if (!in->n)
			return champsim->holds ? let_last_go(champsim, out) : 0;
		champsim->failed = !read_record(champsim, in, &now);
		if (champsim->holds)
			n = champsim->failed ? let_last_go(champsim, out) : let_go(champsim, now.pc, out);
		if (!champsim->failed) {
			sim_input_skip(in, RECORD_BYTES);
			champsim->held = now;
			champsim->holds = true;
		}
		if (n)
			return n;
	}
}

static bool
champsim_fits(const uint8_t *bytes, size_t n)
{
	struct champ_instr i;

	for (size_t k = 0; k + RECORD_BYTES <= n; k += RECORD_BYTES)
		if (!decode_record(bytes + k, k, &i, NULL))
			return false;
	return n >= RECORD_BYTES;
}

const struct sim_op_reader_ops sim_champsim_reader = {
	.name = "champsim", .new = champsim_new, .free = champsim_free, .take = champsim_take, .fits = champsim_fits,
};
