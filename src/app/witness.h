/* One µpath written out for people. */
#ifndef APP_WITNESS_H
#define APP_WITNESS_H

#include <stddef.h>

#include "core/udd/fset.h"

struct str;
struct udd_model;
struct witness;

/* A µpath whose signature holds the counter, the one with the fewest counts; says so when there is none. */
void witness_lines(const struct udd_model *, const struct fset *, size_t counter, struct str *out);

/* Its steps, a line each, with what happens before what. */
void witness_steps(const struct witness *, struct str *out);

/* "path load · STLB Miss · ■ load.walks ×2": what is chosen, what happens and what is counted, on one line. */
void witness_line(const struct witness *, struct str *out);

#endif
