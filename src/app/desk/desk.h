/* The desk: does what the session wishes for as far as no screen is needed. It owns the engine, the watched command and
 * its output, feeds what they say into the session, and tells the loop what to wait for. */
#ifndef APP_DESK_DESK_H
#define APP_DESK_DESK_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct engine;
struct keep;
struct output;
struct session;
struct source_keep;

struct desk {
	struct session *s;
	struct engine *engine;
	struct source_keep *keep;
	struct keep *file;     /* the session in its file */
	struct output *output; /* the command's standard output and error; NULL before the first */
	size_t runs_left;
	double peeked_at;
	/* The observation that grows: where it stands in the live table, and how many of its rows the engine has. */
	/* the search that goes on: what carries another number is of one that was stopped */
	uint64_t search_request;
	bool again;                     /* the run ends so that another one begins */
	/* gave_up: the engine dies on it, and is not asked again before somebody else asks */
	bool growing, gave_up;
	size_t index, rows_sent;
	char *name, *source;            /* … and what it is called: its finding is found by that */
	size_t *spec_sent, n_spec_sent; /* of a specification's run: rows of its observations that the engine has */
	double rows_sent_at, asked_at, took;
	struct err no_flows;   /* why they are not followed, though they are wanted; "" */
};

/* Takes over the engine. The session stays the caller's. */
void desk_open(struct desk *, struct session *, struct engine *, size_t runs);
void desk_close(struct desk *); /* before the session is freed */

/* What is open goes, with its run, its output and its command: it is written into its file, if it has one, and
 * forgotten. */
void desk_leave(struct desk *);

/* The wishes for model, data, engine, command and tracefs; they are taken back as they are fulfilled. */
void desk_fulfil(struct desk *);

/* What engine and command have said since; true when something is to be shown. Never blocks. */
bool desk_listen(struct desk *);

/* Seconds until desk_listen() has something to do though nothing is readable; INFINITY. */
double desk_patience(const struct desk *);

/* Something goes on that changes by itself: the clock of a command, the progress of the engine. */
bool desk_busy(const struct desk *);

#define DESK_POLLS 6
void desk_poll(const struct desk *, struct pollfd p[DESK_POLLS]);

#endif
