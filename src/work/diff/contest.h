/* A and B compared by runs, as the explorer shows it: the runs so far, what they say, and the process that measures
 * more of them.
 *
 *     explorer ◄──── pipe ──── hecate-diff: a run, a run, …, a report, …, and its end
 *              ──── shared ───►             begin the next run, or wait
 *
 * The process waits between two runs when the user says so, and by itself when the answer is known, or the time or the
 * number of runs that was asked for is used up. It ends with the process that started it. */
#ifndef WORK_DIFF_CONTEST_H
#define WORK_DIFF_CONTEST_H

#include <stdbool.h>
#include <stddef.h>

#include "work/diff/measure.h"

struct measuring;
struct obs;
struct obs_table;
struct revisions;
struct stack;
struct str;

/* What is measured. The pointers of `how` are to what the struct owns. */
struct contest_task {
	struct measure_options how; /* `seconds` and `blocks`: wait after so much; signals and callbacks are not used */
	char **words[2], **prepare, **counter, **also;
	struct revisions *revisions; /* removed at the end; NULL: none */
};
void contest_task_free(struct contest_task *);

enum contest_wait {
	CONTEST_RUNS,    /* for nothing: runs are made */
	CONTEST_PAUSED,  /* the user said so */
	CONTEST_KNOWS,   /* the first quantity is decided */
	CONTEST_USED_UP /* the time, or the number of runs, that was asked for */
};

struct contest {
	struct recorded_diff of;
	struct diff_rule rule;
	bool recorded;              /* by others: nobody drew the order of the runs */
	bool unsaved;               /* has runs that are in no file */
	size_t judged;              /* the report is of this many of the runs */
	double *ended;              /* seconds from the first run's begin to the end of each; NULL: not known */
	size_t block;               /* runs of the block that is not whole, in the rows after table.n_runs */
	struct stack *stack;        /* whose parts are compared, too; owned; NULL: none */
	char *stack_failure;        /* why they are not; NULL: they are */
	struct contest_task *task;
	struct measuring *measuring; /* NULL: it has ended, or there never was any */
	char *failure;              /* why it ended early; NULL: it did not */
	/* adds the file that recorded_diff_read() reads; NULL: its runs are in other files */
	void (*write)(const struct contest *, struct str *out);
	void (*report)(const struct contest *, struct str *out); /* adds Markdown for a reader; NULL: there is none */
};

/* Takes the task, or what was read, over. It measures nothing yet; what was read is judged. */
struct contest *contest_new(struct contest_task *, const char *a, const char *b);
struct contest *contest_of_recorded(struct recorded_diff *, const struct diff_rule *);
/* Compares the samples of two observations. NULL and *e: they have too few, or no counter in common. */
struct contest *contest_of_observations(
	const struct obs_table *const table[2], const struct obs *const obs[2], const struct diff_rule *,
	struct err *e);
void contest_free(struct contest *);
/* Takes the stack over, whose parts are compared from now on. */
void contest_set_stack(struct contest *, struct stack *);

/* Starts the process. False and *e: it could not be started. */
bool contest_start(struct contest *, struct err *e);
int contest_fd(const struct contest *); /* readable when there is news; -1: nothing is measured */
bool contest_poll(struct contest *);    /* takes the news, without blocking; true: there was some */
/* What the process waits for. To go on means to go on when the answer is known, and for the same time or number of runs
 * again. */
enum contest_wait contest_waits(const struct contest *);
void contest_pause(struct contest *, bool);
/* Ends the process and the command that it runs. The runs of all whole blocks stand, and are judged. */
void contest_stop(struct contest *);

#endif
