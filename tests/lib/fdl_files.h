/* FDL files of the tests, read as the program reads them. */
#ifndef TESTS_LIB_FDL_FILES_H
#define TESTS_LIB_FDL_FILES_H

#include "core/fdl/fdl.h"
#include "core/lang/diag.h"

struct signatures;

/* A file below tests/fdl, or a folder of such (its path ends in '/'), with what a first line "# -D NAME=VALUE
 * NAME" defines, or `define` (NULL: that). Paths in messages are relative to tests/fdl. */
struct udd_model *fdl_load(const char *path, const char *define, struct diags *);

/* A text that is no file, called NAME ("m.fdl", "m.fdlm4"), without any file next to it. */
struct udd_model *fdl_load_text(const char *name, const char *text, size_t n, struct diags *);

/* core.fdl, which raises the five counters of tests/fdl/gem5/core.fdl, with this text as its sidecar. */
struct udd_model *fdl_load_with_sidecar(const char *sidecar, size_t n, struct diags *);

/* Signatures for the features of the default choice, or of a variant; NULL and diagnostics. */
struct signatures *fdl_signatures(const struct udd_model *, const char *variant, struct diags *);

/* Have two sets of signatures the same µpaths and vectors, counters compared by name? A failed check otherwise. */
bool fdl_same_signatures(const struct udd_model *, const struct signatures *, const struct udd_model *,
	const struct signatures *);

/* The diagram as FDL; the caller frees. NULL and a failed check. */
char *fdl_written(const struct udd_model *, const char *variant);

#endif
