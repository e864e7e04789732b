/* x86-64 with AVX and FMA3. It has no load whose result goes nowhere, so that a prefetch stands for it, and the random
 * number is in memory, because registers are few. A branch is two instructions, which cores join. */
#include "core/probe/asm_isa.h"

/* The offsets in begin and end are those of struct probe_state in runner.h. */
static const char head[] =
	"/* %rdi: struct probe_state; %rsi: passes; %rbx, %rbp: chains of loads that miss; %r12: chain of the fill;\n"
	"   %r13: near lines; %r9: 0; %rax, %rcx, %rdx, %xmm2 to %xmm15: results in turn; others: addresses */\n"
	"\t.macro begin name\n"
	"\t.p2align 6\n"
	"\\name:\n"
	"\t.irp\treg, rbx, rbp, r12, r13, r14, r15\n"
	"\tpush\t%\\reg\n"
	"\t.endr\n"
	"\tmov\t(%rdi), %rsi\n"
	"\tmov\t16(%rdi), %rbx\n"
	"\tmov\t24(%rdi), %rbp\n"
	"\tmov\t32(%rdi), %r12\n"
	"\tmov\t40(%rdi), %r13\n"
	"\tmov\t48(%rdi), %r9\n"
	"\tmov\t64(%rdi), %r10\n"
	"\tmov\t80(%rdi), %r14\n"
	"\tvmovsd\t112(%rdi), %xmm0\n"
	"\tvmovsd\t120(%rdi), %xmm1\n"
	"\tmov\t%r12, %r11\n"
	"\txor\t%eax, %eax\n"
	"\txor\t%ecx, %ecx\n"
	"\txor\t%edx, %edx\n"
	"\txor\t%r8d, %r8d\n"
	"\t.irp\treg, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
	"\tvmovapd\t%xmm0, %xmm\\reg\n"
	"\t.endr\n"
	"\t.p2align 6\n"
	"1:\n"
	"\t.endm\n"
	"\n"
	"\t.macro end\n"
	"\tdec\t%rsi\n"
	"\tjnz\t1b\n"
	"\tmov\t%rbx, 16(%rdi)\n"
	"\tmov\t%rbp, 24(%rdi)\n"
	"\tmov\t%r12, 32(%rdi)\n"
	"\tmov\t%r10, 64(%rdi)\n"
	"\tvmovsd\t%xmm1, 120(%rdi)\n"
	"\t.irp\treg, r15, r14, r13, r12, rbp, rbx\n"
	"\tpop\t%\\reg\n"
	"\t.endr\n"
	"\tret\n"
	"\t.endm\n";

const struct asm_isa asm_x86_64 = {
	.name = "x86_64",
	.cross = "",
	.head = head,
	.ready = "%r13",
	.chain = {NULL, "%rbx", "%rbp", "%r12", "%r11"},
	.partner = "%r11",
	.fp_ready = "%xmm0",
	.fp_chain = "%xmm1",
	.result = {"%rax", "%rcx", "%rdx"},
	.fp_result = {"%xmm2", "%xmm3", "%xmm4", "%xmm5", "%xmm6", "%xmm7", "%xmm8", "%xmm9", "%xmm10", "%xmm11",
		"%xmm12", "%xmm13", "%xmm14", "%xmm15"},
	.line = "%r14",
	.spare = "%r15",
	.reach = 16384,
	.max_skip = 1 << 20,
	.form = {
		[PROBE_NOP] = "xchg\t%ax, %ax",
		[PROBE_ADD] = "add\t%r9, %d",
		[PROBE_MUL] = "imul\t$1, %s, %d",
		[PROBE_DIV] = "mov\t%s, %rax\n\txor\t%edx, %edx\n\tdivq\t56(%rdi)\n\tmov\t%rax, %d",
		[PROBE_MOVE] = "mov\t%s, %d",
		[PROBE_FADD] = "vaddsd\t%xmm0, %s, %d",
		[PROBE_FMUL] = "vmulsd\t%xmm0, %s, %d",
		[PROBE_FDIV] = "vdivsd\t%xmm0, %s, %d",
		[PROBE_FMA] = "vfmadd213sd\t%xmm0, %xmm0, %d",
		[PROBE_LOAD] = "mov\t%o(%r13), %d",
		[PROBE_FLOAD] = "vmovsd\t%o(%r13), %d",
		[PROBE_STORE] = "mov\t%s, %o(%r13)",
		[PROBE_BRANCH] = "test\t%r9, %r9\n\tjnz\t.+2",
		[PROBE_JUMP] = "jmp\t.+2",
		[PROBE_ATOMIC] = "lock xadd\t%d, -64(%r13)",
		[PROBE_PREFETCH] = "prefetcht0\t%o(%r13)",
		[PROBE_COIN] = "btq\t$%q, 96(%rdi)\n\tjc\t.+4\n\txchg\t%ax, %ax",
		[PROBE_ECHO] = "btq\t$%q, 96(%rdi)\n\tjc\t.+4\n\txchg\t%ax, %ax",
	},
	.apart = {
		[PROBE_ADD] = "lea\t(%s,%r9), %d",
		[PROBE_FMA] = "vfmadd231sd\t%xmm0, %s, %d",
		[PROBE_ATOMIC] = "mov\t%r9, %d\n\tlock xadd\t%d, (%b)", /* writes what it reads, as the other does */
	},
	.based = {
		[PROBE_LOAD] = "mov\t%o(%b), %d",
		[PROBE_FLOAD] = "vmovsd\t%o(%b), %d",
		[PROBE_STORE] = "mov\t%s, %o(%b)",
		[PROBE_ATOMIC] = "xchg\t%d, (%b)",
		[PROBE_PREFETCH] = "prefetcht0\t%o(%b)",
	},
	.jump_skip = "jmp\t9f\n\t.zero\t%o\n9:",
	.site = {"test\t%r9, %r9\n\tjnz\t.+4\n\txchg\t%ax, %ax",
		"test\t%r9, %r9\n\tjz\t.+4\n\txchg\t%ax, %ax"},
	.far = "mov\t(%d), %d",
	.keep = "mov\t%s, %r14",
	.fresh = "add\t88(%rdi), %r10\n\tmov\t%r10, %r14\n\tand\t72(%rdi), %r14\n\tadd\t80(%rdi), %r14",
	.zero_of = "mov\t%s, %r8\n\tand\t%r9, %r8",
	.sum = "lea\t(%b,%r8), %r15",
	.sum_of = "mov\t%s, %r15\n\tand\t%r9, %r15\n\tadd\t%b, %r15",
	.join = "and\t%r9, %r15\n\tadd\t%r15, %d",
	.toss = "mov\t96(%rdi), %r15\n\timul\t104(%rdi), %r15\n\tinc\t%r15\n\tmov\t%r15, 96(%rdi)",
	.home = "mov\t%r11, %r12",
};
