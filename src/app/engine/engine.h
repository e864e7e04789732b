/* The engine: a process of its own that does the long work, so that the screen never waits.
 *
 *   explorer ──load, table, run, neighbours──▶ engine        length-framed messages over a socket pair
 *            ◀──progress, result, neighbours──
 *            ◀──graph, graph … of a search────
 *            ──generation (shared memory)────▶               a newer number stops older work at its next look
 *            ◀──standard output and error────               a pipe of their own: libraries may print
 *
 * The parent keeps what it sent (the model's files, the tables, the last request), so an engine that died, or that
 * does not let go of superseded work, is killed, started again and told everything anew. */
#ifndef APP_ENGINE_ENGINE_H
#define APP_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/analysis/analysis.h"
#include "app/analysis/result.h"
#include "app/files/files.h"
#include "app/search/search_graph.h"

struct engine;
struct err;
struct geometry;
struct loss;
struct obs_table;
struct str;
struct touch;

enum engine_reply_kind {
	ENGINE_PROGRESS, ENGINE_RESULT, ENGINE_NEIGHBOURS, ENGINE_WITNESS, ENGINE_TOUCH, ENGINE_LOSS, ENGINE_GEOMETRY,
	ENGINE_FLOW, ENGINE_SEARCH, ENGINE_RESTARTED, ENGINE_FAILED
};

/* The caller owns result, neighbours, touch, loss, geometry, graph and text. */
struct engine_reply {
	enum engine_reply_kind kind;
	uint64_t request;
	struct result *result;
	struct neighbours *neighbours;
	struct touch *touch;
	struct loss *loss;
	struct geometry *geometry;
	struct search_graph *graph; /* SEARCH: what was tested so far; the last one of a search is not running */
	char stage[24];      /* PROGRESS: "cone", "check", "features" */
	size_t done, of;
	char *text;          /* RESTARTED, FAILED: a sentence; WITNESS, FLOW: lines */
};

/* Forks. Call before the terminal, perf descriptors or a database are open. NULL and *e when it cannot be started. */
struct engine *engine_start(struct err *e);
void engine_close(struct engine *); /* kills it; nothing of value is lost */

/* a new model: forgets tables */
void engine_load(struct engine *, const struct bundle *, const struct analysis_options *);
void engine_table(struct engine *, size_t at, const struct obs_table *);

/* Append what a table has got since: rows `from` … of its observation `index`, which begins there if from is 0. The
 * table must have been sent, and what is sent again after a death is the table with all that was appended. */
void engine_rows(struct engine *, size_t at, const struct obs_table *, size_t index, size_t from);

/* Ask for a result, and behind it for what each feature would change. Supersedes everything asked before.
 * Returns the number that the replies will carry. */
uint64_t engine_run(struct engine *, const struct fset *);
/* Ask for a µpath that raises this counter, for the features of the last engine_run(); answered when that is. */
void engine_witness(struct engine *, uint32_t counter);
/* Ask what went through a feature that is on, for a finding of that choice: lines. Like a question below, but nobody
 * waits for it. */
void engine_flow(struct engine *, const struct fset *, size_t finding, size_t feature);
/* Ask about one constraint of a result, what its cone would be without a counter, or cone and region of one finding.
 * Answered unless a newer engine_run() or engine_stop() comes first, or the engine is replaced (ENGINE_RESTARTED): then
 * ask again. */
struct constraint;
/* the answer carries the number */
void engine_touch(struct engine *, const struct fset *, size_t number, const struct constraint *);
void engine_loss(struct engine *, const struct result *, size_t counter);
void engine_geometry(struct engine *, const struct fset *, size_t finding);
/* Search from `on`, which is legal, and leave the features in `fixed` as they are there. A question like those above,
 * told in several replies; each search has a last one. What stops it makes it end: its last graph, with what was tested
 * and why no more, comes also after engine_stop() or a newer engine_run(), with the number of the request that it
 * belonged to; but not after a new model or table, nor from an engine that was replaced. */
void engine_search(struct engine *, const struct fset *on, const struct fset *fixed, enum search_task);
void engine_stop(struct engine *); /* forget what was asked */
bool engine_busy(const struct engine *);
/* the number of the newest request, which answers to questions asked now will carry */
uint64_t engine_request(const struct engine *);

int engine_pid(const struct engine *);         /* changes with a restart; -1 while there is none */
/* how long a request may find no ear before the process is replaced; 10 s at first */
void engine_set_patience(struct engine *, double seconds);
int engine_fd(const struct engine *);          /* readable: engine_next() has something */
bool engine_wants_write(const struct engine *); /* poll for writing too, then call engine_next() */
int engine_log_fd(const struct engine *);
void engine_read_log(struct engine *, struct str *log); /* what libraries printed; never blocks */

/* The next reply, without waiting. Sends what is queued, notices death, kills a stuck engine. */
bool engine_next(struct engine *, struct engine_reply *);
void engine_reply_clear(struct engine_reply *);

#endif
