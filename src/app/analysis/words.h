/* Constraints and refutations as sentences, made from the integer vectors. UTF-8, one paragraph a line, no full stop at
 * the end of rules. */
#ifndef APP_ANALYSIS_WORDS_H
#define APP_ANALYSIS_WORDS_H

#include <stdbool.h>

struct constraint;
struct finding;
struct str;
struct udd_model;

/* What every µpath keeps: "every µpath that counts A counts B at least as often", "… A exactly as often as B and C
 * together". */
void words_rule(const struct udd_model *, const struct constraint *, struct str *out);

/* What an observation shows of it: "in gcc A exceeds B by 21 % (185 k against 153 k)". Nothing when it lacks one of the
 * counters. */
void words_data(const struct udd_model *, const struct constraint *, const struct finding *, struct str *out);

/* Is this the constraint that the finding's certificate is? Only that one was checked exactly. */
bool words_is_proof(const struct constraint *, const struct finding *);

/* Why the finding is infeasible: rule, data, and how that was proved. `c` is a violated constraint of it, or its
 * certificate. */
void words_refutation(const struct udd_model *, const struct constraint *c, const struct finding *, double confidence,
	struct str *out);

/* "A", "A + D". */
struct fset;
void words_features(const struct udd_model *, const struct fset *, struct str *out);

#endif
