/* models/haswell-mmu.udd against CounterPoint's case study (Lindsay et al., ASPLOS 2026): appendix B's counters and
 * groups, Table 3's models, Table 4's features. The µpaths are written down here a second time, from the paper's
 * prose. The cones of all 32 choices of features are compared with each other exactly. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/stats/region.h"
#include "core/udd/model.h"
#include "core/verdict/verdict.h"
#include "haswell.h"
#include "models.h"
#include "synthetic.h"
#include "test.h"
#include "text/diag.h"

/* Choices of features as bits, in the order of Table 3's columns. */
enum { PF = 1, EARLY = 2, MERGE = 4, PML4E = 8, BYPASS = 16, CHOICES = 32 };
enum { N = 26 };

static const char *const feature_name[] = {"tlb_pf", "early_psc", "merging", "pml4e", "bypass"};
static const char *const type_name[] = {"load", "store"};

/* Table 3, and what each choice gives. The study's m0 has 31 constraints (section 7.1): 4 equalities and 27
 * inequalities, over 23 counters, with one counter for all references of the page walker. Here there are four, one
 * for each level; that there are 4 equalities and 31 inequalities is a coincidence. */
static const struct variant {
	const char *name;
	unsigned on;
	const char *paths;
	size_t signatures, rays, facets;
} variant[] = {
	{"m0", 0, "2396", 488, 126, 31},
	{"m1", PF, "2736", 557, 90, 30},
	{"m2", PF | EARLY | MERGE, "2744", 563, 46, 23},
	{"m3", PF | EARLY | MERGE | PML4E, "3296", 699, 46, 23},
	{"m4", PF | EARLY | MERGE | PML4E | BYPASS, "3350", 719, 22, 22},
	{"m5", EARLY | MERGE | PML4E | BYPASS, "3010", 650, 66, 26},
	{"m6", PF | MERGE | PML4E | BYPASS, "3346", 715, 24, 24},
	{"m7", PF | EARLY | PML4E | BYPASS, "3342", 713, 30, 26},
	{"m8", PF | EARLY | MERGE | BYPASS, "2780", 583, 22, 22},
	{"m9", EARLY | MERGE | BYPASS, "2440", 514, 66, 26},
	{"m10", PF | MERGE | BYPASS, "2776", 579, 24, 24},
	{"m11", PF | EARLY | BYPASS, "2772", 577, 30, 26},
};
enum { VARIANTS = sizeof variant / sizeof *variant };

static struct fset
choice(const struct udd_model *m, unsigned on)
{
	struct fset f = {0};

	for (size_t k = 0; k < 5; k++)
		for (size_t i = 0; i < m->n_features; i++)
			if (str_eq(m->feature[i].name, feature_name[k]))
				fset_put(&f, i, on >> k & 1);
	CHECK_INT(fset_count(&f), __builtin_popcount(on));
	return f;
}

static struct signatures *
signatures_of(const struct udd_model *m, unsigned on)
{
	struct fset f = choice(m, on);

	return haswell_signatures(m, &f);
}

/* The cones of all choices. */
struct family {
	struct udd_model *model;
	struct cone *cone[CHOICES];
};

static struct family
family_new(void)
{
	static const struct cone_limits patient = {.seconds = 600};
	struct family f = {.model = haswell_model("haswell-mmu")};

	for (unsigned on = 0; on < CHOICES; on++) {
		struct signatures *s = signatures_of(f.model, on);

		f.cone[on] = cone_new(s->n_counters, s->n, s->coef, &patient);
		CHECK(f.cone[on]->complete);
		signatures_free(s);
	}
	return f;
}

static void
family_free(struct family f)
{
	for (unsigned on = 0; on < CHOICES; on++)
		cone_free(f.cone[on]);
	udd_free(f.model);
}

static int
compare_vectors(const void *a, const void *b)
{
	return memcmp(a, b, N * sizeof(int64_t));
}

/* Whether both are equal as sets of vectors; sorts both. */
static bool
same_vectors(int64_t *a, size_t n_a, int64_t *b, size_t n_b)
{
	qsort(a, n_a, N * sizeof *a, compare_vectors);
	qsort(b, n_b, N * sizeof *b, compare_vectors);
	return n_a == n_b && memcmp(a, b, n_a * N * sizeof *a) == 0;
}

static void
variants_are_those_of_table_3(void)
{
	struct family f = family_new();

	CHECK_INT(f.model->n_features, 5);
	CHECK_INT(f.model->n_variants, VARIANTS);
	for (size_t i = 0; i < VARIANTS && i < f.model->n_variants; i++) {
		const struct variant *v = &variant[i];
		const struct cone *c = f.cone[v->on];
		struct signatures *s = signatures_of(f.model, v->on);
		struct fset on = choice(f.model, v->on);

		test_label("%s", v->name);
		CHECK_STR(f.model->variant[i].name, v->name);
		CHECK(fset_equal(&f.model->variant[i].on, &on));
		CHECK_STR(s->total, v->paths);
		CHECK_INT(s->n, v->signatures);
		CHECK_INT(c->n_rays, v->rays);
		CHECK_INT(c->n_equalities, 4);
		CHECK_INT(c->n_inequalities, v->facets);
		signatures_free(s);
	}
	family_free(f);
}

/* A counter of access type T stands for one counter of loads and one of stores. */
static void
groups_are_those_of_table_2(void)
{
	static const struct { const char *group, *counters; } row[] = {
		{"Walk", "T.causes_walk,T.walk_done_4k,T.walk_done_2m,T.walk_done_1g,T.walk_done,T.pde$_miss"},
		{"Refs", "walk_ref.l1,walk_ref.l2,walk_ref.l3,walk_ref.mem"},
		{"Ret", "T.ret_stlb_miss,T.ret"},
		{"STLB", "T.stlb_hit_4k,T.stlb_hit_2m,T.stlb_hit"},
	};
	struct udd_model *m = haswell_model("haswell-mmu");
	size_t all = 0;

	CHECK_INT(m->n_groups, 4);
	for (size_t g = 0; g < 4 && g < m->n_groups; g++) {
		char **want = str_split(row[g].counters, ',', NULL);
		size_t at = 0;

		test_label("%s", row[g].group);
		CHECK_STR(m->group[g].name, row[g].group);
		for (size_t t = 0; t < 2; t++)
			for (size_t k = 0; want[k]; k++) {
				bool typed = want[k][0] == 'T';
				char *name = typed ? str_format("%s%s", type_name[t], want[k] + 1) : mem_str(want[k]);
				bool known = false;

				if (typed || t == 0) {
					CHECK_STR(at < m->group[g].n ? m->group[g].counter[at] : "", name);
					for (size_t i = 0; i < m->n_counters; i++)
						known = known ||
							(str_eq(m->counter[i].name, name) && m->counter[i].declared);
					CHECK(known);
					at++;
				}
				free(name);
			}
		CHECK_INT(m->group[g].n, at);
		all += at;
		str_split_free(want);
	}
	CHECK_INT(all, N);
	udd_free(m);
}

/* Signatures straight from the prose, with repetitions. */
struct prose {
	const struct udd_model *model;
	unsigned on;
	int64_t *v;
	size_t n, cap;
};

static void
emit(struct prose *p, const int64_t *v)
{
	bool zero = true;

	for (size_t i = 0; i < N; i++)
		zero = zero && v[i] == 0;
	if (zero)
		return;
	mem_grow(&p->v, &p->cap, (p->n + 1) * N, sizeof *p->v);
	memcpy(p->v + p->n++ * N, v, N * sizeof *v);
}

/* Adds `v` with n references, in all ways to spread them over L1, L2, L3 and memory. */
static void
emit_with_references(struct prose *p, const int64_t *v, int n)
{
	static const char *const level[] = {"walk_ref.l1", "walk_ref.l2", "walk_ref.l3", "walk_ref.mem"};

	for (int code = 0; code < 256; code++) {
		int64_t w[N];
		int left = n;

		memcpy(w, v, sizeof w);
		if (code >> 2 * n)
			break;
		for (int k = 0; left > 0; k++, left--)
			w[haswell_counter(p->model, "", level[code >> 2 * k & 3])]++;
		emit(p, w);
	}
}

/* Ends of a walk: page size, whether the PDE cache missed, and how many table entries remained to be read. The PDE
 * cache leads to the page table of a 4K page: one entry. After a miss a 4K page takes four entries from the root on,
 * a 2M page three, a 1G page two. The PDPTE cache leads to the directory: two entries for a 4K page, one for a 2M
 * page. The PML4E cache saves the root's entry. */
static const struct route {
	const char *done;
	bool miss;
	int entries;
	unsigned needs;
} route[] = {
	{"walk_done_4k", false, 1, 0},
	{"walk_done_4k", true, 4, 0},
	{"walk_done_2m", true, 3, 0},
	{"walk_done_1g", true, 2, 0},
	{"walk_done_4k", true, 2, 0},
	{"walk_done_2m", true, 1, 0},
	{"walk_done_4k", true, 3, PML4E},
	{"walk_done_2m", true, 2, PML4E},
	{"walk_done_1g", true, 1, PML4E},
};

static void
prose_walks(struct prose *p, const char *type)
{
	for (size_t k = 0; k < sizeof route / sizeof *route; k++) {
		int64_t started[N] = {0}, done[N];

		if (route[k].needs & ~p->on)
			continue;
		started[haswell_counter(p->model, type, "causes_walk")]++;
		started[haswell_counter(p->model, type, "pde$_miss")] += route[k].miss;
		for (int read = p->on & BYPASS ? 0 : 1; read <= route[k].entries; read++)
			emit_with_references(p, started, read); /* the walk is stopped */
		memcpy(done, started, sizeof done);
		done[haswell_counter(p->model, type, "walk_done")]++;
		done[haswell_counter(p->model, type, route[k].done)]++;
		for (int retired = 0; retired < 2; retired++) {
			emit_with_references(p, done, route[k].entries);
			if (p->on & BYPASS)
				emit_with_references(p, done, 0);
			done[haswell_counter(p->model, type, "ret")]++;
			done[haswell_counter(p->model, type, "ret_stlb_miss")]++;
		}
	}
}

static void
prose_merged(struct prose *p, const char *type)
{
	for (int missed = 0; missed < (p->on & EARLY ? 2 : 1); missed++)
		for (int retired = 0; retired < 2; retired++) {
			int64_t v[N] = {0};

			v[haswell_counter(p->model, type, "pde$_miss")] += missed;
			v[haswell_counter(p->model, type, "ret")] += retired;
			v[haswell_counter(p->model, type, "ret_stlb_miss")] += retired;
			emit(p, v);
		}
}

static void
prose_hits(struct prose *p, const char *type)
{
	static const char *const size[] = {NULL, "stlb_hit_4k", "stlb_hit_2m"};

	for (int hit = 0; hit < 3; hit++)
		for (int retired = 0; retired < 2; retired++) {
			int64_t v[N] = {0};

			if (size[hit]) {
				v[haswell_counter(p->model, type, "stlb_hit")]++;
				v[haswell_counter(p->model, type, size[hit])]++;
			}
			v[haswell_counter(p->model, type, "ret")] += retired;
			emit(p, v);
		}
}

/* Sorts the signatures and removes repetitions. */
static void
prose_signatures(struct prose *p)
{
	static const int64_t nothing[N];
	size_t kept = 0;

	for (size_t t = 0; t < 2; t++) {
		prose_hits(p, type_name[t]);
		prose_walks(p, type_name[t]);
		if (p->on & MERGE)
			prose_merged(p, type_name[t]);
	}
	for (int n = 1; n <= 4 && p->on & PF; n++)
		emit_with_references(p, nothing, n);
	qsort(p->v, p->n, N * sizeof *p->v, compare_vectors);
	for (size_t k = 0; k < p->n; k++)
		if (k == 0 || compare_vectors(p->v + k * N, p->v + (kept - 1) * N))
			memmove(p->v + kept++ * N, p->v + k * N, N * sizeof *p->v);
	p->n = kept;
}

static void
signatures_are_those_of_the_prose(void)
{
	struct udd_model *m = haswell_model("haswell-mmu");

	for (unsigned on = 0; on < CHOICES; on++) {
		struct prose p = {.model = m, .on = on};
		struct signatures *s = signatures_of(m, on);

		test_label("choice %u", on);
		prose_signatures(&p);
		CHECK_INT(s->n, p.n);
		CHECK(same_vectors(s->coef, s->n, p.v, p.n));
		signatures_free(s);
		free(p.v);
	}
	udd_free(m);
}

/* A cone depends on three ranks: prefetches or none; no merging, late lookup, or early lookup; walks with all
 * references, without the root's, or with none. A higher rank allows more. */
static void
rank_of(unsigned on, int rank[3])
{
	rank[0] = on & PF ? 1 : 0;
	rank[1] = on & MERGE ? on & EARLY ? 2 : 1 : 0;
	rank[2] = on & BYPASS ? 2 : on & PML4E ? 1 : 0;
}

/* Therefore early_psc changes nothing without merging, nor does pml4e with bypass. Every other feature changes the
 * cone. */
static void
cones_lie_in_each_other_as_their_features_say(void)
{
	struct family f = family_new();

	for (unsigned a = 0; a < CHOICES; a++)
		for (unsigned b = 0; b < CHOICES; b++) {
			int x[3], y[3];

			rank_of(a, x);
			rank_of(b, y);
			test_label("choices %u and %u", a, b);
			CHECK_INT(haswell_lies_in(f.cone[a], f.cone[b]), x[0] <= y[0] && x[1] <= y[1] && x[2] <= y[2]);
			if ((a & ~b) == 0)
				CHECK(haswell_lies_in(f.cone[a], f.cone[b]));
		}
	family_free(f);
}

static unsigned
on_of(const char *name)
{
	for (size_t i = 0; i < VARIANTS; i++)
		if (str_eq(variant[i].name, name))
			return variant[i].on;
	test_check(false, __FILE__, __LINE__, "no variant %s", name);
	return 0;
}

/* Models are the same if they have the same rays and the same facets, one by one. */
static void
models_of_table_3_differ_as_it_says(void)
{
	static const struct { const char *a, *b; bool same, within; } row[] = {
		{"m4", "m8", true, true},
		{"m5", "m9", true, true},
		{"m6", "m10", true, true},
		{"m7", "m11", true, true},
		/* discovery: each model allows more than the one before */
		{"m0", "m1", false, true},
		{"m1", "m2", false, true},
		{"m2", "m3", false, true},
		{"m3", "m4", false, true},
		{"m0", "m4", false, true},
		/* elimination: each removed feature makes the cone smaller */
		{"m5", "m4", false, true},
		{"m6", "m4", false, true},
		{"m7", "m4", false, true},
		{"m7", "m6", false, true},
		{"m3", "m5", false, false},
		{"m1", "m5", false, false},
		{"m2", "m6", false, false},
	};
	struct family f = family_new();

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct cone *a = f.cone[on_of(row[i].a)], *b = f.cone[on_of(row[i].b)];

		test_label("%s and %s", row[i].a, row[i].b);
		CHECK_INT(haswell_lies_in(a, b), row[i].within);
		CHECK_INT(haswell_lies_in(b, a), row[i].same);
		CHECK_INT(same_vectors(a->ray, a->n_rays, b->ray, b->n_rays), row[i].same);
		CHECK_INT(
			same_vectors(a->inequality, a->n_inequalities, b->inequality, b->n_inequalities), row[i].same);
		/* No feature breaks a sum of page sizes: all cones have the same four equalities. */
		CHECK(same_vectors(a->equality, a->n_equalities, b->equality, b->n_equalities));
	}
	family_free(f);
}

static bool
always(unsigned on)
{
	return on < CHOICES;
}

static bool
unmerged(unsigned on)
{
	return !(on & MERGE);
}

static bool
lookups_walk(unsigned on)
{
	return !(on & MERGE && on & EARLY);
}

static bool
without_prefetch(unsigned on)
{
	return !(on & PF);
}

static bool
without_bypass(unsigned on)
{
	return !(on & BYPASS);
}

static bool
without_bypass_and_root_cache(unsigned on)
{
	return !(on & (BYPASS | PML4E));
}

/* Beliefs of experts (section 1, Table 1, Figures 3 and 6), as less ≤ more, and the choices in which each holds.
 * "T." stands for one access type, "T.x+" for the sum over both, "ref" for all references. */
static const struct belief {
	struct { int times; const char *name; } less[3], more[4];
	bool (*holds)(unsigned on);
} belief[] = {
	{{{1, "T.ret_stlb_miss"}}, {{1, "T.walk_done"}}, unmerged},
	{{{1, "T.ret_stlb_miss"}}, {{1, "T.causes_walk"}}, unmerged},
	{{{1, "T.walk_done"}}, {{1, "T.causes_walk"}}, always},
	{{{1, "T.pde$_miss"}}, {{1, "T.causes_walk"}}, lookups_walk},
	{{{1, "T.walk_done_2m"}, {1, "T.walk_done_1g"}}, {{1, "T.pde$_miss"}}, always},
	{{{1, "T.ret_stlb_miss"}}, {{1, "T.ret"}}, always},
	{{{1, "ref"}}, {{4, "T.causes_walk+"}}, without_prefetch},
	{{{1, "ref"}, {1, "T.walk_done_2m+"}, {2, "T.walk_done_1g+"}},
		{{1, "T.causes_walk+"}, {3, "T.pde$_miss+"}}, without_prefetch},
	{{{1, "T.causes_walk+"}}, {{1, "ref"}}, without_bypass},
	{{{1, "T.causes_walk+"}, {1, "T.walk_done_1g+"}}, {{1, "ref"}}, without_bypass_and_root_cache},
	{{{1, "T.causes_walk+"}}, {{1, "T.walk_done+"}, {1, "ref"}}, without_bypass},
};

static void
add_term(const struct udd_model *m, const char *type, int times, const char *term, int64_t *coef)
{
	bool both = strchr(term, '+') != NULL;

	for (size_t i = 0; i < N; i++) {
		const char *name = m->counter[i].name, *dot = strchr(name, '.');
		bool hit = str_eq(term, "ref") ? strncmp(name, "walk_ref.", 9) == 0
			: strncmp(dot, term + 1, strlen(term) - 1 - both) == 0 && strlen(dot) == strlen(term) - 1 - both
				&& (both || strncmp(name, type, (size_t)(dot - name)) == 0);

		coef[i] += hit ? times : 0;
	}
}

static void
what_experts_believe_holds_where_it_should(void)
{
	struct family f = family_new();

	for (size_t b = 0; b < sizeof belief / sizeof *belief; b++)
		for (size_t t = 0; t < 2; t++) {
			int64_t coef[N] = {0};

			for (size_t k = 0; k < 3 && belief[b].less[k].name; k++)
				add_term(f.model, type_name[t], -belief[b].less[k].times, belief[b].less[k].name, coef);
			for (size_t k = 0; k < 4 && belief[b].more[k].name; k++)
				add_term(f.model, type_name[t], belief[b].more[k].times, belief[b].more[k].name, coef);
			for (unsigned on = 0; on < CHOICES; on++) {
				test_label("belief %zu of %ss, choice %u", b, type_name[t], on);
				CHECK_INT(haswell_keeps(f.cone[on], coef), belief[b].holds(on));
			}
		}
	family_free(f);
}

/* m4's cone is nearly free: only six of its facets are more than a counter's not being negative. */
static void
m4_allows_nearly_everything(void)
{
	struct family f = family_new();
	const struct cone *c = f.cone[on_of("m4")];
	size_t real = 0;

	for (size_t i = 0; i < c->n_inequalities; i++) {
		size_t used = 0;

		for (size_t j = 0; j < N; j++)
			used += c->inequality[i * N + j] != 0;
		real += used > 1;
	}
	CHECK_INT(real, 6);
	family_free(f);
}

/* Adds a thousand retired loads and stores whose walks leave no room for the unknown µop: with all possible
 * references and missed lookups, or, against a walk without references, with one reference each. */
static void
add_tight_walks(const struct udd_model *m, bool short_walks, int64_t *v)
{
	for (size_t t = 0; t < 2; t++) {
		v[haswell_counter(m, type_name[t], "causes_walk")] += 1000;
		v[haswell_counter(m, type_name[t], "pde$_miss")] += short_walks ? 0 : 1000;
		v[haswell_counter(m, "", "walk_ref.l2")] += short_walks ? 1000 : 4000;
		v[haswell_counter(m, type_name[t], "walk_done")] += 1000;
		v[haswell_counter(m, type_name[t], "walk_done_4k")] += 1000;
		v[haswell_counter(m, type_name[t], "ret")] += 1000;
		v[haswell_counter(m, type_name[t], "ret_stlb_miss")] += 1000;
	}
}

/* Exact totals: among a thousand walks a single merged µop refutes m1, and likewise for each feature. */
static void
one_unknown_uop_refutes(void)
{
	/* for the vectors of synthetic_haswell_outside(), in its order */
	static const unsigned needs[] = {EARLY | MERGE, MERGE, EARLY | MERGE, MERGE, PF, BYPASS};
	struct family f = family_new();
	struct verdict_options o = {.confidence = 0.99};
	char *name[N];
	int64_t *outside;
	size_t n;

	for (size_t i = 0; i < N; i++)
		name[i] = mem_str(f.model->counter[i].name);
	n = synthetic_haswell_outside(N, name, &outside);
	CHECK_INT(n, sizeof needs / sizeof *needs);
	for (size_t k = 0; k <= n; k++)
		for (size_t i = 0; i < VARIANTS; i++) {
			/* the last round has no unknown µop */
			bool known = k == n || (needs[k] & ~variant[i].on) == 0;
			int64_t v[N] = {0};
			struct samples s = {.n_counters = N, .n_rows = 1, .count = v};
			struct region *r;
			struct verdict *w;

			add_tight_walks(f.model, k == 5, v);
			for (size_t j = 0; j < N && k < n; j++)
				v[j] += outside[k * N + j];
			r = region_new(&s, true);
			w = verdict_new(f.cone[variant[i].on], r, &o);
			test_label("vector %zu, %s", k, variant[i].name);
			CHECK_INT(w->verdict, known ? VERDICT_FEASIBLE : VERDICT_INFEASIBLE);
			CHECK_INT(w->verified, !known);
			verdict_free(w);
			region_free(r);
		}
	for (size_t i = 0; i < N; i++)
		free(name[i]);
	free(outside);
	family_free(f);
}

/* The printed text, read again, gives the same model: text, variants, groups, and signatures of every choice. */
static void
the_text_comes_back_from_print(void)
{
	struct udd_model *m = haswell_model("haswell-mmu"), *again;
	struct str once = {0}, twice = {0};
	struct diags d = {0};

	udd_print(m, &once);
	again = model_from_text(str_text(&once), once.n, &d);
	if (CHECK(again != NULL)) {
		udd_print(again, &twice);
		CHECK_STR(str_text(&twice), str_text(&once));
		CHECK_INT(again->n_groups, m->n_groups);
		CHECK_INT(again->n_variants, m->n_variants);
		for (size_t i = 0; i < m->n_variants && i < again->n_variants; i++)
			CHECK(fset_equal(&again->variant[i].on, &m->variant[i].on));
		for (unsigned on = 0; on < CHOICES; on++) {
			struct signatures *a = signatures_of(m, on), *b = signatures_of(again, on);

			test_label("choice %u", on);
			CHECK_STR(b->total, a->total);
			CHECK_INT(b->n, a->n);
			CHECK(b->n == a->n && memcmp(a->coef, b->coef, a->n * N * sizeof *a->coef) == 0);
			signatures_free(a);
			signatures_free(b);
		}
	}
	udd_free(again);
	udd_free(m);
	diags_free(&d);
	str_free(&once);
	str_free(&twice);
}

TEST_MAIN(CASE(variants_are_those_of_table_3), CASE(groups_are_those_of_table_2),
	CASE(signatures_are_those_of_the_prose), CASE(cones_lie_in_each_other_as_their_features_say),
	CASE(models_of_table_3_differ_as_it_says), CASE(what_experts_believe_holds_where_it_should),
	CASE(m4_allows_nearly_everything), CASE(one_unknown_uop_refutes), CASE(the_text_comes_back_from_print))
