/* hecate compare, its order of models, locate and what a remedy is worth, on small models whose answers are worked
 * out by hand. */
#include "work/search/compare.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "parsed.h"
#include "test.h"
#include "work/analysis/analysis.h"
#include "work/search/locate.h"

static const char text[] =
	"model m; counter a; counter b; counter c;\n"
	"feature miss; feature lone; feature odd excludes lone;\n"
	"path p {\n"
	"  count a;\n"
	"  switch (S) { case Hit: event hit; case Miss when miss: event miss; count b; }\n"
	"  switch (S) { case Hit: count c; case Miss: event late; }\n"
	"}\n"
	"path q when lone { count b; event alone; }\n"
	"path r when odd { count b * 2; event pair; }\n";

static struct fset
set(const struct udd_model *m, const char *features)
{
	struct fset on;
	struct err e = {0};

	CHECK(udd_choose(m, NULL, *features ? features : NULL, NULL, &on, &e));
	return on;
}

static struct comparison *
compare(const struct udd_model *m, const char *one, const char *two, const bool *counter, struct obs_table *data)
{
	struct analysis_options o = {.confidence = 0.99,
		.counter = counter ? mem_copy(counter, m->n_counters * sizeof *counter) : NULL,
		.n_counters = counter ? m->n_counters : 0};
	struct analysis *a = analysis_new(m, &o);
	struct fset on[2] = {set(m, one), set(m, two)};
	struct comparison *c;

	if (data)
		analysis_set_table(a, 0, data);
	c = compare_run(a, on, NULL);
	CHECK(c && !c->error);
	analysis_free(a);
	analysis_options_free(&o);
	return c;
}

static void
relations(void)
{
	struct udd_model *m = parsed_model(text);
	const struct { const char *one, *two; enum relation_kind kind; } rows[] = {
		{"", "miss", RELATION_INSIDE},
		{"miss", "", RELATION_CONTAINS},
		{"miss", "lone", RELATION_NEITHER},
		{"lone", "odd", RELATION_EQUAL},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct comparison *c = compare(m, rows[i].one, rows[i].two, NULL, NULL);

		test_label("%s, %s", rows[i].one, rows[i].two);
		CHECK_STR(relation_name(c->relation), relation_name(rows[i].kind));
		CHECK((c->relation == RELATION_EQUAL) == (c->n_differences == 0));
		for (size_t k = 0; k < c->n_differences; k++)
			CHECK(*c->difference[k].line && *c->difference[k].steps && c->difference[k].breaking > 0);
		comparison_free(c);
	}
	udd_free(m);
}

/* Without b and c the feature `miss` changes nothing that is seen. Counting b alone shows it, and so does counting
 * c. */
static void
remedies(void)
{
	struct udd_model *m = parsed_model(text);
	const bool a_only[3] = {true, false, false};
	struct comparison *c = compare(m, "", "miss", a_only, NULL);

	CHECK_STR(relation_name(c->relation), "equal");
	CHECK_INT(c->n_remedies, 2);
	if (c->n_remedies == 2) {
		CHECK_STR(c->remedy[0].what, "b");
		CHECK_STR(c->remedy[0].text, "b = 0");
		CHECK_STR(c->remedy[1].what, "c");
		CHECK_STR(c->remedy[1].text, "a = c");
	}
	comparison_free(c);
	/* 2 b is b and b: no counter of the model separates them, but a counter of either event does. */
	c = compare(m, "lone", "odd", NULL, NULL);
	CHECK_INT(c->n_remedies, 2);
	for (size_t i = 0; i < c->n_remedies; i++)
		CHECK_INT(c->remedy[i].kind, COMPARE_EVENT);
	CHECK(c->n_remedies && str_eq(c->remedy[0].what, "alone"));
	comparison_free(c);
	udd_free(m);
}

static struct obs_table *
table(const char *const *column, size_t n_columns, size_t n, const int64_t *rows, size_t n_rows, bool exact)
{
	struct obs_table *t = obs_table_new(column, n_columns);

	for (size_t i = 0; i < n; i++) {
		struct obs *o = obs_table_add(t, "o", "test");

		o->exact = exact;
		for (size_t r = 0; r < n_rows; r++)
			obs_add_row(o, rows + (i * n_rows + r) * n_columns, NULL, NAN);
	}
	return t;
}

static void
data_decide(void)
{
	static const char *const column[] = {"a", "b", "c"};
	static const int64_t rows[] = {10, 4, 6, 10, 0, 10};
	struct udd_model *m = parsed_model(text);
	struct comparison *c = compare(m, "", "miss", NULL, table(column, 3, 2, rows, 1, true));

	CHECK_INT(c->n_observations, 2);
	CHECK(c->observation[0].decides && c->observation[0].verdict[0] == VERDICT_INFEASIBLE);
	CHECK(!c->observation[1].decides && c->observation[1].nearest);
	CHECK(isnan(c->observation[1].needed));
	comparison_free(c);
	udd_free(m);
}

/* The means break a ≥ b, but not beyond the noise: four times as many samples halve the region. */
static void
samples_needed(void)
{
	static const char *const column[] = {"a", "b"};
	int64_t rows[60 * 2];
	struct udd_model *m = parsed_model(
		"model n; counter a; counter b; feature free; path p { count a; choose { case Y: count b; case N: "
		"event n; } }\npath q when free { count b; }\n");
	struct comparison *c;
	uint64_t seed = 3;

	for (size_t i = 0; i < 60; i++) {
		rows[2 * i] = 1000 + (int64_t)(test_random(&seed) % 200);
		rows[2 * i + 1] = 1010 + (int64_t)(test_random(&seed) % 200);
	}
	c = compare(m, "", "free", NULL, table(column, 2, 1, rows, 60, false));
	CHECK(!c->observation[0].decides && c->observation[0].nearest);
	CHECK(c->observation[0].off > 0 && c->observation[0].reach > c->observation[0].off);
	CHECK_NEAR(c->observation[0].needed, ceil(60 * pow(c->observation[0].reach / c->observation[0].off, 2)), 0.5);
	comparison_free(c);
	udd_free(m);
}

static void
order(void)
{
	struct udd_model *m = parsed_model(text);
	struct analysis_options o = {.confidence = 0.99};
	struct analysis *a = analysis_new(m, &o);
	const struct fset on[] = {set(m, "lone,miss"), set(m, ""), set(m, "odd"), set(m, "lone")};
	struct compare_order *x = compare_order(a, on, 4, NULL);
	size_t covers = 0;

	CHECK_INT(x->n_cones, 3);
	CHECK_INT(x->cone[2], x->cone[3]);
	for (size_t i = 0; i < x->n_cones * x->n_cones; i++)
		covers += x->covers[i];
	CHECK_INT(covers, 2); /* {} lies in {lone} = {odd}, which lies in {lone, miss} */
	CHECK(x->covers[x->cone[1] * 3 + x->cone[3]] && x->covers[x->cone[3] * 3 + x->cone[0]]);
	CHECK(x->inside[x->cone[1] * 3 + x->cone[0]]);
	compare_order_free(x);
	analysis_free(a);
	udd_free(m);
}

static bool
counts_the_same(const struct locate_candidate *c, const char *name)
{
	for (size_t i = 0; i < c->n_same; i++)
		if (strstr(c->same[i].name, name))
			return true;
	return false;
}

static const struct locate_candidate *
find(const struct locate_result *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (str_eq(l->candidate[i].name, name) || counts_the_same(&l->candidate[i], name))
			return &l->candidate[i];
	return NULL;
}

static struct locate_result *
locate(const struct udd_model *m, const char *features, const int64_t *rows, size_t n, const char *event, struct err *e)
{
	static const char *const column[] = {"a", "b", "c", "x"};
	struct analysis_options o = {.confidence = 0.99};
	struct fset on = set(m, features);
	struct obs_table *t = table(column, 4, n, rows, 1, true);
	struct locate_result *l = locate_run(m, &on, &o, &t, 1, event, 0, NULL, e);

	obs_table_free(t);
	return l;
}

/* x counts what a and path q count together, a + b − misses: locate finds this as a sum. A place that counts too
 * little is refuted. */
static void
locates(void)
{
	static const int64_t hits[] = {
		10, 4, 6, 6, 20, 5, 15, 15}, misses[] = {10, 4, 6, 4, 20, 5, 15, 5}, sum[] = {10, 4, 10, 14, 20, 5, 20,
		25
	};
	struct udd_model *m = parsed_model(text);
	struct err e = {0};
	struct locate_result *l = locate(m, "miss", hits, 2, "x", &e);
	const struct locate_candidate *c;

	CHECK(l && !l->error && l->n_observations == 2 && !l->n_left_out);
	c = find(l, "event hit");
	CHECK(c && c->survives && c->rule && counts_the_same(c, "S = Hit"));
	c = find(l, "event miss");
	CHECK(c && !c->survives && c->refuter && c->constraint);
	locate_result_free(l);
	l = locate(m, "miss", misses, 2, "x", &e);
	CHECK(l != NULL);
	c = find(l, "event late");
	CHECK(c && c->survives && c->rule);
	c = find(l, "event miss");
	CHECK(c && c->survives && strstr(c->paste, "count x; event miss;"));
	locate_result_free(l);
	l = locate(m, "lone", sum, 2, "x", &e);
	CHECK(l && l->n_survivors && l->candidate[0].terms == 2 && l->candidate[0].rule &&
		str_eq(l->candidate[0].rule, "x = b + c"));
	locate_result_free(l);
	udd_free(m);
}

/* A known counter is tested where it is declared. A counter that no data have is reported, and so is a model that is
 * itself refuted. */
static void
locate_refuses(void)
{
	static const int64_t good[] = {10, 4, 6, 6}, bad[] = {10, 4, 6, 6, 10, 40, 60, 6};
	struct udd_model *m = parsed_model(text);
	struct err e = {0};
	struct locate_result *l = locate(m, "miss", good, 1, "b", &e);

	CHECK(l && l->known == 1 && l->candidate[0].declared && l->candidate[0].survives);
	locate_result_free(l);
	CHECK(!locate(m, "miss", good, 1, "y", &e));
	CHECK(strstr(e.what, "no column 'y'") != NULL);
	l = locate(m, "miss", bad, 2, "x", &e);
	CHECK(l && l->n_left_out == 1 && l->n_observations == 1 && str_eq(l->left_out[0], "o#2"));
	locate_result_free(l);
	CHECK(!locate(m, "", good, 1, "x", &e));
	CHECK(strstr(e.what, "refutes the model") != NULL);
	udd_free(m);
}

TEST_MAIN(CASE(relations), CASE(remedies), CASE(data_decide), CASE(samples_needed), CASE(order), CASE(locates),
	CASE(locate_refuses))
