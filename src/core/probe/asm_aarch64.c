/* AArch64: ARMv8.1, whose atomic operations (LSE) are single instructions. */
#include "core/probe/asm_isa.h"

/* The offsets in begin and end are those of struct probe_state in runner.h. */
static const char head[] =
	"\t.arch\tarmv8.1-a\n"
	"\n"
	"/* x0: struct probe_state; x1: passes; x19, x20: chains of loads that miss; x21: chain of the fill; x22:\n"
	"   near lines; x3: 0; x4: 1; x9 to x16, d16 to d31: results in turn;\n"
	"   x2, x24 to x27, x8: lines and random bits */\n"
	"\t.macro begin name\n"
	"\t.p2align 6\n"
	"\\name:\n"
	"\tstp\tx19, x20, [sp, #-96]!\n"
	"\tstp\tx21, x22, [sp, #16]\n"
	"\tstp\tx23, x24, [sp, #32]\n"
	"\tstp\tx25, x26, [sp, #48]\n"
	"\tstp\tx27, x30, [sp, #64]\n"
	"\tstp\td8, d9, [sp, #80]\n"
	"\tldr\tx1, [x0]\n"
	"\tldp\tx19, x20, [x0, #16]\n"
	"\tldp\tx21, x22, [x0, #32]\n"
	"\tldp\tx3, x4, [x0, #48]\n"
	"\tldp\tx26, x27, [x0, #64]\n"
	"\tldp\tx24, x8, [x0, #80]\n"
	"\tldp\tx25, x5, [x0, #96]\n"
	"\tldp\td8, d9, [x0, #112]\n"
	"\tmov\tx17, x21\n"
	"\tmov\tx7, #0\n"
	"\tmov\tx23, x21\n"
	"\tmov\tx2, x24\n"
	"\t.p2align 6\n"
	"1:\n"
	"\t.endm\n"
	"\n"
	"\t.macro end\n"
	"\tsub\tx1, x1, #1\n"
	"\tcbz\tx1, 2f\n"
	"\tb\t1b\n"
	"2:\n"
	"\tstp\tx19, x20, [x0, #16]\n"
	"\tstr\tx21, [x0, #32]\n"
	"\tstr\tx26, [x0, #64]\n"
	"\tstr\tx25, [x0, #96]\n"
	"\tstr\td9, [x0, #120]\n"
	"\tldp\td8, d9, [sp, #80]\n"
	"\tldp\tx27, x30, [sp, #64]\n"
	"\tldp\tx25, x26, [sp, #48]\n"
	"\tldp\tx23, x24, [sp, #32]\n"
	"\tldp\tx21, x22, [sp, #16]\n"
	"\tldp\tx19, x20, [sp], #96\n"
	"\tret\n"
	"\t.endm\n";

const struct asm_isa asm_aarch64 = {
	.name = "aarch64",
	.cross = "aarch64-linux-gnu-",
	.bare = true,
	.head = head,
	.ready = "x22",
	.chain = {NULL, "x19", "x20", "x21", "x17"},
	.partner = "x23",
	.fp_ready = "d8",
	.fp_chain = "d9",
	.result = {"x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16"},
	.fp_result = {"d16", "d17", "d18", "d19", "d20", "d21", "d22", "d23", "d24", "d25", "d26", "d27", "d28", "d29",
		"d30", "d31"},
	.line = "x2",
	.spare = "x6",
	.reach = 16384,
	.max_skip = 1 << 20,
	.form = {
		[PROBE_NOP] = "nop",
		[PROBE_ADD] = "add\t%d, %s, x3",
		[PROBE_MUL] = "mul\t%d, %s, x4",
		[PROBE_DIV] = "sdiv\t%d, %s, x4",
		[PROBE_MOVE] = "mov\t%d, %s",
		[PROBE_FADD] = "fadd\t%d, %s, d8",
		[PROBE_FMUL] = "fmul\t%d, %s, d8",
		[PROBE_FDIV] = "fdiv\t%d, %s, d8",
		[PROBE_FMA] = "fmadd\t%d, %s, d8, d8",
		[PROBE_LOAD] = "ldr\t%d, [x22, #%o]",
		[PROBE_FLOAD] = "ldr\t%d, [x22, #%o]",
		[PROBE_STORE] = "str\t%s, [x22, #%o]",
		[PROBE_BRANCH] = "cbnz\tx3, .+4",
		[PROBE_JUMP] = "b\t.+4",
		[PROBE_ATOMIC] = "ldadd\tx3, %d, [x22]",
		[PROBE_PREFETCH] = "ldr\txzr, [x22, #%o]",
		[PROBE_COIN] = "tbnz\tx25, #%q, .+8\n\tnop",
		[PROBE_ECHO] = "tbnz\tx25, #%q, .+8\n\tnop",
	},
	.based = {
		[PROBE_LOAD] = "ldr\t%d, [%b, #%o]",
		[PROBE_FLOAD] = "ldr\t%d, [%b, #%o]",
		[PROBE_STORE] = "str\t%s, [%b, #%o]",
		[PROBE_ATOMIC] = "ldadd\tx3, %d, [%b]",
		[PROBE_PREFETCH] = "ldr\txzr, [%b, #%o]",
	},
	.jump_skip = "b\t9f\n\t.zero\t%o\n9:",
	.site = {"cbnz\tx3, .+8\n\tnop", "cbz\tx3, .+8\n\tnop"},
	.far = "ldr\t%d, [%d]",
	.keep = "mov\tx2, %s",
	.fresh = "add\tx26, x26, x8\n\tand\tx2, x26, x27\n\tadd\tx2, x2, x24",
	.zero_of = "and\tx7, %s, x3",
	.sum = "add\tx6, %b, x7",
	.sum_of = "and\tx6, %s, x3\n\tadd\tx6, x6, %b",
	.join = "and\tx6, x6, x3\n\tadd\t%d, %d, x6",
	.toss = "mul\tx25, x25, x5\n\tadd\tx25, x25, x4",
	.home = "mov\tx21, x23",
};
