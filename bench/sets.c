/* What sets by constraint change where events take turns: `make bench-sets` prints what docs/rotation.md sums up.
 *
 * Models: the variants of haswell-study.udd in the order of the file, those whose features the simulated machine has by
 * the same names, and whose cone no earlier one has; the first ten. Variants with prefetches of tables 5 and 6 (pf_…)
 * are left out, because the machine's features of these names mean something else. The machine has the features of the
 * variant, so the model is true. Its 26 counters take turns on four programmable counters. Each workload runs with the
 * same seeds under both kinds of sets.
 *
 * Printed, sets by constraint against sets in order: the width of a constraint's slack (its standard error; geometric
 * mean over constraints and runs) and the volume of the region per counter (its root of degree 26). narrower: share of
 * the constraints. refuted: true models refuted. found: how many errors are found if one counter, each in its turn,
 * reads 2 % too much or too little; many of these errors break no constraint. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "base/str.h"
#include "bench.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/fit/sets.h"
#include "core/stats/region.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "core/verdict/verdict.h"
#include "sim/machine.h"
#include "sim/run.h"
#include "test.h"
#include "text/diag.h"

#define MODELS 10
#define N 26
#define ROWS 60

static const char *const workload[] = {
	"linear:footprint=4G,loads=0.7,turn=2K+random:footprint=4G,loads=0.7,turn=1K",
	"linear:footprint=64G,page=2m,loads=0.6,turn=30K+random:footprint=64G,loads=0.8,wrong=0.01,turn=10K",
	"zipf:footprint=4G,loads=0.7,wrong=0.01",
};
#define WORKLOADS (sizeof workload / sizeof *workload)

struct planted {
	const char *name;
	sim_plants plants;
	struct cone *cone;
	struct set_constraints constraints;
};

struct study {
	struct sim_machine *machine;
	enum sim_event event[N];
	struct planted model[MODELS];
	size_t n, seeds;
	struct outcome *one; /* models × 2 kinds of sets × workloads × seeds */
};

struct outcome {
	double *width, volume; /* per constraint of two counters or more: 0 if nothing varies; log of the root */
	bool refuted;
	size_t found; /* of 2 N errors */
};

static struct cone *
cone_of(const struct udd_model *m, const struct fset *on)
{
	struct diags d = {0};
	struct udd_diagram *g = udd_expand(m, on, &d);
	struct signatures *s = g ? signatures_spanning(g, &d) : NULL;
	struct cone *cone = s ? cone_new(s->n_counters, s->n, s->coef, NULL) : NULL;

	signatures_free(s);
	udd_diagram_free(g);
	diags_free(&d);
	return cone;
}

/* Finds the machine's features for a choice; false if it lacks one. */
static bool
plants_of(const struct udd_model *m, const struct fset *on, sim_plants *plants)
{
	*plants = 0;
	for (size_t f = 0; f < m->n_features; f++) {
		enum sim_plant p;

		if (!fset_has(on, f))
			continue;
		if (str_starts(m->feature[f].name, "pf_") || !sim_plant_find(m->feature[f].name, &p))
			return false;
		*plants |= 1u << p;
	}
	return true;
}

static bool
same_cone(const struct cone *a, const struct cone *b)
{
	return a->n_inequalities == b->n_inequalities && a->n_equalities == b->n_equalities &&
		memcmp(a->inequality, b->inequality, a->n_inequalities * N * sizeof *a->inequality) == 0 &&
		memcmp(a->equality, b->equality, a->n_equalities * N * sizeof *a->equality) == 0;
}

static void
choose_models(struct study *study, const struct udd_model *m)
{
	for (size_t v = 0; v < m->n_variants && study->n < MODELS; v++) {
		struct planted *model = &study->model[study->n];
		struct err e;
		struct fset on;
		bool known = false;

		model->name = m->variant[v].name;
		if (!udd_choose(m, model->name, NULL, NULL, &on, &e) || !plants_of(m, &on, &model->plants))
			continue;
		model->cone = cone_of(m, &on);
		for (size_t k = 0; k < study->n; k++)
			known |= same_cone(study->model[k].cone, model->cone);
		if (known) {
			cone_free(model->cone);
			continue;
		}
		model->constraints = set_constraints_of_cone(model->cone);
		study->n++;
	}
}

static bool
is_refuted(const struct cone *cone, const struct region *region)
{
	const struct verdict_options how = {.confidence = 0.99, .decides = REGION_CONE, .alone = true, .bare = true};
	struct verdict *v = verdict_new(cone, region, &how);
	bool refuted = v->verdict == VERDICT_INFEASIBLE;

	verdict_free(v);
	return refuted;
}

static void
judge(const struct planted *model, const struct samples *s, struct outcome *out)
{
	struct region *region = region_new(s, false);
	size_t at = 0;

	out->width = mem_new_array(model->cone->n_equalities + model->cone->n_inequalities, sizeof *out->width);
	for (size_t k = 0; k < model->cone->n_equalities + model->cone->n_inequalities; k++) {
		const int64_t *row = cone_row(model->cone, k);
		double variance = 0, size = 0;
		size_t n = 0;

		for (size_t i = 0; i < N; i++) {
			n += row[i] != 0;
			size += fabs((double)row[i]) * region->mean[i];
			for (size_t j = 0; j < N; j++)
				variance += (double)row[i] * (double)row[j] * spread_at(&region->spread, N, i, j);
		}
		if (n > 1)
			out->width[at++] = size > 0 ? sqrt(fmax(variance, 0) / region->inflation) : 0;
	}
	for (size_t i = 0; i < N; i++)
		out->volume += log(region->spread.factor[i * N + i]) / N;
	out->refuted = is_refuted(model->cone, region);
	region_free(region);
}

/* Counts the errors of one counter that the model shows. */
static size_t
errors_found(const struct planted *model, const struct samples *s)
{
	int64_t *count = mem_copy(s->count, ROWS * N * sizeof *count);
	struct samples off = *s;
	size_t found = 0;

	off.count = count;
	for (size_t i = 0; i < 2 * N; i++) {
		const double by = i % 2 ? 1.02 : 0.98;
		struct region *region;

		for (size_t m = 0; m < ROWS; m++)
			count[m * N + i / 2] = llround((double)s->count[m * N + i / 2] * by);
		region = region_new(&off, false);
		found += is_refuted(model->cone, region);
		region_free(region);
		for (size_t m = 0; m < ROWS; m++)
			count[m * N + i / 2] = s->count[m * N + i / 2];
	}
	free(count);
	return found;
}

static void
run_once(void *ctx, size_t i)
{
	struct study *study = ctx;
	const struct planted *model = &study->model[i / (2 * WORKLOADS * study->seeds)];
	const bool by = i / (WORKLOADS * study->seeds) % 2;
	const struct sim_run_spec spec = {.machine = study->machine, .plants = model->plants,
		.workload = workload[i / study->seeds % WORKLOADS], .trace = -1, .seed = 1 + i % study->seeds,
		.event = study->event, .n_events = N, .multiplex = true, .warm_up = 100000, .accesses = 20000,
		.rotation = ROTATION_RANDOM, .constraints = by ? &model->constraints : NULL};
	struct err e;
	struct sim_run *run = sim_run_new(&spec, &e);
	int64_t count[ROWS * N];
	double running[ROWS * N];
	unsigned char counted[ROWS * N];
	struct samples s = {.n_counters = N, .n_rows = ROWS, .count = count, .running = running, .counted = counted,
		.random_turns = true};
	struct sim_row row;

	if (!run) {
		fprintf(stderr, "bench/sets: %s\n", e.what);
		exit(1);
	}
	for (size_t m = 0; m < ROWS && sim_run_row(run, &row, NULL) == SIM_ROW; m++)
		for (size_t k = 0; k < N; k++) {
			count[m * N + k] = row.reading[k].count;
			running[m * N + k] = row.reading[k].running;
			counted[m * N + k] = row.reading[k].counted;
		}
	judge(model, &s, &study->one[i]);
	study->one[i].found = errors_found(model, &s);
	sim_run_free(run);
}

/* Prints a model's row; counts whether its constraints, and its region, are narrower. */
static void
print_model(const struct study *study, size_t m, size_t *refuted, size_t *smaller)
{
	const struct planted *model = &study->model[m];
	const size_t runs = WORKLOADS * study->seeds;
	double log_width = 0, log_volume = 0;
	size_t widths = 0, narrower = 0, false_ones[2] = {0}, found[2] = {0};

	for (size_t i = 0; i < runs; i++) {
		struct outcome *one = &study->one[2 * m * runs + i], *by = one + runs;

		for (size_t k = 0; k < model->constraints.n; k++) {
			if (!(one->width[k] > 0) || !(by->width[k] > 0))
				continue;
			widths++;
			narrower += by->width[k] < one->width[k];
			log_width += log(by->width[k] / one->width[k]);
		}
		log_volume += (by->volume - one->volume) / (double)runs;
		false_ones[0] += one->refuted;
		false_ones[1] += by->refuted;
		found[0] += one->found;
		found[1] += by->found;
	}
	log_width /= (double)widths;
	printf("%-12s %11zu %9.2f %8.0f %% %9.2f %8zu %8zu %8zu %8zu\n", model->name, model->constraints.n,
		exp(log_width), 100 * (double)narrower / (double)widths, exp(log_volume), false_ones[0],
		false_ones[1], found[0], found[1]);
	refuted[0] += false_ones[0];
	refuted[1] += false_ones[1];
	smaller[0] += log_width < 0;
	smaller[1] += log_volume < 0;
}

int
main(int argc, char **argv)
{
	struct study study = {.seeds = 8};
	struct udd_model *m = bench_model("haswell-study");
	const struct parallel crew = {.each = run_once, .ctx = &study};
	struct diags d = {0};
	size_t refuted[2] = {0}, smaller[2] = {0};
	unsigned long n;
	char *text = test_read("../models/machines/haswell.machine", &n);
	int64_t seeds = 8;

	if (argc > 1 && (!str_to_i64(argv[1], &seeds) || seeds < 1)) {
		fprintf(stderr, "usage: sets [SEEDS]\n");
		return 2;
	}
	study.seeds = (size_t)seeds;
	study.machine = sim_machine_parse("haswell.machine", text, n, NULL, &d);
	for (size_t i = 0; i < N; i++)
		if (!sim_event_find(m->counter[i].event[0].name, &study.event[i]))
			return 1;
	choose_models(&study, m);
	study.one = mem_new_array(study.n * 2 * WORKLOADS * study.seeds, sizeof *study.one);
	parallel_each(&crew, study.n * 2 * WORKLOADS * study.seeds);
	printf("%zu runs a model and kind of sets: %zu workloads, %zu seeds; %d samples, %d counters on %u; %zu errors "
	       "a model\n\n",
		WORKLOADS * study.seeds, WORKLOADS, study.seeds, ROWS, N, study.machine->counters,
		WORKLOADS * study.seeds * 2 * N);
	printf("%-12s %11s %9s %10s %9s %8s %8s %8s %8s\n", "model", "constraints", "width", "narrower", "volume",
		"refuted", "by", "found", "by");
	for (size_t k = 0; k < study.n; k++)
		print_model(&study, k, refuted, smaller);
	printf("\nof %zu models the width is smaller for %zu, the volume for %zu (goal: 8 of one)\n"
	       "true models refuted, of %zu runs each: %zu in order, %zu by constraint\n",
		study.n, smaller[0], smaller[1], study.n * WORKLOADS * study.seeds, refuted[0], refuted[1]);
	return 0;
}
