/* FDL, the language in which CounterPoint's authors keep their µDDs (docs/fdl-language.md): .fdl files, and .fdlm4
 * files, which go through m4 first.
 *
 * A flow becomes a model of one root without features, whose diagram has one node for each statement: jumps lead
 * to a label, they copy nothing. Beside X.fdl or X.fdlm4 the loader is asked for X.json, the sidecar, and for
 * fdl.counters, which says what stands for counters that are no events; neither need be there. */
#ifndef CORE_FDL_FDL_H
#define CORE_FDL_FDL_H

#include <stdbool.h>

#include "core/udd/model.h"

struct diags;
struct str;

#define FDL_COUNTERS_FILE "fdl.counters"

/* Does the path end in .fdl or .fdlm4? */
bool fdl_is_file(const char *path);

/* The model at `path` in whichever language: a .udd file by udd_parse(), an FDL file, or, where the path ends in
 * '/', a folder of FDL files, whose text as the loader gives it is their names, one a line. A folder is a family:
 * each file a root, a feature that excludes all others, and a variant of that one feature with the file's name,
 * and the tags of its sidecar as the variant's text. NULL when there are errors; *d gets them and the warnings
 * either way. Free with udd_free(). */
struct udd_model *model_read(const char *path, const struct udd_loader *, struct diags *d);

#endif
