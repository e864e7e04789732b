/* Constraints and refutations as sentences, made from integer vectors. UTF-8, one paragraph a line; rules end without a
 * full stop. */
#ifndef WORK_ANALYSIS_WORDS_H
#define WORK_ANALYSIS_WORDS_H

#include <stdbool.h>

struct constraint;
struct finding;
struct str;
struct udd_model;

/* Appends the rule that every µpath obeys: "every µpath that counts A counts B at least as often", "… A exactly as
 * often as B and C together". */
void words_rule(const struct udd_model *, const struct constraint *, struct str *out);

/* Appends what an observation shows about the constraint: "in gcc A exceeds B by 21 % (185 k against 153 k)". Appends
 * nothing if the observation lacks one of the counters. */
void words_data(const struct udd_model *, const struct constraint *, const struct finding *, struct str *out);

/* Is this constraint the finding's certificate? Only the certificate was verified exactly. */
bool words_is_proof(const struct constraint *, const struct finding *);

/* Appends why the finding is infeasible: the sentence that leads (sentence.h), the rule, the data, and how the
 * refutation was proved. `c` is one of its violated constraints, or its certificate. `out` must be empty. */
void words_refutation(const struct udd_model *, const struct constraint *c, const struct finding *, double confidence,
	struct str *out);

/* Appends "A", "A + D". */
struct fset;
void words_features(const struct udd_model *, const struct fset *, struct str *out);

#endif
