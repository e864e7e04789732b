/* Runs the workload and counts its events. */
#ifndef COLLECT_WORKLOAD_PROBE_H
#define COLLECT_WORKLOAD_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/obs/source_data.h"

struct err;

/* One run. Arrays have an entry for each event of open(). */
struct probe_sample {
	double *count;     /* NAN: not counted in this run */
	double *running;   /* share of the run that the event was on a counter, 0 … 1; its count is scaled up */
	double interrupts; /* interrupts of the CPU during the run, by /proc/interrupts: an upper bound; NAN: unknown */
	double timer;      /* timer interrupts among them; NAN: this architecture does not list them */
	double faults, switches; /* page faults and context switches of the program and of its start (getrusage(2)) */
	double seconds;
	double steal;      /* seconds that the hypervisor took from the CPU, in steps of a clock tick; NAN: unknown */
};

/* Ways to run the workload: on this machine with perf_event_open(2), or simulated by a test. */
struct probe_ops {
	/* Prepares events for runs on a CPU. status[k].health is OBS_LIVE for those that can be counted. Returns NULL
	 * and sets *e if nothing can be run. */
	void *(*open)(const char *const *event, size_t n, int cpu, struct source_status *status, struct err *e);
	/* Runs the workload with these numbers of iterations, and counts the events with on[k]. The caller owns the
	 * arrays of the sample. Returns false and sets *e if the program could not run to its end. */
	bool (*run)(void *, const bool *on, const uint32_t *loops, struct probe_sample *, struct err *e);
	void (*close)(void *);
};

extern const struct probe_ops probe_perf;

/* Returns the first CPU on which this process may run; -1: unknown. */
int probe_first_cpu(void);

#endif
