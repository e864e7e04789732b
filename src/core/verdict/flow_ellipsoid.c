/* The most of Σ cost·f over f ≥ 0 with |L⁻¹(S f − Y)| ≤ √q, Σ = L Lᵀ.
 *
 *        τ = Σ cost·f            Project (L⁻¹Y, ω T) onto the cone of the lifted columns (L⁻¹S_p, ω cost_p): non-negative least squares in
 *        │       · T             one dimension more. As T rises, the nearest point walks along the border of what is
 *        │   ╭───× nearest       possible: a larger τ for a larger distance |ρ| = |L⁻¹(Y − v)|. Where |ρ| = √q, τ is the most.
 *        │  ╱                    The residual (ρ, σ) is at most 0 on every column, so a = −L⁻ᵀρ / (ω σ) has a·S_p ≥ cost_p:
 *        └──────── |ρ|           a bound whatever T was, best at |ρ| = √q, and flat there.
 *
 * T is found by the secant method between bounds. Slack of the region shifts Y by itself towards where a points; the dual vector
 * says where, and a few rounds settle it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stats/cholesky.h"
#include "core/stats/dot.h"
#include "core/stats/region.h"
#include "core/verdict/flow_program.h"
#include "core/verdict/nnls.h"

#define ROUNDS_MAX 40
#define SHIFTS_MAX 4
#define NEAR 1e-4 /* of √q: the bound is off by the square of it, the flow by as much */
#define RESIDUAL 1e-8 /* of the target */

struct search {
	struct flow_program *p;
	double root;                  /* √q */
	double omega;
	double *y, *c, *g, *length;   /* n: L⁻¹Y; the lifted columns, scaled to length 1, and their products with the target */
	double *rho, *a;              /* n: of the last step */
	double *best_weight, *best_flow;
	double best, reached;         /* the least bound so far, as computed; the most of a flow in the ellipsoid */
};

/* One step: a projection. */
struct step {
	double distance, tau;
};

static void
lift(struct search *s, const double *cost, double omega)
{
	size_t n = s->p->n, dim = n + 1;

	s->omega = omega;
	for (size_t j = 0; j < s->p->m; j++) {
		double *c = s->c + j * dim, t;

		memcpy(c, s->p->white + j * n, n * sizeof *c);
		c[n] = omega * cost[j];
		t = sqrt(dot(c, c, dim));
		s->length[j] = t > 0 ? t : 1;
		dot_scale(c, 1 / s->length[j], dim);
	}
}

/* Bound by the direction a: a·Y + √q |Lᵀa| + Σ slack |a|. */
static double
support(const struct search *s, const double *a)
{
	const struct region *r = s->p->shape.region;
	double sum = 0, square = 0;

	for (size_t j = 0; j < r->n; j++) {
		double t = 0;

		for (size_t i = j; i < r->n; i++)
			t += r->factor[i * r->n + j] * a[i];
		square += t * t;
		sum += a[j] * r->mean[j] + (r->slack ? fabs(a[j]) * r->slack[j] : 0);
	}
	return sum + s->root * sqrt(square);
}

static struct step
project(struct search *s, const double *cost, double target)
{
	size_t n = s->p->n, dim = n + 1;
	struct step out = {0};
	struct nnls z;
	double sigma, bound, size;

	for (size_t j = 0; j < s->p->m; j++)
		s->g[j] = dot(s->c + j * dim, s->y, n) + s->c[j * dim + n] * s->omega * target;
	nnls_solve(s->p->m, dim, 0, s->c, s->g, &z);
	for (size_t i = 0; i < n; i++) {
		s->rho[i] = s->y[i] - z.fit[i];
		out.distance += s->rho[i] * s->rho[i];
	}
	out.distance = sqrt(out.distance);
	for (size_t k = 0; k < z.n_active; k++)
		out.tau += cost[z.active[k]] * z.z[k] / s->length[z.active[k]];
	if (out.distance <= s->root && out.tau > s->reached) {
		s->reached = out.tau;
		memset(s->best_flow, 0, s->p->m * sizeof *s->best_flow);
		for (size_t k = 0; k < z.n_active; k++)
			s->best_flow[z.active[k]] = z.z[k] / s->length[z.active[k]];
	}
	sigma = s->omega * target - z.fit[n];
	size = dot(s->y, s->y, n) + s->omega * target * s->omega * target;
	/* A residual that is rounding alone points nowhere. */
	if (sigma > 0 && out.distance * out.distance + sigma * sigma > RESIDUAL * RESIDUAL * size) {
		for (size_t i = 0; i < n; i++)
			s->a[i] = -s->rho[i] / (s->omega * sigma);
		cholesky_backward(n, s->p->shape.region->factor, s->a);
		bound = support(s, s->a);
		if (bound < s->best) {
			s->best = bound;
			memcpy(s->best_weight, s->a, n * sizeof *s->a);
		}
	}
	nnls_free(&z);
	return out;
}

static bool
settled(const struct search *s)
{
	return isfinite(s->best) && isfinite(s->reached) && s->best - s->reached <= 1e-9 * fmax(fabs(s->best), fabs(s->reached));
}

/* From a T that is too small on, up, until two enclose it, then between them. */
static void
walk(struct search *s, const double *cost, double tau, double step)
{
	double low = tau, low_off = -s->root, high = INFINITY, high_off = 0, target = tau + step;
	int side = 0;

	for (int round = 0; round < ROUNDS_MAX && !settled(s); round++) {
		struct step at = project(s, cost, target);
		double off = at.distance - s->root;

		if (off <= 0 && off >= -NEAR * s->root)
			return;
		if (off < 0) {
			low = target;
			low_off = off;
			high_off /= side < 0 ? 2 : 1; /* Illinois: an end that stays counts less and less */
			side = -1;
		} else {
			high = target;
			high_off = off;
			low_off /= side > 0 ? 2 : 1;
			side = 1;
		}
		if (isinf(high)) {
			step *= 4;
			target += step;
		} else {
			/* aim a little below, where the flow is inside */
			target = low + (high - low) * (-low_off - NEAR / 2 * s->root) / (high_off - low_off);
			if (!(target > low && target < high))
				target = (low + high) / 2;
		}
	}
}

/* Y, moved as far as the slack goes to where `toward` points. False when it stays where it was. */
static bool
shift(struct search *s, const double *toward, double *sign)
{
	const struct region *r = s->p->shape.region;
	bool moved = false;

	for (size_t i = 0; i < r->n; i++) {
		double now = toward[i] > 0 ? 1 : toward[i] < 0 ? -1 : sign[i];

		moved |= r->slack && r->slack[i] > 0 && (now < sign[i] || now > sign[i]);
		sign[i] = now;
		s->y[i] = r->mean[i] + (r->slack ? sign[i] * r->slack[i] : 0);
	}
	cholesky_forward(r->n, r->factor, s->y);
	return moved;
}

static void
search_most(struct search *s, const double *cost)
{
	double *sign = mem_new_array(s->p->n, sizeof *sign), largest = 0, total = 0, length, step;

	for (size_t j = 0; j < s->p->m; j++)
		largest = fmax(largest, fabs(cost[j]));
	shift(s, sign, sign);
	for (int k = 0; k < SHIFTS_MAX; k++) {
		struct step start;

		lift(s, cost, 0);
		start = project(s, cost, 0); /* the nearest point, whatever its τ */
		if (!(largest > 0))
			break;
		if (start.distance > s->root) { /* not even the nearest point is inside: nearer to it */
			for (size_t i = 0; i < s->p->n; i++)
				s->a[i] = -s->rho[i];
			cholesky_backward(s->p->n, s->p->shape.region->factor, s->a);
			if (shift(s, s->a, sign))
				continue;
		}
		total = 0;
		for (size_t j = 0; j < s->p->m; j++)
			total += s->best_flow[j];
		length = sqrt(dot(s->y, s->y, s->p->n));
		step = fmax(fabs(start.tau), largest * total) * s->root / fmax(length, s->root);
		if (!(step > 0))
			step = largest;
		lift(s, cost, s->root / step);
		walk(s, cost, start.tau, step);
		if (!shift(s, s->best_weight, sign))
			break;
	}
	free(sign);
}

struct flow_most
flow_ellipsoid_most(struct flow_program *p, const i128 *cost, double *flow, double *weight)
{
	size_t n = p->n, m = p->m;
	struct search s = {.p = p, .root = sqrt(p->shape.q), .best = INFINITY, .reached = -INFINITY};
	double *block = mem_new_array(m * (n + 1) + 2 * m + 3 * n, sizeof *block);
	bool none_positive = true;
	struct flow_most out;

	s.c = block;
	s.g = s.c + m * (n + 1);
	s.length = s.g + m;
	s.y = s.length + m;
	s.rho = s.y + n;
	s.a = s.rho + n;
	s.best_flow = flow;
	s.best_weight = weight;
	memset(flow, 0, m * sizeof *flow);
	memset(weight, 0, n * sizeof *weight);
	for (size_t j = 0; j < m; j++) {
		p->cost[j] = ldexp((double)cost[j], -FLOW_COST_BITS);
		none_positive &= cost[j] <= 0;
	}
	if (none_positive)
		s.best = 0; /* by no weight at all */
	search_most(&s, p->cost);
	out = (struct flow_most){flow_bound(p, cost, weight), s.reached};
	free(block);
	return out;
}
