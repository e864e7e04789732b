/* Proposes signatures that would make the refuted observations feasible, and the text of draft features with these
 * signatures, for the user to name and keep. */
#ifndef WORK_ANALYSIS_DRAFTS_H
#define WORK_ANALYSIS_DRAFTS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/search/propose.h"
#include "work/analysis/analysis.h"

struct drafts {
	struct fset on;         /* the choice of features that the drafts are added to */
	/* the observations that refute this choice; observation i of the proposals is finding[i] */
	size_t *finding;
	size_t n_findings;
	struct proposals *found;
	char **name;            /* names of the draft features, one for each of found->one */
	/* items of a µDD file: a feature and a path for each draft, and a variant with all of them on; "" without
	 * proposals */
	char *text;
	char *variant;          /* that variant's name */
};

/* Proposals for the observations that refute the choice at the confidence asked for. With family-wise verdicts these
 * are the observations that Holm's procedure refutes, and each is then taken by itself. NULL only when the watch
 * stopped it, or when the choice makes an error. */
struct drafts *analysis_drafts(struct analysis *, const struct fset *on, const struct analysis_watch *);
void drafts_free(struct drafts *);

/* Appends the vector in words: "PGF", "Xkr + 2 FF". */
struct str;
void drafts_vector(const struct udd_model *, const struct proposal *, struct str *out);

#endif
