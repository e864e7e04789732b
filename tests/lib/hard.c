#include "hard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/stats/dot_product.h"
#include "core/stats/region.h"
#include "core/verdict/verdict.h"
#include "signature_file.h"
#include "test.h"

#define LEVEL 0.02      /* standard deviation of the noise, relative to each counter's mean */
#define LOAD 0.1        /* standard deviation of the load that all counters share, likewise */
#define SCALE 1e6
#define MOST_RAYS 6     /* largest number of rays that carry an observation's flow */

static const char *const NAME[HARD_MODELS] = {
	[HARD_SUM3] = "sum of two", [HARD_RAY5] = "ray of 5", [HARD_TREE] = "tree of 8", [HARD_FAULTS] = "page faults",
	[HARD_M0] = "Haswell m0",
	[HARD_RAY26] = "ray of 26", [HARD_RAYS26] = "4 rays of 26", [HARD_TEN] = "3 rays of 10",
	[HARD_RAY2] = "ray of 2", [HARD_RAY10] = "ray of 10",
};

const char *
hard_model_name(enum hard_model m)
{
	return NAME[m];
}

/* Signatures of the small models. The tree has requests that hit; requests that miss and walk, for two page sizes
 * and with two kinds of references; and walks without a request. */
static const int64_t SUM3[] = {1, 1, 0, 1, 0, 1};
static const int64_t RAY5[] = {1, 1, 2, 3, 5};
static const int64_t TREE[][8] = {
	{1, 1, 0, 0, 0, 0, 0, 0}, {1, 0, 1, 1, 0, 1, 1, 0}, {1, 0, 1, 1, 0, 1, 0, 1}, {1, 0, 1, 0, 1, 1, 1, 0},
	{1, 0, 1, 0, 1, 1, 0, 1}, {0, 0, 1, 1, 0, 0, 1, 0}, {0, 0, 1, 0, 1, 0, 0, 1}};

struct hard {
	struct cone *cone[HARD_MODELS];
	double *coefficient; /* filter that makes fractional noise, row by row */
	double *spread;      /* standard deviation of each step */
	size_t n;
	double exponent;
};

/* A cone of random rays with small counts. */
static struct cone *
random_rays(size_t n, size_t rays, uint64_t seed)
{
	int64_t *s = mem_new_array(n * rays, sizeof *s);
	struct cone *c;

	for (size_t i = 0; i < n * rays; i++)
		s[i] = 1 + (int64_t)(test_random(&seed) % 4);
	c = cone_new(n, rays, s, NULL);
	free(s);
	return c;
}

struct hard *
hard_new(void)
{
	struct hard *h = mem_new(sizeof *h);
	struct signature_file *f = signature_file_read("cones/haswell-m0.txt"),
			      *faults = signature_file_read("cones/page-faults.txt");

	h->cone[HARD_SUM3] = cone_new(3, 2, SUM3, NULL);
	h->cone[HARD_RAY5] = cone_new(5, 1, RAY5, NULL);
	h->cone[HARD_TREE] = cone_new(8, sizeof TREE / sizeof *TREE, TREE[0], NULL);
	h->cone[HARD_FAULTS] = cone_new(faults->n_counters, faults->n, faults->signature, NULL);
	h->cone[HARD_M0] = cone_new(f->n_counters, f->n, f->signature, NULL);
	h->cone[HARD_RAY26] = random_rays(26, 1, 1);
	h->cone[HARD_RAYS26] = random_rays(26, 4, 2);
	h->cone[HARD_TEN] = random_rays(10, 3, 3);
	h->cone[HARD_RAY2] = cone_new(2, 1, RAY5 + 1, NULL);
	h->cone[HARD_RAY10] = random_rays(10, 1, 4);
	signature_file_free(f);
	signature_file_free(faults);
	return h;
}

void
hard_free(struct hard *h)
{
	if (!h)
		return;
	for (size_t m = 0; m < HARD_MODELS; m++)
		cone_free(h->cone[m]);
	free(h->coefficient);
	free(h->spread);
	free(h);
}

/* Computes the filter for fractional Gaussian noise by the recursion of Durbin and Levinson: x_t is a sum of earlier
 * values and something new. */
static void
prepare_memory(struct hard *h, size_t n, double exponent)
{
	double *rho = mem_new_array(n + 1, sizeof *rho), variance = 1;

	if (h->n == n && h->exponent >= exponent && h->exponent <= exponent) {
		free(rho);
		return;
	}
	h->coefficient = mem_resize(h->coefficient, n * n, sizeof *h->coefficient);
	h->spread = mem_resize(h->spread, n, sizeof *h->spread);
	h->n = n;
	h->exponent = exponent;
	for (size_t k = 0; k <= n; k++)
		rho[k] = 0.5 *
			(pow((double)k + 1, 2 * exponent) - 2 * pow((double)k, 2 * exponent) +
				pow(fabs((double)k - 1), 2 * exponent));
	h->spread[0] = 1;
	for (size_t t = 1; t < n; t++) {
		double *now = h->coefficient + t * n, *before = h->coefficient + (t - 1) * n, last = rho[t];

		for (size_t k = 1; k < t; k++)
			last -= before[k - 1] * rho[t - k];
		last /= variance;
		for (size_t k = 1; k < t; k++)
			now[k - 1] = before[k - 1] - last * before[t - k - 1];
		now[t - 1] = last;
		variance *= 1 - last * last;
		h->spread[t] = sqrt(variance);
	}
	free(rho);
}

static void
autoregression(double *x, size_t n, double lag, uint64_t *seed)
{
	x[0] = test_normal(seed);
	for (size_t t = 1; t < n; t++)
		x[t] = lag * x[t - 1] + sqrt(1 - lag * lag) * test_normal(seed);
}

static void
fractional(const struct hard *h, double *x, size_t n, uint64_t *seed)
{
	for (size_t t = 0; t < n; t++) {
		x[t] = h->spread[t] * test_normal(seed);
		for (size_t k = 1; k <= t; k++)
			x[t] += h->coefficient[t * h->n + k - 1] * x[t - k];
	}
}

/* The part of the noise that several counters have in common, and who has it. */
struct common {
	double *slow;      /* one series of variance 1, for HARD_COMMON and HARD_PAIR */
	size_t one, other; /* the chosen counter, and the second of a pair */
};

static void
draw_common(const struct hard_setting *s, struct common *c, uint64_t *seed)
{
	c->slow = mem_new_array(s->rows, sizeof *c->slow);
	if (s->noise == HARD_COMMON || s->noise == HARD_PAIR)
		autoregression(c->slow, s->rows, s->lag, seed);
}

/* A gain of 1 or −1 that changes about six times in a record. */
static void
two_states(double *x, size_t n, uint64_t *seed)
{
	double now = test_random(seed) % 2 ? 1 : -1;

	for (size_t t = 0; t < n; t++) {
		if (test_uniform(seed) * (double)n < 6)
			now = -now;
		x[t] = now;
	}
}

/* Adds a part of the noise of variance 1 to what is independent. */
static void
add_noise(const struct hard_setting *s, double amount, const double *part, double *x)
{
	for (size_t t = 0; t < s->rows; t++)
		x[t] += amount * part[t];
}

/* Draws counter i's noise, relative to its mean. */
static void
draw_noise(const struct hard *h, const struct hard_setting *s, const struct common *c, size_t i, double *x,
	uint64_t *seed)
{
	double white = s->white > 0 ? s->white : LEVEL, *part = mem_new_array(s->rows, sizeof *part);
	bool one = i == c->one, shared = s->noise == HARD_SLOW || (s->noise == HARD_MEMORY && s->share > 0);

	for (size_t t = 0; t < s->rows; t++)
		x[t] = white * test_normal(seed);
	if (shared || (one && s->noise == HARD_ONE) || s->noise == HARD_MEMORY)
		dot_scale(x, shared ? sqrt(1 - s->share) : 0, s->rows);
	switch (s->noise) {
	case HARD_INDEPENDENT:
		break;
	case HARD_SLOW:
		autoregression(part, s->rows, s->lag, seed);
		add_noise(s, white * sqrt(s->share), part, x);
		break;
	case HARD_ONE:
	case HARD_ONE_MORE:
		if (one)
			autoregression(part, s->rows, s->lag, seed);
		add_noise(s, s->slow > 0 ? s->slow : white, part, x);
		break;
	case HARD_MEMORY:
		fractional(h, part, s->rows, seed);
		add_noise(s, white * (shared ? sqrt(s->share) : 1), part, x);
		break;
	case HARD_COMMON:
		add_noise(s, s->slow * test_normal(seed), c->slow, x);
		break;
	case HARD_PAIR:
		add_noise(s, one ? s->slow : i == c->other ? -s->slow : 0, c->slow, x);
		break;
	case HARD_STATES:
		if (one)
			two_states(part, s->rows, seed);
		add_noise(s, s->slow, part, x);
		break;
	}
	free(part);
}

struct drawn {
	size_t n;
	int64_t *count;         /* rows × n */
	unsigned char *counted; /* rows × n */
};

/* A mean in the cone: the flow of one to six of its rays, with very different shares. */
static double *
draw_mean(const struct cone *c, uint64_t *seed)
{
	double *mean = mem_new_array(c->n_counters, sizeof *mean), sum = 0, share[MOST_RAYS];
	size_t most = c->n_rays < MOST_RAYS ? c->n_rays : MOST_RAYS, rays = 1 + test_random(seed) % most;

	for (size_t k = 0; k < rays; k++)
		sum += share[k] = exp(1.5 * test_normal(seed));
	for (size_t k = 0; k < rays; k++) {
		const int64_t *ray = c->ray + test_random(seed) % c->n_rays * c->n_counters;

		for (size_t i = 0; i < c->n_counters; i++)
			mean[i] += SCALE * share[k] / sum * (double)ray[i];
	}
	return mean;
}

static void
draw_gaps(const struct hard_setting *s, const double *load, const double *mean, struct drawn *d, uint64_t *seed)
{
	size_t victim = test_random(seed) % d->n, n = d->n;

	while (!(mean[victim] > 0))
		victim = (victim + 1) % n;
	memset(d->counted, 1, s->rows * n);
	for (size_t t = 0; t < s->rows; t++)
		for (size_t i = 0; i < n; i++) {
			bool first = t < s->rows / 2;

			if ((s->gaps == HARD_HALVES && (i % 2 == 0) != first) ||
				(s->gaps == HARD_RANDOM && test_random(seed) % 2) ||
				(s->gaps == HARD_BUSY && i == victim && load[t] > 1 && test_random(seed) % 2))
				d->counted[t * n + i] = 0;
		}
}

/* Another counter that counts something, if there is one. */
static size_t
other_counter(const double *mean, size_t n, size_t one, uint64_t *seed)
{
	size_t other = (one + 1 + test_random(seed) % (n - 1)) % n;

	for (size_t k = 0; k < n && (other == one || !(mean[other] > 0)); k++)
		other = (other + 1) % n;
	return other;
}

/* The unit in which counts are printed. */
static double
step_of(const struct hard_setting *s, const double *mean, size_t n)
{
	double largest = 0;

	for (size_t i = 0; i < n; i++)
		largest = fmax(largest, mean[i]);
	return s->step >= 1 ? s->step : fmax(1, round(s->step * largest));
}

static struct drawn
draw(struct hard *h, const struct hard_setting *s, enum hard_model m, uint64_t *seed)
{
	const struct cone *c = h->cone[m];
	struct drawn d = {.n = c->n_counters};
	double *mean = draw_mean(c, seed), *load = mem_new_array(s->rows, sizeof *load),
	       *x = mem_new_array(s->rows, sizeof *x);
	size_t shifted = test_random(seed) % d.n;
	double step, spread = s->load > 0 ? s->load : LOAD;
	struct common common;
	double off = s->shift * (test_random(seed) % 2 ? 1 : -1);

	d.count = mem_new_array(s->rows * d.n, sizeof *d.count);
	d.counted = mem_new_array(s->rows * d.n, 1);
	while (!(mean[shifted] > 0))
		shifted = (shifted + 1) % d.n;
	autoregression(load, s->rows, s->load_lag, seed);
	for (size_t t = 0; t < s->rows; t++)
		load[t] = s->gaps == HARD_HALVES ? 1 + 0.05 * (double)t / (double)s->rows
			: s->runs                ? 1
			: s->burst > 0           ? exp(s->burst * load[t])
						 : 1 + spread * load[t];
	common.one = shifted;
	common.other = other_counter(mean, d.n, shifted, seed);
	draw_common(s, &common, seed);
	step = step_of(s, mean, d.n);
	for (size_t i = 0; i < d.n; i++) {
		draw_noise(h, s, &common, i, x, seed);
		for (size_t t = 0; t < s->rows; t++) {
			double noise = x[t] * (s->burst > 0 ? load[t] : 1),
			       v = mean[i] * (i == shifted ? 1 + off : 1) * (load[t] + noise);

			d.count[t * d.n + i] = llround(fmax(0, v) / step) * (int64_t)step;
		}
	}
	free(common.slow);
	draw_gaps(s, load, mean, &d, seed);
	free(mean);
	free(load);
	free(x);
	return d;
}

/* The region of the runs as `perf stat -r` prints them: means, and the standard error of each. */
static struct region *
stated(const struct hard_setting *s, const struct drawn *d)
{
	int64_t *count = mem_new_array(d->n, sizeof *count);
	double *error = mem_new_array(d->n, sizeof *error), k = (double)s->runs;
	struct samples one = {.n_counters = d->n, .n_rows = 1, .count = count, .error = error, .runs = k};
	struct region *r;

	for (size_t i = 0; i < d->n; i++) {
		double mean = 0, square = 0;

		for (size_t t = 0; t < s->runs; t++)
			mean += (double)d->count[t * d->n + i] / k;
		for (size_t t = 0; t < s->runs; t++)
			square += pow((double)d->count[t * d->n + i] - mean, 2);
		count[i] = llround(mean);
		error[i] = sqrt(square / (k - 1) / k);
	}
	r = region_new(&one, false);
	free(count);
	free(error);
	return r;
}

static void
judge(const struct hard_setting *s, const struct cone *c, const struct drawn *d, struct hard_count *out)
{
	struct samples all = {.n_counters = d->n,
		.n_rows = s->rows,
		.count = d->count,
		.counted = d->counted,
		.independent = s->stated};
	struct verdict_options o = {.confidence = 0.99, .decides = REGION_CONE};
	struct region *r = s->runs ? stated(s, d) : region_new(&all, false);
	struct verdict *v = verdict_new(c, r, &o);

	for (size_t k = 0; k < REGION_KINDS; k++) {
		out->refuted[k] += v->region[k] == VERDICT_INFEASIBLE;
		out->undecided[k] += v->region[k] == VERDICT_UNDECIDED;
	}
	out->warned += r->lag > 0;
	if (v->verdict == VERDICT_INFEASIBLE) {
		verdict_free(v);
		o.confidence = 1 - (1 - o.confidence) / (double)out->observations;
		v = verdict_new(c, r, &o);
		out->together += v->verdict == VERDICT_INFEASIBLE;
	}
	verdict_free(v);
	region_free(r);
}

struct hard_count
hard_run(struct hard *h, const struct hard_setting *s, enum hard_model m, size_t observations, uint64_t seed)
{
	struct hard_count out = {.observations = observations};

	if (s->noise == HARD_MEMORY)
		prepare_memory(h, s->rows, s->lag);
	for (size_t k = 0; k < observations; k++) {
		struct drawn d = draw(h, s, m, &seed);

		judge(s, h->cone[m], &d, &out);
		free(d.count);
		free(d.counted);
	}
	return out;
}
