/* AArch64 without a system: the beginning of a program, at whatever exception level it is. Caches need translation, so
 * memory is mapped to itself in blocks of 1 GiB, and nothing else is. */
	.section .start, "ax"
	.globl	_start

/* Registers of an exception level: memory is normal, write-back and shared; 39 bits of virtual, 40 of physical
 * addresses; then translation, caches. x3: bits of tcr. */
	.macro	map	level
	adr	x1, vectors
	msr	vbar_\level, x1
	mov	x1, #0xff
	msr	mair_\level, x1
	movz	x1, #0x3519
	orr	x1, x1, x3
	msr	tcr_\level, x1
	msr	ttbr0_\level, x0
	dsb	sy
	isb
	mrs	x1, sctlr_\level
	mov	x2, #0x1005 /* M, C, I */
	orr	x1, x1, x2
	bic	x1, x1, #2 /* A */
	msr	sctlr_\level, x1
	isb
	.endm

_start:
	mrs	x1, mpidr_el1
	tst	x1, #0xffffff
1:	b.ne	1b /* one core is enough */
	adrp	x2, bss_begin
	add	x2, x2, :lo12:bss_begin
	adrp	x3, bss_end
	add	x3, x3, :lo12:bss_end
2:	cmp	x2, x3
	b.hs	3f
	stp	xzr, xzr, [x2], #16
	b	2b
3:	adrp	x0, table
	add	x0, x0, :lo12:table
	ldr	x1, =ram_first
	ldr	x2, =ram_last
	movz	x4, #0x701 /* a block, accessed, inner shareable, memory of index 0 */
	mrs	x3, currentel
	cmp	x3, #4
	b.eq	4f
	orr	x4, x4, #0x40 /* one privilege: a bit that is 1 */
4:	orr	x3, x4, x1, lsl #30
	str	x3, [x0, x1, lsl #3]
	add	x1, x1, #1
	cmp	x1, x2
	b.ls	4b
	dsb	sy

	/* floating point is on, the cycle counter runs */
	mrs	x1, currentel
	cmp	x1, #8
	b.eq	6f
	b.hi	7f
	mov	x1, #3 << 20
	msr	cpacr_el1, x1
	movz	x3, #2, lsl #32 /* 40 bits; one table */
	movk	x3, #0x80, lsl #16
	tlbi	vmalle1
	map	el1
	b	8f
6:	mov	x1, #0x33ff
	msr	cptr_el2, x1
	movz	x3, #0x8082, lsl #16
	tlbi	alle2
	map	el2
	b	8f
7:	msr	cptr_el3, xzr
	mrs	x1, mdcr_el3
	orr	x1, x1, #1 << 17 /* events of the secure state count */
	msr	mdcr_el3, x1
	movz	x3, #0x8082, lsl #16
	tlbi	alle3
	map	el3
8:	mrs	x1, id_aa64dfr0_el1
	ubfx	x1, x1, #8, #4
	cbz	x1, 9f
	cmp	x1, #15
	b.eq	9f
	mov	x1, #1 << 27 /* counts at level 2, too */
	msr	pmccfiltr_el0, x1
	mov	x1, #1 << 31
	msr	pmcntenset_el0, x1
	mov	x1, #0x45
	msr	pmcr_el0, x1
9:	isb
	adrp	x0, stack_end
	add	x0, x0, :lo12:stack_end
	mov	sp, x0
	adrp	x0, no_arguments
	add	x0, x0, :lo12:no_arguments
	bl	runner_start
	.ltorg

/* An exception, as of an instruction that the core does not have, ends the program. */
	.p2align 11
vectors:
	.rept	16
	.p2align 7
	b	failed
	.endr
failed:
	mov	w0, #4 /* SYS_WRITE0 */
	adr	x1, sentence
	hlt	#0xf000
	mov	w0, #0x18 /* SYS_EXIT */
	adr	x1, reason
	hlt	#0xf000
10:	b	10b
sentence:
	.asciz	"an exception ended the program; has the core the atomic operations of ARMv8.1?\n"
	.p2align 3
reason:	.quad	0x20026, 2

	.bss
	.p2align 12
table:	.zero	4096

	.section .rodata
	.p2align 3
no_arguments:
	.quad	0, 0
	.section .note.GNU-stack, "", %progbits
