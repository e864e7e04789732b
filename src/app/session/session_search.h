/* What view 1 does with the search over features: the graph of models that grows with every search and every toggle. */
#ifndef APP_SESSION_SESSION_SEARCH_H
#define APP_SESSION_SESSION_SEARCH_H

#include "app/search/search_rows.h"
#include "app/session/session.h"

/* A new result: its model joins the graph, coming from `from`, the features shown before. Data that are other than the
 * graph's make the graph old, or void when no search made it. */
void session_note_model(struct session *, const struct fset *from);
void session_forget_search(struct session *); /* frees: other model, other options */

/* d, e, a: leaves the wish, or says why there is nothing to search. */
void session_ask_search(struct session *, enum search_task);
/* The engine has begun; it ended, or was stopped: what it found stands. */
void session_search_began(struct session *, enum search_task);
void session_search_ended(struct session *);

/* The model under the cursor of the search, which has these features. False: another row is there. */
bool session_search_cursor(const struct session *, struct fset *on);
/* Puts the cursor on the row of that model. False, and it stays: no row shows it. */
bool session_search_put_cursor(struct session *, const struct fset *on);

/* The features that the last discovery would add to those that are on; false: there is no proposal for these. */
bool session_proposal(const struct session *, struct fset *added);
/* "d proposes C D, free 6; Enter takes them"; the caller frees. NULL: no proposal. */
char *session_proposal_text(const struct session *);
/* The constraint that a proposal relaxes, of the model as it stands; NULL: none. */
const char *session_proposal_relaxes(const struct session *);

/* Rows of pane "Search"; the caller frees. */
struct search_row *session_search_rows(const struct session *, size_t *n);
/* Something besides the model that is shown anyway stands in the graph, or a search goes on. */
bool session_has_search(const struct session *);

void session_take_proposal(struct session *);
void session_to_model(struct session *);           /* Enter on a row */
void session_walk_graph(struct session *, int by); /* to the row's parent (-1), to its first child (1) */
void session_pin(struct session *);

/* The counter that pane "Signature witness" tells of: of the row under the tree's cursor, or of the first below it;
 * SIZE_MAX: none. */
size_t session_witness_counter(const struct session *);

#endif
