/* The messages between explorer and engine, and how their contents travel. */
#ifndef APP_ENGINE_MESSAGE_H
#define APP_ENGINE_MESSAGE_H

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

struct message_head {
	uint64_t size;    /* bytes behind the head */
	uint64_t kind;
	uint64_t request;
};

#define MESSAGE_MAX (UINT64_C(1) << 32) /* a larger one is a broken stream */

void bundle_wire(struct wire *, struct bundle *);
void obs_table_wire(struct wire *, struct obs_table **);

/* Some rows of one observation: `rows` has its name, source, health and so on, and n_rows of its rows; read, it is the
 * caller's (obs_free()). */
void obs_rows_wire(struct wire *, struct obs **rows);

#endif
