/* FDL files of the tests, loaded as the program loads them. */
#ifndef TESTS_LIB_FDL_FILES_H
#define TESTS_LIB_FDL_FILES_H

#include "convert/fdl/fdl.h"
#include "text/diag.h"

struct signatures;

/* Loads a file below tests/fdl, or a folder of files (its path ends in '/'). `define` is what is defined, as
 * "NAME=VALUE NAME"; NULL: what a first line "# -D NAME=VALUE NAME" defines. Paths in messages are relative to
 * tests/fdl. */
struct udd_model *fdl_load(const char *path, const char *define, struct diags *);

/* Loads a text called NAME ("m.fdl", "m.fdlm4"), as if no other file were next to it. */
struct udd_model *fdl_load_text(const char *name, const char *text, size_t n, struct diags *);

/* Loads core.fdl, which raises the five counters of tests/fdl/gem5/core.fdl, with this text as its sidecar. */
struct udd_model *fdl_load_with_sidecar(const char *sidecar, size_t n, struct diags *);

/* Returns the signatures of a variant (NULL: of the default choice). On errors returns NULL and adds diagnostics. */
struct signatures *fdl_signatures(const struct udd_model *, const char *variant, struct diags *);

/* Checks that two sets of signatures have the same µpaths and vectors, with counters compared by name. Returns whether
 * they do. */
bool fdl_same_signatures(const struct udd_model *, const struct signatures *, const struct udd_model *,
	const struct signatures *);

/* The diagram as FDL; the caller frees. NULL: a check has failed. */
char *fdl_written(const struct udd_model *, const char *variant);

#endif
