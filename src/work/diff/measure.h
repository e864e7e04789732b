/* Measures two commands alternately, in blocks of random order (core/diff/shift.h).
 *
 * Each run has an environment of another size, so that the stack begins elsewhere: that alone can make a program
 * faster or slower by several per cent (Mytkowicz, Diwan, Hauswirth and Sweeney, ASPLOS 2009). $PWD, which shells and
 * compilers take for the name of the working directory, gets a random number of slashes before its last part. It
 * still names that folder (POSIX, "Pathname Resolution"), and `cd ..` its parent. getcwd(2) returns the kernel's
 * name, whose length cannot change unless the folder moves. The time of a run is from execve(2) to the end. Standard
 * input and output are /dev/null; what the first run of each command writes to standard error is shown. */
#ifndef WORK_DIFF_MEASURE_H
#define WORK_DIFF_MEASURE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/diff/diff.h"
#include "core/spec/spec.h"

struct err;
struct measured_diff;
struct obs;
struct obs_table;
struct stack;

enum diff_side { DIFF_A, DIFF_B };

struct measure_options {
	char *const *argv[2];       /* NULL-terminated; the same pointer twice is allowed */
	const char *folder[2];      /* NULL: hecate's own */
	char *const *prepare;       /* runs before each run, and is not measured; NULL: none */
	const char *const *counter; /* what is counted; NULL: a list that suits most programs */
	size_t n_counters;
	const char *const *also;    /* n_also: counted, too; NULL: nothing */
	size_t n_also;
	size_t warm_up;  /* runs of each command before the first block; at least 1 is made */
	size_t blocks;   /* run so many; 0: until the first quantity is decided */
	double seconds;  /* begin no run later than this; 0: no limit */
	double until;    /* also go on until the interval is at most so wide on each side; 0: no wish */
	struct spec_numbers cpus; /* the runs stay on these; none: anywhere */
	bool any_status; /* a run may end with any exit status */
	bool same_environment; /* all runs have hecate's, so that neither its size nor $PWD is random */
	struct diff_rule judge;
	const sigset_t *during; /* mask under which to wait for signals */
	bool (*interrupted)(void);
	/* called after a block, when there is a tenth more of them than at the last call; may be NULL */
	void (*progress)(void *ctx, const struct diff_table *, const struct diff_report *);
	/* called before each run, which begins when it returns: it may wait, and that time does not count */
	void (*before)(void *ctx);
	/* called once, when the first quantity is decided, after it was found where a difference went; NULL: that is
	 * found at the end */
	void (*explained)(void *ctx, const struct measured_diff *);
	/* called after each run that ended well: its values are in this row of the table, which counts whole
	 * blocks */
	void (*ran)(void *ctx, const struct diff_table *, size_t row);
	void *ctx;
};

/* Times of every run, which are the first quantities. The processor time is exact; the kernel divides it into user and
 * system by samples, one in each tick of its clock. */
enum { MEASURE_WALL, MEASURE_CPU, MEASURE_USER, MEASURE_SYSTEM, MEASURE_TIMES };

/* What may have disturbed a run, recorded with it: shares of the CPUs' time that the host took, and other programs; the
 * fastest clock of a CPU at the run's end; how often CPUs were slowed down because of heat; the bytes that were
 * added to its environment, and the length of its $PWD. NAN: not known. */
enum { MEASURE_STEAL, MEASURE_OTHERS, MEASURE_FREQUENCY, MEASURE_THROTTLED, MEASURE_ENVIRONMENT, MEASURE_FOLDER,
	MEASURE_AROUND };
extern const struct measure_surrounding { const char *name, *unit; } measure_surrounding[MEASURE_AROUND];

/* Where tasks' time goes (core/tasktime/partition.h): a quantity each, in seconds of all tasks together. A shell that
 * started the others mostly sleeps for them, so the first task's sleep counts only if it is the only task. */
enum { MEASURE_RUNNING, MEASURE_FAULTS, MEASURE_READY, MEASURE_STORAGE, MEASURE_LOCKS, MEASURE_KERNEL, MEASURE_SLEEP,
	MEASURE_PARTS };

struct measured_why {
	struct diff_table table; /* the parts; no runs: nothing was recorded */
	struct diff_report report;
	char *failure;           /* why nothing was recorded; NULL */
};

struct measured_diff {
	struct diff_table table;
	struct measured_why why;     /* after a difference of the first quantity */
	struct measured_why stack;   /* the whole of a stack and its parts; empty: none was given */
	struct diff_moved *moved;    /* as the quantities; NULL: recorded runs */
	struct diff_report report;
	float *around[MEASURE_AROUND]; /* as the runs of the table; NULL: recorded runs */
	size_t failed[2]; /* runs that ended with a status other than 0, or by a signal; their blocks are left out */
	int status[2];    /* the last such status; signals as 128 + number */
	bool interrupted, out_of_time;
	bool random_layout; /* the runs had environments of random size, and a $PWD of random length */
	char *left_behind[2];  /* a quoted command that removes what was new after its first run; NULL: nothing was */
	double seconds;        /* of all blocks */
	double run_seconds[2]; /* of the first run */
	double steal, others;  /* share of the CPUs' time that the host took, and other programs */
	char **left_out;       /* counters that cannot be counted here, with the reason */
	size_t n_left_out;
};

/* Returns false and sets *e if a command cannot be run, fails in its first run, or no block was measured. After an
 * interrupt and after the time limit, what was measured so far is judged. */
bool measure_diff(const struct measure_options *, struct measured_diff *, struct err *e);
void measured_diff_clear(struct measured_diff *);

void measured_why_clear(struct measured_why *);
/* Makes the table of parts, with room for so many runs. */
void measured_why_begin(struct measured_why *, size_t runs);
/* Finds which quantities move with the first one, by the report. */
void measured_diff_find_moved(struct measured_diff *, const struct diff_rule *);

/* The events that a stack needs, NULL-terminated; free with str_split_free(). */
char **diff_stack_events(const struct stack *, size_t *n);
/* Fills m->stack anew, which refers to the stack's names. False and *e: the runs lack the counters of its whole. */
bool diff_stack_judge(struct measured_diff *, const struct stack *, const struct diff_rule *, bool recorded,
	struct err *e);
void diff_quantity_clear(struct diff_quantity *); /* its arrays */

/* --- recorded runs: what `hecate diff --json` wrote, results of hyperfine (--export-json) and google/benchmark
 * (--benchmark_out), and all data that
 * hecate reads, where each observation is a run, or, in a file with one observation, each row; means over several
 * runs, as perf stat -r and published tables state them ------------------------------------------------------------ */

struct recorded_diff {
	struct measured_diff measured; /* `table` and `report` only */
	char *side[2];                 /* what A and B are: a command, a file, a column */
	char **text;                   /* names and units that the table uses */
	size_t n_texts;
	char **note;                   /* what a reader of the data must know, as in struct obs_table */
	size_t n_notes;
	bool drawn; /* measured by hecate, which drew the order of the runs */
};

/* Does this name a file of results? A command that is a file's name is one only if it cannot be executed. */
bool recorded_diff_is(const char *word);

/* Reads A and B from two files; or from one, which has results of two commands, or columns with these two names
 * (`column` NULL: it has just two). False and *e: they cannot be read or have nothing in common. */
bool recorded_diff_read(char *const *path, size_t n, char *const *column, struct recorded_diff *, struct err *e);
/* The samples of two observations as runs. False and *e: they have too few, or no counter in common. */
bool recorded_diff_of(
	const struct obs_table *const table[2], const struct obs *const obs[2], struct recorded_diff *, struct err *e);
/* `runs` above 1: means whose source does not say of how many runs are of so many. `n` names: only these quantities,
 * in this order. False and *e: there is no such one. */
bool recorded_diff_narrow(
	struct recorded_diff *, size_t runs, const char *const *name, size_t n, struct err *e);
void recorded_diff_judge(struct recorded_diff *, const struct diff_rule *);
void recorded_diff_clear(struct recorded_diff *);

/* --- revisions of a git repository, each checked out and built in a folder of its own ----------------------------- */

struct revisions {
	char *folder[2]; /* where A and B are */
	char *root;      /* the folder of both, which revisions_remove() removes */
};

/* Checks the revisions out (git worktree) below $TMPDIR, and runs `build` in each with /bin/sh; NULL: builds nothing.
 * What git and the build write goes to standard error. Returns false and sets *e if one of them fails, or the user
 * interrupts; then nothing is left. */
bool revisions_make(char *const revision[2], const char *build, const sigset_t *during, bool (*interrupted)(void),
	struct revisions *, struct err *e);
/* Removes the folders, and what git knows of them. */
void revisions_remove(struct revisions *, const sigset_t *during, bool (*interrupted)(void));

#endif
