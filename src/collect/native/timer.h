/* Time in cycles of the core, from the time stamp counter alone.
 *
 * The counter has a fixed frequency, the core has not. So each time is compared with that of a chain of multiplications
 * right before and after it. Each takes three cycles on all large cores of Intel since 2006 and of AMD since Zen
 * (A. Fog, "Instruction tables"; uops.info). Additions would not do: Golden Cove folds them at rename. */
#ifndef COLLECT_NATIVE_TIMER_H
#define COLLECT_NATIVE_TIMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/native/encode.h"
#include "collect/native/memory.h"

struct err;

#define NATIVE_RECENT 16

struct native_timer {
	struct native_map code;  /* the chain of multiplications */
	struct native_map wide;  /* copies that wait for nothing */
	double wide_least;       /* least cycles of the copies so far */
	double overhead;         /* ticks that each measured time has too many */
	double fastest, slowest; /* ticks in a cycle since the probe began, in undisturbed measurements */
	double recent[NATIVE_RECENT]; /* ticks in a cycle, in the last measurements */
	size_t n_recent;
	long switches, faults;   /* switches and faults of the thread so far */
};

/* A time that was measured. */
struct native_time {
	double cycles;
	bool disturbed; /* the thread was switched out or took a fault, the frequency changed, or the core was shared */
};

/* What a time is made of, in ticks. */
struct native_sample {
	double before, after;  /* in a cycle, by the chain of multiplications */
	double copies[2];      /* of the copies, before and after */
	double time;
	bool interrupted;      /* the thread was switched out or took a fault meanwhile */
};

bool native_timer_open(struct native_timer *, struct err *e);
void native_timer_close(struct native_timer *);
/* Forgets the range of frequencies: a new probe begins. */
void native_timer_begin(struct native_timer *);
/* Runs the function on the frame twice, first `warm` rounds of it, which are not timed, and then as many as are.
 * Nothing comes between the two: system calls before them have left their data in the caches. */
struct native_time native_time_of(
	struct native_timer *, native_function *, struct native_frame *, uint64_t warm, uint64_t rounds);

/* The time in cycles, and whether it was disturbed, compared with samples so far. */
struct native_time native_timer_judge(struct native_timer *, const struct native_sample *);

#endif
