/* The engine: a process that does the long computations, so that the screen never waits.
 *
 *   explorer ──load, table, rows, run, questions──▶ engine    length-framed messages over a socket pair (message.h)
 *            ◀──progress, result, neighbours──────
 *            ◀──graph, graph … of a search────────
 *            ──generation (shared memory)─────────▶           a newer number makes the engine drop older work
 *            ◀──standard output and error─────────            a pipe of their own, because libraries may print
 *
 * The explorer keeps everything that it sent: the model's files, the tables, the last request. If the engine dies, or
 * does not drop superseded work in time, it is killed and started again, and everything is sent again
 * (ENGINE_RESTARTED). */
#ifndef EXPLORER_ENGINE_ENGINE_H
#define EXPLORER_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/search/search_graph.h"
#include "work/analysis/analysis.h"
#include "work/analysis/result.h"
#include "work/files/files.h"

struct engine;
struct err;
struct geometry;
struct counter_loss;
struct obs_table;
struct str;
struct constraint_detail;

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
	struct constraint_detail *touch;
	struct counter_loss *loss;
	struct geometry *geometry;
	struct search_graph *graph; /* SEARCH: models tested so far; `running` is false in the last graph of a search */
	char stage[24];      /* PROGRESS: "cone", "check", "features" */
	size_t done, of;
	char *text;          /* RESTARTED, FAILED: a sentence; WITNESS, FLOW: lines */
};

/* Makes the engine, without a process yet. NULL and *e on failure. */
struct engine *engine_start(struct err *e);
void engine_close(struct engine *); /* kills the engine; nothing is lost */

/* Sets a function that names all tables, by engine_table(), whenever a process starts. The process inherits them by
 * fork(), so the explorer's rows are in memory once. They must live until engine_load(), or the call that restarts the
 * engine, returns. NULL: there are none. */
void engine_inherits(struct engine *, void (*give_tables)(void *ctx), void *ctx);

/* engine_load() starts a process with a new model, which inherits the tables and has no others. engine_table() sends a
 * table for place `at`. */
void engine_load(struct engine *, const struct bundle *, const struct analysis_options *);
void engine_table(struct engine *, size_t at, const struct obs_table *);

/* Sends rows that were added to a table: rows `from` and later of its observation `index`; with `from` 0 the
 * observation is new. The table must have been sent. */
void engine_rows(struct engine *, size_t at, const struct obs_table *, size_t index, size_t from);

/* Asks for a result, and after it for the effect of each feature. Supersedes all earlier requests. Returns the number
 * that the replies will carry. */
uint64_t engine_run(struct engine *, const struct fset *);
/* Asks for a µpath that raises this counter, with the features of the last engine_run(); answered after that. */
void engine_witness(struct engine *, uint32_t counter);
/* Asks which flows went through a feature that is on, for a finding of these features; the answer is text. Otherwise it
 * is like the questions below, except that the explorer does not wait for it. */
void engine_flow(struct engine *, const struct fset *, size_t finding, size_t feature);
/* Three questions: about a constraint of a result, about the cone without a counter, about the cone and region of a
 * finding. Each gets an answer, unless a newer engine_run() or engine_stop() comes first, or the engine is restarted
 * (ENGINE_RESTARTED). In that case ask again. */
struct constraint;
/* Asks about a constraint. The answer carries `number`. */
void engine_touch(struct engine *, const struct fset *, size_t number, const struct constraint *);
void engine_loss(struct engine *, const struct result *, size_t counter);
void engine_geometry(struct engine *, const struct fset *, size_t finding);
/* Starts a search from the legal set `on`; features in `fixed` keep their value. It has several replies, of which the
 * last says that it ended. Stopping it ends it, too: its last graph, with the models tested and the reason, also comes
 * after engine_stop() or a newer engine_run(). It carries the number of the request that it belonged to. No more graphs
 * come after a new model or table, or after a restart. */
void engine_search(struct engine *, const struct fset *on, const struct fset *fixed, enum search_task);
void engine_stop(struct engine *); /* drops all requests */
bool engine_busy(const struct engine *);
/* Returns the number of the newest request. Answers to questions asked now will carry it. */
uint64_t engine_request(const struct engine *);

int engine_pid(const struct engine *);         /* changes with a restart; -1 without a process */
/* Sets how many seconds a request may remain unnoticed before the process is replaced; 10 by default. */
void engine_set_patience(struct engine *, double seconds);
int engine_fd(const struct engine *);          /* readable: engine_next() has something */
bool engine_wants_write(const struct engine *); /* true: poll for writing, too, then call engine_next() */
int engine_log_fd(const struct engine *);
void engine_read_log(struct engine *, struct str *log); /* output of libraries; never blocks */

/* Returns the next reply without waiting. Also sends queued bytes, notices when the engine died, and kills it when it
 * hangs. */
bool engine_next(struct engine *, struct engine_reply *);
void engine_reply_clear(struct engine_reply *);

#endif
