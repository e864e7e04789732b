/* The cache of cones: it gives the same cones as without it, and stays within its bounds. */
#include "work/analysis/cones.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "models.h"
#include "parsed.h"
#include "test.h"
#include "text/diag.h"

#define COUNTERS RANDOM_MODEL_COUNTERS
#define FEATURES RANDOM_MODEL_FEATURES

static struct fset
choice(unsigned bits)
{
	struct fset on = {{0}};

	on.w[0] = bits;
	return on;
}

/* The cone made without a cache: the model expanded, its µpaths walked, the cone derived. */
static struct cone *
make_anew(const struct udd_model *m, const struct fset *on, const bool *keep)
{
	struct diags d = {0};
	struct udd_diagram *g = udd_expand(m, on, &d);
	struct signatures *s = signatures_new(g, &d);
	struct cone *all = cone_new(s->n_counters, s->n, s->coef, &(struct cone_limits){.seconds = -1}),
		    *c = cone_project(all, keep, NULL);

	cone_free(all);
	signatures_free(s);
	udd_diagram_free(g);
	diags_free(&d);
	return c;
}

static void
check_same(const struct cone *a, const struct cone *b)
{
	CHECK_INT(a->n_counters, b->n_counters);
	if (CHECK_INT(a->n_inequalities, b->n_inequalities) && CHECK_INT(a->n_equalities, b->n_equalities) &&
		CHECK_INT(a->n_rays, b->n_rays)) {
		CHECK(memcmp(a->inequality, b->inequality, a->n_inequalities * a->n_counters * sizeof *a->ray) == 0);
		CHECK(memcmp(a->equality, b->equality, a->n_equalities * a->n_counters * sizeof *a->ray) == 0);
		CHECK(memcmp(a->ray, b->ray, a->n_rays * a->n_counters * sizeof *a->ray) == 0);
	}
}

static void
features_toggled_in_any_order_give_the_same(void)
{
	uint64_t seed = 1;

	for (int round = 0; round < (int)test_rounds(60, 2000); round++) {
		struct udd_model *m = model_random(&seed);
		struct cones *cones;
		unsigned bits = (unsigned)test_random(&seed) % (1u << FEATURES);

		if (!m)
			return;
		cones = cones_new(m, 0);
		for (int step = 0; step < 20; step++) {
			struct fset on = choice(bits);
			bool keep[COUNTERS];
			const struct cone *c;
			struct cone *anew;

			for (int i = 0; i < COUNTERS; i++)
				keep[i] = i == 0 || step % 3 == 0 || test_random(&seed) % 2;
			test_label("round %d step %d, features %x", round, step, bits);
			cones_begin(cones);
			c = cones_get(cones, &on, keep);
			anew = make_anew(m, &on, keep);
			check_same(c, anew);
			CHECK(cones_get(cones, &on, keep) == c);
			cone_free(anew);
			bits ^= 1u << test_random(&seed) % FEATURES;
		}
		cones_free(cones);
		udd_free(m);
	}
}

/* Steps through the choices of the installed models: each toggles one feature legally, and some take fewer counters. */
static void
installed_models_toggled_give_the_same(void)
{
	static const char *const names[] = {"haswell-mmu", "linux-page-faults"};
	uint64_t seed = 4;

	for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
		struct err e;
		struct udd_model *m = installed_model(names[k]);
		struct cones *cones = m ? cones_new(m, 0) : NULL;
		struct fset on = choice(0);
		bool *keep = mem_new_array(m ? m->n_counters : 0, sizeof *keep);

		for (int step = 0; CHECK(m != NULL) && step < (int)test_rounds(25, 400); step++) {
			struct fset next = on;
			size_t feature = test_random(&seed) % m->n_features;
			struct cone *anew;

			for (size_t i = 0; i < m->n_counters; i++)
				keep[i] = step % 3 != 2 || i == 0 || test_random(&seed) % 4;
			test_label("%s step %d, features %llx", names[k], step, (unsigned long long)on.w[0]);
			cones_begin(cones);
			anew = make_anew(m, &on, keep);
			check_same(cones_get(cones, &on, keep), anew);
			cone_free(anew);
			fset_put(&next, feature, !fset_has(&next, feature));
			if (udd_legal(m, &next, &e))
				on = next;
		}
		free(keep);
		cones_free(cones);
		udd_free(m);
	}
}

/* Every choice is asked for repeatedly, with room for few. What a round gave stays usable until the next round
 * begins. */
static void
the_bounds_hold(void)
{
	uint64_t seed = 2;
	struct udd_model *m = model_random(&seed);
	bool all[COUNTERS] = {true, true, true, true, true}, some[COUNTERS] = {true, true, true, false, false};
	struct cones *cones = cones_new(m, 0);
	size_t first, largest = 0;

	cones_set_bounds(cones, 9, SIZE_MAX);
	for (unsigned k = 0; k < 200; k++) {
		struct fset on = choice((unsigned)test_random(&seed) % (1u << FEATURES));
		const struct cone *a, *b;

		cones_begin(cones);
		a = cones_get(cones, &on, all);
		b = cones_get(cones, &on, some);
		CHECK(cones_size(cones).choices <= 9);
		CHECK(cones_size(cones).cones <= cones_size(cones).choices);
		CHECK_INT(a->n_counters, 5);
		CHECK_INT(b->n_counters, 3);
		largest = cones_size(cones).choices > largest ? cones_size(cones).choices : largest;
	}
	CHECK_INT(largest, 9);
	/* Bounded by bytes: there is room for one choice, so each choice replaces the one before. */
	cones_set_bounds(cones, SIZE_MAX, 1);
	cones_begin(cones);
	CHECK_INT(cones_size(cones).choices, 0);
	CHECK_INT(cones_size(cones).cones, 0);
	CHECK_INT(cones_size(cones).bytes, 0);
	cones_get(cones, &(struct fset){{0}}, all);
	first = cones_size(cones).bytes;
	CHECK(first > 0);
	cones_set_bounds(cones, SIZE_MAX, 3 * first);
	for (unsigned k = 0; k < 1u << FEATURES; k++) {
		struct fset on = choice(k);

		cones_begin(cones);
		CHECK(cones_size(cones).bytes <= 3 * first);
		cones_get(cones, &on, all);
	}
	cones_free(cones);
	udd_free(m);
}

/* The choice that was asked for last is kept. Within a round all are kept, whatever the bounds. */
static void
the_oldest_goes_first(void)
{
	uint64_t seed = 3;
	struct udd_model *m = model_random(&seed);
	bool all[COUNTERS] = {true, true, true, true, true};
	struct cones *cones = cones_new(m, 0);
	const struct cone *given[1 << FEATURES];
	struct fset zero = choice(0);
	size_t before;

	cones_set_bounds(cones, 4, SIZE_MAX);
	cones_begin(cones);
	for (unsigned k = 0; k < 1u << FEATURES; k++) {
		struct fset on = choice(k);

		given[k] = cones_get(cones, &on, all);
	}
	CHECK_INT(cones_size(cones).choices, 2u << FEATURES);
	for (unsigned k = 0; k < 1u << FEATURES; k++) {
		struct fset on = choice(k);

		test_label("features %x", k);
		CHECK(cones_get(cones, &on, all) == given[k]);
		CHECK(given[k]->complete);
	}
	cones_get(cones, &zero, all);
	cones_begin(cones);
	CHECK_INT(cones_size(cones).choices, 4);
	CHECK(cones_get(cones, &zero, all) == given[0]);
	CHECK_INT(cones_size(cones).choices, 4);
	/* A choice that was dropped is made again. */
	before = cones_size(cones).choices;
	for (unsigned k = 1; k < 4; k++) {
		struct fset on = choice(k);

		cones_begin(cones);
		CHECK(cones_get(cones, &on, all)->complete);
		CHECK(cones_size(cones).choices <= before);
	}
	cones_free(cones);
	udd_free(m);
}

/* Features that change none of these counters make no second cone. */
static void
equal_cones_are_shared(void)
{
	static const char text[] = "model m; counter a; counter b; feature x; feature y;\n"
		"path p { count a; when (x) { choose { case Yes: count b; case No: } } when (y) { event e; } }\n";
	struct udd_model *m = parsed_model(text);
	bool both[] = {true, true}, first[] = {true, false};
	struct cones *cones = cones_new(m, 0);
	struct fset none = {{0}}, x = choice(1), y = choice(2);

	cones_begin(cones);
	CHECK(cones_get(cones, &none, both) == cones_get(cones, &y, both));
	CHECK(cones_get(cones, &none, both) != cones_get(cones, &x, both));
	CHECK(cones_get(cones, &none, first) == cones_get(cones, &x, first));
	CHECK_INT(cones_size(cones).cones, 3);
	cones_set_bounds(cones, 0, 0);
	cones_begin(cones);
	CHECK_INT(cones_size(cones).cones, 0);
	CHECK_INT(cones_size(cones).bytes, 0);
	cones_free(cones);
	udd_free(m);
}

static void
errors_are_reported_each_time(void)
{
	static const char text[] = "model m; counter a; feature x; path p { when (x) { impossible; } count a; }\n";
	struct udd_model *m = parsed_model(text);
	struct cones *cones = cones_new(m, 0);
	struct fset none = {{0}}, x = choice(1);

	for (int k = 0; k < 2; k++) {
		char *error = NULL;

		cones_begin(cones);
		CHECK(cones_signatures(cones, &x, &error) == NULL);
		CHECK(error && strstr(error, "m.udd"));
		free(error);
		error = NULL;
		CHECK(cones_signatures(cones, &none, &error) != NULL);
		CHECK(error == NULL);
	}
	cones_free(cones);
	udd_free(m);
}

TEST_MAIN(CASE(features_toggled_in_any_order_give_the_same), CASE(installed_models_toggled_give_the_same),
	CASE(the_bounds_hold), CASE(the_oldest_goes_first), CASE(equal_cones_are_shared),
	CASE(errors_are_reported_each_time))
