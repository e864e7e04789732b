/* What a search reports of features that cannot be told apart, that add nothing, or that are useless. The truth is
 * brute force: the cones of all legal sets of random models that agree with what is fixed, compared by their extreme
 * rays. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/obs/obs.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "models.h"
#include "parsed.h"
#include "test.h"
#include "text/diag.h"
#include "work/analysis/analysis.h"
#include "work/search/search.h"

#define COUNTERS 4
#define FEATURES 6
#define SETS (1u << FEATURES)
#define OBSERVATIONS 3

/* Paths and cases that exist with one or two features, or without one. Some features require or exclude each other. */
static struct udd_model *
make_model(uint64_t *seed)
{
	struct str t = {0};
	unsigned paths = 4 + (unsigned)(test_random(seed) % 5);

	str_add(&t, "model random;\n");
	for (int i = 0; i < COUNTERS; i++)
		str_addf(&t, "counter c%d;\n", i);
	for (int i = 0; i < FEATURES; i++) {
		unsigned law = (unsigned)(test_random(seed) % 8), before = i
			? (unsigned)(test_random(seed) % (unsigned)i) : 0;

		str_addf(&t, "feature f%d", i);
		if (i && law < 2)
			str_addf(&t, " %s f%u", law ? "requires" : "excludes", before);
		str_add(&t, ";\n");
	}
	str_add(&t, "path always { count c0; }\n");
	for (unsigned k = 0; k < paths; k++) {
		unsigned a = (unsigned)(test_random(seed) % FEATURES), b = (unsigned)(test_random(seed) % FEATURES),
			kind = (unsigned)(test_random(seed) % 8);

		str_addf(&t, "path p%u when (%sf%u", k, kind == 0 ? "!" : "", a);
		if (kind > 4 && a != b)
			str_addf(&t, " %s %sf%u", kind == 5 ? "||" : "&&", kind == 7 ? "!" : "", b);
		str_add(&t, ") {");
		for (int i = 0; i < COUNTERS; i++)
			for (uint64_t n = test_random(seed) % 5 < 3 ? 0 : 1 + test_random(seed) % 2; n > 0; n--)
				str_addf(&t, " count c%d;", i);
		str_add(&t, " event e; }\n");
	}
	return model_from_made(&t);
}

static int
compare_rays(const void *a, const void *b)
{
	return memcmp(a, b, COUNTERS * sizeof(int64_t));
}

/* All sets of the family, and the number of each set's cone. */
struct family {
	const struct udd_model *m;
	bool there[SETS];
	size_t cone[SETS];
	struct cone *distinct[SETS];
	size_t n;
};

static struct cone *
sorted_cone(const struct udd_model *m, const struct fset *on)
{
	struct diags d = {0};
	struct udd_diagram *g = udd_expand(m, on, &d);
	struct signatures *s = g ? signatures_new(g, &d) : NULL;
	struct cone *c = s ? cone_new(COUNTERS, s->n, s->coef, NULL) : NULL;

	if (c)
		qsort(c->ray, c->n_rays, COUNTERS * sizeof *c->ray, compare_rays);
	signatures_free(s);
	udd_diagram_free(g);
	diags_free(&d);
	return c;
}

static void
make_family(struct family *f, unsigned start, unsigned fixed)
{
	for (unsigned on = 0; on < SETS; on++) {
		struct fset set = {.w = {on}};
		struct err e;
		struct cone *c;
		size_t k = 0;

		if (((on ^ start) & fixed) || !udd_legal(f->m, &set, &e))
			continue;
		c = sorted_cone(f->m, &set);
		if (!CHECK(c && c->complete))
			continue;
		while (k < f->n && (f->distinct[k]->n_rays != c->n_rays || memcmp(f->distinct[k]->ray, c->ray,
			c->n_rays * COUNTERS * sizeof *c->ray) != 0))
			k++;
		if (k == f->n)
			f->distinct[f->n++] = c;
		else
			cone_free(c);
		f->there[on] = true;
		f->cone[on] = k;
	}
}

/* Counts the sets of other features in which the two cones were compared (*tested), and in which they were equal
 * (*held). */
static void
count_contexts(const struct family *f, unsigned one, unsigned other, bool nothing, size_t *tested, size_t *held)
{
	*tested = *held = 0;
	for (unsigned rest = 0; rest < SETS; rest++) {
		unsigned to = rest | other, from = (nothing ? to : rest) | one;

		if ((rest & (one | other)) || !f->there[to] || !f->there[from])
			continue;
		++*tested;
		*held += f->cone[to] == f->cone[from];
	}
}

struct reported {
	size_t equal, nothing, partly, survivors, useless;
};

static void
check_alike(const struct family *f, const struct search_graph_alike *x, struct reported *reported)
{
	unsigned one = (unsigned)x->one.w[0], other = (unsigned)x->other.w[0];
	size_t tested, held;

	count_contexts(f, one, other, x->kind <= GRAPH_NOTHING, &tested, &held);
	CHECK(x->whole && tested > 0);
	CHECK_INT(x->tested, tested);
	CHECK_INT(x->held, held);
	CHECK((strstr(x->says, "cannot be told apart") != NULL) == (x->kind == GRAPH_EQUAL));
	CHECK(x->kind != GRAPH_EQUAL || held == tested);
	CHECK(x->kind == GRAPH_EQUAL || held > 0);
	CHECK(x->kind == GRAPH_EQUAL || (strstr(x->says, "; ") != NULL) == (held < tested));
	CHECK(x->kind > GRAPH_NOTHING || (x->kind == GRAPH_PARTLY) == (held < tested));
	reported->equal += x->kind == GRAPH_EQUAL;
	reported->nothing += x->kind == GRAPH_NOTHING;
	reported->partly += x->kind == GRAPH_PARTLY;
	reported->survivors += x->kind == GRAPH_SURVIVORS;
}

static struct obs_table *
draw_table(const struct udd_model *m, uint64_t *seed)
{
	const char *name[COUNTERS];
	struct obs_table *t;

	for (size_t i = 0; i < COUNTERS; i++)
		name[i] = m->counter[i].name;
	t = obs_table_new(name, COUNTERS);
	for (size_t i = 0; i < OBSERVATIONS; i++) {
		int64_t row[COUNTERS];
		char what[] = {'o', (char)('0' + i), '\0'};

		obs_table_add(t, what, "test")->exact = true;
		for (size_t k = 0; k < COUNTERS; k++)
			row[k] = (int64_t)(test_random(seed) % 4);
		obs_add_row(t->obs[i], row, NULL, 0);
	}
	return t;
}

static void
check_search(const struct family *f, const struct search *s, unsigned fixed, struct reported *reported)
{
	for (size_t i = 0; i < s->graph->n_alike; i++)
		check_alike(f, &s->graph->alike[i], reported);
	CHECK(s->useless_whole);
	for (unsigned k = 0; k < FEATURES; k++) {
		size_t tested, held;
		bool useless;

		if (fixed >> k & 1)
			continue;
		count_contexts(f, 1u << k, 0, true, &tested, &held);
		useless = tested && held == tested;
		CHECK_INT(fset_has(&s->graph->needs.useless, k), useless);
		reported->useless += useless;
	}
}

static void
statements_hold_in_all_sets(void)
{
	unsigned rounds = test_rounds(300, 4000);
	struct analysis_options how = {.confidence = 0.99, .exact = true};
	struct reported reported = {0};
	uint64_t seed = 23;

	for (unsigned round = 0; round < rounds; round++) {
		struct udd_model *m = make_model(&seed);
		struct family f = {.m = m};
		unsigned start = (unsigned)(test_random(&seed) % SETS), fixed = round % 3 ? 0
			: (unsigned)(test_random(&seed) & test_random(&seed) & (SETS - 1));
		struct search_request request = {.task = SEARCH_AUTO, .on = {.w = {start}}, .fixed = {.w = {fixed}}};
		struct analysis *a;
		struct search *s;
		struct err e;

		test_label("round %u", round);
		if (!udd_legal(m, &request.on, &e)) {
			udd_free(m);
			continue;
		}
		a = analysis_new(m, &how);
		analysis_set_table(a, 0, draw_table(m, &seed));
		s = search_run_task(a, &request, NULL);
		make_family(&f, start, fixed);
		if (CHECK(s->graph->complete))
			check_search(&f, s, fixed, &reported);
		for (size_t i = 0; i < f.n; i++)
			cone_free(f.distinct[i]);
		search_free(s);
		analysis_free(a);
		udd_free(m);
	}
	test_label("reported: equal %zu, nothing %zu, partly %zu, survivors %zu, useless %zu", reported.equal,
		reported.nothing, reported.partly, reported.survivors, reported.useless);
	CHECK(reported.equal > 5 && reported.nothing > 20 && reported.partly > 5 && reported.useless > 20);
}

/* While no other feature is on, f1 and f2 make the same cone; with f3 they do not. */
static void
one_set_is_not_all(void)
{
	static const char text[] =
		"model shrink; counter a; counter b; counter c; feature f1; feature f2; feature f3;\n"
		"path p { count a; } path q when f1 || f2 { count b; } path r when f2 && f3 { count c; }";
	struct udd_model *m = parsed_model(text);
	struct analysis *a = analysis_new(m, &(struct analysis_options){.confidence = 0.99, .exact = true});
	struct obs_table *t = obs_table_new((const char *[]){"a", "b", "c"}, 3);
	struct search *s;

	obs_table_add(t, "o", "test")->exact = true;
	obs_add_row(t->obs[0], (int64_t[]){5, 3, 0}, NULL, 0);
	analysis_set_table(a, 0, t);
	s = search_run(a, &(struct fset){0}, 0, NULL);
	CHECK_INT(s->graph->needs.n_minimal, 2);
	for (size_t i = 0; i < s->graph->n_alike; i++)
		CHECK(s->graph->alike[i].kind != GRAPH_EQUAL);
	if (CHECK(s->graph->n_alike > 0 && s->graph->alike[s->graph->n_alike - 1].kind == GRAPH_SURVIVORS))
		CHECK_STR(s->graph->alike[s->graph->n_alike - 1].says,
			"f2 and f1 make the same cone with the features that the two survivors share; they do not "
			"where f3 is also on");
	search_free(s);
	analysis_free(a);
	udd_free(m);
}

TEST_MAIN(CASE(one_set_is_not_all), CASE(statements_hold_in_all_sets))
