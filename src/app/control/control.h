/* The desk: does what the session wishes for as far as no screen is needed. It owns the engine, the watched command and
 * its output, feeds what they say into the session, and tells the loop what to wait for. */
#ifndef APP_CONTROL_CONTROL_H
#define APP_CONTROL_CONTROL_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct engine;
struct autosave;
struct output;
struct runs;
struct state;
struct source_keep;

struct control {
	struct state *s;
	struct engine *engine;
	struct runs *runs;         /* what is observed now; the state's data owns them */
	struct source_keep *keep;
	struct autosave *file;     /* the session in its file */
	struct output *output; /* the command's standard output and error; NULL before the first */
	size_t runs_left;
	double peeked_at;
	/* The observation that grows: where it stands in the live table, and how many of its rows the engine has. */
	/* the search that goes on: what carries another number is of one that was stopped */
	uint64_t search_request;
	bool heard;                     /* a run had something to say in this control_listen() */
	bool again;                     /* the run ends so that another one begins */
	/* gave_up: the engine dies on it, and is not asked again before somebody else asks */
	bool growing, gave_up;
	bool refreshing; /* the engine works on new samples of the same question, for which nobody waits */
	size_t index, rows_sent;
	char *name, *source;            /* … and what it is called: its finding is found by that */
	size_t *spec_sent, n_spec_sent; /* of a specification's run: rows of its observations that the engine has */
	double rows_sent_at, asked_at, took;
	struct err no_flows;   /* why they are not followed, though they are wanted; "" */
};

/* Takes over the engine. The session stays the caller's. */
void control_open(struct control *, struct state *, struct engine *, size_t runs);
void control_close(struct control *); /* before the session is freed */

/* What is open goes, with its run, its output and its command: it is written into its file, if it has one, and
 * forgotten. */
void control_leave(struct control *);

/* The requests of the state that are not of the screen, in order; those that need an answer first stay in the queue. */
void control_carry_out(struct control *);

/* What engine and command have said since; true when something is to be shown. Never blocks. */
bool control_listen(struct control *);

/* Seconds until control_listen() has something to do though nothing is readable; INFINITY. */
double control_patience(const struct control *);

/* Something goes on that changes by itself: the clock of a command, the progress of the engine. */
bool control_busy(const struct control *);

#define CONTROL_POLLS 6
void control_poll(const struct control *, struct pollfd p[CONTROL_POLLS]);

#endif
