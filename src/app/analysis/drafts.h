/* Signatures that would make the refuted observations feasible, and the text of draft features that have them: to be
 * named and kept. */
#ifndef APP_ANALYSIS_DRAFTS_H
#define APP_ANALYSIS_DRAFTS_H

#include <stdbool.h>
#include <stddef.h>

#include "app/analysis/analysis.h"
#include "core/search/propose.h"

struct drafts {
	struct fset on;         /* the choice of features that they are added to */
	/* the observations that refute it, by number: observation i of the proposals is finding[i] */
	size_t *finding;
	size_t n_findings;
	struct proposals *found;
	char **name;            /* of the draft features, one for each of found->one */
	/* items of a µDD file: a feature and a path for each, and a variant with all that is on; "" without proposals
	 */
	char *text;
	char *variant;          /* that variant's name */
};

/* For the observations that refute the choice at the confidence asked for; with the family-wise verdict for those that
 * Holm's procedure refutes, each of which is then to be taken by itself. NULL only when the watch stopped it, or when
 * the choice makes an error. */
struct drafts *analysis_drafts(struct analysis *, const struct fset *on, const struct watch *);
void drafts_free(struct drafts *);

/* The vector in words: "PGF", "Xkr + 2 FF". */
struct str;
void drafts_vector(const struct udd_model *, const struct proposal *, struct str *out);

#endif
