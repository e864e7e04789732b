/* When a run ends: the limits that it was given, and the grace between SIGTERM and SIGKILL. */
#ifndef WORK_RUN_RUN_LIMITS_H
#define WORK_RUN_RUN_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

enum run_ending {
	RUN_END_ITSELF,   /* the subject ended */
	RUN_END_SAMPLES,  /* as many samples as asked for */
	RUN_END_DURATION, /* the time asked for */
	RUN_END_ASKED,    /* run_finish(), or a failure while sampling */
	RUN_END_FULL,     /* no room for further rows */
};

const char *run_ending_word(enum run_ending); /* "end", "samples", "duration", "interrupt", "full" */

#define RUN_GRACE_SECONDS 0.5 /* between SIGTERM and SIGKILL, when samples or seconds are used up */

struct run_limits {
	size_t samples;         /* 0: no limit */
	double duration;        /* seconds; 0: no limit */
	double started_at;      /* by clock_seconds() */
	bool finishing;         /* the subject was signalled to end, or its sampling stops */
	double grace_ends_at;   /* while finishing */
	enum run_ending ending; /* RUN_END_ITSELF, unless it is finishing */
};

/* The clock starts now. */
struct run_limits run_limits_begin(size_t samples, double duration);

/* Seconds until the duration or the grace is over; INFINITY. */
double run_limits_patience(const struct run_limits *);
bool run_limits_late(const struct run_limits *); /* the duration is over */

/* Begins to end the run for this reason. True once: the caller then ends the subject, by SIGTERM if it is a command. */
bool run_limits_finish(struct run_limits *, enum run_ending why);
/* Does the same when a limit is reached by this number of samples, or when there is no room for more. */
bool run_limits_reached(struct run_limits *, size_t samples, bool full);
/* True when the grace is over, and again after each further grace: the caller sends SIGKILL. */
bool run_limits_kill(struct run_limits *);

/* False for a row past the limits, which comes while a command is ending. */
bool run_limits_want(const struct run_limits *, size_t samples);

#endif
