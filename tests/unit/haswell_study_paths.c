/* models/haswell-study.udd against the prose of CounterPoint's section 7 and appendix C, µop by µop. What each µop
 * may count is written down here a second time, as lists, and must give the same signatures. Where no feature of
 * appendix C.2 to C.4 is on, the signatures are those of models/haswell-mmu.udd. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cone/signatures.h"
#include "haswell.h"
#include "test.h"

enum { N = HASWELL_COUNTERS };
enum { SPREADS = 70 }; /* the ways to spread 0 to 4 references over L1, L2, L3 and memory */

static const char *const type_name[] = {"load", "store"};

/* How far a µop came. A prefetch at one place is triggered by all µops that came at least so far. */
enum place { BEFORE_DTLB, DTLB_MISSED, STLB_MISSED };

struct uop {
	int64_t v[N];
	size_t type;
	bool retires;
	enum place place;
};

struct prose {
	const struct udd_model *m;
	struct fset on;
	struct { int64_t v[N]; int n; } refs[SPREADS];
	struct uop *uop;
	size_t n_uops, cap_uops;
	int64_t *v;       /* n signatures, with repetitions */
	size_t n, cap;
};

static bool
has(const struct prose *p, const char *feature)
{
	for (size_t i = 0; i < p->m->n_features; i++)
		if (str_eq(p->m->feature[i].name, feature))
			return fset_has(&p->on, i);
	test_check(false, __FILE__, __LINE__, "no feature %s", feature);
	return false;
}

static void
spread_references(struct prose *p)
{
	size_t l1 = haswell_counter(p->m, "", "walk_ref.l1"), l2 = haswell_counter(p->m, "", "walk_ref.l2");
	size_t l3 = haswell_counter(p->m, "", "walk_ref.l3"), mem = haswell_counter(p->m, "", "walk_ref.mem"), k = 0;

	for (int a = 0; a <= 4; a++)
		for (int b = 0; a + b <= 4; b++)
			for (int c = 0; a + b + c <= 4; c++)
				for (int d = 0; a + b + c + d <= 4; d++, k++) {
					memset(p->refs[k].v, 0, sizeof p->refs[k].v);
					p->refs[k].v[l1] = a;
					p->refs[k].v[l2] = b;
					p->refs[k].v[l3] = c;
					p->refs[k].v[mem] = d;
					p->refs[k].n = a + b + c + d;
				}
	CHECK_INT(k, SPREADS);
}

/* Adds a squashed µop that counted v and `lo` to `hi` references. */
static void
add_squashed(struct prose *p, size_t type, enum place place, const int64_t *v, int lo, int hi)
{
	for (size_t k = 0; k < SPREADS; k++) {
		struct uop *u;

		if (p->refs[k].n < lo || p->refs[k].n > hi)
			continue;
		mem_grow(&p->uop, &p->cap_uops, p->n_uops + 1, sizeof *p->uop);
		u = &p->uop[p->n_uops++];
		*u = (struct uop){.type = type, .place = place};
		for (size_t i = 0; i < N; i++)
			u->v[i] = v[i] + p->refs[k].v[i];
	}
}

/* Adds a retired µop that did. */
static void
add_retired(struct prose *p, size_t type, enum place place, const int64_t *v, int lo, int hi)
{
	int64_t w[N];
	size_t from = p->n_uops;

	memcpy(w, v, sizeof w);
	w[haswell_counter(p->m, type_name[type], "ret")]++;
	w[haswell_counter(p->m, type_name[type], "ret_stlb_miss")] += place == STLB_MISSED;
	add_squashed(p, type, place, w, lo, hi);
	for (size_t k = from; k < p->n_uops; k++)
		p->uop[k].retires = true;
}

static void
add_either(struct prose *p, size_t type, enum place place, const int64_t *v, int lo, int hi)
{
	add_squashed(p, type, place, v, lo, hi);
	add_retired(p, type, place, v, lo, hi);
}

static void
raise_counter(const struct prose *p, size_t type, const char *name, int64_t *v)
{
	v[haswell_counter(p->m, type_name[type], name)]++;
}

static void
add_hits(struct prose *p, size_t type)
{
	static const char *const hit[] = {"stlb_hit_4k", "stlb_hit_2m"};
	int64_t nothing[N] = {0};

	add_either(p, type, BEFORE_DTLB, nothing, 0, 0);
	for (size_t k = 0; k < 2; k++) {
		int64_t v[N] = {0};

		raise_counter(p, type, "stlb_hit", v);
		raise_counter(p, type, hit[k], v);
		add_either(p, type, DTLB_MISSED, v, 0, 0);
	}
	if (has(p, "ab_l1"))
		add_squashed(p, type, DTLB_MISSED, nothing, 0, 0);
}

/* The page sizes that a replay can find. */
static const char *const done_name[] = {"walk_done_4k", "walk_done_2m", "walk_done_1g"};

/* Adds a request that counted v and `lo` to `hi` references and got no translation from a walk. It is given up. With
 * replays it may also be walked for again, with references that are not counted. This walk fails, or finds a page of
 * any size. */
static void
add_failed(struct prose *p, size_t type, const int64_t *v, int lo, int hi)
{
	int64_t w[N];

	add_squashed(p, type, STLB_MISSED, v, lo, hi);
	if (!has(p, "replay"))
		return;
	memcpy(w, v, sizeof w);
	raise_counter(p, type, "causes_walk", w);
	add_squashed(p, type, STLB_MISSED, w, lo, hi);
	raise_counter(p, type, "walk_done", w);
	for (size_t k = 0; k < 3; k++) {
		int64_t x[N];

		memcpy(x, w, sizeof x);
		raise_counter(p, type, done_name[k], x);
		add_retired(p, type, STLB_MISSED, x, lo, hi);
	}
}

/* Adds µops that missed the STLB and have no walk. */
static void
add_walkless(struct prose *p, size_t type)
{
	int64_t nothing[N] = {0}, lookup[N] = {0};

	raise_counter(p, type, "pde$_miss", lookup);
	if (has(p, "merging"))
		add_either(p, type, STLB_MISSED, nothing, 0, 0);
	if (has(p, "merging") && has(p, "early_psc"))
		add_either(p, type, STLB_MISSED, lookup, 0, 0);
	/* merged into a walk that failed: only the replay shows it */
	if (has(p, "merging"))
		add_failed(p, type, nothing, 0, 0);
	if (has(p, "merging") && has(p, "early_psc"))
		add_failed(p, type, lookup, 0, 0);
	if (has(p, "ab_l2") || has(p, "ab_psc"))
		add_squashed(p, type, STLB_MISSED, nothing, 0, 0);
	if (has(p, "ab_psc"))
		add_squashed(p, type, STLB_MISSED, lookup, 0, 0);
}

/* Where a walk may begin: page size, whether the PDE cache missed, table entries that remain to be read, and whether
 * it uses the root's cache. */
static const struct route {
	const char *done;
	bool miss;
	int entries;
	bool pml4e;
} route[] = {
	{"walk_done_4k", false, 1, false},
	{"walk_done_4k", true, 2, false},
	{"walk_done_4k", true, 3, true},
	{"walk_done_4k", true, 4, false},
	{"walk_done_2m", true, 1, false},
	{"walk_done_2m", true, 2, true},
	{"walk_done_2m", true, 3, false},
	{"walk_done_1g", true, 1, true},
	{"walk_done_1g", true, 2, false},
};

static void
add_walks(struct prose *p, size_t type)
{
	for (size_t k = 0; k < sizeof route / sizeof *route; k++) {
		int64_t v[N] = {0};

		if (route[k].pml4e && !has(p, "pml4e"))
			continue;
		raise_counter(p, type, "causes_walk", v);
		if (route[k].miss)
			raise_counter(p, type, "pde$_miss", v);
		add_failed(p, type, v, has(p, "ab_walk") || has(p, "bypass") ? 0 : 1, route[k].entries);
		raise_counter(p, type, "walk_done", v);
		raise_counter(p, type, route[k].done, v);
		add_either(p, type, STLB_MISSED, v, route[k].entries, route[k].entries);
		if (has(p, "bypass"))
			add_either(p, type, STLB_MISSED, v, 0, 0);
	}
}

/* Adds v with a spread of references as a signature. A µop that counts nothing has none. */
static void
emit(struct prose *p, const int64_t *v, size_t spread)
{
	int64_t *w;
	bool zero = true;

	mem_grow(&p->v, &p->cap, (p->n + 1) * N, sizeof *p->v);
	w = p->v + p->n * N;
	for (size_t i = 0; i < N; i++) {
		w[i] = v[i] + p->refs[spread].v[i];
		zero = zero && w[i] == 0;
	}
	p->n += !zero;
}

/* The first place at which prefetches are triggered. */
static enum place
trigger_place(const struct prose *p)
{
	return has(p, "pf_lsq") ? BEFORE_DTLB : has(p, "pf_dtlb_miss") ? DTLB_MISSED : STLB_MISSED;
}

static void
emit_uop(struct prose *p, const struct uop *u)
{
	bool triggers = has(p, u->type == 0 ? "pf_loads" : "pf_stores") && u->place >= trigger_place(p) &&
		(u->retires || has(p, "pf_spec"));

	for (size_t k = 0; k < SPREADS; k++)
		if (p->refs[k].n == 0 || triggers)
			emit(p, u->v, k);
}

static int
compare_vectors(const void *a, const void *b)
{
	return memcmp(a, b, N * sizeof(int64_t));
}

static void
sort_and_thin(struct prose *p)
{
	size_t kept = 0;

	qsort(p->v, p->n, N * sizeof *p->v, compare_vectors);
	for (size_t k = 0; k < p->n; k++)
		if (k == 0 || compare_vectors(p->v + k * N, p->v + (kept - 1) * N))
			memmove(p->v + kept++ * N, p->v + k * N, N * sizeof *p->v);
	p->n = kept;
}

static void
compare_with_prose(struct prose *p, const struct fset *on)
{
	static const int64_t nothing[N];
	struct signatures *s = haswell_signatures(p->m, on);

	p->on = *on;
	p->n = p->n_uops = 0;
	for (size_t t = 0; t < 2; t++) {
		add_hits(p, t);
		add_walkless(p, t);
		add_walks(p, t);
	}
	for (size_t k = 0; k < p->n_uops; k++)
		emit_uop(p, &p->uop[k]);
	for (size_t k = 0; k < SPREADS && has(p, "tlb_pf"); k++)
		emit(p, nothing, k);
	sort_and_thin(p);
	qsort(s->coef, s->n, N * sizeof *s->coef, compare_vectors);
	CHECK_INT(s->n, p->n);
	CHECK(s->n == p->n && memcmp(s->coef, p->v, p->n * N * sizeof *p->v) == 0);
	signatures_free(s);
}

static void
signatures_are_those_of_the_prose(void)
{
	/* Features whose effect shows only while few others are on: prefetches of µops that end early. */
	static const char *const lone[] = {"ab_walk", "ab_psc", "ab_l2", "ab_l1", "merging", "early_psc"};
	static const char *const place[] = {"pf_lsq", "pf_dtlb_miss", "pf_stlb_miss"};
	struct udd_model *m = haswell_model("haswell-study");
	struct prose p = {.m = m};
	uint64_t seed = 20;
	unsigned rounds = test_rounds(40, 2000);

	spread_references(&p);
	for (size_t i = 0; i < m->n_variants; i++) {
		test_label("variant %s", m->variant[i].name);
		compare_with_prose(&p, &m->variant[i].on);
	}
	for (size_t k = 0; k < 18; k++) {
		char *plus =
			str_format("%s,%s,pf_spec,%s", lone[k / 3], k % 2 ? "pf_loads" : "pf_stores", place[k % 3]);
		struct fset on = haswell_choice(m, NULL, plus);

		test_label("%s", plus);
		compare_with_prose(&p, &on);
		free(plus);
	}
	for (unsigned k = 0; k < rounds;) {
		struct fset on = {{test_random(&seed) & ((UINT64_C(1) << m->n_features) - 1)}};

		if (!udd_legal(m, &on, NULL))
			continue;
		test_label("choice %#llx", (unsigned long long)on.w[0]);
		compare_with_prose(&p, &on);
		k++;
	}
	free(p.uop);
	free(p.v);
	udd_free(m);
}

/* Compares counters, their texts and their groups. */
static void
counters_are_those_of_haswell_mmu(void)
{
	struct udd_model *a = haswell_model("haswell-study"), *b = haswell_model("haswell-mmu");

	for (size_t i = 0; i < N; i++) {
		CHECK_STR(a->counter[i].name, b->counter[i].name);
		CHECK_INT(a->counter[i].n_events, b->counter[i].n_events);
		CHECK_STR(a->counter[i].event[0].name, b->counter[i].event[0].name);
	}
	CHECK_INT(a->n_groups, b->n_groups);
	for (size_t g = 0; g < a->n_groups && g < b->n_groups; g++) {
		CHECK_STR(a->group[g].name, b->group[g].name);
		CHECK_INT(a->group[g].n, b->group[g].n);
		for (size_t i = 0; i < a->group[g].n && i < b->group[g].n; i++)
			CHECK_STR(a->group[g].counter[i], b->group[g].counter[i]);
	}
	udd_free(a);
	udd_free(b);
}

/* With the features of Table 4 alone, all 32 choices are equal. Variants of the same name are the same choice. */
static void
it_holds_all_of_haswell_mmu(void)
{
	struct udd_model *a = haswell_model("haswell-study"), *b = haswell_model("haswell-mmu");

	CHECK_INT(b->n_features, 5);
	for (unsigned bits = 0; bits < 32; bits++) {
		struct str plus = {0};
		struct fset on_a, on_b;
		struct signatures *s, *t;

		for (size_t i = 0; i < 5; i++)
			if (bits >> i & 1)
				str_addf(&plus, "%s%s", plus.n ? "," : "", b->feature[i].name);
		test_label("%s", str_text(&plus));
		on_a = haswell_choice(a, NULL, str_text(&plus));
		on_b = haswell_choice(b, NULL, str_text(&plus));
		for (size_t i = 0; i < b->n_variants; i++)
			if (fset_equal(&b->variant[i].on, &on_b)) {
				struct fset same = haswell_choice(a, b->variant[i].name, NULL);

				CHECK(fset_equal(&same, &on_a));
			}
		s = haswell_signatures(a, &on_a);
		t = haswell_signatures(b, &on_b);
		qsort(s->coef, s->n, N * sizeof *s->coef, compare_vectors);
		qsort(t->coef, t->n, N * sizeof *t->coef, compare_vectors);
		CHECK_STR(s->total, t->total);
		CHECK_INT(s->n, t->n);
		CHECK(s->n == t->n && memcmp(s->coef, t->coef, s->n * N * sizeof *s->coef) == 0);
		signatures_free(s);
		signatures_free(t);
		str_free(&plus);
	}
	udd_free(a);
	udd_free(b);
}

TEST_MAIN(CASE(counters_are_those_of_haswell_mmu), CASE(it_holds_all_of_haswell_mmu),
	CASE(signatures_are_those_of_the_prose))
