/* RISC-V: RV64IMAFD with Zicsr, without compressed instructions, so that each takes four bytes. */
#include "core/probe/asm_isa.h"

/* Offsets have 12 bits with a sign, so four base registers share the near region: each points to the middle of 4 KiB.
 * The offsets in begin and end are those of struct probe_state in runner.h. */
static const char head[] =
	"\t.option norvc\n"
	"\t.option norelax\n"
	"\n"
	"/* a0: struct probe_state; a1: passes; s1, s2: chains of loads that miss; s3: chain of the fill;\n"
	"   s4 to s7: near lines; a3: 0; a4: 1; t0 to t4, ft0 to ft7, fa0 to fa7: results in turn;\n"
	"   s8 to s11, t6: lines and random bits */\n"
	"\t.macro begin name\n"
	"\t.p2align 6\n"
	"\\name:\n"
	"\taddi\tsp, sp, -128\n"
	"\tsd\tra, 0(sp)\n"
	"\t.irp\tk, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11\n"
	"\tsd\ts\\k, 8 * \\k(sp)\n"
	"\t.endr\n"
	"\tfsd\tfs0, 96(sp)\n"
	"\tfsd\tfs1, 104(sp)\n"
	"\tld\ta1, 0(a0)\n"
	"\tld\ts1, 16(a0)\n"
	"\tld\ts2, 24(a0)\n"
	"\tld\ts3, 32(a0)\n"
	"\tld\ts4, 40(a0)\n"
	"\tlui\ta6, 1\n"
	"\tadd\ts5, s4, a6\n"
	"\tadd\ts6, s5, a6\n"
	"\tadd\ts7, s6, a6\n"
	"\tld\ta3, 48(a0)\n"
	"\tld\ta4, 56(a0)\n"
	"\tld\ts10, 64(a0)\n"
	"\tld\ts11, 72(a0)\n"
	"\tld\ts8, 80(a0)\n"
	"\tld\tt6, 88(a0)\n"
	"\tld\ts9, 96(a0)\n"
	"\tld\ta5, 104(a0)\n"
	"\tfld\tfs0, 112(a0)\n"
	"\tfld\tfs1, 120(a0)\n"
	"\tmv\ta7, s3\n"
	"\tli\tt5, 0\n"
	"\tmv\tra, s3\n"
	"\tmv\ta2, s8\n"
	"\t.p2align 6\n"
	"1:\n"
	"\t.endm\n"
	"\n"
	"\t.macro end\n"
	"\taddi\ta1, a1, -1\n"
	"\tbeqz\ta1, 2f\n"
	"\tj\t1b\n"
	"2:\n"
	"\tsd\ts1, 16(a0)\n"
	"\tsd\ts2, 24(a0)\n"
	"\tsd\ts3, 32(a0)\n"
	"\tsd\ts10, 64(a0)\n"
	"\tsd\ts9, 96(a0)\n"
	"\tfsd\tfs1, 120(a0)\n"
	"\tfld\tfs0, 96(sp)\n"
	"\tfld\tfs1, 104(sp)\n"
	"\t.irp\tk, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11\n"
	"\tld\ts\\k, 8 * \\k(sp)\n"
	"\t.endr\n"
	"\tld\tra, 0(sp)\n"
	"\taddi\tsp, sp, 128\n"
	"\tret\n"
	"\t.endm\n"
	"\n"
	"/* An access of the near region. */\n"
	"\t.macro near op, reg, offset\n"
	"\t.if (\\offset) < 4096\n"
	"\t\\op\t\\reg, (\\offset) - 2048(s4)\n"
	"\t.elseif (\\offset) < 8192\n"
	"\t\\op\t\\reg, (\\offset) - 6144(s5)\n"
	"\t.elseif (\\offset) < 12288\n"
	"\t\\op\t\\reg, (\\offset) - 10240(s6)\n"
	"\t.else\n"
	"\t\\op\t\\reg, (\\offset) - 14336(s7)\n"
	"\t.endif\n"
	"\t.endm\n";

const struct asm_isa asm_riscv64 = {
	.name = "riscv64",
	.cross = "riscv64-linux-gnu-",
	.bare = true,
	.head = head,
	.ready = "s4",
	.chain = {NULL, "s1", "s2", "s3", "a7"},
	.partner = "ra",
	.fp_ready = "fs0",
	.fp_chain = "fs1",
	.result = {"t0", "t1", "t2", "t3", "t4"},
	.fp_result = {"ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "fa0", "fa1", "fa2", "fa3", "fa4", "fa5",
		"fa6", "fa7"},
	.line = "a2",
	.spare = "a6",
	.bias = 2048,
	.reach = 4096,
	.max_pass = (1 << 20) - 64,
	.max_skip = 1 << 18,
	.form = {
		[PROBE_NOP] = "nop",
		[PROBE_ADD] = "add\t%d, %s, a3",
		[PROBE_MUL] = "mul\t%d, %s, a4",
		[PROBE_DIV] = "div\t%d, %s, a4",
		[PROBE_MOVE] = "mv\t%d, %s",
		[PROBE_FADD] = "fadd.d\t%d, %s, fs0",
		[PROBE_FMUL] = "fmul.d\t%d, %s, fs0",
		[PROBE_FDIV] = "fdiv.d\t%d, %s, fs0",
		[PROBE_FMA] = "fmadd.d\t%d, %s, fs0, fs0",
		[PROBE_LOAD] = "near\tld, %d, %o",
		[PROBE_FLOAD] = "near\tfld, %d, %o",
		[PROBE_STORE] = "near\tsd, %s, %o",
		[PROBE_BRANCH] = "bnez\ta3, .+4",
		[PROBE_JUMP] = "j\t.+4",
		[PROBE_ATOMIC] = "amoadd.d\t%d, a3, (s4)",
		[PROBE_PREFETCH] = "near\tld, zero, %o",
		[PROBE_COIN] = "slli\ta6, s9, %k\n\tbltz\ta6, .+8\n\tnop",
		[PROBE_ECHO] = "slli\ta6, s9, %k\n\tbltz\ta6, .+8\n\tnop",
	},
	.based = {
		[PROBE_LOAD] = "ld\t%d, %o(%b)",
		[PROBE_FLOAD] = "fld\t%d, %o(%b)",
		[PROBE_STORE] = "sd\t%s, %o(%b)",
		[PROBE_ATOMIC] = "amoadd.d\t%d, a3, (%b)",
		[PROBE_PREFETCH] = "ld\tzero, %o(%b)",
	},
	.jump_skip = "j\t9f\n\t.zero\t%o\n9:",
	.site = {"bnez\ta3, .+8\n\tnop", "beqz\ta3, .+8\n\tnop"},
	.far = "ld\t%d, 0(%d)",
	.keep = "mv\ta2, %s",
	.fresh = "add\ts10, s10, t6\n\tand\ta2, s10, s11\n\tadd\ta2, a2, s8",
	.zero_of = "and\tt5, %s, a3",
	.sum = "add\ta6, %b, t5",
	.sum_of = "and\ta6, %s, a3\n\tadd\ta6, a6, %b",
	.join = "and\ta6, a6, a3\n\tadd\t%d, %d, a6",
	.toss = "mul\ts9, s9, a5\n\tadd\ts9, s9, a4",
	.home = "mv\ts3, ra",
};
