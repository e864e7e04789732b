/* A run of probes: a process measures one curve after the other (work/probe/prober.h), and the run puts them into a
 * book as they grow. It leads, and observes no command. */
#ifndef WORK_RUN_PROBE_RUN_H
#define WORK_RUN_PROBE_RUN_H

#include <stdbool.h>
#include <stddef.h>

struct probe_book;
struct prober_job;
struct run;
struct run_ops;

extern const struct run_ops probe_run_ops;

/* The book outlives the run. Machines' names are copied; the probes are those of the book's entries. */
struct run *probe_run_new(struct probe_book *, const struct prober_job *, size_t n);

struct probe_progress {
	bool running;
	const char *probe, *machine; /* probe that is measured now, and its machine; NULL: none yet */
	size_t done, of;             /* probes before this one; probes in all */
	size_t points, all_points;   /* points of this probe on this machine: so far, in all */
};
/* For NULL, or a run of another kind: nothing runs. */
struct probe_progress probe_run_progress(const struct run *);

#endif
