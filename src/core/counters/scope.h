/* The scope of a counter: which parts of a machine have a count of their own. */
#ifndef CORE_COUNTERS_SCOPE_H
#define CORE_COUNTERS_SCOPE_H

#include <stdbool.h>

struct lexer;

/* Each scope stands before those that it is part of. A hardware thread is part of a core. Cores, slices of the
 * last-level cache and memory channels are parts of a socket. All are parts of the system. A task is part
 * of nothing smaller, because it moves. */
enum scope {
	SCOPE_TASK, SCOPE_THREAD, SCOPE_CORE, SCOPE_SLICE, SCOPE_CHANNEL, SCOPE_SOCKET, SCOPE_DEVICE, SCOPE_SYSTEM,
	SCOPES
};

const char *scope_name(enum scope);
/* Returns whether everything that has a `fine` count of its own belongs to one thing with a `coarse` count. Such counts
 * add up. */
bool scope_within(enum scope fine, enum scope coarse);
/* Reads a scope; the lexer is at its word. False and a diagnostic, with the nearest word, when it is none. */
bool scope_parse(struct lexer *, enum scope *out);

#endif
