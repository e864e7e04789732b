/* View 1's outline of the model and its list of features. */
#ifndef APP_STATE_STATE_TREE_H
#define APP_STATE_STATE_TREE_H

struct fset;
struct state;

/* The outline anew, after the model or its features have changed. What the user folded stays folded. */
void state_make_outline(struct state *);
/* The row under the cursor: fold (-1; a folded one: to the row above), unfold (1), the other way (0). */
void state_fold(struct state *, int how);
void state_fold_all(struct state *);
/* The features as a JSON object, as notes and the session file name a model. The caller frees. */
char *state_features_json(const struct state *, const struct fset *);

#endif
