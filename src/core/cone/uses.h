/* Which signatures a feature makes: by µpaths that need it, by others, or by both.
 *
 * A µpath needs a feature when it passes a part of the text that is there, or is the branch taken, only because the feature is on:
 * switched off, with all else equal, the text would lead elsewhere (udd_expand_marked()). Features that require it go off with it, and
 * their parts count as its own. */
#ifndef CORE_CONE_USES_H
#define CORE_CONE_USES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/udd/fset.h"

struct diags;
struct signatures;
struct udd_model;

enum use { USE_NEVER, USE_SOMETIMES, USE_ALWAYS }; /* of the µpaths that share a signature */

struct uses {
	size_t feature;
	struct fset off; /* the choice that it is compared with: without the feature and what requires it */
	size_t n;        /* signatures of the choice */
	unsigned char *of; /* enum use, per signature */
	bool unseen;     /* some µpath that needs the feature raises no counter at all */
};

/* `sig` are those of the legal choice `on`, which has the feature. NULL and diagnostics when a limit of the walk is reached: a signature made
 * in both ways is walked twice. */
struct uses *uses_new(const struct udd_model *, const struct signatures *sig, const struct fset *on, size_t feature, struct diags *);
void uses_free(struct uses *);

#endif
