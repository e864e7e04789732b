/* How an instruction set expresses the instructions of probes. Private to core/probe/.
 *
 * Forms are texts in which the writer replaces:
 *
 *     %d   register of the result              %o   offset from a base register, or bytes of code
 *     %s   register of the operand, or data    %k   0 … 31, bits from the top of the random number
 *     %b   base register of an address         %q   63 - %k
 *
 * Each word of the near region holds the near pointer, and near stores write it. So a register that was loaded from
 * there is a base register again, and a chain can go through loads, stores and additions of zero in any order. Where
 * the chain of the fill goes through far lines, its register holds the address of the next one; other accesses then
 * wait for `zero_of`, which is 0 as soon as the chain's value is known, and add nothing to it.
 */
#ifndef CORE_PROBE_ASM_ISA_H
#define CORE_PROBE_ASM_ISA_H

#include <stdbool.h>

#include "core/probe/probe.h"

#define ASM_RESULTS_MAX 16
#define ASM_UNROLLED 16       /* loads of a footprint in one turn of the loop */
#define ASM_COINS 32          /* random bits of one number */

struct asm_isa {
	const char *name, *cross;
	bool bare;                           /* the runner supports it without an operating system */
	const char *head;                    /* macros of the file: begin NAME, end, and those that forms use */
	const char *ready, *chain[PROBE_CHAINS]; /* integer registers; `ready` is the near pointer */
	/* second register for the fill's chain: moves alternate between it and the chain's own register */
	const char *partner;
	const char *fp_ready, *fp_chain;
	const char *result[ASM_RESULTS_MAX], *fp_result[ASM_RESULTS_MAX]; /* results in turn; NULL after the last */
	/* base registers: for PROBE_SAME; for an address that is computed by an addition */
	const char *line, *spare;
	int bias;                            /* where the near pointer points, from the beginning of its region */
	unsigned reach;                      /* offsets from a base register are modulo this power of two */
	unsigned max_pass;                   /* bytes of code over which the loop can jump; 0: any */
	unsigned max_skip;                   /* bytes that a jump can skip */

	const char *form[PROBE_N_OPS];       /* accesses: near */
	/* replaces `form` if %d is not %s (for atomic, %b) and the form then differs */
	const char *apart[PROBE_N_OPS];
	const char *based[PROBE_N_OPS];      /* accesses: at %o from %b */
	const char *jump_skip;               /* a jump over %o bytes of code */
	const char *site[2];                 /* a branch over a nop that is never taken, and one that always is */
	const char *far;                     /* the next line of chain %d */
	const char *keep;                    /* `line` becomes the line to which %s points */
	const char *fresh;                   /* `line` becomes a line that no cache has */
	const char *zero_of;                 /* 0, as soon as %s is known; in a register of its own */
	const char *sum;                     /* `spare` becomes %b plus that 0 */
	const char *sum_of;                  /* `spare` becomes %b as soon as %s is known */
	const char *join;                    /* %d keeps its value, but waits for `spare` */
	const char *toss;                    /* a new random number */
	const char *home;                    /* the chain's register takes the value of `partner` */
};

extern const struct asm_isa asm_riscv64, asm_aarch64, asm_x86_64;

#endif
