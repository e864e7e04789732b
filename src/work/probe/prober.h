/* Runs probes in a process of their own, so that a probe can be stopped at any time and nothing waits for it.
 *
 *     explorer ◄──────── pipe ──────── prober: BEGINS 0, POINT …, DONE 0, BEGINS 1, …, and its end
 *
 * The prober dies with the process that started it. */
#ifndef WORK_PROBE_PROBER_H
#define WORK_PROBE_PROBER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/curve/curve.h"

struct err;
struct probe;
struct prober;

/* A probe, and the machine that it runs on, as for probe_machine_new(). */
struct prober_job {
	const char *on;
	const struct probe *probe;
};

struct prober_news {
	enum prober_word {
		PROBER_BEGINS, /* the job begins */
		PROBER_POINT,  /* point `at` of its curve is new, or better than before; there are at least as many */
		PROBER_NOTE,   /* `text` is a note on its curve */
		PROBER_DONE,   /* its curve is whole */
		PROBER_FAILED, /* `text` says why it could not run */
		PROBER_ENDED,  /* of all: there is no more news; `text` says why it ended early, NULL: it did not */
		PROBER_WORDS
	} word;
	size_t job;
	size_t at;
	struct curve_point point;
	char *text; /* the caller frees it */
};

/* Forks the prober. Of several jobs, those that their machine does not take are left out. Jobs are needed only during
 * the call. NULL and *e: no process or descriptor is left. */
struct prober *prober_start(const struct prober_job *, size_t n, struct err *e);
int prober_fd(const struct prober *);    /* readable when there is news; -1 after PROBER_ENDED */
int prober_pid(const struct prober *);   /* -1 after PROBER_ENDED */
/* Takes the next news, without blocking. False: there is none now. */
bool prober_next(struct prober *, struct prober_news *);
/* Ends the prober. What it has sent is still news, then PROBER_ENDED with a NULL text. */
void prober_stop(struct prober *);
void prober_free(struct prober *);

#endif
