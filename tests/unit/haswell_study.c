/* How the cones of models/haswell-study.udd lie in each other, and how they differ. This is the structure behind the
 * tables of CounterPoint's appendix C (Lindsay et al., ASPLOS 2026), and needs no measurement. Then one program for
 * each feature, as exact totals of a few thousand µops, and the variants that survive it. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/stats/region.h"
#include "core/verdict/verdict.h"
#include "haswell.h"
#include "test.h"

enum { N = HASWELL_COUNTERS };

/* Variants with the same cone, and (`next`) the largest classes whose cones lie in it, each named by its first
 * variant. Smaller cones stand first. */
static const struct class {
	const char *names, *next;
} class[] = {
	{"m0", ""},
	{"m1", "m0"},
	{"m5 m9", "m0"},
	{"r2", "m0"},
	{"m2", "m1"},
	{"m7 m11", "m1"},
	{"r1", "m1"},
	{"t11", "m5"},
	{"t14", "m5"},
	{"m3", "m2"},
	{"m6 m10", "m7"},
	{"m7_ab_psc", "m7"},
	{"r3", "m2"},
	{"t10", "t11"},
	{"t13", "t14"},
	{"t17", "t11 t14"},
	{"t9", "t10"},
	{"t12", "t13"},
	{"t16", "t10 t13 t17"},
	{"t15", "t9 t12 t16"},
	{"a0 a1 a2 a3 m3_ab_walk", "m3"},
	{"r0 m3_replay", "a0 r1 r2 r3"},
	{"m4 m8 t0 t1 t2 t3 t4 t5 t6 t7 t8 m6_ab_psc m4_pf_sets", "m6 t15 m7_ab_psc a0"},
};
enum { CLASSES = sizeof class / sizeof *class };

struct family {
	struct udd_model *model;
	struct cone *cone[CLASSES];       /* of each class's first variant */
	bool inside[CLASSES][CLASSES];    /* by its class's first variant */
};

static struct cone *
cone_of(const struct udd_model *m, const char *variant)
{
	struct fset on = haswell_choice(m, variant, NULL);
	struct signatures *s = haswell_signatures(m, &on);
	struct cone *c = cone_new(N, s->n, s->coef, &(struct cone_limits){.seconds = 600});

	CHECK(c->complete);
	signatures_free(s);
	return c;
}

static bool
names_it(const char *list, const char *name)
{
	size_t n;
	char **word = str_split(list, ' ', &n);
	bool found = false;

	for (size_t i = 0; i < n; i++)
		found = found || str_eq(word[i], name);
	str_split_free(word);
	return found;
}

static void
first_name(size_t k, char out[32])
{
	size_t n = strcspn(class[k].names, " ");

	memcpy(out, class[k].names, n);
	out[n] = '\0';
}

static struct family
family_new(void)
{
	struct family f = {.model = haswell_model("haswell-study")};

	for (size_t k = 0; k < CLASSES; k++) {
		char name[32];

		first_name(k, name);
		f.cone[k] = cone_of(f.model, name);
		f.inside[k][k] = true;
		for (size_t i = 0; i < k; i++) {
			char below[32];

			first_name(i, below);
			for (size_t j = 0; j <= i && names_it(class[k].next, below); j++)
				f.inside[j][k] = f.inside[j][k] || f.inside[j][i];
		}
	}
	return f;
}

static void
family_free(struct family f)
{
	for (size_t k = 0; k < CLASSES; k++)
		cone_free(f.cone[k]);
	udd_free(f.model);
}

/* Whether class k is one of those named, or larger (with `smaller`: smaller) than one of them. */
static bool
reached(const struct family *f, const char *named, size_t k, bool smaller)
{
	for (size_t i = 0; i < CLASSES; i++) {
		char name[32];

		first_name(i, name);
		if (names_it(named, name) && (smaller ? f->inside[k][i] : f->inside[i][k]))
			return true;
	}
	return false;
}

static void
every_variant_has_its_place(void)
{
	struct family f = family_new();
	size_t all = 0;

	for (size_t k = 0; k < CLASSES; k++) {
		size_t n;
		char **name = str_split(class[k].names, ' ', &n);

		for (size_t i = 1; i < n; i++) {
			struct cone *c = cone_of(f.model, name[i]);

			test_label("%s and %s", name[0], name[i]);
			CHECK(haswell_lies_in(c, f.cone[k]) && haswell_lies_in(f.cone[k], c));
			cone_free(c);
		}
		all += n;
		str_split_free(name);
	}
	CHECK_INT(f.model->n_variants, all);
	family_free(f);
}

static void
cones_lie_in_each_other_as_the_table_says(void)
{
	struct family f = family_new();

	for (size_t a = 0; a < CLASSES; a++)
		for (size_t b = 0; b < CLASSES; b++) {
			test_label("%s in %s", class[a].names, class[b].names);
			CHECK_INT(haswell_lies_in(f.cone[a], f.cone[b]), f.inside[a][b]);
		}
	/* Each cone has two sums of page sizes for loads and two for stores. */
	CHECK_INT(f.cone[0]->n_inequalities, 31);
	for (size_t k = 0; k < CLASSES; k++)
		CHECK_INT(f.cone[k]->n_equalities, 4);
	family_free(f);
}

/* Adds the terms of "ref + 2 T.walk_done_1g+" to coef: "T." stands for the access type, "x+" for the sum over both,
 * "ref" for all references. */
static void
add_terms(const struct udd_model *m, const char *type, const char *terms, int sign, int64_t *coef)
{
	char **word = str_split(terms, ' ', NULL);
	int times = 1;

	for (size_t k = 0; word[k]; k++) {
		const char *w = word[k];
		size_t n = strlen(w);
		bool both = n > 1 && w[n - 1] == '+';
		char *name = both ? str_format("%.*s", (int)(n - 1), w) : mem_str(w);
		const char *counter = strchr(name, '.');

		if (w[0] >= '0' && w[0] <= '9')
			times = atoi(w);
		else if (str_eq(w, "ref"))
			for (size_t i = 0; i < 4; i++)
				coef[haswell_counter(m, "walk_ref", (const char *[]){"l1", "l2", "l3", "mem"}[i])] +=
					sign * times;
		else if (counter && w[0] == 'T')
			for (size_t t = 0; t < 2; t++) {
				const char *one = t == 0 ? "load" : "store";

				if (both || str_eq(one, type))
					coef[haswell_counter(m, one, counter + 1)] += sign * times;
			}
		else if (counter)
			coef[haswell_counter(m, "", name)] += sign * times;
		if (w[0] < '0' || w[0] > '9')
			times = 1;
		free(name);
	}
	str_split_free(word);
}

/* A constraint, less ≤ more, and the largest cones that keep it. Exactly these and the cones that lie in them keep
 * it. */
#define SPENT "ref + T.walk_done_2m+ + 2 T.walk_done_1g+"
static const struct law {
	const char *less, *more, *kept;
} law[] = {
	{"T.walk_done", "T.causes_walk", "m4 r0"},
	{"T.ret_stlb_miss", "T.ret", "m4 r0"},
	/* broken by early lookup with merging, or by dropped requests */
	{"T.pde$_miss", "T.causes_walk", "m6 r1"},
	/* broken by merging */
	{"T.ret_stlb_miss", "T.walk_done", "m7_ab_psc r1"},
	/* broken by the root's cache; then by features that go further, in the order of Tables 3, 7 and appendix
	 * C.4: aborts, replays, hidden walks */
	{"T.causes_walk+ + T.walk_done_1g+", "ref", "m2"},
	{"T.causes_walk+", "ref", "m3"},
	{"T.causes_walk+", "T.walk_done+ + ref", "m3"},
	{"T.walk_done+", "ref", "a0"},
	{"T.walk_done+", "ref + T.ret_stlb_miss+", "r0"},
	/* broken by replays, which find a page of any size */
	{"T.walk_done_2m + T.walk_done_1g", "T.pde$_miss", "m4"},
	{"T.walk_done_2m + T.walk_done_1g", "T.pde$_miss + T.ret_stlb_miss", "m4 r0"},
	/* broken by prefetches; then Table 5: each prefetch belongs to a retired µop, by how far it came */
	{"ref", "T.causes_walk+ + 3 T.pde$_miss+", "m5 r2"},
	{SPENT, "T.causes_walk+ + 3 T.pde$_miss+", "m5"},
	{SPENT, "4 T.causes_walk+ + 4 load.ret_stlb_miss", "t11 r2"},
	{SPENT, "4 T.causes_walk+ + 4 store.ret_stlb_miss", "t14 r2"},
	{SPENT, "4 T.causes_walk+ + 4 T.ret_stlb_miss+", "t17 r2"},
	{SPENT, "4 T.causes_walk+ + 4 load.ret_stlb_miss + 4 load.stlb_hit", "t10 r2"},
	{SPENT, "4 T.causes_walk+ + 4 store.ret_stlb_miss + 4 store.stlb_hit", "t13 r2"},
	{SPENT, "4 T.causes_walk+ + 4 T.ret_stlb_miss+ + 4 T.stlb_hit+", "t16 r2"},
	{SPENT, "4 T.causes_walk+ + 4 load.ret", "t9 r2"},
	{SPENT, "4 T.causes_walk+ + 4 store.ret", "t12 r2"},
	{SPENT, "4 T.causes_walk+ + 4 T.ret+", "t15 r2"},
};

static void
constraints_separate_the_cones(void)
{
	struct family f = family_new();

	for (size_t l = 0; l < sizeof law / sizeof *law; l++)
		for (size_t t = 0; t < 2; t++) {
			int64_t coef[N] = {0};

			add_terms(f.model, t == 0 ? "load" : "store", law[l].less, -1, coef);
			add_terms(f.model, t == 0 ? "load" : "store", law[l].more, 1, coef);
			for (size_t k = 0; k < CLASSES; k++) {
				test_label("%s <= %s, %s", law[l].less, law[l].more, class[k].names);
				CHECK_INT(haswell_keeps(f.cone[k], coef), reached(&f, law[l].kept, k, true));
			}
		}
	family_free(f);
}

/* A program, and the smallest cones that allow it. Exactly these and the cones that they lie in survive. Pages have
 * 4 KB unless the name says otherwise. A walk after a hit in the PDE cache makes one reference. */
#define WALKS "1000 load.causes_walk + 1000 load.walk_done + 1000 load.walk_done_4k + 1000 load.ret_stlb_miss"
static const struct program {
	const char *name, *counts, *survive;
} program[] = {
	{"linear, loads, its pages are in the DTLB when it comes", "64000 load.ret + 4000 walk_ref.l2", "m1 t9"},
	{"the same and a few stores", "64000 load.ret + 1000 store.ret + 4000 walk_ref.l2", "m1 t9 t12"},
	{"the same, stores alone", "64000 store.ret + 4000 walk_ref.l2", "m1 t12"},
	{"linear, its pages are in the STLB",
		"64000 load.ret + 1000 load.stlb_hit + 1000 load.stlb_hit_4k + 4000 walk_ref.l2", "m1 t10"},
	{"linear, its pages are nowhere", "64000 load.ret + " WALKS " + 5000 walk_ref.l2", "m1 t11"},
	{"several loads of a page that is being walked",
		"3000 load.ret + 2000 load.ret_stlb_miss + " WALKS " + 1000 walk_ref.l2", "m2 m5 m6 r2"},
	{"lookups and no walks", "1000 load.ret + " WALKS " + 2000 load.pde$_miss + 4000 walk_ref.l2",
		"m2 m5 m7_ab_psc r2"},
	{"1 GB pages, the root's entry is cached",
		"1000 load.causes_walk + 1000 load.walk_done + 1000 load.walk_done_1g + 1000 load.pde$_miss"
		" + 1000 load.ret_stlb_miss + 1000 load.ret + 1000 walk_ref.l2",
		"m3 m5 m7 r1 r2 r3"},
	{"walks that nothing shows, of retired loads", "1000 load.ret + " WALKS, "m5 m7 r2 r3"},
	{"walks that nothing shows, on a wrong path",
		"1000 load.causes_walk + 1000 load.walk_done + 1000 load.walk_done_4k", "m5 m7"},
	{"walks that are aborted at once", "1000 load.ret + 1000 load.causes_walk", "a0 m5 m7 r1 r2 r3"},
	{"walks that are done again", "1000 load.ret + 1000 load.causes_walk + " WALKS " + 1000 walk_ref.l2",
		"a0 m5 m7 r1 r2 r3"},
	{"walks that are done again, and find a larger page",
		"1000 load.ret + 2000 load.causes_walk + 1000 load.walk_done + 1000 load.walk_done_2m"
		" + 1000 load.ret_stlb_miss + 1000 walk_ref.l2",
		"r1 r2 r3"},
	{"walks that are aborted", "1000 load.ret + 1000 load.causes_walk + 1000 load.pde$_miss + 3000 walk_ref.mem",
		"m0"},
};

static void
programs_refute_the_others(void)
{
	struct family f = family_new();
	struct verdict_options o = {.confidence = 0.99};

	for (size_t i = 0; i < sizeof program / sizeof *program; i++) {
		int64_t v[N] = {0};
		struct samples s = {.n_counters = N, .n_rows = 1, .count = v};
		struct region *r;

		add_terms(f.model, "", program[i].counts, 1, v);
		r = region_new(&s, true);
		for (size_t k = 0; k < CLASSES; k++) {
			bool survives = reached(&f, program[i].survive, k, false);
			struct verdict *w = verdict_new(f.cone[k], r, &o);

			test_label("%s: %s", program[i].name, class[k].names);
			CHECK_INT(w->verdict, survives ? VERDICT_FEASIBLE : VERDICT_INFEASIBLE);
			CHECK_INT(w->verified, !survives);
			verdict_free(w);
		}
		region_free(r);
	}
	family_free(f);
}

TEST_MAIN(CASE(every_variant_has_its_place), CASE(cones_lie_in_each_other_as_the_table_says),
	CASE(constraints_separate_the_cones), CASE(programs_refute_the_others))
