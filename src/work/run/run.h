/* A run observes a subject here and now, and ends. Every kind of run is a `const struct run_ops`:
 *
 *     counters       counters_run.h   a command or tasks that run already, and their counters
 *     tasks' time    tasktime_run.h   where the wall time of each task goes
 *     flows          flow_run.h       requests of each task on each CPU
 *     specification  spec_run.h       the programs of a .spec file, and their counters
 *     probes         probe_run.h      curves of probes, without a command
 *
 * Several runs observe one subject together, as `struct runs`. The first is the leader: it has the command. The others
 * join after the command is forked and before its execve(2), so that they miss nothing:
 *
 *     leader: open ──── hold ────────── go ─── … ─── poll ─── … ─── ended
 *     others:                join                    poll             poll … ended
 *
 * While it runs, the leader announces what the others need to know (struct run_sign): that a held process starts, that
 * its interval ends, that it is over. One loop drives all: the explorer puts runs_fds() and runs_patience() into its
 * ppoll(2) and calls runs_poll(); a subcommand calls runs_wait() and runs_poll() in turn.
 *
 * A new kind is one file with a struct run_ops and one row of run_kinds.def. */
#ifndef WORK_RUN_RUN_H
#define WORK_RUN_RUN_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/obs/source_data.h"

struct err;
struct obs;
struct obs_table;
struct run;
struct runs;
struct source_ops;
struct str;

/* Processes that the leader holds before their execve(2). All pointers are the leader's, and valid during join(). */
struct run_held {
	const int *pid;
	const char *const *name; /* one for each process; NULL: no names */
	/* 0: the leader holds no process, or does not know it; a run then joins by its own options */
	size_t n;
	bool one_by_one;         /* RUN_STARTS announces each start; otherwise all start when every run has joined */
};

/* What the leader announces. */
struct run_sign {
	enum run_sign_kind {
		RUN_STARTS,   /* the held process `pid` starts now */
		RUN_ROW,      /* the leader has a new row, which is the last one of `row` */
		RUN_INTERVAL, /* an interval of the leader's clock ends now */
		/* the leader has ended, is freed, or could not start; `row`: its last observation, or NULL */
		RUN_OVER,
	} kind;
	int pid;
	const struct obs *row;
};

enum run_ending {
	RUN_END_ITSELF,   /* the subject ended */
	RUN_END_SAMPLES,  /* as many samples as asked for */
	RUN_END_DURATION, /* the time asked for */
	RUN_END_ASKED,    /* finish(), or a failure while sampling */
	RUN_END_FULL,     /* no room for further rows */
};

#define RUN_GRACE_SECONDS 0.5 /* between SIGTERM and SIGKILL, when samples or seconds are used up */

enum run_step { RUN_GOES_ON, RUN_NEWS, RUN_ENDED };

/* What a screen shows of a run. Pointers are the run's, and valid until its next poll(). */
struct run_facts {
	double seconds;          /* since the start of the present run; after its end, how long it took */
	double interval;         /* seconds between two rows at present; INFINITY: one row at the end; NAN: as asked */
	const char *label;       /* the subject's name: "gcc", "java-4711"; NULL: unnamed */
	size_t rows;             /* samples of the present run, or of the last one */
	size_t missed;           /* ticks that came too late for a sample of their own, and are part of the next one */
	const struct obs *growing; /* the observation that gets the rows; NULL: none has come */
	const struct obs *whole;   /* the observation of all programs together; NULL */
	const struct source_status *status; /* of each column of its table; NULL: not known */
	enum run_ending ending;    /* of the last run; kinds that lack it leave RUN_END_ITSELF */
	struct source_end end;     /* of the last run; its command has neither exited nor got a signal: not known */
};

struct run_ops {
	const char *name;
	bool judged; /* its tables are judged against a model */
	bool shown;  /* each row is a snapshot of the timeline; false: its tables belong to the leader's rows */
	/* Leaders only: open everything, and fork and hold the command. NULL: join() does all. */
	bool (*open)(struct run *, struct err *);
	/* Leaders only, after open(): what is held. NULL: nothing. The result is valid until the next call. */
	struct run_held (*held)(struct run *);
	/* Leaders only: start what open() prepared. */
	bool (*go)(struct run *, struct err *);
	/* Start, on the processes that the leader holds or by the run's own options. NULL: this kind only leads. */
	bool (*join)(struct run *, const struct run_held *, struct err *);
	/* NULL: this kind ignores what leaders announce. */
	void (*sign)(struct run *, const struct run_sign *);
	bool (*running)(const struct run *);
	int (*fd)(const struct run *);          /* readable when poll() has something to do; -1 */
	/* seconds until poll() has something to do in any case; INFINITY. NULL: that */
	double (*patience)(const struct run *);
	/* Takes what has come, without blocking. RUN_ENDED is returned once, with *e empty or the reason. */
	enum run_step (*poll)(struct run *, struct err *e);
	/* ends it and keeps its rows; poll() says when. NULL: ends with the leader */
	void (*finish)(struct run *);
	/* Leaders only: adds the processor time that the polls of the other runs took. NULL: not needed. */
	void (*took)(struct run *, double seconds);
	void (*facts)(const struct run *, struct run_facts *); /* fills what it knows. NULL: nothing */
	/* Totals so far of the running command, for each column of the table; not exact. False: there are none. NULL:
	 * this kind has none. */
	bool (*peek)(struct run *, long long *count, bool *counted);
	void (*explain)(struct run *, struct str *out); /* one line for each remark */
	const struct obs_table *const *(*tables)(struct run *, size_t *n); /* its observations, owned by the run */
	void (*free)(struct run *);
};

/* The first member of each kind's struct. */
struct run {
	const struct run_ops *ops;
	struct runs *runs;               /* the runs that it belongs to now; NULL */
	/* of kinds with one table, whose tables() is run_tables_of_one(); NULL: none yet */
	const struct obs_table *table;
};

extern const struct run_ops *const run_kinds[];
extern const size_t run_n_kinds;

void run_free(struct run *);  /* by its kind; does nothing for NULL */
void run_leave(struct run *); /* takes it out of its runs; each kind calls it before it is freed */
bool run_running(const struct run *);
struct run_facts run_facts(const struct run *);          /* for NULL: nothing is known */
const struct obs_table *run_table(struct run *);         /* the first of its tables; NULL: none */
const struct obs_table *const *run_tables_of_one(struct run *, size_t *n);
void run_note_remarks(struct run *, const char *who, struct obs_table *); /* explain() as notes: who, then the line */
bool run_peeks(const struct run *); /* it goes on, and peek() of its kind has totals so far */

/* Where numbers come from: this machine; a simulated one, where the command is "sim:…" (work/files/simulation.h). */
const struct source_ops *run_source(void);

/* Signals the runs that joined the leader, if there are any. */
void run_announce(struct run *leader, const struct run_sign *);

/* The runs are borrowed: their owners free them with run_free(), before or after runs_free(). */
struct runs *runs_new(void);
void runs_free(struct runs *);
void runs_clear(struct runs *);

/* The first is the leader. `optional`: if it cannot join, the others go on, and runs_refusal() says why. */
void runs_add(struct runs *, struct run *, bool optional);
struct run *runs_leader(const struct runs *); /* NULL: none */

/* Opens the leader, lets the others join, and starts. False and *e: nothing runs, and all can be freed. May be called
 * again when all have ended, if their kinds can run again. */
bool runs_begin(struct runs *, struct err *e);
/* Why this optional run could not join; NULL: it did. */
const struct err *runs_refusal(const struct runs *, const struct run *);

#define RUNS_FDS 4
/* Descriptors to wait for; returns how many. */
size_t runs_fds(const struct runs *, struct pollfd fd[RUNS_FDS]);
double runs_patience(const struct runs *); /* seconds until runs_poll() has something to do in any case; INFINITY */

/* Called for each run with news and each that has ended; *e as poll() of struct run_ops gives it. It may free any run,
 * clear the runs and begin others, which the next runs_poll() polls. It must not free the runs: runs_free() panics. */
typedef void runs_hear(void *ctx, struct run *, enum run_step, const struct err *e);
/* Polls all runs, without blocking. True while one of them still runs. `hear` may be NULL. */
bool runs_poll(struct runs *, runs_hear *hear, void *ctx);
/* Waits until runs_poll() has something to do, `most` seconds at most, or a signal that `mask` lets through arrives.
 * `mask` may be NULL. */
void runs_wait(const struct runs *, double most, const sigset_t *mask);
bool runs_running(const struct runs *);
/* Ends all runs and keeps their rows. Runs that joined held processes end with these. */
void runs_finish(struct runs *);
/* Adds a line for each remark on the numbers; nothing when all is well. */
void runs_explain(const struct runs *, struct str *out);

#endif
