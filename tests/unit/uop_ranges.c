/* Ranges of flow through the features of haswell-mmu, where the truth is known: flows are planted on µpaths that need a
 * feature and on others, and the ranges must hold them. For exact totals and for samples, with every region. */
#include "work/analysis/uop_ranges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cone/signatures.h"
#include "core/obs/obs.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "haswell.h"
#include "models.h"
#include "test.h"
#include "text/diag.h"
#include "work/analysis/analysis.h"

enum { ROWS = 60, SPREAD = 12 };

/* Means of the planted flows. */
struct planted {
	size_t n;
	double through, all;
	double *raised, *raised_through; /* for each counter */
	int64_t *count;                  /* ROWS × n */
};

/* Plants flows on some rows of the marked walk, which says of each row whether it needs the feature. */
static struct planted
plant(const struct signatures *s, size_t rows, uint64_t *seed)
{
	struct planted p = {.n = s->n_counters};

	p.raised = mem_new_array(p.n, sizeof *p.raised);
	p.raised_through = mem_new_array(p.n, sizeof *p.raised_through);
	p.count = mem_new_array(rows, p.n * sizeof *p.count);
	for (int k = 0; k < SPREAD; k++) {
		size_t j = test_random(seed) % s->n;
		double flow = pow(10, 2 + 4 * test_uniform(seed));

		for (size_t row = 0; row < rows; row++) {
			int64_t uops = (int64_t)(flow * (1 + 0.2 * test_uniform(seed)));

			p.all += (double)uops / (double)rows;
			p.through += s->marked[j] ? (double)uops / (double)rows : 0;
			for (size_t i = 0; i < p.n; i++) {
				int64_t counts = uops * s->coef[j * p.n + i];

				p.count[row * p.n + i] += counts;
				p.raised[i] += (double)counts / (double)rows;
				p.raised_through[i] += s->marked[j] ? (double)counts / (double)rows : 0;
			}
		}
	}
	return p;
}

static void
planted_clear(struct planted *p)
{
	free(p->raised);
	free(p->raised_through);
	free(p->count);
}

static struct obs_table *
table_of(const struct udd_model *m, const struct planted *p, size_t rows)
{
	const char **name = mem_new_array(m->n_counters, sizeof *name);
	struct obs_table *t;
	struct obs *o;

	for (size_t i = 0; i < m->n_counters; i++)
		name[i] = m->counter[i].name;
	t = obs_table_new(name, m->n_counters);
	o = obs_table_add(t, "planted", "test");
	o->exact = rows == 1;
	for (size_t row = 0; row < rows; row++)
		obs_add_row(o, p->count + row * p->n, NULL, (double)row);
	free(name);
	return t;
}

static void
check_within(double truth, const struct uop_range *r)
{
	CHECK(truth >= r->least - 1e-9 * (1 + truth));
	CHECK(truth <= r->greatest + 1e-9 * (1 + truth));
	CHECK(r->least <= r->greatest);
}

/* The width of the share of all µops; 1: nothing is known. */
static double
check_ranges(const struct planted *p, const struct uop_ranges *r)
{
	const struct feature_flow *f = &r->feature[0];

	CHECK(f->seen && !f->error);
	check_within(p->through, &f->total);
	check_within(p->through / p->all, &f->uops.range);
	for (size_t k = 0; k < f->n_shares; k++) {
		const struct flow_share *s = &f->share[k];

		if (p->raised[s->counter] > 0)
			check_within(p->raised_through[s->counter] / p->raised[s->counter], &s->range);
		if (s->always)
			CHECK(s->range.least >= 1 && s->range.greatest >= 1);
	}
	return f->uops.range.greatest - f->uops.range.least;
}

static double
try(const struct udd_model *m, const struct fset *on, size_t feature, const struct signatures *marked, size_t rows,
	int region, uint64_t *seed)
{
	struct analysis_options how = {.confidence = 0.99, .decides = region};
	struct analysis *a = analysis_new(m, &how);
	struct planted p = plant(marked, rows, seed);
	struct uop_ranges *r = NULL;
	bool ask = true;
	double width = 1;

	analysis_set_table(a, 0, table_of(m, &p, rows));
	CHECK(analysis_flow_ranges(a, on, &ask, 1, feature, &r, NULL));
	if (CHECK(r && r->n == 1 && r->feature[0].feature == feature))
		width = check_ranges(&p, r);
	uop_ranges_free(r);
	planted_clear(&p);
	analysis_free(a);
	return width;
}

static void
planted_flows_are_within_the_ranges(void)
{
	struct udd_model *m = haswell_model("haswell-mmu");
	uint64_t seed = 11;
	struct fset on;
	struct err e;
	int reported[2] = {0};

	CHECK(udd_choose(m, "m4", NULL, NULL, &on, &e));
	for (size_t f = 0; f < m->n_features; f++) {
		struct fset off = udd_without(m, &on, f);
		struct diags d = {0};
		struct udd_diagram *g = udd_expand_marked(m, &on, &off, &d);
		struct signatures *marked = g ? signatures_new(g, &d) : NULL;

		for (unsigned k = 0; marked && k < test_rounds(3, 30); k++)
			for (int region = 0; region < 3; region++) {
				test_label("%s, round %u, %s", m->feature[f].name, k,
					region_name((enum region_kind)region));
				reported[0] += region == 0 && try(m, &on, f, marked, 1, region, &seed) < 0.9;
				reported[1] += try(m, &on, f, marked, ROWS, region, &seed) < 0.9;
			}
		CHECK(marked != NULL);
		signatures_free(marked);
		udd_diagram_free(g);
		diags_free(&d);
	}
	test_label("all");
	CHECK(reported[0] > 0 && reported[1] > 0);
	udd_free(m);
}

/* One observation of a small model with all features on; compares the lines about one feature. */
static void
check_lines(const char *text, const int64_t *count, size_t feature, const char *want)
{
	struct analysis_options how = {.confidence = 0.99};
	struct diags d = {0};
	struct udd_model *m = model_from_text(text, strlen(text), &d);
	struct planted p = {.n = m->n_counters, .count = mem_copy(count, m->n_counters * sizeof *count)};
	struct analysis *a = analysis_new(m, &how);
	struct uop_ranges *r = NULL;
	struct str got = {0};
	struct fset on = {0};
	bool ask = true;

	test_label("%.160s", text);
	for (size_t i = 0; i < m->n_features; i++)
		fset_put(&on, i, true);
	analysis_set_table(a, 0, table_of(m, &p, 1));
	if (CHECK(analysis_flow_ranges(a, &on, &ask, 1, feature, &r, NULL) && r))
		uop_ranges_lines(m, &r->feature[0], true, 2, "", &got);
	CHECK_STR(str_text(&got), want);
	str_free(&got);
	uop_ranges_free(r);
	free(p.count);
	analysis_free(a);
	diags_free(&d);
	udd_free(m);
}

static void
ranges_in_words(void)
{
	static const int64_t ten[] = {10, 4}, one[] = {5, 5};

	/* b needs F: 4 of the 10 µops that raise a go there in any case */
	check_lines("model m; counter a; counter b; feature F; path p { count a; choose { case X when F: count b; case "
		    "Y: } }",
		ten, 0,
		"through F  4 µops, 40 % of those seen\n    40 % of a\n    100 % of b, which only it raises\n");
	/* the others may go either way */
	check_lines("model m; counter a; counter b; feature F; path p { count a; choose { case X when F: case W when "
		    "F: count b; case Y: } }",
		ten, 0,
		"through F  4 .. 10 µops, 40 .. 100 % of those seen\n    40 .. 100 % of a\n    100 % of b, which "
		"only it raises\n");
	check_lines("model m; counter a; counter b; feature F; path p { choose { case X when F: count a; case Y: count "
		    "a; case Z: count b; } }",
		one, 0,
		"through F  0 .. 5 µops, 0 .. 50 % of those seen\n    0 .. 100 % of 1 counter: the data do not "
		"decide it\n");
	check_lines("model m; counter a; counter b; feature F; path p { choose { case X when F: count a; case Y: count "
		    "a; count b; } }",
		one, 0, "through F  no µop: the counts leave none for it\n");
	/* µpaths that no counter sees */
	check_lines("model m; counter a; counter b; feature F; path p { choose { case X when F: case Y: count a; count "
		    "b; } }",
		one, 0, "through F  no limit: none of its µpaths raises a counter that was counted\n");
	check_lines("model m; counter a; counter b; feature F; path p { choose { case X when F: choose { case S: case "
		    "T: count b; } case Y: count a; } }",
		one, 0,
		"through F  5 µops, 50 % of those seen\n    100 % of b, which only it raises\n    and any "
		"number of µops that raise no counter here\n");
	check_lines("model m; counter a; counter b; feature F; path p { count a; count b; }", one, 0,
		"through F  no µop: no µpath passes through it\n");
	/* together with the feature that requires it */
	check_lines("model m; counter a; counter b; feature F; feature G requires F; path p { choose { case X when G: "
		    "count a; case Y: count b; } }",
		one, 0,
		"through F (with G, which requires it)  5 µops, 50 % of those seen\n    100 % of a, which only it "
		"raises\n");
}

TEST_MAIN(CASE(ranges_in_words), CASE(planted_flows_are_within_the_ranges))
