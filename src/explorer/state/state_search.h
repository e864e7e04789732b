/* The search over features in view 1: its graph of models grows with every search and every toggle. */
#ifndef EXPLORER_STATE_STATE_SEARCH_H
#define EXPLORER_STATE_STATE_SEARCH_H

#include "explorer/state/state.h"
#include "work/search/search_rows.h"

/* Adds the model of a new result to the graph, with an edge from `from`, the features shown before. On other data the
 * graph becomes old; a graph that no search made is emptied. */
void state_note_model(struct state *, const struct fset *from);
void state_forget_search(struct state *); /* frees the graph, for another model or other options */

/* Keys d, e, a: queues a request, or says why there is nothing to search. */
void state_ask_search(struct state *, enum search_task);
/* The engine has begun a search, or the search has ended or was stopped. What it found stays. */
void state_search_began(struct state *, enum search_task);
void state_search_ended(struct state *);

/* Sets *on to the features of the model under the search's cursor. False: the cursor is on another kind of row. */
bool state_search_cursor(const struct state *, struct fset *on);
/* Moves the cursor to the row of that model. False, and the cursor stays, if no row shows it. */
bool state_search_put_cursor(struct state *, const struct fset *on);

/* Does the graph belong to other data than the result? */
bool state_search_old(const struct state *);

/* Sets *added to what the last discovery proposes to add. False: it has no proposal for the features that are on. */
bool state_proposal(const struct state *, struct fset *added);
/* "d proposes C D, free 6; Enter takes them"; the caller frees. NULL: no proposal. */
char *state_proposal_text(const struct state *);
/* The constraint of the current model that the proposal relaxes; NULL: none. */
const char *state_proposal_relaxes(const struct state *);

/* Rows of pane "Search", a list as shown (shown.h). */
const struct search_row *state_search_rows(const struct state *, size_t *n);
/* Does the graph have a model in addition to the one shown, or does a search run? */
bool state_has_search(const struct state *);

void state_take_proposal(struct state *);
void state_to_model(struct state *);           /* Enter on a row */
void state_walk_graph(struct state *, int by); /* goes to the row's parent (-1) or its first child (1) */
void state_pin(struct state *);

/* The counter of pane "Signature witness": that of the row under the tree's cursor, or else of the first row below that
 * has one. SIZE_MAX: none. */
size_t state_witness_counter(const struct state *);

#endif
