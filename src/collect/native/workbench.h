/* What all probes share: the timer, near memory, and lines that no cache has. */
#ifndef COLLECT_NATIVE_WORKBENCH_H
#define COLLECT_NATIVE_WORKBENCH_H

#include "collect/native/encode.h"
#include "collect/native/memory.h"
#include "collect/native/timer.h"

#define NATIVE_NEAR ((size_t)1 << 20) /* bytes of near memory; probes reach less */
#define NATIVE_FRESH ((size_t)8192)   /* fresh lines */

struct native_bench {
	struct native_timer timer;
	struct native_map data;      /* near memory, then far and fresh lines */
	struct native_chain far[NATIVE_FAR];
	size_t at[NATIVE_FAR];               /* next line of each */
	struct native_chain fresh;   /* only the order of its lines is used, not the chain */
	size_t fresh_at;
	bool moves_as_nops;          /* this core fuses nops */
};

bool native_bench_open(struct native_bench *, struct err *e);
void native_bench_close(struct native_bench *);

/* Removes the next lines from all caches, and puts their beginnings into the frame. */
void native_bench_lay(struct native_bench *, const struct native_lines *, struct native_frame *);

#endif
