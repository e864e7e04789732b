/* hecate determinism on this machine: counts events of the workload repeatedly, compares them with what they should
 * count, and finds the parts that they count wrongly. */
#ifndef WORK_TRUST_DETERMINISM_H
#define WORK_TRUST_DETERMINISM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/obs/source_data.h"
#include "core/trust/attribute.h"
#include "core/trust/trust.h"

struct err;
struct probe_ops;
struct str;

struct determinism_spec {
	const struct probe_ops *probe; /* NULL: perf events of this machine */
	const char *const *event;      /* NULL: determinism_default_events() */
	size_t n_events;
	const char *const *part;       /* names of parts or of classes; NULL: all parts */
	size_t n_parts;
	size_t runs;                   /* runs of each set of parts, at least 2 */
	double scale;                  /* factor of the iterations; 1: a whole run */
	bool (*stop)(void);            /* true: end after the present run, and keep what is done. NULL: never */
	/* Called after each set of parts: number of runs so far, and the event that they are for. NULL: silent. */
	void (*progress)(void *ctx, size_t runs, const char *event);
	void *ctx;
};

/* The runs of one set of parts. Arrays have `n` entries. */
struct determinism_set {
	bool *on;            /* workload_n_parts */
	uint32_t divisor;
	bool *counted;       /* for each event, whether it was counted in these runs */
	size_t n;            /* number of runs */
	double **count;      /* n arrays with a count for each event, NAN where it was not counted */
	double **running;
	double *interrupts, *timer, *faults, *switches, *seconds, *steal; /* n */
};

struct determinism_event {
	const char *name;    /* NULL: another name of the same event is counted, or refused, in its place */
	struct source_status status;
	int kind;            /* enum workload_kind; -1: nothing to expect */
	bool multiplexed;    /* even alone: its counts are estimates */
	bool kernel;         /* it counts what the kernel does for the program, though its name does not say so */
	bool silent;         /* it counted 0, though it should count much */
	/* counts of runs with all parts. `expected`: NAN if unknown; for page faults it includes those of starting the
	 * program, once they were measured. `spread`: largest minus smallest */
	double expected, mean, spread;
	double base;         /* count of starting the program: without any part, minus expected; NAN: unknown */
	bool base_expected;  /* `base` is part of `expected`: page faults */
	bool searched;       /* `parts` is filled in */
	struct attribute_result parts;
};

struct determinism {
	struct determinism_event *event;
	size_t n_events;
	struct determinism_set *set;
	size_t n_sets, sets_cap;
	uint32_t *loops;     /* iterations of each part of the workload; 0: left out */
	size_t runs;         /* number of runs in all */
	bool cut;            /* stopped before the end */
	char **remark;       /* sentences: parts left out, events that cannot be counted, a noisy machine */
	size_t n_remarks, remarks_cap;
	int cpu;
};

/* Runs the workload. NULL and *e if nothing can be run or a part is unknown. If it is stopped or a run fails later,
 * measurements so far are kept, `cut` is set, and a remark says why. The caller frees with determinism_free(). */
struct determinism *determinism_run(const struct determinism_spec *, struct err *e);
void determinism_free(struct determinism *);

/* What an event should count in the runs of a set; NAN: unknown. */
double determinism_expected(const struct determinism *, size_t event, const struct determinism_set *);

/* What a found part's slope is for each of: "page fault", "exception", "masked exception", "system call",
 * "element"; *per is their number in an iteration. "iteration" and 1 if the part has nothing of the kind. */
const char *determinism_occasion(size_t part, double *per);
/* The letter for what a found part shows. */
trust_letters determinism_letter(size_t part, double slope);

/* Names of a part: `class`, "x87"; `about`, what its instructions are. */
struct determinism_words {
	const char *name, *class, *about;
};
struct determinism_words determinism_part(size_t part);

/* Appends a line for each part: its name, class, iterations, instructions of an iteration, and what it is about. */
void determinism_list_parts(struct str *out);

#endif
