/* One µpath written out for people. */
#ifndef APP_WITNESS_H
#define APP_WITNESS_H

#include <stddef.h>

#include "core/udd/fset.h"

struct str;
struct udd_model;

/* A µpath whose signature holds the counter, the one with the fewest counts; says so when there is none. */
void witness_lines(const struct udd_model *, const struct fset *, size_t counter, struct str *out);

#endif
