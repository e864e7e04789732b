/* The explorer's side of the engine, shared by engine.c (process, requests) and engine_reply.c (answers). Private to
 * them. */
#ifndef APP_ENGINE_ENGINE_STATE_H
#define APP_ENGINE_ENGINE_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

struct engine;

/* A message as bytes, head and all, kept for replay. A table's packet is the message of the table with those that
 * appended rows behind it. */
struct engine_packet {
	unsigned char *data;
	size_t n, cap;
};

struct engine {
	pid_t pid;
	int fd, log_fd;
	_Atomic uint64_t *generation; /* shared with the process: [0] the newest request, [1] the one it works on */
	uint64_t request;             /* the newest number given out; 0: none */
	uint64_t answered;            /* the newest whose neighbours came (or that failed) */
	double asked_at, patience;
	/* since an answer or a new request; after DEATHS_MAX nothing is started until something is asked */
	int deaths;
	/* why no process could be started for what was asked; empty when nothing waits for one */
	struct err unheard;
	uint64_t search;              /* number of the newest search */
	/* from this one on they are of the present model and tables, asked of the present process */
	uint64_t search_from;
	struct engine_packet load, *table, run;
	size_t n_tables, cap;
	struct engine_packet out;            /* queued bytes; `sent` of them are gone */
	size_t sent;
	unsigned char *in;
	size_t n_in, in_cap;
	char why[64];
};

/* Ends the process and forgets what was on its way to and from it; g->why says how it ended. */
void engine_bury(struct engine *);

/* Starts a process and sends it the model, the tables and, while it is unanswered, the newest request. False and *e. */
bool engine_restart(struct engine *, struct err *e);

#endif
