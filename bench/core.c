/* The speed of the numeric core, compared with its reach (docs/numerics.md): `make bench-core`, on an idle machine.
 * Each row has the time here, the time on a machine of the prototype's speed, and the reach, which is stated for that
 * machine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "bench.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/stats/region.h"
#include "core/stats/tails.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "core/verdict/lp.h"
#include "core/verdict/verdict.h"
#include "mixed.h"
#include "test.h"
#include "text/diag.h"
#include "work/analysis/cones.h"

#define ROUNDS 5
#define FALSE_ROUNDS 2000
#define CHOICES_MAX 32

/* The linker replaces lp_solve() by this, which counts the calls. */
enum lp_answer __real_lp_solve(const struct lp *, double *x, double *y);
enum lp_answer __wrap_lp_solve(const struct lp *, double *x, double *y);
static size_t programs;

enum lp_answer
__wrap_lp_solve(const struct lp *lp, double *x, double *y)
{
	programs++;
	return __real_lp_solve(lp, x, y);
}

static struct region *
region_of(const int64_t *count, size_t n)
{
	struct samples s = {.n_counters = n, .n_rows = MIXED_ROWS, .count = count};

	return region_new(&s, false);
}

/* Times and verdicts of the mixed set, with one cone. */
struct tally {
	double region[MIXED], verdict[MIXED], both[MIXED];
	size_t refuted[3], borderline, false_ones, with_program;
};

static void
judge_mixed(const struct mixed *x, const struct cone *c, const struct verdict_options *o, struct tally *t)
{
	*t = (struct tally){0};
	for (size_t i = 0; i < MIXED; i++) {
		t->region[i] = t->verdict[i] = 1;
		for (int round = 0; round < ROUNDS; round++) {
			double a = clock_seconds(), b, d;
			struct region *r = region_of(x->count[i], x->n);
			struct verdict *v;

			b = clock_seconds();
			programs = 0;
			v = verdict_new(c, r, o);
			d = clock_seconds();
			t->region[i] = b - a < t->region[i] ? b - a : t->region[i];
			t->verdict[i] = d - b < t->verdict[i] ? d - b : t->verdict[i];
			for (size_t k = 0; k < 3 && round == 0; k++)
				t->refuted[k] += v->region[k] == VERDICT_INFEASIBLE;
			if (round == 0) {
				t->borderline += v->verdict == VERDICT_BORDERLINE;
				t->false_ones += x->share[i] <= 0 && v->verdict == VERDICT_INFEASIBLE;
				t->with_program += programs > 0;
			}
			verdict_free(v);
			region_free(r);
		}
		t->both[i] = t->region[i] + t->verdict[i];
	}
}

static void
print_mixed(const char *name, const struct tally *t)
{
	printf("%s: ellipsoid refutes %zu, box %zu (%+.0f %%), independent %zu; false %zu, borderline %zu; %.1f %% "
	       "needed GLPK\n",
		name, t->refuted[REGION_ELLIPSOID], t->refuted[REGION_BOX],
		100.0 * ((double)t->refuted[REGION_ELLIPSOID] / (double)t->refuted[REGION_BOX] - 1),
		t->refuted[REGION_INDEPENDENT], t->false_ones, t->borderline, 100.0 * (double)t->with_program / MIXED);
}

static void
bench_mixed(const struct mixed *x, double unit)
{
	struct verdict_options o = {.confidence = 0.99, .threshold2 = chi2_quantile(0.99, x->n)};
	struct cone_limits none = {.seconds = -1};
	struct cone *bare = cone_new(x->n, x->m0->n_signatures, x->m0->signature, &none);
	struct tally *full = mem_new(sizeof *full), *free_of = mem_new(sizeof *free_of),
		     *plain = mem_new(sizeof *plain);
	size_t n_bare = bare->n_rays;
	int64_t *rays = bare->ray;
	double both;

	judge_mixed(x, x->m0, &o, full);
	judge_mixed(x, bare, &o, free_of);
	bare->ray = bare->signature;
	bare->n_rays = bare->n_signatures;
	judge_mixed(x, bare, &o, plain);
	bare->ray = rays;
	bare->n_rays = n_bare;
	both = bench_median(full->both, MIXED);
	bench_row("samples to both verdicts, median", both, unit, 15e-6);
	bench_row("  of which samples to region", bench_median(full->region, MIXED), unit, 0);
	bench_row("one more model on the same observation", bench_median(full->verdict, MIXED), unit, 3e-6);
	bench_row("  without facets, on rays that may be extreme", bench_median(free_of->verdict, MIXED), unit, 77e-6);
	bench_row("  without facets, on all signatures", bench_median(plain->verdict, MIXED), unit, 216e-6);
	printf("\nThe mixed set: %d observations of m0, with shares of %zu flows that it lacks (%s)\n", MIXED,
		x->n_outside, x->from);
	print_mixed("  with facets", full);
	print_mixed("  without", free_of);
	mixed_baseline(x, both, o.threshold2);
	printf("\n");
	cone_free(bare);
	free(full);
	free(free_of);
	free(plain);
}

static void
bench_false(const struct mixed *x)
{
	struct verdict_options o = {.confidence = 0.99, .threshold2 = chi2_quantile(0.99, x->n)};
	uint64_t seed = 77;
	size_t refuted[3] = {0};

	for (size_t i = 0; i < FALSE_ROUNDS; i++) {
		int64_t *count = mixed_feasible(x, &seed);
		struct region *r = region_of(count, x->n);
		struct verdict *v = verdict_new(x->m0, r, &o);

		for (size_t k = 0; k < 3; k++)
			refuted[k] += v->region[k] == VERDICT_INFEASIBLE;
		verdict_free(v);
		region_free(r);
		free(count);
	}
	printf("false refutations of %d feasible observations: ellipsoid %zu, box %zu, independent %zu (reach: 0)\n\n",
		FALSE_ROUNDS, refuted[REGION_ELLIPSOID], refuted[REGION_BOX], refuted[REGION_INDEPENDENT]);
}

/* Every legal choice of features, at most CHOICES_MAX, in binary order. */
static size_t
legal_choices(const struct udd_model *m, struct fset *on)
{
	size_t n = 0;
	struct err e;

	for (uint64_t bits = 0; n < CHOICES_MAX && (m->n_features >= 20 || bits < UINT64_C(1) << m->n_features);
		bits++) {
		on[n] = (struct fset){{bits}};
		n += udd_legal(m, &on[n], &e);
	}
	return n;
}

static struct signatures *
walk(const struct udd_model *m, const struct fset *on)
{
	struct diags d = {0};
	struct udd_diagram *g = udd_expand(m, on, &d);
	struct signatures *s = g ? signatures_new(g, &d) : NULL;

	udd_diagram_free(g);
	diags_free(&d);
	if (!s)
		exit(1);
	return s;
}

static double
least(double a, double b)
{
	return a < b ? a : b;
}

/* Each choice from scratch; then each with one more feature, from the text's tree to the facets. */
static void
bench_toggles(const struct udd_model *m, double unit)
{
	struct fset on[CHOICES_MAX];
	size_t n = legal_choices(m, on), toggles = 0, smallest = SIZE_MAX, largest = 0;
	double scratch[CHOICES_MAX], *grow = mem_new_array(n * n, sizeof *grow),
				     *whole = mem_new_array(n * n, sizeof *whole);

	for (size_t i = 0; i < n; i++) {
		struct signatures *s = walk(m, &on[i]);
		struct cone *c = NULL;

		scratch[i] = 1;
		for (int round = 0; round < ROUNDS; round++) {
			cone_free(c);
			c = cone_new(s->n_counters, s->n, s->coef, NULL);
			scratch[i] = least(scratch[i], c->seconds);
		}
		smallest = s->n < smallest ? s->n : smallest;
		largest = s->n > largest ? s->n : largest;
		signatures_free(s);
		for (size_t k = 0; k < n; k++) {
			const struct cone *from[] = {c};

			if (fset_count(&on[k]) != fset_count(&on[i]) + 1 || (on[k].w[0] & on[i].w[0]) != on[i].w[0])
				continue;
			grow[toggles] = whole[toggles] = 1;
			for (int round = 0; round < ROUNDS; round++) {
				double start = clock_seconds();
				struct signatures *t = walk(m, &on[k]);
				struct cone *d = cone_grow(from, 1, t->n_counters, t->n, t->coef, NULL);

				whole[toggles] = least(whole[toggles], clock_seconds() - start);
				grow[toggles] = least(grow[toggles], d->seconds);
				cone_free(d);
				signatures_free(t);
			}
			toggles++;
		}
		cone_free(c);
	}
	printf("%zu choices of features of haswell-mmu, %zu to %zu signatures, %zu toggles\n", n, smallest, largest,
		toggles);
	bench_row("cone from scratch, median", bench_median(scratch, n), unit, 5e-3);
	if (toggles) {
		bench_row("one feature toggled: the cone, median", bench_median(grow, toggles), unit, 1e-3);
		bench_row("  expansion, walk and cone, median", bench_median(whole, toggles), unit, 1e-3);
	}
	free(grow);
	free(whole);
}

/* All choices × 300 observations, from nothing but the model and the samples. In processor time, because other users
 * would disturb one of its few long rounds. */
static void
bench_family(const struct mixed *x, const struct udd_model *m, double unit)
{
	struct verdict_options o = {.confidence = 0.99};
	struct fset on[CHOICES_MAX];
	size_t n = legal_choices(m, on), observations = 300, infeasible = 0;
	bool *keep = mem_new_array(x->n, sizeof *keep);
	double best = 1e9;
	char what[64];
	struct cones_size size = {0};

	memset(keep, true, x->n);
	for (int round = 0; round < ROUNDS; round++) {
		double start = bench_processor_seconds();
		struct cones *cones = cones_new(m, 0);
		struct region *r[300];

		infeasible = 0;
		o.threshold2 = chi2_quantile(o.confidence, x->n);
		for (size_t k = 0; k < observations; k++)
			r[k] = region_of(x->count[k], x->n);
		for (size_t i = 0; i < n; i++) {
			const struct cone *c;

			cones_begin(cones);
			c = cones_get(cones, &on[i], keep);
			for (size_t k = 0; k < observations; k++) {
				struct verdict *v = verdict_new(c, r[k], &o);

				infeasible += v->verdict == VERDICT_INFEASIBLE;
				verdict_free(v);
			}
		}
		best = least(best, bench_processor_seconds() - start);
		size = cones_size(cones);
		cones_free(cones);
		for (size_t k = 0; k < observations; k++)
			region_free(r[k]);
	}
	snprintf(what, sizeof what, "%zu models × %zu observations, cold", n, observations);
	bench_row(what, best, unit, n == CHOICES_MAX ? 100e-3 : 0);
	printf("  %zu of %zu infeasible; %zu distinct cones; cache %.2f MB\n\n", infeasible, n * observations,
		size.cones, (double)size.bytes / 1e6);
	free(keep);
}

/* Cones with far too many facets: the limit of time, and the cost of a verdict then. */
static void
bench_random(void)
{
	static const size_t shape[][2] = {{13, 100}, {13, 200}, {16, 200}, {20, 120}, {20, 300}, {20, 1000}};
	struct cone_limits limits = {.seconds = 0.5};
	uint64_t seed = 5;

	printf("random cones, facets limited to %.1f s\n", limits.seconds);
	for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
		size_t n = shape[i][0], m = shape[i][1];
		int64_t *s = mem_new_array(n * m, sizeof *s);
		struct cone *c;

		for (size_t k = 0; k < n * m; k++)
			s[k] = test_random(&seed) % 4 ? 0 : (int64_t)(1 + test_random(&seed) % 6);
		c = cone_new(n, m, s, &limits);
		printf("  %2zu counters, %4zu signatures: %.3f s, %s\n", n, m, c->seconds,
			c->complete ? "complete" : c->reason);
		cone_free(c);
		free(s);
	}
}

int
main(void)
{
	double unit = bench_unit();
	struct udd_model *m = bench_model("haswell-mmu");
	struct mixed *x = mixed_new(m);
	struct rusage use;
	double load;

	if (getloadavg(&load, 1) == 1 && load > 0.7)
		printf("The load average is %.1f: others slow the calibration down, and times scaled by it look too "
		       "good.\n",
			load);
	printf("PPL on all signatures of m0: %.2f ms, %.2f times the prototype's %.1f ms\n\n", unit * 1e3,
		unit / PROTOTYPE_SECONDS, PROTOTYPE_SECONDS * 1e3);
	printf("%-46s%12s%15s%15s\n", "", "here", "prototype's", "reach");
	bench_mixed(x, unit);
	bench_false(x);
	bench_toggles(m, unit);
	bench_family(x, m, unit);
	bench_random();
	getrusage(RUSAGE_SELF, &use);
	printf("\nm0's cone %.0f kB; largest resident set of all this %.1f MB\n", (double)cone_bytes(x->m0) / 1e3,
		(double)use.ru_maxrss / 1024);
	mixed_free(x);
	udd_free(m);
	return 0;
}
