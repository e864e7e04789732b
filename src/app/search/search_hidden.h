/* Features that no data can show: for a machine whose features are known, as a simulated one's are. */
#ifndef APP_SEARCH_SEARCH_HIDDEN_H
#define APP_SEARCH_SEARCH_HIDDEN_H

#include <stdbool.h>
#include <stddef.h>

struct analysis;
struct fset;
struct search;

/* Whatever a machine with the features `truth` counts, is there a model without one of them that allows it all? Then
 * these counters cannot tell that it has it. Models are the choices of that search: those that survived, and the
 * largest without the feature. False, too, where the truth is no choice of the model's. */
bool search_hidden(struct analysis *, const struct search *, const struct fset *truth, size_t feature);

#endif
