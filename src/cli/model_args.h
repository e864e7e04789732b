/* The model that the arguments name, the features that are on, and how its verdicts are made. */
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

/* Takes all of it from the options. False when it failed and reported why; model_args_end() in either case. */
bool model_args_begin(struct model_args *, const struct options *);
void model_args_end(struct model_args *);

/* The model of the first argument. NULL when it cannot be used, which was reported on standard error. The bundle keeps
 * the files. */
struct udd_model *model_args_load(const struct options *, struct bundle *);
/* The same for a model by file or name, or that of a session file. */
struct udd_model *model_args_load_named(const struct options *, const char *name, struct bundle *);

/* The features that are on. False when the model has no such feature or variant, which was reported. */
bool model_args_choose(const struct options *, const struct udd_model *, struct fset *on);
/* Adds the features of --fix to the set. False and *e: the model has no such feature. */
bool model_args_fixed(const struct options *, const struct udd_model *, struct fset *fixed, struct err *e);

/* The options of the analysis. False when they do not fit together, or --counters names an unknown counter, which was
 * reported. */
bool model_args_analysis(const struct options *, const struct udd_model *, struct analysis_options *);

/* The name of the way to decide that the options ask for: "cone", "box" … */
const char *model_args_region(const struct options *);
/* Do refutations count by Holm's procedure over all observations? */
bool model_args_family_wise(const struct options *);

#endif
