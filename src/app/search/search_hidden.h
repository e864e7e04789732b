/* Features that no data can reveal, for machines whose features are known, as those of a simulated machine are. */
#ifndef APP_SEARCH_SEARCH_HIDDEN_H
#define APP_SEARCH_SEARCH_HIDDEN_H

#include <stdbool.h>
#include <stddef.h>

struct analysis;
struct fset;
struct search;

/* Is there a model without this feature that allows everything that a machine with the features `truth` can count? Then
 * these counters cannot show that the machine has it. The models are choices of that search: its survivors, and the
 * largest choice without the feature. False also where the truth is not a choice of the model. */
bool search_hidden(struct analysis *, const struct search *, const struct fset *truth, size_t feature);

#endif
