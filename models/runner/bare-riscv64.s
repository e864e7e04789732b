/* RISC-V without a system: the beginning of a program, and the host interface's words. */
	.section .start, "ax"
	.globl	_start
_start:
	.option	push
	.option	norelax
	la	gp, __global_pointer$
	.option	pop
	csrr	t0, mhartid
1:	bnez	t0, 1b /* one core is enough */
	li	t0, 0x6000
	csrs	mstatus, t0 /* floating point is on */
	fscsr	zero
	la	sp, stack_end
	la	t0, bss_begin
	la	t1, bss_end
2:	bgeu	t0, t1, 3f
	sd	zero, 0(t0)
	addi	t0, t0, 8
	j	2b
3:	la	a0, no_arguments
	call	runner_start

	.section .tohost, "aw"
	.globl	tohost, fromhost
	.type	tohost, @object
	.size	tohost, 8
	.type	fromhost, @object
	.size	fromhost, 8
	.p2align 6
tohost:	.quad	0
	.p2align 6
fromhost:
	.quad	0

	.section .rodata
	.p2align 3
no_arguments:
	.quad	0, 0
	.section .note.GNU-stack, "", %progbits
