/* Cones from only as many signatures as span them, and a search with them over 98 304 sets of features. They are
 * compared with cones of all signatures, and with a search that answers each question by itself. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/cone/rows.h"
#include "core/cone/signatures.h"
#include "core/obs/obs.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "haswell.h"
#include "models.h"
#include "test.h"
#include "text/diag.h"
#include "work/analysis/analysis.h"
#include "work/search/search.h"

static struct signatures *
signatures_so(const struct udd_model *m, const struct fset *on, bool spanning)
{
	struct diags d = {0};
	struct udd_diagram *g = udd_expand(m, on, &d);
	struct signatures *s = !g ? NULL : spanning ? signatures_spanning(g, &d) : signatures_new(g, &d);

	udd_diagram_free(g);
	diags_free(&d);
	return s;
}

static struct cone *
cone_so(const struct udd_model *m, const struct fset *on, bool spanning, size_t *n)
{
	const struct cone_limits limits = {.seconds = 20};
	struct signatures *s = signatures_so(m, on, spanning);
	struct cone *c = s ? cone_new(s->n_counters, s->n, s->coef, &limits) : NULL;

	*n = s ? s->n : 0;
	signatures_free(s);
	return c;
}

static bool
same_rows(size_t n, size_t rows, int64_t *a, int64_t *b)
{
	rows_sort(n, rows, a);
	rows_sort(n, rows, b);
	return memcmp(a, b, rows * n * sizeof *a) == 0;
}

/* Compares rays and constraints. */
static bool
same_cone(const struct cone *a, const struct cone *b)
{
	return a && b && a->complete && b->complete && a->n_rays == b->n_rays && a->n_equalities == b->n_equalities &&
		a->n_inequalities == b->n_inequalities &&
		memcmp(a->equality, b->equality, a->n_equalities * a->n_counters * sizeof *a->equality) == 0 &&
		memcmp(a->inequality, b->inequality, a->n_inequalities * a->n_counters * sizeof *a->inequality) == 0 &&
		same_rows(a->n_counters, a->n_rays, a->ray, b->ray);
}

/* how many signatures fewer were needed */
static size_t
compare_ways(const struct udd_model *m, const struct fset *on)
{
	size_t all, some;
	struct cone *a = cone_so(m, on, false, &all), *b = cone_so(m, on, true, &some);

	CHECK_INT(!a, !b);
	CHECK(!a || same_cone(a, b));
	CHECK(some <= all);
	cone_free(a);
	cone_free(b);
	return all - some;
}

static struct fset
random_choice(const struct udd_model *m, uint64_t *seed)
{
	struct fset all = {0}, on;

	for (size_t f = 0; f < m->n_features; f++)
		fset_put(&all, f, true);
	do {
		on = (struct fset){0};
		for (size_t f = 0; f < m->n_features; f++)
			fset_put(&on, f, test_random(seed) % 2);
	} while (!udd_may_be_legal(m, &on, &all));
	return on;
}

static void
the_cones_are_the_same(void)
{
	static const char *const name[] = {"haswell-mmu", "haswell-study"};
	uint64_t seed = 1;
	size_t fewer = 0;

	for (unsigned round = 0; round < test_rounds(200, 5000); round++) {
		struct udd_model *m = model_random(&seed);
		struct fset on = random_choice(m, &seed);

		test_label("round %u", round);
		compare_ways(m, &on);
		udd_free(m);
	}
	for (size_t i = 0; i < 2; i++) {
		struct udd_model *m = haswell_model(name[i]);

		for (unsigned round = 0; round < test_rounds(6, 300); round++) {
			struct fset on = random_choice(m, &seed);

			test_label("%s, round %u", name[i], round);
			fewer += compare_ways(m, &on);
		}
		udd_free(m);
	}
	CHECK(fewer > 1000);
}

/* --- the search -------------------------------------------------------------------------------------------------- */

#define OBSERVATIONS 6

/* Exact totals on µpaths of a machine in the family. */
static struct obs_table *
draw_table(const struct udd_model *m, const struct fset *machine, uint64_t *seed)
{
	const char **name = mem_new_array(m->n_counters, sizeof *name);
	struct signatures *s = signatures_so(m, machine, false);
	struct obs_table *t;

	for (size_t i = 0; i < m->n_counters; i++)
		name[i] = m->counter[i].name;
	t = obs_table_new(name, m->n_counters);
	for (size_t k = 0; k < OBSERVATIONS; k++) {
		int64_t count[HASWELL_COUNTERS] = {0};
		struct obs *o = obs_table_add(t, "o", "test");

		for (int path = 0; path < 12; path++) {
			size_t row = test_random(seed) % s->n;
			int64_t times = 1 + (int64_t)(test_random(seed) % 1000);

			for (size_t i = 0; i < s->n_counters; i++)
				count[i] += times * s->coef[row * s->n_counters + i];
		}
		o->exact = true;
		obs_add_row(o, count, NULL, 1);
	}
	signatures_free(s);
	free(name);
	return t;
}

/* Cones of choices the slow way, by number: equal cones have one number. */
struct slow {
	const struct udd_model *m;
	struct fset all;
	struct names choices;
	size_t *number, cap, cones_cap;
	struct cone **cone;
	size_t n;
};

#define NO_CONE ((size_t)-1)

static size_t
slow_cone(struct slow *s, const struct fset *on)
{
	char *text = str_format("%llx", (unsigned long long)on->w[0]);
	size_t known = s->choices.n, at = names_add(&s->choices, text, strlen(text)), n, i;
	struct cone *c;

	free(text);
	if (at < known)
		return s->number[at];
	mem_grow(&s->number, &s->cap, at + 1, sizeof *s->number);
	c = udd_may_be_legal(s->m, on, &s->all) ? cone_so(s->m, on, false, &n) : NULL;
	if (!c)
		return s->number[at] = NO_CONE;
	for (i = 0; i < s->n && !same_cone(s->cone[i], c); i++)
		;
	if (i < s->n) {
		cone_free(c);
		return s->number[at] = i;
	}
	mem_grow(&s->cone, &s->cones_cap, s->n + 1, sizeof(struct cone *));
	s->cone[s->n] = c;
	return s->number[at] = s->n++;
}

static bool
adds_nothing(struct slow *s, const struct fset *to, size_t feature)
{
	struct fset more = *to;

	fset_put(&more, feature, true);
	return slow_cone(s, to) != NO_CONE && slow_cone(s, to) == slow_cone(s, &more);
}

/* Equal numbers mean equal cones, and different numbers different ones. */
static void
check_cones(struct slow *s, const struct search_graph *l)
{
	bool good = true;

	for (size_t i = 0; i < l->n_models; i++)
		for (size_t k = 0; k < i && l->model[i].usable; k++)
			if (l->model[k].usable)
				good &= (l->model[i].cone_number == l->model[k].cone_number) ==
					(slow_cone(s, &l->model[i].on) == slow_cone(s, &l->model[k].on));
	CHECK(good);
}

static bool
is_reported(const struct search *s, const struct fset *one, const struct fset *other)
{
	for (size_t i = 0; i < s->graph->n_alike; i++)
		if ((fset_equal(&s->graph->alike[i].one, one) && fset_equal(&s->graph->alike[i].other, other))
		    || (fset_equal(&s->graph->alike[i].one, other) && fset_equal(&s->graph->alike[i].other, one)))
			return true;
	return false;
}

/* Each feature that adds nothing to `base`, the first model that the search asks about, is reported with the smallest
 * part of base for which this is so. Returns their number. */
static size_t
check_alike(struct slow *s, const struct search *found, const struct fset *base)
{
	size_t reported = 0;

	for (size_t f = 0; f < s->m->n_features; f++) {
		struct fset to = *base, one = {0};

		fset_put(&one, f, true);
		if (fset_has(base, f) || !adds_nothing(s, &to, f))
			continue;
		for (size_t g = 0; g < s->m->n_features; g++) {
			struct fset less = to;

			fset_put(&less, g, false);
			if (fset_has(&to, g) && adds_nothing(s, &less, f))
				to = less;
		}
		if (fset_count(&to))
			CHECK(is_reported(found, &one, &to) || fset_has(&found->graph->needs.useless, f));
		reported += fset_count(&to) > 0;
	}
	return reported;
}

static void
a_search_over_many_sets_equals_the_slow_way(void)
{
	struct udd_model *m = haswell_model("haswell-study");
	struct fset machine = haswell_choice(m, "m4", NULL), none = {0};
	struct analysis_options how = {.confidence = 0.99, .trust_zeros = true}; /* they are drawn */
	struct slow slow = {.m = m};
	uint64_t seed = 4;
	size_t reported = 0;

	for (size_t f = 0; f < m->n_features; f++)
		fset_put(&slow.all, f, true);
	for (unsigned round = 0; round < test_rounds(1, 10); round++) {
		struct analysis *a = analysis_new(m, &how);
		struct search *s;

		analysis_set_table(a, 0, draw_table(m, &machine, &seed));
		s = search_run(a, &none, 0, NULL);
		CHECK_NEAR(s->graph->sets, 98304, 0);
		CHECK(s->graph->complete && s->graph->needs.n_minimal > 0);
		check_cones(&slow, s->graph);
		for (size_t i = 0; i < s->graph->needs.n_minimal; i++)
			reported += check_alike(&slow, s, &s->graph->model[s->graph->needs.minimal[i]].on);
		search_free(s);
		analysis_free(a);
	}
	CHECK(reported > 3);
	for (size_t i = 0; i < slow.n; i++)
		cone_free(slow.cone[i]);
	free(slow.cone);
	free(slow.number);
	names_free(&slow.choices);
	udd_free(m);
}

TEST_MAIN(CASE(the_cones_are_the_same), CASE(a_search_over_many_sets_equals_the_slow_way))
