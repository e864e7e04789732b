/* Runner of exported probes. What an assembly file of hecate gives and takes; its numbers stand there, too. */
#ifndef RUNNER_H
#define RUNNER_H

#include <stdint.h>

#define LINE 64
#define NEAR_BYTES 16384

/* What a pass finds in its registers, and leaves. */
struct probe_state {
	uint64_t passes;
	uint64_t chain[4];    /* 1, 2: chains of loads that miss; 3: chain of the fill */
	uint64_t near;        /* lines that the first cache always has; each word is this pointer */
	uint64_t zero, one;
	uint64_t fresh, mask, base, step; /* lines that no cache has: base + (fresh & mask), in steps */
	uint64_t random, multiplier;
	double fp_one, fp_chain;
};

struct probe_point {
	uint64_t x;
	void (*pass)(struct probe_state *);
	void (*against)(struct probe_state *); /* of a pair; 0: none */
};

/* The table at the end of an assembly file. */
struct probe {
	const char *name, *measures, *isa;
	const struct probe_point *point;
	uint64_t n;           /* points */
	uint64_t block;       /* 1: the chains 1 and 2 are used */
	uint64_t far;         /* 1: chain 3 goes through lines that no cache has */
	uint64_t fresh;       /* 1: some loads are of lines that no cache has, at addresses that are known */
	uint64_t coins;       /* 1: branches by random bits, which the predictor has to learn */
	uint64_t ratio;       /* 1: a pair is divided, 0: subtracted */
	uint64_t small_pages; /* 1: a footprint in pages of 4 KiB, at another place of each */
	uint64_t footprint;   /* 1: x is bytes; chain 3 goes through them */
	uint64_t sequential;  /* 1: in the order of addresses, 0: in random order */
	uint64_t stride;      /* bytes between lines of the footprint */
	uint64_t unrolled;    /* loads of the footprint in one pass */
	uint64_t bias;        /* where `near` points in its region */
};

extern const struct probe hecate_probe;

#endif
