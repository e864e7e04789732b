/* The bars of view 6: which are listed, and what they are made of. A network's stalls stand in PANE_BARS, and a stack's
 * bars too where there are none of a network; with both the stack's stand in PANE_METHODS. */
#ifndef APP_SESSION_SESSION_STALLS_H
#define APP_SESSION_SESSION_STALLS_H

#include <stdbool.h>
#include <stddef.h>

#include "app/session/session.h"

struct net_stall_row;
struct profile_bar;

/* Does PANE_BARS show a network's stalls? */
bool session_shows_stalls(const struct session *);
/* Is there a stack's pane beside it? */
bool session_shows_methods(const struct session *);
/* PANE_COMPONENTS tells of the stack's bar. */
bool session_tells_parts(const struct session *);

/* Bars of the stack: numbers of run.bars->bar, sorted and filtered. The caller frees. */
size_t *session_bars(const struct session *, size_t *n);
/* Bars of the network: numbers of run.rows->row, those with stalls, likewise. Owners with less than STALLS_IDLE of all
 * stalls are left out, unless a filter asks for them: a machine has many idle cores. */
#define STALLS_IDLE 0.01
size_t *session_stall_rows(const struct session *, size_t *n);
size_t session_idle_rows(const struct session *); /* so many are left out */
/* Under the cursor; NULL: none. */
const struct profile_bar *session_bar(const struct session *);
const struct net_stall_row *session_stall_row(const struct session *);

/* Rows of PANE_COMPONENTS: parts of the stack that some bar shows; modules that stalls can come from, where requests
 * end first. The caller frees. */
size_t *session_parts(const struct session *, size_t *n);
size_t *session_components(const struct session *, size_t *n);

/* With several methods PANE_COMPONENTS has a row for each part that some bar of some method shows: numbers of
 * profile_methods()->part. The caller frees. */
bool session_compares_methods(const struct session *);
size_t *session_method_parts(const struct session *, size_t *n);
/* The same bar by another method; NULL: no bar. */
const struct profile_bar *session_bar_by(const struct session *, size_t stack, const struct profile_bar *);

/* For the cursor. */
int session_count_bars(const struct session *, enum pane_id);
int session_count_components(const struct session *);

#endif
