/* The picture of view 5 and the cursor in it. */
#ifndef APP_STATE_STATE_PATHS_H
#define APP_STATE_STATE_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "app/state/state.h"
#include "core/lang/scope.h"

struct net_layout;

#define PATHS_LEAST_WIDTH 60 /* columns: below, the stages are a table */

#define PATHS_OWNER_BITS 20  /* a row of the pane, for the mouse: the module in front of so many bits of owner */

/* The network on so many cells; the caller's. NULL: too narrow, or there is no network; then it is a table, a row for
 * each module. */
struct net_layout *state_paths_layout(const struct state *, int w, int h);

/* Another snapshot is shown: whoever carries something now has done so from now on. */
void state_paths_follow(struct state *);

/* To the right (dx 1): along the heaviest lane from the node under the cursor; to the left: to who asks it most; up and
 * down within the column. */
void state_paths_move(struct state *, int dx, int dy);
/* To a node, by the mouse or another list; the owner SIZE_MAX: the one with the longest queue. */
void state_paths_choose(struct state *, size_t module, size_t owner);

/* "core 3", "slice 12", "vda"; with more than one socket "S1 core 3". "" where there is one without a name. The caller
 * frees. */
char *state_paths_owner(const struct state *, enum scope, size_t owner);

#endif
