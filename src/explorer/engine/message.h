/* The messages between explorer and engine. Each is a head and `size` bytes, written and read by the same functions
 * (shape/wire.h).
 *
 *     explorer to engine                                  engine to explorer
 *     LOAD      model's files, options                    PROGRESS    stage, done, of
 *     TABLE     place, table                              RESULT      verdicts of the last RUN
 *     ROWS      place, observation, rows                  NEIGHBOURS  effect of each feature; the RUN is answered
 *     RUN       features                                  WITNESS, FLOW                    text
 *     WITNESS, FLOW, TOUCH, LOSS, GEOMETRY  questions     TOUCH, LOSS, GEOMETRY            answers
 *     SEARCH    number, features, task                    SEARCH      number, graph so far (several)
 *                                                         FAILED      text; the request is answered
 *
 * `request` is the number of the RUN that a message belongs to. Replies to an older one are dropped, except graphs of a
 * search that is still current. LOAD, TABLE and ROWS need no reply. */
#ifndef EXPLORER_ENGINE_MESSAGE_H
#define EXPLORER_ENGINE_MESSAGE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct bundle;
struct obs;
struct obs_table;
struct wire;

enum message_kind {
	MESSAGE_LOAD, MESSAGE_TABLE, MESSAGE_ROWS, MESSAGE_RUN, MESSAGE_WITNESS, MESSAGE_TOUCH, MESSAGE_LOSS,
	MESSAGE_GEOMETRY, MESSAGE_FLOW, MESSAGE_SEARCH, MESSAGE_PROGRESS, MESSAGE_RESULT, MESSAGE_NEIGHBOURS,
	MESSAGE_FAILED
};

/* "result", for the journal; "?": no such kind. */
const char *message_name(uint64_t kind);

struct message_head {
	uint64_t size;    /* bytes after the head */
	uint64_t kind;
	uint64_t request;
};

#define MESSAGE_MAX (UINT64_C(1) << 32) /* a larger message means a broken stream */

void bundle_wire(struct wire *, struct bundle *);
void obs_table_wire(struct wire *, struct obs_table **);

/* Writes or reads some rows of one observation: `rows` has its name, source, health and so on, and n_rows of its rows.
 * When reading, the caller frees *rows with obs_free(). */
void obs_rows_wire(struct wire *, struct obs **rows);

/* A table of the explorer that a new process finds in its memory. */
struct inherited {
	size_t at;
	const struct obs_table *table;
};

/* The engine's side: reads requests, computes and answers, until the explorer ends. */

/* Runs in the child of a fork: closes all descriptors but `fd` and `log`, sends standard output and error to `log`,
 * serves, exits. generation[0] is the newest request, which the explorer writes; generation[1] the request that is
 * worked on, which this function writes. The tables belong to the first model that it is sent. */
_Noreturn void serve_process(
	int fd, int log, _Atomic uint64_t *generation, const struct inherited *table, size_t n_tables);
/* Serves requests on `fd` until it ends; what serve_process() does after it has closed what it does not need. */
void serve_requests(
	int fd, _Atomic uint64_t *generation, const struct inherited *table, size_t n_tables);

#endif
