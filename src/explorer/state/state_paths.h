/* The picture of view 5 and the cursor in it. */
#ifndef EXPLORER_STATE_STATE_PATHS_H
#define EXPLORER_STATE_STATE_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/counters/scope.h"
#include "explorer/state/state.h"

struct net_layout;

#define PATHS_LEAST_WIDTH 60 /* columns; a narrower view 5 is a table of stages */

#define PATHS_OWNER_BITS 20  /* a row of the pane, as the mouse gives it, is module << PATHS_OWNER_BITS | owner */

/* Lays the network out on w × h cells; the caller frees the layout. Returns NULL if there is no network, or if there is
 * too little room: the view is then a table with a row per module. */
struct net_layout *state_paths_layout(const struct state *, int w, int h);

/* After the snapshot has changed: remembers the owners that carry requests in it, so that they keep their boxes, and
 * the modules that do. */
void state_paths_follow(struct state *);

/* Modules without requests in the whole run, which have no box unless they are unfolded. The caller frees the array,
 * which has an entry for each module of the network; *folded: how many have no box. */
bool *state_paths_unused(const struct state *, size_t *folded);
/* Unfolds the unused modules, or folds them again. */
void state_paths_unfold_unused(struct state *);

/* Rows of the path map as it is listed: without the places that served no request in the whole run, if there are
 * several (ZEROS_LEAST), unless view.timeline.zeros is set. The caller frees the array; *folded: how many are left out.
 */
size_t *state_paths_places(const struct state *, size_t *n, size_t *folded);
void state_paths_fold_places(struct state *); /* lists them, or folds them again */

/* Moves the cursor. Right (dx 1): along the heaviest lane from its node. Left: to the node that sends most requests to
 * its node. Up and down: within the column. */
void state_paths_move(struct state *, int dx, int dy);
/* Puts the cursor on a node, as the mouse or another list does. Owner SIZE_MAX: the owner with the longest queue. */
void state_paths_choose(struct state *, size_t module, size_t owner);

/* An owner's name: "core 3", "slice 12", "vda"; with several sockets "S1 core 3"; "" for a single owner without a name.
 * The caller frees it. */
char *state_paths_owner(const struct state *, enum scope, size_t owner);

#endif
