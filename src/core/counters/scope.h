/* The scope of a counter: the kind of part of a machine each of which has a count of its own. */
#ifndef CORE_COUNTERS_SCOPE_H
#define CORE_COUNTERS_SCOPE_H

#include <stdbool.h>

struct lexer;

/* Each scope comes before the scopes that contain it. A hardware thread is part of a core. Cores, slices of the
 * last-level cache and memory channels are parts of a socket. All are parts of the system. A task is part of the system
 * only, because it moves. */
enum scope {
	SCOPE_TASK, SCOPE_THREAD, SCOPE_CORE, SCOPE_SLICE, SCOPE_CHANNEL, SCOPE_SOCKET, SCOPE_DEVICE, SCOPE_SYSTEM,
	SCOPES
};

const char *scope_name(enum scope);
/* Returns whether each part with a `fine` count belongs to exactly one part with a `coarse` count, so that the fine
 * counts can be added up to coarse ones. */
bool scope_within(enum scope fine, enum scope coarse);
/* Reads a scope; the lexer is at its word. If the word is no scope, returns false and adds a diagnostic with the
 * nearest word. */
bool scope_parse(struct lexer *, enum scope *out);

#endif
