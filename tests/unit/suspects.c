/* Cones with one stretched axis, and counters that count by a factor in random models. The named suspects are compared
 * with verdicts on the data divided by the factor. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/obs/obs.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "tests/lib/models.h"
#include "tests/lib/test.h"
#include "text/diag.h"
#include "work/analysis/analysis.h"
#include "work/analysis/suspects.h"

#define OBSERVATIONS 6
#define COUNTERS RANDOM_MODEL_COUNTERS

/* A constraint of the stretched cone holds for stretched data if and only if the original holds. */
static void
stretched_cones(void)
{
	uint64_t seed = 3;

	for (unsigned round = 0; round < test_rounds(300, 3000); round++) {
		int64_t s[8 * 4], times = 1 + (int64_t)(test_random(&seed) % 50),
			of = 1 + (int64_t)(test_random(&seed) % 50);
		size_t counter = test_random(&seed) % 4;
		struct cone *c, *d, *again;

		for (size_t i = 0; i < 8 * 4; i++)
			s[i] = test_random(&seed) % 2 ? 0 : (int64_t)(test_random(&seed) % 5);
		c = cone_new(4, 8, s, NULL);
		d = cone_scale(c, counter, times, of);
		again = d ? cone_scale(d, counter, of, times) : NULL;
		test_label("round %u", round);
		if (CHECK(d && again)) {
			CHECK(d->n_rays == c->n_rays && d->n_inequalities == c->n_inequalities
				&& d->n_equalities == c->n_equalities);
			for (size_t k = 0; k < d->n_rays; k++)
				for (size_t r = 0; r < d->n_equalities + d->n_inequalities; r++) {
					int64_t here = 0, there = 0;

					for (size_t i = 0; i < 4; i++) {
						here += cone_row(d, r)[i] * d->ray[k * 4 + i];
						there += cone_row(c, r)[i] * c->ray[k * 4 + i];
					}
					CHECK((here > 0) == (there > 0) && (here < 0) == (there < 0));
				}
			for (size_t k = 0; k < c->n_rays * 4; k++)
				CHECK(again->ray[k] == c->ray[k]);
			for (size_t k = 0; k < c->n_inequalities * 4; k++)
				CHECK(again->inequality[k] == c->inequality[k]);
		}
		cone_free(c);
		cone_free(d);
		cone_free(again);
	}
}

static struct obs_table *
table_of(const struct udd_model *m, const int64_t *row)
{
	const char *name[COUNTERS];
	struct obs_table *t;

	for (size_t i = 0; i < COUNTERS; i++)
		name[i] = m->counter[i].name;
	t = obs_table_new(name, COUNTERS);
	for (size_t o = 0; o < OBSERVATIONS; o++) {
		char what[] = {'o', (char)('0' + o), '\0'};

		obs_table_add(t, what, "test")->exact = true;
		obs_add_row(t->obs[o], row + o * COUNTERS, NULL, 0);
	}
	return t;
}

static size_t
count_refuted(struct analysis *a, const struct fset *on)
{
	struct result *r = analysis_run(a, on, NULL);
	size_t n = r->count[VERDICT_INFEASIBLE];

	result_free(r);
	return n;
}

/* Rows of the model in units of 40 µops, so that factors in steps of a quarter give whole counts. */
static void
draw_rows(const struct udd_model *m, const struct fset *on, int64_t *row, uint64_t *seed)
{
	struct diags d = {0};
	struct udd_diagram *g = udd_expand(m, on, &d);
	struct signatures *s = signatures_new(g, &d);

	for (size_t o = 0; o < OBSERVATIONS; o++)
		for (size_t k = 0; k < s->n; k++) {
			int64_t uops = 40 * (int64_t)(test_random(seed) % 5000);

			for (size_t i = 0; i < COUNTERS; i++)
				row[o * COUNTERS + i] += uops * s->coef[k * COUNTERS + i];
		}
	signatures_free(s);
	udd_diagram_free(g);
	diags_free(&d);
}

static void
check_suspects(struct analysis *a, const struct udd_model *m, const struct fset *on, const int64_t *row,
	size_t counter, double factor, size_t *named)
{
	size_t refuted = count_refuted(a, on);
	struct suspects x = suspects_find(a, on, NULL);
	bool there = false;

	for (size_t k = 0; k < x.n; k++) {
		const struct suspect *s = &x.one[k];
		struct analysis_options how = {.confidence = 0.99, .exact = true, .tolerance = 2};
		struct analysis *mended = analysis_new(m, &how);
		int64_t less[OBSERVATIONS * COUNTERS];
		double f = (s->least + s->most) / 2;

		CHECK_INT(s->refuted, refuted);
		CHECK(s->least <= s->most && (s->least > 1 || s->most < 1));
		there |= s->counter == counter && s->least <= factor * (1 + 1e-6) && s->most >= factor * (1 - 1e-6);
		for (size_t i = 0; i < OBSERVATIONS * COUNTERS; i++)
			less[i] = i % COUNTERS == s->counter ? (int64_t)llround((double)row[i] / f) : row[i];
		analysis_set_table(mended, 0, table_of(m, less));
		CHECK_INT(count_refuted(mended, on), 0);
		analysis_free(mended);
	}
	CHECK(refuted >= SUSPECTS_FEWEST ? there : x.n == 0);
	*named += there;
	suspects_clear(&x);
}

static void
factors_are_found(void)
{
	static const double factors[] = {1.25, 0.75, 1.5, 1.025, 0.5};
	uint64_t seed = 31;
	size_t named = 0;

	for (unsigned round = 0; round < test_rounds(200, 2000); round++) {
		struct udd_model *m = model_random(&seed);
		struct fset on = {.w = {test_random(&seed) & ((1u << RANDOM_MODEL_FEATURES) - 1)}};
		struct analysis *a = analysis_new(m, &(struct analysis_options){.confidence = 0.99, .exact = true});
		size_t counter = test_random(&seed) % COUNTERS;
		double factor = factors[round % (sizeof factors / sizeof *factors)];
		int64_t row[OBSERVATIONS * COUNTERS] = {0};

		draw_rows(m, &on, row, &seed);
		for (size_t o = 0; o < OBSERVATIONS; o++)
			row[o * COUNTERS + counter] = (int64_t)llround((double)row[o * COUNTERS + counter] * factor);
		analysis_set_table(a, 0, table_of(m, row));
		test_label("round %u, counter %zu × %g", round, counter, factor);
		check_suspects(a, m, &on, row, counter, factor, &named);
		analysis_free(a);
		udd_free(m);
	}
	CHECK(named > 50);
}

TEST_MAIN(CASE(stretched_cones), CASE(factors_are_found))
