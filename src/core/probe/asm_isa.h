/* How an instruction set expresses the instructions of probes. Private to core/probe/.
 *
 * Forms are texts in which the writer replaces:
 *
 *     %d   register of the result              %o   offset from a base register
 *     %s   register of the operand, or data    %k   0 … 31, bits from the top of the random number
 *     %b   base register of an address         %q   63 - %k
 *
 * Each word of the near region holds the near pointer, and near stores write it. So a register that was loaded from
 * there is a base register again, and a chain can go through loads, stores and additions of zero in any order. */
#ifndef CORE_PROBE_ASM_ISA_H
#define CORE_PROBE_ASM_ISA_H

#include "core/probe/probe.h"

#define ASM_RESULTS_MAX 16
#define ASM_NEAR_BYTES 16384  /* of the near region; larger offsets start over */
#define ASM_BASED_BYTES 4096  /* reach of an offset from a base register */
#define ASM_UNROLLED 16       /* loads of a footprint in one turn of the loop */
#define ASM_COINS 32          /* random bits of one number */

struct asm_isa {
	const char *name, *cross;
	const char *head;                    /* macros of the file: begin NAME, end, and those that forms use */
	const char *ready, *chain[PROBE_CHAINS]; /* integer registers; chain 3 also has `partner`, where moves go */
	const char *partner;
	const char *fp_ready, *fp_chain;
	const char *result[ASM_RESULTS_MAX], *fp_result[ASM_RESULTS_MAX]; /* results in turn; NULL after the last */
	const char *line, *late;             /* base registers: of PROBE_SAME; of what waits for a load of `block` */
	int bias;                            /* where the near pointer points, from the beginning of its region */
	unsigned max_skip;                   /* bytes that a jump can skip */

	const char *form[PROBE_N_OPS];       /* accesses: near */
	const char *based[PROBE_N_OPS];      /* accesses: at %o from %b */
	const char *jump_skip;               /* a jump over %o bytes of code */
	const char *site[2];                 /* a branch that is never taken, and one that always is */
	const char *far;                     /* the next line of chain %d */
	const char *keep;                    /* `line` becomes the line to which %s points */
	const char *fresh;                   /* `line` becomes a line that no cache has */
	const char *wait;                    /* `late` becomes the near pointer, as soon as %s is known */
	const char *toss;                    /* a new random number */
	const char *home;                    /* the chain's register takes the value of `partner` */
};

extern const struct asm_isa asm_riscv64, asm_aarch64, asm_x86_64;

#endif
