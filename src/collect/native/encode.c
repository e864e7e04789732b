/* Which register holds what:
 *
 *     rcx            rounds to go                        rbx        address of near memory
 *     rdi, rax       first far chain, in turn            rbp        0
 *     rsi, r8        second far chain, in turn           r13        0, as soon as a chain is there
 *     rdx, r9        chain of the fill, in turn          r14        next address of a fresh line
 *     r12            chain beside the fill               r15        random state
 *     r10            results that nothing reads          r11        address of the last such line
 *     xmm0           chain of the fill                   xmm14, 15  0 and 1
 *     xmm2 … xmm13   results that nothing reads
 *
 * A load of a far chain writes the other register of its pair, so the address of the line remains for PROBE_SAME. What
 * a probe does not use takes results that nothing reads, so that many are independent.
 *
 * Source of encodings: Intel SDM volume 2, chapter 2 and the instructions' pages. */
#include "collect/native/encode.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/random.h"
#include "collect/native/uses.h"
#include "core/probe/probe.h"

#define CACHE_LINE 64
#define WORD 8
#define LCG_STEP 0x3c6ef35d /* odd */
#define LCG_FACTOR 0x5851f42d /* 5 modulo 8: all states of 64 bits (Knuth, volume 2, 3.2.1.2) */

enum reg { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15, NO_REG };

enum { XMM_CHAIN, XMM_FIRST = 2, XMM_LAST = 13, XMM_ZERO, XMM_ONE };

static const enum reg pair[PROBE_CHAINS][2] = {{RBX, RBX}, {RDI, RAX}, {RSI, R8}, {RDX, R9}, {R12, R12}};
static const enum reg kept[] = {RBX, RBP, R12, R13, R14, R15};

struct encoder {
	struct native_text *t;
	const struct native_style *style;
	struct native_uses uses;
	unsigned turn[PROBE_CHAINS];  /* which register of the pair holds the chain */
	enum reg spare[16];           /* n_spares, results that nothing reads */
	size_t n_spares, next_spare;
	unsigned next_xmm;
	enum reg same;                /* address of the last far or fresh line */
	unsigned zero_of;             /* chain for which r13 is 0; 0: none */
	uint32_t n_fresh;             /* in the body so far */
	uint64_t sites;
};

struct address {
	enum reg base;
	bool late;      /* plus r13 */
	uint32_t offset;
};

/* --- Bytes ------------------------------------------------------------------------------------------------------- */

static void
encode_put(struct encoder *e, unsigned byte)
{
	mem_grow(&e->t->byte, &e->t->cap, e->t->n + 1, 1);
	e->t->byte[e->t->n++] = (unsigned char)byte;
}

static void
put32(struct encoder *e, uint32_t v)
{
	for (unsigned i = 0; i < 4; i++)
		encode_put(e, v >> 8 * i & 0xff);
}

/* ModRM, SIB and displacement of a memory operand; always 32 bits, so that all accesses are equally long. */
static void
put_memory(struct encoder *e, unsigned reg, struct address a)
{
	bool sib = a.late || (a.base & 7) == RSP;

	encode_put(e, 0x80 | (reg & 7) << 3 | (sib ? 4 : a.base & 7));
	if (sib)
		encode_put(e, (a.late ? (R13 & 7) << 3 : RSP << 3) | (a.base & 7));
	put32(e, a.offset);
}

/* An instruction of 64 bits with a register and a memory operand. */
static void
with_memory(struct encoder *e, unsigned opcode, enum reg reg, struct address a)
{
	encode_put(e, 0x48 | (reg >> 3) << 2 | (a.late ? (unsigned)R13 >> 3 << 1 : 0) | a.base >> 3);
	encode_put(e, opcode);
	put_memory(e, reg, a);
}

/* An instruction of 64 bits with two registers; `rm` is the one that is written by mov, add and and. */
static void
with_register(struct encoder *e, unsigned opcode, enum reg reg, enum reg rm)
{
	encode_put(e, 0x48 | (reg >> 3) << 2 | rm >> 3);
	encode_put(e, opcode);
	encode_put(e, 0xc0 | (reg & 7) << 3 | (rm & 7));
}

static void
move(struct encoder *e, enum reg to, enum reg from)
{
	if (to != from)
		with_register(e, 0x89, from, to);
}

static void
encode_load(struct encoder *e, enum reg to, struct address a)
{
	with_memory(e, 0x8b, to, a);
}

static void
encode_multiply(struct encoder *e, enum reg to, enum reg from, uint32_t by)
{
	with_register(e, 0x69, to, from);
	put32(e, by);
}

/* Three-byte VEX with two registers. `map`: 1 (0f), 2 (0f 38); `prefix`: 1 (66), 3 (f2); `wide`: VEX.W. */
static void
with_vex(struct encoder *e, unsigned map, unsigned prefix, bool wide, unsigned opcode, unsigned to, unsigned a,
	unsigned b)
{
	encode_put(e, 0xc4);
	encode_put(e, (to < 8 ? 0x80u : 0) | 0x40 | (b < 8 ? 0x20u : 0) | map);
	encode_put(e, (wide ? 0x80u : 0) | (~a & 15) << 3 | prefix);
	encode_put(e, opcode);
	encode_put(e, 0xc0 | (to & 7) << 3 | (b & 7));
}

/* vmovsd to, [a] */
static void
load_fp(struct encoder *e, unsigned to, struct address a)
{
	encode_put(e, 0xc4);
	encode_put(e, (to < 8 ? 0x80u : 0) | (a.late ? 0 : 0x40) | (a.base < 8 ? 0x20u : 0) | 1);
	encode_put(e, 15 << 3 | 3);
	encode_put(e, 0x10);
	put_memory(e, to, a);
}

/* --- Instructions ------------------------------------------------------------------------------------------------ */

static enum reg
chain_register(const struct encoder *e, unsigned chain)
{
	return pair[chain][e->turn[chain]];
}

static enum reg
next_spare(struct encoder *e)
{
	enum reg r = e->spare[e->next_spare];

	e->next_spare = e->next_spare + 1 < e->n_spares ? e->next_spare + 1 : 0;
	return r;
}

static unsigned
next_xmm(struct encoder *e)
{
	unsigned r = e->next_xmm;

	e->next_xmm = r < XMM_LAST ? r + 1 : XMM_FIRST;
	return r;
}

/* Makes r13 zero as soon as the chain's result is there. */
static void
encode_wait_for(struct encoder *e, unsigned chain)
{
	if (e->zero_of == chain)
		return;
	move(e, R13, chain_register(e, chain));
	with_register(e, 0x21, RBP, R13);
	e->zero_of = chain;
}

/* A line whose address is known at once, but waits for the chain. */
static struct address
encode_next_line(struct encoder *e, unsigned chain)
{
	e->same = R11;
	encode_load(e, R11, (struct address){.base = R14, .offset = WORD * e->n_fresh++});
	if (chain)
		encode_wait_for(e, chain);
	return (struct address){.base = R11, .late = chain != 0};
}

static struct address
address_of(struct encoder *encoder, const struct probe_insn *insn)
{
	bool store = insn->op == PROBE_STORE;
	unsigned chain = store ? insn->after : insn->from;
	/* whole words: a result may be an address */
	struct address a = {.base = chain_register(encoder, chain), .offset = insn->offset / WORD * WORD};

	switch (insn->place) {
	case PROBE_NOWHERE:
	case PROBE_NEAR:
	case PROBE_CHASE:
		return a;
	case PROBE_FAR:
		if (!encoder->uses.far[insn->chain])
			return encode_next_line(encoder, chain);
		encoder->same = a.base;
		return a;
	case PROBE_FRESH:
		return encode_next_line(encoder, chain);
	case PROBE_SAME:
		if (chain)
			encode_wait_for(encoder, chain);
		return (struct address){.base = encoder->same, .late = chain != 0, .offset = a.offset};
	}
	return a;
}

/* The register for the result of an instruction. A copy, and a load of a far line, take the other one of the pair. */
static enum reg
result_of(struct encoder *e, const struct probe_insn *insn)
{
	if (!insn->chain)
		return next_spare(e);
	if (insn->chain == e->zero_of)
		e->zero_of = 0;
	if ((insn->place == PROBE_FAR && e->uses.far[insn->chain]) || insn->op == PROBE_MOVE)
		e->turn[insn->chain] ^= 1;
	return chain_register(e, insn->chain);
}

static void
nop(struct encoder *e)
{
	encode_put(e, 0x66);
	encode_put(e, 0x90);
}

/* A conditional jump (condition 4: zero, 5: not zero, 8: negative) over a nop or nothing, by `test reg, reg`. */
static void
jump_if(struct encoder *e, enum reg reg, unsigned condition, bool over_nop)
{
	with_register(e, 0x85, reg, reg);
	encode_put(e, 0x70 | condition);
	encode_put(e, over_nop ? 2 : 0);
	if (over_nop)
		nop(e);
}

/* An addition that changes nothing. It is no immediate, which some cores fold at rename. Where it waits for nothing it
 * writes no flags: they have a file of their own on Zen 3, which is full before that of integer registers. */
static void
encode_add(struct encoder *encoder, enum reg to, enum reg from)
{
	if (from == NO_REG) {
		encode_put(encoder, 0x48 | (to >> 3) << 2); /* lea to, [rbx + rbp] */
		encode_put(encoder, 0x8d);
		encode_put(encoder, (to & 7) << 3 | 4);
		encode_put(encoder, RBP << 3 | RBX);
		return;
	}
	if (to == from) {
		with_register(encoder, 0x01, RBP, to);
		return;
	}
	encode_put(encoder, 0x48 | (to >> 3) << 2 | (from >> 3) << 1); /* lea to, [rbp + from] */
	encode_put(encoder, 0x8d);
	encode_put(encoder, 0x44 | (to & 7) << 3);
	encode_put(encoder, (from & 7) << 3 | RBP);
	encode_put(encoder, 0);
}

static void
jump_over(struct encoder *e, uint32_t bytes)
{
	encode_put(e, 0xe9);
	put32(e, bytes);
	for (uint32_t i = 0; i < bytes; i++)
		encode_put(e, 0x90);
}

static void
encode_float(struct encoder *encoder, const struct probe_insn *insn)
{
	unsigned to = insn->chain ? XMM_CHAIN : next_xmm(encoder), from = insn->from ? XMM_CHAIN : XMM_ONE;

	if (insn->op == PROBE_FADD)
		with_vex(encoder, 1, 3, false, 0x58, to, from, XMM_ZERO);
	else if (insn->op == PROBE_FMUL)
		with_vex(encoder, 1, 3, false, 0x59, to, from, XMM_ONE);
	else if (insn->op == PROBE_FDIV)
		with_vex(encoder, 1, 3, false, 0x5e, to, from, XMM_ONE);
	else
		with_vex(encoder, 2, 1, true, 0xa9, to, XMM_ONE, XMM_ZERO); /* to = to · 1 + 0 */
}

static void
encode_memory(struct encoder *encoder, const struct probe_insn *insn)
{
	struct address a = address_of(encoder, insn);

	if (insn->op == PROBE_LOAD)
		encode_load(encoder, result_of(encoder, insn), a);
	else if (insn->op == PROBE_PREFETCH)
		encode_load(encoder, next_spare(encoder), a);
	else if (insn->op == PROBE_FLOAD)
		load_fp(encoder, insn->chain ? XMM_CHAIN : next_xmm(encoder), a);
	else if (insn->op == PROBE_STORE)
		with_memory(encoder, 0x89, chain_register(encoder, insn->from), a);
	else
		with_memory(encoder, 0x87, result_of(encoder, insn), a); /* xchg: both have the same value */
}

static void
encode(struct encoder *encoder, const struct probe_insn *insn)
{
	enum reg from = chain_register(encoder, insn->from);

	switch (insn->op) {
	case PROBE_NOP:
		if (encoder->style->moves_as_nops)
			with_register(encoder, 0x89, RBX, next_spare(encoder));
		else
			nop(encoder);
		break;
	case PROBE_ADD:
		encode_add(encoder, result_of(encoder, insn), insn->from ? from : NO_REG);
		break;
	case PROBE_MUL:
		encode_multiply(encoder, result_of(encoder, insn), from, 1);
		break;
	case PROBE_MOVE:
		with_register(encoder, 0x89, from, result_of(encoder, insn));
		break;
	case PROBE_FADD:
	case PROBE_FMUL:
	case PROBE_FDIV:
	case PROBE_FMA:
		encode_float(encoder, insn);
		break;
	case PROBE_LOAD:
	case PROBE_FLOAD:
	case PROBE_STORE:
	case PROBE_ATOMIC:
	case PROBE_PREFETCH:
		encode_memory(encoder, insn);
		break;
	case PROBE_BRANCH: /* jc: no instruction of a pass leaves a carry; one of its own, as no test fuses with it */
		encode_put(encoder, 0x72);
		encode_put(encoder, 0);
		break;
	case PROBE_JUMP:
		jump_over(encoder, insn->offset);
		break;
	case PROBE_COIN:
		encode_multiply(encoder, R15, R15, LCG_FACTOR);
		encode_put(encoder, 0x49); /* add r15, LCG_STEP */
		encode_put(encoder, 0x81);
		encode_put(encoder, 0xc7);
		put32(encoder, LCG_STEP);
		jump_if(encoder, R15, 8, true);
		break;
	case PROBE_ECHO:
		jump_if(encoder, R15, 8, true);
		break;
	case PROBE_SITE:
		jump_if(encoder, RBX, random_next(&encoder->sites) & 1 ? 4 : 5, true);
		break;
	case PROBE_DIV: /* refused before */
	case PROBE_CALL: case PROBE_RETURN: /* of simulated cores */
	case PROBE_N_OPS:
		break;
	}
}

/* --- The function ------------------------------------------------------------------------------------------------ */

/* Registers that this code does not need otherwise. */
static void
choose_spares(struct encoder *encoder)
{
	encoder->spare[encoder->n_spares++] = R10;
	for (unsigned c = 1; c < PROBE_CHAINS; c++)
		for (unsigned k = 0; k < 2 && !encoder->uses.chain[c] && (k == 0 || pair[c][1] != pair[c][0]); k++)
			encoder->spare[encoder->n_spares++] = pair[c][k];
	if (!encoder->uses.lines) {
		encoder->spare[encoder->n_spares++] = R11;
		encoder->spare[encoder->n_spares++] = R13;
	}
	if (!encoder->uses.fresh)
		encoder->spare[encoder->n_spares++] = R14;
	if (!encoder->uses.random)
		encoder->spare[encoder->n_spares++] = R15;
}

static size_t
far_field(unsigned chain)
{
	return offsetof(struct native_frame, far) + (chain - 1) * sizeof(void *);
}

static struct address
field(enum reg frame, size_t offset)
{
	return (struct address){.base = frame, .offset = (uint32_t)offset};
}

static void
encode_entry(struct encoder *encoder)
{
	const struct native_uses *uses = &encoder->uses;

	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
		if (kept[i] >= R8)
			encode_put(encoder, 0x41);
		encode_put(encoder, 0x50 | (kept[i] & 7));
	}
	encode_put(encoder, 0x50 | RDI);
	encode_load(encoder, RCX, field(RDI, offsetof(struct native_frame, rounds)));
	encode_load(encoder, RBX, field(RDI, offsetof(struct native_frame, near)));
	if (uses->fp) {
		with_vex(encoder, 1, 1, false, 0xef, XMM_ZERO, XMM_ZERO, XMM_ZERO);
		load_fp(encoder, XMM_ONE, field(RDI, offsetof(struct native_frame, one)));
		for (unsigned r = 0; r < XMM_ZERO; r++)
			with_vex(encoder, 1, 1, false, 0xeb, r, XMM_ONE, XMM_ONE);
	}
	with_register(encoder, 0x31, RBP, RBP);
	encode_load(encoder, R14, field(RDI, offsetof(struct native_frame, fresh)));
	encode_load(encoder, R15, field(RDI, offsetof(struct native_frame, random)));
	for (unsigned c = PROBE_CHAINS - 1; c >= 1; c--) { /* the first one's register is that of the frame */
		if (uses->far[c])
			encode_load(encoder, pair[c][0], field(RDI, far_field(c)));
		else if (c == PROBE_FILL_CHAIN && uses->chase)
			encode_load(encoder, pair[c][0], field(RDI, offsetof(struct native_frame, chase)));
		else
			move(encoder, pair[c][0], RBX);
		move(encoder, pair[c][1], pair[c][0]);
	}
	for (size_t i = 0; i < encoder->n_spares; i++)
		move(encoder, encoder->spare[i], RBX);
	while (encoder->t->n % CACHE_LINE)
		encode_put(encoder, 0x90);
}

static void
encode_exit(struct encoder *encoder)
{
	const struct native_uses *uses = &encoder->uses;

	encode_put(encoder, 0x58 | RCX);
	for (unsigned c = 1; c <= NATIVE_FAR; c++)
		if (uses->far[c])
			with_memory(encoder, 0x89, pair[c][0], field(RCX, far_field(c)));
	if (uses->chase)
		with_memory(encoder, 0x89, pair[PROBE_FILL_CHAIN][0], field(RCX, offsetof(struct native_frame, chase)));
	if (uses->fresh)
		with_memory(encoder, 0x89, R14, field(RCX, offsetof(struct native_frame, fresh)));
	if (uses->random)
		with_memory(encoder, 0x89, R15, field(RCX, offsetof(struct native_frame, random)));
	for (size_t i = sizeof kept / sizeof *kept; i-- > 0;) {
		if (kept[i] >= R8)
			encode_put(encoder, 0x41);
		encode_put(encoder, 0x58 | (kept[i] & 7));
	}
	if (uses->fp) { /* vzeroupper */
		encode_put(encoder, 0xc5);
		encode_put(encoder, 0xf8);
		encode_put(encoder, 0x77);
	}
	encode_put(encoder, 0xc3);
}

/* The body ends with each chain in the register in which it begins. */
static void
encode_body(struct encoder *encoder, const struct probe_code *code)
{
	size_t begin = encoder->t->n;

	for (unsigned pass = 0; pass < encoder->style->unroll; pass++) {
		uint64_t sites = encoder->sites;

		for (size_t i = 0; i < code->n; i++)
			encode(encoder, &code->insn[i]);
		encoder->sites = sites;
	}
	for (unsigned chain = 1; chain < PROBE_CHAINS; chain++) {
		if (encoder->turn[chain])
			move(encoder, pair[chain][0], pair[chain][1]);
		encoder->turn[chain] = 0;
	}
	if (encoder->n_fresh) { /* add r14, bytes of the table that were used */
		encode_put(encoder, 0x49);
		encode_put(encoder, 0x81);
		encode_put(encoder, 0xc6);
		put32(encoder, WORD * encoder->n_fresh);
	}
	encode_put(encoder, 0x48); /* dec rcx */
	encode_put(encoder, 0xff);
	encode_put(encoder, 0xc9);
	encode_put(encoder, 0x0f); /* jnz body */
	encode_put(encoder, 0x85);
	put32(encoder, (uint32_t)(begin - (encoder->t->n + 4)));
}

static void
count_lines(const struct encoder *e, const struct probe_code *c, struct native_lines *lines)
{
	*lines = (struct native_lines){.fresh = e->n_fresh};
	for (size_t i = 0; i < c->n; i++)
		if (c->insn[i].place == PROBE_FAR && e->uses.far[c->insn[i].chain])
			lines->far[c->insn[i].chain - 1] += e->style->unroll;
}

bool
native_encode(struct native_text *text, const struct probe_code *code, const struct native_style *style,
	struct native_lines *lines, struct err *err)
{
	struct encoder e = {.t = text, .style = style, .uses = native_uses_of(code), .next_xmm = XMM_FIRST, .same = RBX,
		.sites = style->sites};

	if (!native_uses_fit(&e.uses, style->lacks, err))
		return false;
	choose_spares(&e);
	encode_entry(&e);
	encode_body(&e, code);
	count_lines(&e, code, lines);
	encode_exit(&e);
	return true;
}
