/* FDL, the language in which CounterPoint's authors write their µDDs (docs/fdl-language.md). A model is an .fdl file,
 * or an .fdlm4 file that goes through m4 first.
 *
 * A flow becomes a model with one root and no features. Its diagram has one node for each statement: jumps lead to a
 * label and copy nothing. For X.fdl or X.fdlm4 the loader also reads two files of the same folder if they exist:
 * X.json, the sidecar, and fdl.counters, which lists the events of counters whose names are no events. */
#ifndef CONVERT_FDL_FDL_H
#define CONVERT_FDL_FDL_H

#include <stdbool.h>

#include "core/udd/model.h"

struct diags;
struct str;

#define FDL_COUNTERS_FILE "fdl.counters"

/* Whether the path ends in .fdl or .fdlm4. */
bool fdl_is_file(const char *path);

/* Reads the model at `path`: a .udd file by udd_parse(), an FDL file, or a folder of FDL files if the path ends in '/'.
 * The loader gives a folder's text as the names of its files, one a line. NULL when there are errors; *d gets them and
 * the warnings either way. Free the model with udd_free().
 *
 * A folder is a family of models. Each file is a root, a feature that excludes all others, and a variant of that one
 * feature with the file's name. The tags of its sidecar are the variant's text. */
struct udd_model *model_read(const char *path, const struct udd_loader *, struct diags *d);

#endif
