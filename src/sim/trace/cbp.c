/* Traces of the championships of branch and value prediction: AArch64 programs, one record of variable length for each
 * instruction, little-endian, without a header (cbp2025's lib/trace_reader.h):
 *
 *	pc                       8 bytes
 *	class                    1
 *	loads and stores:        address 8, bytes 1, base update 1; stores: offset register 1
 *	branches:                taken 1, if it is: target 8
 *	source registers         number 1, then 1 each
 *	destination registers    number 1, then 1 each
 *	values                   8 for each integer register, 16 for each vector register
 *
 * Registers: 0–31 integer, 32–63 vector, 64 flags, 65 zero.
 *
 * An instruction is cracked into the same µops as by that reader, so that its simulator counts the same µops, loads,
 * stores and addresses:
 *
 *   - One µop per destination register. A vector register whose upper half is not 0 takes two.
 *   - A load or store that updates its base register has a last µop for that, SIM_OP_ALU.
 *   - A store has one µop per register of data: what is left of its sources after base and offset.
 *   - Pieces of an access have equal sizes: its bytes divided by their number, rounded down, but at least 1.
 *
 * One thing differs: that reader lets both pieces that it makes of two vector registers with small values write the
 * first of them. Here each register is written by its own piece.
 *
 * Its classes are wide: "slow ALU" becomes SIM_OP_MUL, "floating point" SIM_OP_FADD. Addresses may have a tag in their
 * upper byte, which is ignored (Arm's Architecture Reference Manual, "Address tagging"). */
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "sim/trace/reader.h"

#define CBP_VECTOR 32
#define CBP_FLAGS 64
#define CBP_ZERO 65
#define OUR_FLAGS 32   /* an integer register of ours that AArch64 has not */
#define REGISTERS_MAX 16 /* of one instruction; AArch64's longest have 8 */
#define CBP_LENGTH 4
#define SIZE_MAX_CBP 128 /* DC ZVA stores a block of 64 bytes on the processors that were traced */

enum cbp_class {
	CBP_ALU,
	CBP_LOAD,
	CBP_STORE,
	CBP_CONDITIONAL,
	CBP_JUMP,
	CBP_INDIRECT,
	CBP_FP,
	CBP_SLOW,
	CBP_UNDEFINED,
	CBP_CALL,
	CBP_INDIRECT_CALL,
	CBP_RETURN,
	CBP_CLASSES
};

static const uint8_t cbp_kind[CBP_CLASSES] = {
	[CBP_ALU] = SIM_OP_ALU, [CBP_LOAD] = SIM_OP_LOAD, [CBP_STORE] = SIM_OP_STORE, [CBP_CONDITIONAL] = SIM_OP_BRANCH,
	[CBP_JUMP] = SIM_OP_BRANCH, [CBP_INDIRECT] = SIM_OP_BRANCH, [CBP_FP] = SIM_OP_FADD, [CBP_SLOW] = SIM_OP_MUL,
	[CBP_CALL] = SIM_OP_BRANCH, [CBP_INDIRECT_CALL] = SIM_OP_BRANCH, [CBP_RETURN] = SIM_OP_BRANCH,
};

static const uint8_t cbp_branch[CBP_CLASSES] = {
	[CBP_CONDITIONAL] = SIM_CONDITIONAL, [CBP_JUMP] = SIM_JUMP, [CBP_INDIRECT] = SIM_INDIRECT,
	[CBP_CALL] = SIM_CALL,
	[CBP_INDIRECT_CALL] = SIM_INDIRECT_CALL, [CBP_RETURN] = SIM_RETURN,
};

struct cbp_instr {
	uint64_t pc, next, at;
	uint8_t class, size, n_src, n_dst;
	bool taken, updates, offset;
	uint8_t src[REGISTERS_MAX], dst[REGISTERS_MAX], base; /* in CBP's numbers */
	uint8_t lanes[REGISTERS_MAX];                         /* µops that write dst[i] */
};

struct cbp {
	struct sim_op_reader reader;
};

/* A record while it is read. */
struct cbp_cursor {
	const uint8_t *at;
	size_t n, used;
	uint64_t offset;   /* of the record */
	const char *wrong; /* what is wrong with it, and where */
	uint64_t where;
};

static struct sim_op_reader *
cbp_new(void)
{
	struct cbp *c = mem_new(sizeof *c);

	return &c->reader;
}

static void
cbp_free(struct sim_op_reader *r)
{
	free(r);
}

static bool
cbp_wrong(struct cbp_cursor *c, size_t where, const char *why)
{
	c->wrong = why;
	c->where = c->offset + where;
	return false;
}

/* False when the record is not there yet. */
static bool
take_byte(struct cbp_cursor *c, uint8_t *out)
{
	if (c->used + 1 > c->n)
		return false;
	*out = c->at[c->used++];
	return true;
}

static bool
cbp_take_word(struct cbp_cursor *c, uint64_t *out)
{
	if (c->used + 8 > c->n)
		return false;
	*out = sim_le64(c->at + c->used);
	c->used += 8;
	return true;
}

static bool
take_flag(struct cbp_cursor *c, bool *out)
{
	uint8_t b;

	if (!take_byte(c, &b))
		return false;
	*out = b;
	return b <= 1 || cbp_wrong(c, c->used - 1, "a flag must be 0 or 1");
}

/* Takes an address, without its tag: 48 bits for programs, and as many for the kernel, which gets the upper half. */
static bool
take_address(struct cbp_cursor *cursor, uint64_t *out)
{
	uint64_t top;

	if (!cbp_take_word(cursor, out))
		return false;
	top = *out >> 48 & 0xff;
	*out &= ((uint64_t)1 << 48) - 1;
	if (top == 0xff)
		*out |= (uint64_t)1 << 47;
	return top == 0 || top == 0xff ||
		cbp_wrong(cursor, cursor->used - 8, "an address has more than 48 bits, and is not one of the kernel");
}

static bool
take_code_address(struct cbp_cursor *c, uint64_t *out)
{
	return take_address(c, out) &&
		((*out && *out % CBP_LENGTH == 0) ||
			cbp_wrong(c, c->used - 8,
				"an instruction of AArch64 has an address that is a multiple of 4, and not 0"));
}

static bool
take_registers(struct cbp_cursor *cursor, uint8_t *n, uint8_t *out)
{
	if (!take_byte(cursor, n))
		return false;
	if (*n > REGISTERS_MAX)
		return cbp_wrong(cursor, cursor->used - 1, "no instruction has so many registers");
	for (int i = 0; i < *n; i++) {
		if (!take_byte(cursor, &out[i]))
			return false;
		if (out[i] > CBP_ZERO)
			return cbp_wrong(cursor, cursor->used - 1, "registers have numbers from 0 to 65");
	}
	return true;
}

static bool
is_cbp_vector(uint8_t r)
{
	return r >= CBP_VECTOR && r < CBP_FLAGS;
}

static bool
take_values(struct cbp_cursor *c, struct cbp_instr *i)
{
	for (int k = 0; k < i->n_dst; k++) {
		uint64_t low, high = 0;

		if (!cbp_take_word(c, &low) || (is_cbp_vector(i->dst[k]) && !cbp_take_word(c, &high)))
			return false;
		i->lanes[k] = high ? 2 : 1;
	}
	return true;
}

/* Finds the base register of an access that updates it, and takes it out of the destinations. */
static bool
find_base(struct cbp_cursor *cursor, struct cbp_instr *instr, size_t where)
{
	int found = -1, n = 0;

	if (instr->class == CBP_STORE) {
		if (instr->n_dst > 1 || (instr->n_dst == 1) != instr->updates ||
			(instr->n_dst && instr->dst[0] >= CBP_VECTOR))
			return cbp_wrong(
				cursor, where, "a store writes its base register if it updates it, and no other");
		found = instr->n_dst ? 0 : -1;
	} else if (instr->updates && instr->n_dst > 1) {
		for (int d = 0; d < instr->n_dst; d++)
			for (int s = 0; s < instr->n_src; s++)
				if (instr->dst[d] == instr->src[s] && instr->dst[d] < CBP_VECTOR && found != d) {
					found = d;
					n++;
				}
		if (n != 1)
			return cbp_wrong(cursor, where, "a load with base update must read and write one register");
	}
	instr->updates = found >= 0;
	if (found < 0)
		return true;
	instr->base = instr->dst[found];
	instr->n_dst--;
	for (int d = found; d < instr->n_dst; d++) {
		instr->dst[d] = instr->dst[d + 1];
		instr->lanes[d] = instr->lanes[d + 1];
	}
	return true;
}

static bool
fits_class(struct cbp_cursor *cursor, struct cbp_instr *instr, size_t where)
{
	int data;

	if (instr->class != CBP_LOAD && instr->class != CBP_STORE)
		return true;
	if (!find_base(cursor, instr, where))
		return false;
	if (instr->class == CBP_LOAD)
		return instr->n_dst || cbp_wrong(cursor, where, "a load must write a register");
	data = instr->n_src - 1 - instr->offset;
	if (data < 0)
		return cbp_wrong(
			cursor, where, "a store must read its base register, and its offset register if it has one");
	return data == 0 || instr->size % data == 0 ||
		cbp_wrong(cursor, where, "the bytes of a store cannot be divided among its registers of data");
}

/* Reads a record. False with c->wrong: it is broken. False without: bytes are missing. */
static bool
take_record(struct cbp_cursor *cursor, struct cbp_instr *instr)
{
	size_t registers;

	*instr = (struct cbp_instr){0};
	if (!take_code_address(cursor, &instr->pc) || !take_byte(cursor, &instr->class))
		return false;
	if (instr->class >= CBP_CLASSES || instr->class == CBP_UNDEFINED)
		return cbp_wrong(cursor, cursor->used - 1, "the class of an instruction is 0 to 11, but not 8");
	instr->next = instr->pc + CBP_LENGTH;
	if (instr->class == CBP_LOAD || instr->class == CBP_STORE) {
		if (!take_address(cursor, &instr->at) || !take_byte(cursor, &instr->size))
			return false;
		if (instr->size > SIZE_MAX_CBP)
			return cbp_wrong(cursor, cursor->used - 1, "no instruction accesses so many bytes");
		if (!take_flag(cursor, &instr->updates) ||
			(instr->class == CBP_STORE && !take_flag(cursor, &instr->offset)))
			return false;
	} else if (cbp_branch[instr->class]) {
		if (!take_flag(cursor, &instr->taken))
			return false;
		if (!instr->taken && instr->class != CBP_CONDITIONAL)
			return cbp_wrong(cursor, cursor->used - 1, "only conditional branches may be not taken");
		if (instr->taken && !take_code_address(cursor, &instr->next))
			return false;
	}
	registers = cursor->used;
	return take_registers(cursor, &instr->n_src, instr->src) && take_registers(cursor, &instr->n_dst, instr->dst) &&
		take_values(cursor, instr) && fits_class(cursor, instr, registers);
}

static uint8_t
cbp_register(uint8_t r)
{
	if (is_cbp_vector(r))
		return (uint8_t)(SIM_FIRST_FP + r - CBP_VECTOR);
	return r == CBP_FLAGS ? OUR_FLAGS : r == CBP_ZERO ? SIM_NO_REGISTER : r;
}

/* Makes the pieces of a store: base, offset and one register of data each. Returns their number. */
static int
crack_store(const struct cbp_instr *i, const struct sim_op *like, struct sim_op *out)
{
	int first = 1 + i->offset, data = i->n_src - first, n = data ? data : 1;

	for (int k = 0; k < n; k++) {
		out[k] = *like;
		out[k].src[0] = cbp_register(i->src[0]);
		out[k].src[1] = i->offset ? cbp_register(i->src[1]) : SIM_NO_REGISTER;
		out[k].src[2] = data ? cbp_register(i->src[first + k]) : SIM_NO_REGISTER;
	}
	return n;
}

/* Makes a piece for each destination register and lane, or one without a destination. Returns their number. */
static int
crack_results(const struct cbp_instr *instr, const struct sim_op *like, struct sim_op *out)
{
	struct sim_op piece = *like;
	int n = 0;

	for (int s = 0; s < instr->n_src && s < 3; s++)
		piece.src[s] = cbp_register(instr->src[s]);
	for (int d = 0; d < instr->n_dst; d++)
		for (int lane = 0; lane < instr->lanes[d]; lane++) {
			out[n] = piece;
			out[n++].dst = cbp_register(instr->dst[d]);
		}
	if (!n)
		out[n++] = piece;
	return n;
}

static int
cbp_crack(struct cbp *cbp, const struct cbp_instr *instr, struct sim_op *out)
{
	const struct sim_op like = {.pc = instr->pc,
		.next = instr->next,
		.length = CBP_LENGTH,
		.kind = cbp_kind[instr->class],
		.dst = SIM_NO_REGISTER,
		.src = {SIM_NO_REGISTER, SIM_NO_REGISTER, SIM_NO_REGISTER}};
	bool accesses = instr->class == CBP_LOAD || instr->class == CBP_STORE;
	int n = instr->class == CBP_STORE ? crack_store(instr, &like, out) : crack_results(instr, &like, out);
	unsigned size = (unsigned)(instr->size / n);

	for (int k = 0; k < n && accesses; k++) {
		out[k].at = (instr->at + (unsigned)k * size) & (((uint64_t)1 << 48) - 1);
		out[k].size = (uint16_t)(size ? size : 1);
	}
	if (instr->updates) {
		out[n] = like;
		out[n].kind = SIM_OP_ALU;
		out[n].src[0] = out[n].dst = cbp_register(instr->base);
		n++;
	}
	if (cbp_branch[instr->class]) {
		for (int k = 0; k + 1 < n; k++)
			out[k].kind = SIM_OP_ALU; /* only the last piece branches */
		out[n - 1].branch = cbp_branch[instr->class];
		out[n - 1].flags = instr->taken ? SIM_OP_TAKEN : 0;
		cbp->reader.facts.branches++;
		cbp->reader.facts.taken += instr->taken;
	}
	out[n - 1].flags |= SIM_OP_LAST;
	cbp->reader.facts.instructions++;
	return n;
}

static int
cbp_take(struct sim_op_reader *reader, struct sim_input *in, struct sim_op *out, struct err *e)
{
	struct cbp_cursor c = {.at = in->at, .n = in->n, .offset = in->offset};
	struct cbp_instr i;

	if (!in->n)
		return 0;
	if (take_record(&c, &i)) {
		sim_input_skip(in, c.used);
		return cbp_crack((struct cbp *)reader, &i, out);
	}
	if (c.wrong) {
		err_set(e, "byte %llu of the trace: %s", (unsigned long long)c.where, c.wrong);
		err_hint(e, "the record begins at byte %llu; check that the file is a trace of CBP, and whole",
			(unsigned long long)c.offset);
		return -1;
	}
	if (!in->ended)
		return 0;
	err_set(e, "the trace ends inside a record, the one at byte %llu, after %zu bytes of it",
		(unsigned long long)in->offset, in->n);
	err_hint(e, "copy or uncompress the trace again");
	return -1;
}

static bool
cbp_fits(const uint8_t *bytes, size_t n)
{
	struct cbp_cursor c = {.at = bytes, .n = n};
	struct cbp_instr i;
	size_t records = 0;

	while (take_record(&c, &i))
		records++;
	return records && !c.wrong;
}

const struct sim_op_reader_ops sim_cbp_reader = {
	.name = "cbp", .new = cbp_new, .free = cbp_free, .take = cbp_take, .fits = cbp_fits,
};
