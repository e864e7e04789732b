/* Words about features that cannot be told apart: the statement, and an example. Private to
 * app/search/search_alike*.c. */
#ifndef APP_SEARCH_SEARCH_ALIKE_SAY_H
#define APP_SEARCH_SEARCH_ALIKE_SAY_H

#include <stdbool.h>
#include <stddef.h>

struct cones;
struct fset;
struct search_alike;
struct udd_model;

/* Returns a sentence without a full stop, from `kind`, the sets, and how often it held. `but`: a context in which it
 * does not hold, read only if held < tested. The caller frees. */
char *search_alike_statement(const struct udd_model *, const struct search_alike *, const struct fset *but);

/* Returns why the feature adds nothing to the cone of the set `to`: a signature that it adds, as a sum of existing
 * ones. `used`: per counter of the model, whether the cones are over it; the cones are made in `own`. The caller
 * frees. */
char *search_alike_explain(const struct udd_model *, const bool *used, struct cones *own, size_t feature,
	const struct fset *to);

#endif
