/* Repeated runs of programs whose events were counted: one group for each machine, event and test (the program, or the
 * part of it, that ran). A run has the event's count, and next to it what may explain the count's error. */
#ifndef CORE_TRUST_RUNS_H
#define CORE_TRUST_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What was measured next to an event. The interrupts of /proc/interrupts are those of all CPUs, after the run minus
 * before: an upper bound of those that the program received. */
enum trust_beside {
	TRUST_BESIDE_INTERRUPTS,     /* counted beside the event */
	TRUST_BESIDE_FAULTS,         /* page faults of the program */
	TRUST_BESIDE_SWITCHES,       /* context switches of the program */
	TRUST_BESIDE_TIMER,          /* timer interrupts of all CPUs */
	TRUST_BESIDE_ALL_INTERRUPTS, /* interrupts of all CPUs */
	TRUST_BESIDE_SECONDS,        /* duration */
	TRUST_BESIDE_REFERENCE,      /* cycles at a fixed frequency, meanwhile */
	TRUST_BESIDE_STEAL,          /* seconds that the hypervisor took from its CPU */
	TRUST_N_BESIDES
};

struct trust_run {
	double count;                    /* exact up to 2^53 */
	double beside[TRUST_N_BESIDES];  /* NAN: not measured */
	double running;                  /* share of the run that the event had a counter, 0 … 1; scaled up */
	int64_t number;                  /* as the table numbers it; -1: it does not */
	int line;                        /* in the file; 0: unknown */
};

struct trust_group {
	char *machine, *event, *test; /* as the table writes them; "" where it has no such column */
	char *counter;                /* the event's name or code as the tool wrote it, and what it stands for; "" */
	struct trust_run *run;
	size_t n, cap;
	/* the runs are one row with their mean: so many runs it stands for, and their standard deviation; 0, NAN */
	size_t stated_runs;
	double stated_sd;
	size_t empty;                 /* rows without a count, which are not among the runs */
	size_t again;                 /* rows with the number of a run that was read before, likewise */
	bool mixed;                   /* its rows name different counters: the event changes its unit */
	bool kernel;                  /* by its name it counts in the kernel, too */
	bool kernel_anyway;           /* it does so although its name does not say so */
	double expected;              /* the count that is right; NAN: unknown */
	double rep;                   /* what string instructions add when each repetition counts; NAN: unknown */
	double expected_range;        /* largest distance of an instrumented count from `expected` */
};

struct trust_runs {
	struct trust_group *group;    /* in the order of the input */
	size_t n, cap;
	char **note;                  /* sentences on the input */
	size_t n_notes, notes_cap;
};

void trust_runs_free(struct trust_runs *); /* leaves an empty table */
/* Returns the group with these names; adds it if it is new. It is valid until the next call. */
struct trust_group *trust_runs_group(
	struct trust_runs *, const char *machine, const char *event, const char *test);
/* Appends a run. */
void trust_group_add(struct trust_group *, const struct trust_run *);
/* A run without anything but its count. */
struct trust_run trust_run_of(double count);
/* Appends a sentence; takes over the text. */
void trust_runs_note(struct trust_runs *, char *text);

/* Mean of the counts, and the largest minus the smallest. NAN without runs. */
double trust_group_mean(const struct trust_group *);
double trust_group_spread(const struct trust_group *);
/* Mean of what was measured next to the event; NAN unless all runs have it. */
double trust_group_beside(const struct trust_group *, enum trust_beside);
/* The middle count, the lower one of two. NAN without runs. */
double trust_median(const double *v, size_t n);

/* The class of an event, by names that tables use: "retired_instr", "inst_retired" and "instructions:u" are
 * "instructions". Other names are returned without modifiers and in lower case. The caller frees it. */
char *trust_event_class(const char *event);

#endif
