/* The bars of view 6: those listed, and their parts. PANE_BARS shows a network's stalls, or a stack's bars if there is
 * no network. With both, PANE_METHODS shows the stack's. */
#ifndef EXPLORER_STATE_STATE_STALLS_H
#define EXPLORER_STATE_STATE_STALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explorer/state/state.h"

struct net_stall_row;
struct timeline_bar;

/* Does PANE_BARS show a network's stalls? */
bool state_shows_stalls(const struct state *);
/* Is PANE_METHODS shown as well? */
bool state_shows_methods(const struct state *);
/* Does PANE_COMPONENTS show the parts of a stack's bar? */
bool state_shows_parts(const struct state *);

/* The stack's bars: indices of answers.timeline.bars->bar, sorted and filtered. Tasks that only slept are last, and
 * BAR_SLEEPERS is the row that stands for them; they follow it if view.timeline.sleepers is set. */
#define BAR_SLEEPERS (SIZE_MAX - 1)
size_t state_sleepers(const struct state *);     /* number of tasks that only slept */
bool state_on_sleepers(const struct state *);    /* is the cursor on that row? */
const size_t *state_bars(const struct state *, size_t *n);
/* The network's bars: indices of answers.timeline.rows->row that have stalls, sorted and filtered. Owners with less
 * than STALLS_IDLE of all stalls are left out unless a filter asks for them, because a machine has many idle cores. */
#define STALLS_IDLE 0.01
const size_t *state_stall_rows(const struct state *, size_t *n);
size_t state_idle_rows(const struct state *); /* number of owners left out */
/* The bar under the cursor; NULL: none. */
const struct timeline_bar *state_bar(const struct state *);
const struct net_stall_row *state_stall_row(const struct state *);

/* Parts of the stack that some bar has. The caller frees the array. */
size_t *state_parts(const struct state *, size_t *n);
/* The number of parts of a stack that are 0 in the whole run and are, if there are several, folded unless
 * view.timeline.zeros is set. state_fold_zeros() changes that. */
#define ZEROS_LEAST 3
size_t state_zero_parts(const struct state *);
void state_fold_zeros(struct state *);
/* Rows of PANE_COMPONENTS. For a stack, the parts above, without those that are folded away. For a network, the
 * modules that cause stalls, beginning with the one nearest to where requests end. The caller frees the arrays. */
size_t *state_part_rows(const struct state *, size_t *n);
size_t *state_components(const struct state *, size_t *n);
/* The chosen method's part in the row under the cursor; SIZE_MAX: none there. */
size_t state_part_at_cursor(const struct state *);

/* With several methods, PANE_COMPONENTS has a row for each part of any method's bar: indices of
 * timeline_methods()->part, without those that are 0 in all methods where one of these is the truth. The caller
 * frees. */
bool state_compares_methods(const struct state *);
size_t *state_method_parts(const struct state *, size_t *n);
/* The index of the method that the others are compared with; the number of methods if there is none. This method is not
 * shown while view.timeline.hides_truth is set. */
size_t state_truth(const struct state *);
bool state_has_truth(const struct state *);
/* The same bar by another method; NULL: no bar. */
const struct timeline_bar *state_bar_by(const struct state *, size_t stack, const struct timeline_bar *);

/* Numbers of rows, for the cursor. */
int state_count_bars(const struct state *, enum pane_id);
int state_count_components(const struct state *);
/* What a row is about, for the cursor that follows it (state_follow.h). */
uint64_t state_bar_thing(const struct state *, enum pane_id, size_t row);
uint64_t state_component_thing(const struct state *, enum pane_id, size_t row);

#endif
