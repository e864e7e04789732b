/* Which register holds what:
 *
 *     rcx            rounds to go                        rbx        address of near memory
 *     rdi, rax       first far chain, in turn            rbp        0
 *     rsi, r8        second far chain, in turn           r13        0, as soon as a chain is there
 *     rdx, r9        chain of the fill, in turn          r14        next address of a fresh line
 *     r10, r11, r12  results that nothing reads          r15        random state
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
#include "core/probe/probe.h"

#define CACHE_LINE 64
#define WORD 8
#define FILL_CHAIN 3
#define LCG_STEP 0x3c6ef35d /* odd */
#define LCG_FACTOR 0x5851f42d /* 5 modulo 8: all states of 64 bits (Knuth, volume 2, 3.2.1.2) */

enum reg { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };

enum { XMM_CHAIN, XMM_FIRST = 2, XMM_LAST = 13, XMM_ZERO, XMM_ONE };

static const enum reg pair[PROBE_CHAINS][2] = {{RBX, RBX}, {RDI, RAX}, {RSI, R8}, {RDX, R9}};
static const enum reg kept[] = {RBX, RBP, R12, R13, R14, R15};

/* What the passes use. */
struct uses {
	bool chain[PROBE_CHAINS];
	bool chase, fresh, random, after, fp, fma;
};

struct encoder {
	struct native_text *t;
	struct uses uses;
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
put(struct encoder *e, unsigned byte)
{
	mem_grow(&e->t->byte, &e->t->cap, e->t->n + 1, 1);
	e->t->byte[e->t->n++] = (unsigned char)byte;
}

static void
put32(struct encoder *e, uint32_t v)
{
	for (unsigned i = 0; i < 4; i++)
		put(e, v >> 8 * i & 0xff);
}

/* ModRM, SIB and displacement of a memory operand; always 32 bits, so that all accesses are equally long. */
static void
put_memory(struct encoder *e, unsigned reg, struct address a)
{
	bool sib = a.late || (a.base & 7) == RSP;

	put(e, 0x80 | (reg & 7) << 3 | (sib ? 4 : a.base & 7));
	if (sib)
		put(e, (a.late ? (R13 & 7) << 3 : RSP << 3) | (a.base & 7));
	put32(e, a.offset);
}

/* An instruction of 64 bits with a register and a memory operand. */
static void
with_memory(struct encoder *e, unsigned opcode, enum reg reg, struct address a)
{
	put(e, 0x48 | (reg >> 3) << 2 | (a.late ? (unsigned)R13 >> 3 << 1 : 0) | a.base >> 3);
	put(e, opcode);
	put_memory(e, reg, a);
}

/* An instruction of 64 bits with two registers; `rm` is the one that is written by mov, add and and. */
static void
with_register(struct encoder *e, unsigned opcode, enum reg reg, enum reg rm)
{
	put(e, 0x48 | (reg >> 3) << 2 | rm >> 3);
	put(e, opcode);
	put(e, 0xc0 | (reg & 7) << 3 | (rm & 7));
}

static void
move(struct encoder *e, enum reg to, enum reg from)
{
	if (to != from)
		with_register(e, 0x89, from, to);
}

static void
load(struct encoder *e, enum reg to, struct address a)
{
	with_memory(e, 0x8b, to, a);
}

static void
multiply(struct encoder *e, enum reg to, enum reg from, uint32_t by)
{
	with_register(e, 0x69, to, from);
	put32(e, by);
}

/* Three-byte VEX with two registers. `map`: 1 (0f), 2 (0f 38); `prefix`: 1 (66), 3 (f2); `wide`: VEX.W. */
static void
with_vex(struct encoder *e, unsigned map, unsigned prefix, bool wide, unsigned opcode, unsigned to, unsigned a,
	unsigned b)
{
	put(e, 0xc4);
	put(e, (to < 8 ? 0x80u : 0) | 0x40 | (b < 8 ? 0x20u : 0) | map);
	put(e, (wide ? 0x80u : 0) | (~a & 15) << 3 | prefix);
	put(e, opcode);
	put(e, 0xc0 | (to & 7) << 3 | (b & 7));
}

/* vmovsd to, [a] */
static void
load_fp(struct encoder *e, unsigned to, struct address a)
{
	put(e, 0xc4);
	put(e, (to < 8 ? 0x80u : 0) | (a.late ? 0 : 0x40) | (a.base < 8 ? 0x20u : 0) | 1);
	put(e, 15 << 3 | 3);
	put(e, 0x10);
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
wait_for(struct encoder *e, unsigned chain)
{
	if (e->zero_of == chain)
		return;
	move(e, R13, chain_register(e, chain));
	with_register(e, 0x21, RBP, R13);
	e->zero_of = chain;
}

static struct address
address_of(struct encoder *e, const struct probe_insn *insn)
{
	struct address a = {.base = chain_register(e, insn->chain), .offset = insn->offset};

	if (insn->after) {
		wait_for(e, insn->after);
		a.late = true;
	}
	switch (insn->place) {
	case PROBE_NOWHERE:
	case PROBE_NEAR:
		break;
	case PROBE_FAR:
	case PROBE_CHASE:
		e->same = a.base;
		a.offset = 0;
		break;
	case PROBE_FRESH:
		e->same = next_spare(e);
		load(e, e->same, (struct address){.base = R14, .offset = WORD * e->n_fresh++});
		a = (struct address){.base = e->same, .late = a.late};
		break;
	case PROBE_SAME:
		a.base = e->same;
		break;
	}
	return a;
}

/* The register for the result of an instruction; a load of a far line takes the other one of its pair. */
static enum reg
result_of(struct encoder *e, const struct probe_insn *insn)
{
	if (!insn->chain)
		return next_spare(e);
	if (insn->chain == e->zero_of)
		e->zero_of = 0;
	if (insn->place == PROBE_FAR || insn->op == PROBE_MOVE)
		e->turn[insn->chain] ^= 1;
	return chain_register(e, insn->chain);
}

/* A conditional jump (0f 80 + condition) over nothing, by the flags of `test reg, reg`. */
static void
jump_if(struct encoder *e, enum reg reg, unsigned condition)
{
	with_register(e, 0x85, reg, reg);
	put(e, 0x70 | condition);
	put(e, 0);
}

static void
jump_over(struct encoder *e, uint32_t bytes)
{
	put(e, 0xe9);
	put32(e, bytes);
	for (uint32_t i = 0; i < bytes; i++)
		put(e, 0x90);
}

static void
encode_float(struct encoder *e, const struct probe_insn *insn)
{
	unsigned to = insn->chain ? XMM_CHAIN : next_xmm(e), from = insn->chain ? to : XMM_ONE;

	if (insn->op == PROBE_FADD)
		with_vex(e, 1, 3, false, 0x58, to, from, XMM_ZERO);
	else if (insn->op == PROBE_FMUL)
		with_vex(e, 1, 3, false, 0x59, to, from, XMM_ONE);
	else
		with_vex(e, 2, 1, true, 0xa9, to, XMM_ONE, XMM_ZERO); /* to = 1 · to + 0 */
}

static void
encode_memory(struct encoder *e, const struct probe_insn *insn)
{
	struct address a = address_of(e, insn);

	if (insn->op == PROBE_LOAD) {
		load(e, result_of(e, insn), a);
	} else if (insn->op == PROBE_FLOAD) {
		load_fp(e, insn->chain ? XMM_CHAIN : next_xmm(e), a);
	} else if (insn->op == PROBE_STORE) {
		if (insn->place == PROBE_NEAR)
			a.base = RBX;
		with_memory(e, 0x89, chain_register(e, insn->chain), a);
	} else {
		with_memory(e, 0x87, result_of(e, insn), a); /* xchg: both have the same value */
	}
}

static void
encode(struct encoder *e, const struct probe_insn *insn)
{
	enum reg from = chain_register(e, insn->chain);

	switch (insn->op) {
	case PROBE_NOP:
		put(e, 0x66);
		put(e, 0x90);
		break;
	case PROBE_ADD:
		with_register(e, 0x01, RBP, result_of(e, insn));
		break;
	case PROBE_MUL:
		multiply(e, result_of(e, insn), from, 1);
		break;
	case PROBE_MOVE:
		with_register(e, 0x89, from, result_of(e, insn));
		break;
	case PROBE_FADD:
	case PROBE_FMUL:
	case PROBE_FMA:
		encode_float(e, insn);
		break;
	case PROBE_LOAD:
	case PROBE_FLOAD:
	case PROBE_STORE:
	case PROBE_ATOMIC:
		encode_memory(e, insn);
		break;
	case PROBE_BRANCH:
		jump_if(e, RBX, 4);
		break;
	case PROBE_JUMP:
		jump_over(e, insn->offset);
		break;
	case PROBE_COIN:
		multiply(e, R15, R15, LCG_FACTOR);
		put(e, 0x49); /* add r15, LCG_STEP */
		put(e, 0x81);
		put(e, 0xc7);
		put32(e, LCG_STEP);
		jump_if(e, R15, 8);
		break;
	case PROBE_ECHO:
		jump_if(e, R15, 8);
		break;
	case PROBE_SITE:
		jump_if(e, RBX, random_next(&e->sites) & 1 ? 4 : 5);
		break;
	case PROBE_N_OPS:
		break;
	}
}

/* --- The function ------------------------------------------------------------------------------------------------ */

static struct uses
uses_of(const struct probe_code *c)
{
	struct uses u = {0};

	for (size_t i = 0; i < c->n; i++) {
		const struct probe_insn *insn = &c->insn[i];
		bool coin = insn->op == PROBE_COIN || insn->op == PROBE_ECHO;

		u.chain[insn->chain] = u.chain[insn->after] = true;
		u.chase |= insn->place == PROBE_CHASE;
		u.fresh |= insn->place == PROBE_FRESH;
		u.random |= coin;
		u.after |= insn->after != 0;
		u.fma |= insn->op == PROBE_FMA;
		u.fp |= insn->op == PROBE_FADD || insn->op == PROBE_FMUL || insn->op == PROBE_FMA ||
			insn->op == PROBE_FLOAD;
	}
	return u;
}

static bool
processor_has(const struct uses *u, struct err *err)
{
#ifdef __x86_64__
	bool avx = __builtin_cpu_supports("avx"), fma = __builtin_cpu_supports("fma");
#else
	bool avx = true, fma = true;
#endif

	if ((u->fp && !avx) || (u->fma && !fma)) {
		err_set(err, "this processor has no %s, which the probe needs", u->fma && !fma ? "fused multiply-add" :
			"AVX");
		return err_hint(err, "name other probes; hecate probe --list has them");
	}
	return true;
}

/* Registers that this code does not need otherwise. */
static void
choose_spares(struct encoder *e)
{
	static const enum reg always[] = {R10, R11, R12};

	for (size_t i = 0; i < sizeof always / sizeof *always; i++)
		e->spare[e->n_spares++] = always[i];
	for (unsigned c = 1; c < PROBE_CHAINS; c++)
		for (unsigned k = 0; k < 2 && !e->uses.chain[c]; k++)
			e->spare[e->n_spares++] = pair[c][k];
	if (!e->uses.after)
		e->spare[e->n_spares++] = R13;
	if (!e->uses.fresh)
		e->spare[e->n_spares++] = R14;
	if (!e->uses.random)
		e->spare[e->n_spares++] = R15;
}

static struct address
field(enum reg frame, size_t offset)
{
	return (struct address){.base = frame, .offset = (uint32_t)offset};
}

static void
encode_entry(struct encoder *e)
{
	const struct uses *u = &e->uses;

	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
		if (kept[i] >= R8)
			put(e, 0x41);
		put(e, 0x50 | (kept[i] & 7));
	}
	put(e, 0x50 | RDI);
	load(e, RCX, field(RDI, offsetof(struct native_frame, rounds)));
	load(e, RBX, field(RDI, offsetof(struct native_frame, near)));
	if (u->fp) {
		with_vex(e, 1, 1, false, 0xef, XMM_ZERO, XMM_ZERO, XMM_ZERO);
		load_fp(e, XMM_ONE, field(RDI, offsetof(struct native_frame, one)));
		for (unsigned r = 0; r < XMM_ZERO; r++)
			with_vex(e, 1, 1, false, 0xeb, r, XMM_ONE, XMM_ONE);
	}
	with_register(e, 0x31, RBP, RBP);
	load(e, R14, field(RDI, offsetof(struct native_frame, fresh)));
	load(e, R15, field(RDI, offsetof(struct native_frame, random)));
	load(e, RSI, field(RDI, offsetof(struct native_frame, far) + sizeof(void *)));
	move(e, RDX, RBX);
	if (u->chase)
		load(e, RDX, field(RDI, offsetof(struct native_frame, chase)));
	load(e, RDI, field(RDI, offsetof(struct native_frame, far)));
	for (unsigned c = 1; c < PROBE_CHAINS; c++)
		move(e, pair[c][1], pair[c][0]);
	for (size_t i = 0; i < e->n_spares; i++)
		move(e, e->spare[i], RBX);
	while (e->t->n % CACHE_LINE)
		put(e, 0x90);
}

static void
encode_exit(struct encoder *e)
{
	const struct uses *u = &e->uses;

	put(e, 0x58 | RCX);
	if (u->chain[1])
		with_memory(e, 0x89, RDI, field(RCX, offsetof(struct native_frame, far)));
	if (u->chain[2])
		with_memory(e, 0x89, RSI, field(RCX, offsetof(struct native_frame, far) + sizeof(void *)));
	if (u->chase)
		with_memory(e, 0x89, RDX, field(RCX, offsetof(struct native_frame, chase)));
	if (u->fresh)
		with_memory(e, 0x89, R14, field(RCX, offsetof(struct native_frame, fresh)));
	if (u->random)
		with_memory(e, 0x89, R15, field(RCX, offsetof(struct native_frame, random)));
	for (size_t i = sizeof kept / sizeof *kept; i-- > 0;) {
		if (kept[i] >= R8)
			put(e, 0x41);
		put(e, 0x58 | (kept[i] & 7));
	}
	if (u->fp) { /* vzeroupper */
		put(e, 0xc5);
		put(e, 0xf8);
		put(e, 0x77);
	}
	put(e, 0xc3);
}

/* The body ends with each chain in the register in which it begins. */
static void
encode_body(struct encoder *e, const struct probe_code *c, unsigned unroll)
{
	size_t begin = e->t->n;

	for (unsigned pass = 0; pass < unroll; pass++) {
		uint64_t sites = e->sites;

		for (size_t i = 0; i < c->n; i++)
			encode(e, &c->insn[i]);
		e->sites = sites;
	}
	for (unsigned chain = 1; chain < PROBE_CHAINS; chain++) {
		if (e->turn[chain])
			move(e, pair[chain][0], pair[chain][1]);
		e->turn[chain] = 0;
	}
	if (e->n_fresh) { /* add r14, bytes of the table that were used */
		put(e, 0x49);
		put(e, 0x81);
		put(e, 0xc6);
		put32(e, WORD * e->n_fresh);
	}
	put(e, 0x48); /* dec rcx */
	put(e, 0xff);
	put(e, 0xc9);
	put(e, 0x0f); /* jnz body */
	put(e, 0x85);
	put32(e, (uint32_t)(begin - (e->t->n + 4)));
}

bool
native_encode(struct native_text *t, const struct probe_code *c, unsigned unroll, uint64_t sites, struct err *err)
{
	struct encoder e = {.t = t, .uses = uses_of(c), .next_xmm = XMM_FIRST, .same = RBX, .sites = sites};

	if (!processor_has(&e.uses, err))
		return false;
	choose_spares(&e);
	encode_entry(&e);
	encode_body(&e, c, unroll);
	encode_exit(&e);
	return true;
}

size_t
native_near_size(const struct probe_code *c)
{
	size_t most = 0;

	for (size_t i = 0; i < c->n; i++)
		if (c->insn[i].op != PROBE_JUMP && c->insn[i].offset > most)
			most = c->insn[i].offset;
	return most / CACHE_LINE * CACHE_LINE + 2 * CACHE_LINE;
}
