/* The worth of correlated regions: `make bench-regions`, after CounterPoint's sections 1 and 7.2 and its Figure 1c. A
 * simulated Haswell with all features that CounterPoint finds runs the suite mmu, and its PMU multiplexes. It answers
 * three questions, next to the exact totals, which no real PMU shows:
 *
 *   1. how many observations and constraints each region refutes: the ellipsoid, the box along its axes, and the box of
 *      independent counters;
 *   2. how counters are correlated, and why;
 *   3. how far a constraint, and models, can still be decided when more counters are active than the PMU has.
 *
 * Figures depend on no time: the same program prints the same bytes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench.h"
#include "core/cone/cone.h"
#include "core/obs/obs.h"
#include "core/verdict/verdict.h"
#include "heat.h"
#include "plot.h"
#include "region_study.h"

#define FEW_ACCESSES 20000u /* of a sample, if many runs are needed */
#define FEW_EVERY 5u        /* and every fifth workload */
#define STRONG 0.9

/* All 26 counters are active. */
static const struct {
	const char *name;
	double period;
	unsigned physical;
} runs[] = {{"steady, 4 physical", 0, 4}, {"fast, 4 physical", STUDY_FAST, 4}, {"slow, 4 physical", STUDY_SLOW, 4},
	{"fast, one for each", STUDY_FAST, 0}};
#define RUNS (sizeof runs / sizeof *runs)

enum { EXACT = 3, WAYS = 4 }; /* after the three of enum region_kind */

/* Observations and constraints found in each way; and those that a region refutes although the exact totals do not. */
struct tally {
	size_t refuted[WAYS], violated[WAYS];
	size_t false_refuted[EXACT], false_violated[EXACT];
};

/* One observation: its region, and the truth as a region of one point. */
struct judged {
	struct region *region, *truth;
	double threshold2;
};

static struct judged
judge(const struct region_study *s, const struct simulated *d, size_t k)
{
	struct samples samples = study_samples(d, k), one = {.n_counters = samples.n_counters, .n_rows = 1};
	int64_t *total = mem_new_array(samples.n_counters, sizeof *total);
	struct judged j;

	study_truth(s, d, k, total);
	one.count = total;
	j.truth = region_new(&one, true);
	j.region = region_new(&samples, false);
	if (!region_has_noise_model(j.region)) {
		fprintf(stderr, "bench/regions: %s has a counter without samples\n", d->table->obs[k]->name);
		exit(1);
	}
	j.threshold2 = region_threshold2(j.region, STUDY_CONFIDENCE);
	free(total);
	return j;
}

static void
judged_free(struct judged *j)
{
	region_free(j->region);
	region_free(j->truth);
}

static bool
lies_outside(const struct across *x, bool equality)
{
	return (equality ? -fabs(x->at) : x->at) + x->reach < -1e-12 * x->size;
}

static void
tally_rows(const struct cone *c, const struct judged *j, struct tally *t)
{
	for (size_t k = 0; k < c->n_equalities + c->n_inequalities; k++) {
		struct across x = verdict_across(j->truth, cone_row(c, k), REGION_ELLIPSOID, 0);
		bool equality = k < c->n_equalities, truly = lies_outside(&x, equality);

		t->violated[EXACT] += truly;
		for (int way = 0; way < EXACT; way++) {
			x = verdict_across(j->region, cone_row(c, k), (enum region_kind)way, j->threshold2);
			t->violated[way] += lies_outside(&x, equality);
			t->false_violated[way] += lies_outside(&x, equality) && !truly;
		}
	}
}

/* Returns the ellipsoid's p-value. */
static double
tally_observation(const struct cone *c, const struct judged *j, struct tally *t)
{
	const struct verdict_options o = {
		.confidence = STUDY_CONFIDENCE, .decides = REGION_ELLIPSOID, .threshold2 = j->threshold2};
	struct verdict *v = verdict_new(c, j->region, &o), *exact = verdict_new(c, j->truth, &o);
	bool truly = exact->verdict == VERDICT_INFEASIBLE;
	double p = v->p;

	t->refuted[EXACT] += truly;
	for (int way = 0; way < EXACT; way++) {
		t->refuted[way] += v->region[way] == VERDICT_INFEASIBLE;
		t->false_refuted[way] += v->region[way] == VERDICT_INFEASIBLE && !truly;
	}
	tally_rows(c, j, t);
	verdict_free(v);
	verdict_free(exact);
	return p;
}

/* --- 1: what each region finds ----------------------------------------------------------------------------------- */

/* In per cent of the independent one's number; NAN if that is 0. */
static double
extra(const size_t *found, enum region_kind way)
{
	return found[REGION_INDEPENDENT] ? 100 * ((double)found[way] / (double)found[REGION_INDEPENDENT] - 1) : NAN;
}

static void
print_extra(const size_t *found)
{
	if (found[REGION_INDEPENDENT])
		printf(" %6.0f%% %6.0f%%", extra(found, REGION_BOX), extra(found, REGION_ELLIPSOID));
	else
		printf(" %7s %7s", found[REGION_BOX] ? "all" : "-", found[REGION_ELLIPSOID] ? "all" : "-");
}

/* The first names of a cone, as many as fit. */
static void
print_names(const char *names)
{
	size_t n = strlen(names);

	if (n > 20) {
		n = 18;
		while (n > 0 && names[n] != ' ')
			n--;
	}
	printf("%.*s%s%*s", (int)n, names, names[n] ? " …" : "", (int)(22 - n - (names[n] ? 2 : 0)), "");
}

static void
print_tally(const char *names, const struct tally *t)
{
	print_names(names);
	printf("%6zu %6zu %6zu %6zu", t->refuted[EXACT], t->refuted[REGION_ELLIPSOID], t->refuted[REGION_BOX],
		t->refuted[REGION_INDEPENDENT]);
	print_extra(t->refuted);
	printf(" | %6zu %6zu %6zu %6zu", t->violated[EXACT], t->violated[REGION_ELLIPSOID], t->violated[REGION_BOX],
		t->violated[REGION_INDEPENDENT]);
	print_extra(t->violated);
	printf("\n");
}

static void
add_tally(struct tally *sum, const struct tally *t)
{
	for (int way = 0; way < WAYS; way++) {
		sum->refuted[way] += t->refuted[way];
		sum->violated[way] += t->violated[way];
	}
	for (int way = 0; way < EXACT; way++) {
		sum->false_refuted[way] += t->false_refuted[way];
		sum->false_violated[way] += t->false_violated[way];
	}
}

/* Over the cones with observations that the independent region refutes. */
static void
print_mean_extra(const char *what, const struct tally *t, size_t n, bool rows)
{
	double sum[EXACT] = {0}, most[EXACT] = {0}, of = 0;
	size_t only = 0;

	for (size_t k = 0; k < n; k++) {
		const size_t *found = rows ? t[k].violated : t[k].refuted;

		only += !found[REGION_INDEPENDENT] && found[REGION_ELLIPSOID];
		if (!found[REGION_INDEPENDENT])
			continue;
		of++;
		for (int way = 0; way < REGION_INDEPENDENT; way++) {
			sum[way] += extra(found, (enum region_kind)way);
			most[way] = fmax(most[way], extra(found, (enum region_kind)way));
		}
	}
	printf("%s: box %.0f %% more than independent in the mean of %.0f cones, %.0f %% at most; ellipsoid %.0f %%, "
	       "%.0f %% at most; %zu cones are refuted by the ellipsoid alone\n",
		what, sum[REGION_BOX] / of, of, most[REGION_BOX], sum[REGION_ELLIPSOID] / of, most[REGION_ELLIPSOID],
		only);
}

/* An observation that the ellipsoid refutes wrongly: the number of cones, and the smallest p. At 99 % one of a hundred
 * is expected. */
struct wrong {
	size_t cones;
	double p;
};

static void
print_wrong(const struct simulated *d, const struct wrong *wrong)
{
	for (size_t k = 0; k < d->n; k++)
		if (wrong[k].cones)
			printf("  wrong of %zu cones by the ellipsoid, p %.2g: %s\n", wrong[k].cones, wrong[k].p,
				d->table->obs[k]->name);
}

static void
study_models(const struct region_study *s, const struct simulated *d, const char *what)
{
	struct tally *t = mem_new_array(s->n_cones, sizeof *t), sum = {{0}, {0}, {0}, {0}};
	struct wrong *wrong = mem_new_array(d->n, sizeof *wrong);

	for (size_t k = 0; k < d->n; k++) {
		struct judged j = judge(s, d, k);

		for (size_t c = 0; c < s->n_cones; c++) {
			size_t before = t[c].false_refuted[REGION_ELLIPSOID];
			double p = tally_observation(s->cone[c].cone, &j, &t[c]);

			if (t[c].false_refuted[REGION_ELLIPSOID] > before)
				wrong[k] = (struct wrong){wrong[k].cones + 1, wrong[k].cones ? fmin(p, wrong[k].p) : p};
		}
		judged_free(&j);
	}
	printf("\n%s: %zu observations, %zu active counters, %zu cones of the variants\n\n", what, d->n, s->n,
		s->n_cones);
	printf("%-22s%6s %6s %6s %6s %7s %7s | %6s %6s %6s %6s %7s %7s\n", "variants of one cone", "exact", "ellip.",
		"box", "indep.", "box", "ellip.", "exact", "ellip.", "box", "indep.", "box", "ellip.");
	for (size_t c = 0; c < s->n_cones; c++) {
		print_tally(s->cone[c].names, &t[c]);
		add_tally(&sum, &t[c]);
	}
	print_tally("all", &sum);
	printf("\n");
	print_mean_extra("observations", t, s->n_cones, false);
	print_mean_extra("constraints", t, s->n_cones, true);
	printf("refuted though the exact totals are feasible: ellipsoid %zu, box %zu, independent %zu observations; "
	       "%zu, %zu, %zu constraints\n",
		sum.false_refuted[REGION_ELLIPSOID], sum.false_refuted[REGION_BOX],
		sum.false_refuted[REGION_INDEPENDENT], sum.false_violated[REGION_ELLIPSOID],
		sum.false_violated[REGION_BOX], sum.false_violated[REGION_INDEPENDENT]);
	print_wrong(d, wrong);
	free(wrong);
	free(t);
}

/* --- 2: correlations --------------------------------------------------------------------------------------------- */

/* Over rows in which both were counted; NAN if one does not vary. */
static double
pearson(const struct obs_table *t, size_t first, size_t n, size_t i, size_t j)
{
	double sx = 0, sy = 0, xx = 0, yy = 0, xy = 0, m = 0;

	for (int pass = 0; pass < 2; pass++)
		for (size_t k = first; k < first + n; k++)
			for (size_t row = 0; row < t->obs[k]->n_rows; row++) {
				const struct obs *o = t->obs[k];
				size_t a = row * o->n_columns + i, b = row * o->n_columns + j;
				double x = (double)o->count[a], y = (double)o->count[b];

				if (!o->counted[a] || !o->counted[b])
					continue;
				if (pass == 0) {
					sx += x;
					sy += y;
					m++;
				} else {
					xx += (x - sx / m) * (x - sx / m);
					yy += (y - sy / m) * (y - sy / m);
					xy += (x - sx / m) * (y - sy / m);
				}
			}
	return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

struct correlations {
	double *value;              /* n × n */
	double pairs, above, strong; /* pairs that vary, with r > 0.9, beyond ±0.9 */
};

static void
count_pair(struct correlations *c, double r)
{
	c->pairs += isfinite(r);
	c->above += r > STRONG;
	c->strong += fabs(r) > STRONG;
}

/* All samples of all observations together. */
static struct correlations
pooled(const struct obs_table *t)
{
	size_t n = t->n_columns;
	struct correlations c = {.value = mem_new_array(n * n, sizeof *c.value)};

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			c.value[i * n + j] = i == j ? 1 : pearson(t, 0, t->n, i, j);
			if (i < j)
				count_pair(&c, c.value[i * n + j]);
		}
	return c;
}

/* In the samples of each observation; the values are means over observations in which both counters vary. */
static struct correlations
within(const struct obs_table *t)
{
	size_t n = t->n_columns;
	struct correlations c = {.value = mem_new_array(n * n, sizeof *c.value)};

	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++) {
			double sum = 0, m = 0;

			for (size_t k = 0; k < t->n; k++) {
				double r = pearson(t, k, 1, i, j);

				sum += isfinite(r) ? r : 0;
				m += isfinite(r);
				if (i < j)
					count_pair(&c, r);
			}
			c.value[i * n + j] = c.value[j * n + i] = m > 0 ? sum / m : NAN;
		}
	return c;
}

static void
print_correlations(const char *run, const char *what, const struct correlations *c)
{
	printf("%-23s %-34s %8.0f %9.1f%% %13.1f%%\n", run, what, c->pairs, 100 * c->above / c->pairs,
		100 * c->strong / c->pairs);
}

static void
study_correlations(const struct region_study *s, const struct simulated d[RUNS], const char *path)
{
	struct str out = {0};
	struct correlations own[RUNS];
	struct heat_panel panel[RUNS - 1];

	printf("\n2. Pearson's r of pairs of counters over samples: pairs in which both vary, and how many have r > "
	       "0.9 and |r| > 0.9\n\n%-58s %8s %10s %14s\n",
		"", "pairs", "r > 0.9", "|r| > 0.9");
	for (size_t k = 0; k < RUNS; k++) {
		struct correlations all = pooled(d[k].table);

		own[k] = within(d[k].table);
		print_correlations(runs[k].name, "samples of all workloads together", &all);
		print_correlations("", "of each workload", &own[k]);
		free(all.value);
		if (k > 0)
			panel[k - 1] = (struct heat_panel){runs[k].name, own[k].value};
	}
	heat_svg("Pearson's r of the counters of a simulated Haswell over samples of one workload, mean of the "
		 "workloads",
		s->name, s->n, panel, RUNS - 1, &out);
	study_write(path, &out);
	str_free(&out);
	for (size_t k = 0; k < RUNS; k++)
		free(own[k].value);
}

/* --- 3: more counters than there are ----------------------------------------------------------------------------- */

static const size_t active[] = {4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26};
#define SIZES (sizeof active / sizeof *active)

/* For each number of active counters. Constraint 1 of CounterPoint's table 1 is load.ret_stlb_miss ≤ load.walk_done. */
struct growth {
	/* standard deviation of a sample of load.walk_done, in per cent of its mean: median over workloads that violate
	 * the constraint */
	double noise;
	/* The ellipsoid's mean half-width (geometric) as a share of that with independent counters: median. */
	double narrower;
	size_t violate;               /* workloads that violate it, in truth */
	size_t violated[EXACT], wrong[EXACT]; /* of these, the ones found; and workloads found that do not violate it */
	struct tally models;
};

static double
spread_of(const struct obs *o, size_t column)
{
	double sum = 0, square = 0, n = 0;

	for (size_t row = 0; row < o->n_rows; row++)
		if (o->counted[row * o->n_columns + column]) {
			sum += (double)o->count[row * o->n_columns + column];
			n++;
		}
	for (size_t row = 0; row < o->n_rows; row++)
		if (o->counted[row * o->n_columns + column])
			square += pow((double)o->count[row * o->n_columns + column] - sum / n, 2);
	return sum > 0 ? 100 * sqrt(square / (n - 1)) / (sum / n) : 0;
}

static double
narrower_by(const struct region *r)
{
	double sum = 0;

	for (size_t i = 0; i < r->n; i++)
		sum += log(r->spread.factor[i * r->n + i]) - log(r->spread.variance[i]) / 2;
	return exp(sum / (double)r->n);
}

static void
judge_constraint(const struct judged *j, struct growth *g, const struct obs *o, double *noise, double *narrower)
{
	int64_t *coef = mem_new_array(j->region->n, sizeof *coef);
	struct across x;
	bool truly;

	coef[0] = -1;
	coef[1] = 1;
	x = verdict_across(j->truth, coef, REGION_ELLIPSOID, 0);
	truly = lies_outside(&x, false);
	if (truly) {
		noise[g->violate] = spread_of(o, 1);
		narrower[g->violate++] = narrower_by(j->region);
	}
	for (int way = 0; way < EXACT; way++) {
		x = verdict_across(j->region, coef, (enum region_kind)way, j->threshold2);
		g->violated[way] += truly && lies_outside(&x, false);
		g->wrong[way] += !truly && lies_outside(&x, false);
	}
	free(coef);
}

static bool
is_of_table_3(const struct study_cone *c)
{
	return c->names[0] == 'm' && strcspn(c->names, " ") == 2;
}

static struct growth
grow(const struct region_study *s, size_t n, unsigned physical, size_t every)
{
	const struct study_run run = {
		.active = n, .physical = physical, .every = every, .accesses = FEW_ACCESSES, .period = STUDY_FAST};
	struct cone **cone = mem_new_array(s->n_cones, sizeof *cone);
	struct growth g = {0};
	struct simulated d;
	double *noise, *narrower;

	region_study_run(s, &run, &d);
	noise = mem_new_array(d.n, sizeof *noise);
	narrower = mem_new_array(d.n, sizeof *narrower);
	for (size_t c = 0; c < s->n_cones; c++)
		if (is_of_table_3(&s->cone[c]))
			cone[c] = study_first(s->cone[c].cone, n);
	for (size_t k = 0; k < d.n; k++) {
		struct judged j = judge(s, &d, k);

		judge_constraint(&j, &g, d.table->obs[k], noise, narrower);
		for (size_t c = 0; c < s->n_cones; c++)
			if (cone[c])
				tally_observation(cone[c], &j, &g.models);
		judged_free(&j);
	}
	g.noise = g.violate ? bench_median(noise, g.violate) : NAN;
	g.narrower = g.violate ? bench_median(narrower, g.violate) : NAN;
	for (size_t c = 0; c < s->n_cones; c++)
		cone_free(cone[c]);
	free(cone);
	free(noise);
	free(narrower);
	simulated_free(&d);
	return g;
}

static void
print_growth(size_t n, const struct growth *g)
{
	printf("%6zu %7.1f%% %8.2f | %5zu %6zu %6zu %6zu %5zu/%zu/%zu | %6zu %6zu %6zu %6zu %5zu/%zu/%zu\n", n,
		g->noise, g->narrower, g->violate, g->violated[REGION_ELLIPSOID], g->violated[REGION_BOX],
		g->violated[REGION_INDEPENDENT], g->wrong[REGION_ELLIPSOID], g->wrong[REGION_BOX],
		g->wrong[REGION_INDEPENDENT], g->models.refuted[EXACT], g->models.refuted[REGION_ELLIPSOID],
		g->models.refuted[REGION_BOX], g->models.refuted[REGION_INDEPENDENT],
		g->models.false_refuted[REGION_ELLIPSOID], g->models.false_refuted[REGION_BOX],
		g->models.false_refuted[REGION_INDEPENDENT]);
	fflush(stdout);
}

static void
study_growth(const struct region_study *s, unsigned physical, size_t every, struct growth *g)
{
	printf("\n%u physical counters\n%6s %8s %8s | %5s %6s %6s %6s %9s | %6s %6s %6s %6s %9s\n", physical, "active",
		"noise", "narrower", "true", "ellip.", "box", "indep.", "wrong", "exact", "ellip.", "box", "indep.",
		"wrong");
	for (size_t k = 0; k < SIZES; k++) {
		g[k] = grow(s, active[k], physical, every);
		print_growth(active[k], &g[k]);
	}
}

/* By active counters; `found` in per cent of the workloads that violate the constraint. */
struct curves {
	double x[SIZES], noise[2][SIZES], found[EXACT][SIZES], refuted[WAYS][SIZES];
};

static struct plot_series
series(const struct curves *c, const char *name, const double *y, unsigned color, enum plot_marker marker)
{
	return (struct plot_series){.name = name, .n = SIZES, .x = c->x, .y = y, .color = color, .marker = marker};
}

/* Colours of Okabe and Ito; markers differ too. */
static void
draw_growth(const struct growth *four, const struct growth *eight, const char *path)
{
	struct curves c;
	struct str out = {0};

	for (size_t k = 0; k < SIZES; k++) {
		c.x[k] = (double)active[k];
		c.noise[0][k] = four[k].noise;
		c.noise[1][k] = eight[k].noise;
		for (int way = 0; way < EXACT; way++)
			c.found[way][k] = 100 * (double)four[k].violated[way] / (double)four[k].violate;
		for (int way = 0; way < WAYS; way++)
			c.refuted[way][k] = (double)four[k].models.refuted[way];
	}
	{
		const struct plot_series noise[] = {
			series(&c, "4 physical counters", c.noise[0], 0xd55e00, PLOT_CIRCLE),
			series(&c, "8", c.noise[1], 0x0072b2, PLOT_SQUARE)
		};
		const struct plot_series found[] = {
			series(&c, "ellipsoid", c.found[REGION_ELLIPSOID], 0x009e73, PLOT_CIRCLE),
			series(&c, "box along its axes", c.found[REGION_BOX], 0xd55e00, PLOT_SQUARE),
			series(&c, "independent", c.found[REGION_INDEPENDENT], 0x0072b2, PLOT_TRIANGLE),
		};
		const struct plot_series refuted[] = {
			series(&c, "exact totals", c.refuted[EXACT], 0x222222, PLOT_NO_MARKER),
			series(&c, "ellipsoid", c.refuted[REGION_ELLIPSOID], 0x009e73, PLOT_CIRCLE),
			series(&c, "box along its axes", c.refuted[REGION_BOX], 0xd55e00, PLOT_SQUARE),
			series(&c, "independent", c.refuted[REGION_INDEPENDENT], 0x0072b2, PLOT_TRIANGLE),
		};
		const struct plot_panel panel[] = {
			{.title = "Noise of load.walk_done",
				.x_label = "active counters",
				.y_label = "deviation of a sample, %",
				.series = noise,
				.n_series = 2},
			{.title = "Violations of constraint 1 found",
				.x_label = "active counters, 4 physical",
				.y_label = "% of the workloads that violate it",
				.series = found,
				.n_series = 3},
			{.title = "m0 to m11: observations refuted",
				.x_label = "active counters, 4 physical",
				.y_label = "observations, all cones together",
				.series = refuted,
				.n_series = 4},
		};

		plot_svg("A simulated Haswell: what more active counters cost and bring", panel, 3, &out);
	}
	study_write(path, &out);
	str_free(&out);
}

int
main(int argc, char **argv)
{
	struct region_study *s;
	struct growth four[SIZES], eight[SIZES];
	struct simulated d[RUNS];
	uint64_t thin = 1;

	if (argc < 3 || (argc > 3 && (!str_to_u64(argv[3], &thin) || thin < 1 || thin > 50))) {
		fprintf(stderr, "usage: regions CORRELATIONS.svg COUNTERS.svg [EVERY]\n");
		return 2;
	}
	s = region_study_new();
	printf("1. Observations refuted, then violated constraints of all observations, by exact totals, ellipsoid, "
	       "box, independent; what box and ellipsoid find more than independent\n");
	for (size_t k = 0; k < RUNS; k++) {
		const struct study_run run = {.active = s->n,
			.physical = runs[k].physical,
			.every = thin,
			.accesses = SIM_ACCESSES,
			.period = runs[k].period};

		region_study_run(s, &run, &d[k]);
		study_models(s, &d[k], runs[k].name);
	}
	study_correlations(s, d, argv[1]);
	printf("\n3. %zu workloads, counters added one by one: deviation of a sample of load.walk_done, mean "
	       "half-width of the ellipsoid as a share of the independent one's (medians);\n"
	       "load.ret_stlb_miss <= load.walk_done: workloads that violate it, found by each region, found though it "
	       "holds; then m0 to m11 by exact totals and regions, and wrongly refuted\n",
		(s->suite.n + FEW_EVERY * thin - 1) / (FEW_EVERY * thin));
	study_growth(s, 4, FEW_EVERY * thin, four);
	study_growth(s, 8, FEW_EVERY * thin, eight);
	draw_growth(four, eight, argv[2]);
	for (size_t k = 0; k < RUNS; k++)
		simulated_free(&d[k]);
	region_study_free(s);
	return 0;
}
