/* Models for tests: a loader that reads below a directory, or texts from memory. */
#ifndef TESTS_LIB_MODELS_H
#define TESTS_LIB_MODELS_H

#include <stddef.h>
#include <stdint.h>

#include "core/lang/diag.h"
#include "core/udd/model.h"

struct str;

/* The model in a file below $HECATE_TESTS; includes are searched next to the including file. NULL and diagnostics
 * otherwise. Names in diagnostics are relative to `dir`. */
struct udd_model *model_from_file(const char *dir, const char *file, struct diags *);

/* The model in a text; it is called "m.udd" and can include nothing. */
struct udd_model *model_from_text(const char *text, size_t n, struct diags *);

/* The same of a text that must be right, else a check fails; the text is freed. */
struct udd_model *model_from_made(struct str *text);

/* A few places one after another, each with two ways to go, some there only with a feature, some only without one. */
#define RANDOM_MODEL_COUNTERS 5
#define RANDOM_MODEL_FEATURES 5
struct udd_model *model_random(uint64_t *seed);

/* Names of files in a directory below $HECATE_TESTS that end in `ending`, sorted; NULL-terminated. Free with
 * names_list_free(). */
char **names_list(const char *dir, const char *ending, size_t *n);
void names_list_free(char **);

#endif
