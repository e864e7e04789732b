/* Constraints and times by number of counters: `make bench-scaling`. All 32 choices of features of the Haswell model;
 * counters are added one by one, in groups: retired µops, STLB, walks, references, and at last counters that a Haswell
 * does not have, for hits and misses in each paging-structure cache. After Figures 1b, 9a and 9b of CounterPoint, whose
 * Figure 1b begins with the ten counters of the L2 TLB. Prints tables and writes scaling.svg.
 *
 * A model's time for facets is a median, that for verdicts a mean over its observations, of which some are refuted.
 * Every row is the median and the range over the models. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench.h"
#include "core/cone/cone.h"
#include "core/cone/double_description.h"
#include "core/cone/signatures.h"
#include "core/stats/region.h"
#include "core/stats/tails.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "core/verdict/box.h"
#include "core/verdict/projection.h"
#include "core/verdict/verdict.h"
#include "models.h"
#include "plot.h"
#include "synthetic.h"
#include "test.h"
#include "text/diag.h"

#define MODELS 32
#define COUNTERS_MAX 64
#define OBSERVATIONS 24
#define ROWS 60
#define PPL_LIMIT 2 /* s */
#define RANDOM_SIGNATURES 40
#define ROUNDS 5 /* a derivation's time is the median of these, a verdict's the smallest */
#define CONFIDENCE 0.99

enum figure { CONSTRAINTS, FACETS, DISTANCE, BOX, VERDICTS, BARE, FIGURES };

struct study {
	struct udd_model *plain;           /* as installed */
	struct udd_model *model;           /* with hypothetical counters */
	size_t n, *column;                 /* the model's counters in the order in which they are added */
	size_t real;                       /* number of them that a Haswell has */
	struct plot_stretch group[8];
	size_t n_groups;
	double at[FIGURES][MODELS][COUNTERS_MAX]; /* by number of counters − 1; times in seconds */
};

static struct udd_model *
parse(const char *text, size_t n)
{
	struct diags d = {0};
	struct udd_model *m = model_from_text(text, n, &d);

	if (!m || m->n_counters > COUNTERS_MAX || m->n_features != 5) {
		struct str why = {0};

		diags_print(&d, "", &why);
		fprintf(stderr, "bench/scaling: models/haswell-mmu.udd is not what is expected here\n%s",
			str_text(&why));
		exit(1);
	}
	diags_free(&d);
	return m;
}

/* Adds counters that no Haswell has to a model's printed text: one for each outcome of a lookup in a paging-structure
 * cache. In printed text each case has a line of its own. */
static void
add_hypothetical(const char *text, struct str *out)
{
	/* the property that the block of this depth switches on, if it is such a cache */
	const char *cache[UDD_NESTING_MAX + 2] = {NULL};
	size_t depth = 0;
	char **line = str_split(text, '\n', NULL);

	for (size_t i = 0; line[i]; i++) {
		const char *s = line[i] + strspn(line[i], " "), *to = strchr(s, ':'), *end;

		depth -= *s == '}' && depth > 0;
		if (cache[depth] && to && (str_starts(s, "case Hit:") || str_starts(s, "case Miss:"))) {
			str_addn(out, line[i], (size_t)(to - line[i]) + 1);
			str_addf(out, " count <T>.%.*s_%.*s;%s\n", (int)strcspn(cache[depth], ")"), cache[depth],
				(int)(to - s) - 5, s + 5, to + 1);
		} else {
			str_addf(out, "%s\n", line[i]);
		}
		if (!str_ends(line[i], "{"))
			continue;
		end = strstr(s, "Cache)");
		cache[++depth] = str_starts(s, "switch (<T>_") && end ? s + strlen("switch (<T>_") : NULL;
	}
	str_split_free(line);
}

static void
read_models(struct study *s)
{
	struct str printed = {0}, extended = {0};

	s->plain = bench_model("haswell-mmu");
	udd_print(s->plain, &printed);
	add_hypothetical(str_text(&printed), &extended);
	s->model = parse(str_text(&extended), extended.n);
	str_free(&printed);
	str_free(&extended);
}

/* Table 2's groups, and the added ones. */
static void
order_counters(struct study *s)
{
	static const char *const order[] = {"Ret", "STLB", "Walk", "Refs"};

	s->column = mem_new_array(s->model->n_counters, sizeof *s->column);
	for (size_t k = 0; k < sizeof order / sizeof *order; k++)
		for (size_t g = 0; g < s->model->n_groups; g++) {
			const struct udd_group *u = &s->model->group[g];

			if (!str_eq(u->name, order[k]))
				continue;
			for (size_t i = 0; i < u->n; i++)
				for (size_t j = 0; j < s->model->n_counters; j++)
					if (str_eq(u->counter[i], s->model->counter[j].name))
						s->column[s->n++] = j;
			s->group[s->n_groups++] = (struct plot_stretch){u->name, (double)s->n};
		}
	s->real = s->n;
	for (size_t j = 0; j < s->model->n_counters; j++)
		if (!s->model->counter[j].declared)
			s->column[s->n++] = j;
	s->group[s->n_groups++] = (struct plot_stretch){"hypothetical", (double)s->n};
}

/* All signatures of a choice, with n of the model's columns in the given order; without facets. */
static struct cone *
whole_cone(const struct udd_model *m, size_t choice, size_t n, const size_t *column)
{
	static const struct cone_limits none = {.seconds = -1};
	struct fset on = {{choice}};
	struct diags d = {0};
	struct udd_diagram *g = udd_expand(m, &on, &d);
	struct signatures *sig = signatures_new(g, &d);
	int64_t *v = mem_new_array(sig->n * n, sizeof *v);
	struct cone *c;

	for (size_t k = 0; k < sig->n; k++)
		for (size_t i = 0; i < n; i++)
			v[k * n + i] = sig->coef[k * sig->n_counters + column[i]];
	c = cone_new(n, sig->n, v, &none);
	free(v);
	signatures_free(sig);
	udd_diagram_free(g);
	diags_free(&d);
	return c;
}

static struct cone *
first_counters(const struct cone *c, size_t n, double seconds)
{
	struct cone_limits limits = {.seconds = seconds};
	bool keep[COUNTERS_MAX] = {false};

	for (size_t i = 0; i < n; i++)
		keep[i] = true;
	return cone_project(c, keep, &limits);
}

/* The first n counters of each row. */
static struct samples
first_columns(int64_t *to, const int64_t *from, size_t all, size_t n)
{
	for (size_t row = 0; row < ROWS; row++)
		memcpy(to + row * n, from + row * all, n * sizeof *to);
	return (struct samples){.n_counters = n, .n_rows = ROWS, .count = to};
}

/* Half of the observations are drawn from the model. In the others a share of the flow raises single counters, which
 * some models know and others do not. */
static int64_t *
observation(const struct cone *c, size_t k, uint64_t *seed)
{
	static const double shares[] = {0, 0.02, 0, 0.1, 0, 0.4};
	size_t n = c->n_counters;
	int64_t *outside = mem_new_array(4 * n, sizeof *outside), *count;
	struct synthetic s = {.n_counters = n,
		.n_rays = c->n_rays,
		.ray = c->ray,
		.n_outside = 4,
		.outside = outside,
		.share = shares[k % 6],
		.spread = 3 + test_random(seed) % 198,
		.scale = pow(10, 4 + (double)(k % 5)),
		.rows = ROWS};

	for (size_t i = 0; i < 4; i++)
		outside[i * n + test_random(seed) % n] = 1;
	count = synthetic_samples(&s, seed);
	free(outside);
	return count;
}

static void
keep_least(double *least, double start)
{
	double t = clock_seconds() - start;

	*least = t < *least ? t : *least;
}

/* Times of one observation, each the least of some rounds. The axes of the box are part of its time. */
static void
time_verdicts(
	const struct cone *c, const struct cone *bare, const struct samples *samples, double q, double least[FIGURES])
{
	struct verdict_options o = {.confidence = CONFIDENCE, .threshold2 = q};

	for (int round = 0; round < ROUNDS; round++) {
		struct region *r = region_new(samples, false);
		double *half = mem_new_array(r->n, sizeof *half), start = clock_seconds();
		struct certify_region shape = {.shape = CERTIFY_BOX, .region = r, .half = half};
		struct box_answer b;
		struct projection near;
		struct verdict *v;

		projection_find(c, r->mean, r->slack, r->spread.factor, false, &near);
		keep_least(&least[DISTANCE], start);
		start = clock_seconds();
		region_axes(r);
		shape.axis = r->eigenvector;
		for (size_t i = 0; i < r->n; i++)
			half[i] = sqrt(r->eigenvalue[i] * q);
		b = box_decide(c, &shape, &near);
		keep_least(&least[BOX], start);
		free(b.certificate);
		free(b.inside);
		free(half);
		projection_free(&near);
		region_free(r);
		r = region_new(samples, false);
		start = clock_seconds();
		v = verdict_new(c, r, &o);
		keep_least(&least[VERDICTS], start);
		verdict_free(v);
		region_free(r);
		r = region_new(samples, false);
		start = clock_seconds();
		v = verdict_new(bare, r, &o);
		keep_least(&least[BARE], start);
		verdict_free(v);
		region_free(r);
	}
}

static void
study_verdicts(
	struct study *s, size_t model, size_t n, const struct cone *c, const struct cone *bare, int64_t *const *data)
{
	double q = chi2_quantile(CONFIDENCE, n);
	int64_t *count = mem_new_array(ROWS * n, sizeof *count);

	for (size_t k = 0; k < OBSERVATIONS; k++) {
		struct samples samples = first_columns(count, data[k], s->n, n);
		double least[FIGURES] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};

		time_verdicts(c, bare, &samples, q, least);
		for (size_t f = DISTANCE; f < FIGURES; f++)
			s->at[f][model][n - 1] += least[f] / OBSERVATIONS;
	}
	free(count);
}

static void
study_model(struct study *s, size_t model)
{
	struct cone *whole = whole_cone(s->model, model, s->n, s->column);
	int64_t *data[OBSERVATIONS];
	uint64_t seed = 1 + model;

	for (size_t k = 0; k < OBSERVATIONS; k++)
		data[k] = observation(whole, k, &seed);
	for (size_t n = 1; n <= s->n; n++) {
		struct cone *c = NULL, *bare = first_counters(whole, n, -1);
		double t[ROUNDS];

		for (size_t k = 0; k < ROUNDS; k++) {
			cone_free(c);
			c = first_counters(whole, n, 60);
			t[k] = c->seconds;
		}
		if (!c->complete) {
			fprintf(stderr, "bench/scaling: choice %zu, %zu counters: %s\n", model, n, c->reason);
			exit(1);
		}
		s->at[CONSTRAINTS][model][n - 1] = (double)(c->n_equalities + c->n_inequalities);
		s->at[FACETS][model][n - 1] = bench_median(t, ROUNDS);
		study_verdicts(s, model, n, c, bare, data);
		cone_free(c);
		cone_free(bare);
	}
	for (size_t k = 0; k < OBSERVATIONS; k++)
		free(data[k]);
	cone_free(whole);
}

/* Over the models, for n counters. */
struct spread {
	double low, mid, high;
};

static struct spread
spread_of(const struct study *s, enum figure f, size_t n)
{
	double t[MODELS];
	struct spread out;

	for (size_t m = 0; m < MODELS; m++)
		t[m] = s->at[f][m][n - 1];
	out.mid = bench_median(t, MODELS);
	out.low = t[0];
	out.high = t[MODELS - 1];
	return out;
}

static void
print_head(void)
{
	printf("%8s %-12s  %19s  %22s  %9s %9s %9s %9s\n", "counters", "group", "constraints", "facets, ms", "distance",
		"box", "verdicts", "no facets");
}

static void
print_row(const struct study *s, size_t n, const char *group)
{
	static const enum figure times[] = {DISTANCE, BOX, VERDICTS, BARE};
	struct spread c = spread_of(s, CONSTRAINTS, n), t = spread_of(s, FACETS, n);

	printf("%8zu %-12s  %5.1f (%4.0f … %4.0f)  %7.3f (%5.3f … %5.3f)", n, group, c.mid, c.low, c.high, t.mid * 1e3,
		t.low * 1e3, t.high * 1e3);
	for (size_t k = 0; k < 4; k++)
		printf(" %s%9.2f", k ? "" : " ", spread_of(s, times[k], n).mid * 1e6);
	printf("\n");
}

/* By groups: the ratio of the last row's figures to the first's. */
static void
print_tables(const struct study *s)
{
	static const char *const name[] = {"constraints", "facets", "distance", "box", "verdicts", "no facets"};
	size_t first = (size_t)s->group[0].end;

	printf("%d choices of features, counters added in groups; median (range) over the models, verdicts in µs, the "
	       "models' median\n",
		MODELS);
	print_head();
	for (size_t g = 0; g < s->n_groups; g++)
		print_row(s, (size_t)s->group[g].end, s->group[g].name);
	printf("\n%zu counters against %zu, ratio of the medians:", s->real, first);
	for (enum figure f = CONSTRAINTS; f < FIGURES; f++)
		printf(" %s %.1f%s", name[f], spread_of(s, f, s->real).mid / spread_of(s, f, first).mid,
			f + 1 < FIGURES ? "," : "\n");
	printf("\nthe same, counters added one by one\n");
	print_head();
	for (size_t n = 1, g = 0; n <= s->n; n++) {
		g += n > (size_t)s->group[g].end;
		print_row(s, n, s->group[g].name);
	}
}

/* PPL's double description of all signatures, without the work that cone_new() does before. */
static double
time_ppl(size_t n, size_t m, const int64_t *signature, size_t *facets, const char **failure)
{
	struct double_description d;
	double start = clock_seconds();

	double_description_find(n, m, signature, PPL_LIMIT, &d);
	*facets = d.n_facets;
	*failure = d.failure;
	start = clock_seconds() - start;
	double_description_free(&d);
	return start;
}

static void
print_ppl(const struct study *s)
{
	size_t column[COUNTERS_MAX];
	double t[MODELS], mid, unit = bench_unit(), own = spread_of(s, FACETS, s->real).mid;
	size_t facets;
	const char *failure;

	for (size_t i = 0; i < s->real; i++)
		column[i] = i;
	for (size_t m = 0; m < MODELS; m++) {
		struct cone *c = whole_cone(s->plain, m, s->real, column);
		double round[ROUNDS];

		for (size_t k = 0; k < ROUNDS; k++)
			round[k] = time_ppl(s->real, c->n_signatures, c->signature, &facets, &failure);
		t[m] = bench_median(round, ROUNDS);
		cone_free(c);
	}
	mid = bench_median(t, MODELS);
	printf("\nall facets from all signatures, %d choices of features: PPL alone %.2f ms (%.2f … %.2f), hecate %.2f "
	       "ms: %.2f of it\n",
		MODELS, mid * 1e3, t[0] * 1e3, t[MODELS - 1] * 1e3, own * 1e3, own / mid);
	printf("PPL alone on m0 %.2f ms: %.2f times the %.1f ms of the machine that docs/numerics.md names\n",
		unit * 1e3, unit / PROTOTYPE_SECONDS, PROTOTYPE_SECONDS * 1e3);
}

static void
print_time(bool complete, double seconds)
{
	if (complete)
		printf("  %10.1f", seconds * 1e3);
	else
		printf("  %10s", "given up");
}

/* Cones without a microarchitecture: a third of all entries is 1 to 6, the others 0. */
static void
print_random(void)
{
	static const size_t width[] = {4, 6, 8, 9, 10, 11, 12, 14, 20};
	uint64_t seed = 7;

	printf("\nrandom cones of %d signatures, limit %g s\n%8s  %8s  %10s  %10s\n", RANDOM_SIGNATURES,
		(double)PPL_LIMIT, "counters", "facets", "PPL, ms", "hecate, ms");
	for (size_t k = 0; k < sizeof width / sizeof *width; k++) {
		size_t n = width[k], facets;
		int64_t *signature = mem_new_array(n * RANDOM_SIGNATURES, sizeof *signature);
		struct cone_limits limits = {.seconds = PPL_LIMIT};
		struct cone *c;
		const char *failure;
		double t;

		for (size_t i = 0; i < n * RANDOM_SIGNATURES; i++)
			signature[i] = test_random(&seed) % 3 ? 0 : 1 + (int64_t)(test_random(&seed) % 6);
		c = cone_new(n, RANDOM_SIGNATURES, signature, &limits);
		t = time_ppl(n, c->n_signatures, c->signature, &facets, &failure);
		if (c->complete || !failure)
			printf("%8zu  %8zu", n, c->complete ? c->n_inequalities : facets);
		else
			printf("%8zu  %8s", n, "?");
		print_time(!failure, t);
		print_time(c->complete, c->seconds);
		printf("\n");
		cone_free(c);
		free(signature);
	}
}

/* Axis values, medians and ranges of one figure, in the unit of its axis. */
struct curve {
	double x[COUNTERS_MAX], mid[COUNTERS_MAX], low[COUNTERS_MAX], high[COUNTERS_MAX];
	double model[MODELS][COUNTERS_MAX];
};

static struct curve *
curve_new(const struct study *s, enum figure f, double unit)
{
	struct curve *c = mem_new(sizeof *c);

	for (size_t n = 1; n <= s->n; n++) {
		struct spread t = spread_of(s, f, n);

		c->x[n - 1] = (double)n;
		c->mid[n - 1] = t.mid * unit;
		c->low[n - 1] = t.low * unit;
		c->high[n - 1] = t.high * unit;
		for (size_t m = 0; m < MODELS; m++)
			c->model[m][n - 1] = s->at[f][m][n - 1] * unit;
	}
	return c;
}

static size_t
add_models(struct plot_series *to, size_t n, const struct curve *c)
{
	for (size_t m = 0; m < MODELS; m++)
		to[m] = (struct plot_series){.n = n, .x = c->x, .y = c->model[m], .color = 0x56b4e9, .thin = true};
	to[0].name = "one model";
	return MODELS;
}

static struct plot_series
median_of(const char *name, size_t n, const struct curve *c, unsigned color, enum plot_marker marker, bool band)
{
	return (struct plot_series){.name = name,
		.n = n,
		.x = c->x,
		.y = c->mid,
		.low = band ? c->low : NULL,
		.high = band ? c->high : NULL,
		.color = color,
		.marker = marker};
}

static void
write_file(const char *path, const struct str *text)
{
	FILE *f = fopen(path, "w");
	bool good = f && fwrite(str_text(text), 1, text->n, f) == text->n;

	if (f && fclose(f) != 0)
		good = false;
	if (!good) {
		fprintf(stderr, "bench/scaling: cannot write %s\n", path);
		exit(1);
	}
	printf("\n%s written, %zu bytes\n", path, text->n);
}

/* Colours of Okabe and Ito, which readers with colour blindness can separate; markers differ too. */
static void
write_figure(const struct study *s, const char *path)
{
	static const double unit[FIGURES] = {1, 1e3, 1e6, 1e6, 1e6, 1e6};
	struct curve *c[FIGURES];
	struct plot_series count[MODELS + 1], facets[MODELS + 1], verdicts[4];
	struct plot_panel panel[] = {
		{.title = "Constraints of the cone", .y_label = "equalities and inequalities", .series = count,
			.n_series = MODELS + 1},
		{.title = "Deriving them", .y_label = "ms", .log_y = true, .series = facets, .n_series = MODELS + 1},
		{.title = "Judging an observation", .y_label = "µs", .log_y = true, .series = verdicts, .n_series = 4},
	};
	struct str out = {0};

	for (enum figure f = CONSTRAINTS; f < FIGURES; f++)
		c[f] = curve_new(s, f, unit[f]);
	count[add_models(count, s->n, c[CONSTRAINTS])] =
		median_of("median of 32 models", s->n, c[CONSTRAINTS], 0xd55e00, PLOT_CIRCLE, false);
	facets[add_models(facets, s->n, c[FACETS])] =
		median_of("median of 32 models", s->n, c[FACETS], 0xd55e00, PLOT_CIRCLE, false);
	verdicts[0] = median_of("three verdicts, without facets", s->n, c[BARE], 0x0072b2, PLOT_TRIANGLE, true);
	verdicts[1] = median_of("box, with its axes", s->n, c[BOX], 0xd55e00, PLOT_SQUARE, true);
	verdicts[2] = median_of("three verdicts", s->n, c[VERDICTS], 0x222222, PLOT_NO_MARKER, false);
	verdicts[3] = median_of("ellipsoid: distance", s->n, c[DISTANCE], 0x009e73, PLOT_CIRCLE, true);
	for (size_t k = 0; k < 3; k++) {
		panel[k].x_label = "counters";
		panel[k].stretch = s->group;
		panel[k].n_stretches = s->n_groups;
	}
	plot_svg("Haswell MMU, 32 choices of features: what more counters cost", panel, 3, &out);
	write_file(path, &out);
	str_free(&out);
	for (size_t f = 0; f < FIGURES; f++)
		free(c[f]);
}

int
main(int argc, char **argv)
{
	struct study *s = mem_new(sizeof *s);

	read_models(s);
	order_counters(s);
	for (size_t m = 0; m < MODELS; m++)
		study_model(s, m);
	print_tables(s);
	print_ppl(s);
	print_random();
	write_figure(s, argc > 1 ? argv[1] : "scaling.svg");
	free(s->column);
	udd_free(s->model);
	udd_free(s->plain);
	free(s);
	return 0;
}
