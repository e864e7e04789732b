/* Decides an exact total in exact arithmetic. */
#include "core/verdict/point.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/cone/separate.h"
#include "core/stats/region.h"
#include "core/verdict/certificate.h"
#include "core/verdict/projection.h"

#define SECONDS 2.0 /* limit of the exact linear program */

double *
point_metric(const struct region *r)
{
	double *l = mem_new_array(r->n * r->n, sizeof *l);

	for (size_t i = 0; i < r->n; i++)
		l[i * r->n + i] = fmax(1, fabs(r->mean[i]));
	return l;
}

/* The first row that the point violates, as a certificate; NULL if it violates none. */
static int64_t *
violated_row(const struct cone *c, const struct certify_region *shape)
{
	int64_t *found = NULL;

	for (size_t k = 0; k < c->n_equalities + c->n_inequalities && !found; k++) {
		int sign = certify_sign(shape->region, cone_row(c, k));

		if (sign < 0 || (k < c->n_equalities && sign > 0))
			found = certificate_from_row(c, shape, k, sign < 0 ? 1 : -1);
	}
	return found;
}

static struct point_answer
point_by_rays(const struct cone *cone, const struct certify_region *shape)
{
	const struct region *region = shape->region;
	double *metric = point_metric(region);
	bool *likely = mem_new_array(cone->n_rays, sizeof *likely);
	int64_t *a = mem_new_array(cone->n_counters, sizeof *a);
	struct point_answer out = {.verdict = VERDICT_BORDERLINE};
	struct projection p;
	enum separate_answer answer;

	projection_find(cone, region->mean, NULL, metric, true, &p);
	for (size_t k = 0; k < cone->n_rays; k++)
		likely[k] = p.flow[k] > 0;
	answer = cone_separate(
		cone->n_counters, cone->n_rays, cone->ray, region->sum, region->weight, likely, SECONDS, a);
	if (answer == SEPARATE_INSIDE)
		out.verdict = VERDICT_FEASIBLE;
	else if (answer == SEPARATE_OUTSIDE && certify_apart(shape, a) && certify_cone(cone, a))
		out.certificate = mem_copy(a, cone->n_counters * sizeof *a);
	else
		out.certificate = certificate_from_direction(cone, shape, p.direction);
	if (out.certificate)
		out.verdict = VERDICT_INFEASIBLE;
	if (out.verdict == VERDICT_BORDERLINE)
		out.reason = answer == SEPARATE_GAVE_UP ? "the exact linear program reached its time limit"
			: "outside, but no certificate of it fits 64-bit coefficients";
	projection_free(&p);
	free(metric);
	free(likely);
	free(a);
	return out;
}

struct point_answer
point_decide(const struct cone *c, const struct region *r)
{
	struct certify_region shape = {.shape = CERTIFY_POINT, .region = r};
	struct point_answer out = {.verdict = VERDICT_FEASIBLE};

	out.certificate = violated_row(c, &shape);
	if (out.certificate)
		out.verdict = VERDICT_INFEASIBLE;
	else if (!c->complete)
		out = point_by_rays(c, &shape);
	return out;
}
