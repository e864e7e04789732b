/* Compares what a command's counters say with what instrumentation counts (Weaver, Terpstra and Moore,
 * "Non-determinism and overcount", section 4, tables 9 and 10). */
#ifndef WORK_TRUST_INSTRUMENTED_H
#define WORK_TRUST_INSTRUMENTED_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "collect/workload/instrument.h"

struct json_writer;
struct source_ops;
struct str;

#define INSTRUMENTED_REPEATS 2 /* runs by each method: they show whether the program itself is deterministic */

/* What is counted next to an event, and may explain a part of its error. */
enum instrumented_beside { INSTRUMENTED_FAULTS, INSTRUMENTED_INTERRUPTS, INSTRUMENTED_BESIDES };

struct instrumented_options {
	char *const *argv;
	const sigset_t *during;
	bool (*interrupted)(void);
	unsigned runs;             /* under counters, for each event */
	double seconds;            /* longest run by a method; 0: no limit */
	bool skip[INSTRUMENT_METHODS];
	const struct source_ops *source;
	/* counts per page fault and per interrupt that adjusting subtracts, for each event; NULL: 1 for instructions,
	 * 0 for all others (table 6: most processors count the return from each as an instruction) */
	const double (*slope)[INSTRUMENTED_BESIDES];
	/* called before each run; may be NULL */
	void (*progress)(void *ctx, const char *what, unsigned run, unsigned of);
	void *ctx;
};

/* The runs by one method. */
struct instrumented_method {
	struct instrument_result run[INSTRUMENTED_REPEATS];
	size_t n;
	bool refused;              /* it has no count; `why` says the reason */
	struct err why;
};

/* The runs under one counter. */
struct instrumented_counter {
	char *event;               /* "instructions:u"; NULL: no known name of the event can be counted */
	int64_t *count;            /* n counts */
	int64_t *beside[INSTRUMENTED_BESIDES]; /* n each; -1: not counted */
	size_t n;
	double running;            /* least share of a run that it was on a hardware counter; below 1: not exact */
	char why[256];             /* the reason of a refusal */
};

struct instrumented {
	char *test;                /* the command's name */
	struct instrument_file file;
	struct instrumented_method method[INSTRUMENT_METHODS];
	struct instrumented_counter counter[INSTRUMENT_EVENTS];
	bool fixed_addresses;      /* the runs had fixed addresses; members below are about the runs, too */
	int cpu;                   /* -1: not pinned */
	bool cut;                  /* a signal came before everything was run */
	bool died;                 /* a run under counters was ended by a signal of its own, `signal` */
	int signal;
	double slope[INSTRUMENT_EVENTS][INSTRUMENTED_BESIDES];
};

/* A line of the table. All NAN where unknown; ranges are the largest distance of a run from the mean. */
struct instrumented_row {
	enum instrument_event event;
	int method;                /* method of `expected`: the most exact that knows the event; -1: none */
	double expected, expected_range;
	double mean, range;        /* mean and range of the counter */
	double adjusted, adjusted_range;
	double difference;         /* adjusted − expected */
};

/* Runs the command under counters, then by each method. False and *e: the command cannot be run at all. Ctrl-C keeps
 * what was done. End with instrumented_free(), also after a failure. */
bool instrumented_run(struct instrumented *, const struct instrumented_options *, struct err *e);
void instrumented_free(struct instrumented *);

struct instrumented_row instrumented_row(const struct instrumented *, enum instrument_event);
/* Appends the table, and sentences on what was not counted, on how methods differ, and on the conditions. */
void instrumented_text(const struct instrumented *, struct str *out);
/* Writes an object of hecate.determinism/1 into the open array for each event that was expected or counted. `letters`
 * are null: too few runs of one program tell no cause. */
void instrumented_json(const struct instrumented *, const char *machine, struct json_writer *);
/* Appends the instrumented counts as a file of expectations: event,test,expected. */
void instrumented_expected(const struct instrumented *, struct str *out);

#endif
