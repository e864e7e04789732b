/* The judgement of recorded runs: how far each event of each machine can be trusted, and what explains its error.
 *
 * All groups are judged together, because one group alone says little. For a count y in run i of test t,
 *
 *     y = expected[t] + faults[t] + constant[t] + slope · interrupts[i] + noise
 *
 * the terms are found in this order:
 *
 *   1. slope: by regression over all tests of an event on a machine, with a separate level for each test (slope.h).
 *      Interrupts differ from run to run, everything else does not. A slope counts as found if its interval excludes 0,
 *      if it explains most of the variance, and if it is plausible: an interrupt adds a few counts, not hundreds. If
 *      the interval contains 1, the slope is 1: an interrupt return is one instruction. If a processor has no counter
 *      of interrupts, the interrupts of all CPUs are used, which are an upper bound. The slope is then at most 1.
 *   2. faults[t]: tables need no column for it. The program touches the same pages on every machine, and each fault
 *      adds the same to all events that count interrupt returns, be they instructions, branches, loads or stores. No
 *      instruction does that: an instruction may be a load or a branch, but not both. An instruction that counts twice
 *      does so once in each iteration of a loop, and the loops of a test program have round numbers of iterations. So
 *      the offsets of several events agree modulo a power of ten, and the common remainder is the number of faults,
 *      plus a few interrupts while the program starts.
 *   3. slope again, if (1) decided nothing because interrupts hardly differ between runs. If expectation and faults are
 *      known, the level gives the slope: the rest of the count, divided by the interrupts.
 *   4. constant[t]: what remains is a round number of instructions counted too often or not at all. A remainder that is
 *      not round is not subtracted: it would make any event look right.
 *
 * Sources of the terms: Weaver, Terpstra and Moore, "Non-determinism and overcount on modern hardware performance
 * counter implementations" (ISPASS 2013; extended 2021), sections 3.1 and 4. */
#ifndef CORE_TRUST_JUDGE_H
#define CORE_TRUST_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/trust/trust.h"

struct trust_entry;
struct trust_runs;

/* One cause of an event's error. */
struct trust_part {
	const char *by;           /* "interrupts", "page-faults", "overcounted instructions", … */
	double slope, low, high;  /* counts for each occurrence (with per_run, for each run), and the interval */
	bool per_run;             /* the number of occurrences was not measured: the slope is a constant of each run */
	bool bound;               /* the occurrences are an upper bound: those of all CPUs */
	bool assumed;             /* the data agree with the slope, but do not determine it */
	double occurrences;       /* mean number in a run; 1 with per_run */
	bool subtracted;          /* the part was subtracted to get the adjusted mean */
};

#define TRUST_PARTS_MAX 6

/* One sentence on the runs of a group, without a full stop. */
struct trust_said {
	char *text;
	bool of_machine;          /* the sentence is true of all runs of the machine */
};

struct trust_judged {
	double mean, spread;              /* of the counts; spread: largest minus smallest; NAN: no count, or unknown */
	double adjusted, adjusted_spread; /* after subtracting the parts with `subtracted` */
	double offset;                    /* mean minus expected; NAN if nothing is expected */
	double middle, distance;          /* of the adjusted counts: the middle one, and the largest distance from it */
	trust_letters letters;            /* the letters found in these runs, and those known about the event */
	trust_letters measured;           /* the letters found in these runs alone */
	enum trust_verdict verdict;
	struct trust_part part[TRUST_PARTS_MAX];
	size_t n_parts;
	char *note;                       /* sentences on these runs, joined by semicolons; NULL */
	struct trust_said *said;          /* the same sentences; n_said */
	size_t n_said, said_cap;
	bool heaps;                       /* the counts form two clusters */
	char *known;                      /* what a book of facts says about the event; NULL: nothing */
	double *run;                      /* the adjusted count of each run of the group; NULL: none */
};

struct trust_judgement {
	struct trust_judged *group;       /* one for each group of the runs, in their order */
	size_t n;
};

/* A trust_lookup returns what is known about an event on a machine, from a book of facts; NULL: nothing. */
/* The `machine` of a lookup for runs of an unknown processor: any machine with published errata of the event. */
#define TRUST_ANY_MACHINE "*"
typedef const struct trust_entry *trust_lookup(void *ctx, const char *machine, const char *event, const char *counter);

/* Judges all groups. `known` may be NULL. The caller frees the result with trust_judgement_free(). */
struct trust_judgement *trust_judge(const struct trust_runs *, trust_lookup *known, void *ctx);
void trust_judgement_free(struct trust_judgement *);

#endif
