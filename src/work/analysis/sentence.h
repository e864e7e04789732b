/* A refutation as one English sentence, made of the counters' own texts. */
#ifndef WORK_ANALYSIS_SENTENCE_H
#define WORK_ANALYSIS_SENTENCE_H

#include <stdbool.h>
#include <stddef.h>

struct constraint;
struct finding;
struct str;
struct udd_model;

#define SENTENCE_MOST 200 /* columns of a sentence; a single long counter name may exceed it */

/* Appends "Page faults (PGF) exceed the sum of minor faults (MIN) and major faults (MAJ) by 201 (0.4 %), which no µpath
 * of this model allows." Exact differences are in full. For noisy data the sentence says how much of the difference is
 * left in the whole region. Where it would be too long, texts lose what follows a comma, then long sums are counted,
 * then counters are only named. Appends nothing if the observation lacks one of the counters. UTF-8, in one line. */
void sentence_refutation(const struct udd_model *, const struct constraint *, const struct finding *,
	double confidence, struct str *out);

/* The same about what leads the finding: its worst violated constraint, or else its certificate. Appends nothing unless
 * the finding is infeasible. */
void sentence_lead(const struct udd_model *, const struct finding *, double confidence, struct str *out);

#endif
