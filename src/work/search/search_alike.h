/* Features that no counter in use can tell apart: why a feature adds nothing where some others are on. */
#ifndef WORK_SEARCH_SEARCH_ALIKE_H
#define WORK_SEARCH_SEARCH_ALIKE_H

#include "work/search/search.h"

struct analysis;
struct cones;
struct search_cones;

/* Sets what the graph says about features that are alike or useless. `used`: the counters of the cones. False when
 * stopped. */
bool search_find_alike(
	struct search *, struct analysis *, struct search_cones *, const bool *used, const struct analysis_watch *);

/* Private to search_alike*.c: words about features that cannot be told apart. */

/* Returns a sentence without a full stop, from `kind`, the sets, and how often it held. `but`: a context in which it
 * does not hold, read only if held < tested. The caller frees. */
char *search_alike_statement(const struct udd_model *, const struct search_graph_alike *, const struct fset *but);

/* Returns why the feature adds nothing to the cone of the set `to`: a signature that it adds, as a sum of existing
 * ones. `used`: per counter of the model, whether the cones are over it; the cones are made in `own`. The caller
 * frees. */
char *search_alike_explain(const struct udd_model *, const bool *used, struct cones *own, size_t feature,
	const struct fset *to);

#endif
