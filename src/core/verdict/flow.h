/* A witness: how many µops of each signature make up a point of the cone. */
#ifndef CORE_VERDICT_FLOW_H
#define CORE_VERDICT_FLOW_H

struct cone;

/* n_signatures numbers ≥ 0 with Σ flow_k · signature_k = v up to rounding, few of them positive; v is a point of the
 * cone, factor a metric for what rounding leaves. The caller frees. */
double *flow_find(const struct cone *, const double *v, const double *factor);

#endif
