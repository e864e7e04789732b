/* The model cone: all counts that a model can explain, as the constraints that they satisfy and as the extreme rays
 * that span them. Both are exact. Source: CounterPoint, sections 3 and 6. */
#ifndef HECATE_CONE_H
#define HECATE_CONE_H

#include "hecate/model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hecate_cone;

/* The cone of a model, over its counters. Facets are looked for during `seconds` (0: 2 s). */
struct hecate_cone *hecate_cone_new(const struct hecate_model *, const struct hecate_choice *, double seconds,
	char **message);
/* The cone that n signatures span: n × n_counters counts of events for each kind of µpath, none of them below 0. */
struct hecate_cone *hecate_cone_of(size_t n_counters, const char *const *name, size_t n, const int64_t *signature,
	double seconds, char **message);
void hecate_cone_free(struct hecate_cone *);

size_t hecate_cone_counters(const struct hecate_cone *);
const char *hecate_cone_counter(const struct hecate_cone *, size_t);

/* Did the time suffice to find all constraints? Otherwise those that there are hold, but do not say everything. */
bool hecate_cone_is_complete(const struct hecate_cone *);

/* Constraints; equalities come first. A constraint is Σ coefficient · count = 0, or ≥ 0; its coefficients have no
 * common divisor. */
size_t hecate_cone_constraints(const struct hecate_cone *);
size_t hecate_cone_equalities(const struct hecate_cone *);
const int64_t *hecate_cone_constraint(const struct hecate_cone *, size_t);
/* "walks.completed <= walks.started"; free it with hecate_free(). */
char *hecate_cone_text(const struct hecate_cone *, size_t);

size_t hecate_cone_rays(const struct hecate_cone *);
const int64_t *hecate_cone_ray(const struct hecate_cone *, size_t);

#ifdef __cplusplus
}
#endif
#endif
