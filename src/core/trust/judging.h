/* Insides of the judgement: what its files share. */
#ifndef CORE_TRUST_JUDGING_H
#define CORE_TRUST_JUDGING_H

#include <stdbool.h>
#include <stddef.h>

#include "core/trust/judge.h"
#include "core/trust/runs.h"
#include "core/trust/slope.h"

/* The number of counts that an event of a machine adds for each interrupt. */
struct judging_slope {
	bool found;
	bool level;               /* derived from the level of counts, not from their variation */
	bool bound;               /* the interrupts are those of all CPUs */
	enum trust_beside by;     /* which column has the interrupts */
	double slope, low, high;
	double own;               /* with `level`: what the event's own level shows */
	double within;            /* with `bound`: slope within tests, for differences between runs */
	struct trust_slope fit;   /* the regression within tests */
	bool present;             /* for page faults: they were counted */
	bool assumed;             /* the data agree with the slope, but do not determine it */
};

/* Returns true if the variation of an event's counts excludes no plausible slope. */
bool judging_is_open(const struct judging_slope *);

/* The same event on the same machine, in all its tests. */
struct judging_event {
	const char *machine, *event;
	size_t *group;            /* indices of its groups; n */
	size_t n, cap;
	bool counted;             /* the machine counts interrupts beside its events */
	bool dead;                /* the machine has a counter of interrupts, but it never counts */
	struct judging_slope interrupts;
	struct judging_slope faults; /* slope on page faults that were counted next to the event */
};

/* What all events of a test have in common that count interrupt returns: the number of page faults. */
struct judging_constant {
	const char *test;
	bool found;
	double value, low, high;  /* median over machines and events, and the range */
	double unit;              /* the power of ten modulo which they agree */
	size_t n, n_machines, n_events; /* number of offsets that agree; number of their machines and events */
	bool open;                /* includes events whose slope is open, because the other events do not suffice */
};

struct judging {
	const struct trust_runs *runs;
	struct judging_event *event; /* n_events */
	size_t n_events, events_cap;
	size_t *event_of;            /* per group */
	struct judging_constant *constant; /* n_tests: one for each test */
	size_t n_tests, tests_cap;
	size_t *test_of;             /* per group */
	bool round;                  /* some test shows that its loops have round numbers of iterations */
};

/* One group while it is judged. */
struct judging_one {
	const struct judging *j;
	size_t at;
	const struct trust_group *g;
	const struct judging_event *v;
	struct trust_judged *r;
	double rest;              /* offset that is not explained yet; NAN: no expectation */
	bool rest_is_constant;    /* what remains was listed as a constant */
	bool kernel;              /* the count includes what the kernel did for the program */
	bool shared;              /* the event was multiplexed, so its exactness cannot be judged */
};

/* An offset agrees with a round number if it is this close, as a share of the unit. */
#define JUDGING_NEAR 0.03
#define JUDGING_UNIT 1e4         /* the smallest unit that a round number of instructions may have */
#define JUDGING_AGREE 60.0       /* in counts: offsets this close to each other agree */

/* Two counters do not start and stop at the same instant, which no variance shows: a slope may be off by this share. */
#define JUDGING_SKEW 0.01

/* judge_doubts.c: sentences, and what is wrong with the runs themselves. */
void judging_say(struct trust_judged *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void judging_say_of_machine(struct trust_judged *, const char *text); /* copied */
/* Returns the sentences as one text; NULL if there are none. The caller frees it. */
char *judging_join(const struct trust_judged *);
/* Returns true if the event had no counter during a part of the runs' time. */
bool judging_is_multiplexed(const struct trust_group *);
/* Finds out whether a count is larger than the program's own because it includes the kernel side, and says so. */
void judging_find_kernel(struct judging_one *);
void judging_say_doubts(struct judging_one *);
/* Says what disturbed all runs of a machine, at its first group. `r` has all groups. */
void judging_say_disturbed(const struct judging *, struct trust_judged *r);

/* judge_interrupts.c */
void judging_find_slopes(struct judging *);
/* The same for one event, whose slope on page faults is known by now. */
void judging_find_slope(const struct judging *, struct judging_event *);
/* Derives slopes from levels, for events whose slope is open. */
void judging_find_levels(struct judging *);
/* Fits an event's counts to one column, over all its tests; with `beside`, only among runs that have equal values in
 * that column. What page faults add is subtracted if their slope was found. */
struct trust_slope judging_fit(
	const struct judging *, const struct judging_event *, enum trust_beside by, const enum trust_beside *beside);
/* Returns the count of a run without what interrupts added. */
double judging_without_interrupts(const struct judging_event *, const struct trust_group *, size_t run);
/* Return the mean of a group without what interrupts added, and its range without what interrupts and counted faults
 * added. */
double judging_mean(const struct judging_event *, const struct trust_group *);
double judging_spread(const struct judging_event *, const struct trust_group *);

/* judge_faults.c: page faults that were counted beside the event. */
/* Uses their variation between runs of a test. Called before the interrupts are judged. */
void judging_find_varying_faults(const struct judging *, struct judging_event *);
/* Also uses their level, and makes an assumption if the data show nothing. Called after the interrupts are judged. */
void judging_find_fault_slope(const struct judging *, struct judging_event *);

/* judge_constant.c */
void judging_find_constants(struct judging *);
/* Returns the number of page faults in a group's test, derived from other events and machines if there are enough. NAN:
 * unknown. */
double judging_faults(const struct judging *, size_t group, double *low, double *high);
/* The same, derived only from the machine's other events, because start-up adds faults to those of a program, and not
 * the same number on every machine. The result shows whether a group counts faults, but is too specific to the machine
 * to be subtracted. */
double judging_faults_here(const struct judging *, size_t group);
/* Return the median of a group without what interrupts added, and its range without the tenth of the runs that are
 * farthest from the median. Constants are derived from these, so that one disturbed run does not change them. */
double judging_middle(const struct judging_event *, const struct trust_group *);
double judging_spread_of_most(const struct judging_event *, const struct trust_group *);
/* An offset, split into faults and a round number. */
struct judging_split {
	bool faults;              /* the event counts page faults */
	double round;             /* multiple of JUDGING_UNIT, or 0 */
	double rest;              /* what neither explains */
	bool near;                /* the rest is small, so the round number is no coincidence */
};
struct judging_split judging_split_offset(double offset, double faults, double noise);

#endif
