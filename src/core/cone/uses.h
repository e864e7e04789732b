/* Which signatures a feature makes: it alone, it among others, or not.
 *
 *   ALWAYS     the model without it has no such signature
 *   SOMETIMES  it has, but with the feature there are µpaths of it that pass a part of the feature: where the text,
 * with the feature off and all else equal, would lead elsewhere (udd_expand_marked()) NEVER      no µpath of it passes
 * such a part
 *
 * Features that require it go off with it, and their parts count as its own. Where the model without it makes an error
 * there is nothing to compare with: ALWAYS means then that all µpaths of the signature pass a part. */
#ifndef CORE_CONE_USES_H
#define CORE_CONE_USES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/udd/fset.h"

struct diags;
struct signatures;
struct udd_model;

enum use { USE_NEVER, USE_SOMETIMES, USE_ALWAYS };

struct uses {
	size_t feature;
	struct fset off; /* the choice that it is compared with: without the feature and what requires it */
	size_t n;        /* signatures of the choice */
	unsigned char *of; /* enum use, per signature */
	bool unseen;     /* some µpath that passes a part of the feature raises no counter at all */
};

/* `sig` are those of the legal choice `on`, which has the feature. NULL and diagnostics when a limit of the walk is
 * reached: a signature made in both ways is walked twice. */
struct uses *uses_new(
	const struct udd_model *, const struct signatures *sig, const struct fset *on, size_t feature, struct diags *);
void uses_free(struct uses *);

#endif
