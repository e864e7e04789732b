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
		PROBER_POINT,  /* point `at` of the job's curve is new, or better than before; all points below exist */
		PROBER_NOTE,   /* `text` is a note on the job's curve */
		PROBER_DONE,   /* the job's curve is whole */
		PROBER_FAILED, /* `text` says why the job could not run */
		PROBER_ENDED,  /* all jobs have ended, and this is the last news; `text`: why early, or NULL */
		PROBER_WORDS
	} word;
	size_t job;
	size_t at;
	struct curve_point point;
	char *text; /* the caller frees it */
};

/* Forks the prober. It leaves out jobs whose machine cannot run their probe, if there are several. Jobs are needed only
 * during the call. NULL and *e: no process or descriptor could be made. */
struct prober *prober_start(const struct prober_job *, size_t n, struct err *e);
int prober_fd(const struct prober *);    /* readable when there is news; -1 after PROBER_ENDED */
int prober_pid(const struct prober *);   /* -1 after PROBER_ENDED */
/* Takes the next news, without blocking. False: there is none now. */
bool prober_next(struct prober *, struct prober_news *);
/* Ends the prober. What it has sent is still news, then PROBER_ENDED with a NULL text. */
void prober_stop(struct prober *);
void prober_free(struct prober *);

#endif
