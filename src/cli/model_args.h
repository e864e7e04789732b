/* The model that the arguments name, the features that are on, and the options by which it is judged. */
#ifndef CLI_MODEL_ARGS_H
#define CLI_MODEL_ARGS_H

#include <stdbool.h>

#include "core/udd/fset.h"
#include "work/analysis/analysis.h"
#include "work/files/files.h"

struct err;
struct options;
struct udd_model;

struct model_args {
	struct bundle bundle; /* the model's files */
	struct udd_model *model;
	struct fset on;
	struct analysis_options how;
};

/* Sets all members from the options. On failure prints why and returns false. Call model_args_end() in either case. */
bool model_args_begin(struct model_args *, const struct options *);
void model_args_end(struct model_args *);

/* Loads the model of the first argument. If it cannot be used, prints why and returns NULL. The bundle keeps the files.
 */
struct udd_model *model_args_load(const struct options *, struct bundle *);
/* The same for a file, an installed name, or a session file. */
struct udd_model *model_args_load_named(const struct options *, const char *name, struct bundle *);

/* Sets the features that are on. If the model has no such feature or variant, prints that and returns false. */
bool model_args_choose(const struct options *, const struct udd_model *, struct fset *on);
/* Adds the features of --fix to the set. Returns false and sets *e if the model has no such feature. */
bool model_args_fixed(const struct options *, const struct udd_model *, struct fset *fixed, struct err *e);

/* Sets the options of the analysis. If they do not fit together, or --counters names an unknown counter, prints why and
 * returns false. */
bool model_args_analysis(const struct options *, const struct udd_model *, struct analysis_options *);

/* Returns the name of what decides by the options: "cone", "box" … */
const char *model_args_region(const struct options *);
/* Do refutations count by Holm's procedure over all observations? */
bool model_args_family_wise(const struct options *);

#endif
