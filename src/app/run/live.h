/* A command, or what runs already, under the eyes of a model, a network or stacks: their counters choose what is
 * opened.
 *
 *   without an interval   at exit the command's totals become one exact observation
 *   with one              a row for each interval joins a growing observation; at exit, on request, the exact totals
 * stand beside it
 *
 * The same for the subcommands, which wait, and for the explorer, which polls. */
#ifndef APP_RUN_LIVE_H
#define APP_RUN_LIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "app/run/run.h"
#include "core/obs/rotation.h"
#include "core/obs/source_data.h"

struct child;
struct err;
struct live_counters;
struct obs;
struct obs_table;
struct source_keep;
struct source_ops;
struct spec_program;
struct str;
struct udd_model;

struct live_options {
	const struct source_ops *ops; /* run_source() */
	const bool *counter;          /* per counter of the list: open it; copied. NULL: all */
	char *const *argv;            /* NULL-terminated; copied. NULL: watch the target */
	const struct source_target *target; /* copied; NULL: run argv. CPUs: watched while argv runs, if there is one */
	unsigned interval_ms;         /* a row each; 0: no rows, exact totals only */
	size_t samples;               /* the watching ends after so many rows; 0: no such end */
	double duration;              /* … or seconds; 0 */
	size_t cells_max;             /* … or rows times counters: what memory allows; 0: LIVE_CELLS_MAX */
	/* with an interval: at exit add the exact totals as "NAME total", and if there are fewer than LIVE_ROWS_WORTH
	 * rows, */
	bool totals;
	                              /* drop these: a handful of noisy samples adds nothing to what is known exactly */
	/* not ended for want of memory: when there are LIVE_FOLD_CELLS (or LIVE_FOLD_ROWS rows), the older half of the
	 * rows is taken together */
	bool folds;
	/* in pairs (obs_fold()), so that long ago is told more coarsely, and nothing that was counted is lost */
	bool peeked;                  /* rows are judged while they come: the observation says so */
	int out_fd, err_fd;           /* as in struct source_spec */
	bool no_input, own_group;
	/* of argv: folder, files, environment, cores and memory; outlives the live; NULL: as hecate's */
	const struct spec_program *setup;
	/* argv, held ready, begun and ended by somebody else (collect/process/programs.h); outlives the run; NULL: the
	 * live does all that */
	struct child *held;
	bool by_hand;                 /* rows are made by live_tick() and at the end, not by a timer */
	enum rotation_how rotation;   /* as in struct source_spec */
	bool rotation_said;
	const char *name;             /* of observations; copied. NULL: after the command or the target */
	struct source_keep *keep;     /* what runs share; NULL: nothing */
};

#define LIVE_ROWS_WORTH 10
/* of one observation: 600 MB, a day and a half at 10 ms with five counters; then the watching ends */
#define LIVE_CELLS_MAX ((size_t)1 << 26)
#define LIVE_FOLD_CELLS ((size_t)1 << 19) /* 4.7 MB */
#define LIVE_FOLD_ROWS ((size_t)4096)
/* rows that are kept however many counters there are; both powers of two, as an observation's room is */
#define LIVE_FOLD_LEAST ((size_t)256)
#define LIVE_GRACE_SECONDS 0.5           /* between SIGTERM and SIGKILL, where samples or seconds are up */

/* Why a run ended. */
enum live_ending { LIVE_ENDED, LIVE_SAMPLES, LIVE_DURATION, LIVE_ASKED, LIVE_FULL };

struct live;

extern const struct run_ops counters_run_ops; /* leads; announces RUN_ROW and RUN_OVER */
struct run *live_as_run(struct live *);
struct live *run_as_live(struct run *); /* NULL: it is of another kind */

/* The most rows of a run that folds. */
size_t live_fold_rows(size_t n_columns);

/* Of a model's counters, each of which has a column of its number; the model must outlive it. */
struct live *live_new(const struct udd_model *, const struct live_options *);

/* Takes the list. Columns are the counters that can be tried (others are told by live_explain()), by name. Of a counter
 * with several choices of events the first is counted whose events all open: they are tried at the first start for a
 * command or target. Where whole CPUs are watched a counter has a column for each of its owners, NAME@OWNER
 * (collect/host/owners.h); a CPU that goes offline is lost to those that count there. */
struct live *live_new_of(struct live_counters *, const struct live_options *);
void live_free(struct live *); /* ends a command that still runs */

/* From the next start on, this command or target, with these limits; the observations so far stay. */
void live_set_command(struct live *, const struct live_options *);
void live_stop(struct live *);   /* ends the run that is under way; what it counted is dropped */
void live_finish(struct live *); /* ends it too, but keeps what it counted: live_poll() says when */

/* Opens the counters and starts the command, or the watching. False and *e when nothing can be counted or the command
 * cannot start. */
bool live_start(struct live *, struct err *e);
/* The same in two steps: open, and go. Between the two live_table() has its columns, and nothing runs. */
bool live_open(struct live *, struct err *e);
bool live_go(struct live *, struct err *e);
void live_tick(struct live *); /* a row is due now: live_poll() takes it (live_options.by_hand) */
void live_taken(struct live *); /* somebody has taken the rows so far: they become one, so that they need no memory */
bool live_running(const struct live *);
int live_wait_fd(const struct live *);         /* readable when the command ends or a row is due; -1 */
/* seconds until live_poll() has something to do though nothing is readable; INFINITY */
double live_patience(const struct live *);

/* Look without blocking, and take the rows that are due. True once when the run has ended: what it counted stands in
 * live_table(), unless *e says why not (e->what is empty when all is well). */
bool live_poll(struct live *, struct err *e);

/* The observations so far; owned by the live. The one that grows is the last. Times are seconds since the start of the
 * run; that of the exact totals is how long it took. A start for another command or target may put another table in its
 * place, which has all its observations and more columns. */
const struct obs_table *live_table(const struct live *);
const struct obs *live_growing(const struct live *);          /* NULL when none is, or it has no row yet */
const struct source_end *live_end(const struct live *);       /* of the last run */
enum live_ending live_ending(const struct live *);            /* of the last run */
const struct source_status *live_status(const struct live *); /* per column, of the last start; NULL before */
/* since the start of the present run, or of the last one */
double live_seconds(const struct live *);
const char *live_name(const struct live *);                   /* "gcc", "java-4711", "machine" */
size_t live_rows(const struct live *);                        /* rows of the present run, or of the last one */
size_t live_missed(const struct live *); /* … and ticks that came too late for a row of their own */

/* Totals so far of the running command (not exact yet), per column; false when there are none. */
bool live_peek(struct live *, long long *count, bool *counted);

/* What could not be counted, why and the remedy, grouped by reason; what is dead or suspect; what was missed. One line
 * each, "" when all is well. */
void live_explain(const struct live *, struct str *out);
const char *live_explain_code(const char *line); /* a stable word for such a line: "not-counted", "user-only" … */

#endif
