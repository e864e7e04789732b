/* Writes the abstract code of a probe as x86-64 machine code: a function of one frame that runs pairs of passes.
 *
 * All memory cells and integer registers that a pass touches hold the address of the near memory, and all
 * floating-point registers hold 1 or 0, in any order of instructions. So an address that waits for a result is always
 * valid, and no result ever becomes slow (a denormal number) or wrong. */
#ifndef COLLECT_NATIVE_ENCODE_H
#define COLLECT_NATIVE_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct probe_code;

#define NATIVE_FAR 3 /* chains of far lines, for chains 1 to 3 of the probe */

/* What the code works on. The code reads it at its beginning, and writes the chains and the random state back. */
struct native_frame {
	uint64_t rounds;        /* number of times that the body is run, at least 1; a round is `unroll` passes */
	void *near;             /* near memory; each 8 bytes of it hold the address of its beginning */
	void *far[NATIVE_FAR];  /* next line of each chain; its first 8 bytes: the address of the line after it */
	void *chase;            /* next line of the footprint; its first 8 bytes: the address of the line after it */
	/* addresses of lines for PROBE_FRESH, and for the far lines of a chain that has other instructions, too */
	const void *const *fresh;
	uint64_t random;        /* state of the random bits */
	double one;             /* 1.0 */
};

typedef void native_function(struct native_frame *);

/* A growing buffer of code. */
struct native_text {
	unsigned char *byte; /* n */
	size_t n, cap;
};

/* Extensions that probes need and that an x86-64 processor may lack. */
enum native_lack {
	NATIVE_LACKS_AVX = 1,
	NATIVE_LACKS_FMA = 2,
};

struct native_style {
	unsigned unroll;    /* passes in a round */
	bool moves_as_nops; /* a nop is a copy of a register, because this core fuses nops with their neighbours */
	uint64_t sites;     /* seed of the random bits of PROBE_SITE */
	unsigned lacks;     /* extensions that the processor lacks; see native_lacks() */
};

/* Numbers of lines that a round of the code uses. */
struct native_lines {
	size_t far[NATIVE_FAR], fresh;
};

/* Appends the function that runs passes. Returns false and sets *e if the processor lacks AVX or FMA, and a pass needs
 * it. */
bool native_encode(struct native_text *, const struct probe_code *, const struct native_style *, struct native_lines *,
	struct err *e);

#endif
