/* Carries out the requests of the state, except those of the screen. It owns the engine, the command's output and
 * the session file, puts their results into the state, and knows what the loop waits for. The state's data owns the
 * runs. */
#ifndef EXPLORER_CONTROL_CONTROL_H
#define EXPLORER_CONTROL_CONTROL_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "explorer/state/answers.h"

struct engine;
struct lesson_watch;
struct model_watch;
struct autosave;
struct output;
struct runs;
struct state;
struct source_keep;

/* What the first frame does not wait for: the lists of Home, what can be counted here, what is known of processors. */
enum look { LOOK_HOME = 1, LOOK_MACHINE = 2, LOOK_BOOKS = 4, LOOK_ALL = 7 };

/* The leader's observations, as the engine has them. */
struct leader_rows {
	size_t index;         /* number of the growing one in its table */
	char *name, *source;  /* of the growing one, which identify its finding */
	size_t *sent, n_sent; /* number of rows that the engine has, for each of them */
};

/* A detail that is asked for when the cursor has rested on it. */
struct resting_detail {
	struct detail what;
	double at; /* when to ask; 0: at once */
};

struct control {
	struct state *s;
	struct engine *engine;
	struct runs *runs;         /* the present runs, borrowed from the state's data */
	struct runs *probing;      /* the present run of probes, also borrowed */
	struct source_keep *keep;
	struct autosave *file;     /* the session in its file */
	struct model_watch *watch; /* the open model's files (control_model.h) */
	struct output *output; /* the command's standard output and error; NULL before the first */
	unsigned looked;       /* enum look */
	size_t runs_left;
	double peeked_at;
	/* number of the present search; answers with another number belong to a stopped one */
	uint64_t search_request;
	bool heard;                     /* a run had news in this control_listen() */
	bool runs_on;                   /* the command goes on when hecate ends */
	bool again;                     /* the present run ends so that another one can begin */
	/* growing: an observation of the leader gets rows. gave_up: the engine died on the question, and is not asked
	 * again before a new request */
	bool growing, gave_up;
	bool refreshing; /* the engine judges new samples in the background */
	struct resting_detail resting;
	struct leader_rows leader;
	double asked_at, took; /* when a verdict was asked for, and how long the last one took, s */
	char *recent;          /* the session file last put among the recent ones; NULL: none */
	struct lesson_watch *lesson; /* the file that a student writes; NULL: none */
	struct err no_flows;   /* why wanted flows are not recorded; "" */
};

/* Takes over the engine. The state stays the caller's. */
void control_open(struct control *, struct state *, struct engine *, size_t runs);
/* Looks at what control_listen() would look at after the first frame, a sum of enum look, unless it has. */
void control_look(struct control *, unsigned what);
void control_close(struct control *); /* before the state is freed */

/* Closes what is open, with its run, output and command, after writing it into its file, if it has one. */
void control_leave(struct control *);

/* Carries out the requests in order, except those of the screen. Requests that need an answer first stay queued. */
void control_carry_out(struct control *);

/* Takes the news of engine and runs, without blocking. True when there is something to show. */
bool control_listen(struct control *);

/* Seconds until control_listen() has something to do even if nothing is readable; INFINITY: never. */
double control_patience(const struct control *);

/* True while something changes by itself: the clock of a run, the progress of the engine. */
bool control_busy(const struct control *);

/* Writes the runs of A and B into a new JSON file of this name, or of this session file's name. */
bool control_keep_runs(struct control *, const char *file, struct err *e);

/* Does a lesson of this name load? If not, the screen says why. */
bool control_lesson_loads(struct control *, const char *name);

#define CONTROL_POLLS 16
void control_poll(const struct control *, struct pollfd p[CONTROL_POLLS]);

#endif
