/* The tree of view 6: a stack whose parts are nodes that fold. Unless the user opened or folded a node, its judgement
 * decides: the first level is open, and below it the nodes that are worth a look in some bar. */
#ifndef EXPLORER_STATE_STATE_NODES_H
#define EXPLORER_STATE_STATE_NODES_H

#include <stdbool.h>
#include <stddef.h>

struct state;

/* Does PANE_COMPONENTS show the nodes of a tree? */
bool state_shows_tree(const struct state *);
/* True if the node has parts, and they are shown. */
bool state_node_is_open(const struct state *, size_t part);
/* How many nodes are below it, at any depth. */
size_t state_nodes_below(const struct state *, size_t part);
/* The node under the cursor of PANE_COMPONENTS; SIZE_MAX: none, or another pane has the keys. */
size_t state_node(const struct state *);

/* Gives the keys to the nodes, if view 6 has just opened with a tree. */
void state_look_at_tree(struct state *);

/* Folds (-1) or unfolds (1) the node under the cursor, or changes it (0). Folding a folded node goes to its parent. */
void state_fold_node(struct state *, int how);
void state_fold_all_nodes(struct state *); /* unfolds all, or if all are unfolded, lets their judgement decide */

#endif
