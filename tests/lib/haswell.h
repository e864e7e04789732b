/* The Haswell models as they are installed, for tests of what they must give. */
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

/* All of them give up the test program where something is wrong with the model: nothing else could be tested. */
struct udd_model *haswell_model(const char *name);
/* What is on: of a variant (NULL: nothing), and with the features of `plus` (NULL: none). */
struct fset haswell_choice(const struct udd_model *, const char *variant, const char *plus);
struct signatures *haswell_signatures(const struct udd_model *, const struct fset *on);

/* A counter's column: of an access type ("load", "store"), or of none (""). */
size_t haswell_counter(const struct udd_model *, const char *type, const char *name);

/* Does no signature of the cone, which is over all counters, break Σ coef·v ≥ 0? */
bool haswell_keeps(const struct cone *, const int64_t *coef);

#endif
