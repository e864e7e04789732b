// Programs without a library, one for each name in KNOWN_…: their instructions can be counted by reading them. N is the
// number of rounds. Cortex-A57 and RISC-V.
//
//                 KNOWN_LOOP   KNOWN_CALLS   KNOWN_READ   KNOWN_WRITE
//   before        1            1             3            3 (RISC-V: 4)
//   each round    2            4             4            4
//   to the end    3            3             3            3

	.globl _start
	.text
_start:
#if defined KNOWN_READ || defined KNOWN_WRITE
	.macro access page
#ifdef KNOWN_READ
#ifdef __aarch64__
	ldrb w1, [\page]
#else
	lbu a1, 0(\page)
#endif
#else
#ifdef __aarch64__
	strb wzr, [\page]
#else
	sb zero, 0(\page)
#endif
#endif
	.endm
#endif

#ifdef __aarch64__
	mov x19, #N
#ifdef KNOWN_LOOP
1:
#elif defined KNOWN_CALLS
1:	mov x8, #173              // getppid
	svc #0
#else
	adrp x20, pages
	add x20, x20, :lo12:pages
1:	access x20
	add x20, x20, #4096
#endif
	subs x19, x19, #1
	b.ne 1b
	mov x0, #0
	mov x8, #93               // exit
	svc #0
#else
	.option norelax
	.option norvc
	li s0, N
#ifdef KNOWN_LOOP
1:
#elif defined KNOWN_CALLS
1:	li a7, 173                // getppid
	ecall
#else
	lla s1, pages
	li s2, 4096
1:	access s1
	add s1, s1, s2
#endif
	addi s0, s0, -1
	bnez s0, 1b
	li a0, 0
	li a7, 93                 // exit
	ecall
#endif

#if defined KNOWN_READ || defined KNOWN_WRITE
	.bss
	.balign 4096
pages:	.skip 4096 * N
#endif
