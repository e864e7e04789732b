/* The constraints of a model that an observation cannot test, because it lacks one of their counters. A verdict without
 * these constraints says less, so it names them. */
#ifndef WORK_ANALYSIS_UNTESTED_H
#define WORK_ANALYSIS_UNTESTED_H

#include <stddef.h>

struct finding;
struct result;
struct source_status;
struct udd_model;

/* Returns how many constraints of at least two counters the finding does not test. */
size_t untested_count(const struct result *, const struct finding *);

/* Returns "PGF = Fu + Fk, PGF = MIN + MAJ and 3 more": equalities first, the shortest first. NULL: none; the caller
 * frees. */
char *untested_names(const struct result *, const struct finding *);

/* Returns why the constraints of untested_names() are not tested: "without PGF: not in the data"; NULL if there are
 * none. `status`: the status of each counter of the model in the run; NULL: recorded data. The caller frees the
 * text. */
char *untested_reason(const struct udd_model *, const struct result *, const struct finding *,
	const struct source_status *status);

#endif
