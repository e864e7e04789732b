/* Witness flows of random models, added up: every line is a signature of the model, and their sum is the exact total,
 * or a point of the region. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/cone/signatures.h"
#include "core/obs/obs.h"
#include "core/stats/region.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "core/verdict/verdict.h"
#include "tests/lib/models.h"
#include "tests/lib/test.h"
#include "text/diag.h"
#include "work/analysis/analysis.h"

#define COUNTERS_MAX 6
#define ROWS 40
#define ROUNDING 1e-9

/* µpaths that each raise a few of the counters, some of them several times. */
static struct udd_model *
make_model(size_t n, size_t paths, uint64_t *seed)
{
	struct str t = {0};

	str_add(&t, "model random;\n");
	for (size_t i = 0; i < n; i++)
		str_addf(&t, "counter c%zu;\n", i);
	str_add(&t, "path p {\nchoose {\n");
	for (size_t k = 0; k < paths; k++) {
		str_addf(&t, "case P%zu:", k);
		for (size_t i = 0; i < n; i++)
			for (uint64_t times = test_random(seed) % 5 < 3 ? 0
				: 1 + test_random(seed) % 3; times > 0; times--)
				str_addf(&t, " count c%zu;", i);
		str_add(&t, "\n");
	}
	str_add(&t, "}\n}\n");
	return model_from_made(&t);
}

static struct signatures *
signatures_of(const struct udd_model *m)
{
	struct diags d = {0};
	struct udd_diagram *g = udd_expand(m, &(struct fset){0}, &d);
	struct signatures *s = signatures_new(g, &d);

	CHECK(s != NULL);
	udd_diagram_free(g);
	diags_free(&d);
	return s;
}

/* Rows over the model's counters: runs of some thousand µops on random µpaths. Noisy rows differ by about 2 %. */
static void
fill_rows(const struct signatures *s, int64_t *row, size_t rows, bool noisy, uint64_t *seed)
{
	int64_t *total = mem_new_array(s->n_counters, sizeof *total);

	for (size_t k = 0; k < s->n; k++) {
		int64_t uops = test_random(seed) % 2 ? (int64_t)(test_random(seed) % 4000) : 0;

		for (size_t i = 0; i < s->n_counters; i++)
			total[i] += uops * s->coef[k * s->n_counters + i];
	}
	for (size_t r = 0; r < rows; r++)
		for (size_t i = 0; i < s->n_counters; i++) {
			double off = test_uniform(seed) + test_uniform(seed) + test_uniform(seed) - 1.5;

			row[r * s->n_counters + i] = noisy
				? (int64_t)fabs(round((double)total[i] * (1 + 0.04 * off))) : total[i];
		}
	free(total);
}

/* How far the sum is outside, relative to the region's reach, across the rows e_i and some random ones. */
static double
outside(const struct region *r, const double *sum, enum region_kind kind, double reach2, uint64_t *seed)
{
	double worst = 0;

	for (size_t k = 0; k < r->n + 60; k++) {
		int64_t row[COUNTERS_MAX] = {0};
		double at = 0, room;
		struct across x;

		for (size_t i = 0; i < r->n; i++) {
			row[i] = k < r->n ? i == k : (int64_t)(test_random(seed) % 9) - 4;
			at += (double)row[i] * sum[i];
		}
		x = verdict_across(r, row, kind, reach2);
		room = x.reach + 1e-6 * (x.reach + 1);
		if (fabs(at - x.at) > room)
			worst = fmax(worst, (fabs(at - x.at) - x.reach) / (x.reach + 1));
	}
	return worst;
}

/* Columns of the table: some of the counters. */
struct columns {
	size_t n, of[COUNTERS_MAX];
};

static struct columns
choose_columns(size_t n, uint64_t *seed)
{
	struct columns c = {0};

	for (size_t i = 0; i < n; i++)
		if (test_random(seed) % 4)
			c.of[c.n++] = i;
	if (c.n == 0)
		c.of[c.n++] = 0;
	return c;
}

static void
add_line(const struct signatures *s, const struct columns *c, const struct witness_uops *f, double *sum)
{
	bool known = false;

	CHECK(f->uops > 0);
	for (size_t k = 0; k < s->n && !known; k++) {
		known = true;
		for (size_t j = 0; j < c->n; j++)
			known &= s->coef[k * s->n_counters + c->of[j]] == f->coef[c->of[j]];
	}
	CHECK(known);
	for (size_t j = 0; j < c->n; j++)
		sum[j] += f->uops * (double)f->coef[c->of[j]];
}

static bool
check_finding(const struct finding *f, const struct signatures *s, const struct columns *c,
	const struct samples *samples,
	const struct analysis_options *how, uint64_t *seed)
{
	struct region *r = region_new(samples, how->exact);
	double sum[COUNTERS_MAX] = {0};

	CHECK(f->witness.n > 0 && f->witness.n <= c->n);
	for (size_t k = 0; k < f->witness.n; k++)
		add_line(s, c, &f->witness.uops[k], sum);
	for (size_t j = 0; j < c->n && how->exact; j++)
		CHECK(fabs(sum[j] - r->mean[j]) <= ROUNDING * (1 + fabs(r->mean[j])));
	if (!how->exact)
		CHECK(outside(r, sum, region_shown((enum region_kind)how->decides), f->own.threshold2, seed) ==
			0);
	region_free(r);
	return true;
}

static bool
try_one(unsigned round, uint64_t *seed)
{
	static const enum region_kind decides[] = {REGION_ELLIPSOID, REGION_CONE, REGION_BOX, REGION_INDEPENDENT};
	struct analysis_options how = {.confidence = 0.99, .decides = (int)decides[round / 2 % 4], .flow = true,
		.exact = round % 2};
	size_t n = 2 + test_random(seed) % (COUNTERS_MAX - 1), rows = how.exact ? 1 : ROWS;
	struct udd_model *m = make_model(n, 2 + test_random(seed) % 8, seed);
	struct signatures *s = signatures_of(m);
	struct columns c = choose_columns(n, seed);
	int64_t *row = mem_new_array(rows * n, sizeof *row), *seen = mem_new_array(rows * c.n, sizeof *seen);
	const char *name[COUNTERS_MAX];
	struct analysis *a = analysis_new(m, &how);
	struct obs_table *t;
	struct obs *o;
	struct result *r;
	bool reported = false;

	for (size_t j = 0; j < c.n; j++)
		name[j] = m->counter[c.of[j]].name;
	t = obs_table_new(name, c.n);
	o = obs_table_add(t, "o", "test");
	o->exact = how.exact;
	fill_rows(s, row, rows, !how.exact, seed);
	for (size_t k = 0; k < rows; k++) {
		for (size_t j = 0; j < c.n; j++)
			seen[k * c.n + j] = row[k * n + c.of[j]];
		obs_add_row(o, seen + k * c.n, NULL, 0);
	}
	analysis_set_table(a, 0, t);
	r = analysis_run(a, &(struct fset){0}, NULL);
	test_label("round %u", round);
	if (r->n_findings == 1 && r->finding[0].verdict == VERDICT_FEASIBLE && r->finding[0].counter.n_values) {
		double counts = 0;

		for (size_t k = 0; k < rows * c.n; k++)
			counts += (double)seen[k];
		/* For zeros there is no flow. */
		if (counts > 0)
			reported = check_finding(&r->finding[0], s, &c, &(struct samples){.n_counters = c.n,
				.n_rows = rows, .count = seen}, &how, seed);
	}
	result_free(r);
	analysis_free(a);
	signatures_free(s);
	udd_free(m);
	free(row);
	free(seen);
	return reported;
}

static void
flows_add_up(void)
{
	unsigned rounds = test_rounds(600, 6000), reported = 0;
	uint64_t seed = 17;

	for (unsigned round = 0; round < rounds; round++)
		reported += try_one(round, &seed);
	CHECK(reported > rounds / 2);
}

/* A past error: {a, b} × 30 was shown as {b}. */
static void
the_signature_is_the_rays(void)
{
	static const char text[] = "model minflow; counter a; counter b; path p { choose { case One: count b; case "
				   "Both: count a; count b; } }";
	struct diags d = {0};
	struct udd_model *m = model_from_text(text, sizeof text - 1, &d);
	struct analysis *a = analysis_new(m, &(struct analysis_options){.confidence = 0.99, .exact = true,
		.flow = true});
	struct obs_table *t = obs_table_new((const char *[]){"a", "b"}, 2);
	struct obs *o = obs_table_add(t, "o", "test");
	struct result *r;

	o->exact = true;
	obs_add_row(o, (int64_t[]){30, 130}, NULL, 0);
	analysis_set_table(a, 0, t);
	r = analysis_run(a, &(struct fset){0}, NULL);
	CHECK_INT(r->finding[0].witness.n, 2);
	if (r->finding[0].witness.n == 2) {
		CHECK_INT(r->finding[0].witness.uops[0].coef[0], 0);
		CHECK_INT(r->finding[0].witness.uops[0].coef[1], 1);
		CHECK(fabs(r->finding[0].witness.uops[0].uops - 100) < ROUNDING);
		CHECK_INT(r->finding[0].witness.uops[1].coef[0], 1);
		CHECK_INT(r->finding[0].witness.uops[1].coef[1], 1);
		CHECK(fabs(r->finding[0].witness.uops[1].uops - 30) < ROUNDING);
	}
	result_free(r);
	analysis_free(a);
	udd_free(m);
	diags_free(&d);
}

TEST_MAIN(CASE(the_signature_is_the_rays), CASE(flows_add_up))
