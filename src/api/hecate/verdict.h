/* Verdicts: does a model survive observations, at a stated confidence? They are those of `hecate check`, to the last
 * digit (docs/verdicts.md). */
#ifndef HECATE_VERDICT_H
#define HECATE_VERDICT_H

#include "hecate/data.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hecate_verdicts;

enum hecate_verdict { HECATE_FEASIBLE, HECATE_INFEASIBLE, HECATE_BORDERLINE, HECATE_UNDECIDED };

/* Judges all observations, family-wise at this confidence (0.99: one false refutation in 100 families at most). They
 * must not outlive the model; the data may be freed. */
struct hecate_verdicts *hecate_check(const struct hecate_model *, const struct hecate_choice *,
	const struct hecate_data *, double confidence, char **message);
void hecate_verdicts_free(struct hecate_verdicts *);

size_t hecate_verdicts_observations(const struct hecate_verdicts *);
const char *hecate_verdicts_name(const struct hecate_verdicts *, size_t);
enum hecate_verdict hecate_verdicts_kind(const struct hecate_verdicts *, size_t);
const char *hecate_verdicts_word(enum hecate_verdict);                         /* "infeasible" */
double hecate_verdicts_p(const struct hecate_verdicts *, size_t);              /* NAN: none */
const char *hecate_verdicts_reason(const struct hecate_verdicts *, size_t);    /* NULL: none */

/* Constraints that the observation violates, worst first, as texts. */
size_t hecate_verdicts_violations(const struct hecate_verdicts *, size_t);
const char *hecate_verdicts_violation(const struct hecate_verdicts *, size_t, size_t);
/* An inequality Σ coefficient · count ≥ 0 over the model's counters that every µpath satisfies and the whole region of
 * the observation violates; NULL unless infeasible. */
const int64_t *hecate_verdicts_certificate(const struct hecate_verdicts *, size_t);

#ifdef __cplusplus
}
#endif
#endif
