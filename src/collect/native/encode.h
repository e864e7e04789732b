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
	uint64_t rounds;        /* times that the body is run, each `unroll` passes; at least 1 */
	void *near;             /* near memory, each 8 bytes of it the address of its beginning */
	void *far[NATIVE_FAR];  /* next line of each chain; its first 8 bytes: the address of the line after it */
	void *chase;            /* next line of the footprint, likewise */
	/* addresses of lines for PROBE_FRESH, and for far lines of a chain that is not of far lines alone */
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

/* What a processor of x86-64 may lack of what probes need. */
enum native_lack {
	NATIVE_LACKS_AVX = 1,
	NATIVE_LACKS_FMA = 2,
};

struct native_style {
	unsigned unroll;    /* passes in a round */
	bool moves_as_nops; /* a nop is a copy of a register, because this core fuses nops with their neighbours */
	uint64_t sites;     /* draws what PROBE_SITE does */
	unsigned lacks;     /* of the processor; native_lacks() */
};

/* Lines that a round of the code takes. */
struct native_lines {
	size_t far[NATIVE_FAR], fresh;
};

/* Appends the function that runs passes. False and *e: the processor lacks AVX or FMA, and a pass
 * needs it. */
bool native_encode(struct native_text *, const struct probe_code *, const struct native_style *, struct native_lines *,
	struct err *e);

#endif
