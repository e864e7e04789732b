/* Which signatures exist because of a feature.
 *
 *   ALWAYS     the model without the feature has no such signature
 *   SOMETIMES  it has one, but with the feature on, some of the signature's µpaths pass a part of the feature
 *   NEVER      no µpath of the signature passes a part of the feature
 *
 * A part of the feature is a place where the text, with the feature off and all else equal, would lead elsewhere
 * (udd_expand_marked()).
 *
 * Features that require this one are switched off with it, and their parts count as its own. If the model without the
 * feature has an error, there is nothing to compare with; then ALWAYS means that all µpaths of the signature pass a
 * part. */
#ifndef CORE_CONE_USES_H
#define CORE_CONE_USES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/udd/fset.h"

struct diags;
struct signatures;
struct udd_model;

enum uses_kind { USE_NEVER, USE_SOMETIMES, USE_ALWAYS };

struct uses {
	size_t feature;
	/* the choice to which `on` is compared: without the feature and without those that require it */
	struct fset off;
	size_t n;          /* number of signatures of the choice */
	unsigned char *of; /* enum uses_kind, per signature */
	bool unseen;       /* some µpath that passes a part of the feature raises no counter at all */
};

/* `sig` are the signatures of the legal choice `on`, which has the feature. Free the result with uses_free(). Returns
 * NULL and adds diagnostics if the walk exceeds a limit. The walk counts a signature twice if some of its µpaths pass a
 * part and others do not. */
struct uses *uses_new(
	const struct udd_model *, const struct signatures *sig, const struct fset *on, size_t feature, struct diags *);
void uses_free(struct uses *);

#endif
