/* Interval diagrams of lessons on a simulated machine, for print and for the screen. sim/intervals.h explains them. */
#ifndef WORK_FILES_INTERVALS_H
#define WORK_FILES_INTERVALS_H

#include <stddef.h>

struct err;
struct sim_interval;
struct simulation;

#define INTERVAL_EVENTS 48 /* chosen: occurrences that a diagram averages */
#define INTERVAL_MARKS_MAX 8
#define INTERVAL_COSTS_MAX 8

struct interval {
	char *machine;         /* its name, and items that replace those of its file */
	char *lesson;          /* name of the program, perhaps with parameters */
	const char *about, *why; /* why: a sentence about what the methods count */
	size_t events;         /* occurrences of which the series are means */
	int first;             /* number of the first cycle; the event is in cycle 0 */
	size_t n;              /* cycles */
	/* per cycle. issued, dispatched, committed: µops of the right path. rob, wrong: µops in the reorder buffer, and
	 * how many are of a wrong path. fmt, power5: share of the events for which the method counts the cycle */
	const double *issued, *dispatched, *committed, *rob, *wrong, *fmt, *power5;
	unsigned width, entries; /* most µops dispatched in a cycle; entries of the reorder buffer */
	double steady;         /* µops per cycle without the event */
	double lost;           /* lost cycles: missing dispatched µops ÷ steady */
	struct {
		const char *name, *text; /* for programs and for people */
		double at;       /* mean number of its cycle */
	} mark[INTERVAL_MARKS_MAX]; /* in the order of time */
	size_t n_marks;
	struct {
		const char *name, *text;
		double cycles;   /* cycles per event */
	} cost[INTERVAL_COSTS_MAX]; /* the first one is the truth */
	size_t n_costs;
	struct sim_interval *simulated; /* private: owns the series */
};

/* Simulates a lesson: the name of a program with one kind of event, perhaps with parameters. NULL and *e: the program
 * is no lesson, the machine has no pipeline, or the event does not occur on it. */
struct interval *interval_new(const struct simulation *, const char *lesson, struct err *e);
void interval_free(struct interval *);

/* Returns the name of the i-th lesson; NULL beyond the last. */
const char *interval_lesson(size_t i);

#endif
