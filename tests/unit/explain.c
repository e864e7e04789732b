/* Explanations: which constraint refutes a choice of features, and what relaxes it. The truth is the analysis, run
 * again with the change; random models, exact and noisy observations. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cone/signatures.h"
#include "core/obs/obs.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "tests/lib/models.h"
#include "tests/lib/test.h"
#include "text/diag.h"
#include "work/analysis/analysis.h"
#include "work/analysis/drafts.h"
#include "work/analysis/explain.h"
#include "work/analysis/touch.h"

#define OBSERVATIONS 6
#define ROWS 30

static struct analysis *
make_analysis(const struct udd_model *m, bool exact, bool family_wise, uint64_t *seed)
{
	const struct analysis_options how = {.confidence = 0.99, .exact = exact, .one_by_one = !family_wise};
	struct analysis *a = analysis_new(m, &how);
	const char **column = mem_new_array(m->n_counters, sizeof *column);
	struct obs_table *t;

	for (size_t i = 0; i < m->n_counters; i++)
		column[i] = m->counter[i].name;
	t = obs_table_new(column, m->n_counters);
	free(column);
	for (size_t i = 0; i < OBSERVATIONS; i++) {
		struct obs *o = obs_table_add(t, (char[]){'o', (char)('0' + i), '\0'}, "test");
		int64_t *mean = mem_new_array(m->n_counters, sizeof *mean),
			*row = mem_new_array(m->n_counters, sizeof *row);

		for (size_t c = 0; c < m->n_counters; c++)
			mean[c] = (int64_t)(test_random(seed) % 5) * (exact ? 1 : 1000);
		o->exact = exact;
		for (size_t k = 0; k < (exact ? 1 : ROWS); k++) {
			for (size_t c = 0; c < m->n_counters; c++)
				row[c] = exact ? mean[c]
					       : (int64_t)((double)mean[c] * (1 + 0.1 * test_uniform(seed)) +
							 50 * test_uniform(seed));
			obs_add_row(o, row, NULL, 0);
		}
		free(mean);
		free(row);
	}
	analysis_set_table(a, 0, t);
	return a;
}

static bool
is_refuted(const struct analysis_options *how, const struct finding *f)
{
	return (how->one_by_one ? f->own.verdict : f->own.family_wise) == VERDICT_INFEASIBLE;
}

static struct fset
with(const struct fset *on, const struct fset *more)
{
	struct fset all = *on;

	for (size_t i = 0; i < FSET_MAX / 64; i++)
		all.w[i] |= more->w[i];
	return all;
}

/* The number of observations of an explanation that do not refute the choice; SIZE_MAX: its model has an error. */
static size_t
freed(struct analysis *a, const struct analysis_options *how, const struct explanation *e, const struct fset *on)
{
	struct result *r = analysis_run(a, on, NULL);
	size_t n = 0;

	for (size_t i = 0; !r->error && i < e->n_findings; i++)
		n += !is_refuted(how, &r->finding[e->finding[i]]);
	if (r->error)
		n = SIZE_MAX;
	result_free(r);
	return n;
}

/* The number of a choice's signatures that break the constraint on the side of the data. */
static size_t
count_breaking(const struct udd_model *m, const struct explanation *e, const struct fset *on)
{
	struct diags d = {0};
	struct udd_diagram *g = udd_expand(m, on, &d);
	struct signatures *sig = g ? signatures_new(g, &d) : NULL;
	size_t n[2] = {0};

	for (size_t k = 0; sig && k < sig->n; k++) {
		int64_t sum = 0;

		for (size_t i = 0; i < sig->n_counters; i++)
			sum += e->constraint->coef[i] * sig->coef[k * sig->n_counters + i];
		n[0] += sum < 0;
		n[1] += sum > 0;
	}
	signatures_free(sig);
	udd_diagram_free(g);
	diags_free(&d);
	return e->constraint->equality && e->side > 0 ? n[1] : n[0];
}

static void
check_explanation(struct analysis *a, const struct analysis_options *how, const struct udd_model *m,
	const struct result *now, const struct explanation *e)
{
	const struct relaxers *r = e->touch->relax;

	CHECK_INT(r->asked, e->n_findings);
	CHECK_INT(count_breaking(m, e, &now->on), 0);
	for (size_t i = 0; i < e->n_findings; i++)
		CHECK(is_refuted(how, &now->finding[e->finding[i]]));
	for (size_t i = 0; i < r->n && r->one[i].signatures; i++) {
		const struct relaxer *x = &r->one[i];
		struct fset alone = with(&now->on, &x->added), all = with(&now->on, &x->all);
		struct err err;

		CHECK(x->legal && udd_legal(m, &alone, &err) && udd_legal(m, &all, &err));
		CHECK_INT(x->signatures, count_breaking(m, e, &alone));
		CHECK_INT(x->alone, freed(a, how, e, &alone));
		CHECK_INT(x->together, freed(a, how, e, &all));
		CHECK(i == 0 || r->one[i - 1].alone >= x->alone);
		CHECK(*x->words && strstr(x->steps, "it raises"));
		CHECK(x->tie == RELAX_NONE || (x->tie < i && r->one[x->tie].alone == x->alone));
	}
	/* Every feature that would help is reported. */
	for (size_t f = 0; f < m->n_features; f++) {
		struct fset added = {0}, on;
		struct err err;
		bool reported = false;

		fset_put(&added, f, true);
		on = with(&now->on, &added);
		if (fset_has(&now->on, f) || !udd_legal(m, &on, &err))
			continue;
		for (size_t i = 0; i < r->n; i++)
			reported |= fset_equal(&r->one[i].added, &added) &&
				(r->one[i].signatures > 0) == (count_breaking(m, e, &on) > 0);
		CHECK(reported);
	}
}

static void
explanations_agree_with_the_analysis(void)
{
	uint64_t seed = 11;
	size_t n = 0, relaxed = 0, repaired = 0;

	for (unsigned round = 0; round < test_rounds(120, 600); round++) {
		struct udd_model *m = model_random(&seed);
		bool exact = round % 3 != 0;
		struct analysis_options how = {.one_by_one = round % 9 != 0};
		struct analysis *a = m ? make_analysis(m, exact, !how.one_by_one, &seed) : NULL;
		struct fset on = {.w = {test_random(&seed) & test_random(&seed) & ((1u << RANDOM_MODEL_FEATURES) - 1)}};
		struct result *now = a ? analysis_run(a, &on, NULL) : NULL;
		struct explanations *x = now && !now->error ? analysis_explain(a, now, NULL) : NULL;

		test_label("round %u", round);
		for (size_t i = 0; x && i < x->n; i++) {
			check_explanation(a, &how, m, now, &x->one[i]);
			CHECK(i == 0 || x->one[i - 1].n_findings >= x->one[i].n_findings);
			n++;
			relaxed += x->one[i].touch->relax->n && x->one[i].touch->relax->one[0].signatures;
			repaired += x->one[i].touch->relax->n && x->one[i].touch->relax->one[0].alone;
		}
		for (size_t i = 0; x && i < now->n_findings; i++) { /* each refuted observation has an explanation */
			bool reported = !is_refuted(&how, &now->finding[i]);

			for (size_t k = 0; k < x->n && !reported; k++)
				for (size_t j = 0; j < x->one[k].n_findings; j++)
					reported |= x->one[k].finding[j] == i;
			CHECK(reported);
		}
		explanations_free(x);
		result_free(now);
		analysis_free(a);
		udd_free(m);
	}
	CHECK(n > 100);
	CHECK(relaxed > 20);
	CHECK(repaired > 10);
}

/* The number of observations that refute the model with its drafts; SIZE_MAX: the text is no model. `seed` gives the
 * observations. */
static size_t
refuted_with_drafts(const struct udd_model *m, const struct drafts *d, bool exact, uint64_t seed)
{
	struct str text = {0};
	struct diags diags = {0};
	struct udd_model *more;
	struct analysis *a = NULL;
	struct result *r = NULL;
	struct fset on;
	struct err e;
	size_t n = SIZE_MAX;

	udd_print(m, &text);
	str_add(&text, d->text);
	more = model_from_text(str_text(&text), text.n, &diags);
	if (CHECK(more) && CHECK(udd_choose(more, d->variant, NULL, NULL, &on, &e))) {
		CHECK_INT(fset_count(&on), d->found->n);
		/* drafts only add µpaths */
		CHECK_INT(udd_growing(more).w[0] >> m->n_features, (UINT64_C(1) << d->found->n) - 1);
		a = make_analysis(more, exact, false, &seed);
		r = analysis_run(a, &on, NULL);
		CHECK(!r->error);
		n = r->count[VERDICT_INFEASIBLE];
	}
	result_free(r);
	analysis_free(a);
	udd_free(more);
	diags_free(&diags);
	str_free(&text);
	return n;
}

/* The model with the drafts survives the observations that refuted it. */
static void
drafts_repair_random_models(void)
{
	uint64_t seed = 5;
	size_t some = 0;

	for (unsigned round = 0; round < test_rounds(20, 100); round++) {
		struct udd_model *m = model_random(&seed);
		bool exact = round % 2;
		uint64_t before = seed;
		struct analysis *a = m ? make_analysis(m, exact, false, &seed) : NULL;
		struct fset on = {0};
		struct drafts *d = a ? analysis_drafts(a, &on, NULL) : NULL;

		test_label("round %u", round);
		if (d && d->found->n) {
			some++;
			CHECK(d->found->whole);
			CHECK_INT(refuted_with_drafts(m, d, exact, before), 0);
		}
		drafts_free(d);
		analysis_free(a);
		udd_free(m);
	}
	CHECK(some > 10);
}

static bool
never(void *ctx, const char *stage, size_t done, size_t of)
{
	size_t *left = ctx;

	(void)stage;
	(void)done;
	(void)of;
	return (*left)-- > 0;
}

/* Stopped at any time, both return no result and leak nothing. */
static void
both_can_be_stopped(void)
{
	uint64_t seed = 23;
	struct udd_model *m = model_random(&seed);
	struct analysis *a = make_analysis(m, true, false, &seed);
	struct fset on = {0};
	struct result *now = analysis_run(a, &on, NULL);
	bool ended[2] = {false};
	size_t stops = 0;

	for (size_t steps = 0; steps < 3000 && !(ended[0] && ended[1]); steps += 1 + steps / 4) {
		size_t left = steps, also = steps;
		struct analysis_watch watch = {never, &left}, other = {never, &also};
		struct explanations *x = now->error ? NULL : analysis_explain(a, now, &watch);
		struct drafts *d = analysis_drafts(a, &on, &other);

		ended[0] |= x != NULL;
		ended[1] |= d != NULL;
		stops += (size_t)(x == NULL) + (size_t)(d == NULL);
		explanations_free(x);
		drafts_free(d);
	}
	CHECK(stops > 1);
	CHECK(ended[0] && ended[1]);
	result_free(now);
	analysis_free(a);
	udd_free(m);
}

TEST_MAIN(CASE(explanations_agree_with_the_analysis), CASE(drafts_repair_random_models), CASE(both_can_be_stopped))
