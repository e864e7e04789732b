/* Repeated runs of programs whose events were counted: one group for each machine, event and test (the program, or the
 * part of it, that ran). A run has the event's count, and numbers that may explain the count's error. */
#ifndef CORE_TRUST_RUNS_H
#define CORE_TRUST_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What was measured next to an event. The interrupts of /proc/interrupts are those of all CPUs, the number after the
 * run minus the number before. It is an upper bound of the interrupts that the program received. */
enum trust_beside {
	TRUST_BESIDE_INTERRUPTS,     /* interrupts, counted by a second counter next to the event */
	TRUST_BESIDE_FAULTS,         /* page faults of the program */
	TRUST_BESIDE_SWITCHES,       /* context switches of the program */
	TRUST_BESIDE_TIMER,          /* timer interrupts of all CPUs */
	TRUST_BESIDE_ALL_INTERRUPTS, /* interrupts of all CPUs */
	TRUST_BESIDE_SECONDS,        /* duration */
	TRUST_BESIDE_REFERENCE,      /* cycles at a fixed frequency during the run */
	TRUST_BESIDE_STEAL,          /* seconds that the hypervisor took from the run's CPU */
	TRUST_N_BESIDES
};

struct trust_run {
	double count;                    /* exact up to 2^53 */
	double beside[TRUST_N_BESIDES];  /* NAN: not measured */
	/* share of the run during which the event had a counter, 0 … 1; `count` is scaled up */
	double running;
	int64_t number;                  /* number of the run in the table; -1: not numbered */
	int line;                        /* line in the file; 0: unknown */
};

struct trust_group {
	char *machine, *event, *test; /* as the table writes them; "" if the table has no such column */
	/* the event's name or code as the tool wrote it, and its meaning; "" if unknown */
	char *counter;
	struct trust_run *run;
	size_t n, cap;
	/* if the table has only one row with the mean of several runs: their number and standard deviation; otherwise 0
	 * and NAN */
	size_t stated_runs;
	double stated_sd;
	size_t empty;                 /* number of rows without a count, which are not in `run` */
	/* number of rows that repeat the number of an earlier run, which are not in `run` either */
	size_t again;
	bool mixed;                   /* the rows name different counters, because the event changed its unit */
	bool kernel;                  /* by its name, the event counts in the kernel, too */
	bool kernel_anyway;           /* the event counts in the kernel although its name does not say so */
	double expected;              /* the correct count; NAN: unknown */
	/* additional count if each repetition of a string instruction counts; NAN: unknown */
	double rep;
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
/* Returns a run with nothing but its count. */
struct trust_run trust_run_of(double count);
/* Appends a sentence; takes over the text. */
void trust_runs_note(struct trust_runs *, char *text);

/* Return the mean of the counts, and the largest count minus the smallest; NAN if there are no runs. */
double trust_group_mean(const struct trust_group *);
double trust_group_spread(const struct trust_group *);
/* Returns the mean of what was measured next to the event; NAN unless all runs have the value. */
double trust_group_beside(const struct trust_group *, enum trust_beside);
/* Returns the median, for an even n the lower of the two middle values. Returns NAN if n is 0. */
double trust_median(const double *v, size_t n);

/* Returns the class of an event, given a name that tables use: "retired_instr", "inst_retired" and "instructions:u" are
 * "instructions". Other names are returned without modifiers and in lower case. The caller frees it. */
char *trust_event_class(const char *event);

#endif
