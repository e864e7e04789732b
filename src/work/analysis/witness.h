/* Writes a µpath for people. */
#ifndef WORK_ANALYSIS_WITNESS_H
#define WORK_ANALYSIS_WITNESS_H

#include <stddef.h>
#include <stdint.h>

#include "core/udd/fset.h"

struct signatures;
struct str;
struct udd_diagram;
struct udd_model;
struct signature_witness;

/* Appends a µpath whose signature has the counter, with as few counts as possible, or a line that there is none. */
void witness_lines(const struct udd_model *, const struct fset *, size_t counter, struct str *out);

/* Appends the steps of a µpath, one per line, with what happens before what. */
void witness_steps(const struct signature_witness *, struct str *out);

/* Appends "path load · STLB Miss · ■ load.walks ×2" on one line: its decisions, events and counters. */
void witness_line(const struct signature_witness *, struct str *out);

/* Appends one µpath with the k-th signature, step by step with both kinds of edge, and the counters that it raises. The
 * diagram must be the one of the signatures. */
void witness_signature(
	const struct udd_model *, const struct signatures *, const struct udd_diagram *, size_t k, struct str *out);

/* Returns the same in one line, "load · DTLB Miss · PDE$ Miss · ■ load.pde$_miss", with only the counters that have a
 * coefficient. The caller frees. */
char *witness_words(
	const struct udd_model *, const int64_t *coef, const struct signatures *, const struct udd_diagram *, size_t k);

#endif
