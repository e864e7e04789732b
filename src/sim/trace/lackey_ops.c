/* µops of lackey's text. It has the addresses and lengths of instructions and their accesses, but neither registers nor
 * what instructions do. Branches are reconstructed. An instruction transfers control if the next one is not at its end:
 *
 *   the next instruction is itself    a repeated string instruction (rep movs …), which is no branch
 *   it stores 8 bytes last            a call: it pushes the return address. Indirect if it also loads, or has fewer
 *                                     than 5 bytes, because a call with an address in it has 5 or more
 *   it loads 8 bytes and no more      a return if it has 1 byte, or up to 3 and the target is the end of an earlier
 *                                     call; otherwise an indirect jump
 *   any other access                  no branch: a signal or a switch of threads came after it
 *   no access, 5 bytes                a jump (opcode E9)
 *   no access, 3 bytes                an indirect jump (FF /4 with a prefix)
 *   no access, 1 or over 7 bytes      no branch, as above
 *   no access, other lengths          a conditional branch. But an indirect jump if it leads to another target as often
 *                                     as to its first, or has 2 bytes and the first is farther away than 128 bytes
 *
 * The lengths are those of x86-64 (Intel's manual, volume 2, CALL, JMP, Jcc, RET). On other architectures calls and
 * returns without accesses look like conditional branches and jumps.
 *
 * What was seen to transfer control is remembered per address, and is a branch from then on. A conditional branch that
 * falls through is not taken; before it is first taken it looks like any other instruction, and is SIM_OP_ALU. An
 * indirect jump that falls through has jumped to the next instruction. But it never was a branch if it falls through
 * FALLS_MAX times as often as not, and neither was a direct jump, a call or a return that falls through.
 *
 * One instruction is its loads, an SIM_OP_ALU between load and store if both are at one place ('M'), its stores, and
 * its branch; SIM_OP_ALU if it has nothing of that. Only what happens inside an instruction depends on something. */
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "sim/trace/lackey.h"
#include "sim/trace/places.h"
#include "sim/trace/reader.h"

#define ACCESSES_MAX 64 /* of an instruction: XSAVE has about 40 in valgrind's code */
#define TEMP 0          /* holds what an instruction loads for its other µops */
#define X86_MAX 15

#define FALLS_MAX 4
#define TRANSFERS_MAX 60 /* as many are counted */

enum place_state { PLACE_FORGET = 1, PLACE_ANYWHERE = 2 }; /* no branch after all; several targets */

struct lackey_instr {
	uint64_t pc;
	uint32_t length;
	int n, loads, stores, changes;
	struct sim_lackey_record access[ACCESSES_MAX];
};

struct lackey_ops {
	struct sim_op_reader reader;
	struct sim_lackey lines;
	struct lackey_instr held; /* waits for the next instruction */
	bool holds, failed;
	struct sim_places *branches, *ends; /* by their addresses; ends of calls */
	struct err e;
};

static struct sim_op_reader *
lackey_new(void)
{
	struct lackey_ops *l = mem_new(sizeof *l);

	l->branches = sim_places_new();
	l->ends = sim_places_new();
	return &l->reader;
}

static void
lackey_free(struct sim_op_reader *r)
{
	struct lackey_ops *l = (struct lackey_ops *)r;

	sim_places_free(l->branches);
	sim_places_free(l->ends);
	free(l);
}

/* The kind of a branch that accesses memory. */
static enum sim_branch
kind_by_accesses(const struct lackey_ops *l, const struct lackey_instr *i, uint64_t next)
{
	const struct sim_lackey_record *last = &i->access[i->n - 1];

	if (i->changes || last->size != 8 || i->n > 2 || i->stores > 1 || i->loads > 1)
		return SIM_NO_BRANCH;
	if (last->what == 'S')
		return i->loads || i->length < 5 ? SIM_INDIRECT_CALL : SIM_CALL;
	if (i->stores)
		return SIM_NO_BRANCH;
	return i->length == 1 || (i->length <= 3 && sim_places_find(l->ends, next)) ? SIM_RETURN : SIM_INDIRECT;
}

static enum sim_branch
kind_by_length(const struct lackey_instr *instr, uint64_t next)
{
	int64_t distance = (int64_t)(next - (instr->pc + instr->length));

	switch (instr->length) {
	case 2:
		return distance >= -128 && distance < 128 ? SIM_CONDITIONAL : SIM_INDIRECT;
	case 3:
		return SIM_INDIRECT;
	case 4:
	case 6:
	case 7:
		return SIM_CONDITIONAL;
	case 5:
		return SIM_JUMP;
	default:
		return SIM_NO_BRANCH;
	}
}

/* Votes for the one target of a conditional branch. valgrind switches threads at branches, so a single other target
 * proves nothing, but as many others as before do. */
static void
learn_target(struct sim_place *p, uint64_t next)
{
	if (!p->target)
		p->target = next;
	if (p->target == next && p->same < TRANSFERS_MAX)
		p->same++;
	else if (p->target != next && p->same)
		p->same--;
	if (!p->same)
		p->state |= PLACE_ANYWHERE;
}

/* Learns from a transfer of control. Returns the kind of branch. */
static enum sim_branch
learn_transfer(struct lackey_ops *ops, const struct lackey_instr *instr, uint64_t next)
{
	struct sim_place *place = sim_places_find(ops->branches, instr->pc);
	enum sim_branch kind = instr->n ? kind_by_accesses(ops, instr, next) : kind_by_length(instr, next);

	if (place && place->state & PLACE_FORGET)
		return SIM_NO_BRANCH;
	if (kind == SIM_NO_BRANCH)
		return kind;
	if (kind == SIM_CALL || kind == SIM_INDIRECT_CALL)
		sim_places_add(ops->ends, instr->pc + instr->length);
	if (!place && !(place = sim_places_add(ops->branches, instr->pc)))
		return kind;
	learn_target(place, next);
	if (!instr->n && instr->length != 5 && instr->length != 3)
		kind = place->state & PLACE_ANYWHERE       ? SIM_INDIRECT
			: place->branch == SIM_CONDITIONAL ? SIM_CONDITIONAL
							   : kind;
	if (place->transfers < TRANSFERS_MAX)
		place->transfers++;
	place->falls = 0;
	place->branch = (uint8_t)kind;
	return kind;
}

/* Learns from an instruction that goes on to the next one. Returns the kind of branch. */
static enum sim_branch
learn_fall_through(struct lackey_ops *ops, const struct lackey_instr *instr)
{
	struct sim_place *place = sim_places_find(ops->branches, instr->pc);

	if (!place || place->state & PLACE_FORGET)
		return SIM_NO_BRANCH;
	if (place->branch == SIM_CONDITIONAL)
		return SIM_CONDITIONAL;
	place->falls++;
	if (place->branch == SIM_INDIRECT && place->falls <= FALLS_MAX * place->transfers)
		return SIM_INDIRECT;
	place->state |= PLACE_FORGET;
	return SIM_NO_BRANCH;
}

static struct sim_op *
access_op(struct sim_op *out, const struct sim_op *like, enum sim_op_kind kind, const struct sim_lackey_record *r)
{
	*out = *like;
	out->kind = (uint8_t)kind;
	if (r) {
		out->at = r->at;
		out->size = (uint16_t)(r->size < UINT16_MAX ? r->size : UINT16_MAX);
	}
	return out + 1;
}

/* Makes the µops of the accesses. Returns the end. */
static struct sim_op *
crack_accesses(const struct lackey_instr *instr, const struct sim_op *like, struct sim_op *op)
{
	struct sim_op from_temp = *like, to_temp = *like, through = *like;

	to_temp.dst = through.dst = through.src[0] = TEMP;
	from_temp.src[2] = TEMP;
	for (int k = 0; k < instr->n; k++) {
		const struct sim_lackey_record *record = &instr->access[k];

		if (record->what == 'L') {
			op = access_op(op, &to_temp, SIM_OP_LOAD, record);
		} else if (record->what == 'S') {
			op = access_op(op, instr->loads ? &from_temp : like, SIM_OP_STORE, record);
		} else {
			op = access_op(op, &to_temp, SIM_OP_LOAD, record);
			op = access_op(op, &through, SIM_OP_ALU, NULL);
			op = access_op(op, &from_temp, SIM_OP_STORE, record);
		}
	}
	return op;
}

static int
lackey_crack(struct lackey_ops *ops, const struct lackey_instr *instr, uint64_t next, struct sim_op *out)
{
	struct sim_op like = {.pc = instr->pc, .next = next, .length = (uint8_t)instr->length, .dst = SIM_NO_REGISTER,
		.src = {SIM_NO_REGISTER, SIM_NO_REGISTER, SIM_NO_REGISTER}}, *o = out;
	bool transfers = next != instr->pc + instr->length && next != instr->pc;
	enum sim_branch branch = transfers ? learn_transfer(ops, instr, next)
		: next != instr->pc ? learn_fall_through(ops, instr) : SIM_NO_BRANCH;

	transfers |= branch && branch != SIM_CONDITIONAL;
	o = crack_accesses(instr, &like, o);
	if (branch) {
		o = access_op(o, &like, SIM_OP_BRANCH, NULL);
		o[-1].src[0] = instr->loads ? TEMP : SIM_NO_REGISTER;
		o[-1].branch = (uint8_t)branch;
		o[-1].flags = transfers ? SIM_OP_TAKEN : 0;
	} else if (o == out) {
		o = access_op(o, &like, SIM_OP_ALU, NULL);
	}
	o[-1].flags |= SIM_OP_LAST;
	ops->reader.facts.instructions++;
	ops->reader.facts.branches += branch != SIM_NO_BRANCH;
	ops->reader.facts.taken += transfers && branch;
	return (int)(o - out);
}

static bool
lackey_broken(struct lackey_ops *l, const char *why)
{
	err_set(&l->e, "line %llu of the trace: %s", (unsigned long long)l->lines.lines, why);
	return err_hint(&l->e, "cut traces before a line that begins with I");
}

/* Adds an access to the held instruction. */
static bool
hold_access(struct lackey_ops *ops, const struct sim_lackey_record *record)
{
	struct lackey_instr *instr = &ops->held;

	if (!ops->holds)
		return lackey_broken(ops, "an access comes before the first instruction");
	if (instr->n == ACCESSES_MAX)
		return lackey_broken(ops, "no instruction has so many accesses");
	instr->access[instr->n++] = *record;
	instr->loads += record->what == 'L';
	instr->stores += record->what == 'S';
	instr->changes += record->what == 'M';
	return true;
}

static bool
check_instruction(struct lackey_ops *l, struct sim_lackey_record *r)
{
	if (r->size > X86_MAX)
		return lackey_broken(l, "no instruction has so many bytes");
	if (!sim_fold_address(&r->at))
		return lackey_broken(
			l, "the address of an instruction has more than 48 bits, and is not one of the kernel");
	return true;
}

static int
lackey_take(struct sim_op_reader *reader, struct sim_input *in, struct sim_op *out, struct err *e)
{
	struct lackey_ops *ops = (struct lackey_ops *)reader;

	for (;;) {
		struct sim_lackey_record r;
		int n = 0, got;

		if (ops->failed) {
			*e = ops->e;
			return -1;
		}
		got = sim_lackey_next(&ops->lines, in, &r, &ops->e);
		if (got == 0 && !in->ended)
			return 0;
		if (got > 0 && r.what != 'I' && hold_access(ops, &r))
			continue;
		ops->failed = got < 0 || (got > 0 && (r.what != 'I' || !check_instruction(ops, &r)));
		if (ops->holds)
			n = lackey_crack(
				ops, &ops->held, ops->failed || got == 0 ? ops->held.pc + ops->held.length : r.at, out);
		ops->holds = !ops->failed && got > 0;
		if (ops->holds) {
			ops->held.pc = r.at;
			ops->held.length = r.size;
			ops->held.n = ops->held.loads = ops->held.stores = ops->held.changes = 0;
		}
		if (n || got == 0)
			return n;
	}
}

static bool
lackey_fits(const uint8_t *bytes, size_t n)
{
	static const char *const begins[] = {"==", "--", "**", "I  ", " L ", " S ", " M "};

	while (n && (*bytes == '\n' || *bytes == '\r')) {
		bytes++;
		n--;
	}
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (n >= strlen(begins[i]) && memcmp(bytes, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

const struct sim_op_reader_ops sim_lackey_reader = {
	.name = "lackey", .new = lackey_new, .free = lackey_free, .take = lackey_take, .fits = lackey_fits,
};
