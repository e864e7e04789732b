/* The runs of two commands under way: what the files of measure.h share. */
#ifndef WORK_DIFF_BENCH_H
#define WORK_DIFF_BENCH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/spec/spec.h"
#include "work/diff/measure.h"

struct dirent;
struct err;
struct event_item;
struct source_counter;
struct source_keep;

#define BENCH_PADDING_MOST 4096 /* bytes of environment that are added */
#define BENCH_SLASHES_MOST 256  /* added to $PWD */

/* Counted in addition to the quantities: what the host takes, and how long CPUs are idle. */
enum bench_machine { BENCH_STEAL, BENCH_IDLE, BENCH_IO_IDLE, BENCH_MACHINE };

struct bench {
	const struct measure_options *options;
	struct measured_diff *out;
	struct event_item *event;
	struct source_counter *counter; /* wanted, then those of enum bench_machine */
	size_t n_counters;
	size_t *quantity; /* n_counters: its quantity; SIZE_MAX: none */
	struct source_keep *keep;
	int null;
	uint64_t random;
	double deadline; /* clock_seconds(); INFINITY: none */
	double waited;   /* seconds that options->before() has taken */
	char *pwd[2];    /* what $PWD is without random slashes; NULL: not known */
	double sum[BENCH_MACHINE]; /* seconds of all CPUs, over all runs */
	double busy, wall;         /* seconds: of the runs' processors, of their time */
	size_t cap;
	long cpus;                 /* online */
	bool no_frequency, no_throttle; /* the kernel has no such files */
};

enum bench_end { BENCH_GOOD, BENCH_BAD_STATUS, BENCH_CUT, BENCH_IMPOSSIBLE };

struct bench_result {
	double time[MEASURE_TIMES];
	double around[MEASURE_AROUND];
	int64_t *count;
	unsigned char *counted;
	int status; /* as a shell shows it */
};

/* How the command of one side runs, with an environment of random size. */
struct bench_setup {
	struct spec_program program;
	struct spec_setting set[2];
	char padding[BENCH_PADDING_MOST];
	char pwd[PATH_MAX];
};
/* Sets MEASURE_ENVIRONMENT and MEASURE_FOLDER in around, unless that is NULL. */
void bench_set_up(struct bench *, enum diff_side, struct bench_setup *, double *around);
/* Sets b->pwd; the caller frees it. */
void bench_find_folders(struct bench *);

/* Runs the command of one side once. `loud`: what it writes to standard error is shown. *e if it is impossible. */
enum bench_end bench_run(struct bench *, enum diff_side, bool loud, struct bench_result *, struct err *e);
/* Runs the command of --prepare. False and *e: it cannot be run, or fails. */
bool bench_prepare(struct bench *, struct err *e);
/* Waits for a signal, or until *fd has news. False: the user interrupts, or the time is over. */
bool bench_goes_on(struct bench *, int fd);

/* The names in the folder of one side; *n SIZE_MAX: too many, or unreadable. Free with bench_files_free(). */
struct dirent **bench_files(const struct bench *, enum diff_side, size_t *n);
void bench_files_free(struct dirent **, size_t n);
/* Remembers the names that were not there before. */
void bench_note_files(struct bench *, enum diff_side, struct dirent **before, size_t n);
/* Says in the hint how to compare commands that fail. False. */
bool bench_hint_failure(const struct bench *, struct err *e);

/* Opens all counters once, to see which can be counted here, and makes the table's quantities. */
bool bench_choose(struct bench *, struct err *e);
/* Makes room for one more block; puts a run into a row. */
void bench_grow(struct bench *);
void bench_take(struct bench *, size_t row, enum diff_side, const struct bench_result *);

/* One of the six orders of a block, each as likely. */
void bench_draw_order(struct bench *, enum diff_side side[SHIFT_BLOCK]);

/* Runs both commands for at most so long with their tasks recorded, and judges where their time went. */
void bench_explain(struct bench *, double seconds);

#endif
