/* Insides of the judgement: what its files share. */
#ifndef CORE_TRUST_JUDGING_H
#define CORE_TRUST_JUDGING_H

#include <stdbool.h>
#include <stddef.h>

#include "core/trust/judge.h"
#include "core/trust/runs.h"
#include "core/trust/slope.h"

/* What an event of a machine counts for each interrupt. */
struct judging_slope {
	bool found;
	bool level;               /* from the level of counts, not from how they vary */
	bool bound;               /* the interrupts are those of all CPUs */
	enum trust_beside by;     /* which column has the interrupts */
	double slope, low, high;
	double own;               /* with `level`: what the event's own level shows */
	double within;            /* with `bound`: slope within tests, for differences between runs */
	struct trust_slope fit;   /* the regression within tests */
	bool present;             /* of page faults: they were counted */
	bool assumed;             /* the data agree with the slope, and do not determine it */
};

/* Returns whether how an event's counts vary excludes no plausible slope. */
bool judging_is_open(const struct judging_slope *);

/* The same event on the same machine, in all its tests. */
struct judging_event {
	const char *machine, *event;
	size_t *group;            /* indices of its groups; n */
	size_t n, cap;
	bool counted;             /* the machine counts interrupts beside its events */
	bool dead;                /* it has a counter for them, which never counts */
	struct judging_slope interrupts;
	struct judging_slope faults; /* of page faults that were counted beside the event */
};

/* What all events of a test have in common that count interrupt returns: the number of page faults. */
struct judging_constant {
	const char *test;
	bool found;
	double value, low, high;  /* the middle of those of machines and events, and their range */
	double unit;              /* the power of ten modulo which they agree */
	size_t n, n_machines, n_events; /* offsets that agree, of how many machines and events */
	bool open;                /* with events whose slope is open: the others do not suffice */
};

struct judging {
	const struct trust_runs *runs;
	struct judging_event *event; /* n_events */
	size_t n_events, events_cap;
	size_t *event_of;            /* per group */
	struct judging_constant *constant; /* n_tests: one for each test */
	size_t n_tests, tests_cap;
	size_t *test_of;             /* per group */
	bool round;                  /* some test shows that its loops have round numbers of rounds */
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
	bool kernel;              /* the count has what the kernel did for the program */
	bool shared;              /* it was multiplexed: no exactness can be judged */
};

/* An offset agrees with a round number if it is this close, as a share of the unit. */
#define JUDGING_NEAR 0.03
#define JUDGING_UNIT 1e4         /* the smallest unit that a round number of instructions may have */
#define JUDGING_AGREE 60.0       /* counts: offsets agree that are this close */

/* Two counters do not start and stop at the same instant, which no variance shows: a slope may be off by this share. */
#define JUDGING_SKEW 0.01

/* judge_doubts.c: sentences, and what is wrong with the runs themselves. */
void judging_say(struct trust_judged *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void judging_say_of_machine(struct trust_judged *, const char *text); /* copied */
/* The sentences as one text; NULL without any. The caller frees. */
char *judging_join(const struct trust_judged *);
/* A share of the runs' time was spent without a counter. */
bool judging_is_multiplexed(const struct trust_group *);
/* Finds out whether a count is larger than the program's because it has the kernel's side, and says so. */
void judging_find_kernel(struct judging_one *);
void judging_say_doubts(struct judging_one *);
/* What disturbed all runs of a machine: said of its first group. `r` has all groups. */
void judging_say_disturbed(const struct judging *, struct trust_judged *r);

/* judge_interrupts.c */
void judging_find_slopes(struct judging *);
/* The same of one event, whose slope on page faults is known now. */
void judging_find_slope(const struct judging *, struct judging_event *);
/* Looks at levels, for events whose slope is open. */
void judging_find_levels(struct judging *);
/* Fits an event's counts to one column, over all its tests; with `beside`, where that column is the same. What page
 * faults add is subtracted if their slope was found. */
struct trust_slope judging_fit(
	const struct judging *, const struct judging_event *, enum trust_beside by, const enum trust_beside *beside);
/* The count of a run without what interrupts added. */
double judging_without_interrupts(const struct judging_event *, const struct trust_group *, size_t run);
/* Mean of a group without what interrupts added; its range without that, and without what counted faults added. */
double judging_mean(const struct judging_event *, const struct trust_group *);
double judging_spread(const struct judging_event *, const struct trust_group *);

/* judge_faults.c: page faults that were counted beside the event. */
/* Looks at how they vary between runs of a test; before the interrupts. */
void judging_find_varying_faults(const struct judging *, struct judging_event *);
/* Looks at their level, too, and assumes what nothing shows; after the interrupts. */
void judging_find_fault_slope(const struct judging *, struct judging_event *);

/* judge_constant.c */
void judging_find_constants(struct judging *);
/* The number of page faults in a group's test, by other events and machines where there are enough. NAN: unknown. */
double judging_faults(const struct judging *, size_t group, double *low, double *high);
/* The same as the machine's other events show it: start-up adds faults to those of a program, and not the same number
 * everywhere. It tells apart whether a group counts faults, and is too much of one machine to be subtracted. */
double judging_faults_here(const struct judging *, size_t group);
/* The median of a group without what interrupts added, and its range without the tenth of the runs that are farthest
 * from that. Constants are read off these: one run that something disturbed does not move them. */
double judging_middle(const struct judging_event *, const struct trust_group *);
double judging_spread_of_most(const struct judging_event *, const struct trust_group *);
/* An offset as faults and a round number. */
struct judging_split {
	bool faults;              /* the event counts page faults */
	double round;             /* multiple of JUDGING_UNIT; 0 */
	double rest;              /* what neither explains */
	bool near;                /* the rest is small: the round number is no accident */
};
struct judging_split judging_split_offset(double offset, double faults, double noise);

#endif
