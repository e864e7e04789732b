/* The most of Σ cost·f over f ≥ 0 with |L⁻¹(S f − Y)| ≤ √q, Σ = L Lᵀ.
 *
 *     τ = Σ cost·f            Project (L⁻¹Y, ω T) onto the cone of the lifted columns (L⁻¹S_p, ω cost_p): non-negative
 *     │       · T             least squares in one dimension more. As T rises, the nearest point walks along the border
 *     │   ╭───× nearest       of what is possible: a larger τ for a larger distance |ρ| = |L⁻¹(Y − v)|.
 *     │  ╱                    Where |ρ| = √q, τ is the most. The residual (ρ, σ) is at most 0 on every column, so
 *     └──────── |ρ|           a = −L⁻ᵀρ / (ω σ) has a·S_p ≥ cost_p: a bound for every T, best and flat at |ρ| = √q.
 *
 * Only few columns carry a solution. It is computed from the columns that carried the last ones. Then all columns
 * are tested, and those that improve the solution most are added, until none does.
 *
 * T is found by the secant method between bounds. If the region has slack, Y moves in the direction of a, as far as
 * the slack allows. a depends on Y in turn; a few rounds settle it. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stats/dot_product.h"
#include "core/stats/matrix.h"
#include "core/stats/region.h"
#include "core/verdict/nnls.h"
#include "core/verdict/uop_program.h"

#define ROUNDS_MAX 40
#define SHIFTS_MAX 4
#define NEAR 1e-4     /* relative to √q; errors of bound and flow are of the order of its square */
#define SMALL 1e-2    /* relative to the whole flow: below it fewer digits are needed */
#define AIM_MIN 1e-9
#define LIKELY_MAX 4  /* times the dimensions: with more likely columns, those that carry nothing are dropped */
#define TAKEN_IN 12   /* columns added at a time */
#define RESIDUAL 1e-8 /* relative to the target */

struct search {
	struct uop_program *p;
	double root;                  /* √q */
	double omega;
	double *y, *c, *length;       /* n: L⁻¹Y; the lifted columns, scaled to length 1 */
	double *cw, *gw;              /* cw: lifted likely columns; gw: their products with the target */
	bool *in;                     /* m: column is likely */
	double *residual;             /* n + 1 */
	double *rho, *a;              /* n, of the last step */
	double *best_weight, *best_flow;
	/* least bound so far, as computed; cost of the best flow found in the ellipsoid */
	double best, reached;
};

/* One step: a projection. */
struct search_step {
	double distance, tau;
};

static void
lift(struct search *search, const double *cost, double omega)
{
	size_t n = search->p->n, dim = n + 1;

	search->omega = omega;
	for (size_t j = 0; j < search->p->m; j++) {
		double *c = search->c + j * dim, t;

		memcpy(c, search->p->white + j * n, n * sizeof *c);
		c[n] = omega * cost[j];
		t = sqrt(dot(c, c, dim));
		search->length[j] = t > 0 ? t : 1;
		dot_scale(c, 1 / search->length[j], dim);
	}
}

/* The bound that direction a gives: a·Y + √q |Lᵀa| + Σ slack |a|. */
static double
support(const struct search *search, const double *a)
{
	const struct region *region = search->p->shape.region;
	double sum = 0, square = 0;

	for (size_t j = 0; j < region->n; j++) {
		double t = 0;

		for (size_t i = j; i < region->n; i++)
			t += region->spread.factor[i * region->n + j] * a[i];
		square += t * t;
		sum += a[j] * region->mean[j] + (region->slack ? fabs(a[j]) * region->slack[j] : 0);
	}
	return sum + search->root * sqrt(square);
}

/* Add the columns along which the misfit falls fastest. Returns false if there are none. */
static bool
uop_ellipsoid_take_in(struct search *s, double tolerance)
{
	size_t dim = s->p->n + 1, best[TAKEN_IN], k = 0;
	double gain[TAKEN_IN];

	for (size_t j = 0; j < s->p->m; j++) {
		double t = s->in[j] ? 0 : dot(s->c + j * dim, s->residual, dim);
		size_t at;

		if (!(t > tolerance) || (k == TAKEN_IN && t <= gain[k - 1]))
			continue;
		k += k < TAKEN_IN;
		for (at = k - 1; at > 0 && gain[at - 1] < t; at--) {
			gain[at] = gain[at - 1];
			best[at] = best[at - 1];
		}
		gain[at] = t;
		best[at] = j;
	}
	for (size_t i = 0; i < k; i++) {
		s->in[best[i]] = true;
		s->p->likely[s->p->n_likely++] = best[i];
	}
	return k > 0;
}

/* Least squares over all columns. z->active are indices of likely columns. */
static void
uop_ellipsoid_fit(struct search *search, double target, struct nnls *nnls)
{
	struct uop_program *program = search->p;
	size_t n = program->n, dim = n + 1;

	for (;;) {
		double largest = 0;

		for (size_t k = 0; k < program->n_likely; k++) {
			memcpy(search->cw + k * dim, search->c + program->likely[k] * dim, dim * sizeof *search->cw);
			search->gw[k] = dot(search->cw + k * dim, search->y, n) +
				search->cw[k * dim + n] * search->omega * target;
			largest = fmax(largest, fabs(search->gw[k]));
		}
		nnls_solve(program->n_likely, dim, 0, search->cw, search->gw, nnls);
		for (size_t i = 0; i < n; i++)
			search->residual[i] = search->y[i] - nnls->fit[i];
		search->residual[n] = search->omega * target - nnls->fit[n];
		if (!uop_ellipsoid_take_in(search, 1e-10 * (1 + sqrt(nnls->norm2)) + 8 * DBL_EPSILON * largest))
			return;
		nnls_free(nnls);
	}
}

/* Drop likely columns that carry nothing. */
static void
uop_ellipsoid_forget(struct search *search, const struct nnls *nnls)
{
	struct uop_program *program = search->p;
	size_t *keep = mem_new_array(nnls->n_active, sizeof *keep);

	for (size_t k = 0; k < nnls->n_active; k++)
		keep[k] = program->likely[nnls->active[k]];
	memset(search->in, 0, program->m * sizeof *search->in);
	for (size_t k = 0; k < nnls->n_active; k++)
		search->in[program->likely[k] = keep[k]] = true;
	program->n_likely = nnls->n_active;
	free(keep);
}

static struct search_step
project(struct search *search, const double *cost, double target)
{
	size_t n = search->p->n;
	struct search_step out = {0};
	struct nnls z;
	double sigma, bound, size;

	uop_ellipsoid_fit(search, target, &z);
	for (size_t i = 0; i < n; i++) {
		search->rho[i] = search->residual[i];
		out.distance += search->rho[i] * search->rho[i];
	}
	out.distance = sqrt(out.distance);
	for (size_t k = 0; k < z.n_active; k++) {
		size_t j = search->p->likely[z.active[k]];

		out.tau += cost[j] * z.z[k] / search->length[j];
	}
	if (out.distance <= search->root && out.tau > search->reached) {
		search->reached = out.tau;
		memset(search->best_flow, 0, search->p->m * sizeof *search->best_flow);
		for (size_t k = 0; k < z.n_active; k++) {
			size_t j = search->p->likely[z.active[k]];

			search->best_flow[j] = z.z[k] / search->length[j];
		}
	}
	sigma = search->residual[n];
	size = dot(search->y, search->y, n) + search->omega * target * search->omega * target;
	/* A residual of rounding errors has no direction. */
	if (sigma > 0 && out.distance * out.distance + sigma * sigma > RESIDUAL * RESIDUAL * size) {
		for (size_t i = 0; i < n; i++)
			search->a[i] = -search->rho[i] / (search->omega * sigma);
		matrix_backward(n, search->p->shape.region->spread.factor, search->a);
		bound = support(search, search->a);
		if (bound < search->best) {
			search->best = bound;
			memcpy(search->best_weight, search->a, n * sizeof *search->a);
		}
	}
	if (search->p->n_likely > LIKELY_MAX * (n + 1))
		uop_ellipsoid_forget(search, &z);
	nnls_free(&z);
	return out;
}

static bool
settled(const struct search *s)
{
	return isfinite(s->best) && isfinite(s->reached) &&
		s->best - s->reached <= 1e-9 * fmax(fabs(s->best), fabs(s->reached));
}

/* Find T where |ρ| = √q. `size` is about the cost of a flow all of which is in question. T begins too small and
 * grows until two values enclose the solution, then it is searched between them. While the same columns carry the
 * solution, √(|ρ|² − d²) is linear in T, with d the least distance; so the secant method works on that. */
static void
uop_ellipsoid_walk(struct search *s, const double *cost, struct search_step start, double size, double step)
{
	double least2 = start.distance * start.distance, goal = sqrt(fmax(0, s->root * s->root - least2)),
	       aim = NEAR / 2;
	double low = start.tau, low_off = -goal, high = INFINITY, high_off = 0, target = low + step;
	int side = 0;

	for (int round = 0; round < ROUNDS_MAX && !settled(s); round++) {
		struct search_step at = project(s, cost, target);
		double off = sqrt(fmax(0, at.distance * at.distance - least2)) - goal;

		if (at.distance <= s->root && at.distance >= (1 - 2 * aim) * s->root) {
			if (s->best - s->reached <= NEAR * fmax(fabs(s->best), SMALL * size) || aim < AIM_MIN)
				return;
			aim /= 30;
		}
		if (at.distance <= s->root) {
			low = target;
			low_off = off;
			high_off /= side < 0 ? 2 : 1; /* Illinois method: an end that stays counts less and less */
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
			continue;
		}
		/* aim a little below, where the flow is inside the ellipsoid */
		target = low + (high - low) * (-low_off - aim * s->root) / (high_off - low_off);
		if (!(target > low && target < high))
			target = (low + high) / 2;
	}
}

/* Move Y as far as the slack allows in the direction of `toward`. Returns false if Y did not change. */
static bool
shift(struct search *search, const double *toward, double *sign)
{
	const struct region *region = search->p->shape.region;
	bool moved = false;

	for (size_t i = 0; i < region->n; i++) {
		double now = toward[i] > 0 ? 1 : toward[i] < 0 ? -1 : sign[i];

		moved |= region->slack && region->slack[i] > 0 && (now < sign[i] || now > sign[i]);
		sign[i] = now;
		search->y[i] = region->mean[i] + (region->slack ? sign[i] * region->slack[i] : 0);
	}
	matrix_forward(region->n, region->spread.factor, search->y);
	return moved;
}

static void
search_most(struct search *search, const double *cost)
{
	double *sign = mem_new_array(search->p->n, sizeof *sign), largest = 0, total = 0, length, step;

	for (size_t j = 0; j < search->p->m; j++)
		largest = fmax(largest, fabs(cost[j]));
	shift(search, sign, sign);
	for (int k = 0; k < SHIFTS_MAX; k++) {
		struct search_step start;

		lift(search, cost, 0);
		start = project(search, cost, 0); /* the nearest point, whatever its τ */
		if (!(largest > 0))
			break;
		if (start.distance > search->root) { /* not even that is inside: move the target closer */
			for (size_t i = 0; i < search->p->n; i++)
				search->a[i] = -search->rho[i];
			matrix_backward(search->p->n, search->p->shape.region->spread.factor, search->a);
			if (shift(search, search->a, sign))
				continue;
		}
		total = 0;
		for (size_t j = 0; j < search->p->m; j++)
			total += search->best_flow[j];
		length = sqrt(dot(search->y, search->y, search->p->n));
		step = fmax(fabs(start.tau), largest * total) * search->root / fmax(length, search->root);
		if (!(step > 0))
			step = largest;
		lift(search, cost, search->root / step);
		uop_ellipsoid_walk(search, cost, start, largest * total, step);
		if (!shift(search, search->best_weight, sign))
			break;
	}
	free(sign);
}

struct uop_most
uop_ellipsoid_most(struct uop_program *program, const i128 *cost, double *flow, double *weight)
{
	size_t n = program->n, m = program->m;
	struct search s = {.p = program, .root = sqrt(program->shape.q), .best = INFINITY, .reached = -INFINITY};
	double *block = mem_new_array(2 * m * (n + 1) + 2 * m + 4 * n + 1, sizeof *block);
	bool none_positive = true;
	struct uop_most out;

	s.c = block;
	s.cw = s.c + m * (n + 1);
	s.gw = s.cw + m * (n + 1);
	s.length = s.gw + m;
	s.y = s.length + m;
	s.rho = s.y + n;
	s.a = s.rho + n;
	s.residual = s.a + n;
	s.in = mem_new_array(m, sizeof *s.in);
	for (size_t k = 0; k < program->n_likely; k++)
		s.in[program->likely[k]] = true;
	s.best_flow = flow;
	s.best_weight = weight;
	memset(flow, 0, m * sizeof *flow);
	memset(weight, 0, n * sizeof *weight);
	for (size_t j = 0; j < m; j++) {
		program->cost[j] = ldexp((double)cost[j], -UOP_COST_BITS);
		none_positive &= cost[j] <= 0;
	}
	if (none_positive)
		s.best = 0; /* the bound with no weight on any counter */
	search_most(&s, program->cost);
	out = (struct uop_most){uop_bound(program, cost, weight), s.reached};
	free(block);
	free(s.in);
	return out;
}
