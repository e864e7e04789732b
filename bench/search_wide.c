/* The search over 2^12 sets of features × 300 observations of a made-up model, in which five features are real. Each feature adds µpaths of its own; each
 * observation has flow through the µpaths of no feature and of some of the five, sampled with noise. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/analysis.h"
#include "app/search.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/bench.h"
#include "core/cone/signatures.h"
#include "core/lang/diag.h"
#include "core/obs/obs.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "models.h"
#include "test.h"

#define FEATURES 12
#define COUNTERS 12
#define OBSERVATIONS 300
#define ROWS 60
#define REAL 5

static const unsigned real[REAL] = {0, 2, 4, 7, 9};

/* Each feature counts one counter without what counts beside it otherwise, or two that are not counted together otherwise. */
static struct udd_model *
wide_model(void)
{
	struct str t = {0};
	struct diags d = {0};
	struct udd_model *m;

	str_add(&t, "model wide;\n");
	for (int i = 0; i < COUNTERS; i++)
		str_addf(&t, "counter c%d;\n", i);
	for (int i = 0; i < FEATURES; i++)
		str_addf(&t, "feature f%d;\n", i);
	str_add(&t, "path p { count c0; choose { case A: count c1; case B: { count c2; count c3; } case C: { count c4; choose { case X: count c5; "
		    "case Y: { count c6; count c7; } } } case D: { count c8; count c9; } case E: { count c10; count c11; } case N: event n; } }\n");
	for (int i = 0; i < FEATURES; i++)
		str_addf(&t, "path q%d when f%d { count c0; choose { case A: count c%d; case B: { count c%d; count c%d; } } }\n", i, i, 1 + i % 11, 1 + (i + 3) % 11,
			 1 + (i * 5 + 1) % 11);
	m = model_from_text(str_text(&t), t.n, &d);
	if (!m) {
		fputs("bench/search_wide: the model is not one\n", stderr);
		exit(1);
	}
	diags_free(&d);
	str_free(&t);
	return m;
}

/* The signatures of a choice, the caller frees. */
static struct signatures *
signatures_of(const struct udd_model *m, const struct fset *on)
{
	struct diags d = {0};
	struct udd_diagram *g = udd_expand(m, on, &d);
	struct signatures *s = signatures_new(g, &d);

	udd_diagram_free(g);
	diags_free(&d);
	return s;
}

static void
add_rows(struct obs *o, const struct signatures *s, uint64_t *seed)
{
	double mean[COUNTERS] = {0};

	for (size_t k = 0; k < s->n; k++) {
		double flow = 1000 * test_uniform(seed);

		for (size_t c = 0; c < COUNTERS; c++)
			mean[c] += flow * (double)s->coef[k * COUNTERS + c];
	}
	for (size_t r = 0; r < ROWS; r++) {
		int64_t row[COUNTERS];

		for (size_t c = 0; c < COUNTERS; c++)
			row[c] = (int64_t)fmax(0, round(mean[c] + sqrt(mean[c]) * test_normal(seed)));
		obs_add_row(o, row, NULL, (double)r);
	}
}

static struct obs_table *
wide_table(const struct udd_model *m)
{
	const char *name[COUNTERS];
	struct obs_table *t;
	uint64_t seed = 1;

	for (size_t i = 0; i < COUNTERS; i++)
		name[i] = m->counter[i].name;
	t = obs_table_new(name, COUNTERS);
	for (size_t i = 0; i < OBSERVATIONS; i++) {
		char *what = str_format("o%zu", i);
		struct obs *o = obs_table_add(t, what, "bench");
		struct fset on = {0};
		struct signatures *s;

		for (size_t k = 0; k < REAL; k++)
			fset_put(&on, real[k], test_random(&seed) % 3 == 0);
		s = signatures_of(m, &on);
		add_rows(o, s, &seed);
		signatures_free(s);
		free(what);
	}
	return t;
}

int
main(void)
{
	struct udd_model *m = wide_model();
	struct analysis_options how = {.confidence = 0.9999}; /* so that few of the 300 are refuted by chance */
	struct analysis *a = analysis_new(m, &how);
	struct fset none = {0};
	double unit = bench_unit(), begin;
	struct search *s;

	analysis_set_table(a, 0, wide_table(m));
	begin = clock_seconds();
	s = search_run(a, &none, 0, NULL);
	begin = clock_seconds() - begin;
	printf("models %.0f, tested %zu, skipped %.0f, cones %zu, survivors without a feature to spare %zu; %zu observations refute the model without features; required:", s->lattice->sets,
	       s->lattice->tested, s->lattice->sets - (double)s->lattice->tested, s->cones, s->lattice->n_minimal, s->lattice->model[0].n_infeasible);
	for (size_t i = 0; i < FEATURES; i++)
		if (fset_has(&s->lattice->required, i))
			printf(" %s", m->feature[i].name);
	printf("%s\n", s->lattice->complete ? "" : " (not complete)");
	bench_row("search, 2^12 sets, 300 observations", begin, unit, 0);
	search_free(s);
	analysis_free(a);
	udd_free(m);
	return 0;
}
