/* What all probes share: the timer, near memory, and lines that no cache has. */
#ifndef COLLECT_NATIVE_WORKBENCH_H
#define COLLECT_NATIVE_WORKBENCH_H

#include "collect/native/encode.h"
#include "collect/native/memory.h"
#include "collect/native/timer.h"

#define NATIVE_NEAR ((size_t)1 << 20) /* bytes of near memory */
#define NATIVE_FRESH ((size_t)8192)   /* fresh lines */

struct native_bench {
	struct native_timer timer;
	struct native_map data;      /* near memory, then far and fresh lines */
	struct native_chain far[2];
	size_t at[2];                /* next line of each */
	struct native_chain fresh;   /* its lines in their order; no chain */
	size_t fresh_at;
};

bool native_bench_open(struct native_bench *, struct err *e);
void native_bench_close(struct native_bench *);

/* How many lines of each kind a run of code needs. */
struct native_lines {
	size_t far[2], fresh;
};
/* Removes the next lines from all caches, and puts their beginnings into the frame. */
void native_bench_lay(struct native_bench *, const struct native_lines *, struct native_frame *);

#endif
