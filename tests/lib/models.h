/* Models for tests, from files below a folder or from texts in memory. */
#ifndef TESTS_LIB_MODELS_H
#define TESTS_LIB_MODELS_H

#include <stddef.h>
#include <stdint.h>

#include "core/udd/model.h"
#include "text/diag.h"

struct str;

/* The model in a file below $HECATE_TESTS. Includes are searched next to the including file. NULL on errors, which are
 * in the diagnostics; names there are relative to `dir`. */
struct udd_model *model_from_file(const char *dir, const char *file, struct diags *);

/* The model in a text. It is called "m.udd" and can include nothing. */
struct udd_model *model_from_text(const char *text, size_t n, struct diags *);

/* The model in a text that must be right: if it is not, a check fails. Frees the text. */
struct udd_model *model_from_made(struct str *text);

/* A random model: a few decisions one after another, each with two cases, some of which exist only with a feature,
 * or only without one. */
#define RANDOM_MODEL_COUNTERS 5
#define RANDOM_MODEL_FEATURES 5
struct udd_model *model_random(uint64_t *seed);

/* The names of the files in a directory below $HECATE_TESTS that end in `ending`, sorted and NULL-terminated. Free
 * them with names_list_free(). */
char **names_list(const char *dir, const char *ending, size_t *n);
void names_list_free(char **);

#endif
