/* Overflows of a counter: how late they stop a program, and how to stop it at an exact count nevertheless.
 *
 *     count    c ──────────────── c + P ────────── s            skid = s − (c + P)
 *              armed with P       overflow         the program stops
 *
 *     count    0 ──────────── N − margin ──── s ┄┄┄┄┄┄┄ N       the skid must be smaller than the margin;
 *              armed          overflow        stop  steps       from s on, one instruction at a time (ReVirt)
 *
 * Weaver, Terpstra and Moore, "Non-determinism and overcount on modern hardware performance counter implementations",
 * section 4. The mechanism is the same for a command here (collect/workload/overflow_task.h) and for a simulated
 * machine (sim/overflow.h). */
#ifndef COLLECT_OVERFLOW_H
#define COLLECT_OVERFLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

enum overflow_why {
	OVERFLOW_STOPPED, /* stopped by an overflow, or after a step */
	OVERFLOW_ENDED,   /* the program has ended, or its first thread has */
	OVERFLOW_CUT,     /* ended by a signal to hecate, or because the time was up */
};

/* A program at a stop. */
struct overflow_stop {
	enum overflow_why why;
	uint64_t count;     /* count of the event since the start; with OVERFLOW_ENDED, the total */
	bool iteration;     /* the step was an iteration of a string instruction that has not retired yet */
	bool retired;       /* an instruction retired in the step; false: a signal came before */
	uint64_t throttled, lost; /* records of the kernel since the last stop */
};

/* What a program can see of itself at a stop. Two runs with equal states are at the same place. */
#define OVERFLOW_WORDS 48
struct overflow_state {
	uint64_t word[OVERFLOW_WORDS]; /* registers */
	size_t n, pc;                  /* number of words; index of the word with the address of the next instruction */
};

/* Ways to run a program. */
struct overflow_ops {
	/* Starts the program anew. It stops before its first instruction, with the counter at 0. */
	bool (*start)(void *, struct err *e);
	/* Runs until the counter overflows, `period` counts from now; 0: to the end. Returns false and sets *e on
	 * failure. */
	bool (*run)(void *, uint64_t period, struct overflow_stop *, struct err *e);
	/* Executes one instruction, or one iteration of a string instruction. */
	bool (*step)(void *, struct overflow_stop *, struct err *e);
	void (*look)(void *, struct overflow_state *);
	/* Ends the program if it has not ended. It may be started again. */
	void (*end)(void *);
};

struct overflow_subject {
	const struct overflow_ops *ops;
	void *ctx;
};

/* --- skid --------------------------------------------------------------------------------------------------------- */

struct overflow_skid {
	uint64_t period;
	uint64_t overflows;     /* stops */
	int64_t least, most;    /* skid in counts, of stops that came before the next period was over */
	double median;
	uint64_t measured;      /* stops with a skid */
	uint64_t missed;        /* periods that passed without a stop */
	int64_t longest;        /* longest distance from an overflow to its stop, missed periods included */
	uint64_t throttled, lost;
	uint64_t total;         /* the count at the end */
	bool ended;             /* the program ran to its end; false: it was ended after `most` overflows */
	bool cut;
};

/* Runs the program once and lets the counter overflow again and again, up to `most` times. After each stop the period
 * begins anew at the count of that stop. Returns false and sets *e if the program or the counter cannot be used. */
bool overflow_measure(
	const struct overflow_subject *, uint64_t period, size_t most, struct overflow_skid *, struct err *e);

/* Runs the program to its end, without an overflow. */
bool overflow_total(const struct overflow_subject *, struct overflow_stop *, struct err *e);

/* --- an exact count ----------------------------------------------------------------------------------------------- */

enum overflow_outcome {
	OVERFLOW_EXACT,  /* the count is the requested one */
	OVERFLOW_PASSED, /* one instruction raised the count from below to above the requested one */
	OVERFLOW_LATE,   /* the skid was larger than the margin */
	OVERFLOW_SHORT,  /* the program ended earlier, with `count` as its total */
	OVERFLOW_GIVEN_UP, /* cut during the steps, or before */
};

struct overflow_arrival {
	enum overflow_outcome outcome;
	uint64_t overflow;  /* the count for which the overflow was set; 0: steps from the start */
	uint64_t stop;      /* the count at which the overflow stopped the program */
	uint64_t steps;     /* number of instructions stepped from there on */
	uint64_t silent;    /* steps that did not raise the count */
	uint64_t multiple;  /* steps that raised the count by more than 1 */
	uint64_t before, count; /* before and after the last step */
	/* states at the overflow's stop, before the last step, and now; n is 0 if there is none */
	struct overflow_state first, last, here;
};

/* Runs the program until the count is `n`: an overflow is set `margin` counts earlier, and single steps follow. The
 * program stays there until ops->end(), so that it can be inspected. Returns false and sets *e as above. */
bool overflow_stop_at(
	const struct overflow_subject *, uint64_t n, uint64_t margin, struct overflow_arrival *, struct err *e);

/* Returns the set of words that are equal in all these arrivals; 0 if they are at different addresses, or if some did
 * not arrive. */
uint64_t overflow_words(const struct overflow_arrival *, size_t n);

/* Where an arrival is in the program, by single steps from its start. */
struct overflow_position {
	bool known;
	/* the state of its first stop occurred the same number of steps earlier as in the run itself */
	bool sure;
	uint64_t instructions; /* number of instructions that retired before it */
	uint64_t count;        /* count of the event when it was reached by steps alone */
};

/* Looks for the place of each arrival: the first one that is as many instructions after the state of the first stop as
 * in the run itself, or else the first one with equal registers. Registers that differ between arrivals at one address
 * are ignored. The search ends when all places are sure, or when twice as many instructions found no more. Returns
 * false and sets *e as above. */
bool overflow_find(const struct overflow_subject *, const struct overflow_arrival *, size_t n,
	struct overflow_position *out, struct err *e);

#endif
