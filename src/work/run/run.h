/* A run observes a live subject, and ends. Every kind of run is a `const struct run_ops`:
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
 * While it runs, the leader announces what the others need to know (struct run_sign): a held process starts, an
 * interval ends, the leader is over. One loop drives all: the explorer puts runs_fds() and runs_patience() into its
 * ppoll(2) and calls runs_poll(); a subcommand calls runs_wait() and runs_poll() in turn.
 *
 * All kinds have this in common: a run goes on only from go() or join() until its last poll(), it ends within its
 * limits, and a subject that does not end is killed. A kind implements struct run_ops; callers use the functions
 * run_…() below, which call the kind's.
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
	RUN_END_SAMPLES,  /* there are as many samples as asked for */
	RUN_END_DURATION, /* the time asked for has passed */
	RUN_END_ASKED,    /* run_finish() was called, or sampling failed */
	RUN_END_FULL,     /* there is no room for further rows */
};
const char *run_ending_word(enum run_ending); /* "end", "samples", "duration", "interrupt", "full" */

/* When a run ends, and the grace between SIGTERM and SIGKILL. */
#define RUN_GRACE_SECONDS 0.5 /* between SIGTERM and SIGKILL, when samples or seconds are used up */
struct run_limits {
	size_t samples;         /* 0: no limit */
	double duration;        /* seconds; 0: no limit */
	double started_at;      /* by clock_seconds() */
	bool finishing;         /* the subject got a signal to end, or its sampling stops */
	double grace_ends_at;   /* while finishing */
	enum run_ending ending; /* RUN_END_ITSELF unless `finishing` */
};

enum run_step { RUN_GOES_ON, RUN_NEWS, RUN_ENDED };

/* What a screen shows of a run. Pointers are the run's, and valid until its next poll(). */
struct run_facts {
	double seconds;          /* since the start of the present run; after its end, how long it took */
	double interval;         /* seconds between two rows at present; INFINITY: one row at the end; NAN: as asked */
	const char *label;       /* the subject's name: "gcc", "java-4711"; NULL: unnamed */
	size_t rows;             /* samples of the present run, or of the last one */
	size_t missed;           /* ticks that came too late for a sample of their own: the next sample includes them */
	const struct obs *growing; /* the observation that gets the rows; NULL: none so far */
	const struct obs *whole;   /* the observation of all programs together, or NULL */
	const struct source_status *status; /* status of each column of its table; NULL: unknown */
	enum run_ending ending;    /* how the last run ended; kinds that do not know leave RUN_END_ITSELF */
	/* how the command of the last run ended; unknown if it says neither exit nor signal */
	struct source_end end;
};

struct run_ops {
	const char *name;
	bool judged; /* its tables are judged against a model */
	bool shown;  /* each row is a snapshot of the timeline; false: its tables belong to the leader's rows */
	/* Leaders only: opens everything, and forks and holds the command. NULL: join() does all. */
	bool (*open)(struct run *, struct err *);
	/* Leaders only, after open(): returns the held processes, valid until the next call. NULL: none are held. */
	struct run_held (*held)(struct run *);
	/* Leaders only: starts what open() prepared. */
	bool (*go)(struct run *, struct err *);
	/* Starts, on the processes that the leader holds or by the run's own options. NULL: this kind only leads. */
	bool (*join)(struct run *, const struct run_held *, struct err *);
	/* Receives what the leader announces. NULL: this kind ignores it. */
	void (*sign)(struct run *, const struct run_sign *);
	/* While the run goes on: */
	int (*fd)(const struct run *); /* readable when poll() has something to do. NULL: none */
	/* seconds until poll() has something to do in any case, limits apart; INFINITY: never. NULL: never */
	double (*patience)(const struct run *);
	/* Takes what has come, without blocking. Returns RUN_ENDED once; *e is then the reason, or empty. */
	enum run_step (*poll)(struct run *, struct err *e);
	/* Ends the subject and keeps the rows; poll() says when it has ended. `hard`: the subject still runs after its
	 * grace. NULL: this kind ends with the leader. */
	void (*end)(struct run *, bool hard);
	/* Leaders only: adds the processor time that the polls of the other runs took. NULL: not needed. */
	void (*took)(struct run *, double seconds);
	void (*facts)(const struct run *, struct run_facts *); /* sets the members that it knows. NULL: knows none */
	/* Reads the running command's totals so far, for each column of the table; not exact. False: there are none.
	 * NULL: this kind never has any. */
	bool (*peek)(struct run *, long long *count, bool *counted);
	void (*explain)(struct run *, struct str *out); /* appends one line for each remark */
	/* Returns its observations, which the run owns. NULL: run.table, if there is one. */
	const struct obs_table *const *(*tables)(struct run *, size_t *n);
	void (*free)(struct run *); /* called after the run has left its `runs` */
};

/* The first member of each kind's struct. */
struct run {
	const struct run_ops *ops;
	struct runs *runs;               /* the set of runs that it belongs to now, or NULL */
	bool running;                    /* set by run_go(); a kind clears it only where it drops the run */
	bool last_poll;                  /* an announcement of the leader ended it, and it may still have news */
	struct run_limits limits;        /* set by go() */
	const struct obs_table *table;   /* the table, for kinds with a single one; NULL: none yet */
};

extern const struct run_ops *const run_kinds[];
extern const size_t run_n_kinds;

void run_free(struct run *); /* takes the run out of its `runs` and frees it; does nothing for NULL */

/* A run by itself; runs_begin() and runs_poll() do this for each of several. */
bool run_open(struct run *, struct err *e);
bool run_go(struct run *, struct err *e); /* after run_open() */
bool run_join(struct run *, const struct run_held *, struct err *e);
int run_fd(const struct run *);           /* -1: none */
double run_patience(const struct run *);  /* seconds until run_poll() must be called; INFINITY: never */
enum run_step run_poll(struct run *, struct err *e); /* returns RUN_GOES_ON also if the run is not running */
void run_finish(struct run *);            /* ends the run and keeps its rows; run_poll() says when it has ended */
bool run_running(const struct run *);     /* false for NULL */

/* For kinds. Limits whose clock starts now. */
struct run_limits run_limits_begin(size_t samples, double duration);
bool run_limits_late(const struct run_limits *); /* the duration is over */
/* False for a row beyond the limits, such as one that arrives while a command is ending. */
bool run_limits_want(const struct run_limits *, size_t samples);
/* For kinds. Begins to end the run for this reason, unless it is ending already. */
void run_end(struct run *, enum run_ending why);
/* For kinds. Begins to end the run if this number of samples reaches a limit, or if there is no room for more. */
void run_keep_limits(struct run *, size_t samples, bool full);

struct run_facts run_facts(const struct run *);          /* for NULL: facts that are all unknown */
const struct obs_table *run_table(struct run *);         /* the first of its tables; NULL: none */
const struct obs_table *const *run_tables(struct run *, size_t *n); /* its observations, which it owns */
/* Adds each line of explain() to the table as a note that begins with `who`. */
void run_note_remarks(struct run *, const char *who, struct obs_table *);
bool run_peeks(const struct run *); /* is it running, and can its kind's peek() give totals so far? */

/* Returns the run of this number, from 0, that observes the same subject, joined or not; NULL: there are no more. */
struct run *run_beside(const struct run *, size_t i);

/* Announces a sign to the runs that joined the leader, if there are any. */
void run_announce(struct run *leader, const struct run_sign *);

/* The runs are borrowed: their owners free them with run_free(), before or after runs_free(). */
struct runs *runs_new(void);
void runs_free(struct runs *);
void runs_clear(struct runs *);

/* Adds a run; the first is the leader. `optional`: if it cannot join, the others go on, and runs_refusal() says why. */
void runs_add(struct runs *, struct run *, bool optional);
struct run *runs_leader(const struct runs *); /* NULL: none */

/* Opens the leader, lets the others join, and starts them. On failure returns false and sets *e: nothing runs, and all
 * runs can be freed. May be called again when all have ended, if their kinds can run again. */
bool runs_begin(struct runs *, struct err *e);
/* Returns why this optional run could not join, or NULL if it did. */
const struct err *runs_refusal(const struct runs *, const struct run *);

#define RUNS_FDS 4
/* Descriptors to wait for; returns how many. */
size_t runs_fds(const struct runs *, struct pollfd fd[RUNS_FDS]);
double runs_patience(const struct runs *); /* seconds until runs_poll() must be called; INFINITY: never */

/* Called for each run that has news or has ended, with the *e of its poll(). It may free any run, call runs_clear(),
 * and begin other runs, which the next runs_poll() polls. It must not call runs_free(), which panics then. */
typedef void runs_hear(void *ctx, struct run *, enum run_step, const struct err *e);
/* Polls all runs, without blocking. True while one of them still runs. `hear` may be NULL. */
bool runs_poll(struct runs *, runs_hear *hear, void *ctx);
/* Waits until runs_poll() has something to do, `most` seconds at most, or a signal that `mask` lets through arrives.
 * `mask` may be NULL. */
void runs_wait(const struct runs *, double most, const sigset_t *mask);
bool runs_running(const struct runs *);
/* Ends all runs and keeps their rows. Runs that joined held processes end with these. */
void runs_finish(struct runs *);

#endif
