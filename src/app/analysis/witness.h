/* One µpath written out for people. */
#ifndef APP_ANALYSIS_WITNESS_H
#define APP_ANALYSIS_WITNESS_H

#include <stddef.h>
#include <stdint.h>

#include "core/udd/fset.h"

struct signatures;
struct str;
struct udd_diagram;
struct udd_model;
struct witness;

/* A µpath whose signature holds the counter, the one with the fewest counts; says so when there is none. */
void witness_lines(const struct udd_model *, const struct fset *, size_t counter, struct str *out);

/* Its steps, a line each, with what happens before what. */
void witness_steps(const struct witness *, struct str *out);

/* "path load · STLB Miss · ■ load.walks ×2": what is chosen, what happens and what is counted, on one line. */
void witness_line(const struct witness *, struct str *out);

/* One µpath with the k-th signature, step by step with both kinds of edge, and what it raises. The diagram is that of
 * the signatures. */
void witness_signature(
	const struct udd_model *, const struct signatures *, const struct udd_diagram *, size_t k, struct str *out);

/* The same in one line, "load · DTLB Miss · PDE$ Miss · ■ load.pde$_miss": of the counters only those with a
 * coefficient. The caller frees. */
char *witness_words(
	const struct udd_model *, const int64_t *coef, const struct signatures *, const struct udd_diagram *, size_t k);

#endif
