/* Time in cycles of the core, from the time stamp counter alone.
 *
 * The counter has a fixed frequency, but the core does not. So each time is compared with the time of a chain of
 * multiplications right before and after it. Each takes three cycles on all large cores of Intel since 2006 and of AMD
 * since Zen (A. Fog, "Instruction tables"; uops.info). Additions are not suitable, because Golden Cove folds them at
 * rename. */
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
	struct native_map wide;  /* independent copies of registers */
	double wide_least;       /* least cycles of the copies so far */
	double overhead;         /* excess ticks in each measured time */
	double fastest, slowest; /* ticks in a cycle since the probe began, in undisturbed measurements */
	double recent[NATIVE_RECENT]; /* ticks in a cycle, in the last measurements */
	size_t n_recent;
	long switches, faults;   /* switches and faults of the thread so far */
};

/* A measured time. */
struct native_time {
	double cycles;
	bool disturbed; /* the thread was switched out or took a fault, the frequency changed, or the core was shared */
};

/* The measurements, in ticks, from which a time is computed. */
struct native_sample {
	double before, after;  /* ticks in a cycle, by the chain of multiplications */
	double copies[2];      /* time of the copies, before and after */
	double time;
	bool interrupted;      /* the thread was switched out or took a fault during the measurement */
};

bool native_timer_open(struct native_timer *, struct err *e);
void native_timer_close(struct native_timer *);
/* Forgets the range of frequencies: a new probe begins. */
void native_timer_begin(struct native_timer *);
/* Runs the function on the frame twice: first `warm` rounds, which are not timed, then `rounds` rounds, which are. The
 * first run removes the effects of earlier system calls on the caches, and nothing happens between the two runs. */
struct native_time native_time_of(
	struct native_timer *, native_function *, struct native_frame *, uint64_t warm, uint64_t rounds);

/* Returns the time of a sample in cycles, and whether it was disturbed, compared with the samples so far. */
struct native_time native_timer_judge(struct native_timer *, const struct native_sample *);

#endif
