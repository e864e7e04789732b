/* The explorer's side of the engine, shared by engine.c (process, requests) and engine_reply.c (answers). Private to
 * them. */
#ifndef EXPLORER_ENGINE_ENGINE_STATE_H
#define EXPLORER_ENGINE_ENGINE_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

struct engine;

/* Messages as bytes, each with its head. */
struct engine_packet {
	unsigned char *data;
	size_t n, cap;
};

/* What the next process inherits. */
struct engine_estate {
	void (*give_tables)(void *ctx); /* names the tables by engine_table(), which enters them; NULL: none */
	void *ctx;
	bool giving;
	struct inherited *table;
	size_t n, cap;
};

struct engine {
	pid_t pid;
	int fd, log_fd;
	void *page; /* the shared memory of `generation` */
	_Atomic uint64_t *generation; /* shared memory: [0] newest request, [1] request that the engine works on */
	uint64_t request;             /* number of the newest request; 0: none */
	uint64_t answered;            /* newest request whose neighbours arrived, or that failed */
	double asked_at, patience;
	/* deaths since the last answer or new request. After DEATHS_MAX the next process is started by the next request
	 */
	int deaths;
	/* why no process could be started for a request; empty when none waits for one */
	struct err unheard;
	uint64_t search;              /* number of the newest search */
	/* searches from this number on belong to the current model, tables and process */
	uint64_t search_from;
	struct engine_packet load, run; /* kept for a restart */
	struct engine_estate estate;
	struct engine_packet out;     /* queued bytes; the first `sent` of them are sent */
	size_t sent;
	unsigned char *in;
	size_t n_in, in_cap;
	char why[64];
};

/* Kills and reaps the process, and drops all queued and received bytes. g->why says how the process ended. */
void engine_bury(struct engine *);

/* Starts a process and sends it the model, the tables and, if it is unanswered, the newest request. False and *e on
 * failure. */
bool engine_restart(struct engine *, struct err *e);

#endif
