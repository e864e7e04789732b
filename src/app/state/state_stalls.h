/* The bars of view 6: which are listed, and what they are made of. A network's stalls stand in PANE_BARS, and a stack's
 * bars too where there are none of a network; with both the stack's stand in PANE_METHODS. */
#ifndef APP_STATE_STATE_STALLS_H
#define APP_STATE_STATE_STALLS_H

#include <stdbool.h>
#include <stddef.h>

#include "app/state/state.h"

struct net_stall_row;
struct timeline_bar;

/* Does PANE_BARS show a network's stalls? */
bool state_shows_stalls(const struct state *);
/* Is there a stack's pane beside it? */
bool state_shows_methods(const struct state *);
/* PANE_COMPONENTS tells of the stack's bar. */
bool state_tells_parts(const struct state *);

/* Bars of the stack: numbers of run.bars->bar, sorted and filtered. The caller frees. */
size_t *state_bars(const struct state *, size_t *n);
/* Bars of the network: numbers of run.rows->row, those with stalls, likewise. Owners with less than STALLS_IDLE of all
 * stalls are left out, unless a filter asks for them: a machine has many idle cores. */
#define STALLS_IDLE 0.01
size_t *state_stall_rows(const struct state *, size_t *n);
size_t state_idle_rows(const struct state *); /* so many are left out */
/* Under the cursor; NULL: none. */
const struct timeline_bar *state_bar(const struct state *);
const struct net_stall_row *state_stall_row(const struct state *);

/* Rows of PANE_COMPONENTS: parts of the stack that some bar shows; modules that stalls can come from, where requests
 * end first. The caller frees. */
size_t *state_parts(const struct state *, size_t *n);
size_t *state_components(const struct state *, size_t *n);

/* With several methods PANE_COMPONENTS has a row for each part that some bar of some method shows: numbers of
 * timeline_methods()->part. The caller frees. */
bool state_compares_methods(const struct state *);
size_t *state_method_parts(const struct state *, size_t *n);
/* The same bar by another method; NULL: no bar. */
const struct timeline_bar *state_bar_by(const struct state *, size_t stack, const struct timeline_bar *);

/* For the cursor. */
int state_count_bars(const struct state *, enum pane_id);
int state_count_components(const struct state *);

#endif
