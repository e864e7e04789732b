/* What view 1 does with the search over features: the graph of models that grows with every search and every toggle. */
#ifndef APP_STATE_STATE_SEARCH_H
#define APP_STATE_STATE_SEARCH_H

#include "app/search/search_rows.h"
#include "app/state/state.h"

/* A new result: its model joins the graph, coming from `from`, the features shown before. Data that are other than the
 * graph's make the graph old, or void when no search made it. */
void state_note_model(struct state *, const struct fset *from);
void state_forget_search(struct state *); /* frees: other model, other options */

/* d, e, a: leaves the wish, or says why there is nothing to search. */
void state_ask_search(struct state *, enum search_task);
/* The engine has begun; it ended, or was stopped: what it found stands. */
void state_search_began(struct state *, enum search_task);
void state_search_ended(struct state *);

/* The model under the cursor of the search, which has these features. False: another row is there. */
bool state_search_cursor(const struct state *, struct fset *on);
/* Puts the cursor on the row of that model. False, and it stays: no row shows it. */
bool state_search_put_cursor(struct state *, const struct fset *on);

/* The graph is of other data than the result: what it says is old. */
bool state_search_old(const struct state *);

/* The features that the last discovery would add to those that are on; false: there is no proposal for these. */
bool state_proposal(const struct state *, struct fset *added);
/* "d proposes C D, free 6; Enter takes them"; the caller frees. NULL: no proposal. */
char *state_proposal_text(const struct state *);
/* The constraint that a proposal relaxes, of the model as it stands; NULL: none. */
const char *state_proposal_relaxes(const struct state *);

/* Rows of pane "Search"; the caller frees. */
struct search_row *state_search_rows(const struct state *, size_t *n);
/* Something besides the model that is shown anyway stands in the graph, or a search goes on. */
bool state_has_search(const struct state *);

void state_take_proposal(struct state *);
void state_to_model(struct state *);           /* Enter on a row */
void state_walk_graph(struct state *, int by); /* to the row's parent (-1), to its first child (1) */
void state_pin(struct state *);

/* The counter that pane "Signature witness" tells of: of the row under the tree's cursor, or of the first below it;
 * SIZE_MAX: none. */
size_t state_witness_counter(const struct state *);

#endif
