/* Bounds of flows and shares (uop_range.h). A point or a box is a linear program over the columns; an ellipsoid is
 * solved by uop_ellipsoid.c. Both propose a vector of weights, from which uop_bound() computes a bound that is
 * certain.
 *
 *     uop_range_total()   the maximum of ± the flow in question
 *     uop_range_share()   Dinkelbach's steps: the maximum of (part − t·whole) for rising t */
#include "core/verdict/uop_range.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stats/matrix.h"
#include "core/stats/region.h"
#include "core/verdict/lp.h"
#include "core/verdict/uop_program.h"

#define SHARE_ROUNDS 16
#define SHARE_NEAR 1e-7 /* between the reached value and the bound: the share is found */
#define GAP 1e-7        /* relative gap of a linear program above which it is solved again from scratch */

static void
make_shape(struct uop_program *program, const struct region *region, enum region_kind decides, double q)
{
	enum region_kind kind = region_shown(decides);

	program->shape = (struct certify_region){.shape = CERTIFY_POINT, .region = region, .q = q, .times = 1};
	program->half = mem_new_array(program->n, sizeof *program->half);
	program->price = mem_new_array(program->n, sizeof *program->price);
	if (!region->point && kind == REGION_ELLIPSOID) {
		program->shape.shape = CERTIFY_ELLIPSOID;
	} else if (!region->point || region->slack) {
		program->shape.shape = CERTIFY_BOX;
		program->shape.half = program->half;
	}
	if (!region->point && kind == REGION_BOX) {
		region_axes(region);
		program->shape.axis = region->eigenvector;
	}
	for (size_t i = 0; i < program->n; i++) {
		double *half = &program->half[i], slack = region->slack ? region->slack[i] : 0;

		program->price[i] = fmax(0,
			region->mean[i] + (region_has_noise_model(region) ? sqrt(region->spread.variance[i] * q) : 0) +
				slack);
		if (!region_has_noise_model(region))
			*half = slack;
		if (!region_has_noise_model(region) || kind == REGION_ELLIPSOID)
			continue;
		*half = sqrt((kind == REGION_BOX ? region->eigenvalue[i] : region->spread.variance[i]) * q);
		/* one box that contains both, as in the verdict */
		if (kind != REGION_BOX)
			*half += slack;
		for (size_t j = 0; j < program->n && region->slack && kind == REGION_BOX; j++)
			*half += fabs(region->eigenvector[i * program->n + j]) * region->slack[j];
	}
}

/* Rows of a point: v_i = count of i. If a counter is 0, the columns that raise it carry no flow, and it has no row. */
static void
point_rows(struct uop_program *p, double *lo, double *hi)
{
	const double *mean = p->shape.region->mean;

	for (size_t i = 0; i < p->n; i++)
		if (mean[i] > 0) {
			p->row[p->n_rows * p->n + i] = 1 / mean[i];
			lo[p->n_rows] = hi[p->n_rows] = 1;
			p->n_rows++;
		}
}

/* Rows of a box: −1 ≤ e_i·(v − Y) / half_i ≤ 1. */
static void
box_rows(struct uop_program *program, double *lo, double *hi)
{
	const double *mean = program->shape.region->mean;

	program->n_rows = program->n;
	for (size_t i = 0; i < program->n; i++) {
		double *row = program->row + i * program->n, centre = 0;

		for (size_t j = 0; j < program->n; j++) {
			row[j] = (program->shape.axis ? program->shape.axis[i * program->n + j] : i == j) /
				program->half[i];
			centre += row[j] * mean[j];
		}
		lo[i] = centre - 1;
		hi[i] = centre + 1;
	}
}

static bool
is_allowed(const struct uop_program *p, const int64_t *column)
{
	for (size_t i = 0; i < p->n; i++)
		if (column[i] && p->shape.shape == CERTIFY_POINT && !(p->shape.region->mean[i] > 0))
			return false;
	return true;
}

static void
make_lp(struct uop_program *program)
{
	double *lo = mem_new_array(program->n, sizeof *lo), *hi = mem_new_array(program->n, sizeof *hi), *a;

	program->row = mem_new_array(program->n * program->n, sizeof *program->row);
	program->used = mem_new_array(program->m, sizeof *program->used);
	program->size = mem_new_array(program->m, sizeof *program->size);
	if (program->shape.shape == CERTIFY_POINT)
		point_rows(program, lo, hi);
	else
		box_rows(program, lo, hi);
	for (size_t j = 0; j < program->m; j++)
		if (is_allowed(program, program->column + j * program->n))
			program->used[program->n_used++] = j;
	a = mem_new_array(program->n_rows * program->n_used, sizeof *a);
	for (size_t r = 0; r < program->n_rows; r++)
		for (size_t k = 0; k < program->n_used; k++) {
			double *t = &a[r * program->n_used + k];

			for (size_t i = 0; i < program->n; i++)
				*t += program->row[r * program->n + i] *
					(double)program->column[program->used[k] * program->n + i];
			program->size[k] = fmax(program->size[k], fabs(*t));
		}
	for (size_t r = 0; r < program->n_rows; r++)
		for (size_t k = 0; k < program->n_used; k++)
			a[r * program->n_used + k] /= program->size[k];
	if (program->n_rows && program->n_used)
		program->lp = lp_polytope_new(program->n_rows, program->n_used, a, lo, hi);
	free(a);
	free(lo);
	free(hi);
}

static void
make_white(struct uop_program *p)
{
	p->white = mem_new_array(p->m * p->n, sizeof *p->white);
	p->likely = mem_new_array(p->m, sizeof *p->likely);
	for (size_t j = 0; j < p->m; j++) {
		for (size_t i = 0; i < p->n; i++)
			p->white[j * p->n + i] = (double)p->column[j * p->n + i];
		matrix_forward(p->n, p->shape.region->spread.factor, p->white + j * p->n);
	}
}

struct uop_program *
uop_program_new(size_t n_counters, size_t n, const int64_t *column, const struct region *region, enum region_kind kind,
	double q)
{
	struct uop_program *program;

	if (n_counters > UOP_COUNTERS_MAX || n * n_counters > UOP_SIZE_MAX)
		return NULL;
	for (size_t k = 0; k < n * n_counters; k++)
		if (column[k] > UOP_ENTRY_MAX)
			return NULL;
	program = mem_new(sizeof *program);
	program->n = n_counters;
	program->m = n;
	program->column = mem_copy(column, n * n_counters * sizeof *column);
	program->cost = mem_new_array(n, sizeof *program->cost);
	program->x = mem_new_array(n, sizeof *program->x);
	program->y = mem_new_array(n_counters, sizeof *program->y);
	program->weight = mem_new_array(n_counters, sizeof *program->weight);
	program->zero = mem_new_array(n_counters, sizeof *program->zero);
	program->floor = mem_new_array(n_counters + 1, sizeof *program->floor);
	for (size_t i = 0; i <= n_counters; i++)
		program->floor[i] = NAN;
	make_shape(program, region, kind, q);
	if (program->shape.shape == CERTIFY_ELLIPSOID)
		make_white(program);
	else
		make_lp(program);
	return program;
}

void
uop_program_free(struct uop_program *program)
{
	if (!program)
		return;
	lp_polytope_free(program->lp);
	free(program->column);
	free(program->half);
	free(program->price);
	free(program->zero);
	free(program->used);
	free(program->row);
	free(program->size);
	free(program->white);
	free(program->likely);
	free(program->cost);
	free(program->x);
	free(program->y);
	free(program->weight);
	free(program->floor);
	free(program);
}

/* Solve the linear program once. Replaces `out` if the solution is better. */
static void
solve_lp(struct uop_program *program, const i128 *cost, bool cold, double *flow, struct uop_most *out)
{
	double reached = 0, bound;

	for (size_t k = 0; k < program->n_used; k++)
		program->cost[k] = ldexp((double)cost[program->used[k]], -UOP_COST_BITS) / program->size[k];
	if (!lp_polytope_maximise(program->lp, program->cost, cold, program->x, program->y))
		return;
	memset(program->weight, 0, program->n * sizeof *program->weight);
	for (size_t r = 0; r < program->n_rows; r++)
		for (size_t i = 0; i < program->n; i++)
			program->weight[i] += program->y[r] * program->row[r * program->n + i];
	bound = uop_bound(program, cost, program->weight);
	if (bound < out->bound)
		out->bound = bound;
	for (size_t k = 0; k < program->n_used; k++)
		reached += program->cost[k] * program->x[k];
	if (reached > out->reached) {
		out->reached = reached;
		memset(flow, 0, program->m * sizeof *flow);
		for (size_t k = 0; k < program->n_used; k++)
			flow[program->used[k]] = program->x[k] / program->size[k];
	}
}

static bool
is_tight(const struct uop_most *x)
{
	return isfinite(x->reached) && x->bound - x->reached <= GAP * fabs(x->bound);
}

/* The largest Σ cost·f; cost is in units of 2^-UOP_COST_BITS. */
static struct uop_most
most(struct uop_program *program, const i128 *cost, double *flow)
{
	struct uop_most out = {INFINITY, -INFINITY};

	if (program->shape.shape == CERTIFY_ELLIPSOID)
		out = uop_ellipsoid_most(program, cost, flow, program->weight);
	for (int cold = 0; cold < 2 && program->lp && !is_tight(&out); cold++)
		solve_lp(program, cost, cold, flow, &out);
	if (!is_tight(&out))
		out.bound = fmin(out.bound, uop_bound(program, cost, program->zero));
	if (program->n_used == 0 && program->shape.shape == CERTIFY_POINT) /* no flow at all */
		out.reached = 0;
	return out;
}

static double
down(double x)
{
	return x > 0 ? nextafter(x, 0) : x;
}

void
uop_range_total(struct uop_program *program, const unsigned char *part, struct uop_range *out)
{
	i128 *cost = mem_new_array(program->m, sizeof *cost);
	double *flow = mem_new_array(program->m, sizeof *flow);
	struct uop_most x;

	for (size_t j = 0; j < program->m; j++)
		cost[j] = part[j] == UOP_ALL ? -((i128)1 << UOP_COST_BITS) : 0;
	x = most(program, cost, flow);
	out->least = fmax(0, -x.bound);
	out->reached_least = isinf(x.reached) ? NAN : fmax(0, -x.reached);
	for (size_t j = 0; j < program->m; j++)
		cost[j] = part[j] != UOP_NONE ? (i128)1 << UOP_COST_BITS : 0;
	x = most(program, cost, flow);
	out->greatest = fmax(0, x.bound);
	out->reached_greatest = isinf(x.reached) ? NAN : x.reached;
	free(cost);
	free(flow);
}

/* The amount that a µop of column j adds to the denominator of a share. */
static int64_t
uop_range_whole_of(const struct uop_program *p, size_t j, size_t counter)
{
	return counter == UOP_UOPS ? 1 : p->column[j * p->n + counter];
}

/* A lower bound of the share's denominator; computed once for each counter. */
static double
least_whole(struct uop_program *program, size_t counter, i128 *cost, double *flow)
{
	double *least = &program->floor[counter == UOP_UOPS ? program->n : counter];

	/* the region's own bound is enough if the counter is clearly above 0 */
	if (isnan(*least) && counter != UOP_UOPS) {
		int64_t *minus = mem_new_array(program->n, sizeof *minus);

		minus[counter] = -1;
		*least = -certify_most(&program->shape, minus, 0);
		if (!(*least > 0.5 * program->shape.region->mean[counter]))
			*least = NAN;
		free(minus);
	}
	if (isnan(*least)) {
		for (size_t j = 0; j < program->m; j++)
			cost[j] = -(i128)uop_range_whole_of(program, j, counter) * ((i128)1 << UOP_COST_BITS);
		*least = -most(program, cost, flow).bound;
	}
	return *least;
}

/* The greatest share of the columns with in[j]. For any t, (part − t·whole) is at most its bound h over all flows,
 * so the share is at most t + h / whole. The next t is the share of the flow that was found. For a point, `whole` is
 * constant, and one step from 0 is enough. */
static struct uop_most
greatest_share(struct uop_program *program, const bool *in, size_t counter)
{
	i128 *cost = mem_new_array(program->m, sizeof *cost);
	double *flow = mem_new_array(program->m, sizeof *flow), least = least_whole(program, counter, cost, flow);
	struct uop_most out = {1, -INFINITY};
	double t = 0;

	for (int round = 0; round < SHARE_ROUNDS && least > 0 && out.bound - out.reached > SHARE_NEAR; round++) {
		int64_t at = (int64_t)floor(ldexp(t, UOP_COST_BITS));
		double part = 0, whole = 0, bound;
		struct uop_most x;

		for (size_t j = 0; j < program->m; j++)
			cost[j] = ((in[j] ? (i128)1 << UOP_COST_BITS : 0) - at) *
				uop_range_whole_of(program, j, counter);
		x = most(program, cost, flow);
		bound = ldexp((double)at, -UOP_COST_BITS) + fmax(0, x.bound) / least * (1 + 0x1p-50);
		bound = nextafter(bound, INFINITY);
		if (bound < out.bound)
			out.bound = bound;
		for (size_t j = 0; j < program->m; j++) {
			part += in[j] ? flow[j] * (double)uop_range_whole_of(program, j, counter) : 0;
			whole += flow[j] * (double)uop_range_whole_of(program, j, counter);
		}
		if (isinf(x.reached) || !(whole > 0))
			break;
		if (part / whole <= t)
			round = SHARE_ROUNDS;
		out.reached = fmax(out.reached, part / whole);
		t = fmin(1, part / whole);
	}
	free(cost);
	free(flow);
	return out;
}

void
uop_range_share(struct uop_program *program, const unsigned char *part, size_t counter, struct uop_range *out)
{
	bool *in = mem_new_array(program->m, sizeof *in), some = false, others = false;
	struct uop_most x = {0, 0};

	for (size_t j = 0; j < program->m; j++) {
		in[j] = part[j] != UOP_NONE;
		some |= in[j] && uop_range_whole_of(program, j, counter) > 0;
	}
	if (some)
		x = greatest_share(program, in, counter);
	out->greatest = x.bound;
	out->reached_greatest = isinf(x.reached) ? NAN : x.reached;
	/* The least share is 1 minus the greatest share of all other columns. */
	for (size_t j = 0; j < program->m; j++) {
		in[j] = part[j] != UOP_ALL;
		others |= in[j] && uop_range_whole_of(program, j, counter) > 0;
	}
	x = others ? greatest_share(program, in, counter) : (struct uop_most){some ? 0 : 1, some ? 0 : 1};
	out->least = fmax(0, down(1 - x.bound));
	if (!others && some)
		out->least = 1;
	out->reached_least = isinf(x.reached) ? NAN : 1 - x.reached;
	free(in);
}
