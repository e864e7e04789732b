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

/* What the code works on. The code reads it at its beginning, and writes the chains and the random state back. */
struct native_frame {
	uint64_t rounds;        /* times that the body is run, each `unroll` passes; at least 1 */
	void *near;             /* near memory, each 8 bytes of it the address of its beginning */
	void *far[2];           /* next line of each chain; its first 8 bytes: the address of the line after it */
	void *chase;            /* next line of the footprint, likewise */
	const void *const *fresh; /* addresses of lines for PROBE_FRESH, one after the other */
	uint64_t random;        /* state of the random bits */
	double one;             /* 1.0 */
};

typedef void native_function(struct native_frame *);

/* A growing buffer of code. */
struct native_text {
	unsigned char *byte; /* n */
	size_t n, cap;
};

/* Appends the function that runs `unroll` passes in each round. `sites` draws what PROBE_SITE does. False and *e: the
 * processor lacks an instruction (AVX, FMA). */
bool native_encode(struct native_text *, const struct probe_code *, unsigned unroll, uint64_t sites, struct err *e);
/* Bytes of near memory that the code reaches. */
size_t native_near_size(const struct probe_code *);

#endif
