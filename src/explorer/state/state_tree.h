/* View 1's outline of the model and its list of features. */
#ifndef EXPLORER_STATE_STATE_TREE_H
#define EXPLORER_STATE_STATE_TREE_H

struct fset;
struct state;

/* Makes the outline again after the model or its features have changed. Rows that the user folded stay folded. */
void state_make_outline(struct state *);
/* Folds the row under the cursor (-1; if it is folded, moves to the row that contains it), unfolds it (1), or does
 * whichever changes it (0). */
void state_fold(struct state *, int how);
void state_fold_all(struct state *);
/* The features as a JSON object, as notes and the session file name a model. The caller frees. */
char *state_features_json(const struct state *, const struct fset *);

#endif
