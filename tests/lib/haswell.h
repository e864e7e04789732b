/* The installed models of Haswell, for the tests that compare them with the paper. */
#ifndef TESTS_LIB_HASWELL_H
#define TESTS_LIB_HASWELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/udd/fset.h"
#include "core/udd/model.h"

struct cone;
struct signatures;

enum { HASWELL_COUNTERS = 26 };

/* These functions end the test program if something is wrong with the model, because then nothing else can be
 * tested. */
struct udd_model *haswell_model(const char *name);
/* The features that are on: those of a variant (NULL: none) and those listed in `plus` (NULL: none). */
struct fset haswell_choice(const struct udd_model *, const char *variant, const char *plus);
struct signatures *haswell_signatures(const struct udd_model *, const struct fset *on);

/* The number of a counter of an access type ("load", "store"), or of none (""). */
size_t haswell_counter(const struct udd_model *, const char *type, const char *name);

/* True if no signature of the cone, which is over all counters, breaks Σ coef·v ≥ 0. */
bool haswell_keeps(const struct cone *, const int64_t *coef);

/* True if every ray of `a` keeps every constraint of `b`. Both are over all counters. */
bool haswell_lies_in(const struct cone *a, const struct cone *b);

#endif
